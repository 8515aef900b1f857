// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCCoding

// The choice of motion for undivided coding units: merged with that of neighbours, or searched for.

extension TreeSearch {
  /// Decides a coding unit of a P or B slice, appends it to the tree, and returns its cost without that of the split flag.
  func interUnit(
    _ blocks: inout BlockContext, _ x: Int, _ y: Int, _ log2Size: Int, _ depth: Int
  ) -> Int {
    let first = mark()
    alternatives[depth].before.copy(from: states)
    let block = PredictionBlock(x: x, y: y, width: 1 &<< log2Size, height: 1 &<< log2Size, part: 0)
    var unit = CodedUnit()
    unit.x = UInt16(truncatingIfNeeded: x)
    unit.y = UInt16(truncatingIfNeeded: y)
    unit.log2Size = UInt8(truncatingIfNeeded: log2Size)
    unit.kind = .inter
    enter(&blocks, unit, depth)

    let merge = bestMerge(&blocks, block)
    var best = RateCosts.unreachable, rough = merge.cost
    if merge.index >= 0 {
      var prediction = CodedPrediction()
      prediction.mergeIndex = Int8(truncatingIfNeeded: merge.index)
      blocks.predictInter(block, merge.motion)
      let coded = quantise(blocks, x, y, log2Size)
      unit.kind = .skipped
      unit.hasResidual = false
      best = finish(&blocks, unit, prediction, merge.motion, depth, first)
      if coded == 0, isCheap(best, block.width &* block.height, effort.mergedCost) { return best }
      keep(alternatives[depth], blocks, x, y, log2Size, first)
      if coded != 0 {
        rewind(first, depth)
        unit.kind = .inter
        unit.hasResidual = true
        codeResidual(&blocks, x, y, log2Size, coded)
        let cost = finish(&blocks, unit, prediction, merge.motion, depth, first)
        if cost < best {
          best = cost
          keep(alternatives[depth], blocks, x, y, log2Size, first)
        }
      }
    }
    rewind(first, depth)
    unit.kind = .inter
    enter(&blocks, unit, depth)
    let found = searchMotion(&blocks, block, depth, merged: merge.motion)
    let isPair = found.two.cost < found.one.cost
    rough = min(rough, found.one.cost, found.two.cost)
    for trial in 0..<effort.completeMotions {
      let chosen = isPair == (trial == 0) ? found.two : found.one
      guard chosen.cost < RateCosts.unreachable else { continue }
      rewind(first, depth)
      unit.kind = .inter
      enter(&blocks, unit, depth)
      blocks.predictInter(block, chosen.motion)
      let coded = quantise(blocks, x, y, log2Size)
      if coded != 0, effort.triesEmptyResidual {
        unit.hasResidual = false
        let cost = finish(&blocks, unit, chosen.prediction, chosen.motion, depth, first)
        if cost < best {
          best = cost
          keep(alternatives[depth], blocks, x, y, log2Size, first)
        }
        rewind(first, depth)
      }
      unit.hasResidual = coded != 0
      if coded != 0 { codeResidual(&blocks, x, y, log2Size, coded) }
      let cost = finish(&blocks, unit, chosen.prediction, chosen.motion, depth, first)
      if cost < best {
        best = cost
        keep(alternatives[depth], blocks, x, y, log2Size, first)
      }
    }
    // What has no residual is predicted well enough.
    let hasNone = best == RateCosts.unreachable
    if hasNone || alternatives[depth].hasResidual, hasNone || effort.isIntraInB || !values.isB {
      rewind(first, depth)
      let intra = intraUnit(&blocks, x, y, log2Size, depth, below: rough)
      if intra < best { return intra }
    }
    restore(alternatives[depth], &blocks, x, y, log2Size, depth, first)
    return best
  }

  /// How much of the tree is decided.
  func mark() -> SyntaxWriter<BinCounter>.Place {
    SyntaxWriter<BinCounter>.Place(
      unit: tree.unitCount, prediction: tree.predictionCount, transform: tree.transformCount)
  }

