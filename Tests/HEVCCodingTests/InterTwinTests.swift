// swift-multiview · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import HEVCCoding

/// Interpolation and weighting against the equations as ISO/IEC 23008-2, 8.5.3.3.3 and 8.5.3.3.4, writes them.
@Suite struct InterTwinTests {
  /// fL of Table 8-11: the third quarter is the first from the other end.
  private static let luma: [[Int]] = {
    let quarter = [-1, 4, -10, 58, 17, -5, 1, 0]
    return [[0, 0, 0, 64, 0, 0, 0, 0], quarter, [-1, 4, -11, 40, 40, -11, 4, -1], quarter.reversed()]
  }()

  /// fC of Table 8-12.
  private static let chroma: [[Int]] = {
    let half = [[-2, 58, 10, -2], [-4, 54, 16, -2], [-6, 46, 28, -4]]
    return [[0, 64, 0, 0]] + half + [[-4, 36, 36, -4]] + half.reversed().map { $0.reversed() }
  }()

  /// The sums of the products of the taps and what follows each place, for as many places as there is room for.
  private static func filtered(_ values: [Int32], _ taps: [Int], step: Int) -> [Int32] {
    let count = values.count - (taps.count - 1) * step
    var sums = [Int32](repeating: 0, count: count)
    for (index, tap) in taps.enumerated() {
      for place in 0..<count { sums[place] += Int32(tap) * values[place + index * step] }
    }
    return sums
  }

  /// predSampleLX, equations 8-228 to 8-261: the filter of a row, then that of a column.
  private static func plain(
    _ source: TwinPlane, x: Int, y: Int, phaseX: Int, phaseY: Int, isLuma: Bool, width: Int, height: Int
  ) -> [Int] {
    let table = isLuma ? luma : chroma, before = isLuma ? 3 : 1, depth = source.plane.bitDepth
    let shift1 = Int32(min(4, depth - 8)), shift3 = Int32(max(2, 14 - depth))
    let reach = table[0].count - 1
    var rows: [Int32] = []
    for line in phaseY == 0 ? y..<(y + height) : (y - before)..<(y - before + height + reach) {
      if phaseX == 0 {
        for column in x..<(x + width) { rows.append(Int32(source[column, line])) }
      } else {
        let samples = (0..<(width + reach)).map { Int32(source[x - before + $0, line]) }
        rows += filtered(samples, table[phaseX], step: 1).map { $0 >> shift1 }
      }
    }
    if phaseY == 0 { return rows.map { Int(phaseX == 0 ? $0 << shift3 : $0) } }
    return filtered(rows, table[phaseY], step: width).map { Int($0 >> (phaseX == 0 ? shift1 : 6)) }
  }

  private struct Block {
    var x: Int, y: Int, phaseX: Int, phaseY: Int, width: Int, height: Int
  }

  private static func kernel<P: Coefficient>(
    _ source: TwinPlane, _ patch: Plane, _ block: Block, isLuma: Bool, _ prediction: Memory<P>,
    _ rows: Memory<P>
  ) -> [Int] {
    InterKernels.interpolate(
      source.plane, patch, x: block.x, y: block.y, phaseX: block.phaseX, phaseY: block.phaseY,
      isLuma: isLuma, BlockArea(x: 0, y: 0, width: block.width, height: block.height), to: prediction,
      rows: rows)
    return (0..<(block.width * block.height)).map { Int(prediction[$0]) + InterKernels.bias(P.self) }
  }

  private func compare<P: Coefficient>(_ type: P.Type, depth: Int, isLuma: Bool, widths: [Int]) {
    var source = TwinPlane(width: 96, height: 88, depth: depth)
    let patch = Plane(width: 80, height: 80, bitDepth: depth > 8 ? 16 : 8, isWide: depth > 8)
    let prediction = Memory<P>(count: 4096, repeating: 0)
    let rows = Memory<P>(count: InterKernels.rowsCount, repeating: 0)
    defer {
      source.free()
      patch.free()
      prediction.free()
      rows.free()
    }
    var random = SplitMix(seed: UInt64(depth * 2 + (isLuma ? 1 : 0)))
    let phases = isLuma ? 3 : 7
    for width in widths {
      for round in 0..<TwinRounds.count(width > 16 ? 3 : 8) {
        if round & 63 == 0 { source.fill(&random) }
        let block = Block(
          x: random.next(-80...100), y: random.next(-80...100), phaseX: random.next(0...phases),
          phaseY: random.next(0...phases), width: width, height: widths[random.next(0...(widths.count - 1))])
        let expected = Self.plain(
          source, x: block.x, y: block.y, phaseX: block.phaseX, phaseY: block.phaseY, isLuma: isLuma,
          width: block.width, height: block.height)
        let found = Self.kernel(source, patch, block, isLuma: isLuma, prediction, rows)
        if found != expected {
          Issue.record("\(depth) bit, luma \(isLuma), \(block)")
          return
        }
      }
    }
  }

