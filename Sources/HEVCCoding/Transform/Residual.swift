// swift-multiview · SPDX-License-Identifier: Apache-2.0

// From coefficients to reconstructed samples. ISO/IEC 23008-2, 8.6.2 and 8.6.4 to 8.6.6

extension BlockContext {
  /// Adds the residual of a block to the samples: that of the scaled coefficients in the scratch memory, which are cleared,
  /// if `block` is not `nil`. `x` and `y` count samples of the component; `scale` is ResScaleVal.
  package mutating func reconstruct(
    _ block: ResidualBlock?, _ x: Int, _ y: Int, _ log2Size: Int, _ component: Int, scale: Int
  ) {
    if scratch.isLong {
      reconstruct(
        block, x, y, log2Size, component, scale, scratch.longCoefficients, scratch.longResidual,
        scratch.longBetween, scratch.longSums)
    } else {
      reconstruct(
        block, x, y, log2Size, component, scale, scratch.coefficients, scratch.residual, scratch.between,
        scratch.sums)
    }
  }

  private mutating func reconstruct<C: Coefficient>(
    _ block: ResidualBlock?, _ x: Int, _ y: Int, _ log2Size: Int, _ component: Int, _ scale: Int,
    _ coefficients: Memory<C>, _ residual: Memory<C>, _ between: Memory<C>, _ sums: Memory<C.Sum>
  ) {
    let size = 1 &<< log2Size, count = size &* size
    if let block {
      if let value = constantResidual(block, coefficients) {
        coefficients[0] = 0
        TransformKernels.add(value, to: planes[component], x: x, y: y, size: size)
        return
      }
      makeResidual(block, coefficients, residual, between, sums)
      coefficients.fill(0..<((block.lastRow &+ 1) &<< log2Size), with: 0)
    } else {
      residual.fill(0..<count, with: 0)
    }
    if v.isCrossComponent {
      if component == 0 {
        for index in 0..<count { scratch.lumaResidual[index] = Int32(truncatingIfNeeded: residual[index]) }
        hasLumaResidual = true
      } else if scale != 0, hasLumaResidual {
        // Equation 8-329
        for index in 0..<count {
          let luma = (Int(scratch.lumaResidual[index]) &<< v.bitDepthChroma) &>> v.bitDepthLuma
          residual[index] = residual[index] &+ C(truncatingIfNeeded: (scale &* luma) &>> 3)
        }
      }
    }
    TransformKernels.add(residual, to: planes[component], x: x, y: y, size: size)
  }

  /// The residual if it is the same everywhere, which is quickly added.
  private func constantResidual<C: Coefficient>(_ block: ResidualBlock, _ coefficients: Memory<C>) -> Int? {
    guard !scratch.isLong, !v.isCrossComponent, !block.isBypassed, !block.isSkipped else { return nil }
    return TransformKernels.constant(
      coefficients, log2Size: block.log2Size, lastColumn: block.lastColumn, lastRow: block.lastRow,
      isSine: block.isSine, limit: 1 &<< 15,
      shift: 20 &- (block.component == 0 ? v.bitDepthLuma : v.bitDepthChroma))
  }

  private func makeResidual<C: Coefficient>(
    _ block: ResidualBlock, _ coefficients: Memory<C>, _ residual: Memory<C>, _ between: Memory<C>,
    _ sums: Memory<C.Sum>
  ) {
    let size = 1 &<< block.log2Size, count = size &* size
    let depth = block.component == 0 ? v.bitDepthLuma : v.bitDepthChroma
    let shift = max(20 &- depth, v.isExtendedPrecision ? 11 : 0)
    guard block.isBypassed || block.isSkipped else {
      let range = v.isExtendedPrecision ? max(15, depth &+ 6) : 15
      TransformKernels.inverse(
        coefficients, to: residual, between: between, sums: sums, log2Size: block.log2Size,
        lastColumn: block.lastColumn, lastRow: block.lastRow, isSine: block.isSine, limit: 1 &<< range,
        shift: shift)
      return
    }
    for index in 0..<count {
      residual[index] = coefficients[block.isRotated ? count &- 1 &- index : index]
    }
    if block.isSkipped {
      // 8.6.4.2 and 8.6.2: bdShift undoes what tsShift adds, along with the rest of the scale.
      let skipShift = (v.isExtendedPrecision ? min(5, shift &- 2) : 5) &+ block.log2Size
      let round = 1 &<< (shift &- 1)
      for index in 0..<count {
        residual[index] = C(truncatingIfNeeded: (Int(residual[index]) &<< skipShift &+ round) &>> shift)
      }
    }
    // 8.6.5 and 8.6.8
    if block.isHorizontalRDPCM {
      for index in 0..<count where index & (size &- 1) != 0 {
        residual[index] = residual[index] &+ residual[index &- 1]
      }
    } else if block.isVerticalRDPCM {
      for index in size..<max(size, count) { residual[index] = residual[index] &+ residual[index &- size] }
    }
  }
}
