// swift-multiview · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import HEVCCoding

/// What an encoder makes of whole planes and coded blocks, against sums that are written as one would define them.
@Suite struct EncoderPlaneTwinTests {
  // MARK: Sample adaptive offset

  /// Counts and sums of the 48 categories, sample by sample.
  private static func statistics(
    _ source: TwinPlane, _ coded: TwinPlane, _ area: BlockArea, bitDepth: Int
  ) -> (counts: [Int], sums: [Int]) {
    var counts = [Int](repeating: 0, count: 48), sums = counts
    func add(_ category: Int, _ difference: Int) {
      counts[category] += 1
      sums[category] += difference
    }
    for y in area.y..<(area.y + area.height) {
      for x in area.x..<(area.x + area.width) {
        let value = coded[x, y], difference = source[x, y] - value
        add(16 + value >> (bitDepth - 5), difference)
        for (edgeClass, (dx, dy)) in [(1, 0), (0, 1), (1, 1), (1, -1)].enumerated() {
          let places = [(x - dx, y - dy), (x + dx, y + dy)]
          guard places.allSatisfy({ $0.0 >= 0 && $0.0 < coded.width && $0.1 >= 0 && $0.1 < coded.height })
          else {
            continue
          }
          let edge = places.reduce(0) { $0 + (value - coded[$1.0, $1.1]).signum() }
          guard edge != 0 else { continue }
          add(4 * edgeClass + [0, 1, 0, 2, 3][edge + 2], difference)
        }
      }
    }
    return (counts, sums)
  }

  @Test(arguments: [8, 10, 12])
  func offsetsAreCountedAsTheyAreDefined(depth: Int) {
    var source = TwinPlane(width: 70, height: 67, depth: depth),
      coded = TwinPlane(width: 70, height: 67, depth: depth)
    let statistics = OffsetStatistics()
    defer {
      source.free()
      coded.free()
      statistics.free()
    }
    var random = SplitMix(seed: UInt64(depth))
    for round in 0..<TwinRounds.count(30) {
      if round & 3 == 0 {
        source.fill(&random)
        coded.fill(&random)
      }
      let width = random.next(1...64), height = random.next(1...64)
      let area = BlockArea(
        x: random.next(0...(70 - width)), y: random.next(0...(67 - height)), width: width, height: height)
      statistics.collect(source.plane, coded.plane, area)
      let expected = Self.statistics(source, coded, area, bitDepth: depth)
      guard (0..<48).allSatisfy({ Int(statistics.counts[$0]) == expected.counts[$0] }),
        (0..<48).allSatisfy({ Int(statistics.sums[$0]) == expected.sums[$0] })
      else {
        Issue.record("\(depth) bit, \(area)")
        return
      }
    }
    statistics.collect(source.plane, coded.plane, BlockArea(x: 8, y: 8, width: 65, height: 8))
    #expect((0..<48).allSatisfy { statistics.counts[$0] == 0 && statistics.sums[$0] == 0 })
  }

  // MARK: Second predictions

  @Test(arguments: [8, 10, 12])
  func mirroredSamplesAverageToTheSource(depth: Int) {
    var random = SplitMix(seed: UInt64(depth))
    var source = TwinPlane(width: 80, height: 70, depth: depth)
    var other = TwinPlane(width: 80, height: 70, depth: depth)
    var target = TwinPlane(width: 64, height: 64, depth: depth)
    defer {
      source.free()
      other.free()
      target.free()
    }
    let high = 1 << depth - 1
    for round in 0..<TwinRounds.count(20) {
      if round & 3 == 0 {
        source.fill(&random)
        other.fill(&random)
        target.fill(&random)
      }
      let width = 8 * random.next(1...8), height = random.next(1...64)
      let x = random.next(0...(80 - width)), y = random.next(0...(70 - height))
      target.plane.mirror(source.plane, around: other.plane, x: x, y: y, width: width, height: height)
      var expected = target.samples
      for row in 0..<height {
        for column in 0..<width {
          let value = 2 * source[x + column, y + row] - other[x + column, y + row]
          expected[row * 64 + column] = max(0, min(high, value))
        }
      }
      guard target.hasSamples(expected) else {
        Issue.record("\(depth) bit, \(width)x\(height) at \(x), \(y)")
        return
      }
      target.accept(expected)
    }
    target.plane.mirror(source.plane, around: other.plane, x: 0, y: 0, width: 72, height: 8)
    target.plane.mirror(source.plane, around: other.plane, x: 9, y: 64, width: 8, height: 7)
    #expect(target.hasSamples(target.samples))
  }

  // MARK: Half planes

