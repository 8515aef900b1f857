// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC

/// Memory for intermediate results of a block, allocated once for all blocks.
///
/// A plain value that owns nothing: ``DecoderMemory`` allocates and frees its memory.
struct BlockScratch: @unchecked Sendable {
  /// Whether coefficients and intermediate samples take four bytes.
  let isLong: Bool
  let scans = ScanTables.shared

  // Residuals, in two or four bytes.
  let coefficients: Memory<Int16>
  let residual: Memory<Int16>
  let between: Memory<Int16>
  let sums: Memory<Int32>
  let longCoefficients: Memory<Int32>
  let longResidual: Memory<Int32>
  let longBetween: Memory<Int32>
  let longSums: Memory<Int64>
  /// The luma residual that cross-component prediction uses.
  let lumaResidual: Memory<Int32>

  // Intra prediction: the samples around a block, from the lowest on the left through the corner to the last one
  // above right.
  let border: Memory<UInt16>
  let filteredBorder: Memory<UInt16>
  /// The samples of one side, extended by those of the other.
  let side: Memory<UInt16>

  // Inter prediction: two predictions, and the rows between two filters.
  let prediction0: Memory<Int16>
  let prediction1: Memory<Int16>
  let rows: Memory<Int16>
  let longPrediction0: Memory<Int32>
  let longPrediction1: Memory<Int32>
  let longRows: Memory<Int32>
  /// A block whose samples are partly outside of the picture.
  let patch: Plane

  init(_ geometry: PictureGeometry, isLong: Bool) {
    self.isLong = isLong
    let short = isLong ? 0 : 1, long = isLong ? 1 : 0
    coefficients = Memory(count: 1024 * short, repeating: 0)
    residual = Memory(count: 1024 * short, repeating: 0)
    between = Memory(count: 1024 * short, repeating: 0)
    sums = Memory(count: 32 * short, repeating: 0)
    longCoefficients = Memory(count: 1024 * long, repeating: 0)
    longResidual = Memory(count: 1024 * long, repeating: 0)
    longBetween = Memory(count: 1024 * long, repeating: 0)
    longSums = Memory(count: 32 * long, repeating: 0)
    lumaResidual = Memory(count: 1024, repeating: 0)
    border = Memory(count: 144, repeating: 0)
    filteredBorder = Memory(count: 144, repeating: 0)
    side = Memory(count: 144, repeating: 0)
    prediction0 = Memory(count: 4096 * short, repeating: 0)
    prediction1 = Memory(count: 4096 * short, repeating: 0)
    rows = Memory(count: 72 * 64 * short, repeating: 0)
    longPrediction0 = Memory(count: 4096 * long, repeating: 0)
    longPrediction1 = Memory(count: 4096 * long, repeating: 0)
    longRows = Memory(count: 72 * 64 * long, repeating: 0)
    let isWide = max(geometry.bitDepthLuma, geometry.chromaArrayType == 0 ? 0 : geometry.bitDepthChroma) > 8
    patch = Plane(width: 80, height: 80, bitDepth: isWide ? 16 : 8, isWide: isWide)
  }

  func free() {
    coefficients.free()
    residual.free()
    between.free()
    sums.free()
    longCoefficients.free()
    longResidual.free()
    longBetween.free()
    longSums.free()
    lumaResidual.free()
    border.free()
    filteredBorder.free()
    side.free()
    prediction0.free()
    prediction1.free()
    rows.free()
    longPrediction0.free()
    longPrediction1.free()
    longRows.free()
    patch.free()
  }

  @inline(__always)
  func setCoefficient(_ place: Int, _ value: Int) {
    if isLong {
      longCoefficients[place] = Int32(truncatingIfNeeded: value)
    } else {
      coefficients[place] = Int16(truncatingIfNeeded: value)
    }
  }
}

/// The planes of a picture, by component.
struct PlaneSet: @unchecked Sendable {
  let luma: Plane
  let cb: Plane
  let cr: Plane

  init(_ picture: PictureBuffer) {
    luma = picture.planes[0]
    cb = picture.planes[picture.planes.count > 1 ? 1 : 0]
    cr = picture.planes[picture.planes.count > 2 ? 2 : 0]
  }

  @inline(__always)
  subscript(component: Int) -> Plane { component == 0 ? luma : component == 1 ? cb : cr }
}
