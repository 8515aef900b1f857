// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import HEVCCoding

@testable import HEVCEncoding

/// Makes the samples of coding tree units from their syntax, as an encoder does: it knows the values and parses nothing.
struct ChaosReconstruction {
  private var isQpDeltaCoded = false
  private var place = Place()

  private struct Place {
    var unit = 0
    var prediction = 0
    var transform = 0
  }

  /// Reconstructs a coding tree unit that `blocks` has begun.
  mutating func reconstruct(_ tree: CodedTree, _ blocks: inout BlockContext) {
    place = Place()
    let v = blocks.v
    offsets(tree.offsets, blocks)
    quadtree(
      tree, &blocks, blocks.ctbX << v.ctbLog2Size, blocks.ctbY << v.ctbLog2Size, v.ctbLog2Size, 0)
  }

  /// Stores the parameters of sample adaptive offset for the filter.
  private func offsets(_ offsets: CodedOffsets, _ blocks: borrowing BlockContext) {
    let v = blocks.v, tables = blocks.tables
    guard v.isSaoLuma || v.isSaoChroma else { return }
    let start = 3 * blocks.ctbAddress
    let other = offsets.merge == .left ? start - 3 : start - 3 * v.widthInCtbs
    for component in 0..<3 {
      let isEnabled = component == 0 ? v.isSaoLuma : v.isSaoChroma
      let target = start + component
      guard offsets.merge == .none else {
        tables.saoType[target] = isEnabled ? tables.saoType[other + component] : 0
        tables.saoBand[target] = tables.saoBand[other + component]
        for index in 0..<4 {
          tables.saoOffset[4 * target + index] = tables.saoOffset[4 * (other + component) + index]
        }
        continue
      }
      let chosen = offsets[component]
      tables.saoType[target] = isEnabled ? chosen.type : 0
      tables.saoBand[target] = component == 2 && chosen.type == 2 ? offsets.cb.place : chosen.place
      for index in 0..<4 { tables.saoOffset[4 * target + index] = Int16(chosen.offsets[index]) }
    }
  }

  private mutating func quadtree(
    _ tree: CodedTree, _ blocks: inout BlockContext, _ x: Int, _ y: Int, _ log2Size: Int, _ depth: Int
  ) {
    guard x < blocks.v.width, y < blocks.v.height else { return }
    if log2Size >= blocks.v.qpGroupLog2Size {
      isQpDeltaCoded = false
      blocks.beginQpGroup(x, y)
    }
    guard Int(tree.units[place.unit].log2Size) < log2Size else {
      return unit(tree, &blocks, x, y, log2Size, depth)
    }
    let half = 1 << (log2Size - 1)
    for child in 0..<4 {
      quadtree(tree, &blocks, x + (child & 1) * half, y + (child >> 1) * half, log2Size - 1, depth + 1)
    }
  }

  private mutating func unit(
    _ tree: CodedTree, _ blocks: inout BlockContext, _ x: Int, _ y: Int, _ log2Size: Int, _ depth: Int
  ) {
    let unit = tree.units[place.unit], size = 1 << log2Size
    place.unit += 1
    blocks.cuX = x
    blocks.cuY = y
    blocks.cuLog2Size = log2Size
    blocks.isCuIntra = unit.kind == .intra
    blocks.partMode = unit.partMode
    blocks.updateQp()
    blocks.markCodingUnitEdges(x, y, size)
    var info = UInt8(depth) << BlockInfo.depthShift | BlockInfo.decoded
    if unit.kind == .intra { info |= BlockInfo.intra }
    if unit.kind == .skipped { info |= BlockInfo.skip }
    blocks.setInfo(info)
    let isSplit = unit.kind == .intra && unit.partMode == .quarters
    if unit.kind == .intra {
      let part = isSplit ? size / 2 : size
      for index in 0..<(isSplit ? 4 : 1) {
        blocks.setIntraMode(
          x + (index & 1) * part, y + (index >> 1) * part, part, mode: Int(unit.lumaModes[index]))
      }
    } else {
      for block in parts(unit.partMode, x, y, size) { predict(tree, &blocks, block, size) }
    }
    if unit.hasResidual {
      transforms(tree, &blocks, unit, x, y, log2Size, index: 0, part: 0, isTop: true, chroma: 0)
    }
    blocks.tables.qp.fill(
      x: x >> 2, y: y >> 2, width: size >> 2, height: size >> 2, stride: blocks.tables.stride,
      with: Int8(blocks.cuQp))
    blocks.lastQp = blocks.cuQp
  }

