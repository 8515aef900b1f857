// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCCoding

/// Chooses the levels of a transform block by what they cost: the squared error of the coefficients and the price of the bins, with the
/// contexts as they are before the block.
///
/// Each coefficient is rounded to the nearest level first. From the last one on, each takes the cheapest of this level, the next smaller
/// one and 0; each sub-block is emptied if that is cheaper; and in the end the levels after the best last position are dropped.
///
/// Costs are in parts of 65536 of a squared quantisation step, beside those of no levels at all.
final class LevelChoice {
  /// For each level that is not 0, in the order of the scan: what its sub-block costs up to the position before it, and the flag that says
  /// that it is not 0.
  private let sums = Memory<Int>(count: 1024, repeating: 0)
  private let flags = Memory<Int>(count: 1024, repeating: 0)
  /// Which levels of each sub-block are not 0, by bit, in the order of the scan.
  private let used = Memory<UInt32>(count: 64, repeating: 0)
  /// What the levels of each sub-block cost, and the flag that says whether it has any.
  private let costs = Memory<Int>(count: 64, repeating: 0)
  private let subBlockFlags = Memory<Int>(count: 64, repeating: 0)
  /// The cost of signalling the group of the last column and row.
  private let columns = Memory<Int>(count: 16, repeating: 0)
  private let rows = Memory<Int>(count: 16, repeating: 0)
  private let states: ContextStates
  private let scans = ScanTables.shared
  private let prices = LevelChoice.prices
  /// Where the prices of the current block begin, and what a bit costs.
  private var first = 0
  private var worth = 0

  /// A choice with contexts of which the owner keeps the memory.
  init(_ states: ContextStates) { self.states = states }

  deinit {
    sums.free()
    flags.free()
    used.free()
    costs.free()
    subBlockFlags.free()
    columns.free()
    rows.free()
  }

  /// The range of differences between the luma parameter and that of a component.
  private static let steps = -6...12

  /// What bins cost, as in ``BinPrices``: 128 for each of these. Made once for all encoders and never freed.
  private static let prices: Memory<Int> = {
    let prices = Memory<Int>(count: steps.count * 128, repeating: 0)
    for (index, steps) in steps.enumerated() {
      for state in 0..<128 {
        prices[index * 128 + state] = (worth(steps: steps) * Int(BinPrices.shared[state])) >> 15
      }
    }
    return prices
  }()

  /// What a bit costs where the quantisation parameter is smaller than that of λ. Where λ is 0.57 · 2^((QP − 12) / 3), it is worth 5886 of
  /// luma; a factor of 1.3 takes 0.5 % fewer bits than 1, since contexts are taken not to change.
  private static func worth(steps: Int) -> Int {
    let thirds = steps + 6
    let rest = thirds % 3, octave = rest == 0 ? 7652 : rest == 1 ? 9641 : 12147
    return (octave << (thirds / 3)) >> 2
  }

  /// The costs of a block whose levels are chosen, before their end is chosen.
  private struct Sums {
    /// What all levels cost together, with the flags of sub-blocks.
    var cost = 0
    /// How many are not 0.
    var count = 0
  }

  /// What is known of a sub-block while its levels are chosen.
  private struct SubBlock {
    /// The first context of the flags for levels above 1, and that of the flag for levels above 2.
    var greater1 = 0
    var greater2 = 0
    /// Which of the contexts is next.
    var next = 1
    /// How many levels there are, and whether one of the first eight is above 1.
    var count = 0
    var isAbove1 = false
    var rice = 0
    /// Which of its levels are not 0, by bit, in the order of the scan.
    var used: UInt32 = 0
    /// What its levels cost together.
    var cost = 0

    /// Moves on after a level that is not 0.
    @inline(__always)
    mutating func add(_ level: Int) {
      let base = count >= 8 ? 1 : isAbove1 ? 2 : 3
      if count < 8 {
        if level > 1 {
          next = 0
          isAbove1 = true
        } else if next > 0, next < 3 {
          next = next &+ 1
        }
      }
      if level >= base, level > (3 as Int) &<< rice { rice = min(4, rice &+ 1) }
      count = count &+ 1
    }
  }

