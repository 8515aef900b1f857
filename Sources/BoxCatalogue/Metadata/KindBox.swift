// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `kind`: the role of a track, according to a scheme.
public struct KindBox: FullBox {
  public static let info = BoxInfo(
    ["kind"], name: "kind", in: [.box("udta")], "ISO/IEC 14496-12, 8.10.4",
    "The role of a track, according to a scheme.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The URI of the scheme, or of the role itself if there is no value.
  public var schemeURI = TerminatedString()
  /// The role in that scheme.
  public var value = TerminatedString()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.terminatedString("schemeURI", &schemeURI)
    try c.terminatedString("value", &value)
  }
}

/// `tsel`: which tracks to choose from during playback, and how they differ.
public struct TrackSelectionBox: FullBox {
  public static let info = BoxInfo(
    ["tsel"], name: "track selection", in: [.box("udta")], "ISO/IEC 14496-12, 8.10.3",
    "Which tracks to choose from during playback, and how they differ.", versions: 0...0)

  public var flags: UInt32 = 0
  /// Tracks of the same group replace one another during playback; 0 means no group.
  public var switchGroup: Int32 = 0
  /// How the tracks differ: bit rate, codec, language, views, …
  public var attributes: [FourCC] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.i32("switch_group", &switchGroup)
    try c.fourCCsToEnd("attribute_list", &attributes)
  }
}

/// `stri` in a `strk`: a sub-track, which can be selected like a track.
public struct SubTrackInformationBox: FullBox {
  public static let info = BoxInfo(
    ["stri"], name: "sub track information", in: [.box("strk")], "ISO/IEC 14496-12, 8.14.4",
    "A sub-track, which can be selected like a track.", versions: 0...0)

  public var flags: UInt32 = 0
  /// Sub-tracks of the same group replace one another during playback.
  public var switchGroup: Int16 = 0
  /// Sub-tracks of the same group are alternatives.
  public var alternateGroup: Int16 = 0
  /// The identifier; 0 if not given.
  public var subTrackID: UInt32 = 0
  /// How the sub-tracks differ.
  public var attributes: [FourCC] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.i16("switch_group", &switchGroup)
    try c.i16("alternate_group", &alternateGroup)
    try c.u32("sub_track_ID", &subTrackID)
    try c.fourCCsToEnd("attribute_list", &attributes)
  }
}

/// `stsg`: a sub-track that consists of the samples of some sample groups.
public struct SubTrackSampleGroupBox: FullBox {
  public static let info = BoxInfo(
    ["stsg"], name: "sub track sample group", in: [.box("strd")], "ISO/IEC 14496-12, 8.14.6",
    "A sub-track that consists of the samples of some sample groups.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The sample grouping.
  public var groupingType: FourCC = "tele"
  /// The groups of the grouping, counted from 1.
  public var groupDescriptionIndices: [UInt32] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.fourCC("grouping_type", &groupingType)
    try c.array(
      "group_description_index", &groupDescriptionIndices, countedBy: "item_count", UInt16.self, bits: 32)
  }
}

/// `chpl`: chapters with their start times and titles, in Nero's format.
public struct ChapterListBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["chpl"], name: "chapter list", in: [.box("udta")], "Nero chapter list, as written by common muxers",
    "Chapters with their start times and titles, in Nero's format.", versions: 0...1)

  /// One chapter.
  public struct Chapter: FieldLayout {
    /// The time at which it begins, in units of 100 nanoseconds.
    public var start: UInt64 = 0
    /// Its title in UTF-8.
    public var title = ByteView()
    /// Makes an empty chapter.
    public init() {}
    /// Makes a chapter.
    public init(start: UInt64, title: String) {
      self.start = start
      self.title = ByteView(title.utf8)
    }
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u64("start", &start, .scaled(10_000_000, " s"))
      var length = UInt8(clamping: title.count)
      try c.u8("title_length", &length)
      try c.bytes("title", &title, count: Int(length), .text)
    }
  }

  public var version: UInt8 = 1
  public var flags: UInt32 = 0
  /// Four bytes of version 1 that are always 0.
  public var reserved: UInt32 = 0
  /// The chapters.
  public var chapters: [Chapter] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    if version == 1 { try c.reserved("reserved", &reserved, bits: 32, expecting: 0) }
    try c.array("chapters", &chapters, countedBy: "chapter_count", UInt8.self, minimumBits: 72)
  }
}

