// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `mvhd`: the timescale, duration, volume and placement of the whole movie.
public struct MovieHeaderBox: TimedHeader {
  public static let info = BoxInfo(
    ["mvhd"], name: "movie header", in: [.box("moov")], "ISO/IEC 14496-12, 8.2.2",
    "The timescale, duration, volume and placement of the whole movie.", versions: 0...1)

  /// 1 for 64-bit times.
  public var version: UInt8 = 0
  public var flags: UInt32 = 0
  /// When the movie was created, in seconds since 1904-01-01 00:00 UTC.
  public var creationTime: UInt64 = 0
  /// When the movie was last modified, in seconds since 1904-01-01 00:00 UTC.
  public var modificationTime: UInt64 = 0
  /// The timescale: how many units of movie time make a second.
  public var timescale: UInt32 = 600
  /// The duration of the longest track in movie time; all bits are 1 if it is unknown.
  public var duration: UInt64 = 0
  /// The preferred playback rate, as a 16.16 fixed-point number.
  public var rate: Int32 = 0x0001_0000
  /// The preferred volume, as an 8.8 fixed-point number.
  public var volume: Int16 = 0x0100
  /// How the movie is placed on the screen.
  public var matrix = TransformationMatrix()
  /// In QuickTime, where the preview begins; otherwise 0.
  public var previewTime: UInt32 = 0
  /// In QuickTime, the duration of the preview; otherwise 0.
  public var previewDuration: UInt32 = 0
  /// In QuickTime, the time of the poster; otherwise 0.
  public var posterTime: UInt32 = 0
  /// In QuickTime, where the selection begins; otherwise 0.
  public var selectionTime: UInt32 = 0
  /// In QuickTime, the duration of the selection; otherwise 0.
  public var selectionDuration: UInt32 = 0
  /// In QuickTime, the current time; otherwise 0.
  public var currentTime: UInt32 = 0
  /// The ID for the next track, larger than that of every track.
  public var nextTrackID: UInt32 = 1
  var reserved1: UInt16 = 0
  var reserved2: UInt64 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    let wide = version == 1
    try c.macTime("creation_time", &creationTime, wide: wide)
    try c.macTime("modification_time", &modificationTime, wide: wide)
    try c.u32("timescale", &timescale)
    try c.u32or64("duration", &duration, wide: wide)
    try c.i32("rate", &rate, .fixedPoint(fractionBits: 16))
    try c.i16("volume", &volume, .fixedPoint(fractionBits: 8))
    try c.reserved("reserved", &reserved1, bits: 16, expecting: 0)
    try c.reserved("reserved_2", &reserved2, bits: 64, expecting: 0)
    try matrix.layout(&c)
    try c.reserved("preview_time", &previewTime, bits: 32, expecting: 0)
    try c.reserved("preview_duration", &previewDuration, bits: 32, expecting: 0)
    try c.reserved("poster_time", &posterTime, bits: 32, expecting: 0)
    try c.reserved("selection_time", &selectionTime, bits: 32, expecting: 0)
    try c.reserved("selection_duration", &selectionDuration, bits: 32, expecting: 0)
    try c.reserved("current_time", &currentTime, bits: 32, expecting: 0)
    try c.u32("next_track_ID", &nextTrackID)
  }
}

extension BoxTree {
  /// The header of the movie; `nil` if there is none, or it cannot be read.
  package var movieHeader: MovieHeaderBox? { first("moov")?.first(MovieHeaderBox.self) }
}
