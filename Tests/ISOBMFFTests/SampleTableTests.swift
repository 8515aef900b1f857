// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import TestSupport
import Testing

@testable import ISOBMFF

@Suite struct SampleTableTests {
  @Test(arguments: 0..<60 as Range<UInt64>)
  func tablesMeanWhatTheirExpansionMeans(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let count = [0, 1, 5, 40, 3_000].randomElement(using: &generator) ?? 0
    let naive = NaiveTable.random(count: count, using: &generator)
    let expected = naive.samples
    let table = SampleTable(naive.contents)
    #expect(table.count == expected.count)
    #expect(Array(table) == expected)
    #expect(UniformSamplesTests.each(of: TrackSamples(table: table)) == expected)
    for _ in 0..<60 {
      let index = Int.random(in: 0..<max(1, count + 2), using: &generator)
      #expect(table.sample(at: index) == (index < expected.count ? expected[index] : nil))
      if index < expected.count {
        #expect(table.compositionTime(at: index) == expected[index].compositionTime)
        var iterator = table.makeIterator(at: index)
        for sample in expected[index...].prefix(5) { #expect(iterator.next() == sample) }
        #expect(
          UniformSamplesTests.each(of: TrackSamples(table: table), from: index) == Array(expected[index...]))
        let chunk = try #require(table.chunk(containing: index))
        #expect(chunk.samples.contains(index))
        #expect(chunk.offset == expected[chunk.samples.lowerBound].offset)
        #expect(chunk.byteCount == expected[chunk.samples].reduce(0) { $0 + UInt64($1.size) })
        #expect(
          table.syncSample(atOrBefore: index) == expected[...index].last { $0.isSync }?.index)
      }
      let time = Int64.random(in: -3...(table.endTime + 3), using: &generator)
      #expect(table.index(atDecodeTime: time) == expected.last { $0.decodeTime <= time }?.index)
    }
    #expect(table.sample(at: -1) == nil)
    #expect(table.endTime == expected.reduce(0) { $0 + $1.duration })
    // The random chunks may hold more samples than the other tables know.
    #expect(
      table.diagnostics().allSatisfy {
        $0.severity == .note || $0.code == "sample-count-mismatch" || $0.path == "sdtp" || count == 0
      })
  }

  /// Rows of no samples, and numbers that repeat, hundreds between any two samples.
  @Test func rowsOfNoSamples() {
    var naive = NaiveTable()
    let empty = 700
    for sample in 0..<6 {
      naive.deltas += [(1, 10 + sample)] + Array(repeating: (0, 99), count: empty)
      naive.sizes.append(5 + sample)
    }
    naive.offsets = (0..<6).flatMap { sample in [(1, sample % 3)] + Array(repeating: (0, 7), count: empty) }
    naive.chunkRows = (0..<6).flatMap { sample in
      (0...empty).map { (1 + sample * (empty + 1) + $0, $0 == 0 ? 1 : 0, 1 + sample) }
    }
    naive.chunkOffsets = (0..<6 * (empty + 1)).map { 1_000 + UInt64($0) }
    naive.sync = [1, 3, 4].flatMap { Array(repeating: $0, count: empty) }
    let expected = naive.samples
    let table = SampleTable(naive.contents)
    #expect(expected.count == 6 && Array(table) == expected)
    #expect((0..<6).map { table.sample(at: $0) } == expected)
    var times: [Int64?] = []
    table.forEachCompositionTime(0..<6) { times.append($0) }
    #expect(times == expected.map(\.compositionTime))
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func presentationOrderIsTheOrderOfCompositionTimes(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let count = [0, 1, 5, 40, 3_000].randomElement(using: &generator) ?? 0
    let naive = NaiveTable.random(count: count, using: &generator)
    let samples = naive.samples
    let track = TrackSamples(table: SampleTable(naive.contents))
    let order = samples.indices.sorted {
      (samples[$0].compositionTime, $0) < (samples[$1].compositionTime, $1)
    }
    for _ in 0..<40 where !samples.isEmpty {
      let rank = Int.random(in: 0..<samples.count, using: &generator)
      let index = order[rank]
      #expect(track.index(atCompositionRank: rank) == index)
      #expect(track.compositionRank(of: index) == rank)
      let steps = Int.random(in: -50...50, using: &generator)
      let target = min(max(rank + steps, 0), samples.count - 1)
      let stepped = track.step(inPresentationOrder: steps, from: rank, sample: index)
      #expect(stepped.position == target && stepped.stepped == target - rank)
      #expect(track.presentation(at: target)?.sample == order[target])
      let time = samples[index].compositionTime + Int64.random(in: -60...60, using: &generator)
      #expect(
        track.index(atCompositionTime: time) == order.last { samples[$0].compositionTime <= time })
      let other = Int.random(in: 0..<samples.count, using: &generator)
      #expect(
        track.hasEarlierDecodedSample(before: index, composedAfter: other)
          == samples[..<index].contains { $0.compositionTime > samples[other].compositionTime })
      #expect(
        track.hasLaterDecodedSample(after: index, composedBefore: other)
          == samples[(index + 1)...].contains { $0.compositionTime < samples[other].compositionTime })
    }
  }

  @Test func reversedOrderIsSortedInGoodTime() {
    var times = ContiguousArray((0..<50_000).map { Int64(-$0) })
    let order = CompositionOrder.sorted(&times)
    #expect(order.map(Array.init) == (0..<50_000).reversed().map { UInt32($0) })
    #expect(times.elementsEqual(-49_999...0))
    var ascending = ContiguousArray<Int64>([1, 1, 2, 3])
    #expect(CompositionOrder.sorted(&ascending) == nil)
  }

  @Test func samplesThatAreComposedBackwardsAreFound() {
    let count = 1_000
    var naive = NaiveTable()
    naive.deltas = [(count, 10)]
    naive.offsets = (0..<count).map { (1, 20 * (count - 1 - $0)) }
    naive.sizes = Array(repeating: 1, count: count)
    naive.chunkRows = [(1, count, 1)]
    naive.chunkOffsets = [48]
    let track = TrackSamples(table: SampleTable(naive.contents))
    // Sample n is composed at 20 · 999 - 10 · n.
    for index in [0, 1, 63, 64, 65, 500, 998, 999] {
      let time = Int64(20 * (count - 1) - 10 * index)
      #expect(track.compositionRank(of: index) == count - 1 - index)
      #expect(track.index(atCompositionTime: time) == index)
      #expect(track.index(atCompositionTime: time - 1) == (index < 999 ? index + 1 : nil))
    }
  }

  @Test func stepsByTimeStopAtSamplesAndEnds() {
    var naive = NaiveTable()
    naive.deltas = [(10, 20)]
    naive.offsets = [
      (1, 0), (1, 60), (1, 0), (1, -40), (1, -20), (1, 60), (1, 0), (1, -40), (1, -20), (1, 0),
    ]
    naive.sizes = Array(1...10)
    naive.chunkRows = [(1, 10, 1)]
    naive.chunkOffsets = [48]
    let track = TrackSamples(table: SampleTable(naive.contents))
    #expect(track.step(byDecodeTime: 45, from: 1) == .init(index: 3, moved: 40, wasPinned: false))
    #expect(track.step(byDecodeTime: -45, from: 1) == .init(index: 0, moved: -20, wasPinned: true))
    #expect(track.step(byDecodeTime: 1_000, from: 1) == .init(index: 9, moved: 160, wasPinned: true))
    #expect(track.step(byDecodeTime: 19, from: 9) == .init(index: 9, moved: 0, wasPinned: false))
    // Composition: sample 0 at 0, 3 at 20, 2 at 40, 4 at 60, 1 at 80.
    func step(_ time: Int64) -> TrackSamples.TimeStep? {
      track.step(byPresentationTime: time, from: track.firstPosition(of: 3), sample: 3).map {
        .init(
          index: track.presentation(at: $0.position)?.sample ?? -1, moved: $0.moved, wasPinned: $0.wasPinned)
      }
    }
    #expect(step(65) == .init(index: 1, moved: 60, wasPinned: false))
    #expect(step(-21) == .init(index: 0, moved: -20, wasPinned: true))
    #expect(step(500) == .init(index: 9, moved: 160, wasPinned: true))
    #expect(track.index(inDecodeOrder: -5, from: 2).stepped == -2)
    #expect(track.index(inDecodeOrder: .max, from: 2).index == 9)
    #expect(track.index(inDecodeOrder: .min, from: 2).index == 0)
    let empty = TrackSamples()
    #expect(empty.step(byDecodeTime: 5, from: 0).wasPinned)
    #expect(empty.step(inPresentationOrder: 1, from: nil, sample: 0).stepped == 0)
    #expect(empty.step(byPresentationTime: 5, from: nil, sample: 0) == nil)
  }

  @Test func theSmallestCountIsUsedAndTheShortTableNamed() {
    var naive = NaiveTable()
    naive.deltas = [(10, 20)]
    naive.offsets = [(7, 5)]
    naive.sizes = Array(1...9)
    naive.chunkRows = [(1, 4, 1)]
    naive.chunkOffsets = [48, 100, 200]
    var contents = naive.contents
    contents.path = "stbl"
    contents.boxOffsets = ["ctts": 77]
    let table = SampleTable(contents)
    #expect(table.count == 7)
    let found = table.diagnostics().filter { $0.code == "sample-count-mismatch" }
    #expect(
      found.map(\.description) == [
        "error stbl/stts: lists 10 samples, but stsc lists 12: the first 7 are used [sample-count-mismatch]",
        "error stbl/ctts at 77: lists 7 samples, but stsc lists 12: the first 7 are used [sample-count-mismatch]",
        "error stbl/stsz: lists 9 samples, but stsc lists 12: the first 7 are used [sample-count-mismatch]",
      ])
    contents.chunkOffset = nil
    let missing = SampleTable(contents)
    #expect(missing.count == 0)
    #expect(missing.diagnostics().contains { $0.code == "missing-sample-table" && $0.path == "stbl/stco" })
    #expect(!missing.diagnostics().contains { $0.code == "limit-exceeded" })
  }

  @Test func rowsOutOfOrderArePassedOver() {
    var naive = NaiveTable()
    naive.deltas = [(60, 1)]
    naive.sizes = Array(1...60)
    naive.chunkRows = [(3, 2, 1), (3, 4, 3), (2, 9, 1), (5, 1, 1), (40, 7, 1)]
    naive.chunkOffsets = [10, 20, 30, 40, 50, 60]
    let table = SampleTable(naive.contents)
    // Row 0 counts from chunk 1, row 1 holds for chunks 3 and 4, row 3 for 5 and 6.
    #expect(table.map(\.offset).count == 2 + 2 + 4 + 4 + 1 + 1)
    #expect(table.sample(at: 4)?.offset == 30)
    #expect(table.sample(at: 13)?.offset == 60)
    var contents = naive.contents
    contents.descriptionCount = 2
    let codes = SampleTable(contents).diagnostics().map(\.code)
    #expect(codes.filter { $0 == "chunk-run-order" }.count == 3)
    #expect(codes.contains("chunk-out-of-range"))
    #expect(codes.contains("sample-description-out-of-range"))
  }

  @Test func deltasThatLookNegativeMakeTimesRunBackwards() {
    var naive = NaiveTable()
    naive.deltas = [(2, 100), (1, 0xFFFF_FFCE), (2, 100)]
    naive.sizes = [1, 1, 1, 1, 2]
    naive.chunkRows = [(1, 5, 1)]
    naive.chunkOffsets = [48]
    let table = SampleTable(naive.contents)
    #expect(table.map(\.decodeTime) == [0, 100, 200, 150, 250])
    #expect(table.diagnostics().contains { $0.code == "negative-sample-delta" })
    // A media that is as long as they say makes them what they say.
    var contents = naive.contents
    contents.mediaDuration = 400 + 0xFFFF_FFCE
    let long = SampleTable(contents)
    #expect(long.map(\.decodeTime) == [0, 100, 200, 200 + 0xFFFF_FFCE, 300 + 0xFFFF_FFCE])
    #expect(long.diagnostics().isEmpty)
  }

  @Test func samplesBehindTheEndOfTheFileAreCounted() {
    var naive = NaiveTable()
    naive.deltas = [(4, 1)]
    naive.sizes = [10, 20, 30, 40]
    naive.chunkRows = [(1, 2, 1)]
    naive.chunkOffsets = [100, 0xFFFF_FFFF_FFFF_FFF0]
    let table = SampleTable(naive.contents)
    let found = table.diagnostics(fileSize: 125)
    #expect(
      found.map(\.description) == [
        "error co64: 2 samples extend beyond the end of the file at 125; the first is sample 1: 20 bytes at 110 "
          + "[sample-outside-file]"
      ])
    // Beyond 64 bits offsets begin again at 0.
    #expect(table.sample(at: 3)?.range == 14..<54)
    var contents = naive.contents
    contents.externalDescriptions = [1]
    #expect(SampleTable(contents).diagnostics(fileSize: 125).map(\.code) == ["external-media"])
  }

  @Test func syncSamplesOutOfOrderAreSorted() {
    var naive = NaiveTable()
    naive.deltas = [(6, 1)]
    naive.sizes = [1, 2, 3, 4, 5, 6]
    naive.chunkRows = [(1, 6, 1)]
    naive.chunkOffsets = [100]
    naive.sync = [4, 1, 4, 9]
    var contents = naive.contents
    var partial = PartialSyncSampleBox()
    partial.entries = .of([UInt32Record(2), UInt32Record(2), UInt32Record(6)])
    contents.partialSyncSample = partial
    let table = SampleTable(contents)
    #expect(table.filter(\.isSync).map(\.index) == [0, 3])
    #expect(table.filter(\.isPartialSync).map(\.index) == [1, 5])
    #expect(table.syncSample(atOrBefore: 2) == 0)
    let codes = table.diagnostics().map(\.code)
    #expect(codes == ["sample-number-order", "sample-number-out-of-range"])
    naive.sync = []
    #expect(SampleTable(naive.contents).filter(\.isSync).isEmpty)
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func hostileTablesDoNoHarm(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func table(_ limit: Int) -> ByteView {
      let extremes: [UInt8] = [0, 0, 0, 1, 0x7F, 0x80, 0xFF]
      return ByteView(
        (0..<Int.random(in: 0...limit, using: &generator)).map { _ in
          extremes.randomElement(using: &generator) ?? 0
        })
    }
    var contents = SampleTableContents()
    var stts = TimeToSampleBox()
    stts.entries = PackedTable(table(40))
    contents.timeToSample = stts
    var ctts = CompositionOffsetBox()
    ctts.entries = PackedTable(table(40))
    contents.compositionOffset = Bool.random(using: &generator) ? ctts : nil
    contents.sampleSize = SampleSizeBox(sampleSize: 0xFFFF_FFFF, sampleCount: 0xFFFF_FFFF)
    var stsc = SampleToChunkBox()
    stsc.entries = PackedTable(table(60))
    contents.sampleToChunk = stsc
    var co64 = ChunkLargeOffsetBox()
    co64.entries = PackedTable(table(80))
    contents.chunkLargeOffset = co64
    var stss = SyncSampleBox()
    stss.entries = PackedTable(table(40))
    contents.syncSample = stss
    var limits = Limits()
    limits.maximumSamples = 300
    let samples = SampleTable(contents, limits: limits)
    let track = TrackSamples(table: samples)
    #expect(samples.count <= 300)
    #expect(Array(samples).count == samples.count)
    #expect(UniformSamplesTests.each(of: track) == Array(track))
    for index in [0, 1, samples.count - 1, samples.count, .max, .min] {
      _ = samples.sample(at: index)
      _ = samples.chunk(containing: index)
      _ = track.step(inPresentationOrder: index, from: 1, sample: 1)
      _ = track.step(byDecodeTime: Int64(index), from: index)
      _ = track.step(byPresentationTime: Int64(index), from: index, sample: 0)
      _ = track.syncSample(atOrBefore: index)
      _ = track.hasLaterDecodedSample(after: index, composedBefore: 0)
    }
    _ = samples.diagnostics(fileSize: 1_000)
  }
}
