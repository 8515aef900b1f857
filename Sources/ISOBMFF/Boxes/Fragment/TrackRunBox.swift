// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `trun`: a run of samples of a movie fragment, with the values that differ from the defaults.
public struct TrackRunBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["trun"], name: "track run", in: [.box("traf")], "ISO/IEC 14496-12, 8.8.8",
    "A run of samples of a movie fragment, with the values that differ from the defaults.", versions: 0...1)

  /// Which fields a row has, according to the flags of the box.
  @frozen
  public struct RowFields: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    @inlinable
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Each sample has its own duration.
    @inlinable
    public static var duration: RowFields { RowFields(rawValue: 0x100) }
    /// Each sample has its own size.
    @inlinable
    public static var size: RowFields { RowFields(rawValue: 0x200) }
    /// Each sample has its own flags.
    @inlinable
    public static var flags: RowFields { RowFields(rawValue: 0x400) }
    /// Each sample has a composition time offset.
    @inlinable
    public static var compositionTimeOffset: RowFields { RowFields(rawValue: 0x800) }
    /// All four.
    @inlinable
    public static var all: RowFields { RowFields(rawValue: 0xF00) }
  }

  /// One sample. Where a value is absent, the default of `tfhd` applies, then that of `trex`.
  @frozen
  public struct Row: FormattedRecord {
    /// The duration in media time; `nil` for the default.
    public var sampleDuration: UInt32?
    /// The size in bytes; `nil` for the default.
    public var sampleSize: UInt32?
    /// The flags; `nil` for the default.
    public var sampleFlags: SampleFlags?
    /// Composition time less decoding time, in media time; `nil` if absent. It is unsigned in version 0, but
    /// many files of that version contain negative numbers, so it is read as signed in both.
    public var sampleCompositionTimeOffset: Int32?
    @inlinable
    public init() {}
    /// Makes a row.
    public init(duration: UInt32? = nil, size: UInt32? = nil, flags: SampleFlags? = nil, offset: Int32? = nil)
    {
      sampleDuration = duration
      sampleSize = size
      sampleFlags = flags
      sampleCompositionTimeOffset = offset
    }
    @inlinable
    public static func bits(_ format: RowFields) -> Int { (format.rawValue & 0xF00).nonzeroBitCount &* 32 }
    @inlinable
    public mutating func layout(_ c: inout some Coder, as format: RowFields) throws(ParseError) {
      try c.u("sample_duration", &sampleDuration, 32, if: format.contains(.duration))
      try c.u("sample_size", &sampleSize, 32, if: format.contains(.size))
      if format.contains(.flags) {
        var present = sampleFlags ?? SampleFlags(rawValue: 0)
        try c.code("sample_flags", &present, bits: 32, SampleFlags.format)
        sampleFlags = present
      }
      try c.i(
        "sample_composition_time_offset", &sampleCompositionTimeOffset, 32,
        if: format.contains(.compositionTimeOffset))
    }
  }

  /// 1 means that composition time offsets may be negative.
  public var version: UInt8 = 0
  /// The bits that announce a field are set according to the fields: 1 data offset, 4 flags of the first sample,
  /// 0x100 to 0x800 the fields of the rows.
  public var flags: UInt32 = 0
  /// Where the samples begin, relative to the base of the fragment; `nil` if directly after those of the previous
  /// run.
  public var dataOffset: Int32? {
    didSet { announce(0x1, dataOffset != nil, in: &flags) }
  }
  /// The flags of the first sample, which replace the defaults; `nil` if absent.
  public var firstSampleFlags: SampleFlags? {
    didSet { announce(0x4, firstSampleFlags != nil, in: &flags) }
  }
  /// The samples, in decoding order; the table's format specifies which fields each has.
  public var rows = FormattedTable<Row>(as: []) {
    didSet { flags = flags & ~RowFields.all.rawValue | rows.format.rawValue }
  }

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    let format = RowFields(rawValue: flags).intersection(.all)
    var count = UInt32(clamping: rows.count)
    try c.u32("sample_count", &count)
    try c.i("data_offset", &dataOffset, 32, if: flags & 0x1 != 0)
    var firstFlags = firstSampleFlags?.rawValue
    try c.u("first_sample_flags", &firstFlags, 32, if: flags & 0x4 != 0, SampleFlags.format)
    firstSampleFlags = firstFlags.map { SampleFlags(rawValue: $0) }
    try c.table("samples", &rows, count: UInt64(count), as: format)
  }
}
