// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCCoding

/// Motion of a block's own, as it is coded, and what it costs.
struct FoundMotion {
  var motion = Motion()
  var prediction = CodedPrediction()
  /// The cost of the transformed differences of luma, and of what is said of the motion.
  var cost = RateCosts.unreachable

  /// Sets the entry and the vector of a list, as a difference to the better of its predictors.
  mutating func set(list: Int, _ index: Int, _ vector: MotionVector, _ predictors: VectorPredictors) {
    let isSecond = predictors.takesSecond(Int(vector.x), Int(vector.y))
    let predictor = isSecond ? predictors.second : predictors.first
    let difference = MotionVector(x: vector.x &- predictor.x, y: vector.y &- predictor.y)
    let entry = Int8(truncatingIfNeeded: index)
    if list == 0 {
      motion.index0 = entry
      motion.vector0 = vector
      prediction.index0 = entry
      prediction.isSecondPredictor0 = isSecond
      prediction.difference0 = difference
    } else {
      motion.index1 = entry
      motion.vector1 = vector
      prediction.index1 = entry
      prediction.isSecondPredictor1 = isSecond
      prediction.difference1 = difference
    }
  }

  func vector(_ list: Int) -> MotionVector { list == 0 ? motion.vector0 : motion.vector1 }
  func index(_ list: Int) -> Int { Int(list == 0 ? motion.index0 : motion.index1) }
}

/// The two vectors of which the difference to a vector is coded.
struct VectorPredictors {
  var first: MotionVector
  var second: MotionVector

  /// About how many bits a vector costs beside the better of them.
  @inline(__always)
  func bits(_ x: Int, _ y: Int) -> Int {
    min(Self.bits(x, y, beside: first), Self.bits(x, y, beside: second))
  }

  @inline(__always)
  func takesSecond(_ x: Int, _ y: Int) -> Bool {
    Self.bits(x, y, beside: second) < Self.bits(x, y, beside: first)
  }

  @inline(__always)
  private static func bits(_ x: Int, _ y: Int, beside vector: MotionVector) -> Int {
    bits(x &- Int(vector.x)) &+ bits(y &- Int(vector.y))
  }

  @inline(__always)
  private static func bits(_ difference: Int) -> Int {
    let size = abs(difference)
    // Greater than 0 and 1, sign, and an Exp-Golomb code of order 1.
    if size < 2 { return 1 &+ 2 &* size }
    return 4 &+ 2 &* (Int.bitWidth &- 1 &- size.leadingZeroBitCount)
  }
}

/// The results of the whole-sample search for an entry of a list, in addition to the vector.
struct WholeMotion {
  var predictors = VectorPredictors(first: MotionVector(), second: MotionVector())
  /// The cost of the vector; `nil` if the other list has the same picture and the vector was found there.
  var cost: Int?
}

/// What a prediction is compared with: samples of the source, or what a second prediction should be beside a first
/// one.
struct MotionTarget {
  var plane: Plane
  var x: Int
  var y: Int
  /// 1 if differences count twice, as those of the average of two predictions do.
  var shift = 0
}

// The search for motion of a block's own, in one entry of a list or in two.

extension TreeSearch {
  /// The best motion of a block from one picture, and the best from two.
  func searchMotion(
    _ blocks: inout BlockContext, _ block: PredictionBlock, _ depth: Int, merged: Motion
  ) -> (one: FoundMotion, two: FoundMotion) {
    let best0 = search(&blocks, block, list: 0, depth, merged)
    let best1 = search(&blocks, block, list: 1, depth, merged)
    let one = best1.cost < best0.cost ? best1 : best0
    guard best0.cost < RateCosts.unreachable, best1.cost < RateCosts.unreachable,
      block.width &+ block.height > 12
    else { return (one, FoundMotion()) }
    return (one, searchPair(&blocks, block, depth, best0, best1))
  }

  /// The predictors of vectors of an entry.
  private func predictors(
    _ blocks: borrowing BlockContext, _ block: PredictionBlock, list: Int, _ index: Int
  ) -> VectorPredictors {
    VectorPredictors(
      first: blocks.predictedVector(block, list: list, index: index, isSecond: false),
      second: blocks.predictedVector(block, list: list, index: index, isSecond: true))
  }

  /// The cost of signalling which lists are used, and which entry of one.
  private func price(list: Int, _ index: Int, _ depth: Int) -> UInt64 {
    let count = list == 0 ? values.count0 : values.count1
    var price: UInt64 = count > 1 ? UInt64(index == 0 ? 1 : 2) &<< 15 : 0
    guard values.isB else { return price }
    price =
      price &+ UInt64(BinPrices.shared[Int(states[Contexts.interDirection &+ depth])])
      &+ UInt64(BinPrices.shared[Int(states[Contexts.interDirection &+ 4]) ^ list])
    return price
  }

