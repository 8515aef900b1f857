// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import MoviePictures

/// Tone mapping against the equations of BT.2100, BT.2390 and IEC 61966-2-1 in floating point, with the matrices that BT.2087
/// and others print.
@Suite struct ToneMappingTests {
  // MARK: Powers

  @Test func powersAreThose() {
    var worst = 0.0
    for step in 1...4_000 {
      let x = Double(step * step) / 1_000_003
      worst = max(worst, abs(Exponentials.log2(x) - Foundation.log2(x)))
      let exponent = Double(step - 2_000) / 37
      worst = max(worst, abs(Exponentials.exp2(exponent) / Foundation.exp2(exponent) - 1))
      worst = max(worst, abs(Exponentials.power(x, 0.159) / Foundation.pow(x, 0.159) - 1))
    }
    #expect(worst < 1e-13)
    #expect(Exponentials.log2(0) == -.infinity && Exponentials.log2(-1) == -.infinity)
    #expect(Exponentials.exp2(-5_000) == 0 && Exponentials.exp2(5_000) == .infinity)
    #expect(Exponentials.power(0, 0.5) == 0 && Exponentials.power(-1, 0.5) == 0)
  }

  // MARK: The model

  private static func pqLight(_ v: Double) -> Double {
    let p = pow(v, 1 / 78.84375)
    return 10_000 * pow(max(p - 0.8359375, 0) / (18.8515625 - 18.6875 * p), 1 / 0.1593017578125)
  }

  private static func pqNumber(_ light: Double) -> Double {
    let y = pow(light / 10_000, 0.1593017578125)
    return pow((0.8359375 + 18.8515625 * y) / (1 + 18.6875 * y), 78.84375)
  }

  /// BT.2390-10, 5.4.1, to 203 candelas per square metre, with black at 0.
  private static func bent(_ light: Double, peak: Double) -> Double {
    let whole = pqNumber(peak), maxLum = pqNumber(203) / whole
    let e1 = min(1, pqNumber(light) / whole), ks = 1.5 * maxLum - 0.5
    if e1 < ks || ks >= 1 { return min(light, 203) }
    let t = (e1 - ks) / (1 - ks)
    let e2 =
      (2 * pow(t, 3) - 3 * pow(t, 2) + 1) * ks + (pow(t, 3) - 2 * pow(t, 2) + t) * (1 - ks)
      + (-2 * pow(t, 3) + 3 * pow(t, 2)) * maxLum
    return pqLight(e2 * whole)
  }

  /// From BT.2020 to BT.709, and from P3 with D65, as they are printed with four digits.
  private static let matrices: [Int: [[Double]]] = [
    9: [[1.6605, -0.5876, -0.0728], [-0.1246, 1.1329, -0.0083], [-0.0182, -0.1006, 1.1187]],
    12: [[1.2249, -0.2249, 0], [-0.0421, 1.0421, 0], [-0.0196, -0.0786, 1.0983]],
    1: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  ]

