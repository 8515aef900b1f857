// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCCoding

// The choice of motion for undivided coding units: merged with that of neighbours, or searched for.

extension TreeSearch {
  /// Decides a coding unit of a P slice, appends it to the tree, and returns its cost without that of the split flag.
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

    let (merged, mergeIndex) = bestMerge(&blocks, block)
    var best = RateCosts.unreachable
    if mergeIndex >= 0 {
      blocks.predictInter(block, merged)
      unit.kind = .skipped
      unit.hasResidual = false
      var prediction = CodedPrediction()
      prediction.mergeIndex = Int8(truncatingIfNeeded: mergeIndex)
      best = finish(&blocks, unit, prediction, merged, depth, first)
      let hasResidual = isWorthCoding(blocks, x, y, log2Size)
      if !hasResidual, effort.stopsAtEmptyUnits { return best }
      keep(alternatives[depth], blocks, x, y, log2Size, first)
      if hasResidual {
        rewind(first, depth)
        unit.kind = .inter
        unit.hasResidual = true
        if codeResidual(&blocks, x, y, log2Size) {
          let cost = finish(&blocks, unit, prediction, merged, depth, first)
          if cost < best {
            best = cost
            keep(alternatives[depth], blocks, x, y, log2Size, first)
          }
        }
      }
    }
    for index in 0..<values.count0 {
      rewind(first, depth)
      unit.kind = .inter
      enter(&blocks, unit, depth)
      let found = search(&blocks, block, index, merged)
      guard var motion = found.motion, blocks.setSlots(&motion) else { continue }
      blocks.predictInter(block, motion)
      unit.hasResidual = codeResidual(&blocks, x, y, log2Size)
      let cost = finish(&blocks, unit, found.prediction, motion, depth, first)
      if cost < best {
        best = cost
        keep(alternatives[depth], blocks, x, y, log2Size, first)
      }
    }
    rewind(first, depth)
    let intra = intraUnit(&blocks, x, y, log2Size, depth)
    if intra < best { return intra }
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

  /// Whether any level of the residual of the prediction is not 0.
  private func isWorthCoding(_ blocks: borrowing BlockContext, _ x: Int, _ y: Int, _ log2Size: Int) -> Bool {
    for component in 0..<3 {
      let block = interBlock(x, y, log2Size, component)
      if coder.quantise(block, source[component], blocks) > 0 { return true }
    }
    return false
  }

  /// Codes the residual of the prediction in the picture as one transform unit, and appends it; returns whether it has
  /// levels.
  private func codeResidual(
    _ blocks: inout BlockContext, _ x: Int, _ y: Int, _ log2Size: Int
  ) -> Bool {
    var transform = CodedTransform(log2Size: UInt8(truncatingIfNeeded: log2Size), coded: 0)
    for component in 0..<3 {
      let block = interBlock(x, y, log2Size, component)
      if code(&blocks, block, at: tree.levelPlace(x: x, y: y, component: component)) {
        transform.coded |= 1 &<< UInt8(truncatingIfNeeded: component)
      }
    }
    guard transform.coded != 0 else { return false }
    tree.append(transform)
    return true
  }

  // MARK: Merge

  /// The merge candidate with the smallest difference, and its index; -1 if there is none.
  private func bestMerge(
    _ blocks: inout BlockContext, _ block: PredictionBlock
  ) -> (motion: Motion, index: Int) {
    var best = Motion(), chosen = -1, least = RateCosts.unreachable
    for index in 0..<min(effort.mergeCandidates, values.maxMergeCandidates) {
      var motion = blocks.mergedMotion(block, index)
      guard blocks.setSlots(&motion) else { continue }
      if chosen >= 0, motion.isSame(as: best) { continue }
      let cost = costs.cost(
        differences: difference(&blocks, block, motion), price: UInt64(index &+ 1) &<< 15)
      if cost < least { (best, chosen, least) = (motion, index, cost) }
    }
    return (best, chosen)
  }

  /// The transformed difference of luma with a motion.
  private func difference(_ blocks: inout BlockContext, _ block: PredictionBlock, _ motion: Motion) -> Int {
    blocks.predictInter(block, motion, components: 0..<1)
    return DifferenceKernels.satd(
      source.luma, blocks.planes.luma,
      DifferenceKernels.Places(x: block.x, y: block.y, otherX: block.x, otherY: block.y),
      width: block.width, height: block.height)
  }

  // MARK: Motion search

  /// What a component of the difference to a predictor costs, in bits.
  @inline(__always)
  private static func bits(_ difference: Int) -> Int {
    let size = abs(difference)
    // Greater than 0 and 1, sign, and an Exp-Golomb code of order 1.
    if size < 2 { return 1 &+ 2 &* size }
    return 4 &+ 2 &* (Int.bitWidth &- 1 &- size.leadingZeroBitCount)
  }

