// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

extension Chromaticity {
  @inlinable
  package mutating func layout(_ c: inout some Coder, _ name: StaticString, _ format: FieldFormat)
    throws(ParseError)
  {
    c.beginStructure(name)
    try c.u16("x", &x, in: nil, format)
    try c.u16("y", &y, in: nil, format)
    c.endScope()
  }
}

/// `mdcv`: the display on which the pictures were mastered.
public struct MasteringDisplayColourVolumeBox: BoxPayload {
  public static let info = BoxInfo(
    ["mdcv"], name: "mastering display colour volume", in: [.visualSampleEntry, .box("ipco")],
    "ISO/IEC 14496-12, 12.1.7", "The display on which the pictures were mastered.")

  /// The primaries and the white point, in units of 0.00002.
  public var green = Chromaticity(), blue = Chromaticity(), red = Chromaticity(), white = Chromaticity()
  /// The maximum and minimum luminance of the display, in units of 0.0001 cd/m².
  public var maxLuminance: UInt32 = 0, minLuminance: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try green.layout(&c, "display_primaries_green", .scaled(50_000, ""))
    try blue.layout(&c, "display_primaries_blue", .scaled(50_000, ""))
    try red.layout(&c, "display_primaries_red", .scaled(50_000, ""))
    try white.layout(&c, "white_point", .scaled(50_000, ""))
    try c.u32("max_display_mastering_luminance", &maxLuminance, in: nil, .scaled(10_000, " cd/m²"))
    try c.u32("min_display_mastering_luminance", &minLuminance, in: nil, .scaled(10_000, " cd/m²"))
  }
}

/// `clli`: the light level of the pictures: the maximum, and the maximum frame average.
public struct ContentLightLevelBox: BoxPayload {
  public static let info = BoxInfo(
    ["clli"], name: "content light level", in: [.visualSampleEntry, .box("ipco")], "ISO/IEC 14496-12, 12.1.6",
    "The light level of the pictures: the maximum, and the maximum frame average.")

  /// The light level of the brightest pixel, in cd/m²; 0 is unknown.
  public var maxCLL: UInt16 = 0
  /// The average light level of the brightest picture, in cd/m²; 0 is unknown.
  public var maxFALL: UInt16 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u16("max_content_light_level", &maxCLL)
    try c.u16("max_pic_average_light_level", &maxFALL)
  }
}