  // MARK: Prediction units

  /// The parts of a coding unit. Table 7-10
  private func parts(_ mode: PartMode, _ x: Int, _ y: Int, _ size: Int) -> [PredictionBlock] {
    func stacked(_ first: Int) -> [PredictionBlock] {
      [
        PredictionBlock(x: x, y: y, width: size, height: first, part: 0),
        PredictionBlock(x: x, y: y + first, width: size, height: size - first, part: 1),
      ]
    }
    func sideBySide(_ first: Int) -> [PredictionBlock] {
      [
        PredictionBlock(x: x, y: y, width: first, height: size, part: 0),
        PredictionBlock(x: x + first, y: y, width: size - first, height: size, part: 1),
      ]
    }
    switch mode {
    case .whole: return [PredictionBlock(x: x, y: y, width: size, height: size, part: 0)]
    case .halvesOneAbove: return stacked(size / 2)
    case .upperQuarter: return stacked(size / 4)
    case .lowerQuarter: return stacked(size - size / 4)
    case .halvesSideBySide: return sideBySide(size / 2)
    case .leftQuarter: return sideBySide(size / 4)
    case .rightQuarter: return sideBySide(size - size / 4)
    case .quarters:
      return (0..<4).map {
        PredictionBlock(
          x: x + ($0 & 1) * size / 2, y: y + ($0 >> 1) * size / 2, width: size / 2, height: size / 2, part: $0
        )
      }
    }
  }

  private mutating func predict(
    _ tree: CodedTree, _ blocks: inout BlockContext, _ block: PredictionBlock, _ size: Int
  ) {
    // The edge to the part before it, over the whole of the coding unit.
    if block.x > blocks.cuX { blocks.markPredictionEdge(block.x, blocks.cuY, size, isVertical: true) }
    if block.y > blocks.cuY { blocks.markPredictionEdge(blocks.cuX, block.y, size, isVertical: false) }
    let coded = tree.predictions[place.prediction]
    place.prediction += 1
    var motion: Motion
    if coded.mergeIndex >= 0 {
      motion = blocks.mergedMotion(block, Int(coded.mergeIndex))
    } else {
      motion = Motion()
      if coded.index0 >= 0 {
        let predictor = blocks.predictedVector(
          block, list: 0, index: Int(coded.index0), isSecond: coded.isSecondPredictor0)
        motion.index0 = coded.index0
        motion.vector0 = MotionVector(
          x: predictor.x &+ coded.difference0.x, y: predictor.y &+ coded.difference0.y)
      }
      if coded.index1 >= 0 {
        let predictor = blocks.predictedVector(
          block, list: 1, index: Int(coded.index1), isSecond: coded.isSecondPredictor1)
        let isZero = blocks.v.isMvdL1Zero && coded.index0 >= 0
        let difference = isZero ? MotionVector() : coded.difference1
        motion.index1 = coded.index1
        motion.vector1 = MotionVector(x: predictor.x &+ difference.x, y: predictor.y &+ difference.y)
      }
    }
    _ = blocks.setSlots(&motion)
    blocks.tables.motion.fill(
      x: block.x >> 2, y: block.y >> 2, width: block.width >> 2, height: block.height >> 2,
      stride: blocks.tables.stride, with: motion)
    blocks.predictInter(block, motion)
  }

  // MARK: Transform units

