// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVCCoding
import TestSupport
import Testing

@testable import HEVCDecoding
@testable import HEVCEncoding

/// The arithmetic encoder as the specification writes it: bit by bit, with outstanding bits. ISO/IEC 23008-2, 9.3.5
private struct PlainArithmeticEncoder {
  var low = 0
  var range = 510
  var isFirstBit = true
  var outstanding = 0
  var bits: [UInt8] = []
  var states: [(index: Int, symbol: Int)]

  init(states: [(index: Int, symbol: Int)]) { self.states = states }

  mutating func put(_ bit: UInt8) {
    if isFirstBit { isFirstBit = false } else { bits.append(bit) }
    for _ in 0..<outstanding { bits.append(1 - bit) }
    outstanding = 0
  }

  mutating func renormalise() {
    while range < 256 {
      if low < 256 {
        put(0)
      } else if low >= 512 {
        low -= 512
        put(1)
      } else {
        low -= 256
        outstanding += 1
      }
      range <<= 1
      low <<= 1
    }
  }

  mutating func bin(_ bin: Int, _ context: Int) {
    let (index, symbol) = states[context]
    let lps = Int(ArithmeticTables.rangeOfLPS[index * 4 + (range >> 6) & 3])
    range -= lps
    if bin != symbol {
      low += range
      range = lps
      if index == 0 { states[context].symbol = 1 - symbol }
      states[context].index = Int(ArithmeticTables.nextStateAfterLPS[index])
    } else {
      states[context].index = index == 63 ? 63 : min(62, index + 1)
    }
    renormalise()
  }

  mutating func bypass(_ bin: Int) {
    low <<= 1
    if bin != 0 { low += range }
    if low >= 1024 {
      put(1)
      low -= 1024
    } else if low < 512 {
      put(0)
    } else {
      low -= 512
      outstanding += 1
    }
  }

  mutating func terminate(_ isEnd: Bool) {
    range -= 2
    guard isEnd else { return renormalise() }
    low += range
    range = 2
    renormalise()
    put(UInt8(low >> 9 & 1))
    bits += [UInt8(low >> 8 & 1), 1]
  }

  /// The bits as bytes, filled with zeros.
  var bytes: [UInt8] {
    stride(from: 0, to: bits.count, by: 8).map { start in
      (0..<8).reduce(0) { $0 << 1 | (start + $1 < bits.count ? bits[start + $1] : 0) }
    }
  }
}

/// What is written: a bin with a context, a number of bypass bins, or a terminating bin.
private enum Step {
  case bin(Int, context: Int)
  case bypass(Int, count: Int)
  case terminate
}

/// Steps with contexts that are of little use, of almost certain bins, and of bins that are almost never right: long runs of
/// outstanding bits, and carries through many bytes.
private func steps(_ seed: Int, _ random: inout SplitMix) -> [Step] {
  let chances = (0..<40).map { _ -> Double in
    let number = Double(random.next(0...1_000)) / 1_000
    return seed % 3 == 0 ? 0.002 : seed % 5 == 0 ? number.rounded() : number * number * number
  }
  return (0..<2_000).map { _ in
    switch random.next(0...99) {
    case 0..<70:
      let context = random.next(0...39)
      return .bin(Double(random.next(0...9_999)) / 10_000 < chances[context] ? 1 : 0, context: context)
    case 70..<95:
      let count = random.next(1...16), all = 1 << count - 1
      return .bypass([0, all, random.next(0...all)][random.next(0...2)], count: count)
    default: return .terminate
    }
  }
}

@Suite struct ArithmeticEncoderTests {
  @Test(arguments: 0..<60)
  func bytesAreThoseOfThePlainEncoder(seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    let states = ContextStates()
    defer { states.free() }
    var encoder = ArithmeticEncoder(states: states)
    // Three substreams of one encoder: each begins anew.
    for _ in 0..<3 {
      var starts: [(index: Int, symbol: Int)] = []
      for context in 0..<40 {
        let state = random.next(0...125)
        states[context] = UInt8(state)
        starts.append((state >> 1, state & 1))
      }
      var plain = PlainArithmeticEncoder(states: starts)
      for step in steps(seed, &random) {
        switch step {
        case .bin(let bin, let context):
          encoder.bin(bin, context)
          plain.bin(bin, context)
        case .bypass(let bins, let count):
          encoder.bypass(bins, count)
          for bit in (0..<count).reversed() { plain.bypass(bins >> bit & 1) }
        case .terminate:
          encoder.terminate(false)
          plain.terminate(false)
        }
      }
      for context in 0..<40 {
        #expect(Int(states[context]) == plain.states[context].index << 1 | plain.states[context].symbol)
      }
      encoder.terminate(true)
      plain.terminate(true)
      #expect(encoder.takeSubstream() == plain.bytes)
    }
  }

