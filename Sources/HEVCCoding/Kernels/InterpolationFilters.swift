// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The filters between samples, for predictions of two bytes. ISO/IEC 23008-2, 8.5.3.3.3
///
/// All of them make eight numbers at a time, row by row from the top, which are ``InterKernels/bias(_:)`` less than the
/// equations say. Those of bytes hand them to a ``PredictionSink``, the others write rows without gaps.
enum InterpolationFilters {
  private static var less: Words { Words(repeating: 1 &<< 13) }

  // MARK: Samples themselves

  @unsafe
  @inline(never)
  static func copy<S: PredictionSink>(
    _ sink: S, _ source: UnsafePointer<UInt8>, _ stride: Int, _ width: Int, _ height: Int
  ) {
    var line = unsafe source, sink = sink
    for _ in 0..<height {
      var column = 0
      while column < width {
        sink.put((unsafe Words(at: line + column) &<< 6) &- less, column)
        column = column &+ 8
      }
      unsafe line += stride
      sink.endRow()
    }
  }

  @unsafe
  @inline(never)
  static func copy(
    _ target: UnsafeMutablePointer<Int16>, _ source: UnsafePointer<Int16>, _ stride: Int, _ width: Int,
    _ height: Int, _ shift: Int
  ) {
    let factor = Words(repeating: 1 &<< Int16(truncatingIfNeeded: shift))
    var line = unsafe source, to = unsafe target
    for _ in 0..<height {
      var column = 0
      while column < width {
        unsafe (Words(at: line + column) &* factor &- less).store(at: to + column)
        column = column &+ 8
      }
      unsafe line += stride
      unsafe to += width
    }
  }

  // MARK: Bytes

  // The sums fit into 16 bits. The samples are `step` apart: if it were known to be 1, overlapping loads would become
  // shuffles, which are slower. Taps are in memory, because constants would become several additions.

  /// The half between two samples: the taps are symmetric, and the outer ones are -1 and 4.
  @unsafe
  @inline(never)
  static func halfTaps<S: PredictionSink>(
    _ sink: S, _ source: UnsafePointer<UInt8>, _ stride: Int, _ step: Int, _ width: Int, _ height: Int,
    _ taps: UnsafePointer<Int16>
  ) {
    let t2 = unsafe Words(repeating: taps[2]), t3 = unsafe Words(repeating: taps[3])
    var line = unsafe source, sink = sink
    for _ in 0..<height {
      var column = 0
      while column < width {
        let p = unsafe line + column
        let outer = unsafe Words(at: p - 3 &* step) &+ Words(at: p + 4 &* step)
        let third = unsafe Words(at: p - 2 &* step) &+ Words(at: p + 3 &* step)
        let second = unsafe Words(at: p - step) &+ Words(at: p + 2 &* step)
        let inner = unsafe Words(at: p) &+ Words(at: p + step)
        sink.put((inner &* t3 &+ second &* t2) &+ ((third &<< 2) &- (outer &+ less)), column)
        column = column &+ 8
      }
      unsafe line += stride
      sink.endRow()
    }
  }

  /// The first quarter: the outer taps are -1, 4 and 1, and the last one is 0.
  @unsafe
  @inline(never)
  static func quarterTaps<S: PredictionSink>(
    _ sink: S, _ source: UnsafePointer<UInt8>, _ stride: Int, _ step: Int, _ width: Int, _ height: Int,
    _ taps: UnsafePointer<Int16>
  ) {
    let t2 = unsafe Words(repeating: taps[2]), t3 = unsafe Words(repeating: taps[3])
    let t4 = unsafe Words(repeating: taps[4]), t5 = unsafe Words(repeating: taps[5])
    var line = unsafe source, sink = sink
    for _ in 0..<height {
      var column = 0
      while column < width {
        let p = unsafe line + column
        let a = unsafe Words(at: p - step) &* t2 &+ Words(at: p) &* t3
        let b = unsafe Words(at: p + step) &* t4 &+ Words(at: p + 2 &* step) &* t5
        let c = unsafe (Words(at: p - 2 &* step) &<< 2) &+ Words(at: p + 3 &* step)
        let d = unsafe Words(at: p - 3 &* step) &+ less
        sink.put((a &+ b) &+ (c &- d), column)
        column = column &+ 8
      }
      unsafe line += stride
      sink.endRow()
    }
  }

  /// Chroma.
  @unsafe
  @inline(never)
  static func fourTaps<S: PredictionSink>(
    _ sink: S, _ source: UnsafePointer<UInt8>, _ stride: Int, _ step: Int, _ width: Int, _ height: Int,
    _ taps: UnsafePointer<Int16>
  ) {
    let t0 = unsafe Words(repeating: taps[0]), t1 = unsafe Words(repeating: taps[1])
    let t2 = unsafe Words(repeating: taps[2]), t3 = unsafe Words(repeating: taps[3])
    var line = unsafe source, sink = sink
    for _ in 0..<height {
      var column = 0
      while column < width {
        let p = unsafe line + column
        let a = unsafe Words(at: p - step) &* t0 &+ Words(at: p) &* t1
        let b = unsafe Words(at: p + step) &* t2 &+ Words(at: p + 2 &* step) &* t3
        sink.put(a &+ b &- less, column)
        column = column &+ 8
      }
      unsafe line += stride
      sink.endRow()
    }
  }

  // MARK: Words