  @Test(arguments: [8, 9, 10, 12])
  func lumaBetweenSamples(depth: Int) {
    compare(Int16.self, depth: depth, isLuma: true, widths: [4, 8, 12, 16, 24, 32, 48, 64])
  }

  @Test(arguments: [8, 9, 10, 12])
  func chromaBetweenSamples(depth: Int) {
    compare(Int16.self, depth: depth, isLuma: false, widths: [2, 4, 6, 8, 12, 16, 24, 32, 64])
  }

  @Test(arguments: [10, 14, 16])
  func samplesWithRoomForMoreBits(depth: Int) {
    compare(Int32.self, depth: depth, isLuma: true, widths: [4, 8, 16, 64])
    compare(Int32.self, depth: depth, isLuma: false, widths: [2, 4, 8, 32])
  }

  /// The samples for which both filters reach furthest: the sum is more than 15 bits hold.
  @Test(arguments: [8, 10, 12], [true, false])
  func theFurthestReachOfTheFilters(depth: Int, isHigh: Bool) {
    var source = TwinPlane(width: 32, height: 32, depth: depth)
    let patch = Plane(width: 80, height: 80, bitDepth: depth > 8 ? 16 : 8, isWide: depth > 8)
    let prediction = Memory<Int16>(count: 4096, repeating: 0)
    let rows = Memory<Int16>(count: InterKernels.rowsCount, repeating: 0)
    defer {
      source.free()
      patch.free()
      prediction.free()
      rows.free()
    }
    let taps = Self.luma[2], high = 1 << depth - 1, ends = isHigh ? (high, 0) : (0, high)
    for y in 0..<8 {
      for x in 0..<8 { source.set(9 + x, 9 + y, (taps[x] > 0) == (taps[y] > 0) ? ends.0 : ends.1) }
    }
    let block = Block(x: 12, y: 12, phaseX: 2, phaseY: 2, width: 8, height: 8)
    let expected = Self.plain(
      source, x: 12, y: 12, phaseX: 2, phaseY: 2, isLuma: true, width: 8, height: 8)
    #expect(isHigh ? expected[0] > 32767 : expected[0] < -16000)
    #expect(Self.kernel(source, patch, block, isLuma: true, prediction, rows) == expected)
  }

  // MARK: From predictions to samples

  private func weigh<P: Coefficient>(_ type: P.Type, depth: Int, highPrecision: Bool) {
    var target = TwinPlane(width: 80, height: 80, depth: depth)
    let first = Memory<P>(count: 4096, repeating: 0), second = Memory<P>(count: 4096, repeating: 0)
    defer {
      target.free()
      first.free()
      second.free()
    }
    let bias = InterKernels.bias(P.self)
    let widths = [2, 4, 6, 8, 12, 16, 24, 32, 48, 64]
    // What filters reach: 8.5.3.3.3 makes 14 bits of samples, or two more than they have.
    let scale = max(2, 14 - depth) + depth - 14
    let low = -16_830 << scale, top = 33_250 << scale
    let high = 1 << depth - 1, shift1 = max(2, 14 - depth)
    var random = SplitMix(seed: UInt64(depth) * 7 + 3)
    for round in 0..<TwinRounds.count(40) {
      if round & 63 == 0 {
        target.fill(&random)
        for index in 0..<4096 {
          first[index] = P(truncatingIfNeeded: random.next(low...top) - bias)
          second[index] = P(truncatingIfNeeded: random.next(low...top) - bias)
        }
        first[0] = P(truncatingIfNeeded: top - bias)
        second[0] = P(truncatingIfNeeded: round & 64 == 0 ? low - bias : top - bias)
      }
      let width = widths[random.next(0...9)], height = widths[random.next(0...9)]
      let area = BlockArea(
        x: random.next(0...(80 - width)), y: random.next(0...(80 - height)), width: width, height: height)
      let offsetRange = highPrecision ? 1 << (depth - 1) : 128
      let offsetScale = highPrecision ? 0 : depth - 8
      let w0 = random.next(-128...255), w1 = random.next(-128...255), denominator = random.next(0...7)
      let o0 = random.next(-offsetRange...(offsetRange - 1)) << offsetScale
      let o1 = random.next(-offsetRange...(offsetRange - 1)) << offsetScale
      let kind = random.next(0...3)
      let weight0 = SampleWeight(weight: w0, offset: o0), weight1 = SampleWeight(weight: w1, offset: o1)
      switch kind {
      case 0: InterKernels.round(first, to: target.plane, area)
      case 1: InterKernels.average(first, second, to: target.plane, area)
      case 2: InterKernels.weight(first, weight0, denominator: denominator, to: target.plane, area)
      default:
        InterKernels.weight(
          first, weight0, second, weight1, denominator: denominator, to: target.plane, area)
      }
      var expected = target.samples
      for y in 0..<height {
        for x in 0..<width {
          let a = Int(first[y * width + x]) + bias, b = Int(second[y * width + x]) + bias
          let log2WD = denominator + shift1
          let value: Int
          switch kind {
          case 0: value = (a + 1 << (shift1 - 1)) >> shift1
          case 1: value = (a + b + 1 << shift1) >> (shift1 + 1)
          case 2: value = ((a * w0 + 1 << (log2WD - 1)) >> log2WD) + o0
          default: value = (a * w0 + b * w1 + (o0 + o1 + 1) << log2WD) >> (log2WD + 1)
          }
          expected[(area.y + y) * 80 + area.x + x] = max(0, min(high, value))
        }
      }
      guard target.hasSamples(expected) else {
        Issue.record("\(depth) bit, kind \(kind), \(area), weights \(weight0) \(weight1) \(denominator)")
        return
      }
      target.accept(expected)
    }
  }

