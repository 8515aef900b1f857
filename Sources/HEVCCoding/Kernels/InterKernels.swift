// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A rectangular block of samples of a component.
package struct BlockArea {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int

  @inlinable
  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

/// How samples of a reference picture are weighted. 7.4.7.3
package struct SampleWeight {
  package var weight: Int
  package var offset: Int

  @inlinable
  package init(weight: Int, offset: Int) {
    self.weight = weight
    self.offset = offset
  }
}

/// The coefficients of the interpolation filters, shared by all decoders.
@safe
struct InterpolationTaps: @unchecked Sendable {
  static let shared = InterpolationTaps()

  /// Eight coefficients for each quarter of a luma sample. Table 8-11
  let luma: UnsafeMutablePointer<Int16>
  /// Four coefficients for each eighth of a chroma sample. Table 8-12
  let chroma: UnsafeMutablePointer<Int16>

  private init() {
    let lumaTaps: [Int16] = [
      0, 0, 0, 64, 0, 0, 0, 0, -1, 4, -10, 58, 17, -5, 1, 0, -1, 4, -11, 40, 40, -11, 4, -1, 0, 1, -5, 17, 58,
      -10, 4,
      -1,
    ]
    let chromaTaps: [Int16] = [
      0, 64, 0, 0, -2, 58, 10, -2, -4, 54, 16, -2, -6, 46, 28, -4, -4, 36, 36, -4, -4, 28, 46, -6, -2, 16, 54,
      -4, -2, 10,
      58, -2,
    ]
    unsafe luma = UnsafeMutablePointer<Int16>.allocate(capacity: 32)
    unsafe chroma = UnsafeMutablePointer<Int16>.allocate(capacity: 32)
    for index in 0..<32 {
      unsafe luma[index] = lumaTaps[index]
      unsafe chroma[index] = chromaTaps[index]
    }
  }
}

/// Prediction of a block from samples of another picture. ISO/IEC 23008-2, 8.5.3.3.3 and 8.5.3.3.4
enum InterKernels {
  /// By how much stored predictions are less than the equations say. Two filters reach from -16 830 to 33 247 if
  /// samples are represented in 14 bits: less half of that range, values fit into two bytes.
  @inline(__always)
  static func bias<P: Coefficient>(_ type: P.Type) -> Int { P.self == Int16.self ? 1 &<< 13 : 0 }

  /// Writes the block at (`x`, `y`), interpolated at the phases, with 14 bits a sample or more and less
  /// ``bias(_:)``, row by row without gaps.
  ///
  /// - Parameters:
  ///   - patch: room for a block with what the filters need around it.
  ///   - phaseX: quarters of a sample for luma, eighths for chroma.
  static func interpolate<P: Coefficient>(
    _ source: Plane, _ patch: Plane, x: Int, y: Int, phaseX: Int, phaseY: Int, isLuma: Bool,
    _ area: BlockArea,
    to prediction: Memory<P>, rows: Memory<P>
  ) {
    guard area.width > 0, area.height > 0, area.width <= 64, area.height <= 64,
      prediction.count >= area.width &* area.height, rows.count >= area.width &* (area.height &+ 7)
    else { return }
    let before = isLuma ? 3 : 1, after = isLuma ? 4 : 2
    var plane = source, x = x, y = y
    if x < before || y < before || x > source.width &- area.width &- after
      || y > source.height &- area.height &- after
    {
      guard source.isWide == patch.isWide else { return }
      copyClamped(
        source, x: x &- before, y: y &- before, width: area.width &+ before &+ after,
        height: area.height &+ before &+ after, to: patch)
      plane = patch
      x = before
      y = before
    }
    let taps = isLuma ? 8 : 4
    let table = unsafe isLuma ? InterpolationTaps.shared.luma : InterpolationTaps.shared.chroma
    let tapsX = unsafe table + (phaseX &* taps & 31), tapsY = unsafe table + (phaseY &* taps & 31)
    let place = y &* plane.stride &+ x
    let depth = source.bitDepth
    if P.self == Int32.self {
      unsafe filter(
        plane.samples(UInt16.self) + place, plane.stride, phaseX != 0, phaseY != 0, isLuma, tapsX, tapsY,
        depth,
        area, prediction.base, rows.base, sum: Int32.self)
    } else if plane.isWide {
      // Up to 12 bits are the same as signed numbers, and signed products are faster.
      let samples = unsafe UnsafeMutableRawPointer(plane.samples(UInt16.self)).assumingMemoryBound(
        to: Int16.self)
      unsafe filter(
        samples + place, plane.stride, phaseX != 0, phaseY != 0, isLuma, tapsX, tapsY, depth, area,
        prediction.base, rows.base, sum: Int32.self)
    } else {
      // Predictions of four bytes are only for samples of more bits than a byte has.
      unsafe filterBytes(
        plane.samples(UInt8.self) + place, plane.stride, phaseX != 0, phaseY != 0, isLuma, tapsX, tapsY, area,
        UnsafeMutableRawPointer(prediction.base).assumingMemoryBound(to: Int16.self),
        UnsafeMutableRawPointer(rows.base).assumingMemoryBound(to: Int16.self))
    }
  }

  /// Eight samples of one byte each.
  @unsafe
  @inline(__always)
  private static func lanes(_ source: UnsafeMutablePointer<UInt8>, _ place: Int) -> SIMD8<Int16> {
    unsafe SIMD8<Int16>(
      truncatingIfNeeded: UnsafeRawPointer(source).loadUnaligned(fromByteOffset: place, as: SIMD8<UInt8>.self)
    )
  }

  /// Samples of one byte: all sums of one filter fit into two bytes, and eight are computed at a time.
  @unsafe
  @inline(__always)
  private static func filterBytes(
    _ source: UnsafeMutablePointer<UInt8>, _ stride: Int, _ isX: Bool, _ isY: Bool, _ isLuma: Bool,
    _ tapsX: UnsafeMutablePointer<Int16>, _ tapsY: UnsafeMutablePointer<Int16>, _ area: BlockArea,
    _ prediction: UnsafeMutablePointer<Int16>, _ rows: UnsafeMutablePointer<Int16>
  ) {
    let width = area.width, height = area.height
    let bias = Int16(truncatingIfNeeded: bias(Int16.self))
    if !isX, !isY {
      let up = SIMD8<Int16>(repeating: 6), less = SIMD8<Int16>(repeating: bias)
      for row in 0..<height {
        let from = unsafe source + row &* stride
        let to = unsafe UnsafeMutableRawPointer(prediction + row &* width)
        var column = 0
        while column < width {
          unsafe to.storeBytes(
            of: (lanes(from, column) &<< up) &- less, toByteOffset: 2 &* column, as: SIMD8<Int16>.self)
          column = column &+ 8
        }
      }
    } else if isX, isY {
      let before = isLuma ? 3 : 1, around = isLuma ? 7 : 3
      unsafe byteTaps(
        rows, source - before &* stride, stride, 1, width, height &+ around, tapsX, isLuma, bias: bias)
      // Without gaps between rows, the block is one row. Taps add up to 64: the bias of the rows carries over to
      // the sums.
      unsafe taps(
        prediction, rows + before &* width, width, width &* height, tapsY, isLuma, 6, sum: Int32.self,
        bias: 0)
    } else {
      unsafe byteTaps(
        prediction, source, stride, isX ? 1 : stride, width, height, isX ? tapsX : tapsY, isLuma, bias: bias)
    }
  }

  /// Rows of sums of eight or four samples that are `step` apart. This is kept a function: if the step were known
  /// to be 1, overlapping loads would become shuffles, which are slower.
  @unsafe
  @inline(never)
  private static func byteTaps(
    _ target: UnsafeMutablePointer<Int16>, _ source: UnsafeMutablePointer<UInt8>, _ stride: Int, _ step: Int,
    _ width: Int, _ height: Int, _ taps: UnsafeMutablePointer<Int16>, _ isLuma: Bool, bias: Int16
  ) {
    let less = SIMD8<Int16>(repeating: bias)
    var line = unsafe source
    var to = UnsafeMutableRawPointer(target)
    let t0 = unsafe SIMD8<Int16>(repeating: taps[0]), t1 = unsafe SIMD8<Int16>(repeating: taps[1])
    let t2 = unsafe SIMD8<Int16>(repeating: taps[2]), t3 = unsafe SIMD8<Int16>(repeating: taps[3])
    if isLuma {
      let t4 = unsafe SIMD8<Int16>(repeating: taps[4]), t5 = unsafe SIMD8<Int16>(repeating: taps[5])
      let t6 = unsafe SIMD8<Int16>(repeating: taps[6]), t7 = unsafe SIMD8<Int16>(repeating: taps[7])
      for _ in 0..<height {
        var column = 0
        while column < width {
          let a =
            unsafe lanes(line, column &- 3 &* step) &* t0 &+ lanes(line, column &- 2 &* step) &* t1
            &+ lanes(line, column &- step) &* t2 &+ lanes(line, column) &* t3
          let b =
            unsafe lanes(line, column &+ step) &* t4 &+ lanes(line, column &+ 2 &* step) &* t5
            &+ lanes(line, column &+ 3 &* step) &* t6 &+ lanes(line, column &+ 4 &* step) &* t7
          unsafe to.storeBytes(of: a &+ b &- less, toByteOffset: 2 &* column, as: SIMD8<Int16>.self)
          column = column &+ 8
        }
        unsafe line += stride
        unsafe to += 2 &* width
      }
    } else {
      for _ in 0..<height {
        var column = 0
        while column < width {
          let a =
            unsafe lanes(line, column &- step) &* t0 &+ lanes(line, column) &* t1
            &+ lanes(line, column &+ step) &* t2 &+ lanes(line, column &+ 2 &* step) &* t3
          unsafe to.storeBytes(of: a &- less, toByteOffset: 2 &* column, as: SIMD8<Int16>.self)
          column = column &+ 8
        }
        unsafe line += stride
        unsafe to += 2 &* width
      }
    }
  }

  @unsafe
  @inline(__always)
  private static func filter<S: FixedWidthInteger, P: Coefficient, T: FixedWidthInteger & SignedInteger>(
    _ source: UnsafeMutablePointer<S>, _ stride: Int, _ isX: Bool, _ isY: Bool, _ isLuma: Bool,
    _ tapsX: UnsafeMutablePointer<Int16>, _ tapsY: UnsafeMutablePointer<Int16>, _ depth: Int,
    _ area: BlockArea,
    _ prediction: UnsafeMutablePointer<P>, _ rows: UnsafeMutablePointer<P>, sum: T.Type
  ) {
    let width = area.width, height = area.height
    // Whole vectors: what is written beyond the row is the next row, which is written afterwards, or the margin of
    // the memory.
    let whole = (width &+ 7) & ~7
    let shift = min(4, depth &- 8)
    let bias = bias(P.self)
    let less = T(truncatingIfNeeded: bias)
    if !isX, !isY {
      let up = P(truncatingIfNeeded: max(2, 14 &- depth)), less = P(truncatingIfNeeded: bias)
      for row in 0..<height {
        let from = unsafe source + row &* stride, to = unsafe prediction + row &* width
        for column in 0..<width { unsafe to[column] = P(truncatingIfNeeded: from[column]) &<< up &- less }
      }
    } else if !isY {
      for row in 0..<height {
        unsafe taps(
          prediction + row &* width, source + row &* stride, 1, whole, tapsX, isLuma, shift, sum: T.self,
          bias: less)
      }
    } else if !isX {
      for row in 0..<height {
        unsafe taps(
          prediction + row &* width, source + row &* stride, stride, whole, tapsY, isLuma, shift, sum: T.self,
          bias: less)
      }
    } else {
      let before = isLuma ? 3 : 1, around = isLuma ? 7 : 3
      for row in 0..<(height &+ around) {
        unsafe taps(
          rows + row &* width, source + (row &- before) &* stride, 1, width, tapsX, isLuma, shift,
          sum: T.self, bias: less)
      }
      // Without gaps between rows, the block is one row. Taps add up to 64: the bias of the rows carries over to
      // the sums.
      unsafe taps(
        prediction, rows + before &* width, width, width &* height, tapsY, isLuma, 6, sum: Int32.self,
        bias: 0)
    }
  }

  /// `count` sums of eight or four samples that are `step` apart. The taps are in memory and not constants:
  /// constants would become shifts, which are slower.
  @unsafe
  @inline(__always)
  private static func taps<S: FixedWidthInteger, P: FixedWidthInteger, T: FixedWidthInteger>(
    _ target: UnsafeMutablePointer<P>, _ source: UnsafeMutablePointer<S>, _ step: Int, _ count: Int,
    _ taps: UnsafeMutablePointer<Int16>, _ isLuma: Bool, _ shift: Int, sum: T.Type, bias: T
  ) {
    let by = T(truncatingIfNeeded: shift)
    if isLuma {
      let s0 = unsafe source - 3 &* step, s1 = unsafe source - 2 &* step, s2 = unsafe source - step
      let s4 = unsafe source + step, s5 = unsafe source + 2 &* step, s6 = unsafe source + 3 &* step
      let s7 = unsafe source + 4 &* step
      let t0 = unsafe T(truncatingIfNeeded: taps[0]), t1 = unsafe T(truncatingIfNeeded: taps[1])
      let t2 = unsafe T(truncatingIfNeeded: taps[2]), t3 = unsafe T(truncatingIfNeeded: taps[3])
      let t4 = unsafe T(truncatingIfNeeded: taps[4]), t5 = unsafe T(truncatingIfNeeded: taps[5])
      let t6 = unsafe T(truncatingIfNeeded: taps[6]), t7 = unsafe T(truncatingIfNeeded: taps[7])
      for index in 0..<count {
        let a =
          unsafe T(truncatingIfNeeded: s0[index]) &* t0 &+ T(truncatingIfNeeded: s1[index]) &* t1
          &+ T(truncatingIfNeeded: s2[index]) &* t2 &+ T(truncatingIfNeeded: source[index]) &* t3
        let b =
          unsafe T(truncatingIfNeeded: s4[index]) &* t4 &+ T(truncatingIfNeeded: s5[index]) &* t5
          &+ T(truncatingIfNeeded: s6[index]) &* t6 &+ T(truncatingIfNeeded: s7[index]) &* t7
        unsafe target[index] = P(truncatingIfNeeded: (a &+ b) &>> by &- bias)
      }
    } else {
      let s0 = unsafe source - step, s2 = unsafe source + step, s3 = unsafe source + 2 &* step
      let t0 = unsafe T(truncatingIfNeeded: taps[0]), t1 = unsafe T(truncatingIfNeeded: taps[1])
      let t2 = unsafe T(truncatingIfNeeded: taps[2]), t3 = unsafe T(truncatingIfNeeded: taps[3])
      for index in 0..<count {
        let a =
          unsafe T(truncatingIfNeeded: s0[index]) &* t0 &+ T(truncatingIfNeeded: source[index]) &* t1
          &+ T(truncatingIfNeeded: s2[index]) &* t2 &+ T(truncatingIfNeeded: s3[index]) &* t3
        unsafe target[index] = P(truncatingIfNeeded: a &>> by &- bias)
      }
    }
  }

  /// Copies a block; samples outside of the plane are replaced by the nearest ones at its border. 8.5.3.3.3.1
  static func copyClamped(_ source: Plane, x: Int, y: Int, width: Int, height: Int, to patch: Plane) {
    guard patch.contains(x: 0, y: 0, width: width, height: height), source.width > 0, source.height > 0 else {
      return
    }
    if source.isWide {
      unsafe copyClamped(
        source, source.samples(UInt16.self), x, y, width, height, patch.samples(UInt16.self), patch.stride)
    } else {
      unsafe copyClamped(
        source, source.samples(UInt8.self), x, y, width, height, patch.samples(UInt8.self), patch.stride)
    }
  }

  @unsafe
  @inline(__always)
  private static func copyClamped<S: Sample>(
    _ source: Plane, _ samples: UnsafeMutablePointer<S>, _ x: Int, _ y: Int, _ width: Int, _ height: Int,
    _ patch: UnsafeMutablePointer<S>, _ stride: Int
  ) {
    let left = max(0, min(width, 0 &- x))
    let right = max(left, min(width, source.width &- x))
    for row in 0..<height {
      let line = unsafe samples + max(0, min(source.height &- 1, y &+ row)) &* source.stride
      let target = unsafe patch + row &* stride
      if left > 0 { unsafe target.update(repeating: line[0], count: left) }
      if right > left { unsafe (target + left).update(from: line + (x &+ left), count: right &- left) }
      if width > right {
        unsafe (target + right).update(repeating: line[source.width &- 1], count: width &- right)
      }
    }
  }

  // MARK: From predictions to samples

  /// One prediction, without weights. Equation 8-262
  static func round<P: Coefficient>(_ prediction: Memory<P>, to plane: Plane, _ area: BlockArea) {
    let shift = max(2, 14 &- plane.bitDepth)
    if P.self == Int16.self {
      let half = SIMD8<Int16>(repeating: 1 &<< Int16(truncatingIfNeeded: shift &- 1))
      let by = SIMD8<Int16>(repeating: Int16(truncatingIfNeeded: shift))
      // The bias is a multiple of `1 << shift`, so it may be added after the shift.
      let bias = SIMD8<Int16>(repeating: Int16(truncatingIfNeeded: bias(P.self) &>> shift))
      unsafe writeVectors(prediction, prediction, plane, area) { first, _ in (first &+ half) &>> by &+ bias }
      return
    }
    unsafe write(prediction, prediction, plane, area) { first, _ in
      (P.Sum(first) &+ (1 &<< P.Sum(truncatingIfNeeded: shift &- 1))) &>> P.Sum(truncatingIfNeeded: shift)
    }
  }

  /// The average of two predictions. Equation 8-264
  static func average<P: Coefficient>(
    _ first: Memory<P>, _ second: Memory<P>, to plane: Plane, _ area: BlockArea
  ) {
    if P.self == Int16.self {
      // Half of the sum, which itself would not fit: (a + b) >> 1 is the bits that both have, plus half of the
      // bits that only one has.
      let shift = Int16(truncatingIfNeeded: max(2, 14 &- plane.bitDepth))
      let half = SIMD8<Int16>(repeating: 1 &<< (shift &- 1)), by = SIMD8<Int16>(repeating: shift)
      let one = SIMD8<Int16>(repeating: 1)
      let bias = SIMD8<Int16>(repeating: Int16(truncatingIfNeeded: bias(P.self)) &>> shift)
      unsafe writeVectors(first, second, plane, area) { first, second in
        ((first & second) &+ ((first ^ second) &>> one) &+ half) &>> by &+ bias
      }
      return
    }
    let shift = P.Sum(truncatingIfNeeded: max(3, 15 &- plane.bitDepth))
    let half = P.Sum(1) &<< (shift &- 1)
    unsafe write(first, second, plane, area) { first, second in
      (P.Sum(first) &+ P.Sum(second) &+ half) &>> shift
    }
  }

  /// One prediction with its weight. Equation 8-265
  static func weight<P: Coefficient>(
    _ prediction: Memory<P>, _ weight: SampleWeight, denominator: Int, to plane: Plane, _ area: BlockArea
  ) {
    let shift = P.Sum(truncatingIfNeeded: denominator &+ max(2, 14 &- plane.bitDepth))
    let half = P.Sum(1) &<< (shift &- 1)
    let factor = P.Sum(truncatingIfNeeded: weight.weight), offset = P.Sum(truncatingIfNeeded: weight.offset)
    let bias = P.Sum(truncatingIfNeeded: bias(P.self))
    unsafe write(prediction, prediction, plane, area) { first, _ in
      (((P.Sum(first) &+ bias) &* factor &+ half) &>> shift) &+ offset
    }
  }

  /// Two predictions with their weights. Equation 8-266
  static func weight<P: Coefficient>(
    _ first: Memory<P>, _ firstWeight: SampleWeight, _ second: Memory<P>, _ secondWeight: SampleWeight,
    denominator: Int, to plane: Plane, _ area: BlockArea
  ) {
    let shift = P.Sum(truncatingIfNeeded: denominator &+ max(2, 14 &- plane.bitDepth))
    let factor0 = P.Sum(truncatingIfNeeded: firstWeight.weight)
    let factor1 = P.Sum(truncatingIfNeeded: secondWeight.weight)
    let offset = P.Sum(truncatingIfNeeded: firstWeight.offset &+ secondWeight.offset &+ 1) &<< shift
    let bias = P.Sum(truncatingIfNeeded: bias(P.self))
    unsafe write(first, second, plane, area) { first, second in
      ((P.Sum(first) &+ bias) &* factor0 &+ (P.Sum(second) &+ bias) &* factor1 &+ offset) &>> (shift &+ 1)
    }
  }

  /// Writes the results of `samples` for eight pairs at a time, clipped to the range of samples of up to 12 bits.
  @unsafe
  @inline(__always)
  private static func writeVectors<P: Coefficient>(
    _ first: Memory<P>, _ second: Memory<P>, _ plane: Plane, _ area: BlockArea,
    _ samples: (SIMD8<Int16>, SIMD8<Int16>) -> SIMD8<Int16>
  ) {
    let count = area.width &* area.height
    guard plane.contains(x: area.x, y: area.y, width: area.width, height: area.height), first.count >= count,
      second.count >= count
    else { return }
    let place = area.y &* plane.stride &+ area.x
    if plane.isWide {
      unsafe writeVectors(
        first.base, second.base, plane.samples(UInt16.self) + place, plane.stride, area, plane.bitDepth,
        samples)
    } else {
      unsafe writeVectors(
        first.base, second.base, plane.samples(UInt8.self) + place, plane.stride, area, plane.bitDepth,
        samples)
    }
  }

  @unsafe
  @inline(__always)
  private static func writeVectors<P: Coefficient, S: Sample>(
    _ first: UnsafeMutablePointer<P>, _ second: UnsafeMutablePointer<P>, _ target: UnsafeMutablePointer<S>,
    _ stride: Int, _ area: BlockArea, _ bitDepth: Int, _ samples: (SIMD8<Int16>, SIMD8<Int16>) -> SIMD8<Int16>
  ) {
    let zero = SIMD8<Int16>(repeating: 0)
    let high = SIMD8<Int16>(repeating: Int16(truncatingIfNeeded: 1 &<< min(14, bitDepth) &- 1))
    var line = unsafe target
    var a = UnsafeRawPointer(first), b = UnsafeRawPointer(second)
    let width = area.width
    for _ in 0..<area.height {
      var column = 0
      while column < width {
        // Beyond the end of a row is the next one, or the margin.
        let made = unsafe samples(
          a.loadUnaligned(fromByteOffset: 2 &* column, as: SIMD8<Int16>.self),
          b.loadUnaligned(fromByteOffset: 2 &* column, as: SIMD8<Int16>.self))
        let held = SIMD8<S>(truncatingIfNeeded: pointwiseMax(zero, pointwiseMin(high, made)))
        let to = unsafe UnsafeMutableRawPointer(line + column)
        if column &+ 8 <= width {
          unsafe to.storeBytes(of: held, as: SIMD8<S>.self)
        } else if width &- column == 4 {
          unsafe to.storeBytes(of: held.lowHalf, as: SIMD4<S>.self)
        } else {
          for lane in 0..<(width &- column) { unsafe line[column &+ lane] = held[lane] }
        }
        column = column &+ 8
      }
      unsafe line += stride
      unsafe a += 2 &* width
      unsafe b += 2 &* width
    }
  }

  /// Writes the result of `sample` for each pair, clipped to the range of samples.
  @unsafe
  @inline(__always)
  private static func write<P: Coefficient>(
    _ first: Memory<P>, _ second: Memory<P>, _ plane: Plane, _ area: BlockArea, _ sample: (P, P) -> P.Sum
  ) {
    let count = area.width &* area.height
    guard plane.contains(x: area.x, y: area.y, width: area.width, height: area.height), first.count >= count,
      second.count >= count
    else { return }
    let high = P.Sum(1) &<< P.Sum(truncatingIfNeeded: plane.bitDepth) &- 1
    let place = area.y &* plane.stride &+ area.x
    if plane.isWide {
      var line = unsafe plane.samples(UInt16.self) + place, index = 0
      for _ in 0..<area.height {
        for column in 0..<area.width {
          let value = unsafe sample(first.base[index &+ column], second.base[index &+ column])
          unsafe line[column] = UInt16(truncatingIfNeeded: max(0, min(high, value)))
        }
        unsafe line += plane.stride
        index = index &+ area.width
      }
    } else {
      var line = unsafe plane.samples(UInt8.self) + place, index = 0
      for _ in 0..<area.height {
        for column in 0..<area.width {
          let value = unsafe sample(first.base[index &+ column], second.base[index &+ column])
          unsafe line[column] = UInt8(truncatingIfNeeded: max(0, min(high, value)))
        }
        unsafe line += plane.stride
        index = index &+ area.width
      }
    }
  }
}
