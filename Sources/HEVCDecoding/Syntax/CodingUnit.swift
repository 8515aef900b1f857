// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCCoding

// Coding quadtree and coding unit. ISO/IEC 23008-2, 7.3.8.4 and 7.3.8.5

extension SliceDecoder {
  /// coding_quadtree(). 7.3.8.4
  mutating func codingQuadtree(_ x: Int, _ y: Int, _ log2Size: Int, _ depth: Int) {
    let size = 1 &<< log2Size
    let isSplit: Bool
    if x &+ size <= blocks.v.width, y &+ size <= blocks.v.height, log2Size > blocks.v.minCbLog2Size {
      isSplit = splitCodingUnitFlag(x, y, depth)
    } else {
      isSplit = log2Size > blocks.v.minCbLog2Size
    }
    if log2Size >= blocks.v.qpGroupLog2Size { beginQpGroup(x, y) }
    if blocks.v.isChromaQpOffsetEnabled, log2Size >= blocks.v.chromaQpGroupLog2Size {
      isChromaQpOffsetCoded = false
    }
    guard isSplit else { return codingUnit(x, y, log2Size, depth) }
    let half = size &>> 1
    let right = x &+ half, lower = y &+ half
    codingQuadtree(x, y, log2Size &- 1, depth &+ 1)
    if right < blocks.v.width { codingQuadtree(right, y, log2Size &- 1, depth &+ 1) }
    if lower < blocks.v.height { codingQuadtree(x, lower, log2Size &- 1, depth &+ 1) }
    if right < blocks.v.width, lower < blocks.v.height {
      codingQuadtree(right, lower, log2Size &- 1, depth &+ 1)
    }
  }

  private mutating func splitCodingUnitFlag(_ x: Int, _ y: Int, _ depth: Int) -> Bool {
    var context = Contexts.splitCodingUnit
    if blocks.isAvailable(fromX: x, fromY: y, x &- 1, y),
      Int((blocks.info(x &- 1, y) &>> BlockInfo.depthShift) & 3) > depth
    {
      context = context &+ 1
    }
    if blocks.isAvailable(fromX: x, fromY: y, x, y &- 1),
      Int((blocks.info(x, y &- 1) &>> BlockInfo.depthShift) & 3) > depth
    {
      context = context &+ 1
    }
    return cabac.flag(context)
  }

  /// coding_unit(). 7.3.8.5
  private mutating func codingUnit(_ x: Int, _ y: Int, _ log2Size: Int, _ depth: Int) {
    let size = 1 &<< log2Size
    blocks.cuX = x
    blocks.cuY = y
    blocks.cuLog2Size = log2Size
    cuDepth = depth
    blocks.isCuIntra = true
    isIntraSplit = false
    blocks.partMode = .whole
    blocks.isCuBypass = blocks.v.isBypassEnabled && cabac.flag(Contexts.transquantBypass)
    blocks.updateQp()
    blocks.markCodingUnitEdges(x, y, size)
    var isSkipped = false
    if !blocks.v.isIntra { isSkipped = skipFlag(x, y) }
    var info = UInt8(truncatingIfNeeded: depth) &<< BlockInfo.depthShift | BlockInfo.decoded
    if blocks.isCuBypass {
      info |= BlockInfo.unfiltered
      blocks.tables.filterFlags[blocks.ctbAddress] |= 2
    }
    if isSkipped {
      blocks.isCuIntra = false
      blocks.setInfo(info | BlockInfo.skip)
      predictionUnit(x, y, size, size, part: 0, isSkipped: true)
    } else {
      if !blocks.v.isIntra { blocks.isCuIntra = cabac.flag(Contexts.predictionMode) }
      if !blocks.isCuIntra || log2Size == blocks.v.minCbLog2Size { blocks.partMode = readPartMode(log2Size) }
      if blocks.isCuIntra { info |= BlockInfo.intra }
      if blocks.isCuIntra, blocks.partMode.isWhole, blocks.v.hasPCM, log2Size >= blocks.v.pcmMinLog2Size,
        log2Size <= blocks.v.pcmMaxLog2Size,
        cabac.terminate()
      {
        if blocks.v.isPCMUnfiltered {
          info |= BlockInfo.unfiltered
          blocks.tables.filterFlags[blocks.ctbAddress] |= 2
        }
        blocks.setInfo(info)
        blocks.setIntraMode(x, y, size, mode: 1)
        pcmSamples(x, y, log2Size)
      } else {
        blocks.setInfo(info)
        var hasResidual = true
        if blocks.isCuIntra {
          if case .quarters = blocks.partMode { isIntraSplit = true }
          intraModes(x, y, size)
        } else {
          let isMerged = predictionUnits(x, y, size)
          if !(blocks.partMode.isWhole && isMerged) { hasResidual = cabac.flag(Contexts.rootCodedBlock) }
        }
        if hasResidual {
          maxTransformDepth =
            blocks.isCuIntra ? blocks.v.maxDepthIntra &+ (isIntraSplit ? 1 : 0) : blocks.v.maxDepthInter
          transformTree(x, y, x, y, log2Size, depth: 0, index: 0, part: 0, parentCb: 3, parentCr: 3)
        }
      }
    }
    blocks.tables.qp.fill(
      x: x &>> 2, y: y &>> 2, width: size &>> 2, height: size &>> 2, stride: blocks.tables.stride,
      with: Int8(truncatingIfNeeded: blocks.cuQp))
    blocks.lastQp = blocks.cuQp
  }

