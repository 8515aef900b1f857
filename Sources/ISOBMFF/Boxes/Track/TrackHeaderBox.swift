// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `tkhd`: the ID, duration, volume and placement of a whole track.
public struct TrackHeaderBox: TimedHeader {
  public static let info = BoxInfo(
    ["tkhd"], name: "track header", in: [.box("trak")], "ISO/IEC 14496-12, 8.3.2",
    "The ID, duration, volume and placement of a whole track.", versions: 0...1)

  /// 1 for 64-bit times.
  public var version: UInt8 = 0
  /// A sum of 1 enabled, 2 in the movie, 4 in the preview, 8 the size is an aspect ratio.
  public var flags: UInt32 = 3
  /// When the track was created, in seconds since 1904-01-01 00:00 UTC.
  public var creationTime: UInt64 = 0
  /// When the track was last modified, in seconds since 1904-01-01 00:00 UTC.
  public var modificationTime: UInt64 = 0
  /// The number that identifies the track; never 0.
  public var trackID: UInt32 = 1
  /// The duration of all edits in movie time; all bits are 1 if it is unknown.
  public var duration: UInt64 = 0
  /// The front-to-back order; smaller values are nearer to the viewer.
  public var layer: Int16 = 0
  /// Tracks of the same group are alternatives to each other; 0 means no group.
  public var alternateGroup: Int16 = 0
  /// The volume, as an 8.8 fixed-point number.
  public var volume: Int16 = 0
  /// How the picture of the track is placed.
  public var matrix = TransformationMatrix()
  /// The width of the picture as shown, as a 16.16 fixed-point number.
  public var width: UInt32 = 0
  /// The height of the picture as shown, as a 16.16 fixed-point number.
  public var height: UInt32 = 0
  var reserved1: UInt32 = 0
  var reserved2: UInt64 = 0
  var reserved3: UInt16 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    let wide = version == 1
    try c.macTime("creation_time", &creationTime, wide: wide)
    try c.macTime("modification_time", &modificationTime, wide: wide)
    try c.u32("track_ID", &trackID)
    try c.reserved("reserved", &reserved1, bits: 32, expecting: 0)
    try c.u32or64("duration", &duration, wide: wide)
    try c.reserved("reserved_2", &reserved2, bits: 64, expecting: 0)
    try c.i16("layer", &layer)
    try c.i16("alternate_group", &alternateGroup)
    try c.i16("volume", &volume, .fixedPoint(fractionBits: 8))
    try c.reserved("reserved_3", &reserved3, bits: 16, expecting: 0)
    try matrix.layout(&c)
    try c.u32("width", &width, in: nil, .fixedPoint(fractionBits: 16))
    try c.u32("height", &height, in: nil, .fixedPoint(fractionBits: 16))
  }
}

extension TrackHeaderBox {
  /// Whether the track is part of the presentation.
  public var isEnabled: Bool { flags & 1 != 0 }
}
