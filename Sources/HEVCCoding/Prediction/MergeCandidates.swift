// swift-multiview · SPDX-License-Identifier: Apache-2.0

// Merge mode. ISO/IEC 23008-2, 8.5.3.2.2 to 8.5.3.2.5

/// Up to five candidates, in order.
struct MergeList {
  private var candidates = (Motion(), Motion(), Motion(), Motion(), Motion())
  private(set) var count = 0

  @inline(__always)
  mutating func append(_ motion: Motion) {
    switch count {
    case 0: candidates.0 = motion
    case 1: candidates.1 = motion
    case 2: candidates.2 = motion
    case 3: candidates.3 = motion
    case 4: candidates.4 = motion
    default: return
    }
    count = count &+ 1
  }

  subscript(index: Int) -> Motion {
    switch index {
    case 0: candidates.0
    case 1: candidates.1
    case 2: candidates.2
    case 3: candidates.3
    default: candidates.4
    }
  }
}

extension BlockContext {
  /// The motion of a merged block: candidate `index`.
  package func mergedMotion(_ unit: PredictionBlock, _ index: Int) -> Motion {
    var block = unit
    var mode = partMode
    if v.parallelMergeLog2 > 2, cuLog2Size == 3 {
      // singleMCLFlag: all parts of a small coding unit share the candidates of the whole unit.
      block = PredictionBlock(x: cuX, y: cuY, width: 8, height: 8, part: 0)
      mode = .whole
    }
    var motion = candidate(block, mode, index)
    if motion.uses0, motion.uses1, unit.width &+ unit.height == 12 {
      motion.index1 = -1
      motion.vector1 = MotionVector()
    }
    return motion
  }

  private func candidate(_ block: PredictionBlock, _ mode: PartMode, _ index: Int) -> Motion {
    var list = MergeList()
    let maximum = v.maxMergeCandidates
    addSpatial(&list, block, mode)
    // Fewer candidates may be allowed than the neighbours provide.
    if list.count > index { return list[index] }
    if list.count < maximum, v.isTemporalMotion {
      var motion = Motion()
      if let vector = temporalVector(block, list: 0, index: 0) {
        motion.index0 = 0
        motion.vector0 = vector
      }
      if v.isB, let vector = temporalVector(block, list: 1, index: 0) {
        motion.index1 = 0
        motion.vector1 = vector
      }
      if motion.uses0 || motion.uses1 { list.append(motion) }
      if list.count > index { return list[index] }
    }
    if v.isB, list.count > 1, list.count < maximum {
      addCombined(&list, maximum)
      if list.count > index { return list[index] }
    }
    // Zero candidates. 8.5.3.2.5
    let zero = index &- list.count
    let references = v.isB ? min(v.count0, v.count1) : v.count0
    let place = Int8(truncatingIfNeeded: zero < references ? zero : 0)
    var motion = Motion()
    motion.index0 = place
    if v.isB { motion.index1 = place }
    return motion
  }

  /// The motion of a neighbour if it has any and may be used. 6.4.2 and 8.5.3.2.3
  @inline(__always)
  private func mergeNeighbour(_ block: PredictionBlock, _ x: Int, _ y: Int) -> Motion? {
    let level = v.parallelMergeLog2
    if block.x &>> level == x &>> level, block.y &>> level == y &>> level { return nil }
    return neighbour(block, x, y)
  }

  /// The motion of a neighbour if it is available and has any. 6.4.2
  @inline(__always)
  func neighbour(_ block: PredictionBlock, _ x: Int, _ y: Int) -> Motion? {
    let size = 1 &<< cuLog2Size
    if x >= cuX, y >= cuY, x < cuX &+ size, y < cuY &+ size {
      // The second of four quarters cannot use the third, which is decoded later.
      if block.width &<< 1 == size, block.height &<< 1 == size, block.part == 1, cuY &+ block.height <= y,
        cuX &+ block.width > x
      {
        return nil
      }
    } else if !isAvailable(fromX: block.x, fromY: block.y, x, y) {
      return nil
    }
    guard info(x, y) & BlockInfo.intra == 0 else { return nil }
    let motion = tables.motion[(y &>> 2) &* tables.stride &+ x &>> 2]
    return motion.uses0 || motion.uses1 ? motion : nil
  }

  /// Adds the spatial candidates. 8.5.3.2.3
  private func addSpatial(_ list: inout MergeList, _ block: PredictionBlock, _ mode: PartMode) {
    let left = block.x &- 1, above = block.y &- 1
    let right = block.x &+ block.width, below = block.y &+ block.height
    let isSecond = block.part == 1
    let a1 = isSecond && mode.isVertical ? nil : mergeNeighbour(block, left, below &- 1)
    if let a1 { list.append(a1) }
    let b1 = isSecond && mode.isHorizontal ? nil : mergeNeighbour(block, right &- 1, above)
    if let b1, !isSame(b1, a1) { list.append(b1) }
    if let b0 = mergeNeighbour(block, right, above), !isSame(b0, b1) { list.append(b0) }
    if let a0 = mergeNeighbour(block, left, below), !isSame(a0, a1) { list.append(a0) }
    if list.count < 4, let b2 = mergeNeighbour(block, left, above), !isSame(b2, a1), !isSame(b2, b1) {
      list.append(b2)
    }
  }

  @inline(__always)
  private func isSame(_ motion: Motion, _ other: Motion?) -> Bool {
    guard let other else { return false }
    return motion.isSame(as: other)
  }

  /// Adds the combined bi-predictive candidates. 8.5.3.2.4
  private func addCombined(_ list: inout MergeList, _ maximum: Int) {
    let count = list.count
    // l0Cand and l1Cand by combIdx, four bits each. Table 8-7
    let firsts = 0x3231_3021_2010 as UInt64, seconds = 0x2313_0312_0201 as UInt64
    for index in 0..<(count &* (count &- 1)) {
      let shift = UInt64(truncatingIfNeeded: 4 &* index)
      let first = list[Int(truncatingIfNeeded: (firsts &>> shift) & 15)]
      let second = list[Int(truncatingIfNeeded: (seconds &>> shift) & 15)]
      if first.uses0, second.uses1,
        first.vector0 != second.vector1
          || references.orderCount[Int(first.index0)] != references.orderCount[16 &+ Int(second.index1)]
      {
        var motion = first
        motion.index1 = second.index1
        motion.vector1 = second.vector1
        list.append(motion)
        if list.count == maximum { return }
      }
    }
  }
}