  private mutating func skipFlag(_ x: Int, _ y: Int) -> Bool {
    var context = Contexts.skip
    if blocks.isAvailable(fromX: x, fromY: y, x &- 1, y), blocks.info(x &- 1, y) & BlockInfo.skip != 0 {
      context = context &+ 1
    }
    if blocks.isAvailable(fromX: x, fromY: y, x, y &- 1), blocks.info(x, y &- 1) & BlockInfo.skip != 0 {
      context = context &+ 1
    }
    return cabac.flag(context)
  }

  /// part_mode. 9.3.3.7
  private mutating func readPartMode(_ log2Size: Int) -> PartMode {
    let context = Contexts.partMode
    if cabac.flag(context) { return .whole }
    if blocks.isCuIntra { return .quarters }
    if log2Size == blocks.v.minCbLog2Size {
      if cabac.flag(context &+ 1) { return .halvesOneAbove }
      if log2Size == 3 { return .halvesSideBySide }
      return cabac.flag(context &+ 2) ? .halvesSideBySide : .quarters
    }
    let isHorizontal = cabac.flag(context &+ 1)
    guard blocks.v.isAmpEnabled, !cabac.flag(context &+ 3) else {
      return isHorizontal ? .halvesOneAbove : .halvesSideBySide
    }
    let isSecond = cabac.bypassBin() != 0
    return isHorizontal ? isSecond ? .lowerQuarter : .upperQuarter : isSecond ? .rightQuarter : .leftQuarter
  }

  /// Decodes all prediction units of an inter coding unit; returns whether the last one is merged.
  private mutating func predictionUnits(_ x: Int, _ y: Int, _ size: Int) -> Bool {
    let half = size &>> 1, quarter = size &>> 2
    switch blocks.partMode {
    case .whole: return predictionUnit(x, y, size, size, part: 0, isSkipped: false)
    case .halvesOneAbove: return stacked(x, y, size, half)
    case .upperQuarter: return stacked(x, y, size, quarter)
    case .lowerQuarter: return stacked(x, y, size, size &- quarter)
    case .halvesSideBySide: return sideBySide(x, y, size, half)
    case .leftQuarter: return sideBySide(x, y, size, quarter)
    case .rightQuarter: return sideBySide(x, y, size, size &- quarter)
    case .quarters:
      blocks.markPredictionEdge(x &+ half, y, size, isVertical: true)
      blocks.markPredictionEdge(x, y &+ half, size, isVertical: false)
      predictionUnit(x, y, half, half, part: 0, isSkipped: false)
      predictionUnit(x &+ half, y, half, half, part: 1, isSkipped: false)
      predictionUnit(x, y &+ half, half, half, part: 2, isSkipped: false)
      return predictionUnit(x &+ half, y &+ half, half, half, part: 3, isSkipped: false)
    }
  }

  private mutating func stacked(_ x: Int, _ y: Int, _ size: Int, _ first: Int) -> Bool {
    blocks.markPredictionEdge(x, y &+ first, size, isVertical: false)
    predictionUnit(x, y, size, first, part: 0, isSkipped: false)
    return predictionUnit(x, y &+ first, size, size &- first, part: 1, isSkipped: false)
  }

  private mutating func sideBySide(_ x: Int, _ y: Int, _ size: Int, _ first: Int) -> Bool {
    blocks.markPredictionEdge(x &+ first, y, size, isVertical: true)
    predictionUnit(x, y, first, size, part: 0, isSkipped: false)
    return predictionUnit(x &+ first, y, size &- first, size, part: 1, isSkipped: false)
  }

  /// pcm_sample(). 7.3.8.7
  private mutating func pcmSamples(_ x: Int, _ y: Int, _ log2Size: Int) {
    var bit = cabac.nextPosition &* 8
    for component in 0..<(blocks.v.chromaArrayType == 0 ? 1 : 3) {
      let shiftX = component == 0 ? 0 : blocks.v.chromaShiftX,
        shiftY = component == 0 ? 0 : blocks.v.chromaShiftY
      let depth = component == 0 ? blocks.v.pcmDepthLuma : blocks.v.pcmDepthChroma
      let shift = (component == 0 ? blocks.v.bitDepthLuma : blocks.v.bitDepthChroma) &- depth
      let plane = blocks.planes[component]
      for row in 0..<((1 &<< log2Size) &>> shiftY) {
        for column in 0..<((1 &<< log2Size) &>> shiftX) {
          plane[x &>> shiftX &+ column, y &>> shiftY &+ row] = cabac.plainBits(depth, at: &bit) &<< shift
        }
      }
    }
    cabac.start(at: (bit &+ 7) &>> 3)
  }

  /// Begins a quantisation group: all its coding units share its prediction. 8.6.1
  private mutating func beginQpGroup(_ x: Int, _ y: Int) {
    isQpDeltaCoded = false
    blocks.beginQpGroup(x, y)
  }
}

extension PartMode {
  /// Whether a coding unit is one prediction block. A pattern, because outside of its module, the operator would be a call
  /// through a table of witnesses.
  @inline(__always)
  var isWhole: Bool { if case .whole = self { true } else { false } }
}
