// swift-multiview · SPDX-License-Identifier: Apache-2.0

// Deblocking. ISO/IEC 23008-2, 8.7.2

extension LoopFilters {
  /// Filters the edges of a row of coding tree blocks: all vertical ones, then all horizontal ones. Filtering the
  /// upper border changes samples of the row above, whose vertical edges must be done.
  package func deblock(_ picture: PictureBuffer, row: Int) {
    let firstRow = row << (geometry.ctbLog2Size - 2)
    let lastRow = min(tables.rows, firstRow + 1 << (geometry.ctbLog2Size - 2))
    deblock(picture, rows: firstRow..<max(firstRow, lastRow), isVertical: true)
    deblock(picture, rows: firstRow..<max(firstRow, lastRow), isVertical: false)
  }

  /// `rows` counts blocks of 4x4 luma samples.
  private func deblock(_ picture: PictureBuffer, rows: Range<Int>, isVertical: Bool) {
    let bits =
      isVertical
      ? BlockEdge.leftTransform | BlockEdge.leftPrediction : BlockEdge.topTransform | BlockEdge.topPrediction
    let transformBit = isVertical ? BlockEdge.leftTransform : BlockEdge.topTransform
    let luma = picture.planes[0]
    let hasChroma = geometry.chromaArrayType != 0
    let cb = picture.planes[hasChroma ? 1 : 0], cr = picture.planes[hasChroma ? 2 : 0]
    let step = isVertical ? 1 : tables.stride
    // Only edges on a grid of eight chroma samples are filtered for chroma.
    let chromaMask = 8 << (isVertical ? geometry.chromaShiftX : geometry.chromaShiftY) - 1
    // Most blocks have no edges: eight of them are looked at together. Vertical edges are on a grid of eight samples.
    let found = UInt64(bits) &* (isVertical ? 0x0001_0001_0001_0001 : 0x0101_0101_0101_0101)
    for y in rows where isVertical || y & 1 == 0 {
      let start = y &* tables.stride
      var x = 0
      while x < tables.stride {
        let edges = tables.edges.word(at: start &+ x) & found
        if edges == 0 {
          x = x &+ 8
          continue
        }
        x = x &+ edges.trailingZeroBitCount &>> 3
        if x >= tables.stride { break }
        defer { x = x &+ 1 &+ (isVertical ? 1 : 0) }
        let place = start &+ x
        let edge = tables.edges[place] & bits
        let other = place &- step
        let strength = boundaryStrength(place, other, isTransform: edge & transformBit != 0)
        if strength == 0 { continue }
        let ctb =
          ((y &<< 2) &>> geometry.ctbLog2Size) &* geometry.widthInCtbs &+ (x &<< 2) &>> geometry.ctbLog2Size
        let averageQp = (Int(tables.qp[place]) &+ Int(tables.qp[other]) &+ 1) &>> 1
        let tcOffset = Int(tables.tcOffset[ctb])
        let keepsP = tables.info[other] & BlockInfo.unfiltered != 0
        let keepsQ = tables.info[place] & BlockInfo.unfiltered != 0
        let beta =
          DeblockingTables.beta(averageQp &+ Int(tables.betaOffset[ctb])) &<< (geometry.bitDepthLuma &- 8)
        let tc =
          DeblockingTables.tc(averageQp &+ 2 &* (strength &- 1) &+ tcOffset) &<< (geometry.bitDepthLuma &- 8)
        DeblockingKernels.luma(
          luma, x: x &<< 2, y: y &<< 2, isVertical: isVertical, beta: beta, tc: tc, keepsP: keepsP,
          keepsQ: keepsQ)
        guard hasChroma, strength == 2, (isVertical ? x &<< 2 : y &<< 2) & chromaMask == 0 else { continue }
        let chromaX = (x &<< 2) &>> geometry.chromaShiftX, chromaY = (y &<< 2) &>> geometry.chromaShiftY
        let count = 4 &>> (isVertical ? geometry.chromaShiftY : geometry.chromaShiftX)
        DeblockingKernels.chroma(
          cb, x: chromaX, y: chromaY, isVertical: isVertical, count: count,
          tc: chromaTc(averageQp, geometry.cbOffset, tcOffset), keepsP: keepsP, keepsQ: keepsQ)
        DeblockingKernels.chroma(
          cr, x: chromaX, y: chromaY, isVertical: isVertical, count: count,
          tc: chromaTc(averageQp, geometry.crOffset, tcOffset), keepsP: keepsP, keepsQ: keepsQ)
      }
    }
  }

  /// tC′ of a chroma edge. 8.7.2.5.5
  private func chromaTc(_ averageQp: Int, _ offset: Int, _ tcOffset: Int) -> Int {
    let qp = BlockContext.chromaQp(averageQp &+ offset, geometry.chromaArrayType)
    return DeblockingTables.tc(qp &+ 2 &+ tcOffset) &<< (geometry.bitDepthChroma &- 8)
  }

  /// bS of an edge between two blocks of 4x4. 8.7.2.4
  @inline(__always)
  private func boundaryStrength(_ place: Int, _ other: Int, isTransform: Bool) -> Int {
    let info = tables.info[place] | tables.info[other]
    if info & BlockInfo.intra != 0 { return 2 }
    if isTransform, info & BlockInfo.coded != 0 { return 1 }
    return differs(tables.motion[place], tables.motion[other]) ? 1 : 0
  }

  /// Whether two blocks are predicted from different pictures, or with vectors that differ by a sample or more.
  private func differs(_ a: Motion, _ b: Motion) -> Bool {
    if a.uses0, a.uses1 {
      guard b.uses0, b.uses1 else { return true }
      let isSame = a.slot0 == b.slot0 && a.slot1 == b.slot1
      let isCrossed = a.slot0 == b.slot1 && a.slot1 == b.slot0
      let straight = { isFar(a.vector0, b.vector0) || isFar(a.vector1, b.vector1) }
      let crossed = { isFar(a.vector0, b.vector1) || isFar(a.vector1, b.vector0) }
      if isSame, isCrossed { return straight() && crossed() }
      if isSame { return straight() }
      return isCrossed ? crossed() : true
    }
    guard !(b.uses0 && b.uses1) else { return true }
    let slotA = a.uses0 ? a.slot0 : a.slot1, slotB = b.uses0 ? b.slot0 : b.slot1
    if slotA != slotB { return true }
    return isFar(a.uses0 ? a.vector0 : a.vector1, b.uses0 ? b.vector0 : b.vector1)
  }

  @inline(__always)
  private func isFar(_ a: MotionVector, _ b: MotionVector) -> Bool {
    abs(Int(a.x) &- Int(b.x)) >= 4 || abs(Int(a.y) &- Int(b.y)) >= 4
  }
}

/// How strongly edges are filtered, depending on the quantisation parameter. Table 8-12
enum DeblockingTables {
  /// β′
  static func beta(_ qp: Int) -> Int {
    let index = max(0, min(51, qp))
    if index < 16 { return 0 }
    return index <= 28 ? index &- 10 : 2 &* index &- 38
  }

  /// tC′
  static func tc(_ qp: Int) -> Int {
    let index = max(0, min(53, qp))
    if index < 18 { return 0 }
    return Int(small[index &- 18])
  }

  private static let small: [UInt8] = [
    1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6, 6, 7, 8, 9, 10, 11, 13, 14, 16, 18,
    20, 22, 24,
  ]
}
