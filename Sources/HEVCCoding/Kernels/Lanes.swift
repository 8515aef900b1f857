// swift-multiview · SPDX-License-Identifier: Apache-2.0

// What kernels compute with: registers of 128 bits, which every supported processor has.
//
// Kernels use operators, subscripts and the initialisers by lanes on them and nothing else: those always become
// instructions. Generic functions of the standard library (`init(truncatingIfNeeded:)`, `pointwiseMin`,
// `wrappedSum`) become calls, lane by lane, when a module uses them often. What looks like moving single lanes below
// is one instruction each; a test disassembles the kernels to see that it stays so.

/// Eight numbers of 16 bits.
typealias Words = SIMD8<Int16>
/// Four numbers of 32 bits.
typealias Longs = SIMD4<Int32>
/// Two numbers of 64 bits.
typealias Pairs = SIMD2<Int64>
/// Eight rows of eight numbers.
typealias WordBlock = (Words, Words, Words, Words, Words, Words, Words, Words)

extension SIMD8<Int16> {
  /// The eight numbers at an address.
  @unsafe
  @inline(__always)
  init(at address: UnsafePointer<Int16>) {
    self = unsafe UnsafeRawPointer(address).loadUnaligned(as: Self.self)
  }

  /// The eight numbers at an address, of samples that take two bytes and have at most 15 bits.
  @unsafe
  @inline(__always)
  init(at address: UnsafePointer<UInt16>) {
    self = unsafe UnsafeRawPointer(address).loadUnaligned(as: Self.self)
  }

  /// The eight bytes at an address.
  @unsafe
  @inline(__always)
  init(at address: UnsafePointer<UInt8>) {
    let bytes = unsafe UnsafeRawPointer(address).loadUnaligned(as: SIMD8<UInt8>.self)
    self.init(
      Int16(bytes[0]), Int16(bytes[1]), Int16(bytes[2]), Int16(bytes[3]), Int16(bytes[4]), Int16(bytes[5]),
      Int16(bytes[6]), Int16(bytes[7]))
  }

  /// Four bytes and four others.
  @unsafe
  @inline(__always)
  init(fours first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>) {
    let low = unsafe UInt64(UnsafeRawPointer(first).loadUnaligned(as: UInt32.self))
    let high = unsafe UInt64(UnsafeRawPointer(second).loadUnaligned(as: UInt32.self))
    let bytes = unsafe unsafeBitCast(low | high &<< 32, to: SIMD8<UInt8>.self)
    self.init(
      Int16(bytes[0]), Int16(bytes[1]), Int16(bytes[2]), Int16(bytes[3]), Int16(bytes[4]), Int16(bytes[5]),
      Int16(bytes[6]), Int16(bytes[7]))
  }

  /// Four samples of two bytes and four others.
  @unsafe
  @inline(__always)
  init(fours first: UnsafePointer<UInt16>, _ second: UnsafePointer<UInt16>) {
    self = unsafe SIMD2<Int64>(
      UnsafeRawPointer(first).loadUnaligned(as: Int64.self),
      UnsafeRawPointer(second).loadUnaligned(as: Int64.self)
    ).words
  }

  /// The low halves of eight numbers, of which the caller knows that they are in the range of 16 bits.
  @inline(__always)
  init(low: SIMD4<Int32>, high: SIMD4<Int32>) {
    self.init(
      Int16(truncatingIfNeeded: low[0]), Int16(truncatingIfNeeded: low[1]), Int16(truncatingIfNeeded: low[2]),
      Int16(truncatingIfNeeded: low[3]), Int16(truncatingIfNeeded: high[0]),
      Int16(truncatingIfNeeded: high[1]), Int16(truncatingIfNeeded: high[2]),
      Int16(truncatingIfNeeded: high[3]))
  }

  /// The low halves of eight numbers that are shifted to the right, by 16 less `left` bits. With a shift to the left and one
  /// to the right, it is known that the halves are all that there is, and one instruction takes them together.
  @inline(__always)
  init(low: SIMD4<Int32>, high: SIMD4<Int32>, shiftedTo left: SIMD4<Int32>) {
    self.init(low: (low &<< left) &>> 16, high: (high &<< left) &>> 16)
  }

  @unsafe
  @inline(__always)
  func store(at address: UnsafeMutablePointer<Int16>) {
    unsafe UnsafeMutableRawPointer(address).storeBytes(of: self, as: Self.self)
  }