  /// The decoder here reads what was written, and ends at the same byte.
  @Test(arguments: 0..<30) func theDecoderReadsWhatWasWritten(seed: Int) {
    var random = SplitMix(seed: UInt64(seed) + 1_000)
    let states = ContextStates(), others = ContextStates()
    defer {
      states.free()
      others.free()
    }
    for context in 0..<40 { states[context] = UInt8(random.next(0...125)) }
    others.copy(from: states)
    let steps = steps(seed, &random)
    var encoder = ArithmeticEncoder(states: states)
    for step in steps {
      switch step {
      case .bin(let bin, let context): encoder.bin(bin, context)
      case .bypass(let bins, let count): encoder.bypass(bins, count)
      case .terminate: encoder.terminate(false)
      }
    }
    encoder.terminate(true)
    let bytes = encoder.takeSubstream()
    let coded = CodedBytes()
    var decoder = ArithmeticDecoder(coded.words(ByteView(bytes)), states: others)
    var isEqual = true
    for step in steps {
      switch step {
      case .bin(let bin, let context): isEqual = isEqual && decoder.bin(context) == bin
      case .bypass(let bins, let count): isEqual = isEqual && decoder.bypassBits(count) == bins
      case .terminate: isEqual = isEqual && !decoder.terminate()
      }
    }
    #expect(isEqual && decoder.terminate() && decoder.nextPosition == bytes.count)
  }

  /// 9.3.3.5, worked by hand: codes of order 0 and 1.
  @Test func expGolombCodesAreThoseOfTheSpecification() {
    #expect(BinRecorder.bins { $0.expGolomb(0, order: 0) } == "0")
    #expect(BinRecorder.bins { $0.expGolomb(1, order: 0) } == "100")
    #expect(BinRecorder.bins { $0.expGolomb(2, order: 0) } == "101")
    #expect(BinRecorder.bins { $0.expGolomb(3, order: 0) } == "11000")
    #expect(BinRecorder.bins { $0.expGolomb(0, order: 1) } == "00")
    #expect(BinRecorder.bins { $0.expGolomb(1, order: 1) } == "01")
    #expect(BinRecorder.bins { $0.expGolomb(2, order: 1) } == "1000")
    #expect(
      BinRecorder.bins { $0.expGolomb(32_766, order: 1) } == String(repeating: "1", count: 14) + "0"
        + "000000000000000")
  }
}

/// Keeps bins as text.
struct BinRecorder: BinSink {
  var text = ""

  mutating func bin(_ bin: Int, _ context: Int) { text += "\(bin)" }

  mutating func bypass(_ bins: Int, _ count: Int) {
    for bit in (0..<count).reversed() { text += "\(bins >> bit & 1)" }
  }

  mutating func terminate(_ isEnd: Bool) { text += isEnd ? "E" : "C" }

  static func bins(_ body: (inout BinRecorder) -> Void) -> String {
    var recorder = BinRecorder()
    body(&recorder)
    return recorder.text
  }
}

@Suite struct BinPriceTests {
  /// Computed with other means from rangeTabLps: means of log2 over ranges weighted by their reciprocals.
  @Test func pricesAreMeansOfInformation() {
    let prices = BinPrices.shared
    let known: [(state: Int, more: UInt32, less: UInt32)] = [
      (0, 31_527, 34_293), (5, 23_202, 44_883), (10, 16_712, 57_362), (20, 9_255, 81_727),
      (30, 5_245, 106_618), (40, 3_074, 130_798), (50, 1_808, 155_271), (62, 954, 185_106),
    ]
    for entry in known {
      for symbol in 0...1 {
        let state = entry.state << 1 | symbol
        #expect(abs(Int(prices[state ^ symbol]) - Int(entry.more)) <= 1)
        #expect(abs(Int(prices[state ^ (1 - symbol)]) - Int(entry.less)) <= 1)
      }
    }
  }

  /// The sum of prices is what the encoder writes, within a thousandth.
  @Test func pricesAreWhatTheEncoderWrites() {
    var random = SplitMix(seed: 7)
    let states = ContextStates(), counted = ContextStates()
    defer {
      states.free()
      counted.free()
    }
    for context in 0..<8 {
      states[context] = 40
      counted[context] = 40
    }
    var encoder = ArithmeticEncoder(states: states)
    var counter = BinCounter(states: counted)
    for _ in 0..<200_000 {
      let context = random.next(0...7)
      let bin = random.next(0...99) < [2, 5, 10, 15, 20, 30, 40, 50][context] ? 1 : 0
      encoder.bin(bin, context)
      counter.bin(bin, context)
      if random.next(0...9) == 0 {
        encoder.bypass(random.next(0...7), 3)
        counter.bypass(0, 3)
      }
    }
    for context in 0..<8 { #expect(states[context] == counted[context]) }
    encoder.terminate(true)
    let ratio = Double(counter.price) / 32_768 / Double(8 * encoder.takeSubstream().count)
    #expect((0.999...1.001).contains(ratio))
  }
}
