// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `tiri`: the profile, picture size and picture rate of a tier of a scalable stream.
public struct TierInfoBox: BoxPayload {
  public static let info = BoxInfo(
    ["tiri"], name: "tier info", in: [.box("mvcg"), .box("scif"), .box("mvif")], "ISO/IEC 14496-15, 6.7.2.2",
    "The profile, picture size and picture rate of a tier of a scalable stream.")

  /// The ID of the tier.
  public var tierID: UInt16 = 0
  /// The profile, as in a sequence parameter set.
  public var profileIndication: UInt8 = 0
  /// The constraint flags, as in a sequence parameter set.
  public var profileCompatibility: UInt8 = 0
  /// The level, as in a sequence parameter set.
  public var levelIndication: UInt8 = 0
  /// A byte that should be 0.
  public var reserved: UInt8 = 0
  /// The width in luma samples.
  public var visualWidth: UInt16 = 0
  /// The height in luma samples.
  public var visualHeight: UInt16 = 0
  /// Whether the tier can be discarded.
  public var discardable: UInt8 = 0
  /// Whether the picture rate is constant.
  public var constantFrameRate: UInt8 = 0
  /// Four bits that should be 0.
  public var reservedBits: UInt8 = 0
  /// The number of pictures per 256 seconds.
  public var frameRate: UInt16 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u16("tierID", &tierID)
    try c.u8("profileIndication", &profileIndication)
    try c.u8("profile_compatibility", &profileCompatibility, .hexadecimal)
    try c.u8("levelIndication", &levelIndication)
    try c.reserved("reserved", &reserved, bits: 8, expecting: 0)
    try c.u16("visualWidth", &visualWidth)
    try c.u16("visualHeight", &visualHeight)
    try c.u("discardable", &discardable, 2)
    try c.u("constantFrameRate", &constantFrameRate, 2)
    try c.reserved("reserved2", &reservedBits, bits: 4, expecting: 0)
    try c.u16("frameRate", &frameRate, .scaled(256, " Hz"))
  }
}

/// `tibr`: the bit rates of a tier, with and without the tiers it depends on.
public struct TierBitRateBox: BoxPayload {
  public static let info = BoxInfo(
    ["tibr"], name: "tier bit rate", in: [.box("mvcg"), .box("scif"), .box("mvif")],
    "ISO/IEC 14496-15, 6.7.2.3", "The bit rates of a tier, with and without the tiers it depends on.")

  /// The bit rate of the base layer of the whole stream, in bits per second.
  public var baseBitRate: UInt32 = 0
  /// The highest bit rate of the whole stream, in bits per second.
  public var maximumBitRate: UInt32 = 0
  /// The average bit rate of the whole stream, in bits per second.
  public var averageBitRate: UInt32 = 0
  /// The bit rate of the base layer of the tier alone, in bits per second.
  public var tierBaseBitRate: UInt32 = 0
  /// The highest bit rate of the tier alone, in bits per second.
  public var tierMaximumBitRate: UInt32 = 0
  /// The average bit rate of the tier alone, in bits per second.
  public var tierAverageBitRate: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("baseBitRate", &baseBitRate)
    try c.u32("maxBitRate", &maximumBitRate)
    try c.u32("avgBitRate", &averageBitRate)
    try c.u32("tierBaseBitRate", &tierBaseBitRate)
    try c.u32("tierMaxBitRate", &tierMaximumBitRate)
    try c.u32("tierAvgBitRate", &tierAverageBitRate)
  }
}

/// `buff`: the buffers that a decoder of a tier needs.
public struct BufferingBox: BoxPayload {
  public static let info = BoxInfo(
    ["buff"], name: "buffering", in: [.box("mvcg"), .box("scif"), .box("mvif")], "ISO/IEC 14496-15, 6.7.2.6",
    "The buffers that a decoder of a tier needs.")

  /// An operating point.
  public struct Point: PackedRecord {
    /// The rate in bytes per second.
    public var byteRate: UInt32 = 0
    /// The size of the coded picture buffer in bytes.
    public var cpbSize: UInt32 = 0
    /// The size of the decoded picture buffer in frames.
    public var dpbSize: UInt32 = 0
    /// The delay before decoding starts, in units of 1/90000 second.
    public var initialCPBDelay: UInt32 = 0
    /// The delay before output starts, in units of 1/90000 second.
    public var initialDPBDelay: UInt32 = 0
    @inlinable
    public static var stride: Int { 20 }
    @inlinable
    public init() {}
    @inlinable
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u32("byte_rate", &byteRate)
      try c.u32("cpb_size", &cpbSize)
      try c.u32("dpb_size", &dpbSize)
      try c.u32("init_cpb_delay", &initialCPBDelay)
      try c.u32("init_dpb_delay", &initialDPBDelay)
    }
  }

  /// The operating points.
  public var points: [Point] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.array(
      "operating_points", &points, countedBy: "operating_point_count", UInt16.self, minimumBits: 160)
  }
}

/// `sdep`: the samples that each sample depends on.
public struct SampleDependencyBox: FullBox {
  public static let info = BoxInfo(
    ["sdep"], name: "sample dependency", in: [.box("stbl")], "ISO/IEC 14496-15, 5.4.10",
    "The samples that each sample depends on.", versions: 0...0)

  /// The dependencies of one sample.
  public struct Entry: FieldLayout {
    /// The samples, relative to this one.
    public var relativeSampleNumbers: [Int16] = []
    /// Makes an entry without dependencies.
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      var count = UInt16(clamping: relativeSampleNumbers.count)
      try c.u16("dependency_count", &count)
      try c.array("relative_sample_number", &relativeSampleNumbers, count: count, minimumBits: 16, new: 0) {
        c, number throws(ParseError) in
        try c.i16("relative_sample_number", &number)
      }
    }
  }

  public var flags: UInt32 = 0
  /// One entry per sample.
  public var entries: [Entry] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.arrayWhileBitsLeft("entries", &entries, minimumBits: 16)
  }
}