  /// Changes levels that are rounded to the nearest, and their deltas accordingly; returns how many are not 0.
  ///
  /// - Parameter steps: by how much the quantisation parameter of the component is below that of luma.
  func choose(_ levels: Memory<Int16>, _ deltas: Memory<Int16>, _ block: BlockCoder.Block, steps: Int) -> Int
  {
    let steps = max(Self.steps.lowerBound, min(Self.steps.upperBound, steps))
    first = (steps &- Self.steps.lowerBound) &* 128
    worth = Self.worth(steps: steps)
    let subBlocks = scans.subBlocks(log2Size: block.log2Size, scan: block.scan)
    let isChroma = block.component != 0
    var last = 1 &<< (2 &* (block.log2Size &- 2)) &- 1
    while last >= 0, rowsOf(levels, Int(subBlocks[last]), block).isZero { last = last &- 1 }
    guard last >= 0 else { return 0 }
    var total = Sums(), coded: UInt64 = 0, previous = 1
    var index = last
    while index >= 0 {
      let place = Int(subBlocks[index])
      let x = place & 15, y = place &>> 4
      let bit = UInt64(truncatingIfNeeded: y &* 8 &+ x)
      let right = x < 7 ? Int(truncatingIfNeeded: (coded &>> (bit &+ 1)) & 1) : 0
      let below = y < 7 ? Int(truncatingIfNeeded: (coded &>> (bit &+ 8)) & 1) : 0
      let isInferable = index < last && index > 0
      let flag = Contexts.codedSubBlock &+ (right | below) &+ (isChroma ? 2 : 0)
      let rows = rowsOf(levels, place, block)
      (used[index], costs[index]) = (0, 0)
      subBlockFlags[index] = isInferable ? price(flag, 0) : 0
      if rows.isZero, index > 0 {
        total.cost = total.cost &+ subBlockFlags[index]
        index = index &- 1
        continue
      }
      var subBlock = SubBlock()
      let set = (index == 0 || isChroma ? 0 : 2) &+ (previous == 0 ? 1 : 0)
      subBlock.greater1 = Contexts.greater1 &+ set &* 4 &+ (isChroma ? 16 : 0)
      subBlock.greater2 = Contexts.greater2 &+ set &+ (isChroma ? 4 : 0)
      subBlock.used = scans.inScanOrder(rows.used, scan: block.scan)
      choose(levels, deltas, block, index, place, right | below &<< 1, isLast: index == last, &subBlock)
      used[index] = subBlock.used
      let isEmpty =
        isInferable
        && (subBlock.count == 0 || subBlock.cost &+ price(flag, 1) >= price(flag, 0))
      if isEmpty {
        drop(levels, deltas, block, index, from: 0)
      } else {
        costs[index] = subBlock.cost
        if isInferable { subBlockFlags[index] = price(flag, 1) }
        total.count = total.count &+ subBlock.count
        coded |= 1 &<< bit
        if subBlock.count > 0 { previous = subBlock.next }
      }
      total.cost = total.cost &+ costs[index] &+ subBlockFlags[index]
      index = index &- 1
    }
    return end(levels, deltas, block, from: last, total)
  }

  // MARK: Levels