/// `tlou` and `alou`: the loudness of the track or of the album, by one or more measurements.
public struct LoudnessBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["tlou", "alou"], name: "loudness", in: [.box("ludt")], "ISO/IEC 14496-12, 12.2.7",
    "The loudness of the track or of the album, by one or more measurements.", versions: 0...1)

  /// One measurement.
  public struct Measurement: PackedRecord {
    /// What was measured.
    public var methodDefinition: UInt8 = 1
    /// The result, coded according to the definition.
    public var methodValue: UInt8 = 0
    /// The measurement system.
    public var measurementSystem: UInt8 = 2
    /// The reliability of the measurement.
    public var reliability: UInt8 = 3
    @inlinable
    public static var stride: Int { 3 }
    @inlinable
    public init() {}
    @inlinable
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u8("method_definition", &methodDefinition)
      try c.u8("method_value", &methodValue)
      try c.u("measurement_system", &measurementSystem, 4)
      try c.u("reliability", &reliability, 4)
    }
  }

  /// The loudness of one mix.
  public struct Base: FieldLayout {
    /// The version of the enclosing box. Not in this structure.
    public var version: UInt8 = 0
    /// Two bits of version 1 that should be 0.
    public var reservedEQ: UInt8 = 0
    /// The equaliser setting that it applies to, in version 1.
    public var equalizerSetID: UInt8 = 0
    /// Three bits that should be 0.
    public var reserved: UInt8 = 0
    /// The downmix that it applies to.
    public var downmixID: UInt8 = 0
    /// The dynamic range setting that it applies to.
    public var drcSetID: UInt8 = 0
    /// The sample peak in coded form; 0 is unknown.
    public var samplePeakLevel: Int16 = 0
    /// The true peak in coded form; 0 is unknown.
    public var truePeakLevel: Int16 = 0
    /// The measurement system of the true peak.
    public var measurementSystemForTruePeak: UInt8 = 0
    /// The reliability of the true peak.
    public var reliabilityForTruePeak: UInt8 = 0
    /// The measurements.
    public var measurements: [Measurement] = []
    /// Makes an entry without measurements.
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      if version >= 1 {
        try c.reserved("reserved", &reservedEQ, bits: 2, expecting: 0)
        try c.u("EQ_set_ID", &equalizerSetID, 6)
      }
      try c.reserved("reserved2", &reserved, bits: 3, expecting: 0)
      try c.u("downmix_ID", &downmixID, 7)
      try c.u("DRC_set_ID", &drcSetID, 6)
      try c.signed("bs_sample_peak_level", &samplePeakLevel, bits: 12, in: nil, .decimal)
      try c.signed("bs_true_peak_level", &truePeakLevel, bits: 12, in: nil, .decimal)
      try c.u("measurement_system_for_TP", &measurementSystemForTruePeak, 4)
      try c.u("reliability_for_TP", &reliabilityForTruePeak, 4)
      try c.array("measurements", &measurements, countedBy: "measurement_count", UInt8.self, minimumBits: 24)
    }
  }

  public var version: UInt8 = 0
  public var flags: UInt32 = 0
  /// The kind of information, in version 1.
  public var infoType: UInt8 = 0
  /// The loudness of each mix: one in version 0, any number in version 1.
  public var bases: [Base] = [Base()]

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    var count: UInt8 = 1
    if version >= 1 {
      count = UInt8(clamping: bases.count)
      try c.u("loudness_info_type", &infoType, 2)
      try c.u("loudness_base_count", &count, 6)
    }
    var new = Base()
    new.version = version
    try c.array("loudness_bases", &bases, count: count, minimumBits: 56, new: new) {
      c, element throws(ParseError) in
      c.beginStructure("loudness_base")
      try element.layout(&c)
      c.endScope()
    }
  }
}
