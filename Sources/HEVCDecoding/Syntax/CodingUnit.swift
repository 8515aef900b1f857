// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCCoding

// Coding quadtree and coding unit. ISO/IEC 23008-2, 7.3.8.4 and 7.3.8.5

extension SliceDecoder {
  /// coding_quadtree(). 7.3.8.4
  mutating func codingQuadtree(_ x: Int, _ y: Int, _ log2Size: Int, _ depth: Int) {
    let size = 1 &<< log2Size
    let isSplit: Bool
    if x &+ size <= v.width, y &+ size <= v.height, log2Size > v.minCbLog2Size {
      isSplit = splitCodingUnitFlag(x, y, depth)
    } else {
      isSplit = log2Size > v.minCbLog2Size
    }
    if log2Size >= v.qpGroupLog2Size { beginQpGroup(x, y) }
    if v.isChromaQpOffsetEnabled, log2Size >= v.chromaQpGroupLog2Size { isChromaQpOffsetCoded = false }
    guard isSplit else { return codingUnit(x, y, log2Size, depth) }
    let half = size &>> 1
    let right = x &+ half, lower = y &+ half
    codingQuadtree(x, y, log2Size &- 1, depth &+ 1)
    if right < v.width { codingQuadtree(right, y, log2Size &- 1, depth &+ 1) }
    if lower < v.height { codingQuadtree(x, lower, log2Size &- 1, depth &+ 1) }
    if right < v.width, lower < v.height { codingQuadtree(right, lower, log2Size &- 1, depth &+ 1) }
  }

  private mutating func splitCodingUnitFlag(_ x: Int, _ y: Int, _ depth: Int) -> Bool {
    var context = Contexts.splitCodingUnit
    if isAvailable(fromX: x, fromY: y, x &- 1, y), Int((info(x &- 1, y) &>> BlockInfo.depthShift) & 3) > depth
    {
      context = context &+ 1
    }
    if isAvailable(fromX: x, fromY: y, x, y &- 1), Int((info(x, y &- 1) &>> BlockInfo.depthShift) & 3) > depth
    {
      context = context &+ 1
    }
    return cabac.flag(context)
  }

  /// coding_unit(). 7.3.8.5
  private mutating func codingUnit(_ x: Int, _ y: Int, _ log2Size: Int, _ depth: Int) {
    let size = 1 &<< log2Size
    cuX = x
    cuY = y
    cuLog2Size = log2Size
    cuDepth = depth
    isCuIntra = true
    isIntraSplit = false
    partMode = .whole
    isCuBypass = v.isBypassEnabled && cabac.flag(Contexts.transquantBypass)
    updateQp()
    markCodingUnitEdges(x, y, size)
    var isSkipped = false
    if !v.isIntra { isSkipped = skipFlag(x, y) }
    var info = UInt8(truncatingIfNeeded: depth) &<< BlockInfo.depthShift | BlockInfo.decoded
    if isCuBypass {
      info |= BlockInfo.unfiltered
      tables.filterFlags[ctbAddress] |= 2
    }
    if isSkipped {
      isCuIntra = false
      setInfo(info | BlockInfo.skip)
      predictionUnit(x, y, size, size, part: 0, isSkipped: true)
    } else {
      if !v.isIntra { isCuIntra = cabac.flag(Contexts.predictionMode) }
      if !isCuIntra || log2Size == v.minCbLog2Size { partMode = readPartMode(log2Size) }
      if isCuIntra { info |= BlockInfo.intra }
      if isCuIntra, partMode == .whole, v.hasPCM, log2Size >= v.pcmMinLog2Size, log2Size <= v.pcmMaxLog2Size,
        cabac.terminate()
      {
        if v.isPCMUnfiltered {
          info |= BlockInfo.unfiltered
          tables.filterFlags[ctbAddress] |= 2
        }
        setInfo(info)
        setIntraMode(x, y, size, mode: 1)
        pcmSamples(x, y, log2Size)
      } else {
        setInfo(info)
        var hasResidual = true
        if isCuIntra {
          isIntraSplit = partMode == .quarters
          intraModes(x, y, size)
        } else {
          let isMerged = predictionUnits(x, y, size)
          if !(partMode == .whole && isMerged) { hasResidual = cabac.flag(Contexts.rootCodedBlock) }
        }
        if hasResidual {
          maxTransformDepth = isCuIntra ? v.maxDepthIntra &+ (isIntraSplit ? 1 : 0) : v.maxDepthInter
          transformTree(x, y, x, y, log2Size, depth: 0, index: 0, part: 0, parentCb: 3, parentCr: 3)
        }
      }
    }
    tables.qp.fill(
      x: x &>> 2, y: y &>> 2, width: size &>> 2, height: size &>> 2, stride: tables.stride,
      with: Int8(truncatingIfNeeded: cuQp))
    lastQp = cuQp
  }

