// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `pixi`: the number of bits of each channel of an image.
public struct PixelInformationProperty: BoxPayload {
  public static let name: StaticString = "pixel information property"
  public static let types: [FourCC] = ["pixi"]
  public static let scopes: [BoxScope] = [.box("ipco")]
  public static let specification: StaticString = "ISO/IEC 23008-12, 6.5.6"
  public static let summary: StaticString = "How many bits each channel of an image has."
  public static let versions: ClosedRange<UInt8>? = 0...0

  /// The flags of the full box.
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

/// `irot`: by how much to rotate an image.
public struct ImageRotationProperty: BoxPayload {
  public static let name: StaticString = "image rotation property"
  public static let types: [FourCC] = ["irot"]
  public static let scopes: [BoxScope] = [.box("ipco")]
  public static let specification: StaticString = "ISO/IEC 23008-12, 6.5.10"
  public static let summary: StaticString = "By how many quarter turns to turn an image anticlockwise."

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

/// `imir`: about which axis to mirror an image.
public struct ImageMirrorProperty: BoxPayload {
  public static let name: StaticString = "image mirror property"
  public static let types: [FourCC] = ["imir"]
  public static let scopes: [BoxScope] = [.box("ipco")]
  public static let specification: StaticString = "ISO/IEC 23008-12, 6.5.12"
  public static let summary: StaticString = "About which axis to mirror an image."

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

/// `rloc`: the position of a part within the whole image.
public struct RelativeLocationProperty: BoxPayload {
  public static let name: StaticString = "relative location property"
  public static let types: [FourCC] = ["rloc"]
  public static let scopes: [BoxScope] = [.box("ipco")]
  public static let specification: StaticString = "ISO/IEC 23008-12, 6.5.7"
  public static let summary: StaticString = "Where an image is in the image of which it is a part."
  public static let versions: ClosedRange<UInt8>? = 0...0

  /// The flags of the full box.
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
  public static let name: StaticString = "layer selector property"
  public static let types: [FourCC] = ["lsel"]
  public static let scopes: [BoxScope] = [.box("ipco")]
  public static let specification: StaticString = "ISO/IEC 23008-12, 6.5.11"
  public static let summary: StaticString = "Which layer of a layered image to show."

  /// The layer; all bits are 1 for the highest layer that the decoder outputs.
  public var layerID: UInt16 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.u16("layer_id", &layerID) }
}

/// `tols`: which output layer set of a layered image to decode.
public struct TargetOutputLayerSetProperty: BoxPayload {
  public static let name: StaticString = "target output layer set property"
  public static let types: [FourCC] = ["tols"]
  public static let scopes: [BoxScope] = [.box("ipco")]
  public static let specification: StaticString = "ISO/IEC 23008-12, B.2.3.2.2"
  public static let summary: StaticString = "Which output layer set of a layered image to decode."
  public static let versions: ClosedRange<UInt8>? = 0...0

  /// The flags of the full box.
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
public struct ImageScalingProperty: BoxPayload {
  public static let name: StaticString = "image scaling property"
  public static let types: [FourCC] = ["iscl"]
  public static let scopes: [BoxScope] = [.box("ipco")]
  public static let specification: StaticString = "ISO/IEC 23008-12, 6.5.13"
  public static let summary: StaticString = "By which ratios to scale an image."
  public static let versions: ClosedRange<UInt8>? = 0...0

  /// The flags of the full box.
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
