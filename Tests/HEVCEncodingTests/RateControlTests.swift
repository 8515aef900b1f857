// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import TestSupport
import Testing

@testable import HEVCEncoding

@Suite struct RateControlTests {
  /// A movie whose pictures cost what a formula says, not an encoder: scenes of other complexity, noise, and a steeper fall
  /// with the parameter than the control expects.
  private struct Scenes {
    var complexities: [Double]
    var falls: Double
    var random: SplitMix
    /// Bits of a picture of the first level, at a parameter of 0.
    let bits: Double

    mutating func bits(_ picture: PlannedPicture, qp: Int, of count: Int) -> Int {
      let scene = complexities[min(complexities.count - 1, picture.number * complexities.count / count)]
      let share = picture.isKey ? 4 : PortableMath.exp2(-Double(picture.level) * 1.2)
      let noise = 0.8 + 0.4 * Double(random.next(0...1_000)) / 1_000
      return Int(bits * scene * share * noise * PortableMath.exp2(-Double(qp) / falls)) + 40
    }
  }

  private struct Case: Sendable, CustomStringConvertible {
    var rate: Double, complexities: [Double], falls = 6.0, groupSize = 8, keyInterval = 60
    var description: String {
      "\(rate) bits a second, \(complexities), \(falls), \(groupSize), \(keyInterval)"
    }
  }

  private static let cases: [Case] = [
    Case(rate: 2e6, complexities: [1]),
    Case(rate: 8e6, complexities: [1], falls: 4.5),
    Case(rate: 400e3, complexities: [1], falls: 7),
    Case(rate: 2e6, complexities: [1, 1.5, 0.8, 1.2]),
    Case(rate: 2e6, complexities: [0.1]),
    Case(rate: 2e6, complexities: [6]),
    Case(rate: 2e6, complexities: [1, 2], groupSize: 1),
    Case(rate: 2e6, complexities: [1, 2], groupSize: 4, keyInterval: 300),
    Case(rate: 4e6, complexities: [1, 2], groupSize: 1, keyInterval: 1),
  ]

  /// The average of 300 pictures is within 3 % of what is wanted.
  @Test(arguments: cases.indices) func theAverageIsMet(index: Int) {
    let test = Self.cases[index]
    let count = 300
    var scenes = Scenes(
      complexities: test.complexities, falls: test.falls, random: SplitMix(seed: UInt64(index + 1)),
      bits: 3e6)
    var configuration = EncoderConfiguration()
    configuration.maxKeyFrameInterval = test.keyInterval
    configuration.maxKeyFrameIntervalDuration = 1e6
    let order = PictureOrder(groupSize: test.groupSize, anchorCount: 2)
    var budget = BitBudget(
      CostModel(levels: order.levels, samples: 1_280 * 720),
      rate: RateControl(bitRate: test.rate, frameRate: 30, keyInterval: test.keyInterval, order: order),
      limit: nil)
    var planner = GroupPlanner(order, keyInterval: test.keyInterval)
    var total = 0, planned = 0, told = 0
    var bits: [Int] = []
    func encode(_ pictures: [PlannedPicture]) {
      while told < planned - order.ratingDelay {
        budget.add(bits: bits[told])
        told += 1
      }
      let budgeted = budget.plan(pictures, base: 0, offset: configuration.qpOffset)
      #expect(budgeted.map(\.picture) == pictures && budgeted.allSatisfy { (0...51).contains($0.qp) })
      for picture in budgeted {
        bits.append(scenes.bits(picture.picture, qp: picture.qp, of: count))
        total += bits.last ?? 0
      }
      planned += pictures.count
    }
    for _ in 0..<count { encode(planner.add()) }
    encode(planner.finish())
    #expect(planned == count)
    let wanted = test.rate * Double(count) / 30
    let difference = Double(total) / wanted - 1
    #expect(abs(difference) <= 0.03, "\(test): \(difference)")
  }

