// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVCCoding
import TestSupport
import Testing

@testable import HEVCDecoding

/// The arithmetic decoder as the specification writes it: bit by bit. ISO/IEC 23008-2, 9.3.4.3
private struct PlainArithmeticDecoder {
  var bytes: [UInt8]
  var place = 0
  var range = 510
  var offset = 0
  var states: [(index: Int, symbol: Int)]

  init(_ bytes: [UInt8], states: [(index: Int, symbol: Int)]) {
    self.bytes = bytes
    self.states = states
    for _ in 0..<9 { offset = offset << 1 | bit() }
  }

  mutating func bit() -> Int {
    defer { place += 1 }
    guard place / 8 < bytes.count else { return 0 }
    return Int(bytes[place / 8] >> UInt8(7 - place % 8)) & 1
  }

  mutating func renormalise() {
    while range < 256 {
      range <<= 1
      offset = offset << 1 | bit()
    }
  }

  mutating func bin(_ context: Int) -> Int {
    let (index, symbol) = states[context]
    let lps = Int(ArithmeticTables.rangeOfLPS[index * 4 + (range >> 6) & 3])
    range -= lps
    var result = symbol
    if offset >= range {
      result = 1 - symbol
      offset -= range
      range = lps
      if index == 0 { states[context].symbol = 1 - symbol }
      states[context].index = Int(ArithmeticTables.nextStateAfterLPS[index])
    } else {
      states[context].index = min(62, index + 1)
    }
    renormalise()
    return result
  }

  mutating func bypass() -> Int {
    offset = offset << 1 | bit()
    guard offset >= range else { return 0 }
    offset -= range
    return 1
  }

  mutating func terminate() -> Bool {
    range -= 2
    if offset >= range { return true }
    renormalise()
    return false
  }
}

@Suite struct ArithmeticDecoderTests {
  @Test(arguments: 0..<40)
  func binsAreThoseOfThePlainDecoder(seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    let bytes = (0..<400).map { _ in UInt8(truncatingIfNeeded: random.next()) & (seed % 3 == 0 ? 0x7F : 0x3F)
    }
    let states = ContextStates()
    defer { states.free() }
    var starts: [(index: Int, symbol: Int)] = []
    for context in 0..<Contexts.count {
      let state = Int(random.next() % 124)
      states[context] = UInt8(state)
      starts.append((state >> 1, state & 1))
    }
    let coded = CodedBytes()
    var decoder = ArithmeticDecoder(coded.words(ByteView(bytes)), states: states)
    var plain = PlainArithmeticDecoder(bytes, states: starts)
    for _ in 0..<3_000 {
      guard plain.place < bytes.count * 8 - 64 else { break }
      switch random.next() % 8 {
      case 0:
        let count = Int(random.next() % 32) + 1
        var expected = 0
        for _ in 0..<count { expected = expected << 1 | plain.bypass() }
        #expect(decoder.bypassBits(count) == expected)
      case 1: #expect(decoder.bypassBin() == plain.bypass())
      case 3:
        let suffix = Int(random.next() % 5)
        var ones = 0
        while ones < 4, plain.bypass() == 1 { ones += 1 }
        var expected = ones
        if ones < 4 { for _ in 0..<suffix { expected = expected << 1 | plain.bypass() } }
        #expect(decoder.shortUnary(suffix: suffix) == (ones < 4 ? expected : -1))
      case 2:
        let isEnd = plain.terminate()
        #expect(decoder.terminate() == isEnd)
        if isEnd {
          #expect(decoder.nextPosition == (plain.place + 7) / 8)
          return
        }
      default:
        let context = Int(random.next() % UInt64(Contexts.count))
        #expect(decoder.bin(context) == plain.bin(context))
        #expect(Int(states[context]) == plain.states[context].index << 1 | plain.states[context].symbol)
      }
      #expect(decoder.range == UInt64(plain.range))
    }
    #expect(!decoder.isExhausted)
  }

  @Test func readingBehindTheEndIsSeenAndHarmless() {
    let states = ContextStates()
    defer { states.free() }
    let coded = CodedBytes()
    var decoder = ArithmeticDecoder(coded.words(ByteView([0x12, 0x34, 0x56])), states: states)
    for _ in 0..<10_000 { _ = decoder.bypassBits(32) }
    #expect(decoder.isExhausted)
    // 511 is no offset.
    let broken = ArithmeticDecoder(coded.words(ByteView([0xFF, 0xFF, 0xFF, 0xFF])), states: states)
    #expect(broken.isExhausted)
  }

  /// Table 9-4 worked by hand: initValue 154 is state 0 at every quantisation parameter.
  @Test func contextsBeginAsTheirInitialValuesSay() {
    for qp in [-10, 0, 26, 51] { #expect(Contexts.initialState(154, sliceQp: qp) == 1) }
    // slopeIdx 8, offsetIdx 11: m = -5, n = 72; at 26: ((-5 * 26) >> 4) + 72 = 63, not above 63.
    #expect(Contexts.initialState(139, sliceQp: 26) == 0)
    #expect(Contexts.initialValues.count == 3 * Contexts.count)
  }
}
