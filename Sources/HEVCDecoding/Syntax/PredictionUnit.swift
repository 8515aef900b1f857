// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCCoding

// Prediction unit and motion vector difference. ISO/IEC 23008-2, 7.3.8.6 and 7.3.8.9

extension SliceDecoder {
  /// prediction_unit(), and the prediction itself; returns whether the motion is merged.
  @discardableResult
  mutating func predictionUnit(
    _ x: Int, _ y: Int, _ width: Int, _ height: Int, part: Int, isSkipped: Bool
  ) -> Bool {
    let block = PredictionBlock(x: x, y: y, width: width, height: height, part: part)
    let isMerged = isSkipped || cabac.flag(Contexts.mergeFlag)
    var motion: Motion
    if isMerged {
      var index = 0
      if blocks.v.maxMergeCandidates > 1, cabac.flag(Contexts.mergeIndex) {
        index = 1
        while index < blocks.v.maxMergeCandidates &- 1, cabac.bypassBin() != 0 { index = index &+ 1 }
      }
      motion = blocks.mergedMotion(block, index)
    } else {
      motion = codedMotion(block)
    }
    if !blocks.setSlots(&motion) { damage = damage ?? "a block refers to no picture" }
    blocks.tables.motion.fill(
      x: x &>> 2, y: y &>> 2, width: width &>> 2, height: height &>> 2, stride: blocks.tables.stride,
      with: motion)
    blocks.predictInter(block, motion)
    return isMerged
  }

  private mutating func codedMotion(_ block: PredictionBlock) -> Motion {
    var uses0 = true, uses1 = false
    if blocks.v.isB { (uses0, uses1) = interDirection(block) }
    var motion = Motion()
    if uses0 {
      let index = referenceIndex(blocks.v.count0)
      let (x, y) = vectorDifference()
      let isSecond = cabac.flag(Contexts.vectorPredictor)
      let predictor = blocks.predictedVector(block, list: 0, index: index, isSecond: isSecond)
      motion.index0 = Int8(truncatingIfNeeded: index)
      motion.vector0 = MotionVector(
        x: predictor.x &+ Int16(truncatingIfNeeded: x), y: predictor.y &+ Int16(truncatingIfNeeded: y))
    }
    if uses1 {
      let index = referenceIndex(blocks.v.count1)
      var x = 0, y = 0
      if !(blocks.v.isMvdL1Zero && uses0) { (x, y) = vectorDifference() }
      let isSecond = cabac.flag(Contexts.vectorPredictor)
      let predictor = blocks.predictedVector(block, list: 1, index: index, isSecond: isSecond)
      motion.index1 = Int8(truncatingIfNeeded: index)
      motion.vector1 = MotionVector(
        x: predictor.x &+ Int16(truncatingIfNeeded: x), y: predictor.y &+ Int16(truncatingIfNeeded: y))
    }
    return motion
  }

  /// inter_pred_idc. 9.3.3.9
  private mutating func interDirection(_ block: PredictionBlock) -> (Bool, Bool) {
    if block.width &+ block.height != 12, cabac.flag(Contexts.interDirection &+ cuDepth) {
      return (true, true)
    }
    return cabac.flag(Contexts.interDirection &+ 4) ? (false, true) : (true, false)
  }

  /// ref_idx_l0 or ref_idx_l1. 9.3.4.2
  private mutating func referenceIndex(_ count: Int) -> Int {
    let maximum = count &- 1
    var index = 0
    while index < maximum {
      let bin = index < 2 ? cabac.bin(Contexts.referenceIndex &+ index) : cabac.bypassBin()
      if bin == 0 { break }
      index = index &+ 1
    }
    return index
  }

  /// mvd_coding(). 7.3.8.9
  private mutating func vectorDifference() -> (Int, Int) {
    let hasX = cabac.flag(Contexts.vectorGreater0)
    let hasY = cabac.flag(Contexts.vectorGreater0)
    let isLongX = hasX && cabac.flag(Contexts.vectorGreater1)
    let isLongY = hasY && cabac.flag(Contexts.vectorGreater1)
    var x = 0, y = 0
    if hasX {
      x = isLongX ? expGolomb(1) &+ 2 : 1
      if cabac.bypassBin() != 0 { x = 0 &- x }
    }
    if hasY {
      y = isLongY ? expGolomb(1) &+ 2 : 1
      if cabac.bypassBin() != 0 { y = 0 &- y }
    }
    return (x, y)
  }
}
