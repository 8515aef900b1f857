// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import TestSupport
import Testing

@Suite struct SizedStructureTests {
  struct Inner: FieldLayout {
    var number: UInt8 = 0, text = TerminatedString(), optional: UInt16?
    init() {}
    mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u8("number", &number)
      try c.terminatedString("text", &text)
      try c.trailing("optional", &optional, bits: 16)
    }
  }
  struct Outer: FieldLayout {
    var inner = Inner(), rest = ByteView(), after: UInt8 = 0
    init() {}
    mutating func layout(_ c: inout some Coder) throws(ParseError) {
      var length = UInt8(clamping: ((try? inner.encoded().count) ?? 0) + rest.count)
      try c.u8("length", &length)
      try c.group("inner", &inner, byteCount: Int(length), rest: &rest)
      try c.u8("after", &after)
    }
  }

  @Test(arguments: [
    // length, number, text without and with its terminator, optional number, bytes that nobody knows, after
    ("03 07 61 62 FF", "ab", false, nil, 0), ("04 07 61 62 00 FF", "ab", true, nil, 0),
    ("06 07 61 62 00 01 02 FF", "ab", true, UInt16(0x0102), 0),
    ("05 07 61 62 00 01 FF", "ab", true, nil, 1),
    ("08 07 61 62 00 01 02 03 04 FF", "ab", true, UInt16(0x0102), 2),
  ])
  func nothingIsReadPastTheEndOfAStructure(
    _ hex: String, _ text: String, _ terminated: Bool, _ optional: UInt16?, _ rest: Int
  ) throws {
    let bytes = ByteView(hex: hex)
    let value = try bytes.decoded(Outer())
    #expect(value.inner.text == TerminatedString(text, isTerminated: terminated))
    #expect(value.inner.optional == optional)
    #expect(value.rest.count == rest)
    #expect(value.after == 0xFF)
    #expect(try value.encoded() == bytes.array)
  }

  @Test func aLengthThatLiesIsFoundAtOnce() {
    let result = ByteView(hex: "05 07 61 00", fileOffset: 10).decode(Outer())
    #expect(result.error?.code == .truncated(neededBits: 40, availableBits: 24))
    #expect(result.error?.offset == 11)
    #expect(ByteView(hex: "00 07").decode(Outer()).error?.field == "inner.number")
  }
}
