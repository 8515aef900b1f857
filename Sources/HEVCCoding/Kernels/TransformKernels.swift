// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The integer type of coefficients and residuals: two bytes, or four if samples have more than 12 bits.
protocol Coefficient: FixedWidthInteger, SignedInteger, BitwiseCopyable {
  /// The type of sums of products.
  associatedtype Sum: FixedWidthInteger, SignedInteger, BitwiseCopyable
}
extension Int16: Coefficient {
  typealias Sum = Int32
}
extension Int32: Coefficient {
  typealias Sum = Int64
}

/// The matrices of the transforms. ISO/IEC 23008-2, 8.6.4.2
@safe
struct TransformMatrices: @unchecked Sendable {
  /// Made once for all decoders and never freed.
  static let shared = TransformMatrices()

  /// transMatrix of 32x32, row by row: it contains all smaller ones.
  let cosine: UnsafeMutablePointer<Int16>
  /// The matrix of the transform for luma blocks of 4x4.
  let sine: UnsafeMutablePointer<Int16>
  /// Each entry of the 32x32 matrix eight times.
  let cosineLanes: UnsafeMutablePointer<SIMD8<Int16>>

  private init() {
    unsafe cosine = UnsafeMutablePointer<Int16>.allocate(capacity: 1024)
    unsafe sine = UnsafeMutablePointer<Int16>.allocate(capacity: 16)
    unsafe cosineLanes = UnsafeMutablePointer<SIMD8<Int16>>.allocate(capacity: 1024)
    for row in 0..<32 {
      for column in 0..<32 {
        unsafe cosine[row * 32 + column] = Self.cosineEntry(row, column)
        unsafe cosineLanes[row * 32 + column] = SIMD8(repeating: Self.cosineEntry(row, column))
      }
    }
    for (index, entry) in ([29, 55, 74, 84, 74, 74, 0, -74, 84, -29, -74, 55, 55, -84, 74, -29] as [Int16])
      .enumerated()
    {
      unsafe sine[index] = entry
    }
  }

  /// The first column of the matrix; all other entries are among these, by the symmetries of a cosine.
  private static let firstColumn: [Int16] = [
    64, 90, 90, 90, 89, 88, 87, 85, 83, 82, 80, 78, 75, 73, 70, 67, 64, 61, 57, 54, 50, 46, 43, 38, 36, 31,
    25, 22, 18,
    13, 9, 4,
  ]

  static func cosineEntry(_ row: Int, _ column: Int) -> Int16 {
    var angle = row * (2 * column + 1) % 128
    if angle > 64 { angle = 128 - angle }
    return angle > 32 ? -firstColumn[64 - angle] : firstColumn[angle]
  }
}

/// The transforms from coefficients to residuals. ISO/IEC 23008-2, 8.6.4.2
enum TransformKernels {
  /// The inverse transform of a block: first its columns, then its rows.
  ///
  /// - Parameters:
  ///   - coefficients: the coefficients of the block, row by row.
  ///   - residual: where the residual is written, row by row.
  ///   - between: room for the values of a block, and for numbers of two bytes 256 more: with less, it is slower.
  ///   - sums: room for the values of a row, or better of a block.
  ///   - lastColumn: the last column that may have a coefficient other than 0.
  ///   - lastRow: the last row that may have a coefficient other than 0.
  ///   - limit: CoeffMax plus 1.
  ///   - shift: bdShift of the second stage.
  static func inverse<C: Coefficient>(
    _ coefficients: Memory<C>, to residual: Memory<C>, between: Memory<C>, sums: Memory<C.Sum>, log2Size: Int,
    lastColumn: Int, lastRow: Int, isSine: Bool, limit: Int, shift: Int
  ) {
    let size = 1 &<< log2Size
    guard size <= 32, coefficients.count >= size &* size, residual.count >= size &* size,
      between.count >= size &* size, sums.count >= size
    else { return }
    let columns = min(size, lastColumn &+ 1), rows = min(size, lastRow &+ 1)
    if C.self == Int16.self, limit == 1 &<< 15, shift >= 8, between.count >= 1280, sums.count >= size &* size
    {
      let source = unsafe UnsafeMutableRawPointer(coefficients.base).assumingMemoryBound(to: Int16.self)
      let middle = unsafe UnsafeMutableRawPointer(between.base).assumingMemoryBound(to: Int16.self)
      let target = unsafe UnsafeMutableRawPointer(residual.base).assumingMemoryBound(to: Int16.self)
      let sum = unsafe UnsafeMutableRawPointer(sums.base).assumingMemoryBound(to: Int32.self)
      if size == 4 {
        unsafe InverseTransforms.block4(source, target, isSine: isSine, shift: shift)
      } else if columns <= 4, rows <= 4, unsafe hasOnlyLowest(source, size) {
        let value = unsafe lowest(source[0], shift)
        unsafe target.update(repeating: Int16(clamping: value), count: size &* size)
      } else {
        unsafe InverseTransforms.block(
          source, target, between: middle, sums: sum, log2Size: log2Size, columns: (columns &+ 3) & ~3,
          rows: (rows &+ 3) & ~3, shift: shift)
      }
      return
    }
    let matrix = unsafe isSine ? TransformMatrices.shared.sine : TransformMatrices.shared.cosine
    // The rows of a smaller matrix are every second, fourth or eighth row of the largest one.
    let step = isSine ? 4 : 32 &<< (5 &- log2Size)
    let low = C.Sum(truncatingIfNeeded: 0 &- limit), high = C.Sum(truncatingIfNeeded: limit &- 1)
    let sum = unsafe sums.base
    for y in 0..<size {
      unsafe sum.update(repeating: 64, count: columns)
      for j in 0..<rows {
        let factor = unsafe C.Sum(matrix[j &* step &+ y])
        let source = unsafe coefficients.base + j &* size
        for x in 0..<columns { unsafe sum[x] = sum[x] &+ factor &* C.Sum(source[x]) }
      }
      let target = unsafe between.base + y &* size
      for x in 0..<columns {
        unsafe target[x] = C(truncatingIfNeeded: max(low, min(high, sum[x] &>> 7)))
      }
    }
    let round = C.Sum(1) &<< C.Sum(truncatingIfNeeded: shift &- 1)
    let by = C.Sum(truncatingIfNeeded: shift)
    for y in 0..<size {
      unsafe sum.update(repeating: round, count: size)
      let source = unsafe between.base + y &* size
      for j in 0..<columns {
        let factor = unsafe C.Sum(source[j])
        let line = unsafe matrix + j &* step
        for x in 0..<size { unsafe sum[x] = sum[x] &+ factor &* C.Sum(line[x]) }
      }
      let target = unsafe residual.base + y &* size
      // A residual that does not fit is far outside the range of samples.
      let least = C.Sum(C.min), most = C.Sum(C.max)
      for x in 0..<size { unsafe target[x] = C(truncatingIfNeeded: max(least, min(most, sum[x] &>> by))) }
    }
  }