  /// Chooses the levels of a sub-block, and keeps what is needed to end before them.
  @inline(__always)
  private func choose(
    _ levels: Memory<Int16>, _ deltas: Memory<Int16>, _ block: BlockCoder.Block, _ index: Int, _ place: Int,
    _ pattern: Int, isLast: Bool, _ subBlock: inout SubBlock
  ) {
    let positions = scans.positions(scan: block.scan), isChroma = block.component != 0
    let base = Contexts.significant(
      log2Size: block.log2Size, isChroma: isChroma, isFirst: index == 0, scan: block.scan)
    let contexts = scans.significantContexts(pattern: block.log2Size > 2 ? pattern : 4, scan: block.scan)
    let lastContext =
      index == 0 && block.log2Size > 2
      ? Contexts.significant &+ (isChroma ? 27 : 0) : base &+ Int(contexts[0])
    let origin = block.origin(ofSubBlock: place)
    var rest = subBlock.used
    // Where levels end nothing says that one is not 0.
    var isEnd = isLast
    var position = isLast ? 31 &- rest.leadingZeroBitCount : 15
    while position >= 0 {
      let context = position == 0 ? lastContext : base &+ Int(contexts[position])
      guard (rest &>> UInt32(truncatingIfNeeded: position)) & 1 != 0 else {
        subBlock.cost = subBlock.cost &+ price(context, 0)
        position = position &- 1
        continue
      }
      // A flag that follows from the one of the sub-block is not coded.
      let isInferred = position == 0 && index > 0 && !isLast && subBlock.count == 0
      let flag = isEnd || isInferred ? 0 : price(context, 1)
      let at = origin &+ block.offset(positions[position])
      let level = abs(Int(levels[at])), delta = Int(deltas[at])
      let without = square(level &* 256 &+ delta)
      var chosen = level
      var cost = flag &+ square(delta) &- without &+ price(of: level, subBlock)
      if level > 1 {
        let smaller =
          flag &+ square(256 &+ delta) &- without &+ price(of: level &- 1, subBlock)
        if smaller < cost { (cost, chosen) = (smaller, level &- 1) }
      }
      if level < 3, !isEnd {
        let zero = price(context, 0)
        if zero <= cost { (cost, chosen) = (zero, 0) }
      }
      if chosen != level { change(levels, deltas, at, from: level, to: chosen) }
      if chosen > 0 {
        let number = index &* 16 &+ position
        sums[number] = subBlock.cost
        flags[number] = flag
        subBlock.add(chosen)
      } else {
        rest ^= 1 &<< UInt32(truncatingIfNeeded: position)
      }
      subBlock.cost = subBlock.cost &+ cost
      isEnd = false
      position = position &- 1
    }
    subBlock.used = rest
  }

  @inline(__always)
  private func square(_ value: Int) -> Int { value &* value }

  /// What a bin costs.
  @inline(__always)
  private func price(_ context: Int, _ bin: Int) -> Int {
    prices[first &+ (Int(states[context]) & 127) ^ bin]
  }

  /// What a level that is not 0 costs, with its sign.
  @inline(__always)
  private func price(of level: Int, _ subBlock: SubBlock) -> Int {
    guard subBlock.count < 8 else { return worth &* (1 &+ bits(level &- 1, subBlock.rice)) }
    let context = subBlock.greater1 &+ subBlock.next
    guard level > 1 else { return worth &+ price(context, 0) }
    let cost = worth &+ price(context, 1)
    if subBlock.isAbove1 { return cost &+ worth &* bits(level &- 2, subBlock.rice) }
    guard level > 2 else { return cost &+ price(subBlock.greater2, 0) }
    return cost &+ price(subBlock.greater2, 1) &+ worth &* bits(level &- 3, subBlock.rice)
  }

  /// How many bins coeff_abs_level_remaining takes. 9.3.3.11
  @inline(__always)
  private func bits(_ value: Int, _ rice: Int) -> Int {
    let quotient = value &>> rice
    if quotient < 4 { return quotient &+ 1 &+ rice }
    let rest = value &- (3 as Int) &<< rice &+ 1 &<< rice
    let log2 = Int.bitWidth &- 1 &- rest.leadingZeroBitCount
    return 4 &+ 2 &* log2 &- rice
  }

  @inline(__always)
  private func change(
    _ levels: Memory<Int16>, _ deltas: Memory<Int16>, _ at: Int, from level: Int, to chosen: Int
  ) {
    levels[at] = Int16(truncatingIfNeeded: levels[at] < 0 ? 0 &- chosen : chosen)
    deltas[at] = Int16(clamping: Int(deltas[at]) &+ (level &- chosen) &* 256)
  }

  // MARK: Sub-blocks, and the end

  @inline(__always)
  private func rowsOf(_ levels: Memory<Int16>, _ place: Int, _ block: BlockCoder.Block) -> SubBlockRows {
    levels.subBlock(at: block.origin(ofSubBlock: place), stride: block.size)
  }