  /// The low halves of the numbers, as bytes.
  @inline(__always)
  var bytes: SIMD8<UInt8> {
    SIMD8<UInt8>(
      UInt8(truncatingIfNeeded: self[0]), UInt8(truncatingIfNeeded: self[1]),
      UInt8(truncatingIfNeeded: self[2]), UInt8(truncatingIfNeeded: self[3]),
      UInt8(truncatingIfNeeded: self[4]), UInt8(truncatingIfNeeded: self[5]),
      UInt8(truncatingIfNeeded: self[6]), UInt8(truncatingIfNeeded: self[7]))
  }

  /// Stores the low halves of four numbers at an address, and those of the others at another one.
  @unsafe
  @inline(__always)
  func store(fours first: UnsafeMutablePointer<UInt8>, _ second: UnsafeMutablePointer<UInt8>) {
    let bytes = unsafe unsafeBitCast(bytes, to: UInt64.self)
    unsafe UnsafeMutableRawPointer(first).storeBytes(of: UInt32(truncatingIfNeeded: bytes), as: UInt32.self)
    unsafe UnsafeMutableRawPointer(second).storeBytes(
      of: UInt32(truncatingIfNeeded: bytes &>> 32), as: UInt32.self)
  }

  /// Stores four numbers at an address, and the others at another one.
  @unsafe
  @inline(__always)
  func store(fours first: UnsafeMutablePointer<UInt16>, _ second: UnsafeMutablePointer<UInt16>) {
    let pairs = pairs
    unsafe UnsafeMutableRawPointer(first).storeBytes(of: pairs[0], as: Int64.self)
    unsafe UnsafeMutableRawPointer(second).storeBytes(of: pairs[1], as: Int64.self)
  }

  /// -1 where a number is negative, 0 elsewhere: a shift by 15 bits, which takes several times as long in a debug build.
  @inline(__always)
  var signs: Self { unsafe unsafeBitCast(self .< Self(), to: Self.self) }

  /// The magnitudes; that of the lowest number does not fit and stays what it is.
  @inline(__always)
  var magnitudes: Self {
    let sign = signs
    return (self ^ sign) &- sign
  }

  /// The bits in which the numbers differ from their signs.
  @inline(__always)
  var signless: Self { self ^ signs }

  /// The numbers, held between 0 and `high`; the difference of a number and `high` must be in range.
  @inline(__always)
  func held(to high: Self) -> Self {
    let least = self & ~signs, beyond = least &- high
    return (beyond & beyond.signs) &+ high
  }

  @inline(__always)
  var widened: SIMD8<Int32> {
    SIMD8<Int32>(
      Int32(self[0]), Int32(self[1]), Int32(self[2]), Int32(self[3]), Int32(self[4]), Int32(self[5]),
      Int32(self[6]), Int32(self[7]))
  }

  /// The sums of two products each: lanes 0 and 1, 2 and 3, and so on. One instruction, if `other` is not known to
  /// be all ones.
  @inline(__always)
  func pairProducts(_ other: Self) -> SIMD4<Int32> {
    let products = widened &* other.widened
    return SIMD4<Int32>(products[0], products[2], products[4], products[6])
      &+ SIMD4<Int32>(products[1], products[3], products[5], products[7])
  }

  /// Lanes 0 to 3, each followed by that of `other`.
  @inline(__always)
  func low(_ other: Self) -> Self {
    Self(self[0], other[0], self[1], other[1], self[2], other[2], self[3], other[3])
  }

  /// Lanes 4 to 7, each followed by that of `other`.
  @inline(__always)
  func high(_ other: Self) -> Self {
    Self(self[4], other[4], self[5], other[5], self[6], other[6], self[7], other[7])
  }

  @inline(__always)
  var longs: SIMD4<Int32> { unsafe unsafeBitCast(self, to: SIMD4<Int32>.self) }

  @inline(__always)
  var pairs: SIMD2<Int64> { unsafe unsafeBitCast(self, to: SIMD2<Int64>.self) }

  /// The sum of the numbers, which are read without sign.
  @inline(__always)
  var unsignedSum: Int32 {
    let longs = longs
    return ((longs & 0xFFFF) &+ ((longs &>> 16) & 0xFFFF)).sum
  }

  /// The sum of the numbers.
  @inline(__always)
  var signedSum: Int32 {
    let longs = longs
    return (((longs &<< 16) &>> 16) &+ (longs &>> 16)).sum
  }

  @inline(__always)
  var isZero: Bool {
    let pairs = pairs
    return pairs[0] | pairs[1] == 0
  }
}

