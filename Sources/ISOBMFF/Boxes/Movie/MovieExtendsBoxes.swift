// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `mehd`: the duration of a fragmented movie, including all its fragments.
public struct MovieExtendsHeaderBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["mehd"], name: "movie extends header", in: [.box("mvex")], "ISO/IEC 14496-12, 8.8.2",
    "The duration of a fragmented movie, including all its fragments.", versions: 0...1)

  /// 1 for a 64-bit duration.
  public var version: UInt8 = 0
  public var flags: UInt32 = 0
  /// The duration including all fragments, in movie time.
  public var fragmentDuration: UInt64 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    try c.u32or64("fragment_duration", &fragmentDuration, wide: version == 1)
  }
}

/// `trex`: the default values for the samples of a track in fragments.
public struct TrackExtendsBox: FullBox {
  public static let info = BoxInfo(
    ["trex"], name: "track extends", in: [.box("mvex")], "ISO/IEC 14496-12, 8.8.3",
    "The default values for the samples of a track in fragments.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The ID of the track.
  public var trackID: UInt32 = 1
  /// The sample entry, counted from 1.
  public var defaultSampleDescriptionIndex: UInt32 = 1
  /// The duration of a sample in media time.
  public var defaultSampleDuration: UInt32 = 0
  /// The size of a sample in bytes.
  public var defaultSampleSize: UInt32 = 0
  /// The flags of a sample.
  public var defaultSampleFlags = SampleFlags(rawValue: 0)

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u32("track_ID", &trackID)
    try c.u32("default_sample_description_index", &defaultSampleDescriptionIndex)
    try c.u32("default_sample_duration", &defaultSampleDuration)
    try c.u32("default_sample_size", &defaultSampleSize)
    try c.code("default_sample_flags", &defaultSampleFlags, bits: 32, SampleFlags.format)
  }
}