  /// The residual of a block of which only the lowest coefficient may be other than 0, which is the same everywhere;
  /// `nil` if it is not such a block. The parameters are those of
  /// ``inverse(_:to:between:sums:log2Size:lastColumn:lastRow:isSine:limit:shift:)``.
  static func constant<C: Coefficient>(
    _ coefficients: Memory<C>, log2Size: Int, lastColumn: Int, lastRow: Int, isSine: Bool, limit: Int,
    shift: Int
  ) -> Int? {
    guard C.self == Int16.self, limit == 1 &<< 15, shift >= 8, !isSine, lastColumn < 4, lastRow < 4,
      coefficients.count >= 1 &<< (2 &* log2Size)
    else { return nil }
    let source = unsafe UnsafeMutableRawPointer(coefficients.base).assumingMemoryBound(to: Int16.self)
    return unsafe hasOnlyLowest(source, 1 &<< log2Size) ? lowest(source[0], shift) : nil
  }

  @inline(__always)
  private static func lowest(_ coefficient: Int16, _ shift: Int) -> Int {
    let first = (64 &* Int(coefficient) &+ 64) &>> 7
    return (64 &* first &+ 1 &<< (shift &- 1)) &>> shift
  }

  /// Whether all coefficients of the first sub-block except the lowest one are 0.
  @unsafe
  @inline(__always)
  private static func hasOnlyLowest(_ source: UnsafeMutablePointer<Int16>, _ size: Int) -> Bool {
    var all: Int16 = 0
    for y in 0..<4 {
      let line = unsafe source + y &* size
      unsafe all |= (y == 0 ? 0 : line[0]) | line[1] | line[2] | line[3]
    }
    return all == 0
  }

  /// Adds a block of residuals to samples. 8.6.6
  static func add<C: Coefficient>(_ residual: Memory<C>, to plane: Plane, x: Int, y: Int, size: Int) {
    guard plane.contains(x: x, y: y, width: size, height: size), residual.count >= size &* size else {
      return
    }
    let place = y &* plane.stride &+ x
    if C.self == Int16.self, size & 3 == 0, plane.bitDepth <= 12 {
      let source = unsafe UnsafeMutableRawPointer(residual.base).assumingMemoryBound(to: Int16.self)
      if plane.isWide {
        unsafe ResidualRows.add(
          source, to: plane.samples(UInt16.self) + place, plane.stride, size, plane.bitDepth)
      } else {
        unsafe ResidualRows.add(source, to: plane.samples(UInt8.self) + place, plane.stride, size)
      }
      return
    }
    if plane.isWide {
      unsafe add(
        residual.base, plane.samples(UInt16.self) + place, plane.stride, size,
        plane.bitDepth)
    } else {
      unsafe add(
        residual.base, plane.samples(UInt8.self) + place, plane.stride, size,
        plane.bitDepth)
    }
  }

  /// Adds the same number to all samples of a block.
  static func add(_ value: Int, to plane: Plane, x: Int, y: Int, size: Int) {
    guard plane.contains(x: x, y: y, width: size, height: size), size & 3 == 0, plane.bitDepth <= 12 else {
      return
    }
    let place = y &* plane.stride &+ x, number = Int16(truncatingIfNeeded: max(-4096, min(4095, value)))
    if plane.isWide {
      unsafe ResidualRows.add(
        number, to: plane.samples(UInt16.self) + place, plane.stride, size, plane.bitDepth)
    } else {
      unsafe ResidualRows.add(number, to: plane.samples(UInt8.self) + place, plane.stride, size)
    }
  }

  @unsafe
  @inline(__always)
  private static func add<C: Coefficient, S: Sample>(
    _ residual: UnsafeMutablePointer<C>, _ samples: UnsafeMutablePointer<S>, _ stride: Int, _ size: Int,
    _ bitDepth: Int
  ) {
    let high = C.Sum(1) &<< C.Sum(truncatingIfNeeded: bitDepth) &- 1
    var line = unsafe samples, source = unsafe residual
    for _ in 0..<size {
      for x in 0..<size {
        let sum = unsafe C.Sum(truncatingIfNeeded: line[x]) &+ C.Sum(source[x])
        unsafe line[x] = S(truncatingIfNeeded: max(0, min(high, sum)))
      }
      unsafe line += stride
      unsafe source += size
    }
  }
}
