// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `albm`: the title of the album, in one language, and the number of the track on it.
public struct AlbumBox: FullBox {
  public static let info = BoxInfo(
    ["albm"], name: "album", in: [.box("udta")], "3GPP TS 26.244, 8.7",
    "The title of the album, in one language, and the number of the track on it.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The language, as three letters of ISO 639-2 packed in 15 bits.
  public var language: UInt16 = 0x55C4
  /// The album's title.
  public var title = TerminatedString()
  /// The number of the track on the album; `nil` if not given.
  public var trackNumber: UInt8?

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u16("language", &language, .language)
    try c.terminatedString("albumtitle", &title)
    try c.trailing("tracknumber", &trackNumber, bits: 8)
  }
}

/// `yrrc`: the year of the recording.
public struct RecordingYearBox: FullBox {
  public static let info = BoxInfo(
    ["yrrc"], name: "recording year", in: [.box("udta")], "3GPP TS 26.244, 8.8", "The year of the recording.",
    versions: 0...0)

  public var flags: UInt32 = 0
  /// The year.
  public var recordingYear: UInt16 = 2024

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u16("recording_year", &recordingYear)
  }
}

/// `rtng`: the audience that the content is suitable for, according to some organisation.
public struct RatingBox: FullBox {
  public static let info = BoxInfo(
    ["rtng"], name: "rating", in: [.box("udta")], "3GPP TS 26.244, 8.5",
    "The audience that the content is suitable for, according to some organisation.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The organisation.
  public var entity: FourCC = "    "
  /// The rules of the organisation.
  public var criteria: FourCC = "    "
  /// The language, as three letters of ISO 639-2 packed in 15 bits.
  public var language: UInt16 = 0x55C4
  /// The rating.
  public var information = UnicodeText()

  public init() {}

  public mutating func prepare(for context: BoxContext, payload: ByteView) {
    if UnicodeText.isUTF16(payload, at: 14) { information.utf16 = ByteView() }
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.fourCC("ratingentity", &entity)
    try c.fourCC("ratingcriteria", &criteria)
    try c.u16("language", &language, .language)
    try information.layout("ratinginfo", &c)
  }
}

/// `clsf`: the class of the content, according to some table.
public struct ClassificationBox: FullBox {
  public static let info = BoxInfo(
    ["clsf"], name: "classification", in: [.box("udta")], "3GPP TS 26.244, 8.6",
    "The class of the content, according to some table.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The organisation that publishes the table.
  public var entity: FourCC = "    "
  /// The number of the table.
  public var table: UInt16 = 0
  /// The language, as three letters of ISO 639-2 packed in 15 bits.
  public var language: UInt16 = 0x55C4
  /// The classification.
  public var information = UnicodeText()

  public init() {}

  public mutating func prepare(for context: BoxContext, payload: ByteView) {
    if UnicodeText.isUTF16(payload, at: 12) { information.utf16 = ByteView() }
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.fourCC("classificationentity", &entity)
    try c.u16("classificationtable", &table)
    try c.u16("language", &language, .language)
    try information.layout("classificationinfo", &c)
  }
}

/// `kywd`: keywords in one language.
public struct KeywordsBox: FullBox {
  public static let info = BoxInfo(
    ["kywd"], name: "keywords", in: [.box("udta")], "3GPP TS 26.244, 8.7", "Keywords in one language.",
    versions: 0...0)

  /// One keyword.
  public struct Keyword: FieldLayout {
    /// The text, including its terminator.
    public var text = ByteView()
    /// Makes an empty keyword.
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      var size = UInt8(clamping: text.count)
      try c.u8("keyword_size", &size)
      try c.bytes("keyword_info", &text, count: Int(size), .text)
    }
  }

  public var flags: UInt32 = 0
  /// The language, as three letters of ISO 639-2 packed in 15 bits.
  public var language: UInt16 = 0x55C4
  /// The keywords.
  public var keywords: [Keyword] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u16("language", &language, .language)
    try c.array("keywords", &keywords, countedBy: "keyword_count", UInt8.self, minimumBits: 8)
  }
}
