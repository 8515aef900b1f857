// swift-multiview · SPDX-License-Identifier: Apache-2.0

// Edges that deblocking may filter. ISO/IEC 23008-2, 8.7.2.3

extension BlockContext {
  /// Marks the left and upper edges of a coding unit.
  package func markCodingUnitEdges(_ x: Int, _ y: Int, _ size: Int) {
    guard v.isDeblocked else { return }
    let mask = (1 &<< v.ctbLog2Size) &- 1
    if x > 0, x & mask != 0 || isFiltered(toCtb: ctbAddress &- 1) {
      markEdge(x, y, size, bits: BlockEdge.leftTransform | BlockEdge.leftPrediction, isVertical: true)
    }
    if y > 0, y & mask != 0 || isFiltered(toCtb: ctbAddress &- v.widthInCtbs) {
      markEdge(x, y, size, bits: BlockEdge.topTransform | BlockEdge.topPrediction, isVertical: false)
    }
  }

  /// Whether the edge to a coding tree block to the left or above is filtered: filterEdgeFlag.
  private func isFiltered(toCtb other: Int) -> Bool {
    if !v.isFilteredAcrossSlices, Int(tables.sliceAddress[other]) != v.sliceAddress { return false }
    return v.isFilteredAcrossTiles || tables.tile[other] == tables.tile[ctbAddress]
  }

  private func markEdge(_ x: Int, _ y: Int, _ size: Int, bits: UInt8, isVertical: Bool) {
    var place = (y &>> 2) &* tables.stride &+ x &>> 2
    let step = isVertical ? tables.stride : 1
    for _ in 0..<(size &>> 2) {
      tables.edges[place] |= bits
      place = place &+ step
    }
  }

  /// Marks an edge between two prediction blocks of the coding unit.
  package func markPredictionEdge(_ x: Int, _ y: Int, _ size: Int, isVertical: Bool) {
    guard v.isDeblocked, (isVertical ? x : y) & 7 == 0 else { return }
    markEdge(
      x, y, size, bits: isVertical ? BlockEdge.leftPrediction : BlockEdge.topPrediction,
      isVertical: isVertical)
  }

  /// Marks the left and upper edges of a transform block inside the coding unit.
  package func markTransformEdges(_ x: Int, _ y: Int, _ size: Int) {
    guard v.isDeblocked else { return }
    if x > cuX, x & 7 == 0 { markEdge(x, y, size, bits: BlockEdge.leftTransform, isVertical: true) }
    if y > cuY, y & 7 == 0 { markEdge(x, y, size, bits: BlockEdge.topTransform, isVertical: false) }
  }
}
