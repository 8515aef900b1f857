// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Memory for the forward transform of a block; one for each thread.
///
/// A plain value that owns nothing: whoever makes it frees it.
package struct ForwardTransformMemory: @unchecked Sendable {
  /// The values between the two stages, and the result before its last transposition.
  let between: Memory<Int16>
  /// Sums and differences of eight columns.
  let strip: Memory<Int16>

  package init() {
    between = Memory(count: 1024, repeating: 0)
    strip = Memory(count: 640, repeating: 0)
  }

  package func free() {
    between.free()
    strip.free()
  }
}

/// The matrices of the transforms, in pairs of entries as the products of ``SIMD8/pairProducts(_:)`` need them.
@safe
private struct ForwardMatrices: @unchecked Sendable {
  static let shared = ForwardMatrices()

  /// For each size from 4 to 32 and each row of its matrix, every pair of entries four times.
  let cosine: UnsafeMutablePointer<Int16>
  let sine: UnsafeMutablePointer<Int16>

  /// Where the matrix of a size begins.
  @inline(__always)
  static func start(_ log2Size: Int) -> Int { (log2Size &- 2) &* 4096 }

  private init() {
    unsafe cosine = UnsafeMutablePointer<Int16>.allocate(capacity: 4 * 4096)
    unsafe sine = UnsafeMutablePointer<Int16>.allocate(capacity: 64)
    unsafe cosine.initialize(repeating: 0, count: 4 * 4096)
    for log2Size in 2...5 {
      let size = 1 << log2Size
      for row in 0..<size {
        for column in 0..<size {
          let entry = TransformMatrices.cosineEntry(row << (5 - log2Size), column)
          let place = Self.start(log2Size) + row * size * 4 + (column >> 1) * 8 + (column & 1)
          for lane in 0..<4 { unsafe cosine[place + 2 * lane] = entry }
        }
      }
    }
    for index in 0..<16 {
      let entry = unsafe TransformMatrices.shared.sine[index]
      for lane in 0..<4 { unsafe sine[(index >> 1) * 8 + (index & 1) + 2 * lane] = entry }
    }
  }
}

