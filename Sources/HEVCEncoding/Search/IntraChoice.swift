// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCCoding

/// Memory for the choice between one and four luma modes of a coding unit of 8x8.
struct NxNMemory {
  let luma: Plane
  let cb: Plane
  let cr: Plane
  let levels = Memory<Int16>(count: 96, repeating: 0)
  let before = ContextStates()
  let after = ContextStates()

  init(_ format: SampleFormat) {
    luma = Plane(width: 8, height: 8, bitDepth: format.bitDepthLuma, isWide: format.isWide)
    cb = Plane(width: 4, height: 4, bitDepth: format.bitDepthChroma, isWide: format.isWide)
    cr = Plane(width: 4, height: 4, bitDepth: format.bitDepthChroma, isWide: format.isWide)
  }

  func free() {
    luma.free()
    cb.free()
    cr.free()
    levels.free()
    before.free()
    after.free()
  }
}

// The choice of intra modes. What is tried is in the samples of the block itself: nothing reads these before they are
// decided.

extension TreeSearch {
  /// Decides an intra coding unit, appends it to the tree, and returns its cost without that of the split flag. A unit whose
  /// transformed differences of luma cost `below` or more is not worth it: nothing is appended.
  func intraUnit(
    _ blocks: inout BlockContext, _ x: Int, _ y: Int, _ log2Size: Int, _ depth: Int,
    below: Int = RateCosts.unreachable
  ) -> Int {
    let triesParts =
      log2Size == 3 && values.minCbLog2Size == 3
      && (values.isIntra ? effort.isIntraSplit : effort.isIntraSplitInInter)
    if triesParts { nxn.before.copy(from: states) }
    let whole = intraUnit(&blocks, x, y, log2Size, depth, isSplit: false, below: below)
    guard triesParts, whole < RateCosts.unreachable,
      tree.transforms[tree.transformCount &- 1].coded & CodedTransform.luma != 0
    else {
      return whole
    }
    // What the undivided unit left.
    let unit = tree.units[tree.unitCount &- 1], transform = tree.transforms[tree.transformCount &- 1]
    nxn.luma.copy(from: blocks.planes.luma, x: x, y: y, width: 8, height: 8, toX: 0, toY: 0)
    nxn.cb.copy(from: blocks.planes.cb, x: x &>> 1, y: y &>> 1, width: 4, height: 4, toX: 0, toY: 0)
    nxn.cr.copy(from: blocks.planes.cr, x: x &>> 1, y: y &>> 1, width: 4, height: 4, toX: 0, toY: 0)
    nxn.after.copy(from: states)
    copyLevels(x, y, isKept: true)
    states.copy(from: nxn.before)
    tree.unitCount = tree.unitCount &- 1
    tree.transformCount = tree.transformCount &- 1
    let divided = intraUnit(
      &blocks, x, y, log2Size, depth, isSplit: true, below: RateCosts.unreachable)
    guard divided >= whole else { return divided }
    tree.unitCount = tree.unitCount &- 1
    tree.transformCount = tree.transformCount &- 4
    tree.append(unit)
    tree.append(transform)
    blocks.planes.luma.copy(from: nxn.luma, x: 0, y: 0, width: 8, height: 8, toX: x, toY: y)
    blocks.planes.cb.copy(from: nxn.cb, x: 0, y: 0, width: 4, height: 4, toX: x &>> 1, toY: y &>> 1)
    blocks.planes.cr.copy(from: nxn.cr, x: 0, y: 0, width: 4, height: 4, toX: x &>> 1, toY: y &>> 1)
    states.copy(from: nxn.after)
    copyLevels(x, y, isKept: false)
    enter(&blocks, unit, depth)
    return whole
  }

  private func copyLevels(_ x: Int, _ y: Int, isKept: Bool) {
    for component in 0..<3 {
      let start = tree.levelPlace(x: x, y: y, component: component)
      let place = component == 0 ? 0 : 48 &+ 16 &* component, count = component == 0 ? 64 : 16
      if isKept {
        nxn.levels.copy(from: tree.levels, start..<(start &+ count), to: place)
      } else {
        tree.levels.copy(from: nxn.levels, place..<(place &+ count), to: start)
      }
    }
  }

