// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import HEVCCoding

extension SliceDecoder {
  /// residual_coding(): the scaled coefficients are left in the scratch memory. 7.3.8.11 and 8.6.4.2
  mutating func residualCoding(
    _ log2Size: Int, _ component: Int, _ mode: Int
  ) -> ResidualBlock {
    let isChroma = component != 0
    var block = ResidualBlock(
      component: component, log2Size: log2Size, isBypassed: blocks.isCuBypass,
      isSine: blocks.isCuIntra && log2Size == 2 && !isChroma,
      isRotated: blocks.v.isRotationEnabled && log2Size == 2 && blocks.isCuIntra)
    if blocks.v.isTransformSkip, !blocks.isCuBypass, log2Size <= blocks.v.maxTransformSkipLog2Size {
      block.isSkipped = self.cabac.flag(Contexts.transformSkip &+ (isChroma ? 1 : 0))
    }
    var isExplicit = false
    if !blocks.isCuIntra, blocks.v.isExplicitRDPCM, block.isSkipped || blocks.isCuBypass {
      isExplicit = self.cabac.flag(Contexts.explicitRDPCM &+ (isChroma ? 1 : 0))
      if isExplicit {
        block.isVerticalRDPCM = self.cabac.flag(Contexts.explicitRDPCMDirection &+ (isChroma ? 1 : 0))
        block.isHorizontalRDPCM = !block.isVerticalRDPCM
      }
    } else if blocks.isCuIntra, blocks.v.isImplicitRDPCM, block.isSkipped || blocks.isCuBypass {
      block.isHorizontalRDPCM = mode == 10
      block.isVerticalRDPCM = mode == 26
    }
    let isHidingAllowed =
      blocks.v.isSignHiding
      && !(blocks.isCuBypass || isExplicit
        || blocks.isCuIntra && blocks.v.isImplicitRDPCM && block.isSkipped && (mode == 10 || mode == 26))

    // scanIdx. 7.4.9.11
    var scan = 0
    if blocks.isCuIntra, log2Size == 2 || log2Size == 3 && (!isChroma || blocks.v.chromaArrayType == 3) {
      if mode >= 6, mode <= 14 { scan = 2 } else if mode >= 22, mode <= 30 { scan = 1 }
    }

    // A copy is kept in registers: each bin would wait until the range that the previous one left in memory is loaded
    // again.
    var cabac = cabac
    defer { self.cabac = cabac }

    // The position of the last coefficient. 9.3.4.2.3
    let offset = isChroma ? 15 : 3 &* (log2Size &- 2) &+ (log2Size &- 1) &>> 2
    let shift = isChroma ? log2Size &- 2 : (log2Size &+ 1) &>> 2
    let maximum = 2 &* log2Size &- 1
    var lastX = 0, lastY = 0
    while lastX < maximum, cabac.inlineBin(Contexts.lastX &+ offset &+ lastX &>> shift) != 0 {
      lastX = lastX &+ 1
    }
    while lastY < maximum, cabac.inlineBin(Contexts.lastY &+ offset &+ lastY &>> shift) != 0 {
      lastY = lastY &+ 1
    }
    if lastX > 3 {
      let bits = lastX &>> 1 &- 1
      lastX = (1 &<< bits) &* (2 &+ lastX & 1) &+ cabac.bypass(bits)
    }
    if lastY > 3 {
      let bits = lastY &>> 1 &- 1
      lastY = (1 &<< bits) &* (2 &+ lastY & 1) &+ cabac.bypass(bits)
    }
    if scan == 2 { swap(&lastX, &lastY) }

    let scans = blocks.scratch.scans
    let subBlocks = scans.subBlocks(log2Size: log2Size, scan: scan)
    let positions = scans.positions(scan: scan)
    let lastSubBlock = scans.subBlockIndex(log2Size: log2Size, scan: scan, x: lastX &>> 2, y: lastY &>> 2)
    let lastPosition = scans.positionIndex(scan: scan, x: lastX & 3, y: lastY & 3)

    // Scaling. 8.6.4.2
    let depth = isChroma ? blocks.v.bitDepthChroma : blocks.v.bitDepthLuma
    let range = blocks.v.isExtendedPrecision ? max(15, depth &+ 6) : 15
    let limit = 1 &<< range
    let qp = blocks.quantisationParameter(component)
    let qpQuotient = qp / 6
    let scaleShift = depth &+ log2Size &+ 10 &- range
    let scaleRound = 1 &<< (scaleShift &- 1)
    let levelScale = Int(
      truncatingIfNeeded: (0x48_4039_332D_28 as UInt64 &>> UInt64(8 &* (qp &- 6 &* qpQuotient))) & 255)
    let scale = levelScale &<< qpQuotient
    let hasFactors = blocks.v.hasScalingLists && !(block.isSkipped && log2Size > 2)
    let factors = ScalingFactors.offset(
      sizeID: log2Size &- 2, matrixID: (blocks.isCuIntra ? 0 : 3) &+ component)

    let isSingleContext = blocks.v.isTransformSkipContext && (block.isSkipped || blocks.isCuBypass)
    let significantBase = Contexts.significant &+ (isChroma ? 27 : 0)
    let riceType: Int = 2 &* (isChroma ? 0 : 1) &+ (block.isSkipped || blocks.isCuBypass ? 1 : 0)
    let size = 1 &<< log2Size
    var codedSubBlocks: UInt64 = 0
    var previousGreater1 = 1

    var index = lastSubBlock
    while index >= 0 {
      let subBlock = Int(subBlocks[index])
      let subX = subBlock & 15, subY = subBlock &>> 4
      let bit = UInt64(truncatingIfNeeded: subY &* 8 &+ subX)
      // Bit 0: to the right; bit 1: below.
      let right = subX < 7 ? (codedSubBlocks &>> (bit &+ 1)) & 1 : 0
      let below = subY < 7 ? (codedSubBlocks &>> (bit &+ 8)) & 1 : 0
      var isInferred = false
      var isCoded = true
      if index < lastSubBlock, index > 0 {
        isCoded =
          cabac.inlineBin(
            Contexts.codedSubBlock &+ (right | below != 0 ? 1 : 0) &+ (isChroma ? 2 : 0)) != 0
        isInferred = true
      }
      guard isCoded else {
        index = index &- 1
        continue
      }
      codedSubBlocks |= 1 &<< bit

      // sig_coeff_flag. 9.3.4.2.5
      var significant: UInt32 = 0
      var position = 15
      if index == lastSubBlock {
        position = lastPosition &- 1
        significant = 1 &<< UInt32(truncatingIfNeeded: lastPosition)
      }
      var contextBase = significantBase
      var pattern = 0
      if isSingleContext {
        contextBase = Contexts.significant &+ (isChroma ? 43 : 42)
        pattern = 5
      } else if log2Size == 2 {
        pattern = 4
      } else {
        pattern = Int(truncatingIfNeeded: right | below &<< 1)
        if isChroma {
          contextBase = contextBase &+ (log2Size == 3 ? 9 : 12)
        } else {
          contextBase =
            contextBase &+ (index > 0 ? 3 : 0) &+ (log2Size == 3 ? scan == 0 ? 9 : 15 : 21)
        }
      }
      let contexts = scans.significantContexts(pattern: pattern, scan: scan)
      while position > 0 {
        let bin = cabac.inlineBin(contextBase &+ Int(contexts[position]))
        significant |= UInt32(truncatingIfNeeded: bin) &<< UInt32(truncatingIfNeeded: position)
        position = position &- 1
      }
      if position == 0 {
        if isInferred, significant == 0 {
          significant = 1
        } else {
          let context =
            index == 0 && !isSingleContext && log2Size > 2
            ? significantBase : contextBase &+ Int(contexts[0])
          significant |= UInt32(truncatingIfNeeded: cabac.inlineBin(context))
        }
      }
      guard significant != 0 else {
        index = index &- 1
        continue
      }

      // coeff_abs_level_greater1_flag and coeff_abs_level_greater2_flag. 9.3.4.2.6 and 9.3.4.2.7
      let count = significant.nonzeroBitCount
      var contextSet = index == 0 || isChroma ? 0 : 2
      if previousGreater1 == 0 { contextSet = contextSet &+ 1 }
      var greater1 = 1
      var greater1Flags = 0
      var firstGreater1 = -1
      var hasEscape = count > 8
      let flagged = min(8, count)
      let greater1Base = Contexts.greater1 &+ contextSet &* 4 &+ (isChroma ? 16 : 0)
      for number in 0..<flagged {
        if cabac.inlineBin(greater1Base &+ greater1) != 0 {
          greater1 = 0
          greater1Flags |= 1 &<< number
          if firstGreater1 < 0 { firstGreater1 = number } else { hasEscape = true }
        } else if greater1 > 0, greater1 < 3 {
          greater1 = greater1 &+ 1
        }
      }
      previousGreater1 = greater1
      var isGreater2 = false
      if firstGreater1 >= 0 {
        isGreater2 =
          cabac.inlineBin(Contexts.greater2 &+ contextSet &+ (isChroma ? 4 : 0)) != 0
        if isGreater2 { hasEscape = true }
      }

      // Signs. 7.4.9.11
      let highest = 31 &- significant.leadingZeroBitCount
      let lowest = significant.trailingZeroBitCount
      let isHidden = isHidingAllowed && highest &- lowest > 3
      if blocks.v.isBypassAligned, hasEscape { cabac.alignBypass() }
      let signCount = isHidden ? count &- 1 : count
      // The first sign is the highest of 16 bits.
      var signs = cabac.bypassBits(signCount) &<< (16 &- signCount)

      // Levels. 9.3.3.11
      var rice = blocks.v.isPersistentRice ? Int(cabac.states[Contexts.riceStatistics &+ riceType]) &>> 2 : 0
      var isFirstRemaining = true
      var sum = 0
      var remaining = significant
      let originX = subX &<< 2, originY = subY &<< 2
      for number in 0..<count {
        let place = 31 &- remaining.leadingZeroBitCount
        remaining ^= 1 &<< UInt32(truncatingIfNeeded: place)
        var level = 1
        if number < 8 {
          level = level &+ (greater1Flags &>> number) & 1
          if number == firstGreater1, isGreater2 { level = 3 }
        }
        if level == (number < 8 ? number == firstGreater1 ? 3 : 2 : 1) {
          var value = rice <= 4 ? cabac.shortUnary(suffix: rice) : -1
          if value < 0 {
            // A copy of the copy: an address that a call knows would keep it in memory.
            var decoder = cabac
            value = longRemaining(&decoder, rice, range)
            cabac = decoder
          }
          level = level &+ value
          if level > (3 as Int) &<< rice { rice = blocks.v.isPersistentRice ? rice &+ 1 : min(rice &+ 1, 4) }
          if isFirstRemaining, blocks.v.isPersistentRice { updateRiceStatistics(riceType, value) }
          isFirstRemaining = false
        }
        sum = sum &+ level
        if signs & 0x8000 != 0 { level = 0 &- level }
        signs = signs &<< 1
        if isHidden, number == count &- 1, sum & 1 != 0 { level = 0 &- level }

        let xy = Int(positions[place])
        let x = originX &+ xy & 3, y = originY &+ xy &>> 2
        let coefficient: Int
        level = max(0 &- limit, min(limit &- 1, level))
        if blocks.isCuBypass {
          coefficient = level
        } else {
          let factor = hasFactors ? Int(blocks.scaling[factors &+ y &<< log2Size &+ x]) : 16
          let scaled = (level &* (factor &* scale) &+ scaleRound) &>> scaleShift
          coefficient = max(0 &- limit, min(limit &- 1, scaled))
        }
        blocks.scratch.setCoefficient(y &* size &+ x, coefficient)
      }
      block.lastColumn = max(block.lastColumn, originX &+ 3)
      block.lastRow = max(block.lastRow, originY &+ 3)
      index = index &- 1
    }
    return block
  }

