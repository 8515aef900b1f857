// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

extension Chromaticity: FieldLayout {
  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u16("display_primaries_x", &x, in: nil, .scaled(50_000, ""))
    try c.u16("display_primaries_y", &y, in: nil, .scaled(50_000, ""))
  }
}

/// `mastering_display_colour_volume` (137): the colours and brightness of the display used for mastering.
/// ISO/IEC 23008-2, D.2.28
public struct MasteringDisplayColourVolume: SEIPayload {
  public static let payloadType = SEIPayloadType(137)
  public static let specification: StaticString = "ISO/IEC 23008-2, D.2.28"
  public static let summary: StaticString = "The colours and brightness of the display used for mastering."

  /// The primaries, usually green, blue and red.
  public var primaries = [Chromaticity](repeating: Chromaticity(), count: 3)
  /// The x coordinate of the white point, in units of 0.00002 (`white_point_x`).
  public var whiteX: UInt16 = 0
  /// The y coordinate of the white point, in units of 0.00002 (`white_point_y`).
  public var whiteY: UInt16 = 0
  /// The maximum luminance, in units of 0.0001 cd/m² (`max_display_mastering_luminance`).
  public var maximumLuminance: UInt32 = 0
  /// The minimum luminance, in units of 0.0001 cd/m² (`min_display_mastering_luminance`).
  public var minimumLuminance: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.array("primaries", &primaries, count: 3, minimumBits: 32)
    try c.u16("white_point_x", &whiteX, in: nil, .scaled(50_000, ""))
    try c.u16("white_point_y", &whiteY, in: nil, .scaled(50_000, ""))
    try c.u32("max_display_mastering_luminance", &maximumLuminance, in: nil, .scaled(10_000, " cd/m²"))
    try c.u32("min_display_mastering_luminance", &minimumLuminance, in: nil, .scaled(10_000, " cd/m²"))
  }
}

/// `content_light_level_info` (144): the light level of the pictures: the maximum, and the maximum frame average.
/// ISO/IEC 23008-2, D.2.35
public struct ContentLightLevelInfo: SEIPayload {
  public static let payloadType = SEIPayloadType(144)
  public static let specification: StaticString = "ISO/IEC 23008-2, D.2.35"
  public static let summary: StaticString =
    "The light level of the pictures: the maximum, and the maximum frame average."

  /// The light level of the brightest pixel of all pictures, in cd/m²; 0 is unknown (`max_content_light_level`).
  public var maxCLL: UInt16 = 0
  /// The average light level of the brightest picture, in cd/m²; 0 is unknown (`max_pic_average_light_level`).
  public var maxFALL: UInt16 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u16("max_content_light_level", &maxCLL)
    try c.u16("max_pic_average_light_level", &maxFALL)
  }
}

/// `alternative_transfer_characteristics` (147): a transfer function preferred to the one in the VUI.
/// ISO/IEC 23008-2, D.2.38
public struct AlternativeTransferCharacteristics: SEIPayload {
  public static let payloadType = SEIPayloadType(147)
  public static let specification: StaticString = "ISO/IEC 23008-2, D.2.38"
  public static let summary: StaticString = "A transfer function preferred to the one in the VUI."

  /// The preferred transfer function, a code of ISO/IEC 23091-2 (`preferred_transfer_characteristics`).
  public var preferred: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u8("preferred_transfer_characteristics", &preferred)
  }
}

/// `ambient_viewing_environment` (148): the light in the room where the pictures are meant to be viewed.
/// ISO/IEC 23008-2, D.2.39
public struct AmbientViewingEnvironment: SEIPayload {
  public static let payloadType = SEIPayloadType(148)
  public static let specification: StaticString = "ISO/IEC 23008-2, D.2.39"
  public static let summary: StaticString = "The light in the room where the pictures are meant to be viewed."

  /// The illuminance, in units of 0.0001 lux (`ambient_illuminance`).
  public var illuminance: UInt32 = 1
  /// The x coordinate of the colour of the light, in units of 0.00002 (`ambient_light_x`).
  public var lightX: UInt16 = 0
  /// The y coordinate of the colour of the light, in units of 0.00002 (`ambient_light_y`).
  public var lightY: UInt16 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("ambient_illuminance", &illuminance, in: nil, .scaled(10_000, " lux"))
    try c.u16("ambient_light_x", &lightX, in: nil, .scaled(50_000, ""))
    try c.u16("ambient_light_y", &lightY, in: nil, .scaled(50_000, ""))
  }
}

/// `content_colour_volume` (149): the colours and brightness that the pictures actually use. ISO/IEC 23008-2, D.2.40
public struct ContentColourVolume: SEIPayload {
  public static let payloadType = SEIPayloadType(149)
  public static let specification: StaticString = "ISO/IEC 23008-2, D.2.40"
  public static let summary: StaticString = "The colours and brightness that the pictures actually use."

  /// A primary, in units of 0.00002.
  public struct Primary: FieldLayout {
    /// The x coordinate.
    public var x: Int32 = 0
    /// The y coordinate.
    public var y: Int32 = 0
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.i32("ccv_primaries_x", &x, .scaled(50_000, ""))
      try c.i32("ccv_primaries_y", &y, .scaled(50_000, ""))
    }
  }

  /// The colour volume of the pictures.
  public struct Volume: FieldLayout {
    /// Whether the message applies to later pictures as well (`ccv_persistence_flag`).
    public var persists = false
    /// Whether the primaries are given (`ccv_primaries_present_flag`).
    public var hasPrimaries = false
    /// Whether the minimum luminance is given (`ccv_min_luminance_value_present_flag`).
    public var hasMinimum = false
    /// Whether the maximum luminance is given (`ccv_max_luminance_value_present_flag`).
    public var hasMaximum = false
    /// Whether the average luminance is given (`ccv_avg_luminance_value_present_flag`).
    public var hasAverage = false
    /// Two reserved bits (`ccv_reserved_zero_2bits`).
    public var reserved: UInt8 = 0
    /// The primaries; empty if not given.
    public var primaries: [Primary] = []
    /// The minimum luminance, in 0.0000001 of the unit of the transfer function; `nil` if not given
    /// (`ccv_min_luminance_value`).
    public var minimum: UInt32?
    /// The maximum luminance, in the same unit; `nil` if not given (`ccv_max_luminance_value`).
    public var maximum: UInt32?
    /// The average luminance, in the same unit; `nil` if not given (`ccv_avg_luminance_value`).
    public var average: UInt32?

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.flag("ccv_persistence_flag", &persists)
      try c.flag("ccv_primaries_present_flag", &hasPrimaries)
      try c.flag("ccv_min_luminance_value_present_flag", &hasMinimum)
      try c.flag("ccv_max_luminance_value_present_flag", &hasMaximum)
      try c.flag("ccv_avg_luminance_value_present_flag", &hasAverage)
      try c.reserved("ccv_reserved_zero_2bits", &reserved, bits: 2, expecting: 0)
      try c.array("primaries", &primaries, count: hasPrimaries ? 3 : 0, minimumBits: 64)
      try c.u("ccv_min_luminance_value", &minimum, 32, if: hasMinimum)
      try c.u("ccv_max_luminance_value", &maximum, 32, if: hasMaximum)
      try c.u("ccv_avg_luminance_value", &average, 32, if: hasAverage)
    }
  }

  /// Whether the message ends an earlier one (`ccv_cancel_flag`).
  public var cancels = false
  /// The volume; `nil` if the message ends an earlier one.
  public var volume: Volume? = Volume()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("ccv_cancel_flag", &cancels)
    try c.group("volume", &volume, if: !cancels)
  }
}