  /// What a vector costs beside the better of its predictors.
  @inline(__always)
  private static func bits(_ x: Int, _ y: Int, _ first: MotionVector, _ second: MotionVector) -> Int {
    let one = bits(x &- Int(first.x)) &+ bits(y &- Int(first.y))
    let other = bits(x &- Int(second.x)) &+ bits(y &- Int(second.y))
    return min(one, other)
  }

  /// Searches for the motion of a block in an entry of list 0.
  private func search(
    _ blocks: inout BlockContext, _ block: PredictionBlock, _ index: Int, _ merged: Motion
  ) -> (motion: Motion?, prediction: CodedPrediction) {
    let first = blocks.predictedVector(block, list: 0, index: index, isSecond: false)
    let second = blocks.predictedVector(block, list: 0, index: index, isSecond: true)
    let reference = blocks.references.planes[index &* 3]
    var bestX = 0, bestY = 0, least = RateCosts.unreachable

    func trial(_ x: Int, _ y: Int) {
      let differences = DifferenceKernels.sad(
        source.luma, reference,
        DifferenceKernels.Places(x: block.x, y: block.y, otherX: block.x &+ x, otherY: block.y &+ y),
        width: block.width, height: block.height)
      guard differences < DifferenceKernels.unreachable else { return }
      let bits = Self.bits(4 &* x, 4 &* y, first, second)
      let cost = costs.cost(differences: differences, price: UInt64(bits) &<< 15)
      if cost < least { (bestX, bestY, least) = (x, y, cost) }
    }
    trial(0, 0)
    trial((Int(first.x) &+ 2) &>> 2, (Int(first.y) &+ 2) &>> 2)
    trial((Int(second.x) &+ 2) &>> 2, (Int(second.y) &+ 2) &>> 2)
    if merged.index0 == Int8(truncatingIfNeeded: index) {
      trial((Int(merged.vector0.x) &+ 2) &>> 2, (Int(merged.vector0.y) &+ 2) &>> 2)
    }
    let last = lastVectors[index]
    trial(Int(last.x) &>> 2, Int(last.y) &>> 2)
    if blocks.references.isLongTerm[index], block.width >= 16 {
      // The other view: what is near is far to one side.
      let reach = values.width &>> 3
      for x in stride(from: 0 &- reach, through: reach, by: 4) { trial(x, 0) }
    }
    guard least < RateCosts.unreachable else { return (nil, CodedPrediction()) }
    var step = effort.firstStep
    while step > 0 {
      var rounds = 0, isBetter = true
      while isBetter, rounds < 16 {
        let (x, y, before) = (bestX, bestY, least)
        trial(x &- step, y)
        trial(x &+ step, y)
        trial(x, y &- step)
        trial(x, y &+ step)
        isBetter = least < before
        rounds = rounds &+ 1
      }
      step = step &>> 1
    }

    // Between samples.
    var motion = Motion()
    motion.index0 = Int8(truncatingIfNeeded: index)
    var vector = MotionVector(
      x: Int16(truncatingIfNeeded: 4 &* bestX), y: Int16(truncatingIfNeeded: 4 &* bestY))
    least = RateCosts.unreachable
    func fine(_ x: Int, _ y: Int, _ blocks: inout BlockContext) {
      motion.vector0 = MotionVector(x: Int16(truncatingIfNeeded: x), y: Int16(truncatingIfNeeded: y))
      let cost = costs.cost(
        differences: difference(&blocks, block, motion),
        price: UInt64(Self.bits(x, y, first, second)) &<< 15)
      if cost < least { (vector, least) = (motion.vector0, cost) }
    }
    fine(4 &* bestX, 4 &* bestY, &blocks)
    for step in [2, 1] {
      let x = Int(vector.x), y = Int(vector.y)
      fine(x &- step, y, &blocks)
      fine(x &+ step, y, &blocks)
      fine(x, y &- step, &blocks)
      fine(x, y &+ step, &blocks)
      guard effort.triesDiagonals else { continue }
      let centreX = Int(vector.x), centreY = Int(vector.y)
      // Only the diagonals beside the better of the straight ones.
      if centreX != x {
        fine(centreX, y &- step, &blocks)
        fine(centreX, y &+ step, &blocks)
      } else if centreY != y {
        fine(x &- step, centreY, &blocks)
        fine(x &+ step, centreY, &blocks)
      }
    }
    lastVectors[index] = vector
    motion.vector0 = vector
    var prediction = CodedPrediction()
    prediction.index0 = motion.index0
    let x = Int(vector.x), y = Int(vector.y)
    prediction.isSecondPredictor0 =
      Self.bits(x &- Int(second.x)) &+ Self.bits(y &- Int(second.y))
      < Self.bits(x &- Int(first.x)) &+ Self.bits(y &- Int(first.y))
    let predictor = prediction.isSecondPredictor0 ? second : first
    prediction.difference0 = MotionVector(x: vector.x &- predictor.x, y: vector.y &- predictor.y)
    return (motion, prediction)
  }
}
