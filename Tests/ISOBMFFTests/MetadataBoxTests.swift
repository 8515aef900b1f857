// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import TestSupport
import Testing

/// Bytes written by hand from the specifications.
@Suite struct MetadataBoxTests {
  @Test func metaIsAFullBoxOrNot() throws {
    let handler = "00000021 68646C72 00000000 00000000 6D647461 00000000 00000000 00000000 00"
    let full = try payload("meta", in: .box("moov"), "00000000" + handler, as: MetaBox.self, unread: 33)
    #expect(full.isFullBox)
    let plain = try payload("meta", in: .box("moov"), handler, as: MetaBox.self, unread: 33)
    #expect(!plain.isFullBox)
    // Neither begins with a handler: zeros are version and flags, a size is a box.
    #expect(
      try payload("meta", in: .file, "00000000 00000008 66726565", as: MetaBox.self, unread: 8).isFullBox)
    #expect(try !payload("meta", in: .file, "00000008 66726565", as: MetaBox.self, unread: 8).isFullBox)
    #expect(try !payload("meta", in: .file, "", as: MetaBox.self).isFullBox)
  }

  @Test func keysCountFromOne() throws {
    let keys = try payload(
      "keys", in: .box("meta"), "00000000 00000002 0000000C 6D647461 61626364 00000009 75647461 7A",
      as: MetadataKeysBox.self)
    #expect(keys.keys.map(\.text) == ["abcd", "z"])
    #expect(keys.keys.map(\.namespace) == ["mdta", "udta"])
    #expect(keys.key(for: FourCC(1))?.text == "abcd")
    #expect(keys.key(for: FourCC(2))?.text == "z")
    #expect(
      keys.key(for: FourCC(0)) == nil && keys.key(for: FourCC(3)) == nil && keys.key(for: "©nam") == nil)
  }

  @Test func keysThatAreDamaged() throws {
    // A key of seven bytes cannot hold its own size and namespace.
    let short = try decode("keys", in: .box("meta"), ByteView(hex: "00000000 00000001 00000007 6D647461"))
    #expect(short.error?.field == "keys[0].key_size")
    // A key that reaches after the end; a count that does.
    let long = try decode(
      "keys", in: .box("meta"), ByteView(hex: "00000000 00000001 0000000D 6D647461 61626364"))
    #expect(long.error?.code == .truncated(neededBits: 40, availableBits: 32))
    let many = try decode(
      "keys", in: .box("meta"), ByteView(hex: "00000000 FFFFFFFF 0000000C 6D647461 61626364"))
    #expect(many.error?.code == .countExceedsData(count: 0xFFFF_FFFF, availableBits: 96))
  }

  @Test(arguments: [
    ("00000001 00000000 6869", MetadataValueBox.Content.text("hi")),
    ("00000002 00000000 00680069", .text("hi")),
    ("00000015 00000000 FE", .integer(-2)), ("00000015 00000000 FFFFFE", .integer(-2)),
    ("00000043 00000000 80000000", .integer(-0x8000_0000)),
    ("00000016 00000000 0100", .unsigned(256)), ("0000004E 00000000 FFFFFFFFFFFFFFFF", .unsigned(.max)),
    ("00000017 00000000 427ECCCD", .number(Double(Float(63.7)))),
    ("00000018 00000000 3FF8000000000000", .number(1.5)),
    ("00000046 00000000 3F800000 C0000000", .numbers([1, -2])),
    ("00000017 00000000 427E", .bytes(ByteView([0x42, 0x7E]))),
    ("01000001 00000000 6869", .bytes(ByteView([0x68, 0x69]))),
    ("00000015 00000000", .bytes(ByteView())),
  ])
  func valuesByTheirType(_ hex: String, _ content: MetadataValueBox.Content) throws {
    #expect(try payload("data", in: .metadataItem, hex, as: MetadataValueBox.self).content == content)
  }

  @Test func itemsAndTheirNames() throws {
    _ = try payload(FourCC(7), in: .box("ilst"), "", as: MetadataItemBox.self)
    _ = try payload("©too", in: .box("ilst"), "00000008 66726565", as: MetadataItemBox.self, unread: 8)
    let name = try payload("name", in: .metadataItem, "00000000 6954756E53", as: MetadataNameBox.self)
    #expect(name.text == "iTunS")
  }

  @Test func userDataIsStringsOrBoxes() throws {
    // Two strings, French-less: language 0 is English of the Macintosh, 0x15C7 is `eng`.
    let strings = try payload(
      "©nam", in: .box("udta"), "0002 0000 6869 0003 15C7 C3A961", as: UserDataTextBox.self)
    #expect(strings.entries.map(\.text) == ["hi", "éa"])
    #expect(strings.entries.map(\.language) == [0, 0x15C7])
    let boxes = try payload(
      "©nam", in: .box("udta"), "00000012 64617461 00000001 00000000 6869", as: UserDataTextBox.self,
      unread: 18)
    #expect(boxes.holdsBoxes && boxes.entries.isEmpty)
    let wide = try payload("©nam", in: .box("udta"), "0006 0000 FEFF00680069", as: UserDataTextBox.self)
    #expect(wide.entries.first?.text == "hi")
    let long = try decode("©nam", in: .box("udta"), ByteView(hex: "0009 0000 6869"))
    #expect(long.error?.field == "entries[0].text")
  }

  @Test func copyrightInBothEncodings() throws {
    let narrow = try payload("cprt", in: .box("udta"), "00000000 15C7 C2A900", as: LocalizedTextBox.self)
    #expect(narrow.notice.text == "©")
    let wide = try payload("cprt", in: .box("udta"), "00000000 15C7 FEFF00A90000", as: LocalizedTextBox.self)
    #expect(wide.notice.text == "©")
  }

  @Test func keysOfTimedMetadataArePlainInFiles() throws {
    // A key with the local number 1, as Apple writes it: no version, no count.
    let key = "00000028 00000001 00000010 6B657964 6D647461 61626364 00000010 64747970 00000000 00000042"
    let plain = try payload("keys", in: .otherSampleEntry, key, as: TimedMetadataKeysBox.self, unread: 40)
    #expect(!plain.isFullBox)
    let full = try payload(
      "keys", in: .otherSampleEntry, "00000000 00000001" + key, as: TimedMetadataKeysBox.self, unread: 40)
    #expect(full.isFullBox && full.entryCount == 1)
    let declaration = try payload(
      "keyd", in: .metadataKey, "6D647461 61626364", as: MetadataKeyDeclarationBox.self)
    #expect(declaration.text == "abcd")
    let type = try payload("dtyp", in: .metadataKey, "00000000 00000042", as: MetadataDatatypeBox.self)
    #expect(type.wellKnownType.name == "signed 16")
    #expect(
      try payload("dtyp", in: .metadataKey, "00000001 6162", as: MetadataDatatypeBox.self).datatype.count == 2
    )
  }

  @Test func chaptersOfBothVersions() throws {
    let chapter = "0000000000989680 03 456E64"
    let newer = try payload(
      "chpl", in: .box("udta"), "01000000 00000000 01" + chapter, as: ChapterListBox.self)
    let older = try payload("chpl", in: .box("udta"), "00000000 01" + chapter, as: ChapterListBox.self)
    #expect(newer.chapters == older.chapters)
    #expect(newer.chapters.map(\.start) == [10_000_000] && newer.chapters.first?.title.utf8Text == "End")
  }
}