  @Test(arguments: [8, 10, 12])
  func halfPlanesAreAverages(depth: Int) {
    var random = SplitMix(seed: UInt64(depth))
    for _ in 0..<TwinRounds.count(12) {
      let width = random.next(2...150), height = random.next(2...20)
      var plane = TwinPlane(width: width, height: height, depth: depth)
      let half = Plane(width: width / 2, height: height / 2, bitDepth: depth, isWide: depth > 8)
      defer {
        plane.free()
        half.free()
      }
      plane.fill(&random)
      HalfPlanes.reduce(plane.plane, to: half)
      for y in 0..<(height / 2) {
        for x in 0..<(width / 2) {
          let sum =
            plane[2 * x, 2 * y] + plane[2 * x + 1, 2 * y] + plane[2 * x, 2 * y + 1]
            + plane[2 * x + 1, 2 * y + 1]
          guard half[x, y] == (sum + 2) / 4 else {
            Issue.record("\(depth) bit, \(width)x\(height), at \(x), \(y)")
            return
          }
        }
      }
    }
  }

  @Test(arguments: [8, 10, 12])
  func momentsAreSums(depth: Int) throws {
    var plane = TwinPlane(width: 90, height: 80, depth: depth)
    defer { plane.free() }
    var random = SplitMix(seed: UInt64(depth))
    for round in 0..<TwinRounds.count(60) {
      if round & 15 == 0 { plane.fill(&random) }
      let width = random.next(1...64), height = random.next(1...64)
      let x = random.next(0...(90 - width)), y = random.next(0...(80 - height))
      let values = (0..<(width * height)).map { plane[x + $0 % width, y + $0 / width] }
      let found = try #require(HalfPlanes.moments(plane.plane, x: x, y: y, width: width, height: height))
      #expect(found.sum == values.reduce(0, +))
      #expect(found.squares == values.reduce(0) { $0 + $1 * $1 })
    }
    plane.plane.fill(with: 1 << depth - 1)
    let most = try #require(HalfPlanes.moments(plane.plane, x: 0, y: 0, width: 64, height: 64))
    #expect(most.squares == 4096 * (1 << depth - 1) * (1 << depth - 1))
    #expect(HalfPlanes.moments(plane.plane, x: 80, y: 0, width: 16, height: 16) == nil)
  }

  // MARK: Copies

  @Test(arguments: [8, 10])
  func partsShareTheirMemory(depth: Int) throws {
    var plane = TwinPlane(width: 64, height: 20, depth: depth)
    defer { plane.free() }
    var random = SplitMix(seed: UInt64(depth))
    plane.fill(&random)
    let right = try #require(plane.plane.part(x: 32, y: 0, width: 32, height: 20))
    #expect((0..<640).allSatisfy { right[$0 % 32, $0 / 32] == plane[32 + $0 % 32, $0 / 32] })
    right[5, 7] = 3
    #expect(plane.plane[37, 7] == 3)
    #expect(right.width == 32 && right.height == 20 && right.bitDepth == depth)
    #expect(plane.plane.part(x: 33, y: 0, width: 32, height: 20) == nil)
    #expect(plane.plane.part(x: 0, y: -1, width: 32, height: 20) == nil)
  }

  @Test(arguments: [8, 10], [(16, 8), (13, 5), (1, 1)])
  func planesArePaddedWithTheirEdges(depth: Int, size: (Int, Int)) {
    var source = TwinPlane(width: size.0, height: size.1, depth: depth)
    let target = Plane(width: 16, height: 8, bitDepth: depth, isWide: depth > 8)
    defer {
      source.free()
      target.free()
    }
    var random = SplitMix(seed: UInt64(depth))
    source.fill(&random)
    target.pad(source.plane)
    // Outside of a plane, its twin has the nearest sample.
    #expect((0..<128).allSatisfy { target[$0 % 16, $0 / 16] == source[$0 % 16, $0 / 16] })
    let small = Plane(width: 8, height: 8, bitDepth: depth, isWide: depth > 8)
    defer { small.free() }
    small.pad(target)
    #expect((0..<64).allSatisfy { small[$0 % 8, $0 / 8] == 0 })
  }

  @Test func rowsAreStoredAsTheyAreInMemory() {
    let narrow = Plane(width: 8, height: 2, bitDepth: 8, isWide: false)
    let wide = Plane(width: 8, height: 2, bitDepth: 10, isWide: true)
    defer {
      narrow.free()
      wide.free()
    }
    let bytes: ContiguousArray<UInt8> = [1, 2, 3, 1]
    narrow.store(1, from: 4, bytes.span)
    wide.store(1, from: 6, bytes.span)
    #expect((0..<8).map { narrow[$0, 1] } == [0, 0, 0, 0, 1, 2, 3, 1])
    #expect((0..<8).map { wide[$0, 1] } == [0, 0, 0, 0, 0, 0, 513, 259])
    narrow.store(0, from: 5, bytes.span)
    wide.store(0, from: 7, bytes.span)
    #expect((0..<8).allSatisfy { narrow[$0, 0] == 0 && wide[$0, 0] == 0 })
  }
}
