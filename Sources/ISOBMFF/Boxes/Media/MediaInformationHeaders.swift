// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `vmhd`: how the pictures of a video track are composed.
public struct VideoMediaHeaderBox: BoxPayload {
  public static let name: StaticString = "video media header"
  public static let types: [FourCC] = ["vmhd"]
  public static let scopes: [BoxScope] = [.box("minf")]
  public static let specification: StaticString = "ISO/IEC 14496-12, 12.1.2"
  public static let summary: StaticString = "How the pictures of a video track are composed."
  public static let versions: ClosedRange<UInt8>? = 0...0

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

/// `smhd`: the balance of an audio track.
public struct SoundMediaHeaderBox: BoxPayload {
  public static let name: StaticString = "sound media header"
  public static let types: [FourCC] = ["smhd"]
  public static let scopes: [BoxScope] = [.box("minf")]
  public static let specification: StaticString = "ISO/IEC 14496-12, 12.2.2"
  public static let summary: StaticString = "How the sound of a track is placed between left and right."
  public static let versions: ClosedRange<UInt8>? = 0...0

  /// The flags of the full box.
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
public struct HintMediaHeaderBox: BoxPayload {
  public static let name: StaticString = "hint media header"
  public static let types: [FourCC] = ["hmhd"]
  public static let scopes: [BoxScope] = [.box("minf")]
  public static let specification: StaticString = "ISO/IEC 14496-12, 12.4.2"
  public static let summary: StaticString = "The sizes and rates of a hint track's packets."
  public static let versions: ClosedRange<UInt8>? = 0...0

  /// The flags of the full box.
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
public struct SubtitleMediaHeaderBox: BoxPayload {
  public static let name: StaticString = "subtitle media header"
  public static let types: [FourCC] = ["sthd"]
  public static let scopes: [BoxScope] = [.box("minf")]
  public static let specification: StaticString = "ISO/IEC 14496-12, 12.6.2"
  public static let summary: StaticString = "Marks a subtitle track."
  public static let versions: ClosedRange<UInt8>? = 0...0

  /// The flags of the full box.
  public var flags: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.fullBox(&flags) }
}

/// `nmhd`: the header of tracks whose kind does not have a specific one.
public struct NullMediaHeaderBox: BoxPayload {
  public static let name: StaticString = "null media header"
  public static let types: [FourCC] = ["nmhd"]
  public static let scopes: [BoxScope] = [.box("minf")]
  public static let specification: StaticString = "ISO/IEC 14496-12, 8.4.5.2"
  public static let summary: StaticString = "Marks a track of a kind that has no header of its own."
  public static let versions: ClosedRange<UInt8>? = 0...0

  /// The flags of the full box.
  public var flags: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.fullBox(&flags) }
}

/// `elng`: the language of a track as an RFC 5646 tag.
public struct ExtendedLanguageBox: BoxPayload {
  public static let name: StaticString = "extended language"
  public static let types: [FourCC] = ["elng"]
  public static let scopes: [BoxScope] = [.box("mdia")]
  public static let specification: StaticString = "ISO/IEC 14496-12, 8.4.6"
  public static let summary: StaticString = "The language of a track, with country and script."
  public static let versions: ClosedRange<UInt8>? = 0...0

  /// The flags of the full box.
  public var flags: UInt32 = 0
  /// The language tag, such as `en-US`.
  public var extendedLanguage = TerminatedString()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.terminatedString("extended_language", &extendedLanguage)
  }
}
