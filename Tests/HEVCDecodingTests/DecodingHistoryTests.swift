// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Foundation
import HEVC
import HEVCCoding
import TestSupport
import Testing

@testable import HEVCDecoding

/// The same bytes decode to the same samples, whatever the decoder decoded before and with however many threads: no
/// picture depends on what an earlier one left in the memory that both used.
@Suite struct DecodingHistoryTests {
  /// Streams that lack something, by name: slices of all pictures but the first, or what random damage takes. A few,
  /// because decoding without optimisation takes its time; in `wpp_dep` edges beside missing blocks are filtered.
  private static let damaged: [(name: String, units: [[NALUnit]])] = {
    var streams: [(name: String, units: [[NALUnit]])] = []
    for (index, name) in ["wpp_dep", "slices_ctu", "mv_nuh", "crop_d"].enumerated() {
      let units = ThreadTests.accessUnits(name)
      var random = SplitMix(seed: UInt64(71 + index))
      streams.append((name + " without a slice", withoutSlices(units) { $0 / 2 }))
      var hurt = units
      for _ in 0..<3 { _ = DamageTests.damage(&hurt, &random) }
      streams.append((name + ", damaged", hurt))
    }
    return streams
  }()

  /// Leaves one of several slices out of each access unit but the first: the one at `place`, by their number.
  private static func withoutSlices(_ units: [[NALUnit]], _ place: (Int) -> Int) -> [[NALUnit]] {
    units.enumerated().map { index, units in
      let slices = units.indices.filter { units[$0].type.isSliceSegment }
      guard index > 0, slices.count > 1 else { return units }
      var units = units
      units.remove(at: slices[place(slices.count)])
      return units
    }
  }

  /// Streams of the corpus whose damaged pictures once differed from run to run.
  private static let found: [String] = Corpus.files("found/2").filter { $0.contains("race_") }

  private static func accessUnits(_ name: String) -> [[NALUnit]] {
    let units = AnnexBNALUnits(Corpus.bytes(name)).compactMap { try? $0.get() }
    return AccessUnitGrouper.group(units).map(\.units)
  }

  /// Compares all but the numbers of pictures that each call returned, which depend on the number of threads.
  private static func expectSame(_ one: DecodingAnswer, _ other: DecodingAnswer, _ name: String) {
    for index in one.pictures.indices where index < other.pictures.count {
      guard one.pictures[index] == other.pictures[index] else {
        Issue.record("\(name): picture \(index) has other samples")
        return
      }
    }
    var one = one, other = other
    one.counts = []
    other.counts = []
    #expect(one == other, "\(name)")
  }

  /// Whatever a picture does not write itself is garbage, if it is not cleared.
  private static func scribble(_ decoder: HEVCDecoder, _ value: Int) {
    for memory in decoder.decoderMemory.idleMemory { memory.scribble(value) }
  }

  @Test func memoryOfEarlierPictures() {
    for (name, units) in Self.damaged {
      let plain = ThreadTests.decode(units, threads: 1)
      var value = 40
      let other = ThreadTests.decode(units, threads: 1) { decoder in
        Self.scribble(decoder, value)
        value = (value * 5 + 3) & 63
      }
      Self.expectSame(plain, other, name)
    }
  }

  @Test(.enabled(if: !found.isEmpty), arguments: found) func memoryOfEarlierPictures(_ name: String) {
    let units = Self.accessUnits(name)
    let plain = ThreadTests.decode(units, threads: 1)
    #expect(plain.pictures.count > 1 && plain.problems.contains { !$0.isEmpty })
    Self.expectSame(plain, ThreadTests.decode(units, threads: 1) { Self.scribble($0, 45) }, name)
    for threads in [2, 3, 5] { Self.expectSame(plain, ThreadTests.decode(units, threads: threads), name) }
  }

  @Test func numbersOfThreads() {
    for (name, units) in Self.damaged.prefix(3) {
      let plain = ThreadTests.decode(units, threads: 1)
      for threads in [2, 3, 5] {
        Self.expectSame(plain, ThreadTests.decode(units, threads: threads), "\(name), \(threads) threads")
      }
    }
  }

  /// A decoder that has decoded another stream first, of the same size and of another one.
  @Test(arguments: [1, 3]) func anotherStreamFirst(_ threads: Int) {
    var options = HEVCDecoder.Options()
    options.threads = threads
    options.maximumLumaSamples = 1 << 18
    let streams = Self.damaged.prefix(4)
    for (index, (name, units)) in streams.enumerated() {
      let plain = ThreadTests.decode(units, threads: 1)
      let decoder = HEVCDecoder(options)
      for first in [units.reversed(), streams[(index + 2) % streams.count].units, units] {
        _ = ThreadTests.decode(first, threads: threads, by: decoder)
        decoder.restart()
      }
      Self.expectSame(plain, ThreadTests.decode(units, threads: threads, by: decoder), name)
    }
  }
}

extension CodingMemory {
  /// Writes a value wherever a picture may leave something behind. What depends on the geometry alone stays.
  func scribble(_ value: Int) {
    let byte = UInt8(truncatingIfNeeded: value), signed = Int8(truncatingIfNeeded: value)
    tables.info.fill(with: byte)
    tables.qp.fill(with: signed)
    tables.intraMode.fill(with: byte % 35)
    var motion = Motion()
    motion.vector0 = MotionVector(x: Int16(value), y: Int16(-value))
    motion.vector1 = MotionVector(x: Int16(value * 3), y: Int16(value))
    motion.slot1 = byte
    tables.motion.fill(with: motion)
    tables.edges.fill(with: 15)
    tables.sliceAddress.fill(with: 0)
    tables.betaOffset.fill(with: signed / 5)
    tables.tcOffset.fill(with: signed / 5)
    tables.filterFlags.fill(with: 3)
    tables.saoType.fill(with: 1 + byte % 2)
    tables.saoBand.fill(with: byte % 4)
    tables.saoOffset.fill(with: Int16(value))
    tables.slotOrderCount.fill(with: Int32(value))
    tables.slotIsLongTerm.fill(with: value & 1 == 0)
    for memory in [scratch.residual, scratch.between, scratch.prediction0, scratch.prediction1, scratch.rows]
    {
      memory.fill(with: Int16(value))
    }
    for memory in [
      scratch.sums, scratch.longResidual, scratch.longBetween, scratch.lumaResidual, scratch.longPrediction0,
      scratch.longPrediction1, scratch.longRows,
    ] {
      memory.fill(with: Int32(value))
    }
    scratch.longSums.fill(with: Int64(value))
    for memory in [scratch.border, scratch.filteredBorder, scratch.side] { memory.fill(with: UInt16(value)) }
    for plane in [scratch.patch, rows.unfiltered, rows.above.0, rows.above.1, rows.above.2] {
      plane.fill(with: value)
    }
  }
}