  /// Goes back to what was decided before the alternatives of a node.
  private func rewind(_ first: SyntaxWriter<BinCounter>.Place, _ depth: Int) {
    states.copy(from: alternatives[depth].before)
    tree.unitCount = first.unit
    tree.predictionCount = first.prediction
    tree.transformCount = first.transform
  }

  /// Appends a unit and its motion, whose transform units are appended already, and returns its cost.
  private func finish(
    _ blocks: inout BlockContext, _ unit: CodedUnit, _ prediction: CodedPrediction, _ motion: Motion,
    _ depth: Int, _ first: SyntaxWriter<BinCounter>.Place
  ) -> Int {
    enter(&blocks, unit, depth)
    setMotion(blocks, unit, motion)
    if !unit.hasResidual { tree.transformCount = first.transform }
    tree.append(unit)
    tree.append(prediction)
    let price = writer.sink.price
    var place = first
    writer.codingUnit(tree, &place, Int(unit.x), Int(unit.y), Int(unit.log2Size), depth)
    return costs.cost(
      squares: squares(blocks.planes, Int(unit.x), Int(unit.y), 1 &<< Int(unit.log2Size)),
      price: writer.sink.price &- price)
  }

  /// Stores the motion of a unit for its neighbours.
  func setMotion(_ blocks: borrowing BlockContext, _ unit: CodedUnit, _ motion: Motion) {
    let size = (1 &<< Int(unit.log2Size)) &>> 2
    blocks.tables.motion.fill(
      x: Int(unit.x) &>> 2, y: Int(unit.y) &>> 2, width: size, height: size, stride: blocks.tables.stride,
      with: motion)
  }

  // MARK: Residual

  private func interBlock(_ x: Int, _ y: Int, _ log2Size: Int, _ component: Int) -> BlockCoder.Block {
    let shift = component == 0 ? 0 : 1
    return BlockCoder.Block(
      component: component, x: x &>> shift, y: y &>> shift, log2Size: log2Size &- shift, scan: 0,
      isIntra: false)
  }

  /// Quantises the residual of the prediction in the picture as one transform unit; returns which of its blocks have
  /// levels, by bit.
  private func quantise(_ blocks: borrowing BlockContext, _ x: Int, _ y: Int, _ log2Size: Int) -> UInt8 {
    var coded: UInt8 = 0
    for component in 0..<3 {
      let block = interBlock(x, y, log2Size, component)
      if coder.quantise(block, source[component], blocks) > 0 {
        coded |= 1 &<< UInt8(truncatingIfNeeded: component)
      }
    }
    return coded
  }

  /// Adds the residual that was quantised last to the prediction in the picture, and appends its transform unit.
  private func codeResidual(
    _ blocks: inout BlockContext, _ x: Int, _ y: Int, _ log2Size: Int, _ coded: UInt8
  ) {
    for component in 0..<3 where coded & 1 &<< UInt8(truncatingIfNeeded: component) != 0 {
      reconstruct(
        &blocks, interBlock(x, y, log2Size, component), at: tree.levelPlace(x: x, y: y, component: component))
    }
    tree.append(CodedTransform(log2Size: UInt8(truncatingIfNeeded: log2Size), coded: coded))
  }

  // MARK: Merge

  /// The merge candidate with the smallest difference, its index, or -1 if there is none, and its cost.
  private func bestMerge(
    _ blocks: inout BlockContext, _ block: PredictionBlock
  ) -> (motion: Motion, index: Int, cost: Int) {
    var best = Motion(), chosen = -1, least = RateCosts.unreachable
    for index in 0..<min(effort.mergeCandidates, values.maxMergeCandidates) {
      var motion = blocks.mergedMotion(block, index)
      guard blocks.setSlots(&motion) else { continue }
      if chosen >= 0, motion.isSame(as: best) { continue }
      let cost = costs.cost(
        differences: difference(&blocks, block, motion, target(block)), price: UInt64(index &+ 1) &<< 15)
      if cost < least { (best, chosen, least) = (motion, index, cost) }
    }
    return (best, chosen, least)
  }
}
