// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// Movies of which the base layer alone is kept.
@Suite struct StripTests {
  /// The units of the base layer of each sample, in a reading of its own: lengths of four bytes.
  private func baseUnits(_ track: Track, of movie: MovieFile) throws -> [[ByteView]] {
    try track.samples().map { sample in
      let bytes = try movie.source.read(sample.range)
      var units: [ByteView] = []
      var position = 0
      while let length = bytes.bigEndian(at: position, width: 4), length >= 2 {
        let unit = bytes.suffix(from: position + 4).prefix(Int(length))
        position += 4 + Int(length)
        let layer = (unit[0] ?? 0) & 1 << 5 | (unit[1] ?? 0) >> 3
        if layer == 0 { units.append(unit) }
      }
      // What follows the last picture and prefixes another one.
      let last = units.lastIndex { ($0[0] ?? 0) >> 1 < 32 } ?? -1
      return units.enumerated().filter { index, unit in
        // Messages on views, each in a unit of its own.
        if (unit[0] ?? 0) >> 1 == 39, [176, 178, 179, 180].contains(unit[2] ?? 0) { return false }
        return index <= last || ![32, 33, 34, 35, 39].contains((unit[0] ?? 0) >> 1)
      }.map(\.element)
    }
  }

  private func check(_ movie: MovieFile, _ name: String) throws {
    let stripper = try MovieStripper(movie)
    let report = try stripper.plannedReport()
    let flat = try stripper.plannedMovie()
    let new = try #require(flat.tracks.first { $0.id == stripper.track.id }, "\(name)")
    // A projection stays, and so does the class that it makes.
    let isFlat = stripper.track.stereo.isRectilinear
    #expect(
      flat.classification == (isFlat ? .mono : movie.classification),
      "\(name) is \(String(describing: flat.classification))")
    #expect(try baseUnits(new, of: flat) == baseUnits(stripper.track, of: movie), "\(name)")
    let (old, now) = (Array(try stripper.track.samples()), Array(try new.samples()))
    #expect(
      old.map { [$0.decodeTime, $0.compositionOffset, $0.duration, Int64($0.flags.rawValue)] }
        == now.map { [$0.decodeTime, $0.compositionOffset, $0.duration, Int64($0.flags.rawValue)] }, "\(name)"
    )
    #expect(!report.unitsLeftOut.isEmpty && new.layers.count == 1, "\(name)")
    for path: BoxPath in isFlat ? ["lhvC", "vexu", "hfov"] : ["lhvC", "vexu/eyes", "vexu/pack"] {
      #expect(new.formatDescriptions[0].box[path] == nil, "\(name)")
    }
    for other in movie.tracks where other.id != stripper.track.id && other.sampleCount > 0 {
      let same = try #require(flat.tracks.first { $0.id == other.id })
      #expect(
        try ShownSamples(same, of: flat).difference(ShownSamples(other, of: movie), within: 1e-9) == nil,
        "\(name)")
    }
    let before = Set(movie.check().findings.filter { $0.severity == .error }.map(\.rule.id))
    let after = Set(flat.check().findings.filter { $0.severity == .error }.map(\.rule.id))
    #expect(after.subtracting(before).isEmpty, "\(name): \(after.subtracting(before))")
  }

  @Test func fixturesBecomeFlat() throws {
    for name in [
      "spatial.mov", "stereo-no-hfov.mov", "hdr10.mp4", "half-equirect-180.mov", "alpha-layer.mp4",
    ] {
      let movie = try MovieFile(path: Fixtures.path(name))
      guard movie.mainVideoTrack?.isHEVC == true, (movie.mainVideoTrack?.layers.count ?? 0) > 1 else {
        continue
      }
      try check(movie, name)
    }
  }

  @Test(.enabled(if: Corpus.isPresent)) func moviesOfTwoViewsBecomeFlat() throws {
    let corpus = try #require(Corpus.folder)
    var count = 0
    for name in CorpusEditingTests.movies
    where ["apple/", "mvhevc/", "lhevc/"].contains(where: name.hasPrefix) {
      guard let movie = try? MovieFile(path: corpus + "/" + name), let track = movie.mainVideoTrack,
        track.isHEVC, track.layers.count > 1, !track.joined.isJoined
      else { continue }
      do {
        try check(movie, name)
        count += 1
      } catch let error as EditError { print("refused: \(name): \(error)") }
    }
    print("\(count) movies became flat")
    #expect(count > 20)
  }

  @Test func theEyeIsNamedAndTheOtherRefused() throws {
    let stripper = try MovieStripper(MovieFile(path: Fixtures.path("spatial.mov")))
    let eye = try #require(stripper.eye)
    try stripper.require(eye)
    #expect(throws: EditError.self) { try stripper.require(eye.opposite) }
    #expect(throws: EditError.self) {
      _ = try MovieStripper(MovieFile(path: Fixtures.path("metadata-keys.mov")))
    }
    #expect(throws: EditError.self) {
      _ = try MovieStripper(MovieFile(path: Fixtures.path("two-tracks-lhv1.mp4")))
    }
  }

  @Test func whatHoldsForFlatMoviesStaysWhereAsked() throws {
    var stripper = try MovieStripper(MovieFile(path: Fixtures.path("spatial.mov")))
    stripper.keepsCameraTags = true
    let entry = try #require(stripper.plannedMovie().mainVideoTrack?.formatDescriptions.first)
    #expect(entry.box.first("hfov") != nil && entry.box.first("lhvC") == nil)
    #expect(entry.box["vexu/eyes"] == nil)
  }
}
