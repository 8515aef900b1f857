// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `ispe`: the width and height of an image.
public struct ImageSpatialExtentsProperty: FullBox {
  public static let info = BoxInfo(
    ["ispe"], name: "image spatial extents property", in: [.box("ipco")], "ISO/IEC 23008-12, 6.5.3",
    "The width and height of an image.", versions: 0...0)

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
public struct AuxiliaryTypeProperty: FullBox {
  public static let info = BoxInfo(
    ["auxC"], name: "auxiliary type property", in: [.box("ipco")], "ISO/IEC 23008-12, 6.5.8",
    "The purpose of an auxiliary image, such as alpha, depth or a gain map.", versions: 0...0)

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
