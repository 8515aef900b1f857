// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCCoding

/// Decodes the data of one slice segment: its coding tree units, in order.
///
/// Prediction is interleaved with parsing, because a block may be predicted from the preceding one. Values from
/// damaged data are limited where they are used; impossible ones are recorded in ``damage`` and end the slice
/// segment after the coding tree unit.
struct SliceDecoder: ~Copyable {
  let v: SliceValues
  let tables: PictureTables
  let scratch: BlockScratch
  let planes: PlaneSet
  var cabac: ArithmeticDecoder

  // References.
  let references: ReferenceTables
  let pictures: ReferencePictures
  let scaling: Memory<UInt8>

  // Of the coding tree unit.
  var ctbX = 0
  var ctbY = 0
  var ctbAddress = 0
  var ctbTileScan = 0

  // Of the quantisation group. 7.4.9.14
  var isQpDeltaCoded = false
  var qpDelta = 0
  var predictedQp = 0
  var lastQp = 0
  var isChromaQpOffsetCoded = false
  var cuCbOffset = 0
  var cuCrOffset = 0

  // Of the coding unit.
  var cuX = 0
  var cuY = 0
  var cuLog2Size = 0
  var isCuIntra = false
  var isCuBypass = false
  var cuQp = 0
  var cuDepth = 0
  var partMode = PartMode.whole
  var maxTransformDepth = 0
  var isIntraSplit = false
  var lumaModes: (Int, Int, Int, Int) = (1, 1, 1, 1)
  var chromaModes: (Int, Int, Int, Int) = (1, 1, 1, 1)
  /// Whether intra_chroma_pred_mode is 4: the chroma mode is the luma mode.
  var isChromaDerived: (Bool, Bool, Bool, Bool) = (false, false, false, false)

  // Of the transform block.
  /// Whether the samples that cross-component prediction uses are present.
  var hasLumaResidual = false

  /// What is impossible in the data; `nil` if nothing is.
  var damage: StaticString?

  init(
    _ values: SliceValues, _ tables: PictureTables, _ scratch: BlockScratch, _ planes: PlaneSet,
    _ references: ReferenceTables, _ pictures: ReferencePictures, _ scaling: Memory<UInt8>,
    _ cabac: ArithmeticDecoder, lastQp: Int
  ) {
    v = values
    self.tables = tables
    self.scratch = scratch
    self.planes = planes
    self.references = references
    self.pictures = pictures
    self.scaling = scaling
    self.cabac = cabac
    self.lastQp = lastQp
  }
}

extension SliceDecoder {
  /// Whether a block has been decoded that a block at (`fromX`, `fromY`) of this coding tree block may use. 6.4.1
  @inline(__always)
  func isAvailable(fromX: Int, fromY: Int, _ x: Int, _ y: Int) -> Bool {
    guard x >= 0, y >= 0, x < v.width, y < v.height else { return false }
    let otherX = x &>> v.ctbLog2Size, otherY = y &>> v.ctbLog2Size
    if otherX == ctbX, otherY == ctbY {
      let mask = (1 &<< v.ctbLog2Size) &- 1
      let other = ((y & mask) &>> 2) &<< 4 | (x & mask) &>> 2
      let current = ((fromY & mask) &>> 2) &<< 4 | (fromX & mask) &>> 2
      return tables.zScan[other] <= tables.zScan[current]
    }
    return isCtbAvailable(otherX, otherY)
  }

  /// The same for a coding tree block as a whole.
  func isCtbAvailable(_ x: Int, _ y: Int) -> Bool {
    guard x >= 0, y >= 0, x < v.widthInCtbs, y < v.heightInCtbs else { return false }
    let address = y &* v.widthInCtbs &+ x
    return Int(tables.sliceAddress[address]) == v.sliceAddress
      && Int(tables.tileScan[address]) < ctbTileScan && tables.tile[address] == tables.tile[ctbAddress]
  }

  /// What is stored about the block at a position inside the picture.
  @inline(__always)
  func info(_ x: Int, _ y: Int) -> UInt8 { tables.info[(y &>> 2) &* tables.stride &+ x &>> 2] }

