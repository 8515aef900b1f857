// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCCoding

/// The arithmetic encoder: the inverse of ``ArithmeticDecoder``. ISO/IEC 23008-2, 9.3.4
///
/// ivlLow is kept with the bits above it that are not written yet. The standard counts outstanding bits because it
/// cannot take back what it wrote; here a carry runs back through the bytes in memory, on average once in 256 bytes.
struct ArithmeticEncoder: BinSink {
  /// ivlCurrRange
  private var range: UInt64 = 510
  /// ivlLow in ten bits, and above it `bits` bits that are not written yet.
  private var low: UInt64 = 0
  /// One less than the bits above ivlLow: the first bit is never written. 9.3.4.2 of the encoding process
  private var bits = -1
  /// The bytes of the current substream, without emulation prevention.
  private var bytes: [UInt8] = []
  /// The states of the contexts.
  let states: ContextStates
  private let tables = ArithmeticMemory.shared

  /// An encoder at the start of a substream, whose owner sets the contexts.
  init(states: ContextStates) { self.states = states }

  @inline(__always)
  mutating func bin(_ bin: Int, _ context: Int) {
    let state = Int(states[context])
    let lps = UInt64(tables.range(Int(truncatingIfNeeded: (range &<< 1) & 0x180) &+ state))
    // All ones for the less probable symbol.
    let mask = 0 &- ((state ^ bin) & 1)
    let wide = UInt64(bitPattern: Int64(mask))
    let mps = range &- lps
    low = low &+ (mps & wide)
    let newRange = mps &+ ((lps &- mps) & wide)
    states[context] = tables.transition(128 &+ (state ^ mask))
    let shift = newRange.leadingZeroBitCount &- 55
    range = newRange &<< UInt64(truncatingIfNeeded: shift)
    shiftLow(by: shift)
  }

  @inline(__always)
  mutating func bypass(_ bins: Int, _ count: Int) {
    let value = UInt64(truncatingIfNeeded: bins) & (1 &<< UInt64(truncatingIfNeeded: count) &- 1)
    shiftLow(by: count, adding: value &* range)
  }

  mutating func terminate(_ isEnd: Bool) {
    range = range &- 2
    if isEnd {
      low = low &+ range
      finish()
    } else if range < 256 {
      range = range &<< 1
      shiftLow(by: 1)
    }
  }

  @inline(__always)
  private mutating func shiftLow(by count: Int, adding value: UInt64 = 0) {
    low = low &<< UInt64(truncatingIfNeeded: count) &+ value
    bits = bits &+ count
    if bits >= 32 { writeWord() }
  }

  /// Writes the 32 highest bits of `low`; the bit above them is a carry.
  @inline(never)
  private mutating func writeWord() {
    let shift = UInt64(truncatingIfNeeded: bits &- 22)
    let word = low &>> shift
    low = low & (1 &<< shift &- 1)
    bits = bits &- 32
    if word &>> 32 != 0 { carry() }
    bytes.append(UInt8(truncatingIfNeeded: word &>> 24))
    bytes.append(UInt8(truncatingIfNeeded: word &>> 16))
    bytes.append(UInt8(truncatingIfNeeded: word &>> 8))
    bytes.append(UInt8(truncatingIfNeeded: word))
  }

  /// Adds 1 to the number that the written bytes are. The number stays below that of the substream's first range, so
  /// the carry always ends in a byte.
  private mutating func carry() {
    var place = bytes.count &- 1
    while place >= 0, bytes[place] == 0xFF {
      bytes[place] = 0
      place = place &- 1
    }
    if place >= 0 { bytes[place] = bytes[place] &+ 1 }
  }

  /// EncodeFlush: what is left of `low`, then a 1, then zeros to the byte boundary. The 1 is `rbsp_stop_one_bit`,
  /// or the first bit of `byte_alignment()`. 9.3.4.5 of the encoding process
  private mutating func finish() {
    low = low &<< 7
    bits = bits &+ 7
    if bits >= 32 { writeWord() }
    // Two bits of ivlLow are written, and the third is replaced by the 1.
    var rest = low &>> 8, count = bits &+ 2
    if rest &>> UInt64(truncatingIfNeeded: count) != 0 { carry() }
    rest = rest &<< 1 | 1
    count = count &+ 1
    let padding = (8 &- count & 7) & 7
    rest = rest &<< UInt64(truncatingIfNeeded: padding)
    count = count &+ padding
    while count > 0 {
      count = count &- 8
      bytes.append(UInt8(truncatingIfNeeded: rest &>> UInt64(truncatingIfNeeded: count)))
    }
    low = 0
    range = 510
    bits = -1
  }

  /// The bytes of a substream that has ended, of which it keeps none.
  mutating func takeSubstream() -> [UInt8] {
    let taken = bytes
    bytes = []
    bytes.reserveCapacity(taken.count)
    return taken
  }

  /// How many bits the substream has so far.
  var bitCount: Int { bytes.count &* 8 &+ bits &+ 10 }
}
