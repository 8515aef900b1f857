// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `pixi`: the number of bits of each channel of an image.
public struct PixelInformationProperty: FullBox {
  public static let info = BoxInfo(
    ["pixi"], name: "pixel information property", in: [.box("ipco")], "ISO/IEC 23008-12, 6.5.6",
    "The number of bits of each channel of an image.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The number of bits, by channel.
  public var bitsPerChannel: [UInt8] = []
  /// Data of later editions.
  public var rest = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.array("bits_per_channel", &bitsPerChannel, countedBy: "num_channels", UInt8.self, bits: 8)
    try c.leftovers(&rest)
  }
}

/// `irot`: the number of anticlockwise quarter turns by which to rotate an image.
public struct ImageRotationProperty: BoxPayload {
  public static let info = BoxInfo(
    ["irot"], name: "image rotation property", in: [.box("ipco")], "ISO/IEC 23008-12, 6.5.10",
    "The number of anticlockwise quarter turns by which to rotate an image.")

  /// Six bits that should be 0.
  public var reserved: UInt8 = 0
  /// The rotation in anticlockwise quarter turns.
  public var angle: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.reserved("reserved", &reserved, bits: 6, expecting: 0)
    try c.u("angle", &angle, 2, .named { "\($0 * 90)°" })
  }
}

/// `imir`: the axis about which to mirror an image.
public struct ImageMirrorProperty: BoxPayload {
  public static let info = BoxInfo(
    ["imir"], name: "image mirror property", in: [.box("ipco")], "ISO/IEC 23008-12, 6.5.12",
    "The axis about which to mirror an image.")

  /// Seven bits that should be 0.
  public var reserved: UInt8 = 0
  /// The axis: 0 swaps top and bottom, 1 swaps left and right.
  public var axis: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.reserved("reserved", &reserved, bits: 7, expecting: 0)
    try c.u("axis", &axis, 1, .named { $0 == 0 ? "top-bottom" : "left-right" })
  }
}

/// `rloc`: the position of an image within the larger image that it is part of.
public struct RelativeLocationProperty: FullBox {
  public static let info = BoxInfo(
    ["rloc"], name: "relative location property", in: [.box("ipco")], "ISO/IEC 23008-12, 6.5.7",
    "The position of an image within the larger image that it is part of.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The distance from the left, in pixels.
  public var horizontalOffset: UInt32 = 0
  /// The distance from the top, in pixels.
  public var verticalOffset: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u32("horizontal_offset", &horizontalOffset)
    try c.u32("vertical_offset", &verticalOffset)
  }
}

/// `lsel`: which layer of a layered image to show.
public struct LayerSelectorProperty: BoxPayload {
  public static let info = BoxInfo(
    ["lsel"], name: "layer selector property", in: [.box("ipco")], "ISO/IEC 23008-12, 6.5.11",
    "Which layer of a layered image to show.")

  /// The layer; all bits are 1 for the highest layer that the decoder outputs.
  public var layerID: UInt16 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.u16("layer_id", &layerID) }
}

/// `tols`: which output layer set of a layered image to decode.
public struct TargetOutputLayerSetProperty: FullBox {
  public static let info = BoxInfo(
    ["tols"], name: "target output layer set property", in: [.box("ipco")], "ISO/IEC 23008-12, B.2.3.2.2",
    "Which output layer set of a layered image to decode.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The index of the output layer set in the VPS.
  public var targetOutputLayerSetIndex: UInt16 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u16("target_ols_idx", &targetOutputLayerSetIndex)
  }
}

/// `iscl`: the factors by which to scale an image.
public struct ImageScalingProperty: FullBox {
  public static let info = BoxInfo(
    ["iscl"], name: "image scaling property", in: [.box("ipco")], "ISO/IEC 23008-12, 6.5.13",
    "The factors by which to scale an image.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The numerator of the ratio of widths.
  public var targetWidthNumerator: UInt16 = 1
  /// The denominator of the ratio of widths.
  public var targetWidthDenominator: UInt16 = 1
  /// The numerator of the ratio of heights.
  public var targetHeightNumerator: UInt16 = 1
  /// The denominator of the ratio of heights.
  public var targetHeightDenominator: UInt16 = 1

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u16("target_width_numerator", &targetWidthNumerator)
    try c.u16("target_width_denominator", &targetWidthDenominator)
    try c.u16("target_height_numerator", &targetHeightNumerator)
    try c.u16("target_height_denominator", &targetHeightDenominator)
  }
}