  private static func encoded(_ light: [Double], primaries: Int) -> [Double] {
    let matrix = matrices[primaries] ?? []
    return matrix.map { row in
      let value = max(0, min(1, zip(row, light).reduce(0) { $0 + $1.0 * $1.1 }))
      return 255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055)
    }
  }

  /// Numbers of 16 bits: the ends, greys, single colours, and what a generator gives.
  private static func pixels() -> [[UInt16]] {
    var found: [[UInt16]] = []
    for value in stride(from: 0, through: 65_535, by: 3_855) {
      let v = UInt16(value)
      found += [[v, v, v], [v, 0, 0], [0, v, 0], [0, 0, v], [v, v / 2, v / 3]]
    }
    var state: UInt64 = 88_172_645_463_325_252
    for _ in 0..<2_000 {
      found.append(
        (0..<3).map { _ in
          state ^= state << 13
          state ^= state >> 7
          state ^= state << 17
          return UInt16(truncatingIfNeeded: state >> 20)
        })
    }
    return found
  }

  private static func mapped(_ pixels: [[UInt16]], _ mapping: ToneMapping) throws -> [[Double]] {
    let picture = try #require(
      RGBPicture(width: pixels.count, height: 1, depth: .sixteen, samples: pixels.flatMap { $0 }))
    let result = mapping.apply(to: picture)
    #expect(result.depth == .eight && result.primaries == 1 && result.transfer == 13)
    return pixels.indices.map { pixel in (0..<3).map { Double(result.samples[3 * pixel + $0]) } }
  }

  /// What is printed with four digits is that exact.
  @Test(arguments: [1, 9, 12]) func matricesAreThose(primaries: Int) throws {
    let from = try #require(ColourPrimaries(code: primaries)), to = try #require(ColourPrimaries(code: 1))
    let printed = try #require(Self.matrices[primaries])
    for (row, expected) in zip(from.converted(to: to), printed) {
      for (value, wanted) in zip(row, expected) { #expect(abs(value - wanted) < 0.0001) }
    }
  }

  @Test(arguments: [9, 12, 1], [1_000.0, 4_000.0, 203.0])
  func perceptualQuantizer(primaries: Int, peak: Double) throws {
    let pixels = Self.pixels()
    let mapping = try #require(ToneMapping(transfer: 16, primaries: primaries, peak: peak))
    for (pixel, found) in zip(pixels, try Self.mapped(pixels, mapping)) {
      let light = pixel.map { Self.pqLight(Double($0) / 65_535) }
      let brightest = light.max() ?? 0
      let gain = brightest > 0 ? Self.bent(brightest, peak: peak) / brightest / 203 : 0
      let expected = Self.encoded(light.map { $0 * gain }, primaries: primaries)
      // Half a step of rounding, and what four digits of the matrix leave open.
      for (value, wanted) in zip(found, expected) { #expect(abs(value - wanted) < 1, "\(pixel)") }
    }
  }

  @Test(arguments: [9, 1]) func hybridLogGamma(primaries: Int) throws {
    let pixels = Self.pixels()
    let mapping = try #require(ToneMapping(transfer: 18, primaries: primaries))
    for (pixel, found) in zip(pixels, try Self.mapped(pixels, mapping)) {
      let scene = pixel.map { number -> Double in
        let e = Double(number) / 65_535
        return e <= 0.5 ? e * e / 3 : (Foundation.exp((e - 0.55991073) / 0.17883277) + 0.28466892) / 12
      }
      let luma = 0.2627 * scene[0] + 0.6780 * scene[1] + 0.0593 * scene[2]
      let light = scene.map { luma > 0 ? 1_000 * pow(luma, 0.2) * $0 : 0 }
      let brightest = light.max() ?? 0
      let gain = brightest > 0 ? Self.bent(brightest, peak: 1_000) / brightest / 203 : 0
      let expected = Self.encoded(light.map { $0 * gain }, primaries: primaries)
      for (value, wanted) in zip(found, expected) { #expect(abs(value - wanted) < 1, "\(pixel)") }
    }
  }

  /// Black stays black, the peak becomes white, and what is brighter in is not darker out.
  @Test(arguments: [16, 18]) func greysKeepTheirOrder(transfer: Int) throws {
    let greys = (0..<1_024).map { [UInt16](repeating: UInt16($0 * 65_535 / 1_023), count: 3) }
    let mapping = try #require(ToneMapping(transfer: transfer, primaries: 9))
    let found = try Self.mapped(greys, mapping).map { $0[1] }
    #expect(found.first == 0 && found.last == 255)
    #expect(zip(found, found.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(Set(found).count > 200)
  }

  @Test func othersStay() {
    for transfer in [nil, 1, 6, 13, 14] { #expect(ToneMapping(transfer: transfer, primaries: 9) == nil) }
    #expect(ToneMapping(transfer: 16, primaries: nil) != nil)
  }

  @Test func alphaStays() throws {
    let mapping = try #require(ToneMapping(transfer: 16, primaries: 1))
    let picture = try #require(
      RGBPicture(
        width: 2, height: 1, depth: .sixteen, hasAlpha: true, samples: [0, 0, 0, 65_535, 0, 0, 0, 257 * 9]))
    #expect(mapping.apply(to: picture).samples == [0, 0, 0, 255, 0, 0, 0, 9])
  }
}
