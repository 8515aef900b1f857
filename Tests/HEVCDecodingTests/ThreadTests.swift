// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import HEVCDecoding
import TestSupport
import Testing

/// What comes out: pictures with their samples and problems, and what was not decoded at all.
struct DecodingAnswer: Equatable {
  var pictures: [PictureTruth] = []
  var problems: [[PictureProblem]] = []
  var hashes: [PictureHashVerdict] = []
  var tags: [Int] = []
  var failures: [HEVCDecoder.Failure] = []
  /// How many pictures each call answered.
  var counts: [Int] = []

  mutating func add(_ found: [DecodedPicture]) {
    pictures += found.map(DecodedStreamTests.truth)
    problems += found.map(\.problems)
    hashes += found.map(\.hash)
    tags += found.map(\.tag)
    counts.append(found.count)
  }
}

/// However many threads decode, the answers are the same.
@Suite struct ThreadTests {
  static func accessUnits(_ name: String) -> [[NALUnit]] {
    let units = AnnexBNALUnits(Fixtures.bytes("pictures/\(name).bit")).compactMap { try? $0.get() }
    return AccessUnitGrouper.group(units).map(\.units)
  }

  static func decode(
    _ units: [[NALUnit]], threads: Int, by decoder: HEVCDecoder? = nil,
    before: (HEVCDecoder) -> Void = { _ in }
  ) -> DecodingAnswer {
    var options = HEVCDecoder.Options()
    options.threads = threads
    options.maximumLumaSamples = 1 << 18
    let decoder = decoder ?? HEVCDecoder(options)
    var answer = DecodingAnswer()
    for (index, unit) in units.enumerated() {
      before(decoder)
      answer.add(decoder.decode(unit, tag: index))
    }
    answer.add(decoder.finish())
    answer.failures = decoder.takeFailures()
    return answer
  }

  /// Every third of the small streams, and all with layers: `.ci/pictures` decodes the whole corpus with threads.
  private static let names: [String] = {
    let all = PictureTruth.fixtures.keys.sorted()
    return all.indices.filter { $0 % 3 == 0 || all[$0].contains("mv_") }.map { all[$0] }
  }()

  /// The pictures are those of the reference decoders, in their order.
  @Test(arguments: names) func samePictures(_ name: String) throws {
    let truth = try #require(PictureTruth.fixtures[name])
    let answer = Self.decode(Self.accessUnits(name), threads: 3)
    #expect(answer.pictures == truth && !truth.isEmpty)
    #expect(answer.failures == [])
    #expect(answer.problems.allSatisfy(\.isEmpty) && !answer.hashes.contains(.mismatch))
  }

  /// Which pictures a call answers does not depend on how fast the threads are, only on their number.
  @Test func sameCounts() {
    let units = Self.accessUnits("mv_nuh")
    let first = Self.decode(units, threads: 2)
    for _ in 0..<4 { #expect(Self.decode(units, threads: 2) == first) }
    // The same as without threads, and as many pictures later.
    let plain = Self.decode(units, threads: 1)
    #expect(plain.pictures == first.pictures)
    func sums(_ counts: [Int]) -> [Int] { counts.indices.map { counts[...$0].reduce(0, +) } }
    for (later, earlier) in zip(sums(first.counts), sums(plain.counts)) { #expect(later <= earlier) }
  }

  /// Damage, and what replaces it, is the same as well.
  @Test(arguments: DamageTests.names) func sameDamage(_ name: String) {
    let units = Self.accessUnits(name)
    var random = SplitMix(seed: 30)
    for round in 0..<2 {
      var damaged = units
      for _ in 0...round { _ = DamageTests.damage(&damaged, &random) }
      var one = Self.decode(damaged, threads: 1)
      var many = Self.decode(damaged, threads: 4)
      one.counts = []
      many.counts = []
      #expect(one == many, "round \(round)")
    }
  }

  /// A decoder that goes elsewhere, or is let go of while its threads are at work.
  @Test func restartAndEnd() throws {
    let name = try #require(PictureTruth.fixtures.keys.sorted().first { $0.hasPrefix("mv_") })
    let units = Self.accessUnits(name)
    let whole = Self.decode(units, threads: 1)
    var options = HEVCDecoder.Options()
    options.threads = 4
    for count in 0..<min(6, units.count) {
      let decoder = HEVCDecoder(options)
      for unit in units.prefix(count) { _ = decoder.decode(unit) }
      decoder.restart()
      var answer = DecodingAnswer()
      for (index, unit) in units.enumerated() { answer.add(decoder.decode(unit, tag: index)) }
      answer.add(decoder.finish())
      #expect(answer.pictures == whole.pictures)
      // This one is let go of.
      let other = HEVCDecoder(options)
      for unit in units.prefix(count) { _ = other.decode(unit) }
    }
  }
}
