// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import HEVCCoding
import TestSupport
import Testing
import Threads

@testable import HEVCDecoding

/// Threads take no more memory than allowed, whatever the timing, unless everything would wait forever.
@Suite struct DecodingScheduleTests {
  @Test func theEarliestTakesMemoryFirst() {
    var state = DecodingSchedule.State(threads: 2)
    state.capacity = 4
    state.inMemory = 2
    state.inProgress = [(7, false), (8, false)]
    #expect(state.mayTakeMemory(0) && !state.mayTakeMemory(1))
    state.inProgress[0].hasMemory = true
    state.inMemory = 3
    #expect(state.mayTakeMemory(1))
    state.inMemory = 4
    #expect(!state.mayTakeMemory(1))
  }

  @Test func beyondTheCapacityOnlyIfEverythingWaits() {
    var state = DecodingSchedule.State(threads: 2)
    state.capacity = 4
    state.inMemory = 4
    state.inProgress = [(7, false)]
    // The caller may release one.
    #expect(!state.mayTakeMemory(0))
    // The other thread is about to take a picture, and the caller then continues.
    state.need = .room
    #expect(!state.mayTakeMemory(0))
    state.inProgress.append((8, false))
    #expect(state.mayTakeMemory(0) && !state.mayTakeMemory(1))
    state.need = .picture(8)
    #expect(state.mayTakeMemory(0) && !state.mayTakeMemory(1))
    // The first one continues, and releases some when it is finished.
    state.inProgress[0].hasMemory = true
    #expect(!state.mayTakeMemory(1))
    // Nobody releases any more.
    state.isOver = true
    #expect(state.mayTakeMemory(1))
  }

  @Test func picturesOfTheCallerDoNotCount() {
    var state = DecodingSchedule.State(threads: 2)
    state.capacity = 4
    state.inMemory = 6
    state.inProgress = [(7, false)]
    state.kept = 2
    #expect(!state.mayTakeMemory(0))
    state.kept = 3
    #expect(state.mayTakeMemory(0))
  }

  /// What waits for a thread is released after the schedule is unlocked: its pictures give their memory back to it.
  @Test func endingReleasesWhatWaits() async throws {
    let sps = plainSequence(width: 72, height: 40)
    let pps = PictureParameterSet()
    let decoders = try PictureDecoders(
      sps, pps, PictureGeometry(sps, pps), CodingMemoryPool(capacity: 1))
    let schedule = DecodingSchedule(threads: 2)
    func add() {
      let pool = PicturePool(schedule.memoryLimit)
      let substitute = PictureBuffer(decoders.format, pool)
      substitute.allocate()
      let frame = Frame(
        PictureBuffer(decoders.format, pool), number: 0, type: .trailR, tag: 0, format: nil)
      schedule.add(PictureWork(frame: frame, number: 0, decoders: decoders, substitute: substitute))
    }
    add()
    // On a thread of its own, so that the test fails instead of waiting forever.
    let hasEnded = Monitor(false)
    let status = startThread {
      schedule.end()
      hasEnded.change { $0 = true }
    }
    #expect(status == nil)
    for _ in 0..<1_000 where !hasEnded.change({ $0 }) { try await Task.sleep(for: .milliseconds(10)) }
    try #require(hasEnded.change { $0 })
    #expect(schedule.next() == nil)
    // A picture that is taken now is the only one in memory.
    schedule.takeMemory(for: nil)
    #expect(schedule.memory.most == 1)
  }

  /// The streams of two layers fill the buffers that their levels allow.
  private static let filling = ["mv_10bit", "mv_nuh"]

  private static func decode(
    _ name: String, threads: Int, capacity: Int? = nil, keeps: Bool = false, isSlow: Bool = false,
    changing change: (NALUnit) -> NALUnit = { $0 }
  ) -> (truths: [PictureTruth], capacity: Int, most: Int) {
    let units = AnnexBNALUnits(Fixtures.bytes("pictures/\(name).bit")).compactMap { try? $0.get() }
      .map(change)
    var options = HEVCDecoder.Options()
    options.threads = threads
    let decoder = HEVCDecoder(options)
    var truths: [PictureTruth] = [], kept: [DecodedPicture] = []
    func take(_ pictures: [DecodedPicture]) {
      if keeps { kept += pictures } else { truths += pictures.map(DecodedStreamTests.truth) }
      if isSlow { for _ in 0..<8 { _ = pictures.map(DecodedStreamTests.truth) } }
    }
    for unit in AccessUnitGrouper.group(units).map(\.units) {
      take(decoder.decode(unit))
      if let capacity { decoder.schedule?.setCapacity(capacity) }
    }
    take(decoder.finish())
    let memory = decoder.schedule?.memory ?? (capacity: 0, most: 0)
    return (truths + kept.map(DecodedStreamTests.truth), memory.capacity, memory.most)
  }

  @Test(arguments: filling) func atMostTheCapacity(_ name: String) throws {
    let truth = try #require(PictureTruth.fixtures[name])
    for (threads, capacity) in [(2, 11), (4, 13)] {
      for isSlow in [false, true, false] {
        let found = Self.decode(name, threads: threads, isSlow: isSlow)
        #expect(found.truths == truth)
        #expect(found.capacity == capacity && found.most <= capacity)
      }
    }
  }

  /// A level without limits holds as many pictures as the least that any other one does.
  @Test func levelWithoutLimits() throws {
    func unlimited(_ unit: NALUnit) -> NALUnit {
      guard unit.type == .sequenceParameterSet else { return unit }
      var set = unit.rbsp.decode(SequenceParameterSet()).value
      set.profileTierLevel?.generalLevelIdc = .withoutLimits
      #expect(set.subLayerOrdering.allSatisfy { $0.maxDecPicBufferingMinus1 < 5 })
      return (try? NALUnit(unit.header, set)) ?? unit
    }
    let found = Self.decode("wp_b", threads: 2, changing: unlimited)
    #expect(found.truths == PictureTruth.fixtures["wp_b"])
    #expect(found.capacity == 6)
  }

  /// Without any room, only what must be in memory at the same time is, which is the same every time.
  @Test(arguments: filling + ["bla_w_radl", "lt_sps", "wp_b"]) func withoutRoom(_ name: String) throws {
    let truth = try #require(PictureTruth.fixtures[name])
    for threads in 2...4 {
      let runs = (0..<4).map { Self.decode(name, threads: threads, capacity: 0, isSlow: $0 == 1) }
      for run in runs { #expect(run.truths == truth) }
      #expect(Set(runs.map(\.most)).count == 1, "\(threads) threads: \(runs.map(\.most))")
    }
  }

  /// A caller that keeps all pictures gets them all.
  @Test(arguments: filling) func allKept(_ name: String) throws {
    let truth = try #require(PictureTruth.fixtures[name])
    #expect(Self.decode(name, threads: 2, keeps: true).truths == truth)
    #expect(Self.decode(name, threads: 2, capacity: 0, keeps: true).truths == truth)
  }
}