  private func intraUnit(
    _ blocks: inout BlockContext, _ x: Int, _ y: Int, _ log2Size: Int, _ depth: Int, isSplit: Bool,
    below: Int
  ) -> Int {
    let size = 1 &<< log2Size
    let first = SyntaxWriter<BinCounter>.Place(
      unit: tree.unitCount, prediction: tree.predictionCount, transform: tree.transformCount)
    var unit = CodedUnit()
    unit.x = UInt16(truncatingIfNeeded: x)
    unit.y = UInt16(truncatingIfNeeded: y)
    unit.log2Size = UInt8(truncatingIfNeeded: log2Size)
    unit.partMode = isSplit ? .quarters : .whole
    enter(&blocks, unit, depth)
    let parts = isSplit ? 4 : 1, log2Part = isSplit ? log2Size &- 1 : log2Size
    for part in 0..<parts {
      let partX = x &+ (part & 1) &<< log2Part, partY = y &+ (part &>> 1) &<< log2Part
      let candidates = blocks.candidateModes(partX, partY)
      guard let (mode, isCoded) = luma(&blocks, partX, partY, log2Part, candidates, below: below) else {
        return RateCosts.unreachable
      }
      unit.lumaChoices[part] = UInt8(truncatingIfNeeded: Self.choice(candidates, mode))
      unit.lumaModes[part] = UInt8(truncatingIfNeeded: mode)
      if part == 0 { unit.lumaModes = SIMD4(repeating: UInt8(truncatingIfNeeded: mode)) }
      blocks.setIntraMode(partX, partY, 1 &<< log2Part, mode: mode)
      tree.append(
        CodedTransform(
          log2Size: UInt8(truncatingIfNeeded: log2Part), coded: isCoded ? CodedTransform.luma : 0))
    }
    let luma = Int(unit.lumaModes[0])
    let choice = effort.triesChromaModes ? chromaChoice(&blocks, x, y, log2Size, luma) : 4
    let chroma = blocks.chromaMode(luma: luma, choice: choice == 4 ? nil : choice)
    unit.chromaChoice = UInt8(truncatingIfNeeded: choice)
    unit.chromaMode = UInt8(truncatingIfNeeded: chroma)
    let last = tree.transformCount &- 1
    for component in 1...2 where codeChroma(&blocks, x, y, log2Size, component, chroma) {
      tree.transforms[last].coded |= 1 &<< UInt8(truncatingIfNeeded: component)
    }
    tree.append(unit)
    let price = writer.sink.price
    var place = first
    writer.codingUnit(tree, &place, x, y, log2Size, depth)
    return costs.cost(
      squares: squares(blocks.planes, x, y, size), price: writer.sink.price &- price)
  }

  /// The squared error of all components of a block of luma samples.
  func squares(_ planes: PlaneSet, _ x: Int, _ y: Int, _ size: Int) -> Int {
    let chroma = DifferenceKernels.Places(x: x &>> 1, y: y &>> 1, otherX: x &>> 1, otherY: y &>> 1)
    let luma = DifferenceKernels.Places(x: x, y: y, otherX: x, otherY: y)
    return DifferenceKernels.squares(source.luma, planes.luma, luma, width: size, height: size)
      &+ DifferenceKernels.squares(source.cb, planes.cb, chroma, width: size &>> 1, height: size &>> 1)
      &+ DifferenceKernels.squares(source.cr, planes.cr, chroma, width: size &>> 1, height: size &>> 1)
  }

  // MARK: Luma

  /// Modes and their costs, the best first: as many as are to be coded completely.
  private struct Best {
    var modes = SIMD8<Int>(repeating: -1)
    var costs = SIMD8<Int>(repeating: RateCosts.unreachable)

    mutating func add(_ mode: Int, _ cost: Int) {
      var place = 7
      guard cost < costs[place] else { return }
      while place > 0, cost < costs[place &- 1] {
        modes[place] = modes[place &- 1]
        costs[place] = costs[place &- 1]
        place = place &- 1
      }
      modes[place] = mode
      costs[place] = cost
    }
  }

