// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import TestSupport
import Testing

@testable import ISOBMFF

/// What a list of samples must be, as an array.
struct NaiveList {
  /// A track that samples are taken from.
  struct Track {
    let samples: [Sample]
    let all: TrackSamples
    /// Whether a sample lasts until the next one.
    let areHeld: Bool
    let units: Int64
    let added: UInt64

    var source: SampleList.Source {
      SampleList.Source(units: units) { [all] in
        all
      } change: { [added] samples in
        // Which samples of the track they are can be told: eight of them are moved by as much.
        var first = samples.first
        first.offset += added + UInt64(first.index / 8) * 3
        first.descriptionIndex += 1
        return UniformSamples(first, count: min(samples.count, 8 - first.index % 8))
      }
    }
  }

  private(set) var samples: [Sample] = []
  var endTime: Int64 { samples.last.map { $0.decodeTime + $0.duration } ?? 0 }

  mutating func append(
    _ range: Range<Int>, of track: Track, from start: Int64, until end: Int64?, clip: Range<Int64>?,
    bytes: Range<UInt64>?
  ) {
    for index in range {
      var sample = track.samples[index]
      var stop = sample.decodeTime + sample.duration
      if index + 1 == range.upperBound {
        stop = end ?? stop
      } else if track.areHeld {
        stop = track.samples[index + 1].decodeTime
      }
      var begin = sample.decodeTime
      if let clip {
        begin = max(begin, start)
        stop = max(begin, min(stop, clip.upperBound))
      }
      sample.duration = (stop - begin) * track.units
      sample.decodeTime = endTime
      sample.compositionOffset *= track.units
      sample.offset += track.added + UInt64(index / 8) * 3
      sample.descriptionIndex += 1
      sample.index = samples.count
      if let bytes { (sample.offset, sample.size) = (bytes.lowerBound, UInt32(bytes.count)) }
      samples.append(sample)
    }
  }

  mutating func changeLast(_ body: (inout Sample) -> Void) {
    guard !samples.isEmpty else { return }
    body(&samples[samples.count - 1])
  }

