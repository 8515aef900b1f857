// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// Compositions, compared with a plain model: what each movie presents, as a list of spans that is cut and moved.
@Suite struct CompositionTests {
  private func fixture(_ name: String) throws -> MovieFile { try MovieFile(path: Fixtures.path(name)) }

  private func time(_ value: Int64, _ scale: UInt32) -> MediaTime {
    MediaTime(value: value, timescale: scale)
  }

  /// The spans of the model with another part put in.
  private func inserted(_ new: ShownSamples, lasting: Double, _ old: ShownSamples, at time: Double)
    -> ShownSamples
  {
    var made = ShownSamples()
    for span in old.part(0, time).spans { made.add(span) }
    for span in new.spans { made.add(shifted(span, time)) }
    for span in old.part(time, 1e6).spans { made.add(shifted(span, time + lasting)) }
    return made
  }

  private func removed(_ from: Double, _ to: Double, _ old: ShownSamples) -> ShownSamples {
    inserted(old.part(to, 1e6), lasting: 0, old.part(0, from), at: from)
  }

  private func shifted(_ span: ShownSamples.Span, _ time: Double) -> ShownSamples.Span {
    ShownSamples.Span(start: span.start + time, end: span.end + time, bytes: span.bytes)
  }

  private func compare(_ made: MovieFile, _ wanted: [UInt32: ShownSamples], _ name: String) throws {
    for track in made.tracks where track.mediaType != .timecode {
      let tick = 2.02 / Double(track.timescale)
      let model = try #require(wanted[track.id], "\(name)")
      let difference = try ShownSamples(track, of: made).difference(model, within: tick)
      #expect(difference == nil, "\(name), track \(track.id) (\(track.mediaType)): \(difference ?? "")")
    }
  }

