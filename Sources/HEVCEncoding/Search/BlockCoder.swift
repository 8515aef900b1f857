// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCCoding

/// Codes the residuals of blocks: from source and prediction to levels, and on to the samples that a decoder makes of
/// them.
final class BlockCoder {
  private let residual = Memory<Int16>(count: 1024, repeating: 0)
  private let coefficients = Memory<Int16>(count: 1024, repeating: 0)
  // The levels of the last block of each component, row by row.
  private let luma = Memory<Int16>(count: 1024, repeating: 0)
  private let cb = Memory<Int16>(count: 256, repeating: 0)
  private let cr = Memory<Int16>(count: 256, repeating: 0)
  private let deltas = Memory<Int16>(count: 1024, repeating: 0)
  private let transforms = ForwardTransformMemory()
  private let scans = ScanTables.shared
  /// Chooses levels by their prices; `nil` to drop only those that are clearly too expensive.
  private let choice: LevelChoice?

  init(_ choice: LevelChoice? = nil) { self.choice = choice }

  deinit {
    residual.free()
    coefficients.free()
    luma.free()
    cb.free()
    cr.free()
    deltas.free()
    transforms.free()
  }

  /// The levels of the last block of a component, row by row.
  @inline(__always)
  func levels(_ component: Int) -> Memory<Int16> { component == 0 ? luma : component == 1 ? cb : cr }

  /// A transform block: its place in the component, and how its levels are ordered.
  struct Block {
    var component: Int
    var x: Int
    var y: Int
    var log2Size: Int
    /// scanIdx
    var scan: Int
    var isIntra: Bool

    var size: Int { 1 &<< log2Size }
    var isSine: Bool { isIntra && component == 0 && log2Size == 2 }
    /// Where the levels of a sub-block begin, row by row; it is given as in ``ScanTables``.
    @inline(__always)
    func origin(ofSubBlock subBlock: Int) -> Int {
      ((subBlock &>> 4) &<< 2) &<< log2Size &+ (subBlock & 15) &<< 2
    }
    /// How far a position in a sub-block is from there.
    @inline(__always)
    func offset(_ position: UInt8) -> Int { (Int(position) &>> 2) &<< log2Size &+ Int(position) & 3 }

    var places: DifferenceKernels.Places { DifferenceKernels.Places(x: x, y: y, otherX: x, otherY: y) }
  }

  /// Makes levels of the difference between the source and the prediction, which is in the picture; returns how many
  /// are not 0.
  func quantise(_ block: Block, _ source: Plane, _ blocks: borrowing BlockContext) -> Int {
    let count = block.size &* block.size
    let depth = block.component == 0 ? blocks.v.bitDepthLuma : blocks.v.bitDepthChroma
    let any = ForwardTransformKernels.subtract(
      source, blocks.planes[block.component], block.places, size: block.size, to: residual)
    guard any != 0 else { return 0 }
    ForwardTransformKernels.transform(
      residual, to: coefficients, log2Size: block.log2Size, isSine: block.isSine, bitDepth: depth, transforms)
    let quantiser = QuantisationKernels.Quantiser(
      qp: blocks.quantisationParameter(block.component), log2Size: block.log2Size, bitDepth: depth,
      offset: choice != nil ? 256 : block.isIntra ? 213 : 128)
    let used = QuantisationKernels.quantise(
      coefficients, to: levels(block.component), count: count, quantiser, deltas: deltas)
    guard used > 0 else { return 0 }
    var left = used
    if let choice {
      left = choice.choose(
        levels(block.component), deltas, block,
        steps: blocks.quantisationParameter(0) &- blocks.quantisationParameter(block.component))
    } else {
      if block.log2Size > 2 { left = left &- dropSubBlocks(block) }
      if left > 0 { left = left &- dropLast(block) }
    }
    if left > 1, blocks.v.isSignHiding { hideSigns(block) }
    return left
  }

  /// Adds what a decoder makes of the levels to the prediction in the picture.
  func reconstruct(_ block: Block, _ blocks: inout BlockContext) {
    let depth = block.component == 0 ? blocks.v.bitDepthLuma : blocks.v.bitDepthChroma
    QuantisationKernels.scale(
      levels(block.component), to: blocks.scratch.coefficients, count: block.size &* block.size,
      qp: blocks.quantisationParameter(block.component), log2Size: block.log2Size, bitDepth: depth)
    var scaled = ResidualBlock(
      component: block.component, log2Size: block.log2Size, isBypassed: false, isSine: block.isSine,
      isRotated: false)
    (scaled.lastColumn, scaled.lastRow) = extent(block)
    blocks.reconstruct(scaled, block.x, block.y, block.log2Size, block.component, scale: 0)
  }

  /// The last column and the last row that may have levels.
  private func extent(_ block: Block) -> (column: Int, row: Int) {
    guard block.log2Size > 3 else { return (block.size &- 1, block.size &- 1) }
    let levels = self.levels(block.component), size = block.size
    var column = 3, row = 3
    for y in stride(from: 0, to: size, by: 4) {
      for x in stride(from: 0, to: size, by: 4) where x > column || y > row {
        guard !levels.subBlock(at: y &* size &+ x, stride: size).isZero else { continue }
        column = max(column, x &+ 3)
        row = max(row, y &+ 3)
      }
    }
    return (column, row)
  }

  // MARK: Levels that cost too much
  //
  // Without a level of 1 or -1, the squared error becomes `1 + 2 · delta` squared steps larger, deltas being parts of 256. A bit is
  // worth about 23 parts of 256 of a squared step.

