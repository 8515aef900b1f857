// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import HEVC

/// The in-loop filters of a picture, applied by rows of coding tree blocks. ISO/IEC 23008-2, 8.7
///
/// A plain value that owns nothing: its memory is that of ``CodingMemory``.
package struct LoopFilters {
  package let tables: PictureTables
  package let rows: FilterRows
  package let geometry: FilterGeometry

  package init(
    _ picture: PictureGeometry, _ sps: SequenceParameterSet, _ pps: PictureParameterSet,
    _ memory: CodingMemory
  ) {
    tables = memory.tables
    rows = memory.rows
    geometry = FilterGeometry(picture, sps, pps)
  }

  /// Filters a row of coding tree blocks; those above it must be filtered, and the one below it decoded, because
  /// that one is predicted from unfiltered samples.
  ///
  /// Afterwards, the rows above it do not change any more.
  package func filter(_ picture: PictureBuffer, row: Int) {
    deblock(picture, row: row)
    guard geometry.isOffset else { return }
    // Sample adaptive offset needs one row of samples below, completely deblocked.
    if row > 0 { offset(picture, row: row - 1) }
    if row == geometry.heightInCtbs - 1 { offset(picture, row: row) }
  }
}

/// What the filters need to know about a picture.
package struct FilterGeometry {
  package let width: Int
  package let height: Int
  package let chromaArrayType: Int
  package let chromaShiftX: Int
  package let chromaShiftY: Int
  package let ctbLog2Size: Int
  package let widthInCtbs: Int
  package let heightInCtbs: Int
  package let bitDepthLuma: Int
  package let bitDepthChroma: Int
  package let cbOffset: Int
  package let crOffset: Int
  package let isOffset: Bool
  package let isFilteredAcrossTiles: Bool

  init(_ geometry: PictureGeometry, _ sps: SequenceParameterSet, _ pps: PictureParameterSet) {
    width = geometry.width
    height = geometry.height
    chromaArrayType = geometry.chromaArrayType
    chromaShiftX = geometry.subWidthC == 2 ? 1 : 0
    chromaShiftY = geometry.subHeightC == 2 ? 1 : 0
    ctbLog2Size = geometry.ctbLog2Size
    widthInCtbs = geometry.widthInCtbs
    heightInCtbs = geometry.heightInCtbs
    bitDepthLuma = geometry.bitDepthLuma
    bitDepthChroma = geometry.bitDepthChroma
    cbOffset = Int(pps.ppsCbQpOffset)
    crOffset = Int(pps.ppsCrQpOffset)
    isOffset = sps.sampleAdaptiveOffsetEnabledFlag
    isFilteredAcrossTiles = pps.tiles?.loopFilterAcrossTilesEnabledFlag ?? true
  }
}
