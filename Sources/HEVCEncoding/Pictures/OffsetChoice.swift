// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCCoding

/// Chooses the parameters of sample adaptive offset of coding tree blocks, after deblocking.
final class OffsetChoice {
  private let statistics: [OffsetStatistics]
  private let values: SliceValues
  private let costs: RateCosts
  private let source: PlaneSet
  private let coded: PlaneSet
  /// The parameters of all blocks so far, merged ones as those of the block they are taken from.
  private var chosen: [CodedOffsets]
  /// What the flags cost, in parts of 32768 of a bit.
  private let states = ContextStates()

  init(_ values: SliceValues, _ source: PictureBuffer, _ coded: PictureBuffer) {
    self.values = values
    self.source = PlaneSet(source)
    self.coded = PlaneSet(coded)
    costs = RateCosts(qp: values.sliceQp, bitDepth: values.bitDepthLuma)
    statistics = (0..<3).map { _ in OffsetStatistics() }
    chosen = Array(repeating: CodedOffsets(), count: values.widthInCtbs * values.heightInCtbs)
    states.initialise(type: values.initType, sliceQp: values.sliceQp)
  }

  deinit {
    for statistics in statistics { statistics.free() }
    states.free()
  }

  private func price(_ context: Int, _ bin: Int) -> UInt64 {
    UInt64(BinPrices.shared[Int(states[context]) ^ bin])
  }

  /// The parameters of a coding tree block, which is deblocked with all samples around it; blocks come in raster scan.
  func choose(ctbX: Int, ctbY: Int) -> CodedOffsets {
    for component in 0..<3 {
      let shift = component == 0 ? 0 : 1
      let size = 1 << (values.ctbLog2Size - shift)
      let plane = coded[component]
      let x = ctbX * size, y = ctbY * size
      statistics[component].collect(
        source[component], plane,
        BlockArea(x: x, y: y, width: min(size, plane.width - x), height: min(size, plane.height - y)))
    }
    let place = ctbY * values.widthInCtbs + ctbX
    var best = CodedOffsets()
    // Merged blocks say one or two flags and nothing else.
    let mergePrice = ctbX > 0 ? price(Contexts.saoMerge, 0) : 0
    var own = costs.cost(
      squares: 0, price: mergePrice &+ (ctbY > 0 ? price(Contexts.saoMerge, 0) : 0))
    own += luma(&best)
    own += chroma(&best)
    if ctbX > 0 {
      let cost = gain(of: chosen[place - 1]) + costs.cost(squares: 0, price: price(Contexts.saoMerge, 1))
      if cost < own {
        own = cost
        best = chosen[place - 1]
        best.merge = .left
      }
    }
    if ctbY > 0 {
      let above = chosen[place - values.widthInCtbs]
      let cost = gain(of: above) + costs.cost(squares: 0, price: mergePrice &+ price(Contexts.saoMerge, 1))
      if cost < own {
        best = above
        best.merge = .up
      }
    }
    chosen[place] = best
    return best
  }

  /// By how much offsets change the squared errors of a block, as a cost: less than 0 if they become less.
  private func gain(of offsets: CodedOffsets) -> Int {
    var sum = 0
    for component in 0..<3 {
      let parameters = offsets[component]
      guard parameters.type != 0 else { continue }
      for index in 0..<4 {
        sum += change(
          component, Self.category(parameters.type, Int(parameters.place), index),
          Int(parameters.offsets[index]))
      }
    }
    return sum << 8
  }

  /// The category that an offset of a block applies to.
  private static func category(_ type: UInt8, _ place: Int, _ index: Int) -> Int {
    // Bands after the last one are the first ones again.
    type == 1 ? OffsetStatistics.band((place + index) & 31) : place * 4 + index
  }

  /// By how much an offset changes the squared error of a category.
  private func change(_ component: Int, _ category: Int, _ offset: Int) -> Int {
    let count = Int(statistics[component].counts[category])
    return count * offset * offset - 2 * offset * Int(statistics[component].sums[category])
  }

