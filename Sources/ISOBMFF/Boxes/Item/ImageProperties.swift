// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `ispe`: the width and height of an image.
public struct ImageSpatialExtentsProperty: BoxPayload {
  public static let name: StaticString = "image spatial extents property"
  public static let types: [FourCC] = ["ispe"]
  public static let scopes: [BoxScope] = [.box("ipco")]
  public static let specification: StaticString = "ISO/IEC 23008-12, 6.5.3"
  public static let summary: StaticString = "The width and height of an image."
  public static let versions: ClosedRange<UInt8>? = 0...0

  /// The flags of the full box.
  public var flags: UInt32 = 0
  /// The width in pixels.
  public var width: UInt32 = 0
  /// The height in pixels.
  public var height: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u32("image_width", &width)
    try c.u32("image_height", &height)
  }
}

/// `auxC`: the purpose of an auxiliary image, such as alpha, depth or a gain map.
public struct AuxiliaryTypeProperty: BoxPayload {
  public static let name: StaticString = "auxiliary type property"
  public static let types: [FourCC] = ["auxC"]
  public static let scopes: [BoxScope] = [.box("ipco")]
  public static let specification: StaticString = "ISO/IEC 23008-12, 6.5.8"
  public static let summary: StaticString = "What an auxiliary image is for: alpha, depth, a gain map."
  public static let versions: ClosedRange<UInt8>? = 0...0

  /// The flags of the full box.
  public var flags: UInt32 = 0
  /// The URN of the purpose.
  public var auxType = TerminatedString()
  /// Further data defined by the purpose, such as SEI messages.
  public var auxSubtype = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.terminatedString("aux_type", &auxType)
    try c.remainder("aux_subtype", &auxSubtype)
  }
}
