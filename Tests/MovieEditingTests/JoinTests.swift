// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import Foundation
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// Movies one after the other, compared with a plain model of what each presents.
@Suite struct JoinTests {
  private func fixture(_ name: String) throws -> MovieFile { try MovieFile(path: Fixtures.path(name)) }

  /// Compares what each movie presents with the part of the new one that is its own.
  private func problems(_ movies: [MovieFile]) throws -> [String] {
    let joiner = try MovieJoiner(movies)
    let report = try joiner.plannedReport()
    let made = try joiner.plannedMovie()
    var problems: [String] = []
    for (index, movie) in movies.enumerated() {
      let start = report.parts[index].seconds
      let end = index + 1 < movies.count ? report.parts[index + 1].seconds : report.range.upperBound.seconds
      for track in movie.tracks where track.sampleCount > 0 && track.mediaType != .timecode {
        var wanted = try ShownSamples(track, of: movie).part(0, end - start)
        // The last picture stays until the next movie begins.
        if track.mediaType == .video, index + 1 < movies.count, let last = wanted.spans.indices.last {
          wanted.spans[last].end = end - start
        }
        // Of the tracks of a kind one presents the same.
        let tick = 1.01 / Double(track.timescale)
        let found = try made.tracks.filter { $0.mediaType == track.mediaType }.map {
          try ShownSamples($0, of: made).part(start, end)
        }
        let differences = found.compactMap { $0.difference(wanted, within: tick) }
        if differences.count == found.count {
          problems.append(
            "part \(index), track \(track.id) (\(track.mediaType)): \(differences.first ?? "is missing")")
        }
      }
    }
    return problems
  }

  @Test func eachMovieIsPresentedAsItWas() throws {
    for names in [
      ["spatial.mov", "spatial.mov", "spatial.mov"], ["spatial.mov", "stereo-no-hfov.mov"],
      ["metadata-keys.mov", "edit-list-trim.mp4", "timecode.mov", "metadata-keys.mov"],
      ["timed-metadata.mov", "timed-metadata.mov"], ["two-tracks-lhv1.mp4", "two-tracks-lhv1.mp4"],
      ["cmaf-hevc-sidx.mp4", "cmaf-hevc-sidx.mp4"],
    ] {
      let found = try problems(names.map(fixture))
      #expect(found.isEmpty, "\(names): \(found)")
    }
  }

