// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The filters between samples, for predictions of two bytes. ISO/IEC 23008-2, 8.5.3.3.3
///
/// All of them make eight numbers at a time, which are ``InterKernels/bias(_:)`` less than the equations say, and hand them
/// to a ``PredictionSink``.
enum InterpolationFilters {
  private static var less: Words { Words(repeating: 1 &<< 13) }

  // Columns of eight numbers are made one after the other: within one, a step to the next row costs least. The last one
  // is the first, because what is beyond its end may be stored at the beginning of the next row.

  /// Calls `row` for each row of each column with the place of its first sample, and hands what it makes to the sink.
  @inline(__always)
  private static func forEachRow<S: PredictionSink>(
    _ sink: S, _ stride: Int, _ width: Int, _ height: Int, _ row: (Int) -> Words
  ) {
    var column = (width &- 1) & ~7
    while column >= 0 {
      var sink = sink, place = column
      for _ in 0..<height {
        sink.put(row(place), column)
        sink.endRow()
        place = place &+ stride
      }
      column = column &- 8
    }
  }

  // MARK: Samples themselves

  @unsafe
  @inline(never)
  static func copy<S: PredictionSink>(
    _ sink: S, _ source: UnsafePointer<UInt8>, _ stride: Int, _ width: Int, _ height: Int
  ) {
    @inline(__always)
    func row(_ place: Int) -> Words { (unsafe Words(at: source + place) &<< 6) &- less }
    forEachRow(sink, stride, width, height, row)
  }

