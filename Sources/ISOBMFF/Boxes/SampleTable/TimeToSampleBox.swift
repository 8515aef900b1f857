// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `stts`: the duration of each sample, in decoding order.
///
/// The durations are run-length coded.
public struct TimeToSampleBox: FullBox {
  public static let info = BoxInfo(
    ["stts"], name: "time to sample", in: [.box("stbl")], "ISO/IEC 14496-12, 8.6.1.2",
    "The duration of each sample, in decoding order.", versions: 0...0)

  /// A run of samples with the same duration.
  public struct Entry: PackedRecord {
    /// How many samples the run has.
    public var sampleCount: UInt32 = 0
    /// The duration of each of them in media time.
    public var sampleDelta: UInt32 = 0
    @inlinable
    public static var stride: Int { 8 }
    @inlinable
    public init() {}
    /// Makes a run.
    public init(sampleCount: UInt32, sampleDelta: UInt32) {
      self.sampleCount = sampleCount
      self.sampleDelta = sampleDelta
    }
    @inlinable
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u32("sample_count", &sampleCount)
      try c.u32("sample_delta", &sampleDelta)
    }
  }

  public var flags: UInt32 = 0
  /// The runs, in decoding order.
  public var entries = PackedTable<Entry>()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.table("entries", &entries, countedBy: "entry_count")
  }
}
