// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCCoding

/// Decodes the data of one slice segment: its coding tree units, in order.
///
/// Prediction is interleaved with parsing, because a block may be predicted from the preceding one. Values from
/// damaged data are limited where they are used; impossible ones are recorded in ``damage`` and end the slice
/// segment after the coding tree unit.
struct SliceDecoder: ~Copyable {
  /// What is known of the coding unit at hand, and done with its blocks.
  var blocks: BlockContext
  var cabac: ArithmeticDecoder

  // Of the quantisation group. 7.4.9.14
  var isQpDeltaCoded = false
  var isChromaQpOffsetCoded = false

  // Of the coding unit.
  var cuDepth = 0
  var maxTransformDepth = 0
  var isIntraSplit = false
  var lumaModes: (Int, Int, Int, Int) = (1, 1, 1, 1)
  var chromaModes: (Int, Int, Int, Int) = (1, 1, 1, 1)
  /// Whether intra_chroma_pred_mode is 4: the chroma mode is the luma mode.
  var isChromaDerived: (Bool, Bool, Bool, Bool) = (false, false, false, false)

  /// What is impossible in the data; `nil` if nothing is.
  var damage: StaticString?

  init(_ blocks: consuming BlockContext, _ cabac: ArithmeticDecoder) {
    self.blocks = blocks
    self.cabac = cabac
  }
}

extension SliceDecoder {
  /// coding_tree_unit(). 7.3.8.2
  mutating func codingTreeUnit() {
    if blocks.v.isSaoLuma || blocks.v.isSaoChroma { sampleAdaptiveOffset() }
    codingQuadtree(
      blocks.ctbX &<< blocks.v.ctbLog2Size, blocks.ctbY &<< blocks.v.ctbLog2Size, blocks.v.ctbLog2Size, 0)
  }

  /// sao(). 7.3.8.3
  private mutating func sampleAdaptiveOffset() {
    let place = blocks.ctbAddress &* 3
    if blocks.ctbX > 0, blocks.isCtbAvailable(blocks.ctbX &- 1, blocks.ctbY), cabac.flag(Contexts.saoMerge) {
      return copySao(from: place &- 3)
    }
    if blocks.ctbY > 0, blocks.isCtbAvailable(blocks.ctbX, blocks.ctbY &- 1), cabac.flag(Contexts.saoMerge) {
      return copySao(from: place &- 3 &* blocks.v.widthInCtbs)
    }
    for component in 0..<(blocks.v.chromaArrayType == 0 ? 1 : 3) {
      let index = place &+ component
      guard component == 0 ? blocks.v.isSaoLuma : blocks.v.isSaoChroma else {
        blocks.tables.saoType[index] = 0
        continue
      }
      if component == 2 {
        blocks.tables.saoType[index] = blocks.tables.saoType[index &- 1]
      } else {
        blocks.tables.saoType[index] = cabac.flag(Contexts.saoType) ? cabac.bypassBin() == 0 ? 1 : 2 : 0
      }
      let type = blocks.tables.saoType[index]
      guard type != 0 else { continue }
      let depth = component == 0 ? blocks.v.bitDepthLuma : blocks.v.bitDepthChroma
      let maximum = (1 &<< (min(depth, 10) &- 5)) &- 1
      let shift = component == 0 ? blocks.v.saoShiftLuma : blocks.v.saoShiftChroma
      for offset in 0..<4 {
        var value = 0
        while value < maximum, cabac.bypassBin() != 0 { value = value &+ 1 }
        // SaoTypeIdx 2: the first two offsets raise values, the others lower them. 7.4.9.3
        if type == 2, offset > 1 { value = 0 &- value }
        blocks.tables.saoOffset[index &* 4 &+ offset] = Int16(truncatingIfNeeded: value)
      }
      if type == 1 {
        for offset in 0..<4 where blocks.tables.saoOffset[index &* 4 &+ offset] != 0 {
          if cabac.bypassBin() != 0 {
            blocks.tables.saoOffset[index &* 4 &+ offset] = 0 &- blocks.tables.saoOffset[index &* 4 &+ offset]
          }
        }
        blocks.tables.saoBand[index] = UInt8(truncatingIfNeeded: cabac.bypass(5))
      } else if component == 2 {
        blocks.tables.saoBand[index] = blocks.tables.saoBand[index &- 1]
      } else {
        blocks.tables.saoBand[index] = UInt8(truncatingIfNeeded: cabac.bypass(2))
      }
      for offset in 0..<4 {
        let value = blocks.tables.saoOffset[index &* 4 &+ offset]
        blocks.tables.saoOffset[index &* 4 &+ offset] = value &<< Int16(truncatingIfNeeded: shift)
      }
    }
  }

  /// sao_merge_left_flag or sao_merge_up_flag: copies the syntax elements of another block. 7.4.9.3
  private func copySao(from other: Int) {
    let place = blocks.ctbAddress &* 3
    for component in 0..<(blocks.v.chromaArrayType == 0 ? 1 : 3) {
      let isEnabled = component == 0 ? blocks.v.isSaoLuma : blocks.v.isSaoChroma
      blocks.tables.saoType[place &+ component] = isEnabled ? blocks.tables.saoType[other &+ component] : 0
      blocks.tables.saoBand[place &+ component] = blocks.tables.saoBand[other &+ component]
      for offset in 0..<4 {
        blocks.tables.saoOffset[(place &+ component) &* 4 &+ offset] =
          blocks.tables.saoOffset[(other &+ component) &* 4 &+ offset]
      }
    }
  }
}
