// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The matrices of inverse transforms, in pairs of entries as products of pairs need them.
@safe
private struct InverseMatrices: @unchecked Sendable {
  static let shared = InverseMatrices()

  /// For 8, 16 and 32 columns and a quarter of their rows: every pair of entries four times, in the order in which
  /// ``InverseTransforms`` uses them.
  let pairs: UnsafeMutablePointer<Int16>
  /// The transposed matrices for 4x4: the cosine and the sine transform.
  let small: UnsafeMutablePointer<Int16>

  /// The position at which the pairs of a size begin.
  @inline(__always)
  static func start(_ log2Size: Int) -> Int { (log2Size &- 3) &* 1536 }

  /// How many numbers belong to one row of a quarter.
  @inline(__always)
  static func count(_ size: Int) -> Int { size &* 6 }

  private init() {
    unsafe pairs = UnsafeMutablePointer<Int16>.allocate(capacity: 3 * 1536)
    unsafe small = UnsafeMutablePointer<Int16>.allocate(capacity: 128)
    unsafe pairs.initialize(repeating: 0, count: 3 * 1536)
    for log2Size in 3...5 {
      let size = 1 << log2Size
      for y in 0..<(size / 4) {
        var place = Self.start(log2Size) + y * Self.count(size)
        func add(_ first: Int, _ second: Int, _ column: Int) {
          for lane in 0..<8 {
            unsafe pairs[place + lane] = TransformMatrices.cosineEntry(
              (lane & 1 == 0 ? first : second) << (5 - log2Size), column)
          }
          place += 8
        }
        for row in stride(from: 1, to: size, by: 4) {
          add(row, row + 2, y)
          add(row, row + 2, size / 2 - 1 - y)
        }
        for row in stride(from: 0, to: size, by: 8) {
          add(row, row + 4, y)
          add(row + 2, row + 6, y)
        }
      }
    }
    for column in 0..<4 {
      for row in 0..<4 {
        for lane in 0..<4 {
          let place = (column * 2 + row >> 1) * 8 + (row & 1) + 2 * lane
          unsafe small[place] = TransformMatrices.cosineEntry(row << 3, column)
          unsafe small[64 + place] = TransformMatrices.shared.sine[row * 4 + column]
        }
      }
    }
  }
}

/// The inverse transforms of blocks whose numbers take two bytes, with products of pairs. ISO/IEC 23008-2, 8.6.4.2
///
/// Numbers are held in 16 bits after each stage, as the specification says for the first one. A residual that does not
/// fit is far outside of the range of samples.
enum InverseTransforms {
  // MARK: 4x4

  @inline(__always)
  private static func paired(_ rows: Words) -> Words {
    Words(rows[0], rows[4], rows[1], rows[5], rows[2], rows[6], rows[3], rows[7])
  }

  /// Two rows of sums.
  @inline(__always)
  private static func rows(_ low: Longs, _ high: Longs, isHeld: Bool) -> Words {
    isHeld ? Words(low: held(low), high: held(high)) : Words(low: low, high: high)
  }

  /// Sums held in 16 bits.
  @inline(__always)
  private static func held(_ sums: Longs) -> Longs {
    // Where a number differs from its low half, it becomes the end of the range on its side.
    let sign = sums &>> 31, beyond = (sums &>> 15) ^ sign
    let isBeyond = (beyond | (0 &- beyond)) &>> 31
    return (sums & ~isBeyond) | ((sign ^ 0x7FFF) & isBeyond)
  }

  @unsafe
  @inline(__always)
  static func block4(
    _ source: UnsafePointer<Int16>, _ target: UnsafeMutablePointer<Int16>, isSine: Bool, shift: Int
  ) {
    let matrix = unsafe UnsafePointer(InverseMatrices.shared.small + (isSine ? 64 : 0))
    let a = unsafe Words(at: source), b = unsafe Words(at: source + 8)
    let pairs = (a.signless | b.signless).pairs
    // With magnitudes below 8192, no sum of either stage leaves 16 bits.
    if (pairs[0] | pairs[1]) & 0x6000_6000_6000_6000 == 0 {
      unsafe small4(a, b, target, matrix, Int32(truncatingIfNeeded: shift))
    } else {
      unsafe held4(a, b, target, matrix, Int32(truncatingIfNeeded: shift))
    }
  }

  @unsafe
  @inline(never)
  private static func small4(
    _ a: Words, _ b: Words, _ target: UnsafeMutablePointer<Int16>, _ matrix: UnsafePointer<Int16>,
    _ shift: Int32
  ) {
    unsafe block4(a, b, target, matrix, shift, isHeld: false)
  }

  @unsafe
  @inline(never)
  private static func held4(
    _ a: Words, _ b: Words, _ target: UnsafeMutablePointer<Int16>, _ matrix: UnsafePointer<Int16>,
    _ shift: Int32
  ) {
    unsafe block4(a, b, target, matrix, shift, isHeld: true)
  }

