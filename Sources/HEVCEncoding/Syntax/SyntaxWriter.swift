// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCCoding

/// Turns the decisions about coding tree units into bins: the mirror of the decoder's parsing, with its names.
///
/// With an ``ArithmeticEncoder`` it writes slice data; with a ``BinCounter`` the search learns what parts of it would cost.
/// A slice is the whole picture, so that a block to the left or above is available wherever there is one.
struct SyntaxWriter<Sink: BinSink> {
  var sink: Sink
  let v: SliceValues
  /// The tables of the picture, whose depths and skip flags choose contexts. They must be those of the decisions up to the
  /// coding unit that is written.
  let tables: PictureTables

  // Of the quantisation group. 7.4.9.14
  var isQpDeltaCoded = false

  // Of the coding unit.
  private var unit = CodedUnit()

  let scans = ScanTables.shared

  init(_ sink: Sink, _ values: SliceValues, _ tables: PictureTables) {
    self.sink = sink
    v = values
    self.tables = tables
  }

  /// Where the next units of a coding tree unit are.
  struct Place {
    var unit = 0
    var prediction = 0
    var transform = 0
  }

  /// coding_tree_unit(). 7.3.8.2
  mutating func codingTreeUnit(_ tree: CodedTree, ctbX: Int, ctbY: Int) {
    if v.isSaoLuma || v.isSaoChroma { sampleAdaptiveOffset(tree.offsets, ctbX: ctbX, ctbY: ctbY) }
    var place = Place()
    codingQuadtree(tree, &place, ctbX &<< v.ctbLog2Size, ctbY &<< v.ctbLog2Size, v.ctbLog2Size, 0)
    assert(
      place.unit == tree.unitCount && place.prediction == tree.predictionCount
        && place.transform == tree.transformCount)
  }

  /// sao(). 7.3.8.3
  mutating func sampleAdaptiveOffset(_ offsets: CodedOffsets, ctbX: Int, ctbY: Int) {
    if ctbX > 0 {
      sink.flag(offsets.merge == .left, Contexts.saoMerge)
      if offsets.merge == .left { return }
    }
    if ctbY > 0 {
      sink.flag(offsets.merge == .up, Contexts.saoMerge)
      if offsets.merge == .up { return }
    }
    for component in 0..<(v.chromaArrayType == 0 ? 1 : 3) where component == 0 ? v.isSaoLuma : v.isSaoChroma {
      self.offsets(offsets[component], component)
    }
  }

  private mutating func offsets(_ chosen: CodedOffsets.Component, _ component: Int) {
    if component != 2 {
      sink.flag(chosen.type != 0, Contexts.saoType)
      if chosen.type != 0 { sink.bypass(chosen.type == 1 ? 0 : 1, 1) }
    }
    guard chosen.type != 0 else { return }
    let depth = component == 0 ? v.bitDepthLuma : v.bitDepthChroma
    let maximum = 1 &<< (min(depth, 10) &- 5) &- 1
    for offset in 0..<4 {
      let magnitude = Int(chosen.offsets[offset].magnitude)
      if magnitude < maximum {
        sink.bypassUnary(magnitude)
      } else {
        sink.bypassBits(1 &<< maximum &- 1, maximum)
      }
    }
    if chosen.type == 1 {
      for offset in 0..<4 where chosen.offsets[offset] != 0 {
        sink.bypass(chosen.offsets[offset] < 0 ? 1 : 0, 1)
      }
      sink.bypass(Int(chosen.place), 5)
    } else if component != 2 {
      sink.bypass(Int(chosen.place), 2)
    }
  }

  /// coding_quadtree(). 7.3.8.4
  mutating func codingQuadtree(
    _ tree: CodedTree, _ place: inout Place, _ x: Int, _ y: Int, _ log2Size: Int, _ depth: Int
  ) {
    let size = 1 &<< log2Size
    let isSplit = Int(tree.units[place.unit].log2Size) < log2Size
    if x &+ size <= v.width, y &+ size <= v.height, log2Size > v.minCbLog2Size {
      splitCodingUnitFlag(isSplit, x, y, depth)
    }
    if log2Size >= v.qpGroupLog2Size { isQpDeltaCoded = false }
    guard isSplit else { return codingUnit(tree, &place, x, y, log2Size, depth) }
    let half = size &>> 1
    let right = x &+ half, lower = y &+ half
    codingQuadtree(tree, &place, x, y, log2Size &- 1, depth &+ 1)
    if right < v.width { codingQuadtree(tree, &place, right, y, log2Size &- 1, depth &+ 1) }
    if lower < v.height { codingQuadtree(tree, &place, x, lower, log2Size &- 1, depth &+ 1) }
    if right < v.width, lower < v.height {
      codingQuadtree(tree, &place, right, lower, log2Size &- 1, depth &+ 1)
    }
  }

