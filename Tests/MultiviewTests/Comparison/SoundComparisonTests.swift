// swift-multiview · SPDX-License-Identifier: Apache-2.0

import BoxCatalogue
import ByteCoding
import FileAccess
import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

/// Uncompressed sound is compared many samples at a time, and what differs is named as if it were compared one by one.
@Suite struct SoundComparisonTests {
  /// Sound of one size and duration, in chunks one after the other.
  private struct Sound {
    var count = 100_000
    var firstSample = 0
    var perChunk = 1_000
    var changed: [Int] = []
    var durations: [(count: Int, duration: UInt32)] = [(100_000, 1)]
    var boxes: [Box] = []

    static let sampleBytes = 4

    private var media: [UInt8] {
      // No two samples near each other are the same.
      var bytes = (firstSample..<firstSample + count).flatMap { sample in
        let word = UInt64(sample + 1) &* 0x9E37_79B9_7F4A_7C15
        return (0..<Self.sampleBytes).map {
          UInt8(truncatingIfNeeded: (word ^ word >> 29) >> (8 * UInt64($0) + 24))
        }
      }
      for sample in changed { bytes[sample * Self.sampleBytes + 3] ^= 0x80 }
      return bytes
    }

    func opened() throws -> MovieFile {
      var bytes = try tree().encoded()
      // The media follow the movie, which editing does not know: the offsets in its last 'co64' are written here.
      let start = bytes.count + 8
      let place = try #require(bytes.indices.last { bytes[$0...].starts(with: Array("co64".utf8)) }) + 12
      for (chunk, sample) in stride(from: 0, to: count, by: perChunk).enumerated() {
        let offset = UInt64(start + sample * Self.sampleBytes)
        bytes.replaceSubrange(
          place + chunk * 8..<place + chunk * 8 + 8, with: try PackedTable([UInt64Record(offset)]).bytes.array
        )
      }
      return try MovieFile(bytes: bytes + box("mdat", media))
    }

    private func tree() throws -> BoxTree {
      var tree = try #require(try MovieFile(path: Fixtures.path("edit-list-trim.mp4")).tree)
      var times = TimeToSampleBox()
      times.entries = try PackedTable(
        durations.map { .init(sampleCount: UInt32($0.count), sampleDelta: $0.duration) })
      var runs = SampleToChunkBox()
      let last = count % perChunk
      runs.entries = try PackedTable(
        [.init(firstChunk: 1, samplesPerChunk: UInt32(perChunk), sampleDescriptionIndex: 1)]
          + (last == 0
            ? []
            : [
              .init(
                firstChunk: UInt32(count / perChunk + 1), samplesPerChunk: UInt32(last),
                sampleDescriptionIndex: 1)
            ]))
      var places = ChunkLargeOffsetBox()
      places.entries = try PackedTable(
        stride(from: 0, to: count, by: perChunk).map { _ in .init(10_000) })
      let sizes = SampleSizeBox(sampleSize: UInt32(Self.sampleBytes), sampleCount: UInt32(count))
      let tables = [
        Box("stts", times, in: .box("stbl")), Box("stsc", runs, in: .box("stbl")),
        Box("stsz", sizes, in: .box("stbl")), Box("co64", places, in: .box("stbl")),
      ]
      try tree.edit("moov/trak[1]/mdia/minf/stbl") { (stbl: inout Box) throws(ParseError) in
        stbl.children.removeAll { $0.type != "stsd" }
        stbl.children += tables + boxes
      }
      try tree.edit("moov/trak[1]") { (track: inout Box) throws(ParseError) in
        track.children.removeAll { $0.type == "edts" }
      }
      return tree
    }
  }

  private func differences(_ first: Sound, _ second: Sound) throws -> [String] {
    try MovieComparison(
      first.opened(), second.opened(), levels: Set(MovieComparison.Level.allCases).subtracting([.bytes])
    )
    .differences.filter { $0.trackID == 2 }.map(\.description)
  }

  @Test func theSameInOtherChunksIsTheSame() throws {
    var other = Sound()
    other.perChunk = 333
    #expect(try differences(Sound(), other) == [])
  }

  @Test func changedSamplesAreNamed() throws {
    var other = Sound()
    other.perChunk = 4_096
    other.changed = [0, 4_095, 4_096, 70_001, 99_999]
    #expect(
      try differences(Sound(), other) == [
        "track 2, samples 0, 4095 to 4096, 70001, 99999: 5 samples is now other contents"
      ])
  }

  @Test func lostSamplesAreNamed() throws {
    var other = Sound()
    other.count = 98_500
    other.firstSample = 1_500
    other.durations = [(98_500, 1)]
    let found = try differences(Sound(), other)
    #expect(found.contains("track 2, samples 0 to 1499: 1500 samples is lost"), "\(found)")
  }

  /// From the sample on that is presented twice as long, all are later.
  @Test func timesAreCompared() throws {
    var other = Sound()
    other.durations = [(60_000, 1), (1, 2), (39_999, 1)]
    let found = try differences(Sound(), other)
    #expect(found.contains { $0.contains("presentation time of samples 60001 to 99999") }, "\(found)")
  }

  @Test func syncSamplesAreCompared() throws {
    var other = Sound()
    var sync = SyncSampleBox()
    sync.entries = try PackedTable([.init(1), .init(50_001)])
    other.boxes = [Box("stss", sync, in: .box("stbl"))]
    let found = try differences(Sound(), other)
    #expect(found.contains { $0.contains("samples 1 to 49999, 50001 to 99999") }, "\(found)")
  }

  /// Groups end where no chunk does.
  @Test func groupsAreCompared() throws {
    var other = Sound()
    let groups =
      box("sgpd", [1, 0, 0, 0], Array("roll".utf8), [0, 0, 0, 2, 0, 0, 0, 1, 0xFF, 0xFE])
      + box("sbgp", [0, 0, 0, 0], Array("roll".utf8), [0, 0, 0, 1, 0, 0, 0xC3, 0x57, 0, 0, 0, 1])
    other.boxes = BoxTree(ByteView(groups), registry: .standard).boxes
    let found = try differences(Sound(), other)
    #expect(found.contains { $0.contains("roll") && $0.contains("of 50007 samples") }, "\(found)")
  }
}
