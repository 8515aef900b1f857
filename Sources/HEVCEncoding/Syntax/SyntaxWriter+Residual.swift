// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCCoding

// Levels of a transform block. ISO/IEC 23008-2, 7.3.8.11

extension Contexts {
  /// The first context of `sig_coeff_flag` in a sub-block, to which that of the position is added. 9.3.4.2.5
  @inline(__always)
  static func significant(log2Size: Int, isChroma: Bool, isFirst: Bool, scan: Int) -> Int {
    let base = significant &+ (isChroma ? 27 : 0)
    guard log2Size > 2 else { return base }
    if isChroma { return base &+ (log2Size == 3 ? 9 : 12) }
    return base &+ (isFirst ? 0 : 3) &+ (log2Size == 3 ? scan == 0 ? 9 : 15 : 21)
  }
}

extension SyntaxWriter {
  /// residual_coding() of a block that has at least one level.
  ///
  /// With sign data hiding, the levels must already be such that the parity of each sub-block agrees with its hidden sign.
  mutating func residual(
    _ levels: Memory<Int16>, at start: Int, log2Size: Int, component: Int, scan: Int
  ) {
    let isChroma = component != 0
    if v.isTransformSkip, log2Size <= v.maxTransformSkipLog2Size {
      sink.flag(false, Contexts.transformSkip &+ (isChroma ? 1 : 0))
    }
    let subBlocks = scans.subBlocks(log2Size: log2Size, scan: scan)
    let positions = scans.positions(scan: scan)
    var block = SubBlock()

    // The last sub-block with levels.
    var lastSubBlock = 1 &<< (2 &* (log2Size &- 2)) &- 1
    while lastSubBlock > 0 {
      block = load(levels, start, log2Size, Int(subBlocks[lastSubBlock]), scan)
      if block.significant != 0 { break }
      lastSubBlock = lastSubBlock &- 1
    }
    if lastSubBlock == 0 { block = load(levels, start, log2Size, 0, scan) }
    guard block.significant != 0 else { return assertionFailure("the block has no levels") }
    let lastPosition = 31 &- block.significant.leadingZeroBitCount
    lastCoefficient(
      Int(subBlocks[lastSubBlock]), Int(positions[lastPosition]), log2Size: log2Size, isChroma: isChroma,
      scan: scan)

    let significantBase = Contexts.significant &+ (isChroma ? 27 : 0)
    var codedSubBlocks: UInt64 = 0
    var previousGreater1 = 1
    var index = lastSubBlock
    while index >= 0 {
      let subBlock = Int(subBlocks[index])
      let subX = subBlock & 15, subY = subBlock &>> 4
      if index < lastSubBlock { block = load(levels, start, log2Size, subBlock, scan) }
      let bit = UInt64(truncatingIfNeeded: subY &* 8 &+ subX)
      // Bit 0: to the right; bit 1: below.
      let right = subX < 7 ? (codedSubBlocks &>> (bit &+ 1)) & 1 : 0
      let below = subY < 7 ? (codedSubBlocks &>> (bit &+ 8)) & 1 : 0
      let isInferable = index < lastSubBlock && index > 0
      if isInferable {
        sink.flag(
          block.significant != 0,
          Contexts.codedSubBlock &+ (right | below != 0 ? 1 : 0) &+ (isChroma ? 2 : 0))
        if block.significant == 0 {
          index = index &- 1
          continue
        }
      }
      codedSubBlocks |= 1 &<< bit

      // sig_coeff_flag. 9.3.4.2.5
      let contextBase = Contexts.significant(
        log2Size: log2Size, isChroma: isChroma, isFirst: index == 0, scan: scan)
      let pattern = log2Size > 2 ? Int(truncatingIfNeeded: right | below &<< 1) : 4
      let contexts = scans.significantContexts(pattern: pattern, scan: scan)
      var position = index == lastSubBlock ? lastPosition &- 1 : 15
      while position > 0 {
        let bin = Int(truncatingIfNeeded: block.significant &>> UInt32(truncatingIfNeeded: position)) & 1
        sink.bin(bin, contextBase &+ Int(contexts[position]))
        position = position &- 1
      }
      if position == 0, !(isInferable && block.significant == 1) {
        let context =
          index == 0 && log2Size > 2 ? significantBase : contextBase &+ Int(contexts[0])
        sink.bin(Int(truncatingIfNeeded: block.significant) & 1, context)
      }
      if block.significant != 0 {
        levelsOfSubBlock(
          levels, block, index, log2Size, positions, isChroma: isChroma, &previousGreater1)
      }
      index = index &- 1
    }
  }

  /// A sub-block of a block.
  struct SubBlock {
    /// Where its first level is.
    var origin = 0
    /// Which of its levels are not 0, by bit, in the order of the scan.
    var significant: UInt32 = 0
  }

  @inline(__always)
  private func load(
    _ levels: Memory<Int16>, _ start: Int, _ log2Size: Int, _ subBlock: Int, _ scan: Int
  ) -> SubBlock {
    let origin = start &+ ((subBlock &>> 4) &<< 2) &<< log2Size &+ (subBlock & 15) &<< 2
    let rows = levels.subBlock(at: origin, stride: 1 &<< log2Size)
    guard !rows.isZero else { return SubBlock(origin: origin, significant: 0) }
    return SubBlock(origin: origin, significant: scans.inScanOrder(rows.used, scan: scan))
  }

  @inline(__always)
  private func level(
    _ levels: Memory<Int16>, _ block: SubBlock, _ place: Int, _ log2Size: Int, _ positions: MaskedBytes
  ) -> Int {
    let position = Int(positions[place])
    return Int(levels[block.origin &+ (position &>> 2) &<< log2Size &+ position & 3])
  }