/// From residuals to coefficients: the transforms whose inverses are those of ISO/IEC 23008-2, 8.6.4.2, in the scale
/// that those expect, with rounding to the nearest in each of both stages.
///
/// Results are exact for every residual that is the difference of two samples of 8 to 12 bits.
package enum ForwardTransformKernels {
  /// Writes the differences of a block of one plane and one of another, row by row without gaps.
  ///
  /// - Returns: a number that has all bits that the magnitude of any difference has; 0 if there is no difference. For
  ///   blocks outside of their planes, nothing is written, and it is 0 too.
  @discardableResult
  package static func subtract(
    _ plane: Plane, _ prediction: Plane, _ at: DifferenceKernels.Places, size: Int, to residual: Memory<Int16>
  ) -> Int {
    guard size & 3 == 0, plane.contains(x: at.x, y: at.y, width: size, height: size),
      prediction.contains(x: at.otherX, y: at.otherY, width: size, height: size),
      plane.isWide == prediction.isWide, residual.count >= size &* size
    else { return 0 }
    let a = at.y &* plane.stride &+ at.x, b = at.otherY &* prediction.stride &+ at.otherX
    if plane.isWide {
      return unsafe subtract(
        UnsafePointer(plane.samples(UInt16.self) + a), plane.stride,
        UnsafePointer(prediction.samples(UInt16.self) + b), prediction.stride, size, residual.base)
    }
    return unsafe subtract(
      UnsafePointer(plane.samples(UInt8.self) + a), plane.stride,
      UnsafePointer(prediction.samples(UInt8.self) + b), prediction.stride, size, residual.base)
  }

  @unsafe
  @inline(never)
  private static func subtract(
    _ a: UnsafePointer<UInt8>, _ strideA: Int, _ b: UnsafePointer<UInt8>, _ strideB: Int, _ size: Int,
    _ target: UnsafeMutablePointer<Int16>
  ) -> Int {
    var p = unsafe a, q = unsafe b, to = unsafe target
    if size == 4 {
      var bits: Int16 = 0
      for _ in 0..<4 {
        for x in 0..<4 {
          let difference = unsafe Int16(p[x]) &- Int16(q[x])
          unsafe to[x] = difference
          bits |= Int16(truncatingIfNeeded: difference.magnitude)
        }
        unsafe p += strideA
        unsafe q += strideB
        unsafe to += 4
      }
      return Int(bits)
    }
    var bits = Words()
    for _ in 0..<size {
      var x = 0
      while x < size {
        let difference = unsafe Words(at: p + x) &- Words(at: q + x)
        unsafe difference.store(at: to + x)
        bits = bits | difference.magnitudes
        x = x &+ 8
      }
      unsafe p += strideA
      unsafe q += strideB
      unsafe to += size
    }
    return anyBits(bits)
  }

  @unsafe
  @inline(never)
  private static func subtract(
    _ a: UnsafePointer<UInt16>, _ strideA: Int, _ b: UnsafePointer<UInt16>, _ strideB: Int, _ size: Int,
    _ target: UnsafeMutablePointer<Int16>
  ) -> Int {
    var p = unsafe a, q = unsafe b, to = unsafe target
    if size == 4 {
      var bits: Int16 = 0
      for _ in 0..<4 {
        for x in 0..<4 {
          let difference = unsafe Int16(truncatingIfNeeded: p[x]) &- Int16(truncatingIfNeeded: q[x])
          unsafe to[x] = difference
          bits |= Int16(truncatingIfNeeded: difference.magnitude)
        }
        unsafe p += strideA
        unsafe q += strideB
        unsafe to += 4
      }
      return Int(bits)
    }
    var bits = Words()
    for _ in 0..<size {
      var x = 0
      while x < size {
        let difference = unsafe Words(at: p + x) &- Words(at: q + x)
        unsafe difference.store(at: to + x)
        bits = bits | difference.magnitudes
        x = x &+ 8
      }
      unsafe p += strideA
      unsafe q += strideB
      unsafe to += size
    }
    return anyBits(bits)
  }

  @inline(__always)
  private static func anyBits(_ bits: Words) -> Int {
    let pairs = bits.pairs
    let all = pairs[0] | pairs[1], half = all | all &>> 32
    return Int((half | half &>> 16) & 0x7FFF)
  }

  /// The transform of a block of 4x4 to 32x32, row by row without gaps.
  package static func transform(
    _ residual: Memory<Int16>, to coefficients: Memory<Int16>, log2Size: Int, isSine: Bool, bitDepth: Int,
    _ memory: ForwardTransformMemory
  ) {
    let count = 1 &<< (2 &* log2Size)
    guard log2Size >= 2, log2Size <= 5, bitDepth >= 8, bitDepth <= 12, residual.count >= count,
      coefficients.count >= count
    else { return }
    let source = unsafe UnsafePointer(residual.base)
    let matrix = unsafe UnsafePointer(ForwardMatrices.shared.cosine + ForwardMatrices.start(log2Size))
    let shift = log2Size &+ bitDepth &- 9
    switch log2Size {
    case 2:
      let pairs = unsafe isSine ? UnsafePointer(ForwardMatrices.shared.sine) : matrix
      unsafe transform4(source, coefficients.base, pairs, Int32(truncatingIfNeeded: shift))
    case 3:
      unsafe transform8(source, coefficients.base, matrix, Int32(truncatingIfNeeded: shift))
    default:
      unsafe transformStrips(
        source, coefficients.base, log2Size, matrix, Int32(truncatingIfNeeded: shift), memory.between.base,
        memory.strip.base)
    }
  }

  // MARK: 4x4

  /// Pairs of two rows: the first and the second one, lane by lane.
  @inline(__always)
  private static func paired(_ rows: Words) -> Words {
    Words(rows[0], rows[4], rows[1], rows[5], rows[2], rows[6], rows[3], rows[7])
  }

  @unsafe
  @inline(never)
  private static func transform4(
    _ source: UnsafePointer<Int16>, _ target: UnsafeMutablePointer<Int16>, _ matrix: UnsafePointer<Int16>,
    _ shift: Int32
  ) {
    let a = paired(unsafe Words(at: source)), b = paired(unsafe Words(at: source + 8))
    let by = Longs(repeating: shift), round = Longs(repeating: (1 &<< shift) &>> 1)
    @inline(__always)
    func row(_ a: Words, _ b: Words, _ row: Int) -> Longs {
      a.pairProducts(unsafe Words(at: matrix + row &* 16))
        &+ b.pairProducts(unsafe Words(at: matrix + (row &* 16 &+ 8)))
    }
    let first = Words(low: (row(a, b, 0) &+ round) &>> by, high: (row(a, b, 1) &+ round) &>> by)
    let second = Words(low: (row(a, b, 2) &+ round) &>> by, high: (row(a, b, 3) &+ round) &>> by)
    // The second stage is one of rows: their pairs are beside each other already.
    let c = first.longs, d = second.longs
    let e = Longs(c[0], c[2], d[0], d[2]).words, f = Longs(c[1], c[3], d[1], d[3]).words
    let p = Words(low: (row(e, f, 0) &+ 128) &>> 8, high: (row(e, f, 1) &+ 128) &>> 8)
    let q = Words(low: (row(e, f, 2) &+ 128) &>> 8, high: (row(e, f, 3) &+ 128) &>> 8)
    let g = paired(p).longs, h = paired(q).longs
    unsafe g.low(h).words.store(at: target)
    unsafe g.high(h).words.store(at: target + 8)
  }

  // MARK: 8x8

  /// The transform of eight columns, whose sums of four numbers fit into 16 bits.
  @unsafe
  @inline(__always)
  private static func columns8(_ r: WordBlock, _ matrix: UnsafePointer<Int16>, _ shift: Int32) -> WordBlock {
    let by = Longs(repeating: shift), round = Longs(repeating: (1 &<< shift) &>> 1)
    let e0 = r.0 &+ r.7, e1 = r.1 &+ r.6, e2 = r.2 &+ r.5, e3 = r.3 &+ r.4
    let o0 = r.0 &- r.7, o1 = r.1 &- r.6, o2 = r.2 &- r.5, o3 = r.3 &- r.4
    let ee0 = e0 &+ e3, ee1 = e1 &+ e2, eo0 = e0 &- e3, eo1 = e1 &- e2
    let evenLow = ee0.low(ee1), evenHigh = ee0.high(ee1), middleLow = eo0.low(eo1)
    let middleHigh = eo0.high(eo1)
    let oddLow0 = o0.low(o1), oddHigh0 = o0.high(o1), oddLow1 = o2.low(o3), oddHigh1 = o2.high(o3)
    @inline(__always)
    func one(_ low: Words, _ high: Words, _ row: Int) -> Words {
      let factors = unsafe Words(at: matrix + row &* 32)
      return Words(
        low: (low.pairProducts(factors) &+ round) &>> by, high: (high.pairProducts(factors) &+ round) &>> by)
    }
    @inline(__always)
    func odd(_ row: Int) -> Words {
      let f0 = unsafe Words(at: matrix + row &* 32), f1 = unsafe Words(at: matrix + (row &* 32 &+ 8))
      return Words(
        low: (oddLow0.pairProducts(f0) &+ oddLow1.pairProducts(f1) &+ round) &>> by,
        high: (oddHigh0.pairProducts(f0) &+ oddHigh1.pairProducts(f1) &+ round) &>> by)
    }
    return (
      one(evenLow, evenHigh, 0), odd(1), one(middleLow, middleHigh, 2), odd(3), one(evenLow, evenHigh, 4),
      odd(5), one(middleLow, middleHigh, 6), odd(7)
    )
  }

  /// The same for all numbers.
  @unsafe
  @inline(__always)
  private static func allColumns8(_ r: WordBlock, _ matrix: UnsafePointer<Int16>, _ shift: Int32) -> WordBlock
  {
    let by = Longs(repeating: shift), round = Longs(repeating: (1 &<< shift) &>> 1)
    let low0 = r.0.low(r.1), high0 = r.0.high(r.1), low1 = r.2.low(r.3), high1 = r.2.high(r.3)
    let low2 = r.4.low(r.5), high2 = r.4.high(r.5), low3 = r.6.low(r.7), high3 = r.6.high(r.7)
    @inline(__always)
    func one(_ row: Int) -> Words {
      let f0 = unsafe Words(at: matrix + row &* 32), f1 = unsafe Words(at: matrix + (row &* 32 &+ 8))
      let f2 = unsafe Words(at: matrix + (row &* 32 &+ 16)), f3 = unsafe Words(at: matrix + (row &* 32 &+ 24))
      let low =
        (low0.pairProducts(f0) &+ low1.pairProducts(f1)) &+ (low2.pairProducts(f2) &+ low3.pairProducts(f3))
      let high =
        (high0.pairProducts(f0) &+ high1.pairProducts(f1))
        &+ (high2.pairProducts(f2) &+ high3.pairProducts(f3))
      return Words(low: (low &+ round) &>> by, high: (high &+ round) &>> by)
    }
    return (one(0), one(1), one(2), one(3), one(4), one(5), one(6), one(7))
  }

  @unsafe
  @inline(never)
  private static func transform8(
    _ source: UnsafePointer<Int16>, _ target: UnsafeMutablePointer<Int16>, _ matrix: UnsafePointer<Int16>,
    _ shift: Int32
  ) {
    let between = Lanes.transposed(unsafe columns8(Lanes.load(source, 8), matrix, shift))
    let bits =
      (between.0.signless | between.1.signless | between.2.signless | between.3.signless)
      | (between.4.signless | between.5.signless | between.6.signless | between.7.signless)
    if isSmall(bits) {
      unsafe Lanes.store(Lanes.transposed(columns8(between, matrix, 9)), target, 8)
    } else {
      unsafe finish8(between, target, matrix)
    }
  }

  /// The second stage if numbers are large, which is rare.
  @unsafe
  @inline(never)
  private static func finish8(
    _ between: WordBlock, _ target: UnsafeMutablePointer<Int16>, _ matrix: UnsafePointer<Int16>
  ) {
    unsafe Lanes.store(Lanes.transposed(allColumns8(between, matrix, 9)), target, 8)
  }

  /// Whether four numbers with no other bits than these can be added in 16 bits.
  @inline(__always)
  private static func isSmall(_ bits: Words) -> Bool {
    let pairs = bits.pairs
    return (pairs[0] | pairs[1]) & 0x6000_6000_6000_6000 == 0
  }

  // MARK: 16x16 and 32x32

  @unsafe
  @inline(never)
  private static func transformStrips(
    _ source: UnsafePointer<Int16>, _ target: UnsafeMutablePointer<Int16>, _ log2Size: Int,
    _ matrix: UnsafePointer<Int16>, _ shift: Int32, _ between: UnsafeMutablePointer<Int16>,
    _ strip: UnsafeMutablePointer<Int16>
  ) {
    let size = 1 &<< log2Size
    let bits = unsafe stage(source, between, size, matrix, strip, shift)
    unsafe Lanes.transpose(UnsafePointer(between), size, columns: size, rows: size, to: target, size)
    let shift2 = Int32(truncatingIfNeeded: log2Size &+ 6)
    if isSmall(bits) {
      unsafe _ = stage(UnsafePointer(target), between, size, matrix, strip, shift2)
    } else {
      unsafe wholeStage(UnsafePointer(target), between, size, matrix, strip, shift2)
    }
    unsafe Lanes.transpose(UnsafePointer(between), size, columns: size, rows: size, to: target, size)
  }

  /// The transform of all columns, eight at a time, whose sums of four numbers fit into 16 bits: rows of the matrix
  /// are symmetric or antisymmetric, and so are the halves of the symmetric ones.
  ///
  /// - Returns: the bits of all results.
  @unsafe
  @inline(__always)
  private static func stage(
    _ source: UnsafePointer<Int16>, _ target: UnsafeMutablePointer<Int16>, _ size: Int,
    _ matrix: UnsafePointer<Int16>, _ strip: UnsafeMutablePointer<Int16>, _ shift: Int32
  ) -> Words {
    let half = size &>> 1, quarter = size &>> 2, step = size &* 4
    let by = Longs(repeating: shift), round = Longs(repeating: (1 &<< shift) &>> 1)
    // Pairs of differences of the whole, of its half, and of sums; and the sums between.
    let odd = unsafe strip, even = unsafe strip + 256, middle = unsafe strip + 384
    let outer = unsafe strip + 512
    var bits = Words()
    var x = 0
    while x < size {
      let p = unsafe source + x
      var i = 0
      while i < half {
        let a = unsafe Words(at: p + i &* size), b = unsafe Words(at: p + (size &- 1 &- i) &* size)
        let c = unsafe Words(at: p + (i &+ 1) &* size), d = unsafe Words(at: p + (size &- 2 &- i) &* size)
        unsafe (a &+ b).store(at: even + i &* 8)
        unsafe (c &+ d).store(at: even + (i &* 8 &+ 8))
        let e = a &- b, f = c &- d
        unsafe e.low(f).store(at: odd + i &* 8)
        unsafe e.high(f).store(at: odd + (i &* 8 &+ 8))
        i = i &+ 2
      }
      i = 0
      while i < quarter {
        let a = unsafe Words(at: even + i &* 8), b = unsafe Words(at: even + (half &- 1 &- i) &* 8)
        let c = unsafe Words(at: even + (i &* 8 &+ 8)), d = unsafe Words(at: even + (half &- 2 &- i) &* 8)
        let e = a &+ b, f = c &+ d, g = a &- b, h = c &- d
        unsafe e.low(f).store(at: outer + i &* 8)
        unsafe e.high(f).store(at: outer + (i &* 8 &+ 8))
        unsafe g.low(h).store(at: middle + i &* 8)
        unsafe g.high(h).store(at: middle + (i &* 8 &+ 8))
        i = i &+ 2
      }
      /// Two rows of results, which share the numbers that they are made of.
      @inline(__always)
      func rows(_ row: Int, _ apart: Int, _ data: UnsafeMutablePointer<Int16>, _ pairs: Int) {
        var low0 = round, high0 = round, low1 = round, high1 = round
        var from = unsafe UnsafePointer(data), factors = unsafe matrix + row &* step
        let other = apart &* step
        var pair = 0
        while pair < pairs {
          let low = unsafe Words(at: from), high = unsafe Words(at: from + 8)
          let f = unsafe Words(at: factors), g = unsafe Words(at: factors + other)
          low0 = low0 &+ low.pairProducts(f)
          high0 = high0 &+ high.pairProducts(f)
          low1 = low1 &+ low.pairProducts(g)
          high1 = high1 &+ high.pairProducts(g)
          unsafe from += 16
          unsafe factors += 8
          pair = pair &+ 1
        }
        let first = Words(low: low0 &>> by, high: high0 &>> by)
        let second = Words(low: low1 &>> by, high: high1 &>> by)
        bits = bits | first.signless | second.signless
        unsafe first.store(at: target + (row &* size &+ x))
        unsafe second.store(at: target + ((row &+ apart) &* size &+ x))
      }
      var row = 1
      while row < size {
        unsafe rows(row, 2, odd, quarter)
        row = row &+ 4
      }
      row = 2
      while row < size {
        unsafe rows(row, 4, middle, quarter &>> 1)
        row = row &+ 8
      }
      row = 0
      while row < size {
        unsafe rows(row, 4, outer, quarter &>> 1)
        row = row &+ 8
      }
      x = x &+ 8
    }
    return bits
  }

  /// The same for all numbers, without symmetries.
  @unsafe
  @inline(never)
  private static func wholeStage(
    _ source: UnsafePointer<Int16>, _ target: UnsafeMutablePointer<Int16>, _ size: Int,
    _ matrix: UnsafePointer<Int16>, _ strip: UnsafeMutablePointer<Int16>, _ shift: Int32
  ) {
    let by = Longs(repeating: shift), round = Longs(repeating: (1 &<< shift) &>> 1)
    var x = 0
    while x < size {
      let p = unsafe source + x
      var i = 0
      while i < size {
        let a = unsafe Words(at: p + i &* size), b = unsafe Words(at: p + (i &+ 1) &* size)
        unsafe a.low(b).store(at: strip + i &* 8)
        unsafe a.high(b).store(at: strip + (i &* 8 &+ 8))
        i = i &+ 2
      }
      for row in 0..<size {
        var low = round, high = round
        var from = unsafe UnsafePointer(strip), factors = unsafe matrix + row &* size &* 4
        var pair = 0
        while pair < size &>> 1 {
          let f = unsafe Words(at: factors)
          low = low &+ (unsafe Words(at: from)).pairProducts(f)
          high = high &+ (unsafe Words(at: from + 8)).pairProducts(f)
          unsafe from += 16
          unsafe factors += 8
          pair = pair &+ 1
        }
        unsafe Words(low: low &>> by, high: high &>> by).store(at: target + (row &* size &+ x))
      }
      x = x &+ 8
    }
  }
}
