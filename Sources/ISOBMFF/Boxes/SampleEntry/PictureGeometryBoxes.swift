// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `pasp`: the aspect ratio of a pixel.
public struct PixelAspectRatioBox: BoxPayload {
  public static let info = BoxInfo(
    ["pasp"], name: "pixel aspect ratio", in: [.visualSampleEntry, .box("ipco")], "ISO/IEC 14496-12, 12.1.4",
    "The aspect ratio of a pixel.")

  /// The relative width of a pixel.
  public var hSpacing: UInt32 = 1
  /// The relative height of a pixel.
  public var vSpacing: UInt32 = 1

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("hSpacing", &hSpacing)
    try c.u32("vSpacing", &vSpacing)
  }
}

/// `clap`: the part of the picture that is meant to be shown.
public struct CleanApertureBox: BoxPayload {
  public static let info = BoxInfo(
    ["clap"], name: "clean aperture", in: [.visualSampleEntry, .box("ipco")], "ISO/IEC 14496-12, 12.1.4",
    "The part of the picture that is meant to be shown.")

  /// The numerator of the width in pixels.
  public var widthN: UInt32 = 0
  /// The denominator of the width.
  public var widthD: UInt32 = 1
  /// The numerator of the height in pixels.
  public var heightN: UInt32 = 0
  /// The denominator of the height.
  public var heightD: UInt32 = 1
  /// The numerator of the distance from the centre of the picture to that of the part, in pixels to the right.
  public var horizOffN: Int32 = 0
  /// The denominator of that distance.
  public var horizOffD: UInt32 = 1
  /// The numerator of the distance from the centre of the picture to that of the part, in pixels downwards.
  public var vertOffN: Int32 = 0
  /// The denominator of that distance.
  public var vertOffD: UInt32 = 1

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("cleanApertureWidthN", &widthN)
    try c.u32("cleanApertureWidthD", &widthD)
    try c.u32("cleanApertureHeightN", &heightN)
    try c.u32("cleanApertureHeightD", &heightD)
    try c.i32("horizOffN", &horizOffN)
    try c.u32("horizOffD", &horizOffD)
    try c.i32("vertOffN", &vertOffN)
    try c.u32("vertOffD", &vertOffD)
  }
}
