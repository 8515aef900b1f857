// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCCoding

// Prediction unit and motion vector difference. ISO/IEC 23008-2, 7.3.8.6 and 7.3.8.9

extension SyntaxWriter {
  /// The prediction units of a coding unit; returns whether the last of them is merged.
  mutating func predictionUnits(
    _ tree: CodedTree, _ place: inout Place, _ log2Size: Int, _ depth: Int
  ) -> Bool {
    let mode = tree.units[place.unit &- 1].partMode
    let count = mode == .whole ? 1 : mode == .quarters ? 4 : 2
    // Blocks of 8x4 and 4x8 are predicted from one picture. nPbW + nPbH is 12 only for them.
    let isSmall = log2Size == 3 && count == 2
    var isMerged = false
    for _ in 0..<count {
      let prediction = tree.predictions[place.prediction]
      place.prediction = place.prediction &+ 1
      isMerged = prediction.mergeIndex >= 0
      predictionUnit(prediction, depth: depth, isSmall: isSmall)
    }
    return isMerged
  }

  /// prediction_unit() of a unit that is not skipped. `depth` is that of the coding unit.
  mutating func predictionUnit(_ prediction: CodedPrediction, depth: Int, isSmall: Bool) {
    sink.flag(prediction.mergeIndex >= 0, Contexts.mergeFlag)
    guard prediction.mergeIndex < 0 else { return mergeIndex(Int(prediction.mergeIndex)) }
    let uses0 = prediction.index0 >= 0, uses1 = prediction.index1 >= 0
    if v.isB { interDirection(uses0, uses1, depth: depth, isSmall: isSmall) }
    if uses0 {
      referenceIndex(Int(prediction.index0), v.count0)
      vectorDifference(prediction.difference0)
      sink.flag(prediction.isSecondPredictor0, Contexts.vectorPredictor)
    }
    if uses1 {
      referenceIndex(Int(prediction.index1), v.count1)
      if !(v.isMvdL1Zero && uses0) { vectorDifference(prediction.difference1) }
      sink.flag(prediction.isSecondPredictor1, Contexts.vectorPredictor)
    }
  }

  /// merge_idx. 9.3.3.2
  mutating func mergeIndex(_ index: Int) {
    guard v.maxMergeCandidates > 1 else { return }
    sink.flag(index > 0, Contexts.mergeIndex)
    guard index > 0 else { return }
    let last = v.maxMergeCandidates &- 1
    if index < last {
      sink.bypassUnary(index &- 1)
    } else {
      sink.bypassBits(1 &<< (last &- 1) &- 1, last &- 1)
    }
  }

  /// inter_pred_idc. 9.3.3.9
  mutating func interDirection(_ uses0: Bool, _ uses1: Bool, depth: Int, isSmall: Bool) {
    if !isSmall {
      sink.flag(uses0 && uses1, Contexts.interDirection &+ depth)
      if uses0, uses1 { return }
    }
    sink.flag(uses1, Contexts.interDirection &+ 4)
  }

  /// ref_idx_l0 or ref_idx_l1: two bins with contexts, then bypass bins.
  mutating func referenceIndex(_ index: Int, _ count: Int) {
    let maximum = count &- 1
    for place in 0..<max(0, maximum) {
      let isLarger = index > place
      if place < 2 {
        sink.flag(isLarger, Contexts.referenceIndex &+ place)
      } else {
        sink.bypass(isLarger ? 1 : 0, 1)
      }
      if !isLarger { break }
    }
  }

  /// mvd_coding(). 7.3.8.9
  mutating func vectorDifference(_ difference: MotionVector) {
    let x = Int(difference.x), y = Int(difference.y)
    let sizeX = abs(x), sizeY = abs(y)
    sink.flag(sizeX > 0, Contexts.vectorGreater0)
    sink.flag(sizeY > 0, Contexts.vectorGreater0)
    if sizeX > 0 { sink.flag(sizeX > 1, Contexts.vectorGreater1) }
    if sizeY > 0 { sink.flag(sizeY > 1, Contexts.vectorGreater1) }
    if sizeX > 0 {
      if sizeX > 1 { sink.expGolomb(sizeX &- 2, order: 1) }
      sink.bypass(x < 0 ? 1 : 0, 1)
    }
    if sizeY > 0 {
      if sizeY > 1 { sink.expGolomb(sizeY &- 2, order: 1) }
      sink.bypass(y < 0 ? 1 : 0, 1)
    }
  }
}
