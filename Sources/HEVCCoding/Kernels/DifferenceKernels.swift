// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// How much two blocks of samples differ, for the choices of an encoder.
///
/// Blocks have any width and height; those of multiples of eight are fastest. A block that is not inside its plane, or
/// planes of different forms, cost ``unreachable``, so that nothing chooses them.
@usableFromInline
package enum DifferenceKernels {
  /// More than any block costs, and small enough to be added to other costs.
  package static var unreachable: Int { 1 &<< 48 }

  /// A block of one plane and one of the same size of another.
  package struct Places {
    package var x: Int
    package var y: Int
    package var otherX: Int
    package var otherY: Int

    @inlinable
    package init(x: Int, y: Int, otherX: Int, otherY: Int) {
      self.x = x
      self.y = y
      self.otherX = otherX
      self.otherY = otherY
    }
  }

  @inline(__always)
  private static func isInside(
    _ plane: Plane, _ other: Plane, _ at: Places, _ width: Int, _ height: Int
  ) -> Bool {
    plane.isWide == other.isWide && plane.contains(x: at.x, y: at.y, width: width, height: height)
      && other.contains(x: at.otherX, y: at.otherY, width: width, height: height)
  }

  // MARK: Absolute differences

  /// The sum of absolute differences.
  package static func sad(_ plane: Plane, _ other: Plane, _ at: Places, width: Int, height: Int) -> Int {
    guard isInside(plane, other, at, width, height) else { return unreachable }
    let a = at.y &* plane.stride &+ at.x, b = at.otherY &* other.stride &+ at.otherX
    if plane.isWide {
      return unsafe wideSad(
        UnsafePointer(plane.samples(UInt16.self) + a), plane.stride,
        UnsafePointer(other.samples(UInt16.self) + b), other.stride, width, height)
    }
    let p = unsafe UnsafePointer(plane.samples(UInt8.self) + a)
    let q = unsafe UnsafePointer(other.samples(UInt8.self) + b)
    switch width {
    case 8: return unsafe sad8(p, plane.stride, q, other.stride, height)
    case 16: return unsafe sad16(p, plane.stride, q, other.stride, height)
    case 32: return unsafe sad32(p, plane.stride, q, other.stride, height)
    case 64: return unsafe sad64(p, plane.stride, q, other.stride, height)
    default: return unsafe byteSad(p, plane.stride, q, other.stride, width, height)
    }
  }

  /// Eight differences. The number must be a literal, and neither 4 nor more than 16.
  @unsafe
  @inline(__always)
  private static func eight(_ p: UnsafePointer<UInt8>, _ q: UnsafePointer<UInt8>) -> UInt32 {
    var sum: UInt32 = 0
    for x in 0..<8 { unsafe sum &+= (Int32(p[x]) &- Int32(q[x])).magnitude }
    return sum
  }

  @unsafe
  @inline(__always)
  private static func sixteen(_ p: UnsafePointer<UInt8>, _ q: UnsafePointer<UInt8>) -> UInt32 {
    var sum: UInt32 = 0
    for x in 0..<16 { unsafe sum &+= (Int32(p[x]) &- Int32(q[x])).magnitude }
    return sum
  }

  // One function for each width: their loops would become slow together.

  @unsafe
  @inline(never)
  private static func sad8(
    _ a: UnsafePointer<UInt8>, _ strideA: Int, _ b: UnsafePointer<UInt8>, _ strideB: Int, _ height: Int
  ) -> Int {
    var sum: UInt32 = 0, p = unsafe a, q = unsafe b
    for _ in 0..<height {
      unsafe sum &+= eight(p, q)
      unsafe p += strideA
      unsafe q += strideB
    }
    return Int(sum)
  }

  @unsafe
  @inline(never)
  private static func sad16(
    _ a: UnsafePointer<UInt8>, _ strideA: Int, _ b: UnsafePointer<UInt8>, _ strideB: Int, _ height: Int
  ) -> Int {
    var sum: UInt32 = 0, p = unsafe a, q = unsafe b, y = 0
    while y &+ 2 <= height {
      let p2 = unsafe p + strideA, q2 = unsafe q + strideB
      var rows: UInt32 = 0
      for x in 0..<16 { unsafe rows &+= (Int32(p[x]) &- Int32(q[x])).magnitude }
      for x in 0..<16 { unsafe rows &+= (Int32(p2[x]) &- Int32(q2[x])).magnitude }
      sum &+= rows
      unsafe p = p2 + strideA
      unsafe q = q2 + strideB
      y = y &+ 2
    }
    if y < height { unsafe sum &+= sixteen(p, q) }
    return Int(sum)
  }

  @unsafe
  @inline(never)
  private static func sad32(
    _ a: UnsafePointer<UInt8>, _ strideA: Int, _ b: UnsafePointer<UInt8>, _ strideB: Int, _ height: Int
  ) -> Int {
    var sum: UInt32 = 0, p = unsafe a, q = unsafe b
    for _ in 0..<height {
      unsafe sum &+= sixteen(p, q) &+ sixteen(p + 16, q + 16)
      unsafe p += strideA
      unsafe q += strideB
    }
    return Int(sum)
  }

  @unsafe
  @inline(never)
  private static func sad64(
    _ a: UnsafePointer<UInt8>, _ strideA: Int, _ b: UnsafePointer<UInt8>, _ strideB: Int, _ height: Int
  ) -> Int {
    var sum: UInt32 = 0, p = unsafe a, q = unsafe b
    for _ in 0..<height {
      unsafe sum &+=
        (sixteen(p, q) &+ sixteen(p + 16, q + 16))
        &+ (sixteen(p + 32, q + 32) &+ sixteen(p + 48, q + 48))
      unsafe p += strideA
      unsafe q += strideB
    }
    return Int(sum)
  }

  /// Any width.
  @unsafe
  @inline(never)
  private static func byteSad(
    _ a: UnsafePointer<UInt8>, _ strideA: Int, _ b: UnsafePointer<UInt8>, _ strideB: Int, _ width: Int,
    _ height: Int
  ) -> Int {
    var total = 0, p = unsafe a, q = unsafe b
    for _ in 0..<height {
      var sum: UInt32 = 0, x = 0
      while x &+ 8 <= width {
        unsafe sum &+= eight(p + x, q + x)
        x = x &+ 8
      }
      while x < width {
        unsafe sum &+= (Int32(p[x]) &- Int32(q[x])).magnitude
        x = x &+ 1
      }
      total = total &+ Int(sum)
      unsafe p += strideA
      unsafe q += strideB
    }
    return total
  }

  /// Samples of two bytes; up to 12 bits, eight rows of lanes add up to 16 bits.
  @unsafe
  @inline(never)
  private static func wideSad(
    _ a: UnsafePointer<UInt16>, _ strideA: Int, _ b: UnsafePointer<UInt16>, _ strideB: Int, _ width: Int,
    _ height: Int
  ) -> Int {
    var total = 0, p = unsafe a, q = unsafe b
    for _ in 0..<height {
      var sums = Longs(), x = 0
      while x &+ 8 <= width {
        let difference = unsafe (Words(at: p + x) &- Words(at: q + x)).magnitudes.longs
        sums = sums &+ (difference & 0xFFFF) &+ ((difference &>> 16) & 0xFFFF)
        x = x &+ 8
      }
      total = total &+ Int(sums.sum)
      while x < width {
        unsafe total = total &+ abs(Int(p[x]) &- Int(q[x]))
        x = x &+ 1
      }
      unsafe p += strideA
      unsafe q += strideB
    }
    return total
  }

  // MARK: Squares

  /// The sum of squared differences.
  package static func squares(_ plane: Plane, _ other: Plane, _ at: Places, width: Int, height: Int) -> Int {
    guard isInside(plane, other, at, width, height) else { return unreachable }
    let a = at.y &* plane.stride &+ at.x, b = at.otherY &* other.stride &+ at.otherX
    if plane.isWide {
      return unsafe wideSquares(
        UnsafePointer(plane.samples(UInt16.self) + a), plane.stride,
        UnsafePointer(other.samples(UInt16.self) + b), other.stride, width, height)
    }
    return unsafe byteSquares(
      UnsafePointer(plane.samples(UInt8.self) + a), plane.stride,
      UnsafePointer(other.samples(UInt8.self) + b), other.stride, width, height)
  }

  @inline(__always)
  private static func total64(_ sums: Longs) -> Int {
    (Int(sums[0]) &+ Int(sums[1])) &+ (Int(sums[2]) &+ Int(sums[3]))
  }

  /// Four lanes of 32 bits have room for more than 130 000 squares of bytes.
  @unsafe
  @inline(never)
  private static func byteSquares(
    _ a: UnsafePointer<UInt8>, _ strideA: Int, _ b: UnsafePointer<UInt8>, _ strideB: Int, _ width: Int,
    _ height: Int
  ) -> Int {
    var total = 0, p = unsafe a, q = unsafe b
    var sums = Longs(), taken = 0
    for _ in 0..<height {
      var x = 0
      while x &+ 8 <= width {
        let difference = unsafe Words(at: p + x) &- Words(at: q + x)
        sums = sums &+ difference.pairProducts(difference)
        x = x &+ 8
      }
      while x < width {
        let difference = unsafe Int(p[x]) &- Int(q[x])
        total = total &+ difference &* difference
        x = x &+ 1
      }
      taken = taken &+ width
      if taken > 1 &<< 16 {
        total = total &+ total64(sums)
        sums = Longs()
        taken = 0
      }
      unsafe p += strideA
      unsafe q += strideB
    }
    return total &+ total64(sums)
  }

  @unsafe
  @inline(never)
  private static func wideSquares(
    _ a: UnsafePointer<UInt16>, _ strideA: Int, _ b: UnsafePointer<UInt16>, _ strideB: Int, _ width: Int,
    _ height: Int
  ) -> Int {
    var total = 0, p = unsafe a, q = unsafe b
    for _ in 0..<height {
      var x = 0
      while x &+ 8 <= width {
        var sums = Longs()
        let end = min(width & ~7, x &+ 64)
        while x < end {
          let difference = unsafe Words(at: p + x) &- Words(at: q + x)
          sums = sums &+ difference.pairProducts(difference)
          x = x &+ 8
        }
        total = total &+ total64(sums)
      }
      while x < width {
        let difference = unsafe Int(p[x]) &- Int(q[x])
        total = total &+ difference &* difference
        x = x &+ 1
      }
      unsafe p += strideA
      unsafe q += strideB
    }
    return total
  }

  // MARK: Transformed differences

  /// The sum of the magnitudes of the differences, transformed by Hadamard's matrix in blocks of 8x8 (a quarter of the
  /// sum of each) where width and height are multiples of eight, or else in blocks of 4x4 (half of it). Width and
  /// height are multiples of four; samples have at most 10 bits.
  package static func satd(_ plane: Plane, _ other: Plane, _ at: Places, width: Int, height: Int) -> Int {
    guard isInside(plane, other, at, width, height), (width | height) & 3 == 0, plane.bitDepth <= 10 else {
      return unreachable
    }
    let a = at.y &* plane.stride &+ at.x, b = at.otherY &* other.stride &+ at.otherX
    let isLarge = (width | height) & 7 == 0
    if plane.isWide {
      let p = unsafe UnsafePointer(plane.samples(UInt16.self) + a)
      let q = unsafe UnsafePointer(other.samples(UInt16.self) + b)
      return unsafe isLarge
        ? wideSatd8(p, plane.stride, q, other.stride, width, height)
        : wideSatd4(p, plane.stride, q, other.stride, width, height)
    }
    let p = unsafe UnsafePointer(plane.samples(UInt8.self) + a)
    let q = unsafe UnsafePointer(other.samples(UInt8.self) + b)
    return unsafe isLarge
      ? byteSatd8(p, plane.stride, q, other.stride, width, height)
      : byteSatd4(p, plane.stride, q, other.stride, width, height)
  }

  /// Three levels of a transform of columns.
  @inline(__always)
  private static func columns(_ r: WordBlock) -> WordBlock {
    let t = twoLevels(r)
    return (
      t.0 &+ t.1, t.0 &- t.1, t.2 &+ t.3, t.2 &- t.3, t.4 &+ t.5, t.4 &- t.5, t.6 &+ t.7, t.6 &- t.7
    )
  }

  @inline(__always)
  private static func twoLevels(_ r: WordBlock) -> WordBlock {
    let a0 = r.0 &+ r.4, a4 = r.0 &- r.4, a1 = r.1 &+ r.5, a5 = r.1 &- r.5
    let a2 = r.2 &+ r.6, a6 = r.2 &- r.6, a3 = r.3 &+ r.7, a7 = r.3 &- r.7
    return (a0 &+ a2, a1 &+ a3, a0 &- a2, a1 &- a3, a4 &+ a6, a5 &+ a7, a4 &- a6, a5 &- a7)
  }

  /// The magnitudes of the last level's sum and difference.
  @inline(__always)
  private static func lastLevel(_ x: Words, _ y: Words) -> Words {
    (x &+ y).magnitudes &+ (x &- y).magnitudes
  }

  /// Half of them, which is the larger of the two magnitudes: fits if they do not.
  @inline(__always)
  private static func halfLevel(_ x: Words, _ y: Words) -> Words {
    let a = x.magnitudes, difference = y.magnitudes &- a
    return a &+ (difference & ~difference.signs)
  }

  @unsafe
  @inline(never)
  private static func byteSatd8(
    _ a: UnsafePointer<UInt8>, _ strideA: Int, _ b: UnsafePointer<UInt8>, _ strideB: Int, _ width: Int,
    _ height: Int
  ) -> Int {
    var total = 0, y = 0
    while y < height {
      var x = 0
      while x < width {
        let p = unsafe a + (y &* strideA &+ x), q = unsafe b + (y &* strideB &+ x)
        let differences = unsafe (
          Words(at: p) &- Words(at: q), Words(at: p + strideA) &- Words(at: q + strideB),
          Words(at: p + 2 &* strideA) &- Words(at: q + 2 &* strideB),
          Words(at: p + 3 &* strideA) &- Words(at: q + 3 &* strideB),
          Words(at: p + 4 &* strideA) &- Words(at: q + 4 &* strideB),
          Words(at: p + 5 &* strideA) &- Words(at: q + 5 &* strideB),
          Words(at: p + 6 &* strideA) &- Words(at: q + 6 &* strideB),
          Words(at: p + 7 &* strideA) &- Words(at: q + 7 &* strideB)
        )
        let t = twoLevels(Lanes.transposed(columns(differences)))
        let sums =
          (lastLevel(t.0, t.1) &+ lastLevel(t.2, t.3)) &+ (lastLevel(t.4, t.5) &+ lastLevel(t.6, t.7))
        total = total &+ Int((sums.unsignedSum &+ 2) &>> 2)
        x = x &+ 8
      }
      y = y &+ 8
    }
    return total
  }

  @unsafe
  @inline(never)
  private static func wideSatd8(
    _ a: UnsafePointer<UInt16>, _ strideA: Int, _ b: UnsafePointer<UInt16>, _ strideB: Int, _ width: Int,
    _ height: Int
  ) -> Int {
    var total = 0, y = 0
    while y < height {
      var x = 0
      while x < width {
        let p = unsafe a + (y &* strideA &+ x), q = unsafe b + (y &* strideB &+ x)
        let differences = unsafe (
          Words(at: p) &- Words(at: q), Words(at: p + strideA) &- Words(at: q + strideB),
          Words(at: p + 2 &* strideA) &- Words(at: q + 2 &* strideB),
          Words(at: p + 3 &* strideA) &- Words(at: q + 3 &* strideB),
          Words(at: p + 4 &* strideA) &- Words(at: q + 4 &* strideB),
          Words(at: p + 5 &* strideA) &- Words(at: q + 5 &* strideB),
          Words(at: p + 6 &* strideA) &- Words(at: q + 6 &* strideB),
          Words(at: p + 7 &* strideA) &- Words(at: q + 7 &* strideB)
        )
        let t = twoLevels(Lanes.transposed(columns(differences)))
        // Each number has at most 15 bits: two of them have room in a lane, four have not.
        let first = (halfLevel(t.0, t.1) &+ halfLevel(t.2, t.3)).longs
        let second = (halfLevel(t.4, t.5) &+ halfLevel(t.6, t.7)).longs
        let sums =
          (first & 0xFFFF) &+ ((first &>> 16) & 0xFFFF) &+ (second & 0xFFFF) &+ ((second &>> 16) & 0xFFFF)
        total = total &+ Int((sums.sum &+ 1) &>> 1)
        x = x &+ 8
      }
      y = y &+ 8
    }
    return total
  }

  /// The sum for two blocks of 4x4 that are side by side in four rows: half of the sum of the magnitudes.
  @inline(__always)
  private static func twoBlocks(_ r0: Words, _ r1: Words, _ r2: Words, _ r3: Words) -> Int {
    let a0 = r0 &+ r2, a2 = r0 &- r2, a1 = r1 &+ r3, a3 = r1 &- r3
    let t0 = a0 &+ a1, t1 = a0 &- a1, t2 = a2 &+ a3, t3 = a2 &- a3
    let u0 = t0.low(t1).longs, u1 = t0.high(t1).longs, u2 = t2.low(t3).longs, u3 = t2.high(t3).longs
    let c0 = u0.low(u2).words, c1 = u0.high(u2).words, c2 = u1.low(u3).words, c3 = u1.high(u3).words
    let p0 = (c0 &+ c1).pairs, p1 = (c0 &- c1).pairs, p2 = (c2 &+ c3).pairs, p3 = (c2 &- c3).pairs
    let low0 = p0.low(p2).words, high0 = p0.high(p2).words
    let low1 = p1.low(p3).words, high1 = p1.high(p3).words
    return Int((halfLevel(low0, high0) &+ halfLevel(low1, high1)).unsignedSum)
  }

  @unsafe
  @inline(never)
  private static func byteSatd4(
    _ a: UnsafePointer<UInt8>, _ strideA: Int, _ b: UnsafePointer<UInt8>, _ strideB: Int, _ width: Int,
    _ height: Int
  ) -> Int {
    var total = 0, y = 0
    while y < height {
      var x = 0
      var p = unsafe a + y &* strideA, q = unsafe b + y &* strideB
      while x &+ 8 <= width {
        total =
          total
          &+ twoBlocks(
            unsafe Words(at: p) &- Words(at: q), unsafe Words(at: p + strideA) &- Words(at: q + strideB),
            unsafe Words(at: p + 2 &* strideA) &- Words(at: q + 2 &* strideB),
            unsafe Words(at: p + 3 &* strideA) &- Words(at: q + 3 &* strideB))
        unsafe p += 8
        unsafe q += 8
        x = x &+ 8
      }
      if x < width {
        // With the four rows below beside them, or with nothing: the same row twice.
        let isTwo = y &+ 8 <= height && width == 4
        let downA = isTwo ? 4 &* strideA : 0, downB = isTwo ? 4 &* strideB : 0
        let sum = twoBlocks(
          unsafe Words(fours: p, p + downA) &- Words(fours: q, q + downB),
          unsafe Words(fours: p + strideA, p + (strideA &+ downA))
            &- Words(fours: q + strideB, q + (strideB &+ downB)),
          unsafe Words(fours: p + 2 &* strideA, p + (2 &* strideA &+ downA))
            &- Words(fours: q + 2 &* strideB, q + (2 &* strideB &+ downB)),
          unsafe Words(fours: p + 3 &* strideA, p + (3 &* strideA &+ downA))
            &- Words(fours: q + 3 &* strideB, q + (3 &* strideB &+ downB)))
        total = total &+ (isTwo ? sum : sum &>> 1)
        if isTwo { y = y &+ 4 }
      }
      y = y &+ 4
    }
    return total
  }

  @unsafe
  @inline(never)
  private static func wideSatd4(
    _ a: UnsafePointer<UInt16>, _ strideA: Int, _ b: UnsafePointer<UInt16>, _ strideB: Int, _ width: Int,
    _ height: Int
  ) -> Int {
    var total = 0, y = 0
    while y < height {
      var x = 0
      var p = unsafe a + y &* strideA, q = unsafe b + y &* strideB
      while x &+ 8 <= width {
        total =
          total
          &+ twoBlocks(
            unsafe Words(at: p) &- Words(at: q), unsafe Words(at: p + strideA) &- Words(at: q + strideB),
            unsafe Words(at: p + 2 &* strideA) &- Words(at: q + 2 &* strideB),
            unsafe Words(at: p + 3 &* strideA) &- Words(at: q + 3 &* strideB))
        unsafe p += 8
        unsafe q += 8
        x = x &+ 8
      }
      if x < width {
        let sum = twoBlocks(
          unsafe Words(fours: p, p) &- Words(fours: q, q),
          unsafe Words(fours: p + strideA, p + strideA) &- Words(fours: q + strideB, q + strideB),
          unsafe Words(fours: p + 2 &* strideA, p + 2 &* strideA)
            &- Words(fours: q + 2 &* strideB, q + 2 &* strideB),
          unsafe Words(fours: p + 3 &* strideA, p + 3 &* strideA)
            &- Words(fours: q + 3 &* strideB, q + 3 &* strideB))
        total = total &+ sum &>> 1
      }
      y = y &+ 4
    }
    return total
  }
}
