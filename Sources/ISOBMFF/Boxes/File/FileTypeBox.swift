// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `ftyp`, `styp` and `ttyp`: the specifications that a file, a segment or a track conforms to.
public struct FileTypeBox: BoxPayload {
  public static let info = BoxInfo(
    ["ftyp", "styp", "ttyp"], name: "file type", in: [.file, .box("trak"), .box("otyp")],
    "ISO/IEC 14496-12, 4.3, 8.16.2, 8.3.5",
    "The specifications that a file, a segment or a track conforms to.")

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
