// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCCoding

/// The arithmetic decoder. ISO/IEC 23008-2, 9.3.4.3
///
/// The offset is kept with as many bits of the data after it as fit, so that bits are not fetched one by one, and a bin is
/// decided without a branch: what the next bin will be is by design hard to predict.
struct ArithmeticDecoder {
  /// ivlCurrRange
  private(set) var range: UInt64 = 510
  /// ivlOffset, and `bits` bits that follow it.
  private var value: UInt64 = 0
  private var bits = 0
  private var words: CodedWords
  /// The states of the contexts.
  let states: ContextStates
  private let tables = ArithmeticMemory.shared

  init(_ words: CodedWords, states: ContextStates) {
    self.words = words
    self.states = states
    start(at: words.position)
  }

  /// Starts again at a byte position. 9.3.2.5
  mutating func start(at position: Int) {
    words.position = max(0, position)
    range = 510
    value = words.next()
    bits = 23
    // 510 and 511 are not valid offsets (9.3.2.5). With anything less, the value stays below the range whatever
    // follows.
    if value &>> 23 >= 510 {
      value = 0
      isBroken = true
    }
    refill()
  }

  /// The position of the byte that follows what was decoded, after a terminating bin that was 1.
  var nextPosition: Int { (words.position &* 8 &- bits &+ 7) &>> 3 }

  private var isBroken = false

  /// Whether the data began with an offset that no encoder writes, or more bits were decoded than it has.
  var isExhausted: Bool { isBroken || words.position &* 8 &- bits > (words.count &+ 2) &* 8 }

  @inline(__always)
  private mutating func refill() {
    if bits < 16 {
      value = value &<< 32 | words.next()
      bits = bits &+ 32
    }
  }

  /// A bin with a context. 9.3.4.3.2
  @inline(__always)
  mutating func inlineBin(_ context: Int) -> Int {
    let state = Int(states[context])
    let lps = UInt64(tables.range(Int(truncatingIfNeeded: (range &<< 1) & 0x180) &+ state))
    let mps = range &- lps
    let scaled = mps &<< UInt64(truncatingIfNeeded: bits)
    // All ones for the less probable symbol.
    let mask = ~UInt64(bitPattern: Int64(bitPattern: value &- scaled) &>> 63)
    value = value &- (scaled & mask)
    let newRange = mps &+ ((lps &- mps) & mask)
    let turned = state ^ Int(truncatingIfNeeded: Int64(bitPattern: mask))
    states[context] = tables.transition(128 &+ turned)
    let shift = newRange.leadingZeroBitCount &- 55
    range = newRange &<< UInt64(truncatingIfNeeded: shift)
    bits = bits &- shift
    refill()
    return turned & 1
  }

  /// A bin with a context, where speed does not matter much.
  @inline(never)
  mutating func bin(_ context: Int) -> Int { inlineBin(context) }

  /// A flag with a context.
  @inline(__always)
  mutating func flag(_ context: Int) -> Bool { bin(context) != 0 }

  /// Up to 16 bins without a context, the first in the highest bit. 9.3.4.3.4
  @inline(__always)
  mutating func bypass(_ count: Int) -> Int {
    bits = bits &- count
    let window = UInt32(truncatingIfNeeded: value &>> UInt64(truncatingIfNeeded: bits))
    let bins = window / UInt32(truncatingIfNeeded: range)
    value = value &- (UInt64(bins) &* range) &<< UInt64(truncatingIfNeeded: bits)
    refill()
    return Int(bins)
  }

  /// Bins without a context that are ones, up to three, a zero, and `suffix` more, at most four: a number with as many
  /// of them as ones in its upper bits, and the others in its lower ones. If the first four bins are ones, they are
  /// taken, and the result is negative.
  @inline(__always)
  mutating func shortUnary(suffix: Int) -> Int {
    // Eight bins are looked at, at most, of which those that belong to the number are taken.
    let window = UInt32(truncatingIfNeeded: value &>> UInt64(truncatingIfNeeded: bits &- 8))
    let ahead = window / UInt32(truncatingIfNeeded: range)
    let ones = (~ahead &<< 24).leadingZeroBitCount
    let count = ones < 4 ? ones &+ 1 &+ suffix : 4
    let bins = ahead &>> UInt32(truncatingIfNeeded: 8 &- count)
    bits = bits &- count
    value = value &- (UInt64(bins) &* range) &<< UInt64(truncatingIfNeeded: bits)
    refill()
    if ones >= 4 { return -1 }
    return ones &<< suffix | Int(bins) & ((1 &<< suffix) &- 1)
  }

  /// One bin without a context.
  @inline(__always)
  mutating func bypassBin() -> Int {
    bits = bits &- 1
    let scaled = range &<< UInt64(truncatingIfNeeded: bits)
    let mask = ~UInt64(bitPattern: Int64(bitPattern: value &- scaled) &>> 63)
    value = value &- (scaled & mask)
    refill()
    return Int(truncatingIfNeeded: mask & 1)
  }

  /// Up to 32 bins without a context.
  @inline(__always)
  mutating func bypassBits(_ count: Int) -> Int {
    if count <= 16 { return count <= 0 ? 0 : bypass(count) }
    let high = bypass(16)
    return high &<< (count &- 16) | bypass(min(16, count &- 16))
  }

  /// A bin that may end something. 9.3.4.3.5
  mutating func terminate() -> Bool {
    range = range &- 2
    let scaled = range &<< UInt64(truncatingIfNeeded: bits)
    if value >= scaled { return true }
    if range < 256 {
      range = range &<< 1
      bits = bits &- 1
      refill()
    }
    return false
  }

  /// Aligns the arithmetic decoder so that the following bypass bins are plain bits. 9.3.4.3.6
  mutating func alignBypass() {
    range = 256
    value = min(value, (UInt64(256) &<< UInt64(truncatingIfNeeded: bits)) &- 1)
  }

  /// Plain bits of coded samples, from a byte position on. 7.3.8.7
  func plainBits(_ count: Int, at bit: inout Int) -> Int {
    var result = 0
    for _ in 0..<count {
      let byte = words.byte(bit &>> 3)
      result = result &<< 1 | Int(byte &>> UInt8(truncatingIfNeeded: 7 &- (bit & 7)) & 1)
      bit = bit &+ 1
    }
    return result
  }

  /// Sets the contexts to their states at the start of a slice. 9.3.2.2
  func initialiseContexts(type: Int, sliceQp: Int) { states.initialise(type: type, sliceQp: sliceQp) }
}