  /// split_cu_flag
  @inline(__always)
  mutating func splitCodingUnitFlag(_ isSplit: Bool, _ x: Int, _ y: Int, _ depth: Int) {
    let context = neighbours(x, y) { Int(($0 &>> BlockInfo.depthShift) & 3) > depth }
    sink.flag(isSplit, Contexts.splitCodingUnit &+ context)
  }

  /// cu_skip_flag
  @inline(__always)
  mutating func skipFlag(_ isSkipped: Bool, _ x: Int, _ y: Int) {
    sink.flag(isSkipped, Contexts.skip &+ neighbours(x, y) { $0 & BlockInfo.skip != 0 })
  }

  /// How many of the blocks to the left and above satisfy a condition.
  @inline(__always)
  private func neighbours(_ x: Int, _ y: Int, _ isCounted: (UInt8) -> Bool) -> Int {
    let place = (y &>> 2) &* tables.stride &+ x &>> 2
    var count = 0
    if x > 0, isCounted(tables.info[place &- 1]) { count = count &+ 1 }
    if y > 0, isCounted(tables.info[place &- tables.stride]) { count = count &+ 1 }
    return count
  }

  /// coding_unit(). 7.3.8.5
  mutating func codingUnit(
    _ tree: CodedTree, _ place: inout Place, _ x: Int, _ y: Int, _ log2Size: Int, _ depth: Int
  ) {
    unit = tree.units[place.unit]
    place.unit = place.unit &+ 1
    if !v.isIntra { skipFlag(unit.kind == .skipped, x, y) }
    if unit.kind == .skipped {
      mergeIndex(Int(tree.predictions[place.prediction].mergeIndex))
      place.prediction = place.prediction &+ 1
      return
    }
    let isIntra = unit.kind == .intra
    if !v.isIntra { sink.flag(isIntra, Contexts.predictionMode) }
    if !isIntra || log2Size == v.minCbLog2Size { partMode(unit.partMode, isIntra: isIntra, log2Size) }
    if isIntra {
      intraModes(unit)
    } else {
      let isMerged = predictionUnits(tree, &place, log2Size, depth)
      if !(unit.partMode == .whole && isMerged) { sink.flag(unit.hasResidual, Contexts.rootCodedBlock) }
      guard unit.hasResidual else { return }
    }
    transformTree(tree, &place, unit, x, y, log2Size)
  }

  /// part_mode. 9.3.3.7
  mutating func partMode(_ mode: PartMode, isIntra: Bool, _ log2Size: Int) {
    let context = Contexts.partMode
    sink.flag(mode == .whole, context)
    guard mode != .whole, !isIntra else { return }
    if log2Size == v.minCbLog2Size {
      sink.flag(mode == .halvesOneAbove, context &+ 1)
      if mode != .halvesOneAbove, log2Size > 3 { sink.flag(mode == .halvesSideBySide, context &+ 2) }
      return
    }
    sink.flag(mode.isHorizontal, context &+ 1)
    guard v.isAmpEnabled else { return }
    let isHalves = mode == .halvesOneAbove || mode == .halvesSideBySide
    sink.flag(isHalves, context &+ 3)
    if !isHalves { sink.bypass(mode == .lowerQuarter || mode == .rightQuarter ? 1 : 0, 1) }
  }

  /// The modes of an intra coding unit: first all flags, then the choice of each part, then chroma.
  mutating func intraModes(_ unit: CodedUnit) {
    let count = unit.partMode == .quarters ? 4 : 1
    for part in 0..<count { sink.flag(unit.lumaChoices[part] < 3, Contexts.previousIntraLuma) }
    for part in 0..<count {
      let choice = Int(unit.lumaChoices[part])
      switch choice {
      case 0: sink.bypass(0, 1)
      case 1, 2: sink.bypass(choice &+ 1, 2)
      default: sink.bypass(choice &- 3, 5)
      }
    }
    guard v.chromaArrayType != 0 else { return }
    sink.flag(unit.chromaChoice < 4, Contexts.intraChroma)
    if unit.chromaChoice < 4 { sink.bypass(Int(unit.chromaChoice), 2) }
  }
}
