// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `chan`: which loudspeakers the channels are meant for, as described by Core Audio.
public struct AudioChannelLayoutBox: FullBox {
  public static let info = BoxInfo(
    ["chan"], name: "audio channel layout", in: [.audioSampleEntry, .box("wave")],
    "QuickTime File Format, Audio Channel Layout Atom",
    "Which loudspeakers the channels are meant for, as described by Core Audio.", versions: 0...0)

  /// A channel.
  public struct Description: PackedRecord {
    /// The loudspeaker or role of the channel.
    public var label: UInt32 = 0
    /// How the coordinates are interpreted.
    public var flags: UInt32 = 0
    /// The first coordinate, as the bits of a floating-point number.
    public var x: UInt32 = 0
    /// The second coordinate, as the bits of a floating-point number.
    public var y: UInt32 = 0
    /// The third coordinate, as the bits of a floating-point number.
    public var z: UInt32 = 0
    @inlinable
    public static var stride: Int { 20 }
    @inlinable
    public init() {}
    @inlinable
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u32("channelLabel", &label)
      try c.u32("channelFlags", &flags, .hexadecimal)
      try c.u32("coordinate_0", &x, .binaryFloat)
      try c.u32("coordinate_1", &y, .binaryFloat)
      try c.u32("coordinate_2", &z, .binaryFloat)
    }
  }

  public var flags: UInt32 = 0
  /// A predefined layout; 0 means that the descriptions specify it, 0x10000 that the bitmap does.
  public var layoutTag: UInt32 = 0
  /// The channels, one bit each.
  public var channelBitmap: UInt32 = 0
  /// The description of each channel.
  public var descriptions: [Description] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u32(
      "channelLayoutTag", &layoutTag,
      .named {
        switch $0 {
        case 0: "descriptions"
        case 0x10000: "bitmap"
        default: "\($0 >> 16), \($0 & 0xFFFF) channels"
        }
      })
    try c.u32("channelBitmap", &channelBitmap, .hexadecimal)
    try c.array(
      "channelDescriptions", &descriptions, countedBy: "numberChannelDescriptions", UInt32.self,
      minimumBits: 160)
  }
}