  private func setInfo(_ info: UInt8) {
    let size = 1 &<< (cuLog2Size &- 2)
    tables.info.fill(
      x: cuX &>> 2, y: cuY &>> 2, width: size, height: size, stride: tables.stride, with: info)
  }

  func setIntraMode(_ x: Int, _ y: Int, _ size: Int, mode: Int) {
    tables.intraMode.fill(
      x: x &>> 2, y: y &>> 2, width: size &>> 2, height: size &>> 2, stride: tables.stride,
      with: UInt8(truncatingIfNeeded: mode))
  }

  private mutating func skipFlag(_ x: Int, _ y: Int) -> Bool {
    var context = Contexts.skip
    if isAvailable(fromX: x, fromY: y, x &- 1, y), info(x &- 1, y) & BlockInfo.skip != 0 {
      context = context &+ 1
    }
    if isAvailable(fromX: x, fromY: y, x, y &- 1), info(x, y &- 1) & BlockInfo.skip != 0 {
      context = context &+ 1
    }
    return cabac.flag(context)
  }

  /// part_mode. 9.3.3.7
  private mutating func readPartMode(_ log2Size: Int) -> PartMode {
    let context = Contexts.partMode
    if cabac.flag(context) { return .whole }
    if isCuIntra { return .quarters }
    if log2Size == v.minCbLog2Size {
      if cabac.flag(context &+ 1) { return .halvesOneAbove }
      if log2Size == 3 { return .halvesSideBySide }
      return cabac.flag(context &+ 2) ? .halvesSideBySide : .quarters
    }
    let isHorizontal = cabac.flag(context &+ 1)
    guard v.isAmpEnabled, !cabac.flag(context &+ 3) else {
      return isHorizontal ? .halvesOneAbove : .halvesSideBySide
    }
    let isSecond = cabac.bypassBin() != 0
    return isHorizontal ? isSecond ? .lowerQuarter : .upperQuarter : isSecond ? .rightQuarter : .leftQuarter
  }

  /// Decodes all prediction units of an inter coding unit; returns whether the last one is merged.
  private mutating func predictionUnits(_ x: Int, _ y: Int, _ size: Int) -> Bool {
    let half = size &>> 1, quarter = size &>> 2
    switch partMode {
    case .whole: return predictionUnit(x, y, size, size, part: 0, isSkipped: false)
    case .halvesOneAbove: return stacked(x, y, size, half)
    case .upperQuarter: return stacked(x, y, size, quarter)
    case .lowerQuarter: return stacked(x, y, size, size &- quarter)
    case .halvesSideBySide: return sideBySide(x, y, size, half)
    case .leftQuarter: return sideBySide(x, y, size, quarter)
    case .rightQuarter: return sideBySide(x, y, size, size &- quarter)
    case .quarters:
      markPredictionEdge(x &+ half, y, size, isVertical: true)
      markPredictionEdge(x, y &+ half, size, isVertical: false)
      predictionUnit(x, y, half, half, part: 0, isSkipped: false)
      predictionUnit(x &+ half, y, half, half, part: 1, isSkipped: false)
      predictionUnit(x, y &+ half, half, half, part: 2, isSkipped: false)
      return predictionUnit(x &+ half, y &+ half, half, half, part: 3, isSkipped: false)
    }
  }

