// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import HEVCCoding

/// Codes coding tree units with intra prediction in blocks of 8x8: each takes the best of four modes.
final class IntraCoder {
  private var tree: CodedTree
  private let residual = Memory<Int16>(count: 1024, repeating: 0)
  private let coefficients = Memory<Int16>(count: 1024, repeating: 0)
  private let levels = Memory<Int16>(count: 1024, repeating: 0)
  private let nothing = Memory<Int16>(count: 0, repeating: 0)
  private let transforms = ForwardTransformMemory()

  init(ctbLog2Size: Int) { tree = CodedTree(ctbLog2Size: ctbLog2Size) }

  deinit {
    tree.free()
    residual.free()
    coefficients.free()
    levels.free()
    nothing.free()
    transforms.free()
  }

  /// Codes a coding tree unit: leaves its samples in the picture, and returns its syntax.
  func code(_ blocks: inout BlockContext, _ source: PictureBuffer) -> CodedTree {
    tree.reset()
    let size = 1 << blocks.v.ctbLog2Size
    quadtree(&blocks, PlaneSet(source), blocks.ctbX * size, blocks.ctbY * size, blocks.v.ctbLog2Size, 0)
    return tree
  }

  private func quadtree(
    _ blocks: inout BlockContext, _ source: PlaneSet, _ x: Int, _ y: Int, _ log2Size: Int, _ depth: Int
  ) {
    guard x < blocks.v.width, y < blocks.v.height else { return }
    guard log2Size > 3 else { return unit(&blocks, source, x, y, depth) }
    let half = 1 << (log2Size - 1)
    for child in 0..<4 {
      quadtree(&blocks, source, x + (child & 1) * half, y + (child >> 1) * half, log2Size - 1, depth + 1)
    }
  }

  private func unit(
    _ blocks: inout BlockContext, _ source: PlaneSet, _ x: Int, _ y: Int, _ depth: Int
  ) {
    blocks.cuX = x
    blocks.cuY = y
    blocks.cuLog2Size = 3
    blocks.isCuIntra = true
    blocks.partMode = .whole
    blocks.cuQp = blocks.v.sliceQp
    blocks.markCodingUnitEdges(x, y, 8)
    var info = UInt8(truncatingIfNeeded: depth) << BlockInfo.depthShift | BlockInfo.decoded
    info |= BlockInfo.intra
    let mode = lumaMode(&blocks, source, x, y)
    var unit = CodedUnit()
    unit.x = UInt16(truncatingIfNeeded: x)
    unit.y = UInt16(truncatingIfNeeded: y)
    unit.lumaModes = SIMD4(repeating: UInt8(truncatingIfNeeded: mode))
    unit.lumaChoices[0] = choice(blocks.candidateModes(x, y), mode)
    unit.chromaMode = UInt8(truncatingIfNeeded: mode)
    blocks.setIntraMode(x, y, 8, mode: mode)
    var transform = CodedTransform(log2Size: 3, coded: 0)
    for component in 0..<3 {
      let shift = component == 0 ? 0 : 1
      blocks.predictIntra(x >> shift, y >> shift, 3 - shift, component, mode)
      guard
        code(
          &blocks, source, x >> shift, y >> shift, 3 - shift, component,
          at: tree.levelPlace(x: x, y: y, component: component))
      else { continue }
      transform.coded |= 1 << UInt8(truncatingIfNeeded: component)
    }
    if transform.coded & CodedTransform.luma != 0 { info |= BlockInfo.coded }
    blocks.setInfo(info)
    blocks.tables.qp.fill(
      x: x >> 2, y: y >> 2, width: 2, height: 2, stride: blocks.tables.stride,
      with: Int8(truncatingIfNeeded: blocks.cuQp))
    blocks.lastQp = blocks.cuQp
    tree.append(unit)
    tree.append(transform)
  }

  /// The mode whose prediction is closest to the source.
  private func lumaMode(
    _ blocks: inout BlockContext, _ source: PlaneSet, _ x: Int, _ y: Int
  ) -> Int {
    var best = 1, least = Int.max
    for mode in [1, 0, 26, 10] {
      blocks.predictIntra(x, y, 3, 0, mode)
      let at = DifferenceKernels.Places(x: x, y: y, otherX: x, otherY: y)
      let cost = DifferenceKernels.satd(source.luma, blocks.planes.luma, at, width: 8, height: 8)
      if cost < least { (best, least) = (mode, cost) }
    }
    return best
  }

  /// How a mode is coded, given the candidates. 8.4.2
  private func choice(_ candidates: (Int, Int, Int), _ mode: Int) -> UInt8 {
    if mode == candidates.0 { return 0 }
    if mode == candidates.1 { return 1 }
    if mode == candidates.2 { return 2 }
    var rest = mode
    for candidate in [candidates.0, candidates.1, candidates.2] where mode > candidate { rest -= 1 }
    return UInt8(truncatingIfNeeded: 3 + rest)
  }

  /// Codes the residual of a block, and adds what a decoder makes of it to the prediction; returns whether there is any.
  private func code(
    _ blocks: inout BlockContext, _ source: PlaneSet, _ x: Int, _ y: Int, _ log2Size: Int, _ component: Int,
    at place: Int
  ) -> Bool {
    let size = 1 << log2Size, count = size * size
    let depth = component == 0 ? blocks.v.bitDepthLuma : blocks.v.bitDepthChroma
    let isSine = component == 0 && log2Size == 2
    let any = ForwardTransformKernels.subtract(
      source[component], blocks.planes[component],
      DifferenceKernels.Places(x: x, y: y, otherX: x, otherY: y), size: size, to: residual)
    guard any != 0 else { return false }
    ForwardTransformKernels.transform(
      residual, to: coefficients, log2Size: log2Size, isSine: isSine, bitDepth: depth, transforms)
    let qp = blocks.quantisationParameter(component)
    let quantiser = QuantisationKernels.Quantiser(qp: qp, log2Size: log2Size, bitDepth: depth, offset: 171)
    let used = QuantisationKernels.quantise(
      coefficients, to: levels, count: count, quantiser, deltas: nothing)
    guard used > 0 else { return false }
    for index in 0..<count { tree.levels[place + index] = levels[index] }
    QuantisationKernels.scale(
      levels, to: blocks.scratch.coefficients, count: count, qp: qp, log2Size: log2Size, bitDepth: depth)
    var block = ResidualBlock(
      component: component, log2Size: log2Size, isBypassed: false, isSine: isSine, isRotated: false)
    block.lastColumn = size - 1
    block.lastRow = size - 1
    blocks.reconstruct(block, x, y, log2Size, component, scale: 0)
    return true
  }
}
