// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `ctts`: the offset from the decoding time of each sample to its composition time.
///
/// The offsets are run-length coded.
public struct CompositionOffsetBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["ctts"], name: "composition offset", in: [.box("stbl")], "ISO/IEC 14496-12, 8.6.1.3",
    "The offset from the decoding time of each sample to its composition time.", versions: 0...1)

  /// A run of samples with the same offset.
  public struct Entry: PackedRecord {
    /// How many samples the run has.
    public var sampleCount: UInt32 = 0
    /// Composition time less decoding time, in media time. It is unsigned in version 0, but many files of that
    /// version contain negative numbers, so it is read as signed in both.
    public var sampleOffset: Int32 = 0
    @inlinable
    public static var stride: Int { 8 }
    @inlinable
    public init() {}
    /// Makes a run.
    public init(sampleCount: UInt32, sampleOffset: Int32) {
      self.sampleCount = sampleCount
      self.sampleOffset = sampleOffset
    }
    @inlinable
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u32("sample_count", &sampleCount)
      try c.i32("sample_offset", &sampleOffset)
    }
  }

  /// 1 means that offsets may be negative.
  public var version: UInt8 = 0
  public var flags: UInt32 = 0
  /// The runs, in decoding order.
  public var entries = PackedTable<Entry>()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    try c.table("entries", &entries, countedBy: "entry_count")
  }
}

/// `cslg`: the range of composition offsets and composition times of a track.
///
/// Readers use it if offsets are negative.
public struct CompositionToDecodeBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["cslg"], name: "composition to decode", in: [.box("stbl"), .box("trep")], "ISO/IEC 14496-12, 8.6.1.4",
    "The range of composition offsets and composition times of a track.", versions: 0...1)

  /// 1 for 64-bit times.
  public var version: UInt8 = 0
  public var flags: UInt32 = 0
  /// The shift that, added to every composition time, makes none earlier than its decoding time.
  public var compositionToDTSShift: Int64 = 0
  /// The smallest composition offset.
  public var leastDecodeToDisplayDelta: Int64 = 0
  /// The largest composition offset.
  public var greatestDecodeToDisplayDelta: Int64 = 0
  /// The smallest composition time.
  public var compositionStartTime: Int64 = 0
  /// The largest composition time plus the duration of that sample; 0 is unknown.
  public var compositionEndTime: Int64 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    let wide = version == 1
    try c.i32or64("compositionToDTSShift", &compositionToDTSShift, wide: wide)
    try c.i32or64("leastDecodeToDisplayDelta", &leastDecodeToDisplayDelta, wide: wide)
    try c.i32or64("greatestDecodeToDisplayDelta", &greatestDecodeToDisplayDelta, wide: wide)
    try c.i32or64("compositionStartTime", &compositionStartTime, wide: wide)
    try c.i32or64("compositionEndTime", &compositionEndTime, wide: wide)
  }
}