  /// Two taps, four times.
  @unsafe
  @inline(__always)
  private static func pair(_ taps: UnsafePointer<Int16>, _ index: Int) -> Words {
    unsafe Longs(repeating: UnsafeRawPointer(taps + 2 &* index).loadUnaligned(as: Int32.self)).words
  }

  /// Sums of rows: those of two neighbours are interleaved, to add pairs of products.
  @unsafe
  @inline(never)
  static func down(
    _ target: UnsafeMutablePointer<Int16>, _ source: UnsafePointer<Int16>, _ stride: Int, _ width: Int,
    _ height: Int,
    _ taps: UnsafePointer<Int16>, _ isLuma: Bool, _ shift: Int, bias: Int
  ) {
    let by = Longs(repeating: Int32(truncatingIfNeeded: shift))
    // What is less the bias afterwards fits into 16 bits before, too: it is of one filter only.
    let less = Words(repeating: Int16(truncatingIfNeeded: bias))
    let c0 = unsafe pair(taps, 0), c1 = unsafe pair(taps, 1)
    var to = unsafe target
    if isLuma {
      let c2 = unsafe pair(taps, 2), c3 = unsafe pair(taps, 3)
      var line = unsafe source - 3 &* stride
      for _ in 0..<height {
        var column = 0
        while column < width {
          let p = unsafe line + column
          let r0 = unsafe Words(at: p), r1 = unsafe Words(at: p + stride)
          let r2 = unsafe Words(at: p + 2 &* stride), r3 = unsafe Words(at: p + 3 &* stride)
          let r4 = unsafe Words(at: p + 4 &* stride), r5 = unsafe Words(at: p + 5 &* stride)
          let r6 = unsafe Words(at: p + 6 &* stride), r7 = unsafe Words(at: p + 7 &* stride)
          let low =
            (r0.low(r1).pairProducts(c0) &+ r2.low(r3).pairProducts(c1))
            &+ (r4.low(r5).pairProducts(c2) &+ r6.low(r7).pairProducts(c3))
          let high =
            (r0.high(r1).pairProducts(c0) &+ r2.high(r3).pairProducts(c1))
            &+ (r4.high(r5).pairProducts(c2) &+ r6.high(r7).pairProducts(c3))
          unsafe (Words(low: low &>> by, high: high &>> by) &- less).store(at: to + column)
          column = column &+ 8
        }
        unsafe line += stride
        unsafe to += width
      }
    } else {
      var line = unsafe source - stride
      for _ in 0..<height {
        var column = 0
        while column < width {
          let p = unsafe line + column
          let r0 = unsafe Words(at: p), r1 = unsafe Words(at: p + stride)
          let r2 = unsafe Words(at: p + 2 &* stride), r3 = unsafe Words(at: p + 3 &* stride)
          let low = r0.low(r1).pairProducts(c0) &+ r2.low(r3).pairProducts(c1)
          let high = r0.high(r1).pairProducts(c0) &+ r2.high(r3).pairProducts(c1)
          unsafe (Words(low: low &>> by, high: high &>> by) &- less).store(at: to + column)
          column = column &+ 8
        }
        unsafe line += stride
        unsafe to += width
      }
    }
  }

  /// Sums along rows: loads at even distances make every second sum, those at odd distances the others. `step` is 1,
  /// which must not be known.
  @unsafe
  @inline(never)
  static func across(
    _ target: UnsafeMutablePointer<Int16>, _ source: UnsafePointer<Int16>, _ stride: Int, _ step: Int,
    _ width: Int, _ height: Int,
    _ taps: UnsafePointer<Int16>, _ isLuma: Bool, _ shift: Int, bias: Int
  ) {
    let by = Longs(repeating: Int32(truncatingIfNeeded: shift))
    let less = Words(repeating: Int16(truncatingIfNeeded: bias))
    let c0 = unsafe pair(taps, 0), c1 = unsafe pair(taps, 1)
    var to = unsafe target
    if isLuma {
      let c2 = unsafe pair(taps, 2), c3 = unsafe pair(taps, 3)
      var line = unsafe source - 3 &* step
      for _ in 0..<height {
        var column = 0
        while column < width {
          let p = unsafe line + column
          let even =
            unsafe (Words(at: p).pairProducts(c0) &+ Words(at: p + 2 &* step).pairProducts(c1))
            &+ (Words(at: p + 4 &* step).pairProducts(c2) &+ Words(at: p + 6 &* step).pairProducts(c3))
          let odd =
            unsafe (Words(at: p + step).pairProducts(c0) &+ Words(at: p + 3 &* step).pairProducts(c1))
            &+ (Words(at: p + 5 &* step).pairProducts(c2) &+ Words(at: p + 7 &* step).pairProducts(c3))
          unsafe ((((even &>> by) & 0xFFFF) | ((odd &>> by) &<< 16)).words &- less).store(at: to + column)
          column = column &+ 8
        }
        unsafe line += stride
        unsafe to += width
      }
    } else {
      var line = unsafe source - step
      for _ in 0..<height {
        var column = 0
        while column < width {
          let p = unsafe line + column
          let even = unsafe Words(at: p).pairProducts(c0) &+ Words(at: p + 2 &* step).pairProducts(c1)
          let odd = unsafe Words(at: p + step).pairProducts(c0) &+ Words(at: p + 3 &* step).pairProducts(c1)
          unsafe ((((even &>> by) & 0xFFFF) | ((odd &>> by) &<< 16)).words &- less).store(at: to + column)
          column = column &+ 8
        }
        unsafe line += stride
        unsafe to += width
      }
    }
  }
}
