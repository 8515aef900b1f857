// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// Text that is UTF-8 up to a zero byte, or UTF-16 with a byte order mark. ISO/IEC 14496-12, 4.2.1 (`utfstring`)
public struct UnicodeText: Hashable, Sendable {
  /// The text, if it is UTF-8.
  public var utf8: TerminatedString
  /// The text in UTF-16 with its byte order mark and its terminator; `nil` if it is UTF-8.
  public var utf16: ByteView?

  /// Makes text.
  public init(_ text: String = "") { utf8 = TerminatedString(text) }

  /// The text.
  public var text: String {
    guard let utf16 else { return utf8.text }
    let text = utf16.utf16Text
    return text.unicodeScalars.last?.value == 0 ? String(text.unicodeScalars.dropLast()) : text
  }

  /// Whether a byte order mark is at `index`.
  package static func isUTF16(_ payload: ByteView, at index: Int) -> Bool {
    let mark = payload.bigEndian(at: index, width: 2)
    return mark == 0xFEFF || mark == 0xFFFE
  }

  /// Codes text that ends with the structure or with its zero byte; UTF-16 always extends to the end.
  package mutating func layout(_ name: StaticString, _ c: inout some Coder) throws(ParseError) {
    if var bytes = utf16 {
      try c.remainder(name, &bytes)
      utf16 = bytes
    } else {
      try c.terminatedString(name, &utf8)
    }
  }
}

/// `cprt`, and the text boxes of 3GPP: copyright, title, description, author, performer or genre, in one
/// language.
///
/// There may be a box for each of several languages.
public struct LocalizedTextBox: FullBox {
  public static let info = BoxInfo(
    ["cprt", "titl", "dscp", "auth", "perf", "gnre", "swre"], name: "localized text", in: [.box("udta")],
    "ISO/IEC 14496-12, 8.10.2; 3GPP TS 26.244, 8",
    "Copyright, title, description, author, performer or genre, in one language.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The language, as three letters of ISO 639-2 packed in 15 bits.
  public var language: UInt16 = 0x55C4
  /// The text of the notice.
  public var notice = UnicodeText()

  public init() {}

  public mutating func prepare(for context: BoxContext, payload: ByteView) {
    if UnicodeText.isUTF16(payload, at: 6) { notice.utf16 = ByteView() }
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u16("language", &language, .language)
    try notice.layout("notice", &c)
  }
}

/// `loci`: where the recording was made.
public struct LocationInformationBox: FullBox {
  public static let info = BoxInfo(
    ["loci"], name: "location information", in: [.box("udta")], "3GPP TS 26.244, 8.10",
    "Where the recording was made.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The language, as three letters of ISO 639-2 packed in 15 bits.
  public var language: UInt16 = 0x55C4
  /// The name of the place.
  public var name = TerminatedString()
  /// What happened at the place: 0 it was recorded there, 1 it shows the place, 2 it is about the place.
  public var role: UInt8 = 0
  /// The longitude in degrees east, as a 16.16 fixed-point number.
  public var longitude: Int32 = 0
  /// The latitude in degrees north, as a 16.16 fixed-point number.
  public var latitude: Int32 = 0
  /// The altitude in metres above the reference, as a 16.16 fixed-point number.
  public var altitude: Int32 = 0
  /// The celestial body; empty for the Earth.
  public var astronomicalBody = TerminatedString()
  /// Any further notes.
  public var additionalNotes = TerminatedString()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u16("language", &language, .language)
    try c.terminatedString("name", &name)
    try c.u8("role", &role)
    try c.i32("longitude", &longitude, .fixedPoint(fractionBits: 16))
    try c.i32("latitude", &latitude, .fixedPoint(fractionBits: 16))
    try c.i32("altitude", &altitude, .fixedPoint(fractionBits: 16))
    try c.terminatedString("astronomical_body", &astronomicalBody)
    try c.terminatedString("additional_notes", &additionalNotes)
  }
}
