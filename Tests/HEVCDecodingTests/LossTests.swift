// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import HEVCDecoding
import TestSupport
import Testing

/// A picture that is lost: every later one that is not what it would have been says so.
@Suite struct LossTests {
  private struct Place: Hashable {
    let tag: Int
    let layerID: UInt8
  }

  private static let names: [String] = {
    let all = PictureTruth.fixtures.keys.sorted()
    return all.indices.filter { $0 % 4 == 1 || all[$0].hasPrefix("mv_") }.map { all[$0] }
  }()

  private static func decode(_ units: [[NALUnit]], checksHashes: Bool, threads: Int) -> [DecodedPicture] {
    var options = HEVCDecoder.Options()
    options.checksHashes = checksHashes
    options.threads = threads
    let decoder = HEVCDecoder(options)
    var pictures: [DecodedPicture] = []
    for (index, unit) in units.enumerated() { pictures += decoder.decode(unit, tag: index) }
    return pictures + decoder.finish()
  }

  private static func isInherited(_ problem: PictureProblem) -> Bool {
    if case .inherited = problem { true } else { false }
  }

  /// The stream without the slices of one picture of the base layer.
  private static func without(_ index: Int, _ units: [[NALUnit]]) -> [[NALUnit]] {
    var units = units
    units[index].removeAll { $0.type.isSliceSegment && $0.layerID == 0 }
    return units
  }

  @Test(arguments: names, [false, true]) func laterPicturesSaySo(_ name: String, _ checksHashes: Bool) {
    let units = ThreadTests.accessUnits(name)
    // Two streams have two pictures, of which the second is lost below.
    #expect(units.count > 1)
    var truth: [Place: [String]] = [:]
    for picture in Self.decode(units, checksHashes: false, threads: 1) {
      truth[Place(tag: picture.tag, layerID: picture.layerID)] = DecodedStreamTests.truth(picture).hashes
    }
    for lost in Set([1, units.count / 2]) {
      let damaged = Self.without(lost, units)
      let found = Self.decode(damaged, checksHashes: checksHashes, threads: 1)
      for picture in found {
        let place = Place(tag: picture.tag, layerID: picture.layerID)
        let isSame = truth[place] == DecodedStreamTests.truth(picture).hashes
        if !isSame { #expect(!picture.problems.isEmpty, "\(name) without \(lost): \(place)") }
        if picture.hash == .mismatch { #expect(!picture.problems.isEmpty) }
        if picture.hash == .match { #expect(!picture.problems.contains(where: Self.isInherited)) }
        if picture.tag < lost { #expect(picture.problems.isEmpty) }
      }
      let threaded = Self.decode(damaged, checksHashes: checksHashes, threads: 3)
      #expect(threaded.map(\.problems) == found.map(\.problems))
    }
  }

  /// Where nothing is lost, nothing is said; and of a loss not only the picture itself says something.
  @Test func onlyAfterALoss() {
    let units = ThreadTests.accessUnits("mv_far")
    let whole = Self.decode(units, checksHashes: false, threads: 1)
    #expect(whole.allSatisfy(\.problems.isEmpty) && whole.count > 4)
    let found = Self.decode(Self.without(1, units), checksHashes: false, threads: 1)
    #expect(found.contains { $0.problems.contains(where: Self.isInherited) })
  }
}
