// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import HEVCCoding

/// The in-loop filters of a picture, applied by rows of coding tree blocks. ISO/IEC 23008-2, 8.7
///
/// A plain value that owns nothing: its memory is that of ``CodingMemory``.
struct LoopFilters {
  let tables: PictureTables
  let rows: FilterRows
  let geometry: FilterGeometry

  init(
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
  func filter(_ picture: PictureBuffer, row: Int) {
    deblock(picture, row: row)
    guard geometry.isOffset else { return }
    // Sample adaptive offset needs one row of samples below, completely deblocked.
    if row > 0 { offset(picture, row: row - 1) }
    if row == geometry.heightInCtbs - 1 { offset(picture, row: row) }
  }
}

/// What the filters need to know about a picture.
struct FilterGeometry {
  let width: Int
  let height: Int
  let chromaArrayType: Int
  let chromaShiftX: Int
  let chromaShiftY: Int
  let ctbLog2Size: Int
  let widthInCtbs: Int
  let heightInCtbs: Int
  let bitDepthLuma: Int
  let bitDepthChroma: Int
  let cbOffset: Int
  let crOffset: Int
  let isOffset: Bool
  let isFilteredAcrossTiles: Bool

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
