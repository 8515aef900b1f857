// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// Any box in `trgr`: the group of tracks that this one belongs to; the type of the box is the kind of group.
public struct TrackGroupTypeBox: FullBox {
  public static let info = BoxInfo(
    [], name: "track group type", in: [.box("trgr")], "ISO/IEC 14496-12, 8.3.4",
    "The group of tracks that this one belongs to; the type of the box is the kind of group.",
    versions: 0...0)

  public var flags: UInt32 = 0
  /// The number of the group: tracks with the same number and kind belong together.
  public var trackGroupID: UInt32 = 0
  /// Further data of the kind of group; usually empty.
  public var data = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u32("track_group_id", &trackGroupID)
    try c.leftovers(&data)
  }
}

/// `ster`: the stereo pair to which this track belongs, and which view of the pair it is. The other track has the
/// same group.
public struct StereoVideoGroupBox: FullBox {
  public static let info = BoxInfo(
    ["ster"], name: "stereo video group", in: [.box("trgr")], "ISO/IEC 14496-12, 8.3.4.4",
    "The stereo pair to which this track belongs, and which view of the pair it is.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The number of the pair, which both tracks have.
  public var trackGroupID: UInt32 = 0
  /// Whether this track is the left view.
  public var isLeftView = false
  var reserved: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u32("track_group_id", &trackGroupID)
    try c.flag("left_view_flag", &isLeftView)
    try c.reserved("reserved", &reserved, bits: 31, expecting: 0)
  }
}