  @unsafe
  @inline(__always)
  private static func block4(
    _ a: Words, _ b: Words, _ target: UnsafeMutablePointer<Int16>, _ matrix: UnsafePointer<Int16>,
    _ shift: Int32, isHeld: Bool
  ) {
    let by = Longs(repeating: shift), round = Longs(repeating: (1 &<< shift) &>> 1)
    let a = paired(a), b = paired(b)
    @inline(__always)
    func row(_ a: Words, _ b: Words, _ row: Int) -> Longs {
      a.pairProducts(unsafe Words(at: matrix + row &* 16))
        &+ b.pairProducts(unsafe Words(at: matrix + (row &* 16 &+ 8)))
    }
    let first = rows((row(a, b, 0) &+ 64) &>> 7, (row(a, b, 1) &+ 64) &>> 7, isHeld: isHeld)
    let second = rows((row(a, b, 2) &+ 64) &>> 7, (row(a, b, 3) &+ 64) &>> 7, isHeld: isHeld)
    let c = first.longs, d = second.longs
    let e = Longs(c[0], c[2], d[0], d[2]).words, f = Longs(c[1], c[3], d[1], d[3]).words
    let p = rows((row(e, f, 0) &+ round) &>> by, (row(e, f, 1) &+ round) &>> by, isHeld: isHeld)
    let q = rows((row(e, f, 2) &+ round) &>> by, (row(e, f, 3) &+ round) &>> by, isHeld: isHeld)
    let g = paired(p).longs, h = paired(q).longs
    unsafe g.low(h).words.store(at: target)
    unsafe g.high(h).words.store(at: target + 8)
  }

  // MARK: 8x8 to 32x32

  /// Transforms a block of which only the first `columns` and `rows`, both multiples of four, have numbers other than
  /// 0.
  ///
  /// - Parameters:
  ///   - between: room for 1280 numbers.
  ///   - sums: room for as many numbers as the block has.
  ///   - shift: 8 or more.
  @unsafe
  static func block(
    _ source: UnsafePointer<Int16>, _ target: UnsafeMutablePointer<Int16>,
    between: UnsafeMutablePointer<Int16>, sums: UnsafeMutablePointer<Int32>, log2Size: Int, columns: Int,
    rows: Int, shift: Int
  ) {
    let size = 1 &<< log2Size, by = Int32(truncatingIfNeeded: shift)
    let matrix = unsafe UnsafePointer(InverseMatrices.shared.pairs + InverseMatrices.start(log2Size))
    guard unsafe fits(source, size, columns, rows, by) else {
      unsafe heldBlock(source, target, between, sums, size, columns, rows, matrix, by)
      return
    }
    if size == 8 {
      unsafe block8(source, target, matrix, by)
    } else {
      unsafe strips(source, target, between, size, columns, rows, matrix, by)
    }
  }

  /// Whether no sum of either stage can leave 16 bits: a sum is at most 90 times the magnitudes of a column, divided by
  /// 128; one of the second stage 64 times all magnitudes, shifted.
  @unsafe
  @inline(__always)
  private static func fits(
    _ source: UnsafePointer<Int16>, _ size: Int, _ columns: Int, _ rows: Int, _ shift: Int32
  ) -> Bool {
    // In units of 32, a sum of 32 magnitudes has room in a lane.
    let most = Words(repeating: 1400)
    var isBeyond = Words(), all = Words()
    var x = 0
    while x < columns {
      var sum = Words(), line = unsafe source + x
      for _ in 0..<rows {
        // The lowest number has no magnitude in 16 bits, but its bits without sign are right.
        sum = sum &+ (((unsafe Words(at: line)).magnitudes &>> 5) & 0x7FF)
        unsafe line += size
      }
      isBeyond = isBeyond | (most &- sum)
      all = all &+ sum
      x = x &+ 8
    }
    let pairs = isBeyond.pairs
    // What the units leave away is less than one for each number.
    return (pairs[0] | pairs[1]) & Int64(bitPattern: 0x8000_8000_8000_8000) == 0
      && (Int(all.signedSum) &+ size &* size) &<< 5 < 511 &<< Int(shift)
  }

  @unsafe
  @inline(never)
  private static func block8(
    _ source: UnsafePointer<Int16>, _ target: UnsafeMutablePointer<Int16>, _ matrix: UnsafePointer<Int16>,
    _ shift: Int32
  ) {
    let between = Lanes.transposed(unsafe columns8(Lanes.load(source, 8), matrix, 7))
    unsafe Lanes.store(Lanes.transposed(columns8(between, matrix, shift)), target, 8)
  }

