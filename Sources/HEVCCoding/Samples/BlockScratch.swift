// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import HEVC

/// Memory for intermediate results of a block, allocated once for all blocks.
///
/// A plain value that owns nothing: ``CodingMemory`` allocates and frees its memory.
@usableFromInline
package struct BlockScratch: @unchecked Sendable {
  /// Whether coefficients and intermediate samples take four bytes.
  @usableFromInline package let isLong: Bool
  package let scans = ScanTables.shared

  // Residuals, in two or four bytes.
  @usableFromInline package let coefficients: Memory<Int16>
  package let residual: Memory<Int16>
  package let between: Memory<Int16>
  package let sums: Memory<Int32>
  @usableFromInline package let longCoefficients: Memory<Int32>
  package let longResidual: Memory<Int32>
  package let longBetween: Memory<Int32>
  package let longSums: Memory<Int64>
  /// The luma residual that cross-component prediction uses.
  package let lumaResidual: Memory<Int32>

  // Intra prediction: the samples around a block, from the lowest on the left through the corner to the last one
  // above right.
  package let border: Memory<UInt16>
  package let filteredBorder: Memory<UInt16>
  /// The samples of one side, extended by those of the other.
  package let side: Memory<UInt16>

  // Inter prediction: two predictions, and the rows between two filters, with room for their pairs.
  package let prediction0: Memory<Int16>
  package let prediction1: Memory<Int16>
  package let rows: Memory<Int16>
  package let longPrediction0: Memory<Int32>
  package let longPrediction1: Memory<Int32>
  package let longRows: Memory<Int32>
  /// A block whose samples are partly outside of the picture.
  package let patch: Plane

  package init(_ geometry: PictureGeometry, isLong: Bool) {
    self.isLong = isLong
    let short = isLong ? 0 : 1, long = isLong ? 1 : 0
    coefficients = Memory(count: 1024 * short, repeating: 0)
    residual = Memory(count: 1024 * short, repeating: 0)
    between = Memory(count: 1280 * short, repeating: 0)
    sums = Memory(count: 1024 * short, repeating: 0)
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
    rows = Memory(count: InterKernels.rowsCount * short, repeating: 0)
    longPrediction0 = Memory(count: 4096 * long, repeating: 0)
    longPrediction1 = Memory(count: 4096 * long, repeating: 0)
    longRows = Memory(count: InterKernels.rowsCount * long, repeating: 0)
    let isWide = max(geometry.bitDepthLuma, geometry.chromaArrayType == 0 ? 0 : geometry.bitDepthChroma) > 8
    patch = Plane(width: 80, height: 80, bitDepth: isWide ? 16 : 8, isWide: isWide)
  }

  package func free() {
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

  @inlinable @inline(__always)
  package func setCoefficient(_ place: Int, _ value: Int) {
    if isLong {
      longCoefficients[place] = Int32(truncatingIfNeeded: value)
    } else {
      coefficients[place] = Int16(truncatingIfNeeded: value)
    }
  }
}

/// The planes of a picture, by component.
@usableFromInline
package struct PlaneSet: @unchecked Sendable {
  @usableFromInline package let luma: Plane
  @usableFromInline package let cb: Plane
  @usableFromInline package let cr: Plane

  package init(_ picture: PictureBuffer) {
    luma = picture.planes[0]
    cb = picture.planes[picture.planes.count > 1 ? 1 : 0]
    cr = picture.planes[picture.planes.count > 2 ? 2 : 0]
  }

  @inlinable @inline(__always)
  package subscript(component: Int) -> Plane { component == 0 ? luma : component == 1 ? cb : cr }
}