  /// A prediction that becomes samples at once, alone or with a stored one.
  private func predictAtOnce(depth: Int, isLuma: Bool, widths: [Int]) {
    var source = TwinPlane(width: 96, height: 88, depth: depth)
    var target = TwinPlane(width: 80, height: 80, depth: depth)
    let patch = Plane(width: 80, height: 80, bitDepth: depth > 8 ? 16 : 8, isWide: depth > 8)
    let first = Memory<Int16>(count: 4096, repeating: 0)
    let rows = Memory<Int16>(count: InterKernels.rowsCount, repeating: 0)
    defer {
      source.free()
      target.free()
      patch.free()
      for memory in [first, rows] { memory.free() }
    }
    var random = SplitMix(seed: UInt64(depth * 2 + (isLuma ? 1 : 0)))
    let phases = isLuma ? 3 : 7, high = 1 << depth - 1, shift = max(2, 14 - depth)
    let bias = InterKernels.bias(Int16.self)
    for width in widths {
      for round in 0..<TwinRounds.count(width > 16 ? 3 : 8) {
        if round & 63 == 0 {
          source.fill(&random)
          target.fill(&random)
          for index in 0..<4096 { first[index] = Int16(random.next(-16_830...33_240) - bias) }
        }
        let height = widths[random.next(0...(widths.count - 1))]
        let block = Block(
          x: random.next(-80...100), y: random.next(-80...100), phaseX: random.next(0...phases),
          phaseY: random.next(0...phases), width: width, height: height)
        let area = BlockArea(
          x: random.next(0...(80 - width)), y: random.next(0...(80 - height)), width: width, height: height)
        let numbers = Self.plain(
          source, x: block.x, y: block.y, phaseX: block.phaseX, phaseY: block.phaseY, isLuma: isLuma,
          width: width, height: height)
        let isAlone = random.next(0...1) == 0
        if isAlone {
          InterKernels.predict(
            source.plane, patch, x: block.x, y: block.y, phaseX: block.phaseX, phaseY: block.phaseY,
            isLuma: isLuma, area, to: target.plane, rows: rows)
        } else {
          InterKernels.predict(
            source.plane, patch, x: block.x, y: block.y, phaseX: block.phaseX, phaseY: block.phaseY,
            isLuma: isLuma, area, with: first, to: target.plane, rows: rows)
        }
        var expected = target.samples
        for index in 0..<(width * height) {
          let value =
            isAlone
            ? (numbers[index] + 1 << (shift - 1)) >> shift
            : (numbers[index] + Int(first[index]) + bias + 1 << shift) >> (shift + 1)
          expected[(area.y + index / width) * 80 + area.x + index % width] = max(0, min(high, value))
        }
        guard target.hasSamples(expected) else {
          Issue.record("\(depth) bit, luma \(isLuma), alone \(isAlone), \(block), \(area)")
          return
        }
        target.accept(expected)
      }
    }
  }

  @Test(arguments: [8, 9, 10, 12])
  func predictionsBecomeSamplesAtOnce(depth: Int) {
    predictAtOnce(depth: depth, isLuma: true, widths: [4, 8, 12, 16, 24, 32, 48, 64])
    predictAtOnce(depth: depth, isLuma: false, widths: [2, 4, 6, 8, 12, 16, 24, 32, 64])
  }

  @Test(arguments: [8, 9, 10, 12])
  func predictionsBecomeSamples(depth: Int) { weigh(Int16.self, depth: depth, highPrecision: false) }

  @Test(arguments: [10, 14, 16])
  func predictionsWithMoreBitsBecomeSamples(depth: Int) {
    weigh(Int32.self, depth: depth, highPrecision: true)
  }
}
