// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A rectangular block of samples of a component.
@usableFromInline
package struct BlockArea {
  @usableFromInline package var x: Int
  @usableFromInline package var y: Int
  @usableFromInline package var width: Int
  @usableFromInline package var height: Int

  @inlinable
  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

/// How samples of a reference picture are weighted. 7.4.7.3
@usableFromInline
package struct SampleWeight {
  @usableFromInline package var weight: Int
  @usableFromInline package var offset: Int

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

  /// The taps of a phase: quarters of a luma sample, or eighths of a chroma sample.
  @unsafe
  @inline(__always)
  func taps(_ phase: Int, _ isLuma: Bool) -> UnsafePointer<Int16> {
    unsafe UnsafePointer(isLuma ? luma + (phase & 3) &* 8 : chroma + (phase & 7) &* 4)
  }

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
    guard prediction.count >= area.width &* area.height, rows.count >= rowsCount,
      let place = place(source, patch, x, y, isLuma, area)
    else { return }
    if P.self == Int32.self {
      unsafe LongInterpolation.filter(
        UnsafePointer(place.plane.samples(UInt16.self) + place.offset), place.plane.stride, phaseX, phaseY,
        isLuma, source.bitDepth, area,
        UnsafeMutableRawPointer(prediction.base).assumingMemoryBound(to: Int32.self),
        UnsafeMutableRawPointer(rows.base).assumingMemoryBound(to: Int32.self))
      return
    }
    let target = unsafe UnsafeMutableRawPointer(prediction.base).assumingMemoryBound(to: Int16.self)
    let between = unsafe UnsafeMutableRawPointer(rows.base).assumingMemoryBound(to: Int16.self)
    let sink = unsafe StoredPrediction(target, width: area.width)
    if source.isWide {
      unsafe filterWords(sink, place, source.bitDepth, phaseX, phaseY, isLuma, area, between)
    } else {
      unsafe filterBytes(sink, place, phaseX, phaseY, isLuma, area, between)
    }
  }

  /// How many numbers there must be room for between two filters: 64 columns and 71 rows, and then the pairs of these in
  /// eight columns.
  static var rowsCount: Int { pairsStart &+ 70 &* 16 }
  private static var pairsStart: Int { 71 &* 64 }

  /// Writes the samples of one prediction without weights to a plane: what
  /// ``interpolate(_:_:x:y:phaseX:phaseY:isLuma:_:to:rows:)`` and ``round(_:to:_:)`` do.
  static func predict(
    _ source: Plane, _ patch: Plane, x: Int, y: Int, phaseX: Int, phaseY: Int, isLuma: Bool,
    _ area: BlockArea, to target: Plane, rows: Memory<Int16>
  ) {
    guard isTarget(target, source, area), rows.count >= rowsCount,
      let place = place(source, patch, x, y, isLuma, area)
    else { return }
    if phaseX | phaseY == 0 {
      target.copy(
        from: place.plane, x: place.x, y: place.y, width: area.width, height: area.height, toX: area.x,
        toY: area.y)
    } else if source.isWide {
      unsafe filterWords(
        RoundedSamples(wordRows(target, area), bitDepth: target.bitDepth), place, source.bitDepth, phaseX,
        phaseY, isLuma, area, rows.base)
    } else {
      unsafe filterBytes(
        RoundedSamples(byteRows(target, area), bitDepth: target.bitDepth), place, phaseX, phaseY, isLuma,
        area, rows.base)
    }
  }

  /// Writes the averages of a stored prediction and another one to a plane: what
  /// ``interpolate(_:_:x:y:phaseX:phaseY:isLuma:_:to:rows:)`` and ``average(_:_:to:_:)`` do.
  static func predict(
    _ source: Plane, _ patch: Plane, x: Int, y: Int, phaseX: Int, phaseY: Int, isLuma: Bool,
    _ area: BlockArea, with first: Memory<Int16>, to target: Plane, rows: Memory<Int16>
  ) {
    guard first.count >= area.width &* area.height, isTarget(target, source, area), rows.count >= rowsCount,
      let place = place(source, patch, x, y, isLuma, area)
    else { return }
    if source.isWide {
      unsafe filterWords(
        AveragedSamples(wordRows(target, area), first.base, width: area.width, bitDepth: target.bitDepth),
        place, source.bitDepth, phaseX, phaseY, isLuma, area, rows.base)
    } else {
      unsafe filterBytes(
        AveragedSamples(byteRows(target, area), first.base, width: area.width, bitDepth: target.bitDepth),
        place, phaseX, phaseY, isLuma, area, rows.base)
    }
  }

  @inline(__always)
  private static func isTarget(_ target: Plane, _ source: Plane, _ area: BlockArea) -> Bool {
    target.isWide == source.isWide && target.bitDepth == source.bitDepth && target.bitDepth <= 12
      && area.width & 1 == 0
      && target.contains(x: area.x, y: area.y, width: area.width, height: area.height)
  }

  @unsafe
  @inline(__always)
  private static func byteRows(_ plane: Plane, _ area: BlockArea) -> ByteRows {
    unsafe ByteRows(
      plane.samples(UInt8.self) + (area.y &* plane.stride &+ area.x), stride: plane.stride, width: area.width)
  }

  @unsafe
  @inline(__always)
  private static func wordRows(_ plane: Plane, _ area: BlockArea) -> WordRows {
    unsafe WordRows(
      plane.samples(UInt16.self) + (area.y &* plane.stride &+ area.x), stride: plane.stride,
      width: area.width)
  }

  /// Where a block is, with the samples that the filters need around it.
  private struct Place {
    var plane: Plane
    var x: Int
    var y: Int
    var offset: Int { y &* plane.stride &+ x }
  }

  /// Where to read a block: in the plane, or, if samples around it are outside, in a patch to which they are copied.
  @inline(__always)
  private static func place(
    _ source: Plane, _ patch: Plane, _ x: Int, _ y: Int, _ isLuma: Bool, _ area: BlockArea
  ) -> Place? {
    guard area.width > 0, area.height > 0, area.width <= 64, area.height <= 64 else { return nil }
    let before = isLuma ? 3 : 1, after = isLuma ? 4 : 2
    if x >= before, y >= before, x <= source.width &- area.width &- after,
      y <= source.height &- area.height &- after
    {
      return Place(plane: source, x: x, y: y)
    }
    guard source.isWide == patch.isWide else { return nil }
    copyClamped(
      source, x: x &- before, y: y &- before, width: area.width &+ before &+ after,
      height: area.height &+ before &+ after, to: patch)
    return Place(plane: patch, x: before, y: before)
  }

  /// Samples of one byte, in one direction or none.
  @unsafe
  @inline(__always)
  private static func byteTaps<S: PredictionSink>(
    _ sink: S, _ place: Place, _ phaseX: Int, _ phaseY: Int, _ isLuma: Bool, _ area: BlockArea
  ) {
    let source = unsafe UnsafePointer(place.plane.samples(UInt8.self) + place.offset)
    let stride = place.plane.stride
    if phaseX | phaseY == 0 {
      unsafe InterpolationFilters.copy(sink, source, stride, area.width, area.height)
    } else {
      unsafe byteTaps(
        sink, source, stride, phaseX != 0 ? 1 : stride, area.width, area.height, phaseX | phaseY, isLuma)
    }
  }

  @unsafe
  @inline(__always)
  private static func byteTaps<S: PredictionSink>(
    _ sink: S, _ source: UnsafePointer<UInt8>, _ stride: Int, _ step: Int, _ width: Int, _ height: Int,
    _ phase: Int, _ isLuma: Bool
  ) {
    let taps = unsafe InterpolationTaps.shared.taps(phase, isLuma)
    if !isLuma {
      unsafe InterpolationFilters.fourTaps(sink, source, stride, step, width, height, taps)
    } else if phase == 2 {
      unsafe InterpolationFilters.halfTaps(sink, source, stride, step, width, height, taps)
    } else if phase == 1 {
      unsafe InterpolationFilters.quarterTaps(sink, source, stride, step, width, height, taps)
    } else {
      // The third quarter is the first one from the other end.
      unsafe InterpolationFilters.quarterTaps(
        sink, source + step, stride, 0 &- step, width, height, InterpolationTaps.shared.taps(1, true))
    }
  }

  /// Samples of one byte: all sums of one filter fit into two bytes, and eight are computed at a time.
  @unsafe
  @inline(__always)
  private static func filterBytes<S: PredictionSink>(
    _ sink: S, _ place: Place, _ phaseX: Int, _ phaseY: Int, _ isLuma: Bool, _ area: BlockArea,
    _ rows: UnsafeMutablePointer<Int16>
  ) {
    let width = area.width, height = area.height
    guard phaseX != 0, phaseY != 0 else {
      unsafe byteTaps(sink, place, phaseX, phaseY, isLuma, area)
      return
    }
    let before = isLuma ? 3 : 1, around = isLuma ? 7 : 3, stride = place.plane.stride
    unsafe byteTaps(
      StoredPrediction(rows, width: width),
      place.plane.samples(UInt8.self) + (place.offset &- before &* stride), stride, 1, width,
      height &+ around, phaseX, isLuma)
    // Taps add up to 64: the bias of the rows carries over to the sums.
    unsafe InterpolationFilters.down(
      sink, rows + before &* width, width, width, height, InterpolationTaps.shared.taps(phaseY, isLuma),
      isLuma, 6, bias: 0, pairs: rows + pairsStart)
  }

  /// Samples of two bytes with at most 12 bits, which are the same as signed numbers; signed products are faster.
  @unsafe
  @inline(__always)
  private static func filterWords<S: PredictionSink>(
    _ sink: S, _ place: Place, _ depth: Int, _ phaseX: Int, _ phaseY: Int, _ isLuma: Bool, _ area: BlockArea,
    _ rows: UnsafeMutablePointer<Int16>
  ) {
    let source = unsafe UnsafeMutableRawPointer(place.plane.samples(UInt16.self) + place.offset)
      .assumingMemoryBound(to: Int16.self)
    let width = area.width, height = area.height, stride = place.plane.stride, shift = depth &- 8
    let tapsX = unsafe InterpolationTaps.shared.taps(phaseX, isLuma)
    let tapsY = unsafe InterpolationTaps.shared.taps(phaseY, isLuma)
    let bias = bias(Int16.self), pairs = unsafe rows + pairsStart
    if phaseX == 0, phaseY == 0 {
      unsafe InterpolationFilters.copy(sink, source, stride, width, height, 14 &- depth)
    } else if phaseY == 0 {
      unsafe InterpolationFilters.across(
        sink, source, stride, 1, width, height, tapsX, isLuma, shift, bias: bias)
    } else if phaseX == 0 {
      unsafe InterpolationFilters.down(
        sink, source, stride, width, height, tapsY, isLuma, shift, bias: bias, pairs: pairs)
    } else {
      let before = isLuma ? 3 : 1, around = isLuma ? 7 : 3
      unsafe InterpolationFilters.across(
        StoredPrediction(rows, width: width), source - before &* stride, stride, 1, width, height &+ around,
        tapsX, isLuma, shift, bias: bias)
      unsafe InterpolationFilters.down(
        sink, rows + before &* width, width, width, height, tapsY, isLuma, 6, bias: 0, pairs: pairs)
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
      // Whole vectors: what is beyond is replaced, or the margin of a row.
      if left > 0 { unsafe fill(target, 0..<left, line[0]) }
      var column = left
      while column < right {
        unsafe UnsafeMutableRawPointer(target + column).storeBytes(
          of: UnsafeRawPointer(line + (x &+ column)).loadUnaligned(as: SIMD16<UInt8>.self),
          as: SIMD16<UInt8>.self)
        column = column &+ 16 / MemoryLayout<S>.size
      }
      if width > right { unsafe fill(target, right..<width, line[source.width &- 1]) }
    }
  }

  /// Sets samples in a range, and up to 15 bytes after it: a call for each row would take longer.
  @unsafe
  @inline(__always)
  private static func fill<S: Sample>(_ samples: UnsafeMutablePointer<S>, _ range: Range<Int>, _ value: S) {
    let size = MemoryLayout<S>.size
    let pattern =
      UInt64(truncatingIfNeeded: value) &* (size == 1 ? 0x0101_0101_0101_0101 : 0x0001_0001_0001_0001)
    var place = range.lowerBound
    while place < range.upperBound {
      unsafe UnsafeMutableRawPointer(samples + place).storeBytes(
        of: SIMD2(repeating: pattern), as: SIMD2<UInt64>.self)
      place = place &+ 16 / size
    }
  }
}
