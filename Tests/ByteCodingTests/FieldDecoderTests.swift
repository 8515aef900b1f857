// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import TestSupport
import Testing

@Suite struct DecoderTests {
  /// A structure that uses every kind of field.
  struct Everything: FieldLayout {
    var three: UInt8 = 0, wide: UInt64 = 0, golomb: UInt32 = 0, signed: Int32 = 0, flag = false
    var negative: Int16 = 0, list: [UInt32] = [], text = TerminatedString(), rest = ByteView()
    var pad: UInt8 = 0, kept: UInt8 = 0
    init() {}
    mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u("three", &three, 3)
      try c.flag("flag", &flag)
      try c.reserved("reserved", &kept, bits: 4, expecting: 15)
      try c.u("wide", &wide, 63)
      try c.u("pad", &pad, 1)
      try c.ue("golomb", &golomb, in: 0...UInt32.max - 1)
      try c.se("signed", &signed, in: -100_000...100_000)
      try c.u("pad", &pad, (8 - c.bitPosition % 8) % 8)
      try c.i16("negative", &negative)
      var count = UInt8(clamping: list.count)
      try c.u8("count", &count)
      try c.array("list", &list, count: count, bits: 32)
      try c.terminatedString("text", &text)
      try c.remainder("rest", &rest)
    }
  }

  @Test func exponentialGolombCodesOfTheStandard() throws {
    // Table 9-2 of ISO/IEC 23008-2: 1 -> 0, 010 -> 1, 011 -> 2, 00100 -> 3, 00101 -> 4, 00110 -> 5.
    let bytes = ByteView([0b1010_0110, 0b0100_0010, 0b1001_1000])
    var decoder = FieldDecoder(bytes)
    var values: [UInt32] = []
    for _ in 0..<6 {
      var value: UInt32 = 0
      try decoder.ue("v", &value, in: 0...10)
      values.append(value)
    }
    #expect(values == [0, 1, 2, 3, 4, 5])
  }

  @Test func theLargestExpGolombCode() throws {
    // 2^32 - 1 is coded as 32 zeros, a one and 32 zeros.
    let bytes = ByteView([0, 0, 0, 0, 0x80, 0, 0, 0, 0])
    var decoder = FieldDecoder(bytes)
    var value: UInt32 = 0
    try decoder.ue("v", &value, in: 0...UInt32.max)
    #expect(value == UInt32.max)
    let endless = ByteView([UInt8](repeating: 0, count: 40))
    var second = FieldDecoder(endless)
    #expect(throws: ParseError.self) { try second.ue("v", &value, in: 0...UInt32.max) }
  }

  @Test func fieldsOfEveryWidthAtEveryPosition() throws {
    var generator = SeededGenerator(seed: 1)
    let raw = (0..<64).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let bits = raw.flatMap { byte in (0..<8).map { UInt64(byte >> (7 - $0) & 1) } }
    let view = ByteView(raw)
    for start in 0..<17 {
      for width in 0...64 {
        var decoder = FieldDecoder(view)
        var skipped: UInt64 = 0, value: UInt64 = 0
        try decoder.u("skip", &skipped, start)
        try decoder.u("value", &value, width)
        #expect(value == bits[start..<(start + width)].reduce(0) { $0 << 1 | $1 })
      }
    }
  }

  @Test func writingIsTheInverseOfReading() throws {
    var value = Everything()
    value.three = 5
    value.flag = true
    value.kept = 9
    value.wide = 0x7123_4567_89AB_CDEF
    value.golomb = 77_777
    value.signed = -4_321
    value.negative = -2
    value.list = [1, 0xFFFF_FFFF]
    value.text = TerminatedString("hé")
    value.rest = ByteView([7, 8, 9])
    let bytes = try value.encoded()
    let back = try ByteView(bytes).decoded(Everything())
    #expect(back == value)
    #expect(try back.encoded() == bytes)
  }

  @Test func everyTruncationIsAnErrorInPlace() throws {
    var value = Everything()
    value.list = [1, 2, 3]
    let bytes = try value.encoded()
    // Text and rest may be empty, so what precedes them decides.
    for count in 0..<(bytes.count - 1) {
      let result = ByteView(bytes.prefix(count), fileOffset: 1_000).decode(Everything())
      let error = try #require(result.error)
      #expect(error.offset >= 1_000 && error.offset <= 1_000 + count)
    }
  }

  @Test func aCountThatLiesReservesNothing() {
    struct Bomb: FieldLayout {
      var values: [UInt64] = []
      mutating func layout(_ c: inout some Coder) throws(ParseError) {
        var count = UInt32(clamping: values.count)
        try c.u32("count", &count)
        try c.array("values", &values, count: count, bits: 64)
      }
    }
    let result = ByteView([0xFF, 0xFF, 0xFF, 0xFF, 0, 0]).decode(Bomb())
    #expect(result.error?.code == .countExceedsData(count: 0xFFFF_FFFF, availableBits: 16))
    #expect(result.error?.field == "values")
    #expect(result.value.values.isEmpty)
  }

  @Test func rangesAreNamedWithTheirPlace() {
    struct Ranged: FieldLayout {
      var value: UInt8 = 0
      mutating func layout(_ c: inout some Coder) throws(ParseError) {
        try c.u("first", &value, 4)
        try c.u("second", &value, 4, in: 0...5)
      }
    }
    let result = ByteView([0x0F], fileOffset: 40).decode(Ranged())
    #expect(
      result.error == ParseError(.outOfRange(value: 15, allowed: 0...5), offset: 40, bit: 4, field: "second"))
  }

  @Test func whatStandsBeforeTheStopBit() {
    let view = ByteView([0b1010_1000, 0, 0])
    var decoder = FieldDecoder(view)
    #expect(decoder.bitsBeforeTrailing == 4)
    var value: UInt8 = 0
    #expect(throws: Never.self) { try decoder.u("v", &value, 4) }
    #expect(decoder.bitsBeforeTrailing == 0)
  }
}
