// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// Times that no camera writes: they are refused with the reason, and nothing traps.
@Suite struct UnlikelyTimesTests {
  private func made(_ change: (inout RemadeMovie) -> Void) throws -> MovieFile {
    var movie = try RemadeMovie(MovieFile(path: Fixtures.path("spatial.mov")))
    change(&movie)
    return try MovieFile(bytes: movie.encoded())
  }

  /// An edit list of version 1 with one entry.
  private func edit(_ duration: UInt64, _ mediaTime: UInt64, rate: UInt64 = 1 << 16) -> PlainBox {
    PlainBox(
      "edts", [],
      [
        PlainBox(
          "elst",
          [1, 0, 0, 0] + PlainBox.bytes(1, 4) + PlainBox.bytes(duration, 8) + PlainBox.bytes(mediaTime, 8)
            + PlainBox.bytes(rate, 4))
      ])
  }

  private func refusal(_ body: () throws -> Void) -> String? {
    do { try body() } catch let error as EditError where error.isRefusal { return error.reason } catch {
      return "not refused, but \(error)"
    }
    return nil
  }

  @Test(arguments: [UInt64(Int64.max), UInt64(Int64.max) - 1, 1 << 60])
  func editsBeyondAllTimesAreRefused(mediaTime: UInt64) throws {
    for rate: UInt64 in [0, 1 << 16] {
      let movie = try made { movie in
        movie.editTrack { $0.children.insert(edit(80, mediaTime, rate: rate), at: 1) }
      }
      let trimmed = refusal {
        var trimmer = try MovieTrimmer(movie)
        trimmer.end = .time(MediaTime(value: 1, timescale: 15))
        _ = try trimmer.plannedMovie()
      }
      #expect(trimmed?.contains("too large to be cut") == true, "trim: \(trimmed ?? "done")")
      let joined = refusal { _ = try MovieJoiner([movie, movie]).plannedMovie() }
      #expect(joined?.contains("too large to be cut") == true, "join: \(joined ?? "done")")
    }
  }

  /// Each length has room, and their sum has not.
  @Test(arguments: [(1 << 62) + 7, 3 << 56, (1 << 60) - 1] as [UInt64]) func lengthsThatDoNotAddUpAreRefused(
    start: UInt64
  ) throws {
    var movie = try RemadeMovie(MovieFile(path: Fixtures.path("spatial.mov")))
    movie.fileType = Array("iso6".utf8) + [0, 0, 0, 0] + Array("iso6".utf8)
    let late = try MovieFile(bytes: movie.fragmented(samplesEach: 4, startTimes: [start]))
    for count in [2, 9, 40] {
      let reason = refusal { _ = try MovieJoiner(Array(repeating: late, count: count)).plannedMovie() }
      #expect(
        reason?.contains("too long to be") == true || reason?.contains("too large to be cut") == true
          || reason?.contains("more than 32 bits") == true || reason?.contains("presents nothing") == true,
        "\(count) movies: \(reason ?? "done")")
    }
  }

  /// Without units there are no times: seconds that come out of a division by one of nothing mean nothing.
  @Test func mediaWithoutUnitsOfTimeAreRefused() throws {
    let movie = try made { movie in movie.editTrack { $0.patch("mdia/mdhd", at: 12, 0) } }
    for reason in [
      refusal {
        var trimmer = try MovieTrimmer(movie)
        trimmer.start = .picture(1)
        _ = try trimmer.plannedMovie()
      }, refusal { _ = try MovieJoiner([movie, movie]).plannedMovie() },
      refusal { _ = try MovieStripper(movie).plannedMovie() },
    ] { #expect(reason?.contains("timescale") == true, "\(reason ?? "done")") }
  }

  /// A text track of which every edit presents all: each sample would become as many as there are edits.
  @Test func copiesForEveryEditAreBounded() throws {
    func movie(_ edits: Int) throws -> MovieFile {
      var movie = try RemadeMovie(MovieFile(path: Fixtures.path("metadata-keys.mov")))
      movie.editTracks { index, trak in
        guard index == 2 else { return }
        let row = PlainBox.bytes(768_000, 4) + PlainBox.bytes(0, 4) + PlainBox.bytes(1 << 16, 4)
        let list = [0, 0, 0, 0] + PlainBox.bytes(UInt64(edits), 4) + (0..<edits).flatMap { _ in row }
        trak.edit("edts/elst") { $0.fields = list }
      }
      return try MovieFile(bytes: movie.encoded())
    }
    for (edits, isRefused) in [(100, false), (40_000, true)] {
      let movie = try movie(edits)
      let text = try #require(movie.tracks.first { $0.id == 3 })
      #expect(text.sampleCount == 2)
      let reason = refusal {
        var trimmer = try MovieTrimmer(movie)
        trimmer.start = .time(MediaTime(value: 1, timescale: 2))
        _ = try trimmer.plannedMovie()
      }
      #expect(
        (reason?.contains("would turn its 2 samples into") ?? false) == isRefused,
        "\(edits): \(reason ?? "done")")
    }
  }

  /// A compact table may claim more samples than any track has: as many are read as there are. ISO/IEC 14496-12, 8.9.5
  @Test func patternsOfGroupsAreReadUpToTheLastSample() throws {
    var box = CompactSampleToGroupBox()
    box.patterns =
      [.init(length: 2, sampleCount: 3), .init(length: 1, sampleCount: 4)]
      + Array(repeating: .init(length: 2, sampleCount: .max), count: 60)
    box.indices = [1, 2, 3] + (0..<60).flatMap { _ in [4, 5] as [UInt32] }
    let tree = BoxTree(Fixtures.bytes("spatial.mov"), registry: .standard)
    func groups(_ limit: Int, steps: Int = 100) throws -> [UInt32]? {
      var reader = try #require(SampleGroupReader(Box("csgp", box, in: .box("stbl")), in: tree))
      var (runs, steps) = (SampleGroupRuns(), steps)
      guard runs.append(&reader, upTo: limit, patternSteps: &steps) else { return nil }
      return (0..<runs.count).compactMap { runs.run(of: $0)?.group }
    }
    #expect(try groups(10) == [1, 2, 1, 3, 3, 3, 3, 4, 5, 4])
    #expect(try groups(5) == [1, 2, 1, 3, 3])
    #expect(try groups(0) == [])
    #expect(try groups(1_000) == nil)
  }
}
