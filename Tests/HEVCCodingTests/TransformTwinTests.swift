// swift-multiview · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import HEVCCoding

@Suite struct TransformTwinTests {
  /// The matrix of 4x4 and the odd rows of 8x8, as the specification prints them.
  @Test func theMatrixIsThatOfTheSpecification() {
    func row(_ row: Int, _ count: Int) -> [Int] {
      (0..<count).map { Int(TransformMatrices.cosineEntry(row, $0)) }
    }
    #expect(
      [0, 8, 16, 24].map { row($0, 4) } == [
        [64, 64, 64, 64], [83, 36, -36, -83], [64, -64, -64, 64], [36, -83, 83, -36],
      ])
    #expect(
      [4, 12, 20, 28].map { row($0, 4) } == [
        [89, 75, 50, 18], [75, -18, -89, -50], [50, -89, 18, 75], [18, -50, 75, -89],
      ])
    #expect(row(2, 8) == [90, 87, 80, 70, 57, 43, 25, 9])
    #expect(row(1, 16) == [90, 90, 88, 85, 82, 78, 73, 67, 61, 54, 46, 38, 31, 22, 13, 4])
  }

  /// Equations 8-340 to 8-346, as they are written.
  private func plain(
    _ coefficients: [Int], log2Size: Int, isSine: Bool, limit: Int, shift: Int
  ) -> [Int] {
    let size = 1 << log2Size
    let sine = [29, 55, 74, 84, 74, 74, 0, -74, 84, -29, -74, 55, 55, -84, 74, -29]
    let matrix =
      isSine
      ? sine
      : (0..<(size * size)).map {
        Int(TransformMatrices.cosineEntry(($0 >> log2Size) << (5 - log2Size), $0 & (size - 1)))
      }
    var between = [Int](repeating: 0, count: size * size), result = between
    for x in 0..<size {
      for y in 0..<size {
        var sum = 0
        for j in 0..<size { sum += matrix[j * size + y] * coefficients[j * size + x] }
        between[y * size + x] = max(-limit, min(limit - 1, (sum + 64) >> 7))
      }
    }
    for y in 0..<size {
      for x in 0..<size {
        var sum = 0
        for j in 0..<size { sum += matrix[j * size + x] * between[y * size + j] }
        result[y * size + x] = (sum + 1 << (shift - 1)) >> shift
      }
    }
    return result
  }

  private func check<C: Coefficient>(_ type: C.Type, _ log2Size: Int, isSine: Bool, range: Int, shift: Int) {
    let size = 1 << log2Size, count = size * size
    let coefficients = Memory<C>(count: count, repeating: 0), residual = Memory<C>(count: count, repeating: 0)
    let between = Memory<C>(count: 1280, repeating: 0), sums = Memory<C.Sum>(count: 1024, repeating: 0)
    defer {
      coefficients.free()
      residual.free()
      between.free()
      sums.free()
    }
    var random = SplitMix(seed: UInt64(log2Size * 100 + range))
    for round in 0..<TwinRounds.count(60) {
      let lastColumn = random.next(0...(size - 1)), lastRow = random.next(0...(size - 1))
      // Every third block goes to the ends of the range, where the intermediate values are held.
      let largest = round % 3 == 0 ? 1 << range - 1 : 1 << random.next(2...range) - 1
      var values = [Int](repeating: 0, count: count)
      for y in 0...lastRow {
        for x in 0...lastColumn where random.next(0...2) > 0 || round % 6 == 0 {
          values[y * size + x] =
            round % 6 == 0
            ? (random.next(0...1) == 0 ? largest : -largest - 1)
            : random.next(-largest...largest)
        }
      }
      for (index, value) in values.enumerated() { coefficients[index] = C(truncatingIfNeeded: value) }
      TransformKernels.inverse(
        coefficients, to: residual, between: between, sums: sums, log2Size: log2Size, lastColumn: lastColumn,
        lastRow: lastRow, isSine: isSine, limit: 1 << range, shift: shift)
      let expected = plain(values, log2Size: log2Size, isSine: isSine, limit: 1 << range, shift: shift)
      #expect((0..<count).map { residual[$0] } == expected.map { C(clamping: $0) })
    }
  }

  @Test(arguments: [2, 3, 4, 5])
  func cosineTransformsAreThoseOfTheEquations(log2Size: Int) {
    for depth in [8, 10, 12] { check(Int16.self, log2Size, isSine: false, range: 15, shift: 20 - depth) }
    check(Int32.self, log2Size, isSine: false, range: 22, shift: 11)
  }

  @Test func theSineTransformIsThatOfTheEquations() {
    for depth in [8, 10, 12] { check(Int16.self, 2, isSine: true, range: 15, shift: 20 - depth) }
    check(Int32.self, 2, isSine: true, range: 22, shift: 11)
  }

  /// Residuals are added and held within the range of samples, also those that are the same everywhere.
  @Test(arguments: [8, 10, 12])
  func residualsAreAdded(depth: Int) {
    var plane = TwinPlane(width: 64, height: 40, depth: depth)
    let residual = Memory<Int16>(count: 1024, repeating: 0)
    defer {
      plane.free()
      residual.free()
    }
    var random = SplitMix(seed: 5)
    let high = 1 << depth - 1
    for log2Size in 2...5 {
      let size = 1 << log2Size
      for round in 0..<TwinRounds.count(12) {
        if round & 63 == 0 { plane.fill(&random) }
        let height = 1 << random.next(1...15) - 1, same = random.next(-height - 1...height)
        for index in 0..<(size * size) { residual[index] = Int16(random.next(-height - 1...height)) }
        let x = random.next(0...(64 - size)), y = random.next(0...(40 - size)), isSame = round % 3 == 0
        var expected = plane.samples
        for index in 0..<(size * size) {
          let place = (y + index / size) * 64 + x + index % size
          expected[place] = max(0, min(high, expected[place] + (isSame ? same : Int(residual[index]))))
        }
        if isSame {
          TransformKernels.add(same, to: plane.plane, x: x, y: y, size: size)
        } else {
          TransformKernels.add(residual, to: plane.plane, x: x, y: y, size: size)
        }
        guard plane.hasSamples(expected) else {
          Issue.record("\(depth) bit, \(size), the same \(isSame)")
          return
        }
        plane.accept(expected)
      }
    }
  }

  /// Blocks with the lowest coefficient alone have one residual; others are not taken for such.
  @Test(arguments: [2, 3, 4, 5], [8, 9, 12])
  func theLowestCoefficientAlone(log2Size: Int, shift: Int) {
    let count = 1 << (2 * log2Size)
    let coefficients = Memory<Int16>(count: count, repeating: 0)
    defer { coefficients.free() }
    func constant(_ lastColumn: Int, isSine: Bool = false) -> Int? {
      TransformKernels.constant(
        coefficients, log2Size: log2Size, lastColumn: lastColumn, lastRow: 3, isSine: isSine, limit: 1 << 15,
        shift: shift)
    }
    for lowest in [-32768, -1000, -1, 0, 1, 77, 32767] {
      coefficients[0] = Int16(lowest)
      let expected = plain(
        [lowest] + Array(repeating: 0, count: count - 1), log2Size: log2Size, isSine: false, limit: 1 << 15,
        shift: shift)
      #expect(constant(3) == expected[0] && expected.allSatisfy { $0 == expected[0] })
    }
    #expect(constant(3, isSine: true) == nil)
    #expect(constant(7) == nil)
    for place in [1, 3, 1 << log2Size, 3 << log2Size, 3 << log2Size + 3] {
      coefficients[place] = -1
      #expect(constant(3) == nil)
      coefficients[place] = 0
    }
  }
}
