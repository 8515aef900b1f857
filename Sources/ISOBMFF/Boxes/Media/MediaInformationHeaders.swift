// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `vmhd`: how the pictures of a video track are composed.
public struct VideoMediaHeaderBox: FullBox {
  public static let info = BoxInfo(
    ["vmhd"], name: "video media header", in: [.box("minf")], "ISO/IEC 14496-12, 12.1.2",
    "How the pictures of a video track are composed.", versions: 0...0)

  /// Always 1.
  public var flags: UInt32 = 1
  /// How pictures are drawn; 0 means that they are copied.
  public var graphicsMode: UInt16 = 0
  /// The colour that some graphics modes need.
  public var opColor = RGBColor()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u16("graphicsmode", &graphicsMode)
    try c.group("opcolor", &opColor)
  }
}

/// `smhd`: the left-right balance of an audio track.
public struct SoundMediaHeaderBox: FullBox {
  public static let info = BoxInfo(
    ["smhd"], name: "sound media header", in: [.box("minf")], "ISO/IEC 14496-12, 12.2.2",
    "The left-right balance of an audio track.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The balance, as an 8.8 fixed-point number: -1 is left, 0 the centre, 1 right.
  public var balance: Int16 = 0
  var reserved: UInt16 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.i16("balance", &balance, .fixedPoint(fractionBits: 8))
    try c.reserved("reserved", &reserved, bits: 16, expecting: 0)
  }
}

/// `hmhd`: the packet sizes and bit rates of a hint track.
public struct HintMediaHeaderBox: FullBox {
  public static let info = BoxInfo(
    ["hmhd"], name: "hint media header", in: [.box("minf")], "ISO/IEC 14496-12, 12.4.2",
    "The packet sizes and bit rates of a hint track.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The size of the largest packet, in bytes.
  public var maxPDUSize: UInt16 = 0
  /// The average size of a packet, in bytes.
  public var avgPDUSize: UInt16 = 0
  /// The highest bit rate over any second, in bits per second.
  public var maxBitrate: UInt32 = 0
  /// The average bit rate, in bits per second.
  public var avgBitrate: UInt32 = 0
  var reserved: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u16("maxPDUsize", &maxPDUSize)
    try c.u16("avgPDUsize", &avgPDUSize)
    try c.u32("maxbitrate", &maxBitrate)
    try c.u32("avgbitrate", &avgBitrate)
    try c.reserved("reserved", &reserved, bits: 32, expecting: 0)
  }
}

/// `sthd`: marks a subtitle track.
public struct SubtitleMediaHeaderBox: FullBox {
  public static let info = BoxInfo(
    ["sthd"], name: "subtitle media header", in: [.box("minf")], "ISO/IEC 14496-12, 12.6.2",
    "Marks a subtitle track.", versions: 0...0)

  public var flags: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.fullBox(&flags) }
}

/// `nmhd`: marks a track of a kind that has no header box of its own.
public struct NullMediaHeaderBox: FullBox {
  public static let info = BoxInfo(
    ["nmhd"], name: "null media header", in: [.box("minf")], "ISO/IEC 14496-12, 8.4.5.2",
    "Marks a track of a kind that has no header box of its own.", versions: 0...0)

  public var flags: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.fullBox(&flags) }
}

/// `elng`: the language of a track as an RFC 5646 tag, which can include script and country.
public struct ExtendedLanguageBox: FullBox {
  public static let info = BoxInfo(
    ["elng"], name: "extended language", in: [.box("mdia")], "ISO/IEC 14496-12, 8.4.6",
    "The language of a track as an RFC 5646 tag, which can include script and country.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The language tag, such as `en-US`.
  public var extendedLanguage = TerminatedString()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.terminatedString("extended_language", &extendedLanguage)
  }
}