  /// coeff_abs_level_remaining, if it is not a short number that ``ArithmeticDecoder/shortUnary(suffix:)`` decodes: then, the
  /// first four ones of its prefix are already decoded. 9.3.3.11
  @inline(never)
  private mutating func longRemaining(_ cabac: inout ArithmeticDecoder, _ rice: Int, _ range: Int) -> Int {
    var prefix = rice <= 4 ? 4 : 0
    let maximum = blocks.v.isExtendedPrecision ? 32 &- range : 32
    while prefix < maximum, cabac.bypassBin() != 0 { prefix = prefix &+ 1 }
    if prefix < 4 { return (prefix &<< rice) &+ cabac.bypassBits(rice) }
    if !blocks.v.isExtendedPrecision, prefix == 32 {
      damage = damage ?? "a coefficient is too large"
      return 0
    }
    let exponent = prefix &- 3
    let bits = blocks.v.isExtendedPrecision && prefix == maximum ? range : exponent &+ rice
    return (((1 &<< exponent) &+ 2) &<< rice) &+ cabac.bypassBits(min(32, bits))
  }

  /// StatCoeff. 9.3.4.2.8
  private func updateRiceStatistics(_ type: Int, _ value: Int) {
    let place = Contexts.riceStatistics &+ type
    let statistics = cabac.states[place]
    let step = Int(statistics &>> 2)
    if value >= 3 &<< step {
      cabac.states[place] = min(statistics &+ 1, 4 &* 31)
    } else if 2 &* value < 1 &<< step, statistics > 0 {
      cabac.states[place] = statistics &- 1
    }
  }
}