  /// The position of the last coefficient. 9.3.4.2.3
  private mutating func lastCoefficient(
    _ subBlock: Int, _ position: Int, log2Size: Int, isChroma: Bool, scan: Int
  ) {
    var x = (subBlock & 15) &<< 2 &+ position & 3, y = (subBlock &>> 4) &<< 2 &+ position &>> 2
    if scan == 2 { swap(&x, &y) }
    let offset = isChroma ? 15 : 3 &* (log2Size &- 2) &+ (log2Size &- 1) &>> 2
    let shift = isChroma ? log2Size &- 2 : (log2Size &+ 1) &>> 2
    let maximum = 2 &* log2Size &- 1
    let groupX = Self.group(x), groupY = Self.group(y)
    for place in 0..<groupX { sink.bin(1, Contexts.lastX &+ offset &+ place &>> shift) }
    if groupX < maximum { sink.bin(0, Contexts.lastX &+ offset &+ groupX &>> shift) }
    for place in 0..<groupY { sink.bin(1, Contexts.lastY &+ offset &+ place &>> shift) }
    if groupY < maximum { sink.bin(0, Contexts.lastY &+ offset &+ groupY &>> shift) }
    // Of a group, 2 or 3 halves of a power of two, the lower bits follow.
    if groupX > 3 { sink.bypass(x & (1 &<< (groupX &>> 1 &- 1) &- 1), groupX &>> 1 &- 1) }
    if groupY > 3 { sink.bypass(y & (1 &<< (groupY &>> 1 &- 1) &- 1), groupY &>> 1 &- 1) }
  }

  /// last_sig_coeff_x_prefix of a column: 0, 1, 2, 3, 4 from 4 on, 5 from 6 on, 6 from 8 on, and so on.
  @inline(__always)
  static func group(_ place: Int) -> Int {
    if place < 4 { return place }
    let log2 = Int.bitWidth &- 1 &- place.leadingZeroBitCount
    return 2 &* log2 &+ (place &>> (log2 &- 1)) & 1
  }

  /// The magnitudes and signs of a sub-block that has levels. 9.3.4.2.6, 9.3.4.2.7 and 9.3.3.11
  @inline(__always)
  private mutating func levelsOfSubBlock(
    _ levels: Memory<Int16>, _ block: SubBlock, _ index: Int, _ log2Size: Int, _ positions: MaskedBytes,
    isChroma: Bool, _ previousGreater1: inout Int
  ) {
    let count = block.significant.nonzeroBitCount
    var contextSet = index == 0 || isChroma ? 0 : 2
    if previousGreater1 == 0 { contextSet = contextSet &+ 1 }
    let greater1Base = Contexts.greater1 &+ contextSet &* 4 &+ (isChroma ? 16 : 0)

    // Flags of the first eight levels, and all signs, the first of them in the highest bit.
    var greater1 = 1
    var firstGreater1 = -1, firstMagnitude = 0
    var signs = 0, number = 0
    var remaining = block.significant
    while remaining != 0 {
      let place = 31 &- remaining.leadingZeroBitCount
      remaining ^= 1 &<< UInt32(truncatingIfNeeded: place)
      let level = self.level(levels, block, place, log2Size, positions)
      signs = signs &<< 1 | (level < 0 ? 1 : 0)
      if number < 8 {
        let isGreater = abs(level) > 1
        sink.flag(isGreater, greater1Base &+ greater1)
        if isGreater {
          greater1 = 0
          if firstGreater1 < 0 {
            firstGreater1 = number
            firstMagnitude = abs(level)
          }
        } else if greater1 > 0, greater1 < 3 {
          greater1 = greater1 &+ 1
        }
      }
      number = number &+ 1
    }
    previousGreater1 = greater1
    if firstGreater1 >= 0 {
      sink.flag(firstMagnitude > 2, Contexts.greater2 &+ contextSet &+ (isChroma ? 4 : 0))
    }

    let highest = 31 &- block.significant.leadingZeroBitCount
    let lowest = block.significant.trailingZeroBitCount
    let isHidden = v.isSignHiding && highest &- lowest > 3
    if isHidden { sink.bypassBits(signs &>> 1, count &- 1) } else { sink.bypassBits(signs, count) }

    var rice = 0
    number = 0
    remaining = block.significant
    while remaining != 0 {
      let place = 31 &- remaining.leadingZeroBitCount
      remaining ^= 1 &<< UInt32(truncatingIfNeeded: place)
      let magnitude = abs(level(levels, block, place, log2Size, positions))
      let base = number < 8 ? number == firstGreater1 ? 3 : 2 : 1
      if magnitude >= base {
        levelRemaining(magnitude &- base, rice)
        if magnitude > (3 as Int) &<< rice { rice = min(rice &+ 1, 4) }
      }
      number = number &+ 1
    }
  }

  /// coeff_abs_level_remaining. 9.3.3.11
  @inline(__always)
  private mutating func levelRemaining(_ value: Int, _ rice: Int) {
    let quotient = value &>> rice
    if quotient < 4 {
      sink.bypassUnary(quotient)
      return sink.bypassBits(value & (1 &<< rice &- 1), rice)
    }
    // Escape: the interval doubles with each one of the prefix.
    let rest = value &- (3 as Int) &<< rice &+ 1 &<< rice
    let log2 = Int.bitWidth &- 1 &- rest.leadingZeroBitCount
    sink.bypassUnary(3 &+ log2 &- rice)
    sink.bypassBits(rest & (1 &<< log2 &- 1), log2)
  }
}
