// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `meta`: metadata, with a handler that signals its format.
///
/// It contains metadata of a file, a movie or a track, or the items of an image file.
///
/// In ISO/IEC 14496-12 it is a full box; in QuickTime it has no version and flags. Only the bytes show which form
/// is used, so the form is kept.
public struct MetaBox: FullBox {
  public static let info = BoxInfo(
    ["meta"], name: "meta", "ISO/IEC 14496-12, 8.11.1; QuickTime File Format, Metadata",
    "Metadata, with a handler that signals its format.", versions: 0...0, childrenFollow: true)

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

/// `mhdr` of QuickTime metadata: the identifier that the next metadata item gets.
public struct MetadataHeaderBox: FullBox {
  public static let info = BoxInfo(
    ["mhdr"], name: "metadata header", in: [.box("meta")], "QuickTime File Format, Metadata Header Atom",
    "The identifier that the next metadata item gets.", versions: 0...0)

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
public struct XMLBox: FullBox {
  public static let info = BoxInfo(
    ["xml "], name: "XML", in: [.box("meta")], "ISO/IEC 14496-12, 8.11.2", "Metadata as an XML document.",
    versions: 0...0)

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
public struct BinaryXMLBox: FullBox {
  public static let info = BoxInfo(
    ["bxml"], name: "binary XML", in: [.box("meta")], "ISO/IEC 14496-12, 8.11.2",
    "Metadata as a binary encoding of XML.", versions: 0...0)

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
public struct ID3v2Box: FullBox {
  public static let info = BoxInfo(
    ["ID32"], name: "ID3v2", in: [.box("meta")], "ID3v2 in MPEG-4, id3.org (registered with MP4RA)",
    "An ID3 version 2 tag.", versions: 0...0)

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
