// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `roll` and `prol`: how many samples before or after this one must be decoded for correct pictures or audio.
public struct RollRecoveryEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["roll", "prol"], name: "roll recovery", "ISO/IEC 14496-12, 10.1",
    "How many samples before or after this one must be decoded for correct pictures or audio.")

  /// The number of samples: positive after this one, negative before it.
  public var rollDistance: Int16 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.i16("roll_distance", &rollDistance)
  }
}

/// `rap `: a random access point of an open group of pictures, and the number of its leading samples.
public struct VisualRandomAccessEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["rap "], name: "visual random access", "ISO/IEC 14496-12, 10.4",
    "A random access point of an open group of pictures, and the number of its leading samples.")

  /// Whether the number of leading samples is known.
  public var isNumberKnown = false
  /// How many of the samples after this one precede it in output order.
  public var leadingSamples: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("num_leading_samples_known", &isNumberKnown)
    try c.u("num_leading_samples", &leadingSamples, 7)
  }
}

/// `sap `: a stream access point and its type.
public struct StreamAccessPointEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["sap "], name: "stream access point", "ISO/IEC 14496-12, 10.8", "A stream access point and its type.")

  /// Whether other layers are needed.
  public var isDependent = false
  /// Three bits that should be 0.
  public var reserved: UInt8 = 0
  /// The type, 1 to 6.
  public var sapType: UInt8 = 1

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("dependent_flag", &isDependent)
    try c.reserved("reserved", &reserved, bits: 3, expecting: 0)
    try c.u("SAP_type", &sapType, 4)
  }
}

/// `sync`: sync samples, by the NAL unit type of their picture.
public struct SyncSampleEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["sync"], name: "sync sample", "ISO/IEC 14496-15, 8.4.4",
    "Sync samples, by the NAL unit type of their picture.")

  /// Two bits that should be 0.
  public var reserved: UInt8 = 0
  /// The type of the NAL units of the picture.
  public var nalUnitType: UInt8 = 21

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.reserved("reserved", &reserved, bits: 2, expecting: 0)
    try c.u("NAL_unit_type", &nalUnitType, 6)
  }
}

/// `tele`: a temporal level; the index of the entry is the level.
public struct TemporalLevelEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["tele"], name: "temporal level", "ISO/IEC 14496-12, 10.5",
    "A temporal level; the index of the entry is the level.")

  /// Whether samples of the level depend only on samples of this level and lower ones.
  public var isIndependentlyDecodable = true
  /// Seven bits that should be 0.
  public var reserved: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("level_independently_decodable", &isIndependentlyDecodable)
    try c.reserved("reserved", &reserved, bits: 7, expecting: 0)
  }
}

/// `tsas` and `stsa`: samples from which a higher temporal layer can be decoded. The grouping type is the whole
/// description: temporal sub-layer access (`tsas`) or step-wise access (`stsa`).
public struct EmptySampleGroupEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["tsas", "stsa"], name: "empty sample group", "ISO/IEC 14496-15, 8.4.6, 8.4.7",
    "Samples from which a higher temporal layer can be decoded.")

  public init() {}
  public mutating func layout(_ c: inout some Coder) throws(ParseError) {}
}

/// `drap`: samples from which decoding can begin once the preceding sync sample is decoded.
public struct DependentRandomAccessEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["drap"], name: "dependent random access", "ISO/IEC 14496-12, 10.9",
    "Samples from which decoding can begin once the preceding sync sample is decoded.")

  /// The type, as for a stream access point.
  public var drapType: UInt8 = 1
  /// Twenty-nine bits that should be 0.
  public var reserved: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u("DRAP_type", &drapType, 3)
    try c.reserved("reserved", &reserved, bits: 29, expecting: 0)
  }
}

/// `alst`: which samples to skip so that playback can begin sooner.
public struct AlternativeStartupEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["alst"], name: "alternative startup", "ISO/IEC 14496-12, 10.3",
    "Which samples to skip so that playback can begin sooner.")

  /// The rate at which samples are presented over a part of the sequence.
  public struct Rate: PackedRecord {
    /// The number of samples presented.
    public var outputSamples: UInt16 = 0
    /// The total number of samples.
    public var totalSamples: UInt16 = 0
    @inlinable
    public static var stride: Int { 4 }
    @inlinable
    public init() {}
    @inlinable
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u16("num_output_samples", &outputSamples)
      try c.u16("num_total_samples", &totalSamples)
    }
  }

  /// The first sample that is presented, counted from 1 in the sequence.
  public var firstOutputSample: UInt16 = 1
  /// How much earlier each sample is decoded; 0 for the others.
  public var sampleOffsets: [UInt32] = []
  /// The rates, up to the end of the entry.
  public var rates: [Rate] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    var count = UInt16(clamping: sampleOffsets.count)
    try c.u16("roll_count", &count)
    try c.u16("first_output_sample", &firstOutputSample)
    try c.array("sample_offset", &sampleOffsets, count: count, bits: 32)
    try c.arrayToEnd("rates", &rates, elementBits: 32)
  }
}

/// `rash`: how the bit rate is shared among tracks.
public struct RateShareEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["rash"], name: "rate share", "ISO/IEC 14496-12, 10.2", "How the bit rate is shared among tracks.")

  /// The share at some bit rate.
  public struct Point: Hashable, Sendable {
    /// The bit rate in kilobits per second; `nil` if there is one share for all bit rates.
    public var availableBitrate: UInt32?
    /// The share, in percent.
    public var targetRateShare: UInt16 = 0
    /// Makes a point.
    public init(availableBitrate: UInt32? = nil, targetRateShare: UInt16 = 0) {
      self.availableBitrate = availableBitrate
      self.targetRateShare = targetRateShare
    }
  }

  /// The shares: one for all bit rates, or several.
  public var points: [Point] = [Point()]
  /// The highest useful bit rate, in kilobits per second.
  public var maximumBitrate: UInt32 = 0
  /// The lowest useful bit rate, in kilobits per second.
  public var minimumBitrate: UInt32 = 0
  /// How readily the track is discarded if the lowest bit rate is not available.
  public var discardPriority: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    var count = UInt16(clamping: points.count)
    try c.u16("operation_point_count", &count)
    let isOne = count == 1
    try c.array("points", &points, count: count, minimumBits: isOne ? 16 : 48, new: Point()) {
      c, point throws(ParseError) in
      c.beginStructure("point")
      try c.u("available_bitrate", &point.availableBitrate, 32, if: !isOne)
      try c.u16("target_rate_share", &point.targetRateShare)
      c.endScope()
    }
    try c.u32("maximum_bitrate", &maximumBitrate)
    try c.u32("minimum_bitrate", &minimumBitrate)
    try c.u8("discard_priority", &discardPriority)
  }
}
