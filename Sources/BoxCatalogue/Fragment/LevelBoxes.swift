// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `leva`: which samples belong to each level of a subsegment index.
public struct LevelAssignmentBox: FullBox {
  public static let info = BoxInfo(
    ["leva"], name: "level assignment", in: [.box("mvex")], "ISO/IEC 14496-12, 8.8.13",
    "Which samples belong to each level of a subsegment index.", versions: 0...0)

  /// One level.
  public struct Level: FieldLayout {
    /// The ID of the track.
    public var trackID: UInt32 = 0
    /// Whether the fragment can be completed by padding.
    public var isPadded = false
    /// How samples are assigned to the level: 0 and 1 by sample groups, 2 and 3 by track, 4 by sub-track.
    public var assignmentType: UInt8 = 2
    /// The sample grouping, for types 0 and 1; otherwise `nil`.
    public var groupingType: FourCC?
    /// The parameter of the grouping, for type 1; otherwise `nil`.
    public var groupingTypeParameter: UInt32?
    /// The sub-track, for type 4; otherwise `nil`.
    public var subTrackID: UInt32?

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u32("track_ID", &trackID)
      try c.flag("padding_flag", &isPadded)
      try c.u("assignment_type", &assignmentType, 7)
      try c.fourCC("grouping_type", &groupingType, if: assignmentType < 2)
      try c.u("grouping_type_parameter", &groupingTypeParameter, 32, if: assignmentType == 1)
      try c.u("sub_track_ID", &subTrackID, 32, if: assignmentType == 4)
    }
  }

  public var flags: UInt32 = 0
  /// The levels; the first one is number 1.
  public var levels: [Level] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.array("levels", &levels, countedBy: "level_count", UInt8.self, minimumBits: 40)
  }
}

/// `trep`: properties of a track in a fragmented movie, in child boxes.
public struct TrackExtensionPropertiesBox: FullBox {
  public static let info = BoxInfo(
    ["trep"], name: "track extension properties", in: [.box("mvex")], "ISO/IEC 14496-12, 8.8.15",
    "Properties of a track in a fragmented movie, in child boxes.", versions: 0...0, childrenFollow: true)

  public var flags: UInt32 = 0
  /// The ID of the track.
  public var trackID: UInt32 = 1

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u32("track_ID", &trackID)
  }
}

/// `assp`: how early playback can begin with an alternative startup sequence.
public struct AlternativeStartupSequencePropertiesBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["assp"], name: "alternative startup sequence properties", in: [.box("trep")], "ISO/IEC 14496-12, 8.8.16",
    "How early playback can begin with an alternative startup sequence.", versions: 0...1)

  /// One kind of sequence.
  public struct Entry: FieldLayout {
    /// The kind, as in the sample grouping `alst`.
    public var groupingTypeParameter: UInt32 = 0
    /// The smallest offset of a sample, in media time.
    public var minInitialAltStartupOffset: Int32 = 0

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u32("grouping_type_parameter", &groupingTypeParameter)
      try c.i32("min_initial_alt_startup_offset", &minInitialAltStartupOffset)
    }
  }

  /// 1 for several kinds of sequences.
  public var version: UInt8 = 0
  public var flags: UInt32 = 0
  /// In version 0, the smallest offset of a sample, in media time.
  public var minInitialAltStartupOffset: Int32 = 0
  /// In version 1, one entry for each kind.
  public var entries: [Entry] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    if version == 0 {
      try c.i32("min_initial_alt_startup_offset", &minInitialAltStartupOffset)
    } else {
      try c.array("entries", &entries, countedBy: "num_entries", UInt32.self, minimumBits: 64)
    }
  }
}