/// `chnl`: which loudspeakers the channels are meant for, and how many objects there are.
public struct ChannelLayoutBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["chnl"], name: "channel layout", in: [.audioSampleEntry], "ISO/IEC 14496-12, 12.2.4",
    "Which loudspeakers the channels are meant for, and how many objects there are.", versions: 0...1)

  /// The position of a loudspeaker.
  public struct Speaker: FieldLayout {
    /// The position, by the table of ISO/IEC 23091-3; 126 means that the angles specify it.
    public var position: UInt8 = 0
    /// The angle to the left, in degrees.
    public var azimuth: Int16 = 0
    /// The angle upwards, in degrees.
    public var elevation: Int8 = 0
    /// Makes a position with default values.
    public init() {}
    /// Makes a position by the table.
    public init(position: UInt8) { self.position = position }
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u8("speaker_position", &position)
      if position == 126 {
        try c.i16("azimuth", &azimuth)
        try c.signed("elevation", &elevation, bits: 8, in: nil, .decimal)
      }
    }
  }

  public var version: UInt8 = 0
  public var flags: UInt32 = 0
  /// Bit 0: channels are present; bit 1: objects are present.
  public var streamStructure: UInt8 = 1
  /// The order of channels and objects, in version 1.
  public var formatOrdering: UInt8 = 0
  /// The number of channels and objects, in version 1.
  public var baseChannelCount: UInt8 = 0
  /// The layout, by the table of ISO/IEC 23091-3; 0 means that the loudspeakers are listed.
  public var definedLayout: UInt8 = 2
  /// The loudspeakers, one per channel.
  public var speakers: [Speaker] = []
  /// Four bits of version 1 that should be 0.
  public var reserved: UInt8 = 0
  /// The order of the channels of the layout, in version 1.
  public var channelOrderDefinition: UInt8 = 0
  /// The channels of the layout that are missing from the track, one bit each; `nil` if absent.
  public var omittedChannelsMap: UInt64?
  /// The number of objects, in version 0; `nil` if absent.
  public var objectCount: UInt8?

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    if version == 0 {
      try layoutVersion0(&c)
    } else {
      try layoutVersion1(&c)
    }
  }

  private mutating func layoutVersion0(_ c: inout some Coder) throws(ParseError) {
    try c.u8("stream_structure", &streamStructure)
    let hasObjects = streamStructure & 2 != 0
    if streamStructure & 1 != 0 {
      try c.u8("definedLayout", &definedLayout)
      if definedLayout == 0 {
        // As many as the sample entry has channels: up to the end, less the number of objects.
        try c.arrayWhileBitsLeft("speakers", &speakers, minimumBits: hasObjects ? 16 : 8)
      }
      try c.u("omittedChannelsMap", &omittedChannelsMap, 64, if: definedLayout != 0, .hexadecimal)
    }
    try c.u("object_count", &objectCount, 8, if: hasObjects)
  }

  private mutating func layoutVersion1(_ c: inout some Coder) throws(ParseError) {
    try c.u("stream_structure", &streamStructure, 4)
    try c.u("format_ordering", &formatOrdering, 4)
    try c.u8("baseChannelCount", &baseChannelCount)
    guard streamStructure & 1 != 0 else { return }
    try c.u8("definedLayout", &definedLayout)
    if definedLayout == 0 {
      try c.array("speakers", &speakers, countedBy: "layout_channel_count", UInt8.self, minimumBits: 8)
    } else {
      try c.reserved("reserved", &reserved, bits: 4, expecting: 0)
      try c.u("channel_order_definition", &channelOrderDefinition, 3)
      var hasMap = omittedChannelsMap != nil
      try c.flag("omitted_channels_present", &hasMap)
      try c.u("omittedChannelsMap", &omittedChannelsMap, 64, if: hasMap, .hexadecimal)
    }
  }
}

/// `srat`: the sample rate, if it does not fit into the sample entry.
public struct SamplingRateBox: FullBox {
  public static let info = BoxInfo(
    ["srat"], name: "sampling rate", in: [.audioSampleEntry], "ISO/IEC 14496-12, 12.2.3",
    "The sample rate, if it does not fit into the sample entry.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The sample rate in hertz.
  public var samplingRate: UInt32 = 96_000

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u32("sampling_rate", &samplingRate)
  }
}

/// `SA3D`: the ambisonic components (spherical harmonics) that the channels carry.
public struct SpatialAudioBox: BoxPayload {
  public static let info = BoxInfo(
    ["SA3D"], name: "spatial audio", in: [.audioSampleEntry], "Spatial Audio RFC, SA3D",
    "The ambisonic components (spherical harmonics) that the channels carry.")

  /// The version of the structure; 0.
  public var version: UInt8 = 0
  /// Bit 7: whether the sound does not turn with the head. Other bits: the type, 0 for periphonic.
  public var ambisonicType: UInt8 = 0
  /// The ambisonic order.
  public var ambisonicOrder: UInt32 = 1
  /// The order of the channels; 0 is ACN.
  public var ambisonicChannelOrdering: UInt8 = 0
  /// The normalisation; 0 is SN3D.
  public var ambisonicNormalization: UInt8 = 0
  /// The component that each channel carries.
  public var channelMap: [UInt32] = [0, 1, 2, 3]

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u8("version", &version)
    try c.u8("ambisonic_type", &ambisonicType)
    try c.u32("ambisonic_order", &ambisonicOrder)
    try c.u8("ambisonic_channel_ordering", &ambisonicChannelOrdering)
    try c.u8("ambisonic_normalization", &ambisonicNormalization)
    try c.array("channel_map", &channelMap, countedBy: "num_channels", UInt32.self, bits: 32)
  }
}
