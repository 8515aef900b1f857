// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `ftyp`, `styp` and `ttyp`: the specifications that a file, a segment or a track conforms to.
public struct FileTypeBox: BoxPayload {
  public static let name: StaticString = "file type"
  public static let types: [FourCC] = ["ftyp", "styp", "ttyp"]
  public static let scopes: [BoxScope] = [.file, .box("trak"), .box("otyp")]
  public static let specification: StaticString = "ISO/IEC 14496-12, 4.3, 8.16.2, 8.3.5"
  public static let summary: StaticString = "The specifications that a file, a segment or a track follows."

  /// The brand of the specification that fits best.
  public var majorBrand: FourCC = "isom"
  /// The minor version of that specification.
  public var minorVersion: UInt32 = 0
  /// The brands of all specifications that the file conforms to.
  public var compatibleBrands: [FourCC] = []

  public init() {}

  /// Makes the payload.
  public init(_ majorBrand: FourCC, minorVersion: UInt32 = 0, compatibleBrands: [FourCC]) {
    self.majorBrand = majorBrand
    self.minorVersion = minorVersion
    self.compatibleBrands = compatibleBrands
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fourCC("major_brand", &majorBrand)
    try c.u32("minor_version", &minorVersion)
    try c.fourCCsToEnd("compatible_brands", &compatibleBrands)
  }
}
