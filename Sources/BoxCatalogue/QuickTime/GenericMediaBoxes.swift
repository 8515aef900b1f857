// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// A colour of three 16-bit components.
public struct Color16: FieldLayout {
  /// The red component.
  public var red: UInt16 = 0
  /// The green component.
  public var green: UInt16 = 0
  /// The blue component.
  public var blue: UInt16 = 0

  /// Makes black.
  public init() {}

  /// Makes a colour.
  public init(red: UInt16, green: UInt16, blue: UInt16) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u16("red", &red)
    try c.u16("green", &green)
    try c.u16("blue", &blue)
  }
}

/// `gmin`: how media that is neither video nor audio is combined with other media.
public struct GenericMediaInformationBox: FullBox {
  public static let info = BoxInfo(
    ["gmin"], name: "generic media information", in: [.box("gmhd")],
    "QuickTime File Format, Base Media Info Atom",
    "How media that is neither video nor audio is combined with other media.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The graphics mode: 0 copy, 0x40 dither.
  public var graphicsMode: UInt16 = 0x40
  /// The colour that some graphics modes need.
  public var opColor = Color16(red: 0x8000, green: 0x8000, blue: 0x8000)
  /// The balance of the sound, as an 8.8 fixed-point number: -1 left, 1 right.
  public var balance: Int16 = 0
  /// Two bytes that should be 0.
  public var reserved: UInt16 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u16("graphicsMode", &graphicsMode, .hexadecimal)
    try c.group("opcolor", &opColor)
    try c.i16("balance", &balance, .fixedPoint(fractionBits: 8))
    try c.reserved("reserved", &reserved, bits: 16, expecting: 0)
  }
}

/// `text` in a `gmhd`: the matrix that defines the coordinate system of a text track.
public struct TextMediaInformationBox: BoxPayload {
  public static let info = BoxInfo(
    ["text"], name: "text media information", in: [.box("gmhd")],
    "QuickTime File Format, Text Media Information Atom",
    "The matrix that defines the coordinate system of a text track.")

  /// A 3 × 3 matrix: the last number of each row is 2.30 fixed-point, the others are 16.16.
  public var matrix: [UInt32] = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000]

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.array("matrix", &matrix, count: 9, bits: 32, .hexadecimal)
  }
}

/// `tcmi`: how a timecode is displayed: font, size and colours.
public struct TimecodeMediaInformationBox: FullBox {
  public static let info = BoxInfo(
    ["tcmi"], name: "timecode media information", in: [.box("tmcd")],
    "QuickTime File Format, Timecode Media Information Atom",
    "How a timecode is displayed: font, size and colours.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The number of the font; 0 is the system font.
  public var textFont: UInt16 = 0
  /// The style of the text: bold, italic, …, one bit each.
  public var textFace: UInt16 = 0
  /// The size of the text in points.
  public var textSize: UInt16 = 12
  /// Two bytes that should be 0.
  public var reserved: UInt16 = 0
  /// The colour of the digits.
  public var textColor = Color16()
  /// The colour of the background.
  public var backgroundColor = Color16(red: 0xFFFF, green: 0xFFFF, blue: 0xFFFF)
  /// The name of the font.
  public var fontName = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u16("text_font", &textFont)
    try c.u16("text_face", &textFace, .hexadecimal)
    try c.u16("text_size", &textSize)
    try c.reserved("reserved", &reserved, bits: 16, expecting: 0)
    try c.group("text_color", &textColor)
    try c.group("background_color", &backgroundColor)
    var length = UInt8(clamping: fontName.count)
    try c.u8("font_name_length", &length)
    try c.bytes("font_name", &fontName, count: Int(length), .text)
  }
}

/// `gpmd`: marks a track that holds the telemetry of a GoPro camera.
public struct TelemetryMediaInformationBox: BoxPayload {
  public static let info = BoxInfo(
    ["gpmd"], name: "telemetry media information", in: [.box("gmhd")], "GoPro, as found in files",
    "Marks a track that holds the telemetry of a GoPro camera.")

  /// A number that is always 0.
  public var value: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.u32("value", &value) }
}