  /// Sets the levels of a sub-block from a position on to 0.
  private func drop(
    _ levels: Memory<Int16>, _ deltas: Memory<Int16>, _ block: BlockCoder.Block, _ index: Int,
    from position: Int
  ) {
    let positions = scans.positions(scan: block.scan)
    let place = Int(scans.subBlocks(log2Size: block.log2Size, scan: block.scan)[index])
    let origin = block.origin(ofSubBlock: place)
    var rest = used[index] & (UInt32.max &<< UInt32(truncatingIfNeeded: position))
    used[index] ^= rest
    while rest != 0 {
      let at = origin &+ block.offset(positions[rest.trailingZeroBitCount])
      change(levels, deltas, at, from: abs(Int(levels[at])), to: 0)
      rest &= rest &- 1
    }
  }

  /// Drops the levels after the best last position, or all of them; returns how many are left.
  ///
  /// - Parameter last: the last sub-block that may have levels.
  private func end(
    _ levels: Memory<Int16>, _ deltas: Memory<Int16>, _ block: BlockCoder.Block, from last: Int, _ total: Sums
  ) -> Int {
    prepareEnds(block)
    let subBlocks = scans.subBlocks(log2Size: block.log2Size, scan: block.scan)
    let positions = scans.positions(scan: block.scan)
    let flag = block.component == 0 ? Contexts.codedLuma &+ 1 : Contexts.codedChroma
    // What is left if all after a sub-block is dropped, and how many levels that are.
    var rest = total.cost &+ price(flag, 1), passed = 0
    var best = price(flag, 0), bestNumber = -1, dropped = total.count
    search: for index in stride(from: last, through: 0, by: -1) {
      let place = Int(subBlocks[index]), origin = block.origin(ofSubBlock: place)
      // Where levels end in it or before it, its flag is not coded.
      rest = rest &- subBlockFlags[index]
      var used = self.used[index]
      while used != 0 {
        let position = 31 &- used.leadingZeroBitCount
        used ^= 1 &<< UInt32(truncatingIfNeeded: position)
        let number = index &* 16 &+ position, spot = positions[position]
        let x = (place & 15) &<< 2 &+ Int(spot) & 3, y = (place &>> 4) &<< 2 &+ Int(spot) &>> 2
        let whole =
          rest &- sums[number] &- flags[number] &+ end(x, y, isSwapped: block.scan == 2)
        if whole < best { (best, bestNumber, dropped) = (whole, number, passed) }
        if abs(Int(levels[origin &+ block.offset(spot)])) > 1 { break search }
        passed = passed &+ 1
      }
      rest = rest &- costs[index]
    }
    if dropped > 0 {
      for index in ((bestNumber &+ 1) &>> 4)...last {
        drop(levels, deltas, block, index, from: max(0, bestNumber &+ 1 &- index &* 16))
      }
    }
    return total.count &- dropped
  }

  /// The cost of signalling that levels end in a column and a row.
  @inline(__always)
  private func end(_ x: Int, _ y: Int, isSwapped: Bool) -> Int {
    let columnGroup = SyntaxWriter<BinCounter>.group(isSwapped ? y : x)
    let rowGroup = SyntaxWriter<BinCounter>.group(isSwapped ? x : y)
    return columns[columnGroup] &+ rows[rowGroup]
  }

  /// Prices the groups of the last column and row. 9.3.4.2.3
  private func prepareEnds(_ block: BlockCoder.Block) {
    let isChroma = block.component != 0, log2Size = block.log2Size
    let offset = isChroma ? 15 : 3 &* (log2Size &- 2) &+ (log2Size &- 1) &>> 2
    let shift = isChroma ? log2Size &- 2 : (log2Size &+ 1) &>> 2
    let maximum = 2 &* log2Size &- 1
    for (prices, first) in [(columns, Contexts.lastX), (rows, Contexts.lastY)] {
      var ones = 0
      for group in 0...maximum {
        let context = first &+ offset &+ group &>> shift
        prices[group] =
          ones &+ (group < maximum ? price(context, 0) : 0)
          &+ (group > 3 ? worth &* (group &>> 1 &- 1) : 0)
        if group < maximum { ones = ones &+ price(context, 1) }
      }
    }
  }
}