  /// Prepares the tables of this coding tree unit. 7.3.8.2
  mutating func beginCtu(address: Int, tileScan: Int) {
    ctbAddress = address
    ctbTileScan = tileScan
    ctbY = address / v.widthInCtbs
    ctbX = address &- ctbY &* v.widthInCtbs
    tables.sliceAddress[address] = Int32(truncatingIfNeeded: v.sliceAddress)
    tables.betaOffset[address] = Int8(truncatingIfNeeded: v.betaOffset)
    tables.tcOffset[address] = Int8(truncatingIfNeeded: v.tcOffset)
    tables.filterFlags[address] = v.isFilteredAcrossSlices ? 1 : 0
  }

  /// coding_tree_unit(). 7.3.8.2
  mutating func codingTreeUnit() {
    if v.isSaoLuma || v.isSaoChroma { sampleAdaptiveOffset() }
    codingQuadtree(ctbX &<< v.ctbLog2Size, ctbY &<< v.ctbLog2Size, v.ctbLog2Size, 0)
  }

  /// sao(). 7.3.8.3
  private mutating func sampleAdaptiveOffset() {
    let place = ctbAddress &* 3
    if ctbX > 0, isCtbAvailable(ctbX &- 1, ctbY), cabac.flag(Contexts.saoMerge) {
      return copySao(from: place &- 3)
    }
    if ctbY > 0, isCtbAvailable(ctbX, ctbY &- 1), cabac.flag(Contexts.saoMerge) {
      return copySao(from: place &- 3 &* v.widthInCtbs)
    }
    for component in 0..<(v.chromaArrayType == 0 ? 1 : 3) {
      let index = place &+ component
      guard component == 0 ? v.isSaoLuma : v.isSaoChroma else {
        tables.saoType[index] = 0
        continue
      }
      if component == 2 {
        tables.saoType[index] = tables.saoType[index &- 1]
      } else {
        tables.saoType[index] = cabac.flag(Contexts.saoType) ? cabac.bypassBin() == 0 ? 1 : 2 : 0
      }
      let type = tables.saoType[index]
      guard type != 0 else { continue }
      let depth = component == 0 ? v.bitDepthLuma : v.bitDepthChroma
      let maximum = (1 &<< (min(depth, 10) &- 5)) &- 1
      let shift = component == 0 ? v.saoShiftLuma : v.saoShiftChroma
      for offset in 0..<4 {
        var value = 0
        while value < maximum, cabac.bypassBin() != 0 { value = value &+ 1 }
        // SaoTypeIdx 2: the first two offsets raise values, the others lower them. 7.4.9.3
        if type == 2, offset > 1 { value = 0 &- value }
        tables.saoOffset[index &* 4 &+ offset] = Int16(truncatingIfNeeded: value)
      }
      if type == 1 {
        for offset in 0..<4 where tables.saoOffset[index &* 4 &+ offset] != 0 {
          if cabac.bypassBin() != 0 {
            tables.saoOffset[index &* 4 &+ offset] = 0 &- tables.saoOffset[index &* 4 &+ offset]
          }
        }
        tables.saoBand[index] = UInt8(truncatingIfNeeded: cabac.bypass(5))
      } else if component == 2 {
        tables.saoBand[index] = tables.saoBand[index &- 1]
      } else {
        tables.saoBand[index] = UInt8(truncatingIfNeeded: cabac.bypass(2))
      }
      for offset in 0..<4 {
        let value = tables.saoOffset[index &* 4 &+ offset]
        tables.saoOffset[index &* 4 &+ offset] = value &<< Int16(truncatingIfNeeded: shift)
      }
    }
  }

  /// sao_merge_left_flag or sao_merge_up_flag: copies the syntax elements of another block. 7.4.9.3
  private func copySao(from other: Int) {
    let place = ctbAddress &* 3
    for component in 0..<(v.chromaArrayType == 0 ? 1 : 3) {
      let isEnabled = component == 0 ? v.isSaoLuma : v.isSaoChroma
      tables.saoType[place &+ component] = isEnabled ? tables.saoType[other &+ component] : 0
      tables.saoBand[place &+ component] = tables.saoBand[other &+ component]
      for offset in 0..<4 {
        tables.saoOffset[(place &+ component) &* 4 &+ offset] =
          tables.saoOffset[(other &+ component) &* 4 &+ offset]
      }
    }
  }
}
