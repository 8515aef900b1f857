// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `tfra`: the random access points of a track, over all fragments.
public struct TrackFragmentRandomAccessBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["tfra"], name: "track fragment random access", in: [.box("mfra")], "ISO/IEC 14496-12, 8.8.10",
    "The random access points of a track, over all fragments.", versions: 0...1)

  /// How wide the fields of a row are.
  public struct Widths: Hashable, Sendable {
    /// Whether times and offsets take 64 bits.
    public var isWide: Bool
    /// The number of bytes of a `traf` number, less 1.
    public var trafNumber: UInt8
    /// The number of bytes of a `trun` number, less 1.
    public var trunNumber: UInt8
    /// The number of bytes of a sample number, less 1.
    public var sampleNumber: UInt8

    /// Makes widths; values above 3 count as 3.
    public init(isWide: Bool = false, trafNumber: UInt8 = 0, trunNumber: UInt8 = 0, sampleNumber: UInt8 = 0) {
      self.isWide = isWide
      self.trafNumber = min(trafNumber, 3)
      self.trunNumber = min(trunNumber, 3)
      self.sampleNumber = min(sampleNumber, 3)
    }

    var bits: Int {
      (isWide ? 128 : 64) + 8 * (3 + Int(trafNumber) + Int(trunNumber) + Int(sampleNumber))
    }
  }

  /// One sample at which random access is possible.
  public struct Entry: FormattedRecord {
    /// Its presentation time, in media time.
    public var time: UInt64 = 0
    /// The file offset of its `moof`.
    public var moofOffset: UInt64 = 0
    /// The number of its `traf` in the `moof`, counted from 1.
    public var trafNumber: UInt32 = 1
    /// The number of its `trun` in the `traf`, counted from 1.
    public var trunNumber: UInt32 = 1
    /// The number of the sample in the `trun`, counted from 1.
    public var sampleDelta: UInt32 = 1

    public init() {}

    /// Makes an entry.
    public init(
      time: UInt64, moofOffset: UInt64, trafNumber: UInt32 = 1, trunNumber: UInt32 = 1,
      sampleDelta: UInt32 = 1
    ) {
      self.time = time
      self.moofOffset = moofOffset
      self.trafNumber = trafNumber
      self.trunNumber = trunNumber
      self.sampleDelta = sampleDelta
    }

    public static func bits(_ format: Widths) -> Int { format.bits }

    public mutating func layout(_ c: inout some Coder, as format: Widths) throws(ParseError) {
      try c.u32or64("time", &time, wide: format.isWide)
      try c.u32or64("moof_offset", &moofOffset, wide: format.isWide)
      try c.u("traf_number", &trafNumber, 8 + 8 * Int(format.trafNumber))
      try c.u("trun_number", &trunNumber, 8 + 8 * Int(format.trunNumber))
      try c.u("sample_delta", &sampleDelta, 8 + 8 * Int(format.sampleNumber))
    }
  }

  /// 1 for 64-bit times and offsets; set according to the format of the entries.
  public var version: UInt8 = 0
  public var flags: UInt32 = 0
  /// The ID of the track.
  public var trackID: UInt32 = 1
  /// The samples, in order of time; the table's format specifies how wide the fields are.
  public var entries = FormattedTable<Entry>(as: Widths()) {
    didSet { version = entries.format.isWide ? 1 : 0 }
  }
  var reserved: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    var widths = entries.format
    widths.isWide = version == 1
    try c.u32("track_ID", &trackID)
    try c.reserved("reserved", &reserved, bits: 26, expecting: 0)
    try c.u("length_size_of_traf_num", &widths.trafNumber, 2)
    try c.u("length_size_of_trun_num", &widths.trunNumber, 2)
    try c.u("length_size_of_sample_num", &widths.sampleNumber, 2)
    var count = UInt32(clamping: entries.count)
    try c.u32("number_of_entry", &count)
    try c.table("entries", &entries, count: UInt64(count), as: widths)
  }
}

/// `mfro`: the size of the `mfra` that contains it, so that the `mfra` can be found from the end of the file.
public struct MovieFragmentRandomAccessOffsetBox: FullBox {
  public static let info = BoxInfo(
    ["mfro"], name: "movie fragment random access offset", in: [.box("mfra")], "ISO/IEC 14496-12, 8.8.11",
    "The size of the mfra that contains it, so that the mfra can be found from the end of the file.",
    versions: 0...0)

  public var flags: UInt32 = 0
  /// The size of the `mfra` in bytes.
  public var parentSize: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u32("parent_size", &parentSize)
  }
}

/// `ssix`: how the bytes of each subsegment are divided into levels.
public struct SubsegmentIndexBox: FullBox {
  public static let info = BoxInfo(
    ["ssix"], name: "subsegment index", in: [.file], "ISO/IEC 14496-12, 8.16.4",
    "How the bytes of each subsegment are divided into levels.", versions: 0...0)

  /// A range of bytes of one level.
  public struct Range: PackedRecord {
    /// The level, as in `leva`.
    public var level: UInt8 = 0
    /// The number of bytes.
    public var rangeSize: UInt32 = 0
    public static var stride: Int { 4 }
    public init() {}
    /// Makes a range.
    public init(level: UInt8, rangeSize: UInt32) {
      self.level = level
      self.rangeSize = rangeSize
    }
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u8("level", &level)
      try c.u24("range_size", &rangeSize)
    }
  }

  /// One subsegment.
  public struct Subsegment: FieldLayout {
    /// Its ranges, in order.
    public var ranges = PackedTable<Range>()
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.table("ranges", &ranges, countedBy: "range_count")
    }
  }

  public var flags: UInt32 = 0
  /// The subsegments, as in the preceding `sidx`.
  public var subsegments: [Subsegment] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.array("subsegments", &subsegments, countedBy: "subsegment_count", UInt32.self, minimumBits: 32)
  }
}
