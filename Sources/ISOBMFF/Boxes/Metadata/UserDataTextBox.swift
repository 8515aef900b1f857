// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// A `©xxx` entry of user data: text about the movie or track, in one or several languages.
///
/// In QuickTime it contains strings; some writers of MP4 put a `data` box into it, as in an `ilst`. The bytes show
/// which form is used.
public struct UserDataTextBox: BoxPayload {
  public static let info = BoxInfo(
    [
      "©ART", "©DRC", "©FMT", "©INF", "©SRC", "©TIM", "©TSC", "©TSZ", "©TXT", "©alb", "©ard", "©arg", "©ark",
      "©aut", "©chp", "©cmt", "©cok", "©com", "©cpy", "©day", "©des", "©dir", "©dis", "©dsa", "©ed1", "©ed2",
      "©ed3", "©ed4", "©ed5", "©ed6", "©ed7", "©ed8", "©ed9", "©enc", "©fmt", "©gen", "©grp", "©hst", "©inf",
      "©isr", "©key", "©lab", "©lal", "©lyr", "©mak", "©mal", "©mdl", "©mod", "©nak", "©nam", "©ope", "©pdk",
      "©phg", "©prd", "©prf", "©prk", "©prl", "©pub", "©req", "©sne", "©snk", "©snm", "©sol", "©src", "©swf",
      "©swk", "©swr", "©too", "©trk", "©url", "©wrn", "©wrt", "©xpd", "©xyz",
    ], name: "user data text", in: [.box("udta")], "QuickTime File Format, User Data Atoms",
    "Text about the movie or track, in one or several languages.", childrenFollow: true,
    childScope: .metadataItem)

  /// Text in one language.
  public struct Entry: FieldLayout {
    /// A packed ISO 639-2 language, or a Macintosh language code below 0x400.
    public var language: UInt16 = 0x55C4
    /// The text: for a Macintosh language in the encoding of that language, otherwise UTF-8, or UTF-16 with a byte
    /// order mark.
    public var bytes = ByteView()
    /// Makes an empty text.
    public init() {}
    /// Makes a text.
    public init(_ text: String, language: UInt16 = 0x55C4) {
      self.language = language
      bytes = ByteView(text.utf8)
    }
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      var size = UInt16(clamping: bytes.count)
      try c.u16("size", &size)
      try c.u16("language", &language, .language)
      try c.bytes("text", &bytes, count: Int(size), .text)
    }
    /// The text; characters that cannot be decoded are replaced.
    public var text: String {
      let mark = bytes.bigEndian(at: 0, width: 2)
      if mark == 0xFEFF || mark == 0xFFFE { return bytes.utf16Text }
      let text = bytes.utf8Text
      // Many writers give UTF-8 a Macintosh language: only what is none is in the encoding of that.
      guard Self.romanLanguages.contains(language), !text.utf8.elementsEqual(bytes.array) else { return text }
      return bytes.macRomanText
    }
    /// Macintosh languages in Mac OS Roman: English, French, German, Italian, Dutch, Swedish, Spanish, Danish, Portuguese,
    /// Norwegian, Finnish and Flemish.
    private static let romanLanguages: Set<UInt16> = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 34]
  }

  /// Whether it contains boxes instead of strings. Not in the file, but determined by looking ahead.
  public var holdsBoxes = false
  /// The texts.
  public var entries: [Entry] = []

  public init() {}

  public mutating func prepare(for context: BoxContext, payload: ByteView) {
    holdsBoxes = payload.fourCC(at: 4) == "data"
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    if !holdsBoxes { try c.arrayWhileBitsLeft("entries", &entries, minimumBits: 32) }
  }
}

/// `name` in user data: the name of a movie or track, or a tag on it, as plain text.
public struct UserDataNameBox: BoxPayload {
  public static let info = BoxInfo(
    ["name", "tnam", "tagc"], name: "user data name", in: [.box("udta")],
    "QuickTime File Format, User Data Atoms", "The name of a movie or track, or a tag on it, as plain text.")

  /// The text, including any terminator.
  public var name = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.remainder("name", &name, .text)
  }
}

/// `XMP_` in user data: an XMP packet.
public struct XMPUserDataBox: BoxPayload {
  public static let info = BoxInfo(
    ["XMP_"], name: "XMP user data", in: [.box("udta")], "XMP Specification Part 3, QuickTime",
    "An XMP packet.")

  /// The packet, as XML.
  public var packet = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.remainder("packet", &packet, .text)
  }
}
