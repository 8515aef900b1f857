// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `fiel`: whether pictures are interlaced, and the order of their fields.
public struct FieldHandlingBox: BoxPayload {
  public static let info = BoxInfo(
    ["fiel"], name: "field handling", in: [.visualSampleEntry],
    "QuickTime File Format, Video Sample Description Extensions",
    "Whether pictures are interlaced, and the order of their fields.")

  /// The number of fields in a sample: 1 progressive, 2 interlaced.
  public var fieldCount: UInt8 = 1
  /// Which field is displayed first, and which is stored first.
  public var fieldOrder: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u8("field_count", &fieldCount)
    try c.u8("field_order", &fieldOrder, in: nil, .named(Self.orderName))
  }

  private static func orderName(_ order: Int64) -> String? {
    switch order {
    case 1: "top shown first, top stored first"
    case 6: "bottom shown first, bottom stored first"
    case 9: "bottom shown first, top stored first"
    case 14: "top shown first, bottom stored first"
    default: nil
    }
  }
}

/// `chrm`: the location of chroma samples relative to luma samples.
public struct ChromaLocationBox: BoxPayload {
  public static let info = BoxInfo(
    ["chrm"], name: "chroma location", in: [.visualSampleEntry],
    "QuickTime File Format, Video Sample Description Extensions",
    "The location of chroma samples relative to luma samples.")

  /// The location in the top field, or in the picture; numbered like `chroma_sample_loc_type`.
  public var topField: UInt8 = 0
  /// The location in the bottom field.
  public var bottomField: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u8("chroma_location_top_field", &topField)
    try c.u8("chroma_location_bottom_field", &bottomField)
  }
}

/// `gama`: the exponent that converts component values to light.
public struct GammaLevelBox: BoxPayload {
  public static let info = BoxInfo(
    ["gama"], name: "gamma level", in: [.visualSampleEntry],
    "QuickTime File Format, Video Sample Description Extensions",
    "The exponent that converts component values to light.")

  /// The exponent, as a 16.16 fixed-point number.
  public var gamma: UInt32 = 0x0002_3333

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("gamma", &gamma, in: nil, .fixedPoint(fractionBits: 16))
  }
}

/// `almo`: whether colours are premultiplied by alpha; the layout is not published.
public struct AlphaModeBox: BoxPayload {
  public static let info = BoxInfo(
    ["almo"], name: "alpha mode", in: [.visualSampleEntry],
    "Core Media, kCMFormatDescriptionExtension_AlphaChannelMode",
    "Whether colours are premultiplied by alpha; the layout is not published.")

  /// The data, as bytes.
  public var data = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.remainder("data", &data) }
}
