// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `eqiv`: which samples are equivalent to which images.
public struct VisualEquivalenceEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["eqiv"], name: "visual equivalence", "ISO/IEC 23008-12, 6.8.1",
    "Which samples are equivalent to which images.")

  /// The offset from the sample's time, in the units below.
  public var timeOffset: Int16 = 0
  /// How many of those units make one unit of the media's timescale, as an 8.8 fixed-point number.
  public var timescaleMultiplier: UInt16 = 0x0100

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.i16("time_offset", &timeOffset)
    try c.u16("timescale_multiplier", &timescaleMultiplier, .fixedPoint(fractionBits: 8))
  }
}

/// `refs`: which samples a sample is directly predicted from.
public struct DirectReferenceSamplesEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["refs"], name: "direct reference samples", "ISO/IEC 23008-12, 7.4",
    "Which samples a sample is directly predicted from.")

  /// The ID of the sample.
  public var sampleID: UInt32 = 0
  /// The IDs of the samples that it is predicted from.
  public var directReferenceSampleIDs: [UInt32] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("sample_id", &sampleID)
    try c.array(
      "direct_reference_sample_id", &directReferenceSampleIDs, countedBy: "num_direct_reference_samples",
      UInt8.self, bits: 32)
  }
}

/// `aebr`: how much the exposure of an image differs from the automatic one.
public struct AutoExposureBracketingEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["aebr"], name: "auto exposure bracketing", "ISO/IEC 23008-12, 6.8.6.2",
    "How much the exposure of an image differs from the automatic one.")

  /// The step, in units of the exposure's numerator.
  public var exposureStep: Int8 = 1
  /// The numerator of the step's denominator.
  public var exposureNumerator: Int8 = 1

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.signed("exposure_step", &exposureStep, bits: 8, in: nil, .decimal)
    try c.signed("exposure_numerator", &exposureNumerator, bits: 8, in: nil, .decimal)
  }
}

/// `afbr`: how much the flash exposure of an image differs.
public struct FlashExposureBracketingEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["afbr"], name: "flash exposure bracketing", "ISO/IEC 23008-12, 6.8.6.4",
    "How much the flash exposure of an image differs.")

  /// The numerator of the difference, in stops.
  public var numerator: Int8 = 1
  /// The denominator of the difference.
  public var denominator: Int8 = 1

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.signed("flash_exposure_numerator", &numerator, bits: 8, in: nil, .decimal)
    try c.signed("flash_exposure_denominator", &denominator, bits: 8, in: nil, .decimal)
  }
}

/// `dobr`: how much the depth of field of an image differs.
public struct DepthOfFieldBracketingEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["dobr"], name: "depth of field bracketing", "ISO/IEC 23008-12, 6.8.6.6",
    "How much the depth of field of an image differs.")

  /// The numerator of the change of aperture, in stops.
  public var numerator: Int8 = 1
  /// The denominator of the change of aperture.
  public var denominator: Int8 = 1

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.signed("f_stop_numerator", &numerator, bits: 8, in: nil, .decimal)
    try c.signed("f_stop_denominator", &denominator, bits: 8, in: nil, .decimal)
  }
}

/// `fobr`: the distance at which an image is focused.
public struct FocusBracketingEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["fobr"], name: "focus bracketing", "ISO/IEC 23008-12, 6.8.6.5",
    "The distance at which an image is focused.")

  /// The numerator of the distance in metres.
  public var numerator: UInt16 = 1
  /// The denominator of the distance; 0 means infinity.
  public var denominator: UInt16 = 1

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u16("focus_distance_numerator", &numerator)
    try c.u16("focus_distance_denominator", &denominator)
  }
}

/// `wbbr`: the white balance of an image.
public struct WhiteBalanceBracketingEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["wbbr"], name: "white balance bracketing", "ISO/IEC 23008-12, 6.8.6.3", "The white balance of an image.")

  /// The colour temperature in kelvin.
  public var blueAmber: UInt16 = 5_600
  /// The deviation from the colour temperature.
  public var greenMagenta: Int8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u16("blue_amber", &blueAmber)
    try c.signed("green_magenta", &greenMagenta, bits: 8, in: nil, .decimal)
  }
}

/// `pano`: the position of an image in a panorama.
public struct PanoramaEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["pano"], name: "panorama", "ISO/IEC 23008-12, 6.8.8", "The position of an image in a panorama.")

  /// The number of the position.
  public var frameNumber: UInt16 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u16("frame_number", &frameNumber)
  }
}
