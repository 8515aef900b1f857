// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import TestSupport
import Testing

@testable import ISOBMFF

@Suite struct FragmentedSamplesTests {
  static func run(
    _ rows: [TrackRunBox.Row], as format: TrackRunBox.RowFields, dataOffset: Int32? = nil,
    first: SampleFlags? = nil
  ) -> TrackRunBox {
    var run = TrackRunBox()
    run.rows = .of(rows, as: format)
    run.dataOffset = dataOffset
    run.firstSampleFlags = first
    return run
  }

  static func fragment(
    track: UInt32 = 1, time: UInt64? = nil, _ runs: [TrackRunBox],
    _ change: (inout TrackFragmentHeaderBox) -> Void = { _ in }
  ) -> [Box] {
    var header = TrackFragmentHeaderBox()
    header.trackID = track
    header.flags = 0x2_0000
    change(&header)
    var decodeTime: TrackFragmentDecodeTimeBox?
    if let time {
      decodeTime = TrackFragmentDecodeTimeBox()
      decodeTime?.baseMediaDecodeTime = time
    }
    let times = [decodeTime].compactMap { $0 }
    return [Box("tfhd", header, in: .box("traf"))] + times.map { Box("tfdt", $0, in: .box("traf")) }
      + runs.map { Box("trun", $0, in: .box("traf")) }
  }

  static func extends(_ track: UInt32 = 1) -> TrackExtendsBox {
    var box = TrackExtendsBox()
    box.trackID = track
    box.defaultSampleDescriptionIndex = 2
    box.defaultSampleDuration = 10
    box.defaultSampleSize = 5
    box.defaultSampleFlags = .nonSync
    return box
  }

