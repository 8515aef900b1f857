// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `mfhd`: the sequence number of a movie fragment, which shows whether fragments are missing.
public struct MovieFragmentHeaderBox: FullBox {
  public static let info = BoxInfo(
    ["mfhd"], name: "movie fragment header", in: [.box("moof")], "ISO/IEC 14496-12, 8.8.5",
    "The sequence number of a movie fragment, which shows whether fragments are missing.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The number, which increases from fragment to fragment.
  public var sequenceNumber: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u32("sequence_number", &sequenceNumber)
  }
}

/// `tfhd`: the track that a fragment belongs to, and the defaults of its samples.
public struct TrackFragmentHeaderBox: FullBox {
  public static let info = BoxInfo(
    ["tfhd"], name: "track fragment header", in: [.box("traf")], "ISO/IEC 14496-12, 8.8.7",
    "The track that a fragment belongs to, and the defaults of its samples.", versions: 0...0)

  /// The bits that signal a field are set according to the fields. The other bits: 0x10000 means that there are no
  /// samples, 0x20000 that offsets are relative to the start of the `moof`.
  public var flags: UInt32 = 0
  /// The ID of the track.
  public var trackID: UInt32 = 1
  /// The file offset that the data offsets of the runs are relative to; `nil` if absent.
  public var baseDataOffset: UInt64? {
    didSet { announce(0x01, baseDataOffset != nil, in: &flags) }
  }
  /// The sample entry, counted from 1; `nil` for the default of `trex`.
  public var sampleDescriptionIndex: UInt32? {
    didSet { announce(0x02, sampleDescriptionIndex != nil, in: &flags) }
  }
  /// The duration of a sample in media time; `nil` for the default of `trex`.
  public var defaultSampleDuration: UInt32? {
    didSet { announce(0x08, defaultSampleDuration != nil, in: &flags) }
  }
  /// The size of a sample in bytes; `nil` for the default of `trex`.
  public var defaultSampleSize: UInt32? {
    didSet { announce(0x10, defaultSampleSize != nil, in: &flags) }
  }
  /// The flags of a sample; `nil` for the default of `trex`.
  public var defaultSampleFlags: SampleFlags? {
    didSet { announce(0x20, defaultSampleFlags != nil, in: &flags) }
  }

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u32("track_ID", &trackID)
    try c.u("base_data_offset", &baseDataOffset, 64, if: flags & 0x01 != 0)
    try c.u("sample_description_index", &sampleDescriptionIndex, 32, if: flags & 0x02 != 0)
    try c.u("default_sample_duration", &defaultSampleDuration, 32, if: flags & 0x08 != 0)
    try c.u("default_sample_size", &defaultSampleSize, 32, if: flags & 0x10 != 0)
    var sampleFlags = defaultSampleFlags?.rawValue
    try c.u("default_sample_flags", &sampleFlags, 32, if: flags & 0x20 != 0, SampleFlags.format)
    defaultSampleFlags = sampleFlags.map { SampleFlags(rawValue: $0) }
  }
}

extension TrackFragmentHeaderBox {
  /// Whether the fragment has no samples, but only a duration.
  public var isDurationEmpty: Bool { flags & 0x01_0000 != 0 }
  /// Whether offsets are relative to the start of the `moof`.
  public var isDefaultBaseMoof: Bool { flags & 0x02_0000 != 0 }
}

/// `tfdt`: the decoding time of the first sample of a track in a fragment.
public struct TrackFragmentDecodeTimeBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["tfdt"], name: "track fragment decode time", in: [.box("traf")], "ISO/IEC 14496-12, 8.8.12",
    "The decoding time of the first sample of a track in a fragment.", versions: 0...1)

  /// 1 for a 64-bit time.
  public var version: UInt8 = 0
  public var flags: UInt32 = 0
  /// The sum of the durations of all preceding samples, in media time.
  public var baseMediaDecodeTime: UInt64 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    try c.u32or64("baseMediaDecodeTime", &baseMediaDecodeTime, wide: version == 1)
  }
}