  @unsafe
  @inline(never)
  static func copy<S: PredictionSink>(
    _ sink: S, _ source: UnsafePointer<Int16>, _ stride: Int, _ width: Int, _ height: Int, _ shift: Int
  ) {
    let factor = Words(repeating: 1 &<< Int16(truncatingIfNeeded: shift))
    @inline(__always)
    func row(_ place: Int) -> Words { (unsafe Words(at: source + place) &* factor) &- less }
    forEachRow(sink, stride, width, height, row)
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
    forEachRow(sink, stride, width, height) {
      let p = unsafe source + ($0 &- 3 &* step)
      let outer = unsafe Words(at: p) &+ Words(at: p + 7 &* step)
      let third = unsafe Words(at: p + step) &+ Words(at: p + 6 &* step)
      let second = unsafe Words(at: p + 2 &* step) &+ Words(at: p + 5 &* step)
      let inner = unsafe Words(at: p + 3 &* step) &+ Words(at: p + 4 &* step)
      return (inner &* t3 &+ second &* t2) &+ ((third &<< 2) &- (outer &+ less))
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
    forEachRow(sink, stride, width, height) {
      let p = unsafe source + ($0 &- 3 &* step)
      let a = unsafe Words(at: p + 2 &* step) &* t2 &+ Words(at: p + 3 &* step) &* t3
      let b = unsafe Words(at: p + 4 &* step) &* t4 &+ Words(at: p + 5 &* step) &* t5
      let c = unsafe (Words(at: p + step) &<< 2) &+ Words(at: p + 6 &* step)
      let d = unsafe Words(at: p) &+ less
      return (a &+ b) &+ (c &- d)
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
    forEachRow(sink, stride, width, height) {
      let p = unsafe source + ($0 &- step)
      let a = unsafe Words(at: p) &* t0 &+ Words(at: p + step) &* t1
      let b = unsafe Words(at: p + 2 &* step) &* t2 &+ Words(at: p + 3 &* step) &* t3
      return a &+ b &- less
    }
  }

  // MARK: Words

  /// Two taps, four times.
  @unsafe
  @inline(__always)
  private static func pair(_ taps: UnsafePointer<Int16>, _ index: Int) -> Words {
    unsafe Longs(repeating: UnsafeRawPointer(taps + 2 &* index).loadUnaligned(as: Int32.self)).words
  }

  /// Sums of rows, eight columns at a time. First, each row is interleaved with the one below it, to add pairs of
  /// products: these pairs are used by up to four rows of results.
  ///
  /// - Parameter pairs: room for 16 numbers for each row, and the ones that the filter needs around it.
  @unsafe
  @inline(never)
  static func down<S: PredictionSink>(
    _ sink: S, _ source: UnsafePointer<Int16>, _ stride: Int, _ width: Int, _ height: Int,
    _ taps: UnsafePointer<Int16>, _ isLuma: Bool, _ shift: Int, bias: Int,
    pairs: UnsafeMutablePointer<Int16>
  ) {
    let left = Longs(repeating: Int32(truncatingIfNeeded: 16 &- shift))
    // What is less the bias afterwards fits into 16 bits before, too: it is of one filter only.
    let less = Words(repeating: Int16(truncatingIfNeeded: bias))
    let c0 = unsafe pair(taps, 0), c1 = unsafe pair(taps, 1)
    var column = (width &- 1) & ~7
    while column >= 0 {
      unsafe interleave(
        source + (column &- (isLuma ? 3 : 1) &* stride), stride, height &+ (isLuma ? 6 : 2), pairs)
      var from = unsafe UnsafePointer(pairs), sink = sink
      if isLuma {
        let c2 = unsafe pair(taps, 2), c3 = unsafe pair(taps, 3)
        for _ in 0..<height {
          let low =
            unsafe (Words(at: from).pairProducts(c0) &+ Words(at: from + 32).pairProducts(c1))
            &+ (Words(at: from + 64).pairProducts(c2) &+ Words(at: from + 96).pairProducts(c3))
          let high =
            unsafe (Words(at: from + 8).pairProducts(c0) &+ Words(at: from + 40).pairProducts(c1))
            &+ (Words(at: from + 72).pairProducts(c2) &+ Words(at: from + 104).pairProducts(c3))
          sink.put(Words(low: low, high: high, shiftedTo: left) &- less, column)
          sink.endRow()
          unsafe from += 16
        }
      } else if width &- column <= 4 {
        for _ in 0..<height {
          let low = unsafe Words(at: from).pairProducts(c0) &+ Words(at: from + 32).pairProducts(c1)
          sink.put(Words(low: low, high: low, shiftedTo: left) &- less, column)
          sink.endRow()
          unsafe from += 16
        }
      } else {
        for _ in 0..<height {
          let low = unsafe Words(at: from).pairProducts(c0) &+ Words(at: from + 32).pairProducts(c1)
          let high = unsafe Words(at: from + 8).pairProducts(c0) &+ Words(at: from + 40).pairProducts(c1)
          sink.put(Words(low: low, high: high, shiftedTo: left) &- less, column)
          sink.endRow()
          unsafe from += 16
        }
      }
      column = column &- 8
    }
  }

  /// Eight numbers of each of `count` rows, interleaved with those of the row below it.
  @unsafe
  @inline(__always)
  private static func interleave(
    _ source: UnsafePointer<Int16>, _ stride: Int, _ count: Int, _ pairs: UnsafeMutablePointer<Int16>
  ) {
    var line = unsafe source, to = unsafe pairs
    var row = unsafe Words(at: line)
    for _ in 0..<count {
      unsafe line += stride
      let next = unsafe Words(at: line)
      unsafe row.low(next).store(at: to)
      unsafe row.high(next).store(at: to + 8)
      row = next
      unsafe to += 16
    }
  }

  /// Sums along rows: loads at even distances make every second sum, those at odd distances the others. `step` is 1,
  /// which must not be known.
  @unsafe
  @inline(never)
  static func across<S: PredictionSink>(
    _ sink: S, _ source: UnsafePointer<Int16>, _ stride: Int, _ step: Int, _ width: Int, _ height: Int,
    _ taps: UnsafePointer<Int16>, _ isLuma: Bool, _ shift: Int, bias: Int
  ) {
    let by = Longs(repeating: Int32(truncatingIfNeeded: shift))
    let less = Words(repeating: Int16(truncatingIfNeeded: bias))
    let c0 = unsafe pair(taps, 0), c1 = unsafe pair(taps, 1)
    if isLuma {
      let c2 = unsafe pair(taps, 2), c3 = unsafe pair(taps, 3)
      @inline(__always)
      func row(_ place: Int) -> Words {
        let p = unsafe source + (place &- 3 &* step), q = unsafe source + (place &- 2 &* step)
        let even =
          unsafe (Words(at: p).pairProducts(c0) &+ Words(at: p + 2 &* step).pairProducts(c1))
          &+ (Words(at: p + 4 &* step).pairProducts(c2) &+ Words(at: p + 6 &* step).pairProducts(c3))
        let odd =
          unsafe (Words(at: q).pairProducts(c0) &+ Words(at: q + 2 &* step).pairProducts(c1))
          &+ (Words(at: q + 4 &* step).pairProducts(c2) &+ Words(at: q + 6 &* step).pairProducts(c3))
        return (((even &>> by) & 0xFFFF) | ((odd &>> by) &<< 16)).words &- less
      }
      forEachRow(sink, stride, width, height, row)
    } else {
      @inline(__always)
      func row(_ place: Int) -> Words {
        let p = unsafe source + (place &- step), q = unsafe source + place
        let even = unsafe Words(at: p).pairProducts(c0) &+ Words(at: p + 2 &* step).pairProducts(c1)
        let odd = unsafe Words(at: q).pairProducts(c0) &+ Words(at: q + 2 &* step).pairProducts(c1)
        return (((even &>> by) & 0xFFFF) | ((odd &>> by) &<< 16)).words &- less
      }
      forEachRow(sink, stride, width, height, row)
    }
  }
}