  @Test func aGapInDecodingTimesIsKept() {
    // Two samples of 3000, then a fragment at 9000 where 6000 is expected.
    var builder = FragmentedSamplesBuilder(extends: [Self.extends()])
    builder.append(
      [
        Self.fragment(
          time: 0,
          [
            Self.run(
              [.init(duration: 3_000, offset: 0), .init(duration: 3_000, offset: 6_000)],
              as: [.duration, .compositionTimeOffset])
          ])
      ], at: 100)
    builder.append([Self.fragment(time: 9_000, [Self.run([.init(), .init()], as: [])])], at: 200)
    let samples = builder.samples(ofTrack: 1)
    #expect(samples.map(\.decodeTime) == [0, 3_000, 9_000, 9_010])
    #expect(samples.map(\.compositionTime) == [0, 9_000, 9_000, 9_010])
    #expect(samples.endTime == 9_020)
    #expect(
      builder.diagnostics.map(\.description) == [
        "note moof/traf/tfdt at 7: 1 fragments of track 1 begin after the end of the previous one; "
          + "the first break is at 9000, expected at 6000 [decode-time-gap]"
      ])
    #expect(samples.index(atDecodeTime: 8_999) == 1)
    #expect(samples.index(atDecodeTime: 9_000) == 2)
  }

  @Test func valuesComeFromRowThenHeaderThenTrackDefaults() {
    var builder = FragmentedSamplesBuilder(extends: [Self.extends()], startTimes: [1: 500])
    builder.append(
      [
        Self.fragment([Self.run([.init(), .init()], as: [], first: .sync)]),
        Self.fragment([Self.run([.init(), .init()], as: [], first: .sync)]) {
          $0.defaultSampleDuration = 20
          $0.defaultSampleSize = 6
          $0.defaultSampleFlags = SampleFlags(rawValue: 0x10000)
          $0.sampleDescriptionIndex = 3
        },
        Self.fragment([
          Self.run(
            [
              .init(duration: 1, size: 2, flags: .sync, offset: -3),
              .init(duration: 4, size: 5, flags: .nonSync, offset: 6),
            ],
            as: .all)
        ]),
      ], at: 0)
    let samples = Array(builder.samples(ofTrack: 1))
    #expect(samples.map(\.decodeTime) == [500, 510, 520, 540, 560, 561])
    #expect(samples.map(\.size) == [5, 5, 6, 6, 2, 5])
    #expect(samples.map(\.isSync) == [true, false, true, false, true, false])
    #expect(samples.map(\.descriptionIndex) == [2, 2, 3, 3, 2, 2])
    #expect(samples.map(\.compositionOffset) == [0, 0, 0, 0, -3, 6])
    #expect(samples.map(\.flags.rawValue)[3] == 0x10000)
    #expect(samples.map(\.index) == Array(0..<6))
  }

  @Test func everyBaseOfOffsets() {
    var builder = FragmentedSamplesBuilder(extends: [Self.extends(1), Self.extends(2)])
    let two: [TrackRunBox.Row] = [.init(), .init()]
    builder.append(
      [
        // From an explicit base; the second run follows the first.
        Self.fragment(track: 1, [Self.run(two, as: [], dataOffset: 8), Self.run(two, as: [])]) {
          $0.baseDataOffset = 5_000
        },
        // From the end of the data before, which belong to another track.
        Self.fragment(track: 2, [Self.run(two, as: [])]) { $0.flags = 0 },
        // From the start of the moof.
        Self.fragment(track: 1, [Self.run(two, as: [], dataOffset: -4)]),
      ], at: 1_000)
    builder.append([Self.fragment(track: 2, [Self.run(two, as: [])]) { $0.flags = 0 }], at: 9_000)
    #expect(builder.samples(ofTrack: 1).map(\.offset) == [5_008, 5_013, 5_018, 5_023, 996, 1_001])
    #expect(builder.samples(ofTrack: 2).map(\.offset) == [5_028, 5_033, 9_000, 9_005])
    #expect(builder.trackIDs == [1, 2])
    #expect(builder.diagnostics.isEmpty)
  }

  /// Of runs that are cut off, the samples before the damage count, and of many errors a few are kept.
  @Test func runsThatAreCutOff() throws {
    let run = rawBox("trun", big(0x200) + big(3) + big(11) + big(12))
    let traf = rawBox(
      "traf", rawBox("tfhd", big(0x2_0000) + big(1)) + [[UInt8]](repeating: run, count: 20).joined())
    let tree = BoxTree(ByteView(rawBox("moof", traf)))
    var builder = FragmentedSamplesBuilder(extends: [Self.extends()])
    builder.beginMovieFragment(at: 0)
    let box = try #require(tree["moof/traf"])
    try builder.append(trackFragment: box.children, at: box.offset, in: tree)
    #expect(builder.samples(ofTrack: 1).count == 40)
    #expect(builder.samples(ofTrack: 1).prefix(3).map(\.size) == [11, 12, 11])
    #expect(builder.diagnostics.map(\.path) == [String](repeating: "moof/traf/trun", count: 8))
    #expect(builder.losses(ofTrack: 1).count == 8)
  }

  @Test func anEmptyDurationLetsTimePass() {
    var builder = FragmentedSamplesBuilder(extends: [Self.extends()])
    builder.append(
      [
        Self.fragment([]) {
          $0.flags = 0x1_0000; $0.defaultSampleDuration = 700
        }
      ], at: 0)
    builder.append([Self.fragment([Self.run([.init()], as: [])])], at: 0)
    #expect(builder.samples(ofTrack: 1).map(\.decodeTime) == [700])
    #expect(builder.diagnostics.isEmpty)
  }

  @Test func limitsHoldForSamplesThatTakeNoBytes() {
    var limits = Limits()
    limits.maximumSamples = 1_000
    var builder = FragmentedSamplesBuilder(extends: [], limits: limits)
    var endless = TrackRunBox()
    endless.rows = FormattedTable(ByteView(), count: 0xFFFF_FFFF, as: [])
    builder.append([Self.fragment([Self.run([.init()], as: []), endless])], at: 0)
    for offset in 0..<5 { builder.append([Self.fragment([Self.run([.init()], as: [])])], at: UInt64(offset)) }
    #expect(builder.samples(ofTrack: 1).count == 6)
    #expect(builder.diagnostics.map(\.code) == ["missing-track-extends", "limit-exceeded"])
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func runsMeanWhatTheirExpansionMeans(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let extends = Self.extends()
    let table = NaiveTable.random(count: Bool.random(using: &generator) ? 0 : 50, using: &generator)
    var expected = table.samples
    var time = expected.last.map { $0.decodeTime + $0.duration } ?? 0
    var builder = FragmentedSamplesBuilder(extends: [extends], startTimes: [1: time])
    for fragment in 0..<Int.random(in: 0...12, using: &generator) {
      let moof = UInt64(100_000 * (fragment + 1))
      var position = moof
      var runs: [TrackRunBox] = []
      let told: UInt64? =
        Bool.random(using: &generator) ? UInt64(time + Int64.random(in: 0...9, using: &generator)) : nil
      if let told { time = Int64(told) }
      for _ in 0..<Int.random(in: 0...3, using: &generator) {
        let format = TrackRunBox.RowFields(rawValue: UInt32.random(in: 0...15, using: &generator) << 8)
        let count = [0, 1, 3, 40, 2_500].randomElement(using: &generator) ?? 0
        let rows = (0..<count).map { _ in
          TrackRunBox.Row(
            duration: UInt32.random(in: 0...50, using: &generator),
            size: UInt32.random(in: 0...900, using: &generator),
            flags: SampleFlags(rawValue: UInt32.random(in: 0...UInt32.max, using: &generator)),
            offset: Int32.random(in: -90...90, using: &generator))
        }
        let first: SampleFlags? = Bool.random(using: &generator) ? .sync : nil
        let start: Int32? =
          Bool.random(using: &generator) ? Int32.random(in: 0...5_000, using: &generator) : nil
        if let start { position = moof + UInt64(start) }
        runs.append(Self.run(rows, as: format, dataOffset: start, first: first))
        for (index, row) in rows.enumerated() {
          var flags = extends.defaultSampleFlags
          if format.contains(.flags) {
            flags = row.sampleFlags ?? flags
          } else if index == 0 {
            flags = first ?? flags
          }
          let size = format.contains(.size) ? row.sampleSize ?? 0 : extends.defaultSampleSize
          let duration = format.contains(.duration) ? row.sampleDuration ?? 0 : extends.defaultSampleDuration
          let offset = format.contains(.compositionTimeOffset) ? row.sampleCompositionTimeOffset ?? 0 : 0
          expected.append(
            Sample(
              index: expected.count, decodeTime: time, compositionOffset: Int64(offset),
              duration: Int64(duration),
              offset: position, size: size, flags: flags, descriptionIndex: 2))
          time += Int64(duration)
          position += UInt64(size)
        }
      }
      builder.append([Self.fragment(time: told, runs)], at: moof)
    }
    let track = TrackSamples(table: SampleTable(table.contents), fragments: builder.samples(ofTrack: 1))
    #expect(track.count == expected.count)
    #expect(Array(track) == expected)
    #expect(track.endTime == time)
    let inFragments = expected.dropFirst(table.samples.count)
    #expect(
      track.fragments.totals
        == SampleTotals(
          count: inFragments.count, duration: inFragments.reduce(0) { $0 + $1.duration },
          syncCount: inFragments.count(where: \.isSync)))
    let order = expected.indices.sorted {
      (expected[$0].compositionTime, $0) < (expected[$1].compositionTime, $1)
    }
    for _ in 0..<50 where !expected.isEmpty {
      let index = Int.random(in: 0..<expected.count, using: &generator)
      #expect(track.sample(at: index) == expected[index])
      var iterator = track.makeIterator(at: index)
      for sample in expected[index...].prefix(5) { #expect(iterator.next() == sample) }
      #expect(track.compositionTime(at: index) == expected[index].compositionTime)
      #expect(track.syncSample(atOrBefore: index) == expected[...index].last { $0.isSync }?.index)
      #expect(track.index(atCompositionRank: index) == order[index])
      #expect(track.compositionRank(of: order[index]) == index)
      let time = Int64.random(in: -3...(time + 3), using: &generator)
      #expect(track.index(atDecodeTime: time) == expected.last { $0.decodeTime <= time }?.index)
      #expect(
        track.hasEarlierDecodedSample(before: index, composedAfter: order[index])
          == expected[..<index].contains { $0.compositionTime > expected[order[index]].compositionTime })
      #expect(
        track.hasLaterDecodedSample(after: index, composedBefore: order[index])
          == expected[(index + 1)...].contains { $0.compositionTime < expected[order[index]].compositionTime }
      )
    }
    #expect(track.sample(at: expected.count) == nil)
    #expect(track.sample(at: -1) == nil)
  }
}

extension FragmentedSamplesBuilder {
  /// Adds the fragments of a `moof` at the file offset `offset`, all as if at 7.
  mutating func append(_ fragments: [[Box]], at offset: UInt64) {
    beginMovieFragment(at: offset)
    do {
      for fragment in fragments { try append(trackFragment: fragment, at: 7, in: BoxTree(ByteView())) }
    } catch {
      Issue.record(error)
    }
  }
}
