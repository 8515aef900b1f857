// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// A rectangle of text.
public struct TextRectangle: FieldLayout {
  /// The edges in pixels.
  public var top: Int16 = 0, left: Int16 = 0, bottom: Int16 = 0, right: Int16 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.i16("top", &top)
    try c.i16("left", &left)
    try c.i16("bottom", &bottom)
    try c.i16("right", &right)
  }
}

/// The default style of 3GPP timed text.
public struct TimedTextDescription: FieldLayout {
  /// How the text scrolls and is drawn.
  public var displayFlags: UInt32 = 0
  /// The horizontal alignment: 0 left, 1 centre, -1 right.
  public var horizontalJustification: Int8 = 1
  /// The vertical alignment: 0 top, 1 centre, -1 bottom.
  public var verticalJustification: Int8 = -1
  /// The background colour: red, green, blue and alpha in one number.
  public var backgroundColor: UInt32 = 0
  /// The rectangle that contains the text.
  public var textBox = TextRectangle()
  /// The first character of the style; always 0.
  public var startChar: UInt16 = 0
  /// The last character of the style; always 0.
  public var endChar: UInt16 = 0
  /// The number of the font in `ftab`.
  public var fontID: UInt16 = 1
  /// A sum of 1 bold, 2 italic, 4 underlined.
  public var faceStyleFlags: UInt8 = 0
  /// The size of the font in pixels.
  public var fontSize: UInt8 = 18
  /// The colour of the text: red, green, blue and alpha in one number.
  public var textColor: UInt32 = 0xFFFF_FFFF

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("displayFlags", &displayFlags, in: nil, .hexadecimal)
    try c.signed("horizontal-justification", &horizontalJustification, bits: 8, in: nil, .decimal)
    try c.signed("vertical-justification", &verticalJustification, bits: 8, in: nil, .decimal)
    try c.u32("background-color-rgba", &backgroundColor, in: nil, .hexadecimal)
    try c.group("default-text-box", &textBox)
    try c.u16("startChar", &startChar)
    try c.u16("endChar", &endChar)
    try c.u16("font-ID", &fontID)
    try c.u8("face-style-flags", &faceStyleFlags)
    try c.u8("font-size", &fontSize)
    try c.u32("text-color-rgba", &textColor, in: nil, .hexadecimal)
  }
}

/// `tx3g`: 3GPP timed text: text with styles, such as subtitles in MP4 files.
public struct TimedTextSampleEntry: BoxPayload {
  public static let info = BoxInfo(
    ["tx3g"], name: "timed text sample entry", in: [.otherSampleDescription], "3GPP TS 26.245, 5.16",
    "3GPP timed text: text with styles, such as subtitles in MP4 files.",
    childrenFollow: true, childScope: .otherSampleEntry)

  /// The data reference that holds the samples, counted from 1.
  public var dataReferenceIndex: UInt16 = 1
  /// The default style.
  public var description = TimedTextDescription()
  var reserved: UInt64 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.sampleEntry(&reserved, &dataReferenceIndex)
    try description.layout(&c)
  }
}

/// `text`: QuickTime text, as in chapter tracks.
public struct QuickTimeTextSampleEntry: BoxPayload {
  public static let info = BoxInfo(
    ["text"], name: "QuickTime text sample entry", in: [.otherSampleDescription],
    "QuickTime File Format, Text Sample Description", "QuickTime text, as in chapter tracks.",
    childrenFollow: true, childScope: .otherSampleEntry)

  /// The default style in QuickTime.
  public struct Style: FieldLayout {
    /// How the text scrolls and is drawn.
    public var displayFlags: UInt32 = 0
    /// The horizontal alignment: 0 left, 1 centre, -1 right.
    public var textJustification: Int32 = 0
    /// The background colour.
    public var backgroundColor = RGBColor()
    /// The rectangle that contains the text.
    public var textBox = TextRectangle()
    /// The number of the font; 0 is the system font.
    public var fontNumber: UInt16 = 0
    /// A sum of 1 bold, 2 italic, 4 underlined, 8 outline, 16 shadow, 32 condensed, 64 extended.
    public var fontFace: UInt16 = 0
    /// The colour of the text.
    public var foregroundColor = RGBColor()
    /// The name of the font; `nil` if absent, as some writers omit it.
    public var fontName: ByteView?
    var reserved1: UInt64 = 0
    var reserved2: UInt32 = 0

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u32("displayFlags", &displayFlags, in: nil, .hexadecimal)
      try c.i32("textJustification", &textJustification)
      try c.group("backgroundColor", &backgroundColor)
      try c.group("defaultTextBox", &textBox)
      try c.reserved("reserved_2", &reserved1, bits: 64, expecting: 0)
      try c.u16("fontNumber", &fontNumber)
      try c.u16("fontFace", &fontFace)
      try c.reserved("reserved_3", &reserved2, bits: 24, expecting: 0)
      try c.group("foregroundColor", &foregroundColor)
      var hasName = fontName != nil
      c.presence(&hasName, whenBitsLeft: 8)
      guard hasName else { return }
      var name = fontName ?? ByteView()
      try c.pascalString("fontName", &name)
      fontName = name
    }
  }

  /// The data reference that holds the samples, counted from 1.
  public var dataReferenceIndex: UInt16 = 1
  /// The default style.
  public var style = Style()
  /// The default style in the form of 3GPP, which FFmpeg writes here; if set, it replaces `style`.
  public var timedText: TimedTextDescription?
  var reserved: UInt64 = 0

  public init() {}

  public mutating func prepare(for context: BoxContext, payload: ByteView) {
    // The shorter form ends after 38 bytes, and a font table follows.
    if payload.count == 38 || payload.fourCC(at: 42) == "ftab" { timedText = TimedTextDescription() }
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.sampleEntry(&reserved, &dataReferenceIndex)
    if timedText != nil {
      var description = timedText ?? TimedTextDescription()
      try description.layout(&c)
      timedText = description
    } else {
      try style.layout(&c)
    }
  }
}

/// `ftab`: the fonts of 3GPP timed text, by number.
public struct FontTableBox: BoxPayload {
  public static let info = BoxInfo(
    ["ftab"], name: "font table", in: [.otherSampleEntry], "3GPP TS 26.245, 5.16",
    "The fonts of 3GPP timed text, by number.")

  /// One font.
  public struct Font: FieldLayout {
    /// Its number.
    public var id: UInt16 = 1
    /// Its name.
    public var name = ByteView()
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u16("font-ID", &id)
      try c.pascalString("font", &name)
    }
  }

  /// The fonts.
  public var fonts: [Font] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.array("font-entry", &fonts, countedBy: "entry-count", UInt16.self, minimumBits: 24)
  }
}
