// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCCoding

// Transform tree and transform unit. ISO/IEC 23008-2, 7.3.8.8 and 7.3.8.10

extension SliceDecoder {
  /// transform_tree(). Coded block flags of chroma are two bits each: bit 0 for the block, or its upper half in 4:2:2, and bit 1
  /// for the lower half.
  mutating func transformTree(
    _ x: Int, _ y: Int, _ baseX: Int, _ baseY: Int, _ log2Size: Int, depth: Int, index: Int, part: Int,
    parentCb: Int, parentCr: Int
  ) {
    let isSplit: Bool
    if log2Size <= blocks.v.maxTbLog2Size, log2Size > blocks.v.minTbLog2Size, depth < maxTransformDepth,
      !(isIntraSplit && depth == 0)
    {
      isSplit = cabac.flag(Contexts.splitTransform &+ 5 &- log2Size)
    } else {
      let isInterSplit =
        blocks.v.maxDepthInter == 0 && !blocks.isCuIntra && !blocks.partMode.isWhole && depth == 0
      isSplit =
        log2Size > blocks.v.maxTbLog2Size
        || (log2Size > blocks.v.minTbLog2Size || isIntraSplit) && depth == 0 && (isIntraSplit || isInterSplit)
    }
    var cb = 0, cr = 0
    if (log2Size > 2 && blocks.v.chromaArrayType != 0) || blocks.v.chromaArrayType == 3 {
      let hasSecond = blocks.v.chromaArrayType == 2 && (!isSplit || log2Size == 3)
      if parentCb != 0 { cb = chromaFlags(depth, hasSecond) }
      if parentCr != 0 { cr = chromaFlags(depth, hasSecond) }
    } else if log2Size == 2, blocks.v.chromaArrayType != 0, depth > 0 {
      cb = parentCb
      cr = parentCr
    }
    guard isSplit else {
      var isCoded = true
      if blocks.isCuIntra || depth != 0 || cb != 0 || cr != 0 {
        isCoded = cabac.flag(Contexts.codedLuma &+ (depth == 0 ? 1 : 0))
      }
      return transformUnit(x, y, baseX, baseY, log2Size, index, part, isCoded, cb, cr)
    }
    let half = 1 &<< (log2Size &- 1)
    for child in 0..<4 {
      transformTree(
        x &+ (child & 1) &* half, y &+ (child &>> 1) &* half, x, y, log2Size &- 1, depth: depth &+ 1,
        index: child, part: depth == 0 && isIntraSplit ? child : part, parentCb: cb, parentCr: cr)
    }
  }

  /// cbf_cb or cbf_cr, with the second flag for 4:2:2.
  private mutating func chromaFlags(_ depth: Int, _ hasSecond: Bool) -> Int {
    let first = cabac.bin(Contexts.codedChroma &+ min(4, depth))
    return hasSecond ? first | cabac.bin(Contexts.codedChroma &+ min(4, depth)) &<< 1 : first
  }

  /// transform_unit(), with the intra prediction of its blocks.
  private mutating func transformUnit(
    _ x: Int, _ y: Int, _ baseX: Int, _ baseY: Int, _ log2Size: Int, _ index: Int, _ part: Int,
    _ isCoded: Bool,
    _ cb: Int, _ cr: Int
  ) {
    blocks.markTransformEdges(x, y, 1 &<< log2Size)
    let isChroma = cb != 0 || cr != 0
    if isCoded || isChroma { readQpChanges(isChroma) }
    blocks.hasLumaResidual = false
    let lumaMode = value(of: lumaModes, part)
    if blocks.isCuIntra { blocks.predictIntra(x, y, log2Size, 0, lumaMode) }
    if isCoded {
      let size = 1 &<< (log2Size &- 2)
      var place = (y &>> 2) &* blocks.tables.stride &+ x &>> 2
      for _ in 0..<size {
        for column in place..<(place &+ size) { blocks.tables.info[column] |= BlockInfo.coded }
        place = place &+ blocks.tables.stride
      }
      residual(x, y, log2Size, 0, lumaMode, scale: 0, isCoded: true)
    }
    guard blocks.v.chromaArrayType != 0 else { return }
    if log2Size > 2 || blocks.v.chromaArrayType == 3 {
      let chromaLog2 = blocks.v.chromaArrayType == 3 ? log2Size : log2Size &- 1
      let isCrossed =
        blocks.v.isCrossComponent && isCoded && (!blocks.isCuIntra || value(of: isChromaDerived, part))
      chroma(x, y, chromaLog2, 1, cb, part, isCrossed: isCrossed)
      chroma(x, y, chromaLog2, 2, cr, part, isCrossed: isCrossed)
    } else if index == 3 {
      chroma(baseX, baseY, 2, 1, cb, 0, isCrossed: false)
      chroma(baseX, baseY, 2, 2, cr, 0, isCrossed: false)
    }
  }