  /// Tracks of another composition keep what they present, have IDs of their own, and protect their movie.
  @Test func tracksOfOtherCompositionsAreTracksOfTheirOwn() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("source.mov", Array(contents(Fixtures.path("spatial.mov")) ?? []))
    let before = contents(path)
    var replacing = MovieWriteOptions()
    replacing.isOverwriting = true
    let (movie, other) = (try MovieFile(path: path), try fixture("metadata-keys.mov"))
    for compositions in [[movie, other], [other, movie], [movie, movie]] {
      var composition = try Composition(compositions[0])
      composition.tracks += try Composition(compositions[1]).tracks
      let made = try composition.plannedMovie()
      #expect(Set(made.tracks.map(\.id)).count == made.tracks.count && made.tracks.count > 1)
      let count = compositions.reduce(0) { $0 + $1.tracks.count { $0.sampleCount > 0 } }
      #expect(made.tracks.count == count)
      for (new, old) in zip(made.tracks, compositions.flatMap { one in one.tracks.map { (one, $0) } }) {
        let difference = try ShownSamples(new, of: made).difference(
          ShownSamples(old.1, of: old.0), within: 2.02 / Double(new.timescale))
        #expect(difference == nil, "track \(new.id): \(difference ?? "")")
      }
      // The movie of the added tracks is a source, and is not replaced.
      #expect(throws: EditError.self) { try composition.write(to: path, options: replacing) }
      #expect(contents(path) == before)
    }
    // Tracks alone make a movie, too.
    var tracks = Composition()
    tracks.tracks += try Composition(movie).tracks
    #expect(try tracks.plannedMovie().tracks.count == 1)
    #expect(throws: EditError.self) { try tracks.write(to: path, options: replacing) }
    #expect(contents(path) == before)
  }

  @Test func aPartBeyondTheEndIsRefused() throws {
    let movie = try fixture("spatial.mov")
    var composition = try Composition(movie)
    let (duration, count) = (composition.duration, composition.movies.count)
    for from in [duration, duration + time(1, 1)] {
      #expect(throws: EditError.self) {
        try composition.insertTimeRange(from..<(from + time(1, 1)), of: movie, at: .zero)
      }
      #expect(throws: EditError.self) {
        try composition.tracks[0].insertTimeRange(
          from..<(from + time(1, 1)), of: movie.tracks[0], in: movie, at: .zero)
      }
    }
    #expect(composition.duration == duration && composition.movies.count == count)
    // What begins before the end is inserted up to it.
    try composition.insertTimeRange(time(1, 30)..<(duration + time(1, 1)), of: movie, at: duration)
    #expect(composition.duration == duration + duration - time(1, 30))
  }

  @Test(arguments: [
    "spatial.mov", "metadata-keys.mov", "edit-list-trim.mp4", "timecode.mov", "timed-metadata.mov",
    "cmaf-hevc-sidx.mp4",
    "two-tracks-lhv1.mp4",
  ])
  func randomEditsPresentWhatTheModelDoes(name: String) throws {
    let movie = try fixture(name)
    let whole = try Composition(movie)
    let full = whole.duration
    var random = SeededGenerator(seed: 27)
    for round in 0..<12 {
      var composition = whole
      var model: [UInt32: ShownSamples] = [:]
      for track in movie.tracks { model[track.id] = try ShownSamples(track, of: movie) }
      var steps = ""
      for _ in 0..<4 {
        let scale = Int64(full.value)
        var bounds = [
          Int64.random(in: 0...scale, using: &random), Int64.random(in: 0...scale, using: &random),
        ].sorted()
        if bounds[0] == bounds[1] { bounds = [0, scale] }
        let range = time(bounds[0], full.timescale)..<time(bounds[1], full.timescale)
        let length = (range.upperBound - range.lowerBound).seconds
        if Bool.random(using: &random) {
          let place = min(
            composition.duration, time(Int64.random(in: 0...scale, using: &random), full.timescale))
          steps += " insert \(range) at \(place)"
          try composition.insertTimeRange(range, of: movie, at: place)
          for (id, spans) in model {
            let track = try #require(movie.tracks.first { $0.id == id })
            let part = try ShownSamples(track, of: movie).part(
              range.lowerBound.seconds, range.upperBound.seconds)
            model[id] = inserted(part, lasting: length, spans, at: place.seconds)
          }
        } else if length < composition.duration.seconds - 0.01 {
          steps += " remove \(range)"
          composition.removeTimeRange(range)
          for (id, spans) in model {
            model[id] = removed(range.lowerBound.seconds, range.upperBound.seconds, spans)
          }
        }
      }
      let made: MovieFile
      do { made = try composition.plannedMovie() } catch {
        // Of a movie without samples at the end nothing may be left.
        #expect(error.reason.contains("nothing is presented"), "\(name) \(round):\(steps): \(error)")
        continue
      }
      try compare(made, model, "\(name) \(round):\(steps)")
    }
  }

  /// A movie of QuickTime, whose edits may have speeds.
  private let quickTime = "metadata-keys.mov"

  @Test func readingWhatWasWrittenGivesTheCompositionAgain() throws {
    let folder = try TemporaryFolder()
    let movie = try fixture(quickTime)
    var composition = try Composition(movie)
    try composition.insertTimeRange(time(2, 10)..<time(5, 10), of: movie, at: time(1, 1))
    composition.insertEmptyTimeRange(time(5, 10)..<time(6, 10))
    try composition.scaleTimeRange(time(14, 10)..<time(20, 10), toDuration: time(3, 10))
    #expect(composition.duration == time(21, 10))
    let path = folder.path + "/made.mov"
    let report = try composition.write(to: path)
    #expect(report.duration == composition.duration)
    let again = try Composition(MovieFile(path: path))
    #expect(again.duration == composition.duration && again.tracks.map(\.id) == composition.tracks.map(\.id))
    for (left, right) in zip(composition.tracks, again.tracks) where left.mediaType == .video {
      #expect(left.segments.map(\.timeRange) == right.segments.map(\.timeRange))
      #expect(left.segments.map(\.isEmpty) == right.segments.map(\.isEmpty))
      #expect(left.segments.map(\.rate) == right.segments.map(\.rate))
      #expect(right.segments.contains { $0.rate == 2 } && right.segments.contains(where: \.isEmpty))
    }
    // And once more, with what that one has.
    let copy = folder.path + "/again.mov"
    try again.write(to: copy)
    let third = try Composition(MovieFile(path: copy))
    for (left, right) in zip(again.tracks, third.tracks) {
      #expect(left.segments.map(\.timeRange) == right.segments.map(\.timeRange))
      #expect(left.segments.map(\.content) == right.segments.map(\.content))
      #expect(left.segments.map(\.rate) == right.segments.map(\.rate))
    }
  }

  @Test func speedsAreExactOrRefused() throws {
    var composition = try Composition(fixture(quickTime))
    let video = try #require(composition.tracks.firstIndex { $0.mediaType == .video })
    let before = composition.tracks[video].segments.map(\.timeRange)
    for (range, duration) in [
      (time(0, 10)..<time(1, 10), time(3, 70)), (time(1, 10)..<time(1, 10), time(1, 10)),
      (time(0, 10)..<time(1, 10), .zero),
    ] {
      #expect(throws: EditError.self) { try composition.scaleTimeRange(range, toDuration: duration) }
    }
    #expect(composition.tracks[video].segments.map(\.timeRange) == before)
    let length = composition.duration
    try composition.scaleTimeRange(time(0, 10)..<time(2, 10), toDuration: time(4, 10))
    #expect(composition.duration == length + time(2, 10))
    #expect(composition.tracks[video].segments.map(\.rate) == [0.5, 1])
    let made = try composition.plannedMovie()
    let list = try #require(made.mainVideoTrack?.box?["edts/elst"]?.payload(EditListBox.self))
    #expect(list.entries.map(\.mediaRateInteger) == [0, 1])
    #expect(list.entries.map(\.mediaRateFraction) == [Int16(bitPattern: 0x8000), 0])
    // Taken back, it is what it was.
    try composition.scaleTimeRange(time(0, 10)..<time(4, 10), toDuration: time(2, 10))
    #expect(composition.tracks[video].segments.allSatisfy { $0.rate == 1 })
    #expect(composition.duration == length)
    // MP4 has no speeds.
    var other = try Composition(fixture("edit-list-trim.mp4"))
    try other.scaleTimeRange(.zero..<time(1, 10), toDuration: time(2, 10))
    #expect(throws: EditError.self) { try other.plannedMovie() }
  }

  /// A part of a movie that has speeds is presented as fast.
  @Test func partsKeepTheirSpeeds() throws {
    let folder = try TemporaryFolder()
    var composition = try Composition(fixture(quickTime))
    try composition.scaleTimeRange(time(0, 10)..<time(20, 10), toDuration: time(40, 10))
    let path = folder.path + "/slow.mov"
    try composition.write(to: path)
    var trimmer = try MovieTrimmer(MovieFile(path: path))
    trimmer.start = .time(time(10, 10))
    trimmer.end = .time(time(30, 10))
    let part = try Composition(trimmer.plannedMovie())
    let track = try #require(part.tracks.first { $0.mediaType == .video })
    #expect(track.segments.count == 1 && track.segments[0].rate == 0.5 && part.duration == time(20, 10))
    #expect(
      track.segments[0].sourceRange?.upperBound
        == track.segments[0].sourceRange.map { $0.lowerBound + time(1, 1) })
  }

  @Test func tracksAreEditedByThemselves() throws {
    let movie = try fixture("metadata-keys.mov")
    var composition = try Composition(movie)
    let sound = try #require(composition.tracks.firstIndex { $0.mediaType == .audio })
    let video = try #require(composition.tracks.firstIndex { $0.mediaType == .video })
    composition.tracks[sound].removeTimeRange(time(0, 1)..<time(1, 2))
    composition.tracks[sound].insertEmptyTimeRange(time(0, 1)..<time(1, 2))
    let track = try #require(movie.tracks.first { $0.mediaType == .audio })
    #expect(throws: EditError.self) {
      try composition.tracks[video].insertTimeRange(.zero..<time(1, 2), of: track, in: movie, at: .zero)
    }
    try composition.tracks[sound].insertTimeRange(
      time(0, 1)..<time(1, 4), of: track, in: movie, at: time(1, 1))
    let made = try composition.plannedMovie()
    var model: [UInt32: ShownSamples] = [:]
    for track in movie.tracks { model[track.id] = try ShownSamples(track, of: movie) }
    let own = try ShownSamples(track, of: movie)
    var new = inserted(removed(0, 0.5, own), lasting: 0.5, ShownSamples(), at: 0)
    new.spans = removed(0, 0.5, own).spans.map { shifted($0, 0.5) }
    model[track.id] = inserted(own.part(0, 0.25), lasting: 0.25, new, at: 1)
    try compare(made, model, "sound")
  }

  @Test func nothingIsRefused() throws {
    #expect(throws: EditError.self) { try Composition().plannedMovie() }
    var composition = try Composition(fixture("spatial.mov"))
    #expect(throws: EditError.self) {
      try composition.insertTimeRange(.zero..<time(1, 10), of: fixture("metadata-keys.mov"), at: .zero)
    }
    composition.removeTimeRange(.zero..<composition.duration)
    #expect(composition.duration == MediaTime.zero)
    #expect(throws: EditError.self) { try composition.plannedMovie() }
  }
}