  private mutating func transforms(
    _ tree: CodedTree, _ blocks: inout BlockContext, _ unit: CodedUnit, _ x: Int, _ y: Int, _ log2Size: Int,
    index: Int, part: Int, isTop: Bool, chroma: UInt8
  ) {
    let transform = tree.transforms[place.transform]
    guard Int(transform.log2Size) < log2Size else {
      place.transform += 1
      // Of four units of 4x4, all know of the chroma that the last one has.
      let coded = log2Size > 2 ? transform.coded : transform.coded & CodedTransform.luma | chroma
      return transformUnit(tree, &blocks, unit, x, y, log2Size, index: index, part: part, coded)
    }
    let half = 1 << (log2Size - 1)
    let isSplit = isTop && unit.kind == .intra && unit.partMode == .quarters
    let last =
      log2Size == 3
      ? tree.transforms[place.transform + 3].coded & (CodedTransform.cb | CodedTransform.cr) : 0
    for child in 0..<4 {
      transforms(
        tree, &blocks, unit, x + (child & 1) * half, y + (child >> 1) * half, log2Size - 1, index: child,
        part: isSplit ? child : part, isTop: false, chroma: last)
    }
  }

  private mutating func transformUnit(
    _ tree: CodedTree, _ blocks: inout BlockContext, _ unit: CodedUnit, _ x: Int, _ y: Int, _ log2Size: Int,
    index: Int, part: Int, _ coded: UInt8
  ) {
    let isIntra = unit.kind == .intra
    blocks.markTransformEdges(x, y, 1 << log2Size)
    if coded != 0, blocks.v.isQpDeltaEnabled, !isQpDeltaCoded {
      isQpDeltaCoded = true
      blocks.qpDelta = Int(unit.qpDelta)
      blocks.updateQp()
    }
    if isIntra { blocks.predictIntra(x, y, log2Size, 0, Int(unit.lumaModes[part])) }
    if coded & CodedTransform.luma != 0 {
      for row in 0..<(1 << (log2Size - 2)) {
        for column in 0..<(1 << (log2Size - 2)) {
          blocks.tables.info[(y >> 2 + row) * blocks.tables.stride + x >> 2 + column] |= BlockInfo.coded
        }
      }
      add(tree, &blocks, x, y, log2Size, 0, at: tree.levelPlace(x: x, y: y, component: 0))
    }
    guard log2Size > 2 || index == 3 else { return }
    let baseX = log2Size > 2 ? x : x - 4, baseY = log2Size > 2 ? y : y - 4, chromaLog2 = max(2, log2Size - 1)
    for component in 1...2 {
      if isIntra { blocks.predictIntra(baseX >> 1, baseY >> 1, chromaLog2, component, Int(unit.chromaMode)) }
      guard coded & (component == 1 ? CodedTransform.cb : CodedTransform.cr) != 0 else { continue }
      add(
        tree, &blocks, baseX >> 1, baseY >> 1, chromaLog2, component,
        at: tree.levelPlace(x: baseX, y: baseY, component: component))
    }
  }

  /// Scales the levels of a block by equation 8-309, and adds their residual.
  private func add(
    _ tree: CodedTree, _ blocks: inout BlockContext, _ x: Int, _ y: Int, _ log2Size: Int, _ component: Int,
    at start: Int
  ) {
    let depth = component == 0 ? blocks.v.bitDepthLuma : blocks.v.bitDepthChroma
    let qp = blocks.quantisationParameter(component), shift = depth + log2Size - 5
    let factor = 16 * [40, 45, 51, 57, 64, 72][qp % 6] << (qp / 6)
    for index in 0..<(1 << (2 * log2Size)) {
      let scaled = (Int(tree.levels[start + index]) * factor + 1 << (shift - 1)) >> shift
      blocks.scratch.setCoefficient(index, max(-32_768, min(32_767, scaled)))
    }
    var block = ResidualBlock(
      component: component, log2Size: log2Size, isBypassed: false,
      isSine: blocks.isCuIntra && log2Size == 2 && component == 0, isRotated: false)
    block.lastColumn = 1 << log2Size - 1
    block.lastRow = 1 << log2Size - 1
    blocks.reconstruct(block, x, y, log2Size, component, scale: 0)
  }
}
