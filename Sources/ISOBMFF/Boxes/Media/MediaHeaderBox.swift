// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `mdhd`: the timescale, duration and language of a track's media.
public struct MediaHeaderBox: TimedHeader {
  public static let info = BoxInfo(
    ["mdhd"], name: "media header", in: [.box("mdia")], "ISO/IEC 14496-12, 8.4.2",
    "The timescale, duration and language of a track's media.", versions: 0...1)

  /// 1 for 64-bit times.
  public var version: UInt8 = 0
  public var flags: UInt32 = 0
  /// When the media was created, in seconds since 1904-01-01 00:00 UTC.
  public var creationTime: UInt64 = 0
  /// When the media was last modified, in seconds since 1904-01-01 00:00 UTC.
  public var modificationTime: UInt64 = 0
  /// The timescale: how many units of media time make a second.
  public var timescale: UInt32 = 600
  /// The duration in media time; all bits are 1 if it is unknown.
  public var duration: UInt64 = 0
  /// A packed ISO 639-2 language, or a Macintosh language code below 0x400.
  public var language: UInt16 = 0x55C4
  /// In QuickTime, the quality; otherwise 0.
  public var quality: UInt16 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    let wide = version == 1
    try c.macTime("creation_time", &creationTime, wide: wide)
    try c.macTime("modification_time", &modificationTime, wide: wide)
    try c.u32("timescale", &timescale)
    try c.u32or64("duration", &duration, wide: wide)
    try c.u16("language", &language, in: nil, .language)
    try c.reserved("pre_defined", &quality, bits: 16, expecting: 0)
  }
}
