// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Prediction from the samples around a block, eight samples at a time. Samples have at most 10 bits: products with
/// weights up to 32, and sums of two of them, then fit into 16.
enum IntraLanes {
  /// The most bits of a sample.
  static var maximumDepth: Int { 10 }

  @unsafe
  @inline(__always)
  private static func put<S: Sample>(_ samples: Words, _ target: UnsafeMutablePointer<S>) {
    let to = UnsafeMutableRawPointer(target)
    if MemoryLayout<S>.size == 1 {
      unsafe to.storeBytes(of: samples.bytes, as: SIMD8<UInt8>.self)
    } else {
      unsafe to.storeBytes(of: samples, as: Words.self)
    }
  }

  /// The first four samples.
  @unsafe
  @inline(__always)
  private static func putFour<S: Sample>(_ samples: Words, _ target: UnsafeMutablePointer<S>) {
    let to = UnsafeMutableRawPointer(target)
    if MemoryLayout<S>.size == 1 {
      let bytes = unsafe unsafeBitCast(samples.bytes, to: UInt64.self)
      unsafe to.storeBytes(of: UInt32(truncatingIfNeeded: bytes), as: UInt32.self)
    } else {
      unsafe to.storeBytes(of: samples.pairs[0], as: Int64.self)
    }
  }

  /// Four samples, and the other four.
  @unsafe
  @inline(__always)
  private static func putFours<S: Sample>(
    _ samples: Words, _ first: UnsafeMutablePointer<S>, _ second: UnsafeMutablePointer<S>
  ) {
    let one = UnsafeMutableRawPointer(first), other = UnsafeMutableRawPointer(second)
    if MemoryLayout<S>.size == 1 {
      unsafe samples.store(
        fours: one.assumingMemoryBound(to: UInt8.self), other.assumingMemoryBound(to: UInt8.self))
    } else {
      unsafe samples.store(
        fours: one.assumingMemoryBound(to: UInt16.self), other.assumingMemoryBound(to: UInt16.self))
    }
  }

  /// The samples of a row of a block that is predicted from above, from a column on; for prediction from the left, of
  /// a column from a row on.
  @unsafe
  @inline(__always)
  private static func line(_ reference: UnsafePointer<UInt16>, _ row: Int, _ column: Int, _ angle: Int)
    -> Words
  {
    let position = (row &+ 1) &* angle, fraction = Int16(truncatingIfNeeded: position & 31)
    let from = unsafe reference + ((position &>> 5) &+ 1 &+ column)
    let near = unsafe Words(at: from) &* Words(repeating: 32 &- fraction)
    return (near &+ (unsafe Words(at: from + 1)) &* Words(repeating: fraction) &+ Words(repeating: 16)) &>> 5
  }

  /// Prediction from above. Equations 8-49 and 8-50
  @unsafe
  @inline(never)
  static func down<S: Sample>(
    _ reference: UnsafePointer<UInt16>, _ samples: UnsafeMutablePointer<S>, _ stride: Int, _ size: Int,
    _ angle: Int
  ) {
    var target = unsafe samples
    for row in 0..<size {
      if size == 4 {
        unsafe putFour(line(reference, row, 0, angle), target)
      } else {
        var column = 0
        while column < size {
          unsafe put(line(reference, row, column, angle), target + column)
          column = column &+ 8
        }
      }
      unsafe target += stride
    }
  }

  /// Prediction from the left: lines are columns. Equations 8-57 and 8-58
  @unsafe
  @inline(never)
  static func across<S: Sample>(
    _ reference: UnsafePointer<UInt16>, _ samples: UnsafeMutablePointer<S>, _ stride: Int, _ size: Int,
    _ angle: Int
  ) {
    if size == 4 {
      let first = unsafe line(reference, 0, 0, angle).low(line(reference, 1, 0, angle)).longs
      let second = unsafe line(reference, 2, 0, angle).low(line(reference, 3, 0, angle)).longs
      let upper = first.low(second).words, lower = first.high(second).words
      unsafe putFours(upper, samples, samples + stride)
      unsafe putFours(lower, samples + 2 &* stride, samples + 3 &* stride)
      return
    }
    var x = 0
    while x < size {
      var y = 0
      while y < size {
        let columns = unsafe (
          line(reference, x, y, angle), line(reference, x &+ 1, y, angle), line(reference, x &+ 2, y, angle),
          line(reference, x &+ 3, y, angle), line(reference, x &+ 4, y, angle),
          line(reference, x &+ 5, y, angle), line(reference, x &+ 6, y, angle),
          line(reference, x &+ 7, y, angle)
        )
        let rows = Lanes.transposed(columns), target = unsafe samples + (y &* stride &+ x)
        unsafe put(rows.0, target)
        unsafe put(rows.1, target + stride)
        unsafe put(rows.2, target + 2 &* stride)
        unsafe put(rows.3, target + 3 &* stride)
        unsafe put(rows.4, target + 4 &* stride)
        unsafe put(rows.5, target + 5 &* stride)
        unsafe put(rows.6, target + 6 &* stride)
        unsafe put(rows.7, target + 7 &* stride)
        y = y &+ 8
      }
      x = x &+ 8
    }
  }

  /// Planar prediction: `corner` is between the samples on the left, which go before it, and those above. 8.4.4.2.4
  @unsafe
  @inline(never)
  static func planar<S: Sample>(
    _ corner: UnsafePointer<UInt16>, _ samples: UnsafeMutablePointer<S>, _ stride: Int, _ log2Size: Int
  ) {
    let size = 1 &<< log2Size, ramp = Words(0, 1, 2, 3, 4, 5, 6, 7)
    let right = unsafe Int16(truncatingIfNeeded: corner[size &+ 1])
    let bottom = unsafe Int16(truncatingIfNeeded: corner[0 &- size &- 1])
    let edge = Int16(truncatingIfNeeded: size), shift = Int16(truncatingIfNeeded: log2Size &+ 1)
    // Sums take all 16 bits, without a sign.
    let mask = Words(repeating: 1 &<< (16 &- shift) &- 1)
    var target = unsafe samples
    for row in 0..<size {
      let left = unsafe Int16(truncatingIfNeeded: corner[0 &- 1 &- row])
      let number = Int16(truncatingIfNeeded: row &+ 1), step = right &- left
      let above = Words(repeating: edge &- number)
      let start = left &* (edge &- 1) &+ right &+ number &* bottom &+ edge
      var column = 0
      while column < size {
        let along = Words(repeating: start &+ Int16(truncatingIfNeeded: column) &* step)
        let top = unsafe Words(at: corner + (1 &+ column)) &* above
        let sum = (along &+ ramp &* Words(repeating: step) &+ top) &>> Words(repeating: shift)
        if size == 4 { unsafe putFour(sum & mask, target) } else { unsafe put(sum & mask, target + column) }
        column = column &+ 8
      }
      unsafe target += stride
    }
  }
}
