// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `meta`: metadata of a file, a movie or a track, and the items of an image file.
///
/// In ISO/IEC 14496-12 it is a full box; in QuickTime it has no version and flags. Only the bytes show which form
/// is used, so the form is kept.
public struct MetaBox: BoxPayload {
  public static let name: StaticString = "meta"
  public static let types: [FourCC] = ["meta"]
  public static let specification: StaticString = "ISO/IEC 14496-12, 8.11.1; QuickTime File Format, Metadata"
  public static let summary: StaticString = "Holds metadata under a handler that says how they are kept."
  public static let versions: ClosedRange<UInt8>? = 0...0
  public static let childrenFollow = true

  /// Whether version and flags come first. Not in the file, but determined by looking ahead.
  public var isFullBox = true
  /// The flags, if it is a full box.
  public var flags: UInt32 = 0

  public init() {}

  public mutating func prepare(for context: BoxContext, payload: ByteView) {
    isFullBox = Self.looksLikeFullBox(payload)
  }

  /// Whether the payload begins with version and flags: a handler box follows them, or is at the very start.
  static func looksLikeFullBox(_ payload: ByteView) -> Bool {
    if payload.fourCC(at: 4) == "hdlr" { return false }
    if payload.fourCC(at: 8) == "hdlr" { return true }
    return payload.bigEndian(at: 0, width: 4) == 0
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    if isFullBox { try c.fullBox(&flags) }
  }
}

/// `mhdr` of QuickTime metadata: the identifier that the next item gets.
public struct MetadataHeaderBox: BoxPayload {
  public static let name: StaticString = "metadata header"
  public static let types: [FourCC] = ["mhdr"]
  public static let scopes: [BoxScope] = [.box("meta")]
  public static let specification: StaticString = "QuickTime File Format, Metadata Header Atom"
  public static let summary: StaticString = "The identifier that the next metadata item gets."
  public static let versions: ClosedRange<UInt8>? = 0...0

  /// The flags of the full box.
  public var flags: UInt32 = 0
  /// The identifier for the next item; all bits are 1 if a free one must be searched for.
  public var nextItemID: UInt32 = 1

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u32("next_item_ID", &nextItemID)
  }
}

/// `xml `: metadata as an XML document.
public struct XMLBox: BoxPayload {
  public static let name: StaticString = "XML"
  public static let types: [FourCC] = ["xml "]
  public static let scopes: [BoxScope] = [.box("meta")]
  public static let specification: StaticString = "ISO/IEC 14496-12, 8.11.2"
  public static let summary: StaticString = "Metadata as an XML document."
  public static let versions: ClosedRange<UInt8>? = 0...0

  /// The flags of the full box.
  public var flags: UInt32 = 0
  /// The document, in UTF-8 or in UTF-16 with a byte order mark, including any terminator.
  public var xml = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.remainder("xml", &xml, .text)
  }
}

/// `bxml`: metadata as a binary encoding of XML.
public struct BinaryXMLBox: BoxPayload {
  public static let name: StaticString = "binary XML"
  public static let types: [FourCC] = ["bxml"]
  public static let scopes: [BoxScope] = [.box("meta")]
  public static let specification: StaticString = "ISO/IEC 14496-12, 8.11.2"
  public static let summary: StaticString = "Metadata as a binary encoding of XML."
  public static let versions: ClosedRange<UInt8>? = 0...0

  /// The flags of the full box.
  public var flags: UInt32 = 0
  /// The encoded document.
  public var data = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.remainder("data", &data)
  }
}

/// `ID32`: an ID3 version 2 tag.
public struct ID3v2Box: BoxPayload {
  public static let name: StaticString = "ID3v2"
  public static let types: [FourCC] = ["ID32"]
  public static let scopes: [BoxScope] = [.box("meta")]
  public static let specification: StaticString = "ID3v2 in MPEG-4, id3.org (registered with MP4RA)"
  public static let summary: StaticString = "An ID3 version 2 tag."
  public static let versions: ClosedRange<UInt8>? = 0...0

  /// The flags of the full box.
  public var flags: UInt32 = 0
  /// The language of the tag, as three letters of ISO 639-2 packed in 15 bits.
  public var language: UInt16 = 0x55C4
  /// The tag.
  public var id3v2Data = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u16("language", &language, .language)
    try c.remainder("ID3v2_data", &id3v2Data)
  }
}