  @Test func whatWasCutAndJoinedIsWhatItWas() throws {
    for name in [
      "spatial.mov", "metadata-keys.mov", "edit-list-trim.mp4", "two-tracks-hvc2.mp4",
    ] {
      let movie = try fixture(name)
      let count = try #require(try movie.mainVideoTrack?.samples().presentationCount)
      for cut in Set([1, count / 3, count / 2, count - 1]) where cut > 0 && cut < count {
        var first = try MovieTrimmer(movie)
        first.end = .picture(cut)
        var second = try MovieTrimmer(movie)
        second.start = .picture(cut)
        let parts: [MovieFile]
        do { parts = [try first.plannedMovie(), try second.plannedMovie()] } catch {
          Issue.record("\(name) at #\(cut) of \(count): \(error)")
          continue
        }
        let made = try MovieJoiner(parts).plannedMovie()
        for track in movie.tracks where track.mediaType != .timecode {
          let wanted = try ShownSamples(track, of: movie)
          let new = try #require(
            made.tracks.first { $0.mediaType == track.mediaType && $0.codec == track.codec })
          let tick = 2.02 / Double(track.timescale)
          let difference = try ShownSamples(new, of: made).difference(wanted, within: tick)
          #expect(difference == nil, "\(name) at #\(cut), track \(track.id): \(difference ?? "")")
        }
      }
    }
  }

  /// Sound and picture of every part begin together, however many parts there are: the lengths of the parts do not add up to
  /// a difference.
  @Test func partsOfOddLengthsStayTogether() throws {
    let movie = try fixture("metadata-keys.mov")
    var parts: [MovieFile] = []
    for index in 0..<37 {
      var trimmer = try MovieTrimmer(movie)
      trimmer.start = .time(MediaTime(value: Int64(7 + index * 13), timescale: 1_000))
      trimmer.end = .time(MediaTime(value: Int64(7 + index * 13 + 101 + index * 29), timescale: 1_000))
      parts.append(try trimmer.plannedMovie())
    }
    let joiner = try MovieJoiner(parts)
    let report = try joiner.plannedReport()
    let made = try joiner.plannedMovie()
    let scale = Double(try #require(made.tree?["moov/mvhd"]?.payload(MovieHeaderBox.self)).timescale)
    for track in made.tracks where track.mediaType == .video || track.mediaType == .audio {
      let list = try #require(track.box?["edts/elst"]?.payload(EditListBox.self))
      // In every track an edit begins where a part does: to the tick of the movie.
      var starts: Set<UInt64> = []
      var time: UInt64 = 0
      for entry in list.entries {
        starts.insert(time)
        time += entry.editDuration
      }
      for part in report.parts { #expect(starts.contains(UInt64((part.seconds * scale).rounded()))) }
      // What an edit presents ends before the media of the next one.
      for (entry, next) in zip(list.entries, list.entries.dropFirst())
      where entry.mediaTime >= 0 && next.mediaTime > entry.mediaTime {
        let end = Double(entry.mediaTime) + Double(entry.editDuration) * Double(track.timescale) / scale
        #expect(end <= Double(next.mediaTime) + 1e-6)
      }
    }
    let found = try problems(parts)
    #expect(found.isEmpty, "\(found.prefix(4))")
  }

  /// A layer cannot become another one without encoding, so that movies whose layers show different eyes are only
  /// joined on request, each with its own sample entry.
  @Test func moviesWithSwappedEyesAreRefused() throws {
    // The message on the eyes of this movie is in its record only.
    let folder = try TemporaryFolder()
    var options = MuxOptions()
    options.frameRate = FrameRate(30)
    try StreamMuxer(source: FileBytes(path: Fixtures.path("two-views.hevc")), options: options)
      .write(to: folder.path + "/movie.mov")
    let movie = try MovieFile(path: folder.path + "/movie.mov")
    var editor = try MovieEditor(movie)
    editor.tracks[0].entries[0].swapEyes(inMessage: true)
    let swapped = try editor.plannedMovie()
    #expect(swapped.tracks[0].eyeAssignment.eyes == [0: .right, 1: .left])
    for movies in [[movie, swapped], [swapped, movie], [movie, movie, swapped]] {
      var joiner = try MovieJoiner(movies)
      do {
        _ = try joiner.plan()
        Issue.record("joined")
      } catch {
        #expect(error.kind == .mixedEyes && error.isRefusal && error.reason.contains("layer 0"), "\(error)")
      }
      joiner.allowsMixedEyes = true
      let made = try joiner.plannedMovie()
      let track = made.tracks[0]
      #expect(track.formatDescriptions.count == 2)
      let first = movies[0].tracks[0].eyeAssignment.eyes
      #expect(track.layerAnalysis(ofDescription: 1).eyeAssignment.eyes == first)
      #expect(track.layerAnalysis(ofDescription: 2).eyeAssignment.eyes == first.mapValues(\.opposite))
      #expect(try joiner.plannedReport().notices.contains { $0.kind == "eyesChange" })
      // A movie that has both is told from one that has one of them.
      #expect(throws: EditError.self) { try MovieJoiner([made, movie]).plan() }
      #expect(throws: EditError.self) { try MovieJoiner([movie, made]).plan() }
    }
    // Movies of one eye order, and flat ones, are joined.
    _ = try MovieJoiner([swapped, swapped]).plan()
    _ = try MovieJoiner([movie, fixture("stereo-no-hfov.mov")]).plan()
  }

  /// Edits that continue each other are one, which players of streams need.
  @Test func continuousEditsAreOne() throws {
    let movie = try fixture("spatial.mov")
    let made = try MovieJoiner(Array(repeating: movie, count: 15)).plannedMovie()
    let list = try #require(made.tracks[0].box?["edts/elst"]?.payload(EditListBox.self))
    #expect(list.entries.count == 1)
    #expect(try made.tracks[0].samples().presentationCount == 60)
    _ = try MoviePackager([made]).plannedReport()
  }

  @Test func equalSampleEntriesAreOne() throws {
    let same = try MovieJoiner([fixture("spatial.mov"), fixture("spatial.mov")]).plannedMovie()
    #expect(same.tracks[0].formatDescriptions.count == 1)
    let other = try MovieJoiner([fixture("spatial.mov"), fixture("stereo-no-hfov.mov")])
    #expect(try other.plannedMovie().tracks[0].formatDescriptions.count == 2)
    #expect(
      try other.plannedReport().notices.contains { if case .spatialDifference = $0 { true } else { false } })
  }

  /// What is said of parts of samples goes with the samples, compared with a list of all of them.
  @Test func partsOfSamplesGoWithTheSamples() throws {
    func marked(_ numbers: [Int]) throws -> MovieFile {
      var tree = try BoxTree(FileBytes(path: Fixtures.path("edit-list-trim.mp4")), registry: .standard)
      var box = SubSampleInformationBox()
      box.flags = 1
      var last = -1
      for number in numbers {
        let part = SubSampleInformationBox.SubSample(size: UInt32(number + 1), priority: 3)
        box.entries.append(.init(sampleDelta: UInt32(number - last), subsamples: [part]))
        last = number
      }
      try tree.insert(
        Box("subs", box, in: .box("stbl"), registry: .standard), in: "moov/trak[0]/mdia/minf/stbl")
      return try MovieFile(edited: tree)
    }
    func read(_ movie: MovieFile) throws -> [Int: UInt32] {
      let box = try #require(
        movie.tracks[0].box?["mdia/minf/stbl/subs"]?.payload(SubSampleInformationBox.self))
      #expect(box.flags == 1)
      var number = -1
      var sizes: [Int: UInt32] = [:]
      for entry in box.entries {
        number += Int(entry.sampleDelta)
        sizes[number] = entry.subsamples.first?.size
      }
      return sizes
    }
    let (first, second) = (try marked([0, 2, 9]), try marked([1, 5]))
    #expect(try read(first) == [0: 1, 2: 3, 9: 10])
    let joined = try MovieJoiner([first, second, first]).plannedMovie()
    let counts = [first, second].map { $0.tracks[0].sampleCount }
    var wanted: [Int: UInt32] = [0: 1, 2: 3, 9: 10]
    for (number, size) in [(1, UInt32(2)), (5, 6)] { wanted[counts[0] + number] = size }
    for (number, size) in [(0, UInt32(1)), (2, 3), (9, 10)] { wanted[counts[0] + counts[1] + number] = size }
    // Samples that no part presents may be left out at the end of a part, which these movies have none of.
    #expect(joined.tracks[0].sampleCount == 2 * counts[0] + counts[1])
    #expect(try read(joined) == wanted)
  }
}