  /// Chooses the luma mode of a block, and codes it: of the modes with the smallest differences that are coded completely,
  /// the best. `nil` if no mode costs less than `below`.
  private func luma(
    _ blocks: inout BlockContext, _ x: Int, _ y: Int, _ log2Size: Int, _ candidates: (Int, Int, Int),
    below: Int
  ) -> (mode: Int, isCoded: Bool)? {
    blocks.prepareIntra(x, y, log2Size, 0)
    let best = roughModes(&blocks, x, y, log2Size, candidates, below: below)
    guard best.costs[0] < below else { return nil }
    let count = min(8, effort.completeModes)
    guard count > 1 else {
      return (best.modes[0], codeLuma(&blocks, x, y, log2Size, best.modes[0]))
    }
    var chosen = -1, least = RateCosts.unreachable, isChosenCoded = false, last = -1
    trialStates.copy(from: states)
    // The most promising one last, because what is coded last need not be coded again.
    for place in (0..<count).reversed() where best.modes[place] >= 0 {
      let mode = best.modes[place]
      let start = writer.sink.price
      let isCoded = codeLuma(&blocks, x, y, log2Size, mode)
      if isCoded {
        writer.residual(
          tree.levels, at: tree.levelPlace(x: x, y: y, component: 0), log2Size: log2Size, component: 0,
          scan: SyntaxWriter<BinCounter>.scan(true, log2Size, 0, mode: UInt8(truncatingIfNeeded: mode)))
        states.copy(from: trialStates)
      }
      let squares = DifferenceKernels.squares(
        source.luma, blocks.planes.luma, DifferenceKernels.Places(x: x, y: y, otherX: x, otherY: y),
        width: 1 &<< log2Size, height: 1 &<< log2Size)
      let cost = costs.cost(
        squares: squares, price: writer.sink.price &- start &+ modePrice(candidates, mode))
      last = mode
      if cost <= least { (chosen, least, isChosenCoded) = (mode, cost, isCoded) }
    }
    if chosen != last { isChosenCoded = codeLuma(&blocks, x, y, log2Size, chosen) }
    return (chosen, isChosenCoded)
  }

  /// The modes of a block with the smallest transformed differences; not all that might be among them if the first ones
  /// are far from `below`.
  private func roughModes(
    _ blocks: inout BlockContext, _ x: Int, _ y: Int, _ log2Size: Int, _ candidates: (Int, Int, Int),
    below: Int
  ) -> Best {
    var best = Best()
    var tried: UInt64 = 0
    func trial(_ mode: Int, _ blocks: inout BlockContext) {
      guard mode >= 0, mode <= 34, (tried &>> UInt64(mode)) & 1 == 0 else { return }
      tried |= 1 &<< UInt64(mode)
      blocks.predictFromBorder(x, y, log2Size, 0, mode)
      let differences = DifferenceKernels.satd(
        source.luma, blocks.planes.luma, DifferenceKernels.Places(x: x, y: y, otherX: x, otherY: y),
        width: 1 &<< log2Size, height: 1 &<< log2Size)
      best.add(mode, costs.cost(differences: differences, price: modePrice(candidates, mode)))
    }
    if effort.triesAllModes {
      for mode in 0...34 { trial(mode, &blocks) }
      return best
    }
    trial(0, &blocks)
    trial(1, &blocks)
    trial(10, &blocks)
    trial(26, &blocks)
    // Other directions rarely save a third.
    guard best.costs[0] < below &+ below &>> 1 else { return best }
    let step = effort.modeStep
    for mode in stride(from: 2, through: 34, by: step) { trial(mode, &blocks) }
    trial(candidates.0, &blocks)
    trial(candidates.1, &blocks)
    trial(candidates.2, &blocks)
    var half = step &>> 1
    while half > 0 {
      var centre = -1
      for place in 0..<8 where centre < 2 { centre = best.modes[place] }
      guard centre >= 2 else { break }
      trial(max(2, centre &- half), &blocks)
      trial(min(34, centre &+ half), &blocks)
      half = half &>> 1
    }
    return best
  }

  /// The cost of signalling a luma mode.
  private func modePrice(_ candidates: (Int, Int, Int), _ mode: Int) -> UInt64 {
    let choice = Self.choice(candidates, mode)
    let state = Int(states[Contexts.previousIntraLuma])
    let flag = UInt64(BinPrices.shared[state ^ (choice < 3 ? 1 : 0)])
    return flag &+ UInt64(choice == 0 ? 1 : choice < 3 ? 2 : 5) &<< 15
  }

