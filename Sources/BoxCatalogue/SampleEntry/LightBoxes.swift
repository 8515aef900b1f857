// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `amve`: the ambient light in which the pictures are meant to be viewed.
public struct AmbientViewingEnvironmentBox: BoxPayload {
  public static let info = BoxInfo(
    ["amve"], name: "ambient viewing environment", in: [.visualSampleEntry, .box("ipco")],
    "ISO/IEC 14496-12, 12.1.9", "The ambient light in which the pictures are meant to be viewed.")

  /// The illuminance, in units of 0.0001 lux.
  public var ambientIlluminance: UInt32 = 0
  /// The colour of the light, in units of 0.00002.
  public var ambientLight = Chromaticity()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("ambient_illuminance", &ambientIlluminance, in: nil, .scaled(10_000, " lx"))
    try c.u16("ambient_light_x", &ambientLight.x, in: nil, .scaled(50_000, ""))
    try c.u16("ambient_light_y", &ambientLight.y, in: nil, .scaled(50_000, ""))
  }
}

/// `cclv`: the range of colours and luminance that the pictures actually use.
public struct ContentColourVolumeBox: BoxPayload {
  public static let info = BoxInfo(
    ["cclv"], name: "content colour volume", in: [.visualSampleEntry, .box("ipco")],
    "ISO/IEC 14496-12, 12.1.8", "The range of colours and luminance that the pictures actually use.")

  /// Three colours that span those of the pictures, in units of 0.00002; they need not be real colours.
  public struct Primaries: FieldLayout {
    /// The coordinates of the three colours.
    public var x0: Int32 = 0, y0: Int32 = 0, x1: Int32 = 0, y1: Int32 = 0, x2: Int32 = 0, y2: Int32 = 0

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.i32("ccv_primaries_x_0", &x0, .scaled(50_000, ""))
      try c.i32("ccv_primaries_y_0", &y0, .scaled(50_000, ""))
      try c.i32("ccv_primaries_x_1", &x1, .scaled(50_000, ""))
      try c.i32("ccv_primaries_y_1", &y1, .scaled(50_000, ""))
      try c.i32("ccv_primaries_x_2", &x2, .scaled(50_000, ""))
      try c.i32("ccv_primaries_y_2", &y2, .scaled(50_000, ""))
    }
  }

  /// The three colours; `nil` if not given.
  public var primaries: Primaries?
  /// The lowest, highest and average luminance, in 0.0000001 of the full range; `nil` if not given.
  public var minLuminance: UInt32?, maxLuminance: UInt32?, averageLuminance: UInt32?
  var reserved1: UInt8 = 0
  var reserved2: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    var hasPrimaries = primaries != nil, hasMin = minLuminance != nil
    var hasMax = maxLuminance != nil, hasAverage = averageLuminance != nil
    try c.reserved("reserved", &reserved1, bits: 2, expecting: 0)
    try c.flag("ccv_primaries_present_flag", &hasPrimaries)
    try c.flag("ccv_min_luminance_value_present_flag", &hasMin)
    try c.flag("ccv_max_luminance_value_present_flag", &hasMax)
    try c.flag("ccv_avg_luminance_value_present_flag", &hasAverage)
    try c.reserved("ccv_reserved_zero_2bits", &reserved2, bits: 2, expecting: 0)
    try c.group("ccv_primaries", &primaries, if: hasPrimaries)
    try c.u("ccv_min_luminance_value", &minLuminance, 32, if: hasMin)
    try c.u("ccv_max_luminance_value", &maxLuminance, 32, if: hasMax)
    try c.u("ccv_avg_luminance_value", &averageLuminance, 32, if: hasAverage)
  }
}

/// `SmDm`: the display on which VP8 or VP9 pictures were mastered.
public struct VPMasteringDisplayBox: FullBox {
  public static let info = BoxInfo(
    ["SmDm"], name: "VP mastering display", in: [.visualSampleEntry],
    "VP Codec ISO Media File Format Binding 1.0",
    "The display on which VP8 or VP9 pictures were mastered.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The primaries and the white point, as 0.16 fixed-point numbers.
  public var red = Chromaticity(), green = Chromaticity(), blue = Chromaticity(), white = Chromaticity()
  /// The maximum luminance of the display in cd/m², as a 24.8 fixed-point number.
  public var maxLuminance: UInt32 = 0
  /// The minimum luminance of the display in cd/m², as an 18.14 fixed-point number.
  public var minLuminance: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try red.layout(&c, "primaryR", .fixedPoint(fractionBits: 16))
    try green.layout(&c, "primaryG", .fixedPoint(fractionBits: 16))
    try blue.layout(&c, "primaryB", .fixedPoint(fractionBits: 16))
    try white.layout(&c, "whitePoint", .fixedPoint(fractionBits: 16))
    try c.u32("luminanceMax", &maxLuminance, in: nil, .fixedPoint(fractionBits: 8))
    try c.u32("luminanceMin", &minLuminance, in: nil, .fixedPoint(fractionBits: 14))
  }
}

/// `CoLL`: the content light levels of VP8 or VP9 pictures.
public struct VPContentLightLevelBox: FullBox {
  public static let info = BoxInfo(
    ["CoLL"], name: "VP content light level", in: [.visualSampleEntry],
    "VP Codec ISO Media File Format Binding 1.0", "The content light levels of VP8 or VP9 pictures.",
    versions: 0...0)

  public var flags: UInt32 = 0
  /// The light level of the brightest pixel, in cd/m².
  public var maxCLL: UInt16 = 0
  /// The average light level of the brightest picture, in cd/m².
  public var maxFALL: UInt16 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u16("maxCLL", &maxCLL)
    try c.u16("maxFALL", &maxFALL)
  }
}
