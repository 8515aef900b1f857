// swift-multiview · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import HEVCCoding

/// Differences of blocks against sums that are written as one would define them.
@Suite struct DifferenceTwinTests {
  /// The differences of two blocks, row by row.
  private static func differences(
    _ plane: TwinPlane, _ other: TwinPlane, _ at: DifferenceKernels.Places, _ width: Int, _ height: Int
  ) -> [Int] {
    (0..<(width * height)).map {
      plane[at.x + $0 % width, at.y + $0 / width] - other[at.otherX + $0 % width, at.otherY + $0 / width]
    }
  }

  /// The magnitudes of a block, transformed by Hadamard's matrix, added up: each bit of an index is a level.
  private static func hadamard(_ block: [Int]) -> Int {
    var values = block, bit = 1
    while bit < values.count {
      for index in values.indices where index & bit == 0 {
        (values[index], values[index | bit]) = (
          values[index] + values[index | bit], values[index] - values[index | bit]
        )
      }
      bit *= 2
    }
    return values.reduce(0) { $0 + abs($1) }
  }

  private static func satd(_ differences: [Int], _ width: Int, _ height: Int) -> Int {
    let size = width % 8 == 0 && height % 8 == 0 ? 8 : 4
    var total = 0
    for y in stride(from: 0, to: height, by: size) {
      for x in stride(from: 0, to: width, by: size) {
        let block = (0..<(size * size)).map { differences[(y + $0 / size) * width + x + $0 % size] }
        let sum = hadamard(block)
        total += size == 8 ? (sum + 2) >> 2 : sum >> 1
      }
    }
    return total
  }

  private static let sizes = [1, 3, 4, 8, 12, 16, 20, 24, 32, 48, 64, 80]

  private func compare(depth: Int, sizes: [Int], usual: Int) {
    var plane = TwinPlane(width: 96, height: 90, depth: depth)
    var other = TwinPlane(width: 120, height: 88, depth: depth)
    defer {
      plane.free()
      other.free()
    }
    var random = SplitMix(seed: UInt64(depth))
    for width in sizes {
      for round in 0..<TwinRounds.count(usual) {
        if round & 63 == 0 {
          plane.fill(&random)
          other.fill(&random)
        }
        let height = sizes[random.next(0...(sizes.count - 1))]
        let at = DifferenceKernels.Places(
          x: random.next(0...(96 - width)), y: random.next(0...(90 - height)),
          otherX: random.next(0...(120 - width)), otherY: random.next(0...(88 - height)))
        let differences = Self.differences(plane, other, at, width, height)
        var isRight =
          DifferenceKernels.sad(plane.plane, other.plane, at, width: width, height: height)
          == differences.reduce(0) { $0 + abs($1) }
        isRight =
          isRight
          && DifferenceKernels.squares(plane.plane, other.plane, at, width: width, height: height)
            == differences.reduce(0) { $0 + $1 * $1 }
        if width % 4 == 0, height % 4 == 0, depth <= 10 {
          isRight =
            isRight
            && DifferenceKernels.satd(plane.plane, other.plane, at, width: width, height: height)
              == Self.satd(differences, width, height)
        }
        if !isRight {
          Issue.record("\(depth) bit, \(width)x\(height), \(at)")
          return
        }
      }
    }
  }

  @Test(arguments: [8, 10, 12])
  func differencesAreThoseOfTheirDefinition(depth: Int) {
    compare(depth: depth, sizes: Self.sizes, usual: 4)
  }

  /// The largest differences there are.
  @Test(arguments: [8, 10])
  func theLargestDifferences(depth: Int) {
    let plane = Plane(width: 64, height: 64, bitDepth: depth, isWide: depth > 8)
    let other = Plane(width: 64, height: 64, bitDepth: depth, isWide: depth > 8)
    defer {
      plane.free()
      other.free()
    }
    let high = 1 << depth - 1
    plane.fill(with: high)
    let at = DifferenceKernels.Places(x: 0, y: 0, otherX: 0, otherY: 0)
    #expect(DifferenceKernels.sad(plane, other, at, width: 64, height: 64) == 4096 * high)
    #expect(DifferenceKernels.squares(plane, other, at, width: 64, height: 64) == 4096 * high * high)
    // All of a block's differences are in its first sum.
    #expect(DifferenceKernels.satd(plane, other, at, width: 64, height: 64) == 64 * 16 * high)
    #expect(DifferenceKernels.satd(other, plane, at, width: 60, height: 4) == 15 * 8 * high)
  }

  /// Blocks that are not inside their planes, and planes of other forms, cost more than anything.
  @Test func whatIsOutsideIsNotChosen() {
    let plane = Plane(width: 32, height: 32, bitDepth: 8, isWide: false)
    let wide = Plane(width: 32, height: 32, bitDepth: 10, isWide: true)
    defer {
      plane.free()
      wide.free()
    }
    func costs(_ other: Plane, _ x: Int, _ y: Int) -> [Int] {
      let at = DifferenceKernels.Places(x: 0, y: 0, otherX: x, otherY: y)
      return [
        DifferenceKernels.sad(plane, other, at, width: 8, height: 8),
        DifferenceKernels.squares(plane, other, at, width: 8, height: 8),
        DifferenceKernels.satd(plane, other, at, width: 8, height: 8),
      ]
    }
    for (x, y) in [(-1, 0), (0, -1), (25, 0), (0, 25), (Int.max, 0), (0, Int.min)] {
      #expect(costs(plane, x, y) == Array(repeating: DifferenceKernels.unreachable, count: 3))
    }
    #expect(costs(wide, 0, 0) == Array(repeating: DifferenceKernels.unreachable, count: 3))
    #expect(costs(plane, 24, 24) == [0, 0, 0])
  }
}