  /// How a mode is coded, given the candidates: 0 to 2 is one of them, the others follow. 8.4.2
  static func choice(_ candidates: (Int, Int, Int), _ mode: Int) -> Int {
    if mode == candidates.0 { return 0 }
    if mode == candidates.1 { return 1 }
    if mode == candidates.2 { return 2 }
    var rest = mode
    if mode > candidates.0 { rest = rest &- 1 }
    if mode > candidates.1 { rest = rest &- 1 }
    if mode > candidates.2 { rest = rest &- 1 }
    return 3 &+ rest
  }

  /// Predicts from the border and codes a luma block; returns whether it has levels.
  private func codeLuma(
    _ blocks: inout BlockContext, _ x: Int, _ y: Int, _ log2Size: Int, _ mode: Int
  ) -> Bool {
    blocks.predictFromBorder(x, y, log2Size, 0, mode)
    let scan = SyntaxWriter<BinCounter>.scan(true, log2Size, 0, mode: UInt8(truncatingIfNeeded: mode))
    return code(
      &blocks,
      BlockCoder.Block(component: 0, x: x, y: y, log2Size: log2Size, scan: scan, isIntra: true),
      at: tree.levelPlace(x: x, y: y, component: 0))
  }

  /// Codes the residual of a predicted block, whose levels belong at `place`; returns whether it has any.
  func code(_ blocks: inout BlockContext, _ block: BlockCoder.Block, at place: Int) -> Bool {
    guard coder.quantise(block, source[block.component], blocks) > 0 else { return false }
    reconstruct(&blocks, block, at: place)
    return true
  }

  /// Adds the residual of a block that was quantised last of its component, whose levels belong at `place`.
  func reconstruct(_ blocks: inout BlockContext, _ block: BlockCoder.Block, at place: Int) {
    tree.levels.copy(from: coder.levels(block.component), 0..<(block.size &* block.size), to: place)
    coder.reconstruct(block, &blocks)
  }

  // MARK: Chroma

  /// The chroma mode with the smallest differences, as it is coded: 4 is that of luma.
  private func chromaChoice(
    _ blocks: inout BlockContext, _ x: Int, _ y: Int, _ log2Size: Int, _ luma: Int
  ) -> Int {
    let log2 = max(2, log2Size &- 1)
    let at = DifferenceKernels.Places(x: x &>> 1, y: y &>> 1, otherX: x &>> 1, otherY: y &>> 1)
    let state = Int(states[Contexts.intraChroma])
    var sums = SIMD8<Int>(repeating: 0)
    for component in 1...2 {
      blocks.prepareIntra(x &>> 1, y &>> 1, log2, component)
      for choice in 0...4 {
        blocks.predictFromBorder(
          x &>> 1, y &>> 1, log2, component, blocks.chromaMode(luma: luma, choice: choice == 4 ? nil : choice)
        )
        sums[choice] =
          sums[choice]
          &+ DifferenceKernels.satd(
            source[component], blocks.planes[component], at, width: 1 &<< log2, height: 1 &<< log2)
      }
    }
    var chosen = 4
    var least = costs.cost(differences: sums[4], price: UInt64(BinPrices.shared[state]))
    let explicit = UInt64(BinPrices.shared[state ^ 1]) &+ 2 &<< 15
    for choice in 0...3 {
      let cost = costs.cost(differences: sums[choice], price: explicit)
      if cost < least { (chosen, least) = (choice, cost) }
    }
    return chosen
  }

  /// Predicts and codes a chroma block; returns whether it has levels.
  private func codeChroma(
    _ blocks: inout BlockContext, _ x: Int, _ y: Int, _ log2Size: Int, _ component: Int, _ mode: Int
  ) -> Bool {
    let log2 = max(2, log2Size &- 1)
    blocks.predictIntra(x &>> 1, y &>> 1, log2, component, mode)
    let scan = SyntaxWriter<BinCounter>.scan(true, log2, component, mode: UInt8(truncatingIfNeeded: mode))
    return code(
      &blocks,
      BlockCoder.Block(
        component: component, x: x &>> 1, y: y &>> 1, log2Size: log2, scan: scan, isIntra: true),
      at: tree.levelPlace(x: x, y: y, component: component))
  }
}