  /// Sets the levels of sub-blocks other than the first one to 0 that have a few of 1 or -1 and no others, if the squared error that this
  /// adds is worth less than what they take; returns how many.
  ///
  /// A lone level takes about eight bits: the flag of its sub-block, those of the positions before it, its sign and its
  /// magnitude; each further one takes about seven.
  private func dropSubBlocks(_ block: Block) -> Int {
    let levels = self.levels(block.component), size = block.size
    var dropped = 0
    for y in stride(from: 0, to: size, by: 4) {
      for x in stride(from: 0, to: size, by: 4) where x > 0 || y > 0 {
        let origin = y &* size &+ x
        let rows = levels.subBlock(at: origin, stride: size)
        guard !rows.isZero else { continue }
        let used = rows.used, number = used.nonzeroBitCount
        guard number <= 6 else { continue }
        let most = 184 &+ 165 &* (number &- 1)
        var error = 0, rest = used
        while rest != 0, error < most {
          let at = origin &+ block.offset(UInt8(truncatingIfNeeded: rest.trailingZeroBitCount))
          rest &= rest &- 1
          error = abs(Int(levels[at])) == 1 ? error &+ 256 &+ 2 &* Int(deltas[at]) : most
        }
        guard error < most else { continue }
        rest = used
        while rest != 0 {
          levels[origin &+ block.offset(UInt8(truncatingIfNeeded: rest.trailingZeroBitCount))] = 0
          rest &= rest &- 1
        }
        dropped = dropped &+ number
      }
    }
    return dropped
  }

  /// Sets the last levels to 0, as long as they are 1 or -1 and the squared error that this adds is worth less than what they take;
  /// returns how many. The first one stays.
  ///
  /// The last level takes about five bits, and half a bit for each position between it and the one before.
  private func dropLast(_ block: Block) -> Int {
    let subBlocks = scans.subBlocks(log2Size: block.log2Size, scan: block.scan)
    let positions = scans.positions(scan: block.scan), levels = self.levels(block.component)
    var dropped = 0
    // The last level so far: its number in the order of the scan, and where it is.
    var last = -1, lastAt = 0
    for index in stride(from: 1 &<< (2 &* (block.log2Size &- 2)) &- 1, through: 0, by: -1) {
      let subBlock = Int(subBlocks[index])
      let origin = block.origin(ofSubBlock: subBlock)
      let rows = levels.subBlock(at: origin, stride: block.size)
      guard !rows.isZero else { continue }
      var used = scans.inScanOrder(rows.used, scan: block.scan)
      while used != 0 {
        let position = 31 &- used.leadingZeroBitCount
        used ^= 1 &<< UInt32(truncatingIfNeeded: position)
        let number = index &* 16 &+ position
        let at = origin &+ block.offset(positions[position])
        if last >= 0 {
          let worth = 120 &+ 10 &* min(16, last &- number)
          guard 256 &+ 2 &* Int(deltas[lastAt]) < worth else { return dropped }
          levels[lastAt] = 0
          dropped = dropped &+ 1
        }
        guard abs(Int(levels[at])) == 1 else { return dropped }
        (last, lastAt) = (number, at)
      }
    }
    return dropped
  }

  // MARK: Sign data hiding. 7.4.9.11

  /// Changes one level by one in each sub-block in which the sign of the first coefficient is hidden in the parity of the
  /// levels, and does not agree with it.
  private func hideSigns(_ block: Block) {
    let subBlocks = scans.subBlocks(log2Size: block.log2Size, scan: block.scan)
    let positions = scans.positions(scan: block.scan), levels = self.levels(block.component)
    for index in 0..<(1 &<< (2 &* (block.log2Size &- 2))) {
      let subBlock = Int(subBlocks[index])
      let origin = block.origin(ofSubBlock: subBlock)
      let rows = levels.subBlock(at: origin, stride: block.size)
      guard !rows.isZero else { continue }
      let used = scans.inScanOrder(rows.used, scan: block.scan)
      let lowest = used.trailingZeroBitCount, highest = 31 &- used.leadingZeroBitCount
      guard highest &- lowest > 3 else { continue }
      var sum = 0, rest = used
      while rest != 0 {
        sum = sum &+ Int(levels[origin &+ block.offset(positions[rest.trailingZeroBitCount])])
        rest &= rest &- 1
      }
      let first = levels[origin &+ block.offset(positions[lowest])]
      guard (sum & 1 != 0) != (first < 0) else { continue }
      change(levels, block, origin, positions, lowest: lowest, highest: highest)
    }
  }

  /// Changes the level for which it costs least. A change by one level adds `256 ± 2 · delta` to the squared error, in
  /// parts of 256 of a squared step; a bit is worth about 23 of them.
  private func change(
    _ levels: Memory<Int16>, _ block: Block, _ origin: Int, _ positions: MaskedBytes, lowest: Int,
    highest: Int
  ) {
    var least = Int.max, chosen = 0, isRaised = false
    for place in lowest...highest {
      let at = origin &+ block.offset(positions[place])
      let level = abs(Int(levels[at])), delta = Int(deltas[at])
      let raised = 256 &- 2 &* delta &+ (level == 0 ? 115 : 20)
      if raised < least, level < 32767 { (least, chosen, isRaised) = (raised, at, true) }
      // A level at either end must not vanish: it says where the sub-block begins and ends.
      guard level > 1 || level == 1 && place > lowest && place < highest else { continue }
      let lowered = 256 &+ 2 &* delta &- (level == 1 ? 90 : 20)
      if lowered < least { (least, chosen, isRaised) = (lowered, at, false) }
    }
    let isNegative = levels[chosen] < 0 || levels[chosen] == 0 && coefficients[chosen] < 0
    levels[chosen] = levels[chosen] &+ (isNegative == isRaised ? -1 : 1)
  }
}