  /// The best offset of a category, and what it costs: an offset of edges has one sign.
  private func offset(_ component: Int, _ category: Int, signed: Int) -> (offset: Int, cost: Int) {
    let count = Int(statistics[component].counts[category])
    let depth = component == 0 ? values.bitDepthLuma : values.bitDepthChroma
    let maximum = 1 << (min(depth, 10) - 5) - 1
    func cost(_ offset: Int) -> Int {
      var bits = min(abs(offset) + 1, maximum)
      if signed == 0, offset != 0 { bits += 1 }
      return costs.cost(squares: 0, price: UInt64(bits) << 15) + (change(component, category, offset) << 8)
    }
    guard count > 0 else { return (0, cost(0)) }
    let sum = Int(statistics[component].sums[category])
    var value = (2 * abs(sum) + count) / (2 * count)
    if sum < 0 { value = -value }
    value = max(-maximum, min(maximum, value))
    if signed != 0, value * signed < 0 { value = 0 }
    var best = (offset: 0, cost: cost(0))
    while value != 0 {
      let cost = cost(value)
      if cost < best.cost { best = (value, cost) }
      value -= value > 0 ? 1 : -1
    }
    return best
  }

  /// The best parameters of a class of edges.
  private func edges(_ component: Int, _ edgeClass: Int) -> (CodedOffsets.Component, cost: Int) {
    var parameters = CodedOffsets.Component(type: 2, place: UInt8(edgeClass))
    var cost = 0
    for index in 0..<4 {
      let best = offset(component, edgeClass * 4 + index, signed: index < 2 ? 1 : -1)
      parameters.offsets[index] = Int8(best.offset)
      cost += best.cost
    }
    return (parameters, cost)
  }

  /// The best four bands.
  private func bands(_ component: Int) -> (CodedOffsets.Component, cost: Int) {
    let all = (0..<32).map { offset(component, OffsetStatistics.band($0), signed: 0) }
    var parameters = CodedOffsets.Component(type: 1), least = RateCosts.unreachable
    for first in 0..<29 {
      let cost = (0..<4).reduce(0) { $0 + all[first + $1].cost }
      guard cost < least else { continue }
      least = cost
      parameters.place = UInt8(first)
      for index in 0..<4 { parameters.offsets[index] = Int8(all[first + index].offset) }
    }
    return (parameters, least + costs.cost(squares: 0, price: 5 << 15))
  }

  private func luma(_ offsets: inout CodedOffsets) -> Int {
    guard values.isSaoLuma else { return 0 }
    var least = costs.cost(squares: 0, price: price(Contexts.saoType, 0))
    let some = price(Contexts.saoType, 1) + 1 << 15
    for edgeClass in 0..<4 {
      let (parameters, cost) = edges(0, edgeClass)
      let whole = cost + costs.cost(squares: 0, price: some + 2 << 15)
      if whole < least { (offsets.luma, least) = (parameters, whole) }
    }
    let (parameters, cost) = bands(0)
    let whole = cost + costs.cost(squares: 0, price: some)
    if whole < least { (offsets.luma, least) = (parameters, whole) }
    return least
  }

  private func chroma(_ offsets: inout CodedOffsets) -> Int {
    guard values.isSaoChroma else { return 0 }
    var least = costs.cost(squares: 0, price: price(Contexts.saoType, 0))
    let some = price(Contexts.saoType, 1) + 1 << 15
    for edgeClass in 0..<4 {
      let cb = edges(1, edgeClass), cr = edges(2, edgeClass)
      let whole = cb.cost + cr.cost + costs.cost(squares: 0, price: some + 2 << 15)
      if whole < least { (offsets.cb, offsets.cr, least) = (cb.0, cr.0, whole) }
    }
    let cb = bands(1), cr = bands(2)
    let whole = cb.cost + cr.cost + costs.cost(squares: 0, price: some)
    if whole < least { (offsets.cb, offsets.cr, least) = (cb.0, cr.0, whole) }
    return least
  }
}

extension PictureTables {
  /// Stores the parameters of a coding tree block, as the filter uses them. Samples of more than 10 bits are not coded:
  /// offsets are not scaled.
  func setOffsets(_ offsets: CodedOffsets, address: Int) {
    for component in 0..<3 {
      let parameters = offsets[component], place = address * 3 + component
      saoType[place] = parameters.type
      saoBand[place] = parameters.place
      for index in 0..<4 { saoOffset[place * 4 + index] = Int16(parameters.offsets[index]) }
    }
  }
}