  /// The transformed difference of luma with a motion.
  func difference(
    _ blocks: inout BlockContext, _ block: PredictionBlock, _ motion: Motion, _ target: MotionTarget
  ) -> Int {
    blocks.predictInter(block, motion, components: 0..<1)
    let places = DifferenceKernels.Places(x: target.x, y: target.y, otherX: block.x, otherY: block.y)
    return DifferenceKernels.satd(
      target.plane, blocks.planes.luma, places, width: block.width, height: block.height) &>> target.shift
  }

  /// The samples of the source that a block must predict.
  func target(_ block: PredictionBlock) -> MotionTarget {
    MotionTarget(plane: source.luma, x: block.x, y: block.y)
  }

  // MARK: One picture

  /// Searches for the motion of a block in a list; `merged` is what neighbours suggest.
  ///
  /// In another view, motion between samples is sought only in pictures in which whole samples are about as good as in the best.
  private func search(
    _ blocks: inout BlockContext, _ block: PredictionBlock, list: Int, _ depth: Int, _ merged: Motion
  ) -> FoundMotion {
    let count = list == 0 ? values.count0 : values.count1
    var best = FoundMotion(), least = RateCosts.unreachable
    for index in 0..<count {
      let entry = list &* 16 &+ index
      // The same picture in the other list: what was found there is as good here.
      if list == 1, let same = (0..<values.count0).first(where: { isSamePicture(blocks, $0, entry) }) {
        lastVectors[entry] = lastVectors[same]
        wholes[entry] = WholeMotion(predictors: predictors(blocks, block, list: list, index), cost: nil)
        continue
      }
      let cost = searchWhole(&blocks, block, list: list, index, merged)
      least = min(least, cost)
    }
    let margin = base == nil ? nil : effort.referenceMargin
    let most = margin.map { least &+ least / $0 } ?? RateCosts.unreachable
    for index in 0..<count {
      let entry = list &* 16 &+ index
      let whole = wholes[entry], cost = whole.cost ?? 0, predictors = whole.predictors
      guard cost <= most, cost < RateCosts.unreachable else { continue }
      var found = FoundMotion()
      found.set(list: list, index, lastVectors[entry], predictors)
      guard blocks.setSlots(&found.motion) else { continue }
      // Where the other list was searched already, nothing is left to refine.
      let refined = refine(
        &blocks, block, found.motion, list: list, predictors, target(block),
        from: whole.cost == nil ? 0 : 2)
      lastVectors[entry] = refined.vector
      found.set(list: list, index, refined.vector, predictors)
      found.cost = refined.cost &+ costs.cost(differences: 0, price: price(list: list, index, depth))
      if found.cost < best.cost { best = found }
    }
    return best
  }

  /// Finds the best vector of whole samples in an entry of a list, and returns its cost.
  private func searchWhole(
    _ blocks: inout BlockContext, _ block: PredictionBlock, list: Int, _ index: Int, _ merged: Motion
  ) -> Int {
    let entry = list &* 16 &+ index
    let predictors = predictors(blocks, block, list: list, index)
    let reference = blocks.references.planes[entry &* 3]
    var bestX = 0, bestY = 0, least = RateCosts.unreachable
    func trial(_ x: Int, _ y: Int) {
      let differences = DifferenceKernels.sad(
        source.luma, reference,
        DifferenceKernels.Places(x: block.x, y: block.y, otherX: block.x &+ x, otherY: block.y &+ y),
        width: block.width, height: block.height)
      guard differences < DifferenceKernels.unreachable else { return }
      let bits = predictors.bits(4 &* x, 4 &* y)
      let cost = costs.cost(differences: differences, price: UInt64(bits) &<< 15)
      if cost < least { (bestX, bestY, least) = (x, y, cost) }
    }
    func start(_ vector: MotionVector) { trial((Int(vector.x) &+ 2) &>> 2, (Int(vector.y) &+ 2) &>> 2) }
    trial(0, 0)
    start(predictors.first)
    start(predictors.second)
    if list == 0, Int(merged.index0) == index { start(merged.vector0) }
    if list == 1, Int(merged.index1) == index { start(merged.vector1) }
    start(lastVectors[entry])
    if blocks.references.isLongTerm[entry], block.width >= 16 {
      // The other view: what is near is far to one side.
      let reach = values.width &>> 3
      for x in stride(from: 0 &- reach, through: reach, by: 4) { trial(x, 0) }
    }
    defer { wholes[entry] = WholeMotion(predictors: predictors, cost: least) }
    guard least < RateCosts.unreachable else { return least }
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

    lastVectors[entry] = MotionVector(
      x: Int16(truncatingIfNeeded: 4 &* bestX), y: Int16(truncatingIfNeeded: 4 &* bestY))
    return least
  }

  private func isSamePicture(_ blocks: borrowing BlockContext, _ entry: Int, _ other: Int) -> Bool {
    blocks.references.slot[entry] == blocks.references.slot[other]
  }