  private mutating func stacked(_ x: Int, _ y: Int, _ size: Int, _ first: Int) -> Bool {
    markPredictionEdge(x, y &+ first, size, isVertical: false)
    predictionUnit(x, y, size, first, part: 0, isSkipped: false)
    return predictionUnit(x, y &+ first, size, size &- first, part: 1, isSkipped: false)
  }

  private mutating func sideBySide(_ x: Int, _ y: Int, _ size: Int, _ first: Int) -> Bool {
    markPredictionEdge(x &+ first, y, size, isVertical: true)
    predictionUnit(x, y, first, size, part: 0, isSkipped: false)
    return predictionUnit(x &+ first, y, size &- first, size, part: 1, isSkipped: false)
  }

  /// pcm_sample(). 7.3.8.7
  private mutating func pcmSamples(_ x: Int, _ y: Int, _ log2Size: Int) {
    var bit = cabac.nextPosition &* 8
    for component in 0..<(v.chromaArrayType == 0 ? 1 : 3) {
      let shiftX = component == 0 ? 0 : v.chromaShiftX, shiftY = component == 0 ? 0 : v.chromaShiftY
      let depth = component == 0 ? v.pcmDepthLuma : v.pcmDepthChroma
      let shift = (component == 0 ? v.bitDepthLuma : v.bitDepthChroma) &- depth
      let plane = planes[component]
      for row in 0..<((1 &<< log2Size) &>> shiftY) {
        for column in 0..<((1 &<< log2Size) &>> shiftX) {
          plane[x &>> shiftX &+ column, y &>> shiftY &+ row] = cabac.plainBits(depth, at: &bit) &<< shift
        }
      }
    }
    cabac.start(at: (bit &+ 7) &>> 3)
  }

  // MARK: Edges. 8.7.2.3

  /// Marks the left and upper edges of a coding unit.
  private func markCodingUnitEdges(_ x: Int, _ y: Int, _ size: Int) {
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

  private func markPredictionEdge(_ x: Int, _ y: Int, _ size: Int, isVertical: Bool) {
    guard v.isDeblocked, (isVertical ? x : y) & 7 == 0 else { return }
    markEdge(
      x, y, size, bits: isVertical ? BlockEdge.leftPrediction : BlockEdge.topPrediction,
      isVertical: isVertical)
  }

  /// Marks the left and upper edges of a transform block inside the coding unit.
  func markTransformEdges(_ x: Int, _ y: Int, _ size: Int) {
    guard v.isDeblocked else { return }
    if x > cuX, x & 7 == 0 { markEdge(x, y, size, bits: BlockEdge.leftTransform, isVertical: true) }
    if y > cuY, y & 7 == 0 { markEdge(x, y, size, bits: BlockEdge.topTransform, isVertical: false) }
  }

  // MARK: Quantisation. 8.6.1

  /// Begins a quantisation group: all its coding units share its prediction.
  private mutating func beginQpGroup(_ x: Int, _ y: Int) {
    isQpDeltaCoded = false
    qpDelta = 0
    let mask = (1 &<< v.ctbLog2Size) &- 1
    let left = x & mask != 0 ? Int(tables.qp[(y &>> 2) &* tables.stride &+ (x &- 1) &>> 2]) : lastQp
    let above = y & mask != 0 ? Int(tables.qp[((y &- 1) &>> 2) &* tables.stride &+ x &>> 2]) : lastQp
    predictedQp = (left &+ above &+ 1) &>> 1
  }

  /// QpY. Equation 8-283
  mutating func updateQp() {
    let offset = 6 &* (v.bitDepthLuma &- 8)
    let sum = predictedQp &+ qpDelta &+ 52 &+ 2 &* offset
    cuQp = sum % (52 &+ offset) &- offset
  }
}
