// swift-multiview · SPDX-License-Identifier: Apache-2.0

// From stored predictions to samples. ISO/IEC 23008-2, 8.5.3.3.4

extension InterKernels {
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