  /// The best vector of one list around that of a motion, which has no other, by transformed differences: with steps of
  /// `first` quarters of a sample, then half as many; with 0 it stays.
  private func refine(
    _ blocks: inout BlockContext, _ block: PredictionBlock, _ start: Motion, list: Int,
    _ predictors: VectorPredictors, _ target: MotionTarget, from first: Int
  ) -> (vector: MotionVector, cost: Int) {
    var motion = start, vector = list == 0 ? start.vector0 : start.vector1
    var least = RateCosts.unreachable
    func trial(_ x: Int, _ y: Int, _ blocks: inout BlockContext) {
      let tried = MotionVector(x: Int16(truncatingIfNeeded: x), y: Int16(truncatingIfNeeded: y))
      if list == 0 { motion.vector0 = tried } else { motion.vector1 = tried }
      let cost = costs.cost(
        differences: difference(&blocks, block, motion, target),
        price: UInt64(predictors.bits(x, y)) &<< 15)
      if cost < least { (vector, least) = (tried, cost) }
    }
    trial(Int(vector.x), Int(vector.y), &blocks)
    var step = first
    while step > 0 {
      let x = Int(vector.x), y = Int(vector.y)
      trial(x &- step, y, &blocks)
      trial(x &+ step, y, &blocks)
      trial(x, y &- step, &blocks)
      trial(x, y &+ step, &blocks)
      if effort.triesDiagonals {
        let centreX = Int(vector.x), centreY = Int(vector.y)
        // Only the diagonals beside the better of the straight ones.
        if centreX != x {
          trial(centreX, y &- step, &blocks)
          trial(centreX, y &+ step, &blocks)
        } else if centreY != y {
          trial(x &- step, centreY, &blocks)
          trial(x &+ step, centreY, &blocks)
        }
      }
      step = step &>> 1
    }
    return (vector, least)
  }

  // MARK: Two pictures

  /// The motion of both lists together: the best of each, and then each of them again, as what is best beside the other.
  private func searchPair(
    _ blocks: inout BlockContext, _ block: PredictionBlock, _ depth: Int, _ best0: FoundMotion,
    _ best1: FoundMotion
  ) -> FoundMotion {
    var pair = best0
    let index0 = best0.index(0), index1 = best1.index(1)
    let predictors0 = predictors(blocks, block, list: 0, index0)
    let predictors1 = predictors(blocks, block, list: 1, index1)
    // A list whose differences are not coded has the predictor itself.
    let vector1 = values.isMvdL1Zero ? predictors1.first : best1.motion.vector1
    pair.set(list: 1, index1, vector1, predictors1)
    guard blocks.setSlots(&pair.motion) else { return FoundMotion() }
    pair.cost = cost(&blocks, block, depth, pair, predictors0, predictors1)
    var list = best0.cost < best1.cost ? 1 : 0
    for _ in 0..<effort.pairRounds {
      if list == 1, values.isMvdL1Zero { break }
      // With the other list as it is, what should this one predict?
      var other = pair.motion
      if list == 0 { other.index0 = -1 } else { other.index1 = -1 }
      blocks.predictInter(block, other, components: 0..<1)
      mirror.mirror(
        source.luma, around: blocks.planes.luma, x: block.x, y: block.y, width: block.width,
        height: block.height)
      var own = pair.motion
      if list == 0 { own.index1 = -1 } else { own.index0 = -1 }
      let predictors = list == 0 ? predictors0 : predictors1
      let refined = refine(
        &blocks, block, own, list: list, predictors, MotionTarget(plane: mirror, x: 0, y: 0, shift: 1),
        from: 4)
      guard refined.vector != pair.vector(list) else { break }
      var next = pair
      next.set(list: list, list == 0 ? index0 : index1, refined.vector, predictors)
      next.cost = cost(&blocks, block, depth, next, predictors0, predictors1)
      guard next.cost < pair.cost else { break }
      pair = next
      list = 1 &- list
    }
    return pair
  }

  private func cost(
    _ blocks: inout BlockContext, _ block: PredictionBlock, _ depth: Int, _ pair: FoundMotion,
    _ predictors0: VectorPredictors, _ predictors1: VectorPredictors
  ) -> Int {
    let x0 = Int(pair.motion.vector0.x), y0 = Int(pair.motion.vector0.y)
    let x1 = Int(pair.motion.vector1.x), y1 = Int(pair.motion.vector1.y)
    var bits = predictors0.bits(x0, y0)
    if !values.isMvdL1Zero { bits = bits &+ predictors1.bits(x1, y1) }
    if values.count0 > 1 { bits = bits &+ (pair.motion.index0 == 0 ? 1 : 2) }
    if values.count1 > 1 { bits = bits &+ (pair.motion.index1 == 0 ? 1 : 2) }
    let direction = UInt64(BinPrices.shared[Int(states[Contexts.interDirection &+ depth]) ^ 1])
    return costs.cost(
      differences: difference(&blocks, block, pair.motion, target(block)),
      price: direction &+ UInt64(bits) &<< 15)
  }
}