  /// A track with samples in tables.
  static func track(_ samples: [Sample]) throws -> TrackSamples {
    var builder = SampleTableBuilder()
    for sample in samples { try builder.append(sample) }
    let tree = BoxTree(ByteView(try SampleTableBuilderTests.movie(try builder.boxes()).encoded()))
    var diagnostics = DiagnosticList()
    return TrackSamples(
      table: SampleTable(
        try SampleTableContents(
          #require(tree["moov/trak/mdia/minf/stbl"]), in: tree, diagnostics: &diagnostics)))
  }

  /// A track with samples in fragments, with gaps between these.
  static func fragments(using random: inout SeededGenerator) -> TrackSamples {
    var builder = FragmentedSamplesBuilder(extends: [FragmentedSamplesTests.extends()])
    var time: UInt64 = 0
    for number in 0..<20 {
      let start = time
      var rows: [TrackRunBox.Row] = []
      for _ in 0..<Int.random(in: 1...9, using: &random) {
        let duration = UInt32.random(in: 1...50, using: &random)
        rows.append(
          TrackRunBox.Row(
            duration: duration, size: .random(in: 0...90, using: &random),
            offset: .random(in: -20...20, using: &random)))
        time += UInt64(duration)
      }
      let run = FragmentedSamplesTests.run(rows, as: [.duration, .size, .compositionTimeOffset])
      builder.append([FragmentedSamplesTests.fragment(time: start, [run])], at: 1_000 * (UInt64(number) + 1))
      time += UInt64.random(in: 0...100, using: &random)
    }
    return TrackSamples(fragments: builder.samples(ofTrack: 1))
  }
}

/// A list of samples is what its spans are, one after the other.
@Suite struct SampleListTests {
  @Test(arguments: 0..<60 as Range<UInt64>) func aListIsItsSpans(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let tables = SampleTableBuilderTests.samples(seed: seed, count: 200)
    let fragments = NaiveList.fragments(using: &random)
    let tracks = [
      NaiveList.Track(
        samples: tables, all: try NaiveList.track(tables), areHeld: false, units: 1 + Int64(seed % 3),
        added: 70),
      NaiveList.Track(samples: Array(fragments), all: fragments, areHeld: true, units: 2, added: 5_000),
    ]
    var (list, naive) = (SampleList(), NaiveList())
    for _ in 0..<Int.random(in: 1...9, using: &random) {
      let track = try #require(tracks.randomElement(using: &random))
      let first = Int.random(in: 0..<track.samples.count, using: &random)
      let isOwn = UInt8.random(in: 0..<4, using: &random) == 0
      let last = isOwn ? first : Int.random(in: first..<track.samples.count, using: &random)
      let isCut = UInt8.random(in: 0..<4, using: &random) == 0
      let begin = track.samples[first].decodeTime
      let start = begin + (isCut ? track.samples[first].duration / 2 : 0)
      let end = track.samples[last].decodeTime + track.samples[last].duration
      let clip = isCut ? start..<max(start, end - 3) : nil
      let until = Bool.random(using: &random) ? end + 7 : nil
      let bytes: Range<UInt64>? = isOwn ? 9_000..<9_017 : nil
      var passed: [Int] = []
      let shift = try list.append(
        .init(of: track.source, first..<(last + 1), from: start, clip: clip, bytes: bytes), until: until
      ) { samples in
        passed += (0..<samples.count).map { samples[$0].index }
      }
      #expect(passed == Array(naive.samples.count..<(naive.samples.count + last + 1 - first)))
      #expect(shift == naive.endTime - start * track.units)
      naive.append(first..<(last + 1), of: track, from: start, until: until, clip: clip, bytes: bytes)
      switch UInt8.random(in: 0..<4, using: &random) {
      case 0:
        list.prolongLast(by: 11)
        naive.changeLast { $0.duration += 11 }
      case 1:
        list.setBytes(ofLast: 8_000..<8_099)
        naive.changeLast { ($0.offset, $0.size) = (8_000, 99) }
      default: break
      }
      #expect(list.endTime == naive.endTime && list.count == naive.samples.count)
    }
    try compare(list, naive.samples, using: &random)
    // All that is composed is composed later, and all bytes are elsewhere.
    (list.compositionShift, list.mediaStart) = (13, 40_000)
    let moved = naive.samples.map { sample in
      var sample = sample
      sample.compositionOffset += 13
      sample.offset += 40_000
      return sample
    }
    try compare(list, moved, using: &random)
    // Tables of the list read as the list.
    let read = try SampleTableBuilderTests.read(ComputedSampleTables(list, chunkDuration: 300).boxes())
    #expect(read.count == moved.count)
    for (here, there) in zip(read, moved) {
      var wanted = there
      if wanted.size == 0 { wanted.offset = here.offset }
      #expect(here.flags.isSync == wanted.flags.isSync)
      wanted.flags = here.flags
      #expect(here == wanted)
    }
  }

  private func compare(
    _ list: SampleList, _ wanted: [Sample], using random: inout SeededGenerator,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for start in [0, .random(in: 0...wanted.count, using: &random), wanted.count] {
      var iterator = list.makeIterator(at: start)
      var found: [Sample] = []
      while let samples = try iterator.next() { found += (0..<samples.count).map { samples[$0] } }
      #expect(found == Array(wanted[start...]), sourceLocation: sourceLocation)
      #expect(try iterator.next() == nil, sourceLocation: sourceLocation)
    }
  }

  @Test func aTrackThatLostSamplesIsNoticed() throws {
    let samples = SampleTableBuilderTests.samples(seed: 1, count: 9)
    let all = try NaiveList.track(samples)
    var list = SampleList()
    #expect(throws: SourceError.self) { try list.append(.init(of: .init { all }, 3..<10, from: 0)) }
  }
}
