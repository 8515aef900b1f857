// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Foundation
import HEVC
import HEVCDecoding
import TestSupport
import Testing

/// Changed and cut streams: nothing traps, and every picture of an access unit before the damage is exact.
///
/// `MV_DAMAGE_ROUNDS` says how often each stream is damaged: 500 make twenty thousand, best under the address sanitizer.
@Suite struct DamageTests {
  private static let rounds = ProcessInfo.processInfo.environment["MV_DAMAGE_ROUNDS"].flatMap { Int($0) }

  /// Without that, a few streams: without optimisation, decoding takes its time.
  static let names: [String] = {
    let all = PictureTruth.fixtures.keys.sorted()
    return rounds == nil ? all.indices.filter { $0 % 5 == 0 }.map { all[$0] } : all
  }()

  /// A stream, its access units, and what they decode to.
  private struct Whole {
    var units: [[NALUnit]]
    var truth: [Place: [String]] = [:]
  }

  private struct Place: Hashable {
    let tag: Int
    let layerID: UInt8
  }

  private static func decode(_ units: [[NALUnit]], undecoded sample: Int? = nil) -> [DecodedPicture] {
    var options = HEVCDecoder.Options()
    options.undecodedSample = sample
    // What a damaged set may ask for at most; all these streams are smaller.
    options.maximumLumaSamples = 1 << 18
    let decoder = HEVCDecoder(options)
    var pictures: [DecodedPicture] = []
    for (index, unit) in units.enumerated() { pictures += decoder.decode(unit, tag: index) }
    return pictures + decoder.finish()
  }

  private static func whole(_ name: String) -> Whole {
    let all = AnnexBNALUnits(Fixtures.bytes("pictures/\(name).bit")).compactMap { try? $0.get() }
    var whole = Whole(units: AccessUnitGrouper.group(all).map(\.units))
    for picture in decode(whole.units) {
      whole.truth[Place(tag: picture.tag, layerID: picture.layerID)] =
        DecodedStreamTests.truth(picture).hashes
    }
    return whole
  }

  /// Damages a unit; answers the access unit that it is in.
  static func damage(_ units: inout [[NALUnit]], _ random: inout SplitMix) -> Int {
    // Slices more often than the rest, which is small.
    var place = (0, 0)
    for _ in 0..<4 {
      let index = random.next(0...(units.count - 1))
      place = (index, random.next(0...(units[index].count - 1)))
      if units[place.0][place.1].type.isSliceSegment { break }
    }
    let (index, number) = place
    var bytes = units[index][number].bytes.array
    switch random.next(0...9) {
    case 0: units[index].remove(at: number)
    case 1: units[index].insert(units[random.next(0...(units.count - 1))][0], at: number)
    case 2: units[index].swapAt(number, random.next(0...(units[index].count - 1)))
    case 3, 4:
      bytes.removeLast(random.next(0...(bytes.count - 2)))
      units[index][number] = NALUnit(ByteView(bytes)) ?? units[index][number]
    case 5:
      let first = random.next(2...max(2, bytes.count - 1)), count = random.next(1...32)
      for position in first..<min(bytes.count, first + count) {
        bytes[position] = UInt8(truncatingIfNeeded: random.next())
      }
      units[index][number] = NALUnit(ByteView(bytes)) ?? units[index][number]
    default:
      for _ in 0..<random.next(1...4) {
        bytes[random.next(0...(bytes.count - 1))] ^= 1 << UInt8(random.next(0...7))
      }
      units[index][number] = NALUnit(ByteView(bytes)) ?? units[index][number]
    }
    return index
  }

  @Test(arguments: names) func picturesBeforeTheDamage(_ name: String) {
    let whole = Self.whole(name)
    var random = SplitMix(seed: name.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
    for round in 0..<(Self.rounds ?? 2) {
      var units = whole.units
      let index = Self.damage(&units, &random)
      let found = Self.decode(units)
      for picture in found where picture.tag < index {
        let place = Place(tag: picture.tag, layerID: picture.layerID)
        guard let truth = whole.truth[place] else { continue }
        if DecodedStreamTests.truth(picture).hashes != truth {
          Issue.record("round \(round), damage in access unit \(index): picture \(place) is another one")
          return
        }
      }
      #expect(found.count <= 2 * whole.truth.count + 64)
      // Samples that nobody decoded are not shown, nor are others predicted from them.
      let again = Self.decode(units, undecoded: 200)
      #expect(
        again.map { DecodedStreamTests.truth($0).hashes }
          == found.map { DecodedStreamTests.truth($0).hashes },
        "round \(round), damage in access unit \(index)")
    }
  }
}
