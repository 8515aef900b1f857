// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import TestSupport

@testable import HEVCEncoding

/// A picture in coding order, and what its slice says, drawn from a seed.
struct ChaosPicture {
  /// By layer.
  var slices: [SlicePlan]
}

/// A stream drawn from a seed: sizes, tools, order and references of pictures.
struct ChaosStream {
  var plan: CodingPlan
  var pictures: [ChaosPicture] = []

  /// Whether only intra prediction is used.
  init(seed: UInt64, isIntra: Bool, layers: Int, pictures count: Int) {
    var random = SplitMix(seed: seed)
    func coin(_ random: inout SplitMix) -> Bool { random.next(0...1) == 1 }
    var plan = CodingPlan(
      size: PictureSize(width: 2 * random.next(4...70), height: 2 * random.next(4...50)))
    plan.layerCount = layers
    plan.bitDepth = layers == 1 && random.next(0...3) == 0 ? 10 : 8
    plan.level = Level(rawValue: 60)
    plan.ctbLog2Size = random.next(4...6)
    plan.minCbLog2Size = random.next(3...plan.ctbLog2Size)
    if coin(&random) { plan.minCbLog2Size = 3 }
    plan.maxTbLog2Size = random.next(max(2, plan.ctbLog2Size - 3)...min(5, plan.ctbLog2Size))
    plan.transformDepthInter = random.next(0...(plan.ctbLog2Size - 2))
    plan.transformDepthIntra = random.next(0...(plan.ctbLog2Size - 2))
    plan.isAmpEnabled = coin(&random)
    plan.isSaoEnabled = coin(&random)
    // HTM misreads slice headers of layer 1 where the sequence parameter set forbids it.
    let isTemporal = coin(&random)
    plan.isTemporalMotionEnabled = isTemporal || layers > 1
    plan.isStrongSmoothing = coin(&random)
    plan.isSignHiding = coin(&random)
    plan.isWavefront = coin(&random)
    plan.isDeblocked = random.next(0...3) != 0
    plan.qpGroupDepth = coin(&random) ? random.next(0...(plan.ctbLog2Size - plan.minCbLog2Size)) : nil
    plan.initialQp = random.next(10...45)
    plan.parallelMergeLog2Size = coin(&random) ? 2 : random.next(2...plan.ctbLog2Size)
    plan.orderCountBits = random.next(4...16)
    plan.pictureBuffers = 8
    plan.reorderedPictures = 4
    plan.defaultEntries = (random.next(1...3), random.next(1...3))
    self.plan = plan
    var kept: [Int] = []
    var next = 1
    var group: [Int] = []
    for number in 0..<count {
      var orderCount = 0
      if number > 0 {
        if group.isEmpty {
          let length = isIntra ? 1 : random.next(1...4)
          group = Array(next..<(next + length))
          next += length
        }
        orderCount = group.remove(at: random.next(0...(group.count - 1)))
      }
      var slices: [SlicePlan] = []
      let references =
        number == 0
        ? []
        : kept.map { order in
          SlicePlan.Reference(orderCount: order, isUsed: random.next(0...3) != 0)
        }
      for layer in 0..<layers {
        let type: NALUnitType =
          number > 0 ? .trailing : layer == 0 || coin(&random) ? .refreshWithoutLeading : .cleanRandomAccess
        slices.append(
          Self.slice(
            plan, type, layer: layer, orderCount, references, isIntra: isIntra, isTemporal: isTemporal,
            &random))
      }
      pictures.append(ChaosPicture(slices: slices))
      kept.append(orderCount)
      // Whatever waits for output has a place beside these.
      while kept.count > 3 { kept.remove(at: random.next(0...2)) }
    }
  }

  private static func slice(
    _ plan: CodingPlan, _ type: NALUnitType, layer: Int, _ orderCount: Int,
    _ references: [SlicePlan.Reference], isIntra: Bool, isTemporal: Bool, _ random: inout SplitMix
  ) -> SlicePlan {
    var slice = SlicePlan(type: type, layer: layer)
    slice.orderCount = orderCount
    slice.references = references
    slice.qp = random.next(8...48)
    slice.isSaoLuma = plan.isSaoEnabled && random.next(0...3) != 0
    slice.isSaoChroma = plan.isSaoEnabled && random.next(0...3) != 0
    // The base picture is one more, which slices of layer 1 always have.
    let total = references.filter(\.isUsed).count + (layer > 0 ? 1 : 0)
    guard !isIntra, total > 0, random.next(0...9) != 0 else { return slice }
    slice.sliceType = random.next(0...2) == 0 ? .p : .b
    slice.count0 = random.next(1...4)
    slice.count1 = slice.sliceType == .b ? random.next(1...4) : 0
    if layer > 0, total > 1 {
      func entries(_ count: Int) -> [UInt8]? {
        random.next(0...1) == 0 ? nil : (0..<count).map { _ in UInt8(random.next(0...(total - 1))) }
      }
      slice.entries0 = entries(slice.count0)
      if slice.sliceType == .b { slice.entries1 = entries(slice.count1) }
    }
    slice.mergeCandidates = random.next(1...5)
    slice.isMvdL1Zero = random.next(0...2) == 0
    if isTemporal {
      slice.isCollocatedInList1 = slice.sliceType == .b && random.next(0...1) == 1
      slice.collocated = random.next(0...((slice.isCollocatedInList1 ? slice.count1 : slice.count0) - 1))
    }
    return slice
  }
}
