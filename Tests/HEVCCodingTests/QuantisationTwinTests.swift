// swift-multiview · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import HEVCCoding

/// Levels and what becomes of them against the equations, in whole numbers of 64 bits.
@Suite struct QuantisationTwinTests {
  /// Equation 8-309 with m = 16.
  private static func scaled(_ level: Int, qp: Int, log2Size: Int, bitDepth: Int) -> Int {
    let shift = bitDepth + log2Size - 5, scale = [40, 45, 51, 57, 64, 72][qp % 6] << (qp / 6)
    return max(-32768, min(32767, (level * 16 * scale + 1 << (shift - 1)) >> shift))
  }

  private func compare(log2Size: Int, bitDepth: Int, usual: Int) {
    let count = 1 << (2 * log2Size)
    let coefficients = Memory<Int16>(count: count, repeating: 0)
    let levels = Memory<Int16>(count: count, repeating: 0), deltas = Memory<Int16>(count: count, repeating: 0)
    let none = Memory<Int16>(count: 0, repeating: 0)
    defer { for memory in [coefficients, levels, deltas, none] { memory.free() } }
    var random = SplitMix(seed: UInt64(log2Size * 100 + bitDepth))
    for round in 0..<TwinRounds.count(usual) {
      let qp = random.next(0...(51 + 6 * (bitDepth - 8))), height = 1 << random.next(1...15) - 1
      let quantiser = QuantisationKernels.Quantiser(
        qp: qp, log2Size: log2Size, bitDepth: bitDepth, offset: random.next(0...256))
      for index in 0..<count { coefficients[index] = Int16(random.next(-height...height)) }
      if round % 8 == 0 { for index in 0..<count { coefficients[index] = index & 1 == 0 ? 32767 : -32767 } }
      let expected = (0..<count).map { index -> (level: Int, delta: Int) in
        let scaled = abs(Int(coefficients[index])) * quantiser.scale
        let level = min(32767, (scaled + quantiser.offset) >> quantiser.shift)
        let delta = min(32767, (scaled - level << quantiser.shift) >> (quantiser.shift - 8))
        return (coefficients[index] < 0 ? -level : level, delta)
      }
      let used = expected.count { $0.level != 0 }
      var isRight =
        QuantisationKernels.quantise(coefficients, to: levels, count: count, quantiser, deltas: none) == used
        && (0..<count).allSatisfy { Int(levels[$0]) == expected[$0].level }
      levels.fill(with: 0)
      isRight =
        isRight
        && QuantisationKernels.quantise(coefficients, to: levels, count: count, quantiser, deltas: deltas)
          == used
        && (0..<count).allSatisfy {
          Int(levels[$0]) == expected[$0].level && Int(deltas[$0]) == expected[$0].delta
        }
      QuantisationKernels.scale(
        levels, to: coefficients, count: count, qp: qp, log2Size: log2Size, bitDepth: bitDepth)
      isRight =
        isRight
        && (0..<count).allSatisfy {
          Int(coefficients[$0])
            == Self.scaled(expected[$0].level, qp: qp, log2Size: log2Size, bitDepth: bitDepth)
        }
      if !isRight {
        Issue.record("\(1 << log2Size), \(bitDepth) bit, qp \(qp), \(quantiser)")
        return
      }
    }
  }

  @Test(arguments: [2, 3, 4, 5], [8, 10, 12])
  func levelsAreThoseOfTheEquations(log2Size: Int, bitDepth: Int) {
    compare(log2Size: log2Size, bitDepth: bitDepth, usual: 24)
  }

  /// A quantiser that rounds to the nearest level and a decoder's scaling lose at most half of a step.
  @Test(arguments: [4, 22, 37, 51])
  func levelsGoBackToTheirCoefficients(qp: Int) {
    let coefficients = Memory<Int16>(count: 1024, repeating: 0),
      levels = Memory<Int16>(count: 1024, repeating: 0)
    let back = Memory<Int16>(count: 1024, repeating: 0), none = Memory<Int16>(count: 0, repeating: 0)
    defer { for memory in [coefficients, levels, back, none] { memory.free() } }
    var random = SplitMix(seed: UInt64(qp))
    for log2Size in 2...5 {
      let count = 1 << (2 * log2Size)
      for index in 0..<count { coefficients[index] = Int16(random.next(-30000...30000)) }
      let quantiser = QuantisationKernels.Quantiser(qp: qp, log2Size: log2Size, bitDepth: 8, offset: 256)
      _ = QuantisationKernels.quantise(coefficients, to: levels, count: count, quantiser, deltas: none)
      QuantisationKernels.scale(levels, to: back, count: count, qp: qp, log2Size: log2Size, bitDepth: 8)
      // A step is 2 to the power of (qp - 4) / 6, in units of 1 << (15 - 8 - log2Size) of a coefficient.
      let step =
        (Double(1 << (qp / 6)) * [0.63, 0.71, 0.8, 0.9, 1.0, 1.13][qp % 6]) * Double(1 << (7 - log2Size))
      #expect((0..<count).allSatisfy { abs(Double(back[$0]) - Double(coefficients[$0])) <= step * 0.52 + 2 })
    }
  }
}