extension SIMD4<Int32> {
  @unsafe
  @inline(__always)
  init(at address: UnsafePointer<Int32>) {
    self = unsafe UnsafeRawPointer(address).loadUnaligned(as: Self.self)
  }

  @unsafe
  @inline(__always)
  func store(at address: UnsafeMutablePointer<Int32>) {
    unsafe UnsafeMutableRawPointer(address).storeBytes(of: self, as: Self.self)
  }

  @inline(__always)
  var sum: Int32 { (self[0] &+ self[1]) &+ (self[2] &+ self[3]) }

  @inline(__always)
  func low(_ other: Self) -> Self { Self(self[0], other[0], self[1], other[1]) }

  @inline(__always)
  func high(_ other: Self) -> Self { Self(self[2], other[2], self[3], other[3]) }

  @inline(__always)
  var words: SIMD8<Int16> { unsafe unsafeBitCast(self, to: SIMD8<Int16>.self) }

  @inline(__always)
  var pairs: SIMD2<Int64> { unsafe unsafeBitCast(self, to: SIMD2<Int64>.self) }
}

extension SIMD2<Int64> {
  @inline(__always)
  func low(_ other: Self) -> Self { Self(self[0], other[0]) }

  @inline(__always)
  func high(_ other: Self) -> Self { Self(self[1], other[1]) }

  @inline(__always)
  var words: SIMD8<Int16> { unsafe unsafeBitCast(self, to: SIMD8<Int16>.self) }
}

/// Operations on several registers.
enum Lanes {
  /// Eight rows become eight columns. Each level has lanes of its own width: two levels with the same one would be
  /// merged into something slow.
  @inline(__always)
  static func transposed(_ r: WordBlock) -> WordBlock {
    let a0 = r.0.low(r.1).longs, a1 = r.0.high(r.1).longs, a2 = r.2.low(r.3).longs, a3 = r.2.high(r.3).longs
    let a4 = r.4.low(r.5).longs, a5 = r.4.high(r.5).longs, a6 = r.6.low(r.7).longs, a7 = r.6.high(r.7).longs
    let b0 = a0.low(a2).pairs, b1 = a0.high(a2).pairs, b2 = a4.low(a6).pairs, b3 = a4.high(a6).pairs
    let b4 = a1.low(a3).pairs, b5 = a1.high(a3).pairs, b6 = a5.low(a7).pairs, b7 = a5.high(a7).pairs
    return (
      b0.low(b2).words, b0.high(b2).words, b1.low(b3).words, b1.high(b3).words, b4.low(b6).words,
      b4.high(b6).words, b5.low(b7).words, b5.high(b7).words
    )
  }

  /// Eight rows that begin `stride` numbers apart.
  @unsafe
  @inline(__always)
  static func load(_ p: UnsafePointer<Int16>, _ stride: Int) -> WordBlock {
    unsafe (
      Words(at: p), Words(at: p + stride), Words(at: p + 2 &* stride), Words(at: p + 3 &* stride),
      Words(at: p + 4 &* stride), Words(at: p + 5 &* stride), Words(at: p + 6 &* stride),
      Words(at: p + 7 &* stride)
    )
  }

  @unsafe
  @inline(__always)
  static func store(_ r: WordBlock, _ p: UnsafeMutablePointer<Int16>, _ stride: Int) {
    unsafe r.0.store(at: p)
    unsafe r.1.store(at: p + stride)
    unsafe r.2.store(at: p + 2 &* stride)
    unsafe r.3.store(at: p + 3 &* stride)
    unsafe r.4.store(at: p + 4 &* stride)
    unsafe r.5.store(at: p + 5 &* stride)
    unsafe r.6.store(at: p + 6 &* stride)
    unsafe r.7.store(at: p + 7 &* stride)
  }

  /// Writes the columns of `columns` by `rows` numbers, multiples of eight, as rows.
  @unsafe
  @inline(__always)
  static func transpose(
    _ source: UnsafePointer<Int16>, _ sourceStride: Int, columns: Int, rows: Int,
    to target: UnsafeMutablePointer<Int16>, _ stride: Int
  ) {
    var y = 0
    while y < rows {
      var x = 0
      while x < columns {
        let block = unsafe transposed(load(source + (y &* sourceStride &+ x), sourceStride))
        unsafe store(block, target + (x &* stride &+ y), stride)
        x = x &+ 8
      }
      y = y &+ 8
    }
  }
}