  @unsafe
  @inline(__always)
  private static func columns8(_ r: WordBlock, _ matrix: UnsafePointer<Int16>, _ shift: Int32) -> WordBlock {
    let left = Longs(repeating: 16 &- shift), round = Longs(repeating: (1 &<< shift) &>> 1)
    let oddLow = r.1.low(r.3), oddHigh = r.1.high(r.3), lastLow = r.5.low(r.7), lastHigh = r.5.high(r.7)
    let evenLow = r.0.low(r.4), evenHigh = r.0.high(r.4), midLow = r.2.low(r.6), midHigh = r.2.high(r.6)
    /// The rows of results `row`, 7 less that, 3 less that and 4 more.
    @inline(__always)
    func four(_ row: Int) -> (Words, Words, Words, Words) {
      let f = unsafe matrix + row &* 48
      let f0 = unsafe Words(at: f), f1 = unsafe Words(at: f + 8), f2 = unsafe Words(at: f + 16)
      let f3 = unsafe Words(at: f + 24), f4 = unsafe Words(at: f + 32), f5 = unsafe Words(at: f + 40)
      let o0 = oddLow.pairProducts(f0) &+ lastLow.pairProducts(f2)
      let p0 = oddHigh.pairProducts(f0) &+ lastHigh.pairProducts(f2)
      let o1 = oddLow.pairProducts(f1) &+ lastLow.pairProducts(f3)
      let p1 = oddHigh.pairProducts(f1) &+ lastHigh.pairProducts(f3)
      let a = evenLow.pairProducts(f4) &+ round, b = evenHigh.pairProducts(f4) &+ round
      let c = midLow.pairProducts(f5), d = midHigh.pairProducts(f5)
      let e0 = a &+ c, g0 = b &+ d, e1 = a &- c, g1 = b &- d
      return (
        Words(low: e0 &+ o0, high: g0 &+ p0, shiftedTo: left),
        Words(low: e0 &- o0, high: g0 &- p0, shiftedTo: left),
        Words(low: e1 &+ o1, high: g1 &+ p1, shiftedTo: left),
        Words(low: e1 &- o1, high: g1 &- p1, shiftedTo: left)
      )
    }
    let x = four(0), y = four(1)
    return (x.0, y.0, y.2, x.2, x.3, y.3, y.1, x.1)
  }

  @unsafe
  @inline(never)
  private static func strips(
    _ source: UnsafePointer<Int16>, _ target: UnsafeMutablePointer<Int16>,
    _ between: UnsafeMutablePointer<Int16>, _ size: Int, _ columns: Int, _ rows: Int,
    _ matrix: UnsafePointer<Int16>, _ shift: Int32
  ) {
    let strip = unsafe between + 1024
    let left = Longs(repeating: 9), lastLeft = Longs(repeating: 16 &- shift)
    unsafe stage(source, size, columns, rows, matrix, strip, 7) { place, low, high in
      unsafe Words(low: low, high: high, shiftedTo: left).store(at: target + place)
    }
    unsafe Lanes.transpose(
      UnsafePointer(target), size, columns: (columns &+ 7) & ~7, rows: size, to: between, size)
    unsafe stage(UnsafePointer(between), size, size, columns, matrix, strip, shift) { place, low, high in
      unsafe Words(low: low, high: high, shiftedTo: lastLeft).store(at: target + place)
    }
    unsafe transpose(target, size)
  }

  /// The same for all numbers: sums take a detour through memory, because only a plain loop holds them fast.
  @unsafe
  @inline(never)
  private static func heldBlock(
    _ source: UnsafePointer<Int16>, _ target: UnsafeMutablePointer<Int16>,
    _ between: UnsafeMutablePointer<Int16>, _ sums: UnsafeMutablePointer<Int32>, _ size: Int, _ columns: Int,
    _ rows: Int, _ matrix: UnsafePointer<Int16>, _ shift: Int32
  ) {
    let strip = unsafe between + 1024, by = Longs(repeating: shift)
    unsafe stage(source, size, columns, rows, matrix, strip, 7) { place, low, high in
      unsafe (low &>> 7).store(at: sums + place)
      unsafe (high &>> 7).store(at: sums + (place &+ 4))
    }
    unsafe hold(sums, target, size &* size)
    unsafe Lanes.transpose(
      UnsafePointer(target), size, columns: (columns &+ 7) & ~7, rows: size, to: between, size)
    unsafe stage(UnsafePointer(between), size, size, columns, matrix, strip, shift) { place, low, high in
      unsafe (low &>> by).store(at: sums + place)
      unsafe (high &>> by).store(at: sums + (place &+ 4))
    }
    unsafe hold(sums, target, size &* size)
    unsafe transpose(target, size)
  }

