// swift-multiview · SPDX-License-Identifier: Apache-2.0

// Prediction of motion vectors. ISO/IEC 23008-2, 8.5.3.2.6 to 8.5.3.2.9

extension BlockContext {
  /// mvpLX: the first or the second candidate. 8.5.3.2.6
  package func predictedVector(_ block: PredictionBlock, list: Int, index: Int, isSecond: Bool)
    -> MotionVector
  {
    let left = block.x &- 1, above = block.y &- 1
    let right = block.x &+ block.width, below = block.y &+ block.height

    let a0 = neighbour(block, left, below)
    let a1 = neighbour(block, left, below &- 1)
    var a: MotionVector?
    if let a0 { a = samePicture(a0, list, index) }
    if a == nil, let a1 { a = samePicture(a1, list, index) }
    if a == nil, let a0 { a = scaled(a0, list, index) }
    if a == nil, let a1 { a = scaled(a1, list, index) }

    let b0 = neighbour(block, right, above)
    let b1 = neighbour(block, right &- 1, above)
    let b2 = neighbour(block, left, above)
    var b: MotionVector?
    if let b0 { b = samePicture(b0, list, index) }
    if b == nil, let b1 { b = samePicture(b1, list, index) }
    if b == nil, let b2 { b = samePicture(b2, list, index) }
    if a0 == nil, a1 == nil {
      // isScaledFlagLX is 0: the candidate from above replaces the one from the left.
      if b != nil { a = b }
      b = nil
      if let b0 { b = scaled(b0, list, index) }
      if b == nil, let b1 { b = scaled(b1, list, index) }
      if b == nil, let b2 { b = scaled(b2, list, index) }
    }

    if let a, let b, a != b { return isSecond ? b : a }
    if let first = a ?? b {
      if !isSecond { return first }
      return v.isTemporalMotion
        ? temporalVector(block, list: list, index: index) ?? MotionVector() : MotionVector()
    }
    let temporal = v.isTemporalMotion ? temporalVector(block, list: list, index: index) : nil
    return isSecond ? MotionVector() : temporal ?? MotionVector()
  }

  /// The vector of a neighbour that refers to exactly the same picture. 8.5.3.2.7, steps 3 and 7
  @inline(__always)
  private func samePicture(_ motion: Motion, _ list: Int, _ index: Int) -> MotionVector? {
    let target = references.orderCount[list &* 16 &+ index]
    if list == 0 {
      if motion.uses0, tables.slotOrderCount[Int(motion.slot0)] == target { return motion.vector0 }
      if motion.uses1, tables.slotOrderCount[Int(motion.slot1)] == target { return motion.vector1 }
    } else {
      if motion.uses1, tables.slotOrderCount[Int(motion.slot1)] == target { return motion.vector1 }
      if motion.uses0, tables.slotOrderCount[Int(motion.slot0)] == target { return motion.vector0 }
    }
    return nil
  }

  /// The vector of a neighbour that refers to another picture, scaled by the distances. 8.5.3.2.7
  private func scaled(_ motion: Motion, _ list: Int, _ index: Int) -> MotionVector? {
    let isLongTerm = references.isLongTerm[list &* 16 &+ index]
    let uses = list == 0 ? (motion.uses0, motion.uses1) : (motion.uses1, motion.uses0)
    let slots = list == 0 ? (motion.slot0, motion.slot1) : (motion.slot1, motion.slot0)
    let vectors = list == 0 ? (motion.vector0, motion.vector1) : (motion.vector1, motion.vector0)
    let slot: UInt8, vector: MotionVector
    if uses.0, tables.slotIsLongTerm[Int(slots.0)] == isLongTerm {
      (slot, vector) = (slots.0, vectors.0)
    } else if uses.1, tables.slotIsLongTerm[Int(slots.1)] == isLongTerm {
      (slot, vector) = (slots.1, vectors.1)
    } else {
      return nil
    }
    if isLongTerm { return vector }
    let current = references.currentOrderCount
    return Self.scale(
      vector, from: current &- Int(tables.slotOrderCount[Int(slot)]),
      to: current &- Int(references.orderCount[list &* 16 &+ index]))
  }

  /// A vector over one distance in time, scaled to another. Equations 8-179 to 8-183
  static func scale(_ vector: MotionVector, from distance: Int, to target: Int) -> MotionVector {
    let td = max(-128, min(127, distance)), tb = max(-128, min(127, target))
    guard td != 0 else { return vector }
    let tx = (16384 &+ abs(td) &>> 1) / td
    let factor = max(-4096, min(4095, (tb &* tx &+ 32) &>> 6))
    func scale(_ value: Int16) -> Int16 {
      let product = factor &* Int(value)
      let size = (abs(product) &+ 127) &>> 8
      return Int16(clamping: product < 0 ? 0 &- size : size)
    }
    return MotionVector(x: scale(vector.x), y: scale(vector.y))
  }

  /// mvLXCol: the motion of a block of an earlier picture. 8.5.3.2.8
  package func temporalVector(_ block: PredictionBlock, list: Int, index: Int) -> MotionVector? {
    let x = block.x &+ block.width, y = block.y &+ block.height
    if block.y &>> v.ctbLog2Size == y &>> v.ctbLog2Size, y < v.height, x < v.width,
      let vector = collocatedVector(x, y, list, index)
    {
      return vector
    }
    return collocatedVector(block.x &+ block.width &>> 1, block.y &+ block.height &>> 1, list, index)
  }

  /// The vector of a collocated block. 8.5.3.2.9
  private func collocatedVector(_ x: Int, _ y: Int, _ list: Int, _ index: Int) -> MotionVector? {
    let place = (y &>> 4) &* references.collocatedStride &+ x &>> 4
    guard place < references.collocated.count else { return nil }
    waitForRows(min(v.height, (y | 15) &+ 1), entry: references.collocatedEntry)
    let motion = references.collocated[place]
    guard motion.flags & 3 != 0 else { return nil }
    let takesL1: Bool
    if motion.flags & 1 == 0 {
      takesL1 = true
    } else if motion.flags & 2 == 0 {
      takesL1 = false
    } else {
      takesL1 = references.hasNoBackward ? list == 1 : references.isCollocatedFromL0
    }
    let vector = takesL1 ? motion.vector1 : motion.vector0
    let isLongTerm = motion.flags & (takesL1 ? 8 : 4) != 0
    guard isLongTerm == references.isLongTerm[list &* 16 &+ index] else { return nil }
    if isLongTerm { return vector }
    let distance = references.collocatedOrderCount &- Int(takesL1 ? motion.orderCount1 : motion.orderCount0)
    let target = references.currentOrderCount &- Int(references.orderCount[list &* 16 &+ index])
    return distance == target ? vector : Self.scale(vector, from: distance, to: target)
  }
}
