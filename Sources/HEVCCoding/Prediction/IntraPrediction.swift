// swift-multiview · SPDX-License-Identifier: Apache-2.0

// Prediction from samples of the same picture. ISO/IEC 23008-2, 8.4.4.2

extension BlockContext {
  /// Predicts a block; `x` and `y` count samples of the component.
  package mutating func predictIntra(_ x: Int, _ y: Int, _ log2Size: Int, _ component: Int, _ mode: Int) {
    readIntraBorder(x, y, log2Size, component)
    if isIntraBorderFiltered(log2Size, component, mode) { filterIntraBorder(log2Size, component) }
    predictFromBorder(x, y, log2Size, component, mode)
  }

  /// Gathers what all modes of a block need, to try several of them with
  /// ``predictFromBorder(_:_:_:_:_:)``.
  package mutating func prepareIntra(_ x: Int, _ y: Int, _ log2Size: Int, _ component: Int) {
    readIntraBorder(x, y, log2Size, component)
    // Mode 34 is one of those that need it if any does.
    if isIntraBorderFiltered(log2Size, component, 34) { filterIntraBorder(log2Size, component) }
  }

  /// Predicts a block from the samples around it that were gathered last.
  package mutating func predictFromBorder(
    _ x: Int, _ y: Int, _ log2Size: Int, _ component: Int, _ mode: Int
  ) {
    let plane = planes[component]
    let border =
      isIntraBorderFiltered(log2Size, component, mode) ? scratch.filteredBorder : scratch.border
    let isEdgeFiltered = component == 0 && log2Size < 5
    switch mode {
    case 0: IntraKernels.planar(border, to: plane, x: x, y: y, log2Size: log2Size)
    case 1:
      IntraKernels.flat(border, to: plane, x: x, y: y, log2Size: log2Size, isEdgeFiltered: isEdgeFiltered)
    default:
      IntraKernels.angular(
        border, side: scratch.side, to: plane, x: x, y: y, size: 1 &<< log2Size, mode: mode,
        isEdgeFiltered: isEdgeFiltered && !(v.isImplicitRDPCM && isCuBypass))
    }
  }

  private func readIntraBorder(_ x: Int, _ y: Int, _ log2Size: Int, _ component: Int) {
    let shiftX = component == 0 ? 0 : v.chromaShiftX, shiftY = component == 0 ? 0 : v.chromaShiftY
    let size = 1 &<< log2Size
    // Samples belong to blocks of 4x4 luma samples, which are either available as a whole or not at all.
    let unitX = 4 &>> shiftX, unitY = 4 &>> shiftY
    let lumaX = x &<< shiftX, lumaY = y &<< shiftY
    let left = available(
      fromX: lumaX, fromY: lumaY, lumaX &- 1, lumaY, isVertical: true, count: 2 &* size / unitY)
    let top = available(
      fromX: lumaX, fromY: lumaY, lumaX, lumaY &- 1, isVertical: false, count: 2 &* size / unitX)
    let corner = isIntraAvailable(fromX: lumaX, fromY: lumaY, lumaX &- 1, lumaY &- 1)
    IntraKernels.readBorder(
      planes[component], x: x, y: y, size: size, left: left, unitY: unitY, top: top, unitX: unitX,
      hasCorner: corner, into: scratch.border)
  }

  /// Whether a mode predicts from samples that are smoothed. 8.4.4.2.3
  @inline(__always)
  private func isIntraBorderFiltered(_ log2Size: Int, _ component: Int, _ mode: Int) -> Bool {
    guard component == 0 || v.chromaArrayType == 3, !v.isSmoothingDisabled, mode != 1, log2Size > 2 else {
      return false
    }
    return min(abs(mode &- 26), abs(mode &- 10)) > (log2Size == 3 ? 7 : log2Size == 4 ? 1 : 0)
  }

  private func filterIntraBorder(_ log2Size: Int, _ component: Int) {
    let isStrong = v.isStrongSmoothing && component == 0 && log2Size == 5
    IntraKernels.filterBorder(
      scratch.border, size: 1 &<< log2Size, strongBelow: isStrong ? 1 &<< (v.bitDepthLuma &- 5) : 0,
      into: scratch.filteredBorder)
  }

  /// Which of `count` blocks of 4x4 luma samples, downwards or to the right, are available for prediction; the
  /// first in bit 0.
  private func available(
    fromX: Int, fromY: Int, _ x: Int, _ y: Int, isVertical: Bool, count: Int
  ) -> UInt32 {
    var bits: UInt32 = 0
    for index in 0..<count {
      let otherX = isVertical ? x : x &+ 4 &* index, otherY = isVertical ? y &+ 4 &* index : y
      if isIntraAvailable(fromX: fromX, fromY: fromY, otherX, otherY) {
        bits |= 1 &<< UInt32(truncatingIfNeeded: index)
      }
    }
    return bits
  }

  @inline(__always)
  private func isIntraAvailable(fromX: Int, fromY: Int, _ x: Int, _ y: Int) -> Bool {
    guard isAvailable(fromX: fromX, fromY: fromY, x, y) else { return false }
    return !v.isConstrainedIntra || info(x, y) & BlockInfo.intra != 0
  }
}
