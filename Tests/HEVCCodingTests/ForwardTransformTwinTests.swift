// swift-multiview · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import HEVCCoding

/// Forward transforms against products of matrices, and against the decoder's inverse.
@Suite struct ForwardTransformTwinTests {
  private static let sine = [29, 55, 74, 84, 74, 74, 0, -74, 84, -29, -74, 55, 55, -84, 74, -29]

  private static func matrix(_ log2Size: Int, isSine: Bool) -> [Int] {
    let size = 1 << log2Size
    return isSine
      ? sine
      : (0..<(size * size)).map {
        Int(TransformMatrices.cosineEntry(($0 / size) << (5 - log2Size), $0 % size))
      }
  }

  /// The columns, then the rows, each rounded to the nearest.
  private static func plain(_ residual: [Int], _ log2Size: Int, isSine: Bool, bitDepth: Int) -> [Int] {
    let size = 1 << log2Size, matrix = matrix(log2Size, isSine: isSine)
    func rounded(_ sum: Int, _ shift: Int) -> Int { (sum + (1 << shift) >> 1) >> shift }
    var between = [Int](repeating: 0, count: size * size), result = between
    for k in 0..<size {
      for x in 0..<size {
        var sum = 0
        for j in 0..<size { sum += matrix[k * size + j] * residual[j * size + x] }
        between[k * size + x] = rounded(sum, log2Size + bitDepth - 9)
      }
    }
    for y in 0..<size {
      for k in 0..<size {
        var sum = 0
        for j in 0..<size { sum += matrix[k * size + j] * between[y * size + j] }
        result[y * size + k] = rounded(sum, log2Size + 6)
      }
    }
    return result
  }

  /// Residuals: noise of any height, the ends of the range, and those that make one coefficient as large as it can be.
  private static func residual(
    _ random: inout SplitMix, _ round: Int, _ log2Size: Int, _ bitDepth: Int
  ) -> [Int] {
    let size = 1 << log2Size, high = 1 << bitDepth - 1
    let height = round % 3 == 0 ? high : 1 << random.next(0...bitDepth) - 1
    let u = random.next(0...(size - 1)) << (5 - log2Size), v = random.next(0...(size - 1)) << (5 - log2Size)
    return (0..<(size * size)).map { index in
      switch round % 6 {
      case 0:
        let x = Int(TransformMatrices.cosineEntry(u, index % size))
        let y = Int(TransformMatrices.cosineEntry(v, index / size))
        return x * y < 0 ? -high : high
      case 3: return random.next(0...1) == 0 ? -height : height
      default: return random.next(-height...height)
      }
    }
  }

  private func check(_ log2Size: Int, isSine: Bool, bitDepth: Int, usual: Int) {
    let count = 1 << (2 * log2Size)
    let residual = Memory<Int16>(count: count, repeating: 0)
    let coefficients = Memory<Int16>(count: count, repeating: 0)
    let memory = ForwardTransformMemory()
    defer {
      residual.free()
      coefficients.free()
      memory.free()
    }
    var random = SplitMix(seed: UInt64(log2Size * 100 + bitDepth))
    for round in 0..<TwinRounds.count(usual) {
      let values = Self.residual(&random, round, log2Size, bitDepth)
      for (index, value) in values.enumerated() { residual[index] = Int16(value) }
      ForwardTransformKernels.transform(
        residual, to: coefficients, log2Size: log2Size, isSine: isSine, bitDepth: bitDepth, memory)
      let expected = Self.plain(values, log2Size, isSine: isSine, bitDepth: bitDepth)
      guard (0..<count).allSatisfy({ Int(coefficients[$0]) == expected[$0] }) else {
        Issue.record("\(1 << log2Size), sine \(isSine), \(bitDepth) bit, round \(round)")
        return
      }
    }
  }

  @Test(arguments: [2, 3, 4, 5], [8, 10, 12])
  func cosineTransformsAreThoseOfTheMatrix(log2Size: Int, bitDepth: Int) {
    check(log2Size, isSine: false, bitDepth: bitDepth, usual: log2Size == 5 ? 8 : 24)
  }

  @Test(arguments: [8, 10, 12])
  func theSineTransformIsThatOfTheMatrix(bitDepth: Int) {
    check(2, isSine: true, bitDepth: bitDepth, usual: 60)
  }

  /// A residual that is transformed and transformed back is the same within the rounding.
  @Test(arguments: [2, 3, 4, 5])
  func theInverseUndoesIt(log2Size: Int) {
    let size = 1 << log2Size, count = size * size
    let residual = Memory<Int16>(count: count, repeating: 0)
    let coefficients = Memory<Int16>(count: count, repeating: 0),
      back = Memory<Int16>(count: count, repeating: 0)
    let between = Memory<Int16>(count: 1280, repeating: 0), sums = Memory<Int32>(count: 1024, repeating: 0)
    let memory = ForwardTransformMemory()
    defer {
      for memory in [residual, coefficients, back, between] { memory.free() }
      sums.free()
      memory.free()
    }
    var random = SplitMix(seed: UInt64(log2Size))
    for isSine in log2Size == 2 ? [false, true] : [false] {
      for index in 0..<count { residual[index] = Int16(random.next(-255...255)) }
      ForwardTransformKernels.transform(
        residual, to: coefficients, log2Size: log2Size, isSine: isSine, bitDepth: 8, memory)
      TransformKernels.inverse(
        coefficients, to: back, between: between, sums: sums, log2Size: log2Size, lastColumn: size - 1,
        lastRow: size - 1, isSine: isSine, limit: 1 << 15, shift: 12)
      #expect((0..<count).allSatisfy { abs(Int(back[$0]) - Int(residual[$0])) <= 4 })
    }
  }

  /// Differences of planes, and which bits they have.
  @Test(arguments: [8, 10])
  func differencesAreTakenOfPlanes(depth: Int) {
    var plane = TwinPlane(width: 64, height: 48, depth: depth)
    var prediction = TwinPlane(width: 48, height: 64, depth: depth)
    let residual = Memory<Int16>(count: 1024, repeating: 0)
    defer {
      plane.free()
      prediction.free()
      residual.free()
    }
    var random = SplitMix(seed: UInt64(depth))
    for size in [4, 8, 16, 32] {
      for _ in 0..<TwinRounds.count(8) {
        plane.fill(&random)
        prediction.fill(&random)
        let at = DifferenceKernels.Places(
          x: random.next(0...(64 - size)), y: random.next(0...(48 - size)),
          otherX: random.next(0...(48 - size)), otherY: random.next(0...(64 - size)))
        let expected = (0..<(size * size)).map {
          plane[at.x + $0 % size, at.y + $0 / size] - prediction[at.otherX + $0 % size, at.otherY + $0 / size]
        }
        let bits = ForwardTransformKernels.subtract(
          plane.plane, prediction.plane, at, size: size, to: residual)
        #expect((0..<(size * size)).map { Int(residual[$0]) } == expected)
        #expect(bits == expected.reduce(0) { $0 | abs($1) })
      }
    }
  }
}