  /// The one or two blocks of a chroma component; `x` and `y` count luma samples.
  private mutating func chroma(
    _ x: Int, _ y: Int, _ log2Size: Int, _ component: Int, _ flags: Int, _ part: Int, isCrossed: Bool
  ) {
    let mode = value(of: chromaModes, part)
    let scale = isCrossed ? crossComponentScale(component) : 0
    let blockX = x &>> blocks.v.chromaShiftX
    var blockY = y &>> blocks.v.chromaShiftY
    for half in 0..<(blocks.v.chromaArrayType == 2 ? 2 : 1) {
      if blocks.isCuIntra { blocks.predictIntra(blockX, blockY, log2Size, component, mode) }
      let isCoded = (flags &>> half) & 1 != 0
      if isCoded || scale != 0 {
        residual(blockX, blockY, log2Size, component, mode, scale: scale, isCoded: isCoded)
      }
      blockY = blockY &+ 1 &<< log2Size
    }
  }

  /// Reads the coefficients of a block if it is coded, and adds its residual to the samples. `x` and `y` count
  /// samples of the component; `scale` is ResScaleVal.
  private mutating func residual(
    _ x: Int, _ y: Int, _ log2Size: Int, _ component: Int, _ mode: Int, scale: Int, isCoded: Bool
  ) {
    let block = isCoded ? residualCoding(log2Size, component, mode) : nil
    blocks.reconstruct(block, x, y, log2Size, component, scale: scale)
  }

  /// cross_comp_pred(): ResScaleVal. 7.3.8.12
  private mutating func crossComponentScale(_ component: Int) -> Int {
    var value = 0
    while value < 4, cabac.flag(Contexts.resScale &+ 4 &* (component &- 1) &+ value) { value = value &+ 1 }
    guard value != 0 else { return 0 }
    let isNegative = cabac.flag(Contexts.resScaleSign &+ component &- 1)
    return isNegative ? 0 &- (1 &<< (value &- 1)) : 1 &<< (value &- 1)
  }

  /// cu_qp_delta_abs and what belongs to it; cu_chroma_qp_offset_flag and index. 7.3.8.10 and 7.3.8.14
  private mutating func readQpChanges(_ isChroma: Bool) {
    if blocks.v.isQpDeltaEnabled, !isQpDeltaCoded {
      isQpDeltaCoded = true
      var delta = 0
      while delta < 5, cabac.flag(Contexts.qpDelta &+ (delta == 0 ? 0 : 1)) { delta = delta &+ 1 }
      if delta == 5 { delta = delta &+ expGolomb(0) }
      if delta != 0, cabac.bypassBin() != 0 { delta = 0 &- delta }
      let half = 3 &* (blocks.v.bitDepthLuma &- 8)
      if delta < -26 &- half || delta > 25 &+ half {
        damage = damage ?? "CuQpDeltaVal is out of range"
        delta = 0
      }
      blocks.qpDelta = delta
      blocks.updateQp()
    }
    if blocks.v.isChromaQpOffsetEnabled, isChroma, !blocks.isCuBypass, !isChromaQpOffsetCoded {
      isChromaQpOffsetCoded = true
      blocks.cuCbOffset = 0
      blocks.cuCrOffset = 0
      guard cabac.flag(Contexts.chromaQpOffsetFlag) else { return }
      var index = 0
      while index < blocks.references.chromaOffsetCount &- 1, cabac.flag(Contexts.chromaQpOffsetIndex) {
        index = index &+ 1
      }
      blocks.cuCbOffset = Int(blocks.references.chromaOffsets[2 &* index])
      blocks.cuCrOffset = Int(blocks.references.chromaOffsets[2 &* index &+ 1])
    }
  }

  /// A k-th order Exp-Golomb code of bypass bins. 9.3.3.5
  mutating func expGolomb(_ order: Int) -> Int {
    var order = order, result = 0
    while cabac.bypassBin() != 0 {
      result = result &+ 1 &<< order
      order = order &+ 1
      if order > 31 {
        damage = damage ?? "an Exp-Golomb code is too long"
        return 0
      }
    }
    return result &+ cabac.bypassBits(order)
  }
}

/// One of four values.
@inline(__always)
func value<T>(of four: (T, T, T, T), _ index: Int) -> T {
  switch index {
  case 0: four.0
  case 1: four.1
  case 2: four.2
  default: four.3
  }
}