  /// The bits of each picture, in the order of display, of a scene encoded at a rate with these times.
  private static func bits(_ times: [Double], rate: Double, complexity: Double, seed: UInt64) -> [Int] {
    var scenes = Scenes(complexities: [complexity], falls: 6, random: SplitMix(seed: seed), bits: 3e6)
    let configuration = EncoderConfiguration(), order = PictureOrder(groupSize: 8, anchorCount: 2)
    var budget = BitBudget(
      CostModel(levels: order.levels, samples: 1_280 * 720),
      rate: RateControl(bitRate: rate, frameRate: 30, keyInterval: 60, order: order), limit: nil)
    var planner = GroupPlanner(order, keyInterval: 60, keySeconds: 2)
    var told = 0
    var coded: [Int] = [], shown = Array(repeating: 0, count: times.count)
    func encode(_ pictures: [PlannedPicture]) {
      while told < coded.count - order.ratingDelay {
        budget.add(bits: coded[told])
        told += 1
      }
      let budgeted = budget.plan(
        pictures, base: 0, seconds: { $0.number > 0 ? times[$0.number] - times[$0.number - 1] : nil },
        offset: configuration.qpOffset)
      for picture in budgeted {
        let bits = scenes.bits(picture.picture, qp: picture.qp, of: times.count)
        coded.append(bits)
        shown[picture.picture.number] = bits
      }
    }
    for time in times { encode(planner.add(time: time)) }
    encode(planner.finish())
    #expect(coded.count == times.count)
    return shown
  }

  /// The same if half of the pictures are shown three times as long as the frame rate says: the average is that of the time.
  @Test(arguments: [1.0, 0.2]) func theAverageOfUnevenTimesIsMet(complexity: Double) {
    let rate = 2e6
    var times: [Double] = [], now = 0.0
    for number in 0..<600 {
      times.append(now)
      now += number / 150 % 2 == 0 ? 1.0 / 30 : 0.1
    }
    let total = Self.bits(times, rate: rate, complexity: complexity, seed: 5).reduce(0, +)
    let difference = Double(total) / (rate * now) - 1
    #expect(abs(difference) <= 0.03, "\(difference)")
  }

  /// A pause is not made good: without a limit, the pictures after a minute took more than four times the rate.
  @Test func aPauseIsNotSpentOnThePicturesAfterIt() {
    let count = 300, pause = 150, rate = 2e6
    let times = (0..<count).map { Double($0) / 30 + ($0 < pause ? 0 : 60) }
    let after = Self.bits(times, rate: rate, complexity: 1, seed: 6)[pause...].reduce(0, +)
    let wanted = rate * Double(count - pause) / 30
    #expect(Double(after) < 1.4 * wanted, "\(Double(after) / wanted)")
  }

  /// The first pictures, whose cost nobody knows yet, are planned by what they show: noise, which takes ten times as many bits as
  /// other pictures do, took six times its share.
  @Test func theFirstPicturesAreNearTheRate() throws {
    let format = SourceFormat(size: PictureSize(width: 128, height: 128))
    let share = 1.5 * 128 * 128
    var random = SplitMix(seed: 11)
    var configuration = EncoderConfiguration()
    configuration.effort = 1
    configuration.averageBitRate = Int(share * 30)
    configuration.findsSceneCuts = false
    let encoder = try HEVCEncoder(format, views: 1, configuration)
    var units: [EncodedAccessUnit] = []
    for _ in 0..<20 {
      let luma = (0..<(128 * 128)).map { _ in UInt8(random.next(0...255)) }
      let picture = try SourcePicture(
        format, bytes: ByteView(luma + [UInt8](repeating: 128, count: 128 * 64)))
      units += try encoder.encode([picture])
    }
    units += try encoder.finish()
    let first = units.prefix(9).reduce(0) { $0 + $1.units.bits }
    #expect(Double(first) < 9 * 3 * share, "\(Double(first) / 9 / share)")
  }

  @Test func powersAndLogarithmsAgree() {
    for value in stride(from: -20.0, through: 20, by: 0.37) {
      #expect(abs(PortableMath.log2(PortableMath.exp2(value)) - value) < 1e-12)
    }
    #expect(PortableMath.exp2(10) == 1_024 && PortableMath.exp2(-1) == 0.5 && PortableMath.log2(8) == 3)
    #expect(abs(PortableMath.log10(1_000) - 3) < 1e-14)
  }
}