  @unsafe
  @inline(never)
  private static func hold(
    _ sums: UnsafePointer<Int32>, _ target: UnsafeMutablePointer<Int16>, _ count: Int
  ) {
    for index in 0..<count {
      unsafe target[index] = Int16(truncatingIfNeeded: max(-32768, min(32767, sums[index])))
    }
  }

  /// One stage: eight columns at a time. Rows of the matrix are symmetric or antisymmetric, and so are the halves of
  /// the symmetric ones: four rows of the result share their products. `store` shifts the sums.
  @unsafe
  @inline(__always)
  private static func stage(
    _ source: UnsafePointer<Int16>, _ size: Int, _ columns: Int, _ rows: Int, _ matrix: UnsafePointer<Int16>,
    _ strip: UnsafeMutablePointer<Int16>, _ shift: Int32, _ store: (Int, Longs, Longs) -> Void
  ) {
    let round = Longs(repeating: (1 &<< shift) &>> 1)
    let half = size &>> 1, odds = rows &>> 2, evens = (rows &+ 7) &>> 3
    let even = unsafe strip + 128, factorCount = InverseMatrices.count(size)
    var x = 0
    while x < columns {
      // Pairs of rows: 1 and 3, 5 and 7, and so on; 0 and 4; 2 and 6.
      var line = unsafe source + (x &+ size), to = unsafe strip
      for _ in 0..<odds {
        let a = unsafe Words(at: line), b = unsafe Words(at: line + 2 &* size)
        unsafe a.low(b).store(at: to)
        unsafe a.high(b).store(at: to + 8)
        unsafe line += 4 &* size
        unsafe to += 16
      }
      unsafe line = source + x
      unsafe to = even
      for _ in 0..<evens {
        let a = unsafe Words(at: line), b = unsafe Words(at: line + 4 &* size)
        let c = unsafe Words(at: line + 2 &* size), d = unsafe Words(at: line + 6 &* size)
        unsafe a.low(b).store(at: to)
        unsafe a.high(b).store(at: to + 8)
        unsafe c.low(d).store(at: to + 16)
        unsafe c.high(d).store(at: to + 24)
        unsafe line += 8 &* size
        unsafe to += 32
      }
      for y in 0..<(half &>> 1) {
        var low0 = Longs(), high0 = Longs(), low1 = Longs(), high1 = Longs()
        var from = unsafe UnsafePointer(strip), factors = unsafe matrix + y &* factorCount
        for _ in 0..<odds {
          let low = unsafe Words(at: from), high = unsafe Words(at: from + 8)
          let f = unsafe Words(at: factors), g = unsafe Words(at: factors + 8)
          low0 = low0 &+ low.pairProducts(f)
          high0 = high0 &+ high.pairProducts(f)
          low1 = low1 &+ low.pairProducts(g)
          high1 = high1 &+ high.pairProducts(g)
          unsafe from += 16
          unsafe factors += 16
        }
        var a = round, b = round, c = Longs(), d = Longs()
        unsafe from = UnsafePointer(even)
        unsafe factors = matrix + (y &* factorCount &+ 4 &* size)
        for _ in 0..<evens {
          let f = unsafe Words(at: factors), g = unsafe Words(at: factors + 8)
          a = a &+ (unsafe Words(at: from)).pairProducts(f)
          b = b &+ (unsafe Words(at: from + 8)).pairProducts(f)
          c = c &+ (unsafe Words(at: from + 16)).pairProducts(g)
          d = d &+ (unsafe Words(at: from + 24)).pairProducts(g)
          unsafe from += 32
          unsafe factors += 16
        }
        let e0 = a &+ c, g0 = b &+ d, e1 = a &- c, g1 = b &- d
        store(y &* size &+ x, e0 &+ low0, g0 &+ high0)
        store((size &- 1 &- y) &* size &+ x, e0 &- low0, g0 &- high0)
        store((half &- 1 &- y) &* size &+ x, e1 &+ low1, g1 &+ high1)
        store((half &+ y) &* size &+ x, e1 &- low1, g1 &- high1)
      }
      x = x &+ 8
    }
  }

  /// Transposes a block in its place.
  @unsafe
  @inline(__always)
  private static func transpose(_ block: UnsafeMutablePointer<Int16>, _ size: Int) {
    var y = 0
    while y < size {
      let p = unsafe block + (y &* size &+ y)
      unsafe Lanes.store(Lanes.transposed(Lanes.load(UnsafePointer(p), size)), p, size)
      var x = y &+ 8
      while x < size {
        let p = unsafe block + (y &* size &+ x), q = unsafe block + (x &* size &+ y)
        let a = unsafe Lanes.transposed(Lanes.load(UnsafePointer(p), size))
        let b = unsafe Lanes.transposed(Lanes.load(UnsafePointer(q), size))
        unsafe Lanes.store(a, q, size)
        unsafe Lanes.store(b, p, size)
        x = x &+ 8
      }
      y = y &+ 8
    }
  }
}
