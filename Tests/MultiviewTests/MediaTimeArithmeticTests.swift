// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import Multiview
import TestSupport
import Testing

/// Times are added as fractions are.
@Suite struct MediaTimeArithmeticTests {
  @Test func fractionsByHand() {
    let half = MediaTime(value: 1, timescale: 2), third = MediaTime(value: 1, timescale: 3)
    #expect((half + third).value == 5 && (half + third).timescale == 6)
    #expect(half - third == MediaTime(value: 1, timescale: 6))
    #expect(third - half == -MediaTime(value: 1, timescale: 6))
    #expect(half + .zero == half && half - half == .zero)
    var sum = MediaTime.zero
    for _ in 0..<3 { sum += MediaTime(value: 1_001, timescale: 30_000) }
    #expect(sum == MediaTime(value: 3_003, timescale: 30_000))
    #expect([half, third, third].reduce(.zero, +) == MediaTime(value: 7, timescale: 6))
  }

  /// Against whole numbers: a/b + c/d is (ad + cb)/bd.
  @Test func fractionsByMultiplication() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      let (b, d) = (Int64.random(in: 1...5_000, using: &random), Int64.random(in: 1...5_000, using: &random))
      let (a, c) = (
        Int64.random(in: -1_000_000...1_000_000, using: &random),
        Int64.random(in: -1_000_000...1_000_000, using: &random)
      )
      let left = MediaTime(value: a, timescale: UInt32(b)), right = MediaTime(value: c, timescale: UInt32(d))
      #expect(left + right == MediaTime(value: a * d + c * b, timescale: UInt32(b * d)))
      #expect(left - right == MediaTime(value: a * d - c * b, timescale: UInt32(b * d)))
    }
  }

  @Test func whatIsTooLargeStaysAtTheEnd() {
    let last = MediaTime(value: .max, timescale: 1), first = MediaTime(value: .min, timescale: 1)
    #expect((last + MediaTime(value: 1, timescale: 1)).value == .max)
    #expect((first - MediaTime(value: 1, timescale: 1)).value == .min)
    #expect((-first).value == .max)
    // No common scale has room for both: the finer one is taken.
    let coarse = MediaTime(value: 1, timescale: 4_294_967_291),
      fine = MediaTime(value: 1, timescale: 4_294_967_279)
    #expect((coarse + fine).timescale == 4_294_967_291 && (coarse + fine).value == 2)
  }

  /// The scales have no common multiple of 32 bits; those of the same times in lowest terms do.
  @Test func timesInUnusualScalesAreAddedExactly() {
    // 17/600, and a time in a scale that is a multiple of 3.
    let short = MediaTime(value: 1_360, timescale: 48_000)
    let long = MediaTime(value: 6_324_072, timescale: 7_496_307)
    // 6324072 · 200 - 17 · 2498769 in units of 1/(600 · 2498769).
    #expect(long - short == MediaTime(value: 1_222_335_327, timescale: 1_499_261_400))
    #expect(short - long == MediaTime(value: -1_222_335_327, timescale: 1_499_261_400))
    #expect(long + short == MediaTime(value: 1_307_293_473, timescale: 1_499_261_400))
    #expect(MediaTime(value: 0, timescale: .max) + short == short)
  }

  @Test func secondsBecomeUnits() {
    #expect(MediaTime(seconds: 1.5) == MediaTime(value: 135_000, timescale: 90_000))
    #expect(MediaTime(seconds: -0.1, timescale: 600) == MediaTime(value: -60, timescale: 600))
    #expect(MediaTime(seconds: 2.0 / 3, timescale: 600).value == 400)
    #expect(MediaTime(seconds: .nan).value == 0 && MediaTime(seconds: .infinity).value == .max)
    #expect(MediaTime(seconds: -1e300).value == .min && MediaTime(seconds: 3, timescale: 0).timescale == 1)
  }

  @Test func timesAreCodable() throws {
    let time = MediaTime(value: -200, timescale: 600)
    let json = try JSONEncoder().encode(time)
    let back = try JSONDecoder().decode(MediaTime.self, from: json)
    #expect(back.value == -200 && back.timescale == 600)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(MediaTime.self, from: Data(#"{"value":1,"timescale":0}"#.utf8))
    }
  }

  @Test(arguments: [
    (0, 600, "0 s"), (3_600, 600, "6 s"), (1, 3, "0.333333 s"), (2, 3, "0.666667 s"), (-1, 4, "-0.25 s"),
    (10_000_500, 1_000_000, "10.0005 s"), (1, 4_000_000, "0 s"), (-90_000, 30_000, "-3 s"),
  ]) func inWords(value: Int64, timescale: UInt32, words: String) {
    #expect(MediaTime(value: value, timescale: timescale).words == words)
  }
}
