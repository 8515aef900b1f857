// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

/// Movies that were changed in one thing: that is named, and nothing else.
@Suite struct MovieComparisonTests {
  private static func differences(
    to second: EditedMovie, from first: EditedMovie = EditedMovie(),
    levels: Set<MovieComparison.Level> = MovieComparison.usualLevels
  ) throws -> [String] {
    try MovieComparison(first.opened(), second.opened(), levels: levels).differences
      .map { "\($0.kind.rawValue) \($0.subject) \($0.change.rawValue)" }
  }

  @Test(arguments: Fixtures.media) func aMovieEqualsItself(name: String) throws {
    let comparison = try MovieComparison(
      try MovieFile(path: Fixtures.path(name)), try MovieFile(path: Fixtures.path(name)),
      levels: Set(MovieComparison.Level.allCases))
    #expect(comparison.differences == [])
  }

  /// Where the index is, what fills gaps, how offsets are written, in which scale the movie counts.
  @Test func layoutMakesNoDifference() throws {
    var other = EditedMovie()
    try other.append(box("free", [UInt8](repeating: 0, count: 100)), to: "moov")
    other.edit("moov/mvhd", MovieHeaderBox.self) { header in
      header.timescale *= 10
      header.duration *= 10
    }
    other.edit("moov/trak/tkhd", TrackHeaderBox.self) { $0.duration *= 10 }
    other.edit("moov/trak/edts/elst", EditListBox.self) { list in
      for index in list.entries.indices { list.entries[index].editDuration *= 10 }
    }
    #expect(try Self.differences(to: other) == [])
    #expect(try Self.differences(to: other, levels: [.bytes]).count == 1)
  }

  @Test func tags() throws {
    var other = EditedMovie()
    other.remove("\(EditedMovie.entry)/hfov")
    #expect(try Self.differences(to: other) == ["tags field of view lost"])
    #expect(try Self.differences(to: EditedMovie(), from: other) == ["tags field of view added"])
    other = EditedMovie()
    other.edit("\(EditedMovie.entry)/vexu/eyes/cams/blin", CameraBaselineBox.self) {
      $0.baseline.rawValue += 1
    }
    let comparison = try MovieComparison(EditedMovie().opened(), other.opened())
    #expect(comparison.differences.map(\.description) == ["track 1, baseline: 63 mm is now 63.001 mm"])
    // What is absent is not zero.
    other = EditedMovie()
    other.remove("\(EditedMovie.entry)/vexu")
    let lost = try Self.differences(to: other)
    #expect(lost.contains("tags baseline lost") && lost.contains("tags signalled eyes lost"))
    #expect(lost.allSatisfy { $0.hasPrefix("tags") || $0.hasPrefix("eyes") }, "\(lost)")
  }

  /// Without lhvC nobody decodes the second eye, though it is still in the samples.
  @Test func theSecondViewsParameterSets() throws {
    var other = EditedMovie()
    other.remove("\(EditedMovie.entry)/lhvC")
    let found = try Self.differences(to: other)
    #expect(found.contains("layers layer 1 changed") || found.contains("layers layer 1 lost"), "\(found)")
    #expect(found.contains("parameterSets SPS of layer 1 lost"), "\(found)")
    #expect(found.contains("parameterSets PPS of layer 1 lost"), "\(found)")
    #expect(
      !found.contains { $0.hasPrefix("samples") || $0.hasPrefix("times") || $0.hasPrefix("tags") }, "\(found)"
    )
  }

  @Test func times() throws {
    var other = EditedMovie()
    other.edit("\(EditedMovie.tables)/stts", TimeToSampleBox.self) { table in
      table.entries = .of(
        table.entries.map { entry in
          var entry = entry
          entry.sampleDelta *= 2
          return entry
        })
    }
    let found = try Self.differences(to: other)
    #expect(!found.isEmpty && found.allSatisfy { $0.hasPrefix("times") }, "\(found)")
  }

  @Test func aMissingTrackAndKey() throws {
    var other = EditedMovie()
    let track = try #require(other.tree["moov/trak"])
    try other.append(track.encoded(), to: "moov")
    other.edit("moov/trak[1]/tkhd", TrackHeaderBox.self) { $0.trackID = 9 }
    let chunks = try #require(other.tree["moov/trak[0]/mdia/minf/stbl/stco"]?.payload(ChunkOffsetBox.self))
    other.edit("moov/trak[1]/mdia/minf/stbl/stco", ChunkOffsetBox.self) { $0 = chunks }
    let found = try MovieComparison(other.opened(), EditedMovie().opened()).differences
    #expect(
      found.map(\.kind) == [.tracks] && found.first?.change == .lost && found.first?.trackID == 9, "\(found)")
  }

  /// One coded picture changed in one bit, in one layer.
  @Test(arguments: [UInt8(0), 1]) func oneBit(layer: UInt8) throws {
    let movie = try EditedMovie().opened()
    let track = try #require(movie.tracks.first)
    var place: Range<UInt64>?
    try track.forEachAccessUnit(3..<4) { places, _ in
      place = places.units.last { $0.header.layerID == layer && $0.header.type.isVideoCodingLayer }?.range
      return true
    }
    var bytes = try EditedMovie().encoded()
    bytes[Int(try #require(place).upperBound) - 2] ^= 4
    let found = try MovieComparison(movie, MovieFile(bytes: bytes)).differences
    #expect(found.count == 1 && found.first?.kind == .samples && found.first?.sample == 3, "\(found)")
  }

  /// The stream of a movie against the movie: the same pictures, and no word of boxes or times.
  @Test func aStreamAndItsMovie() throws {
    let movie = try EditedMovie().opened()
    var bytes: [UInt8] = []
    _ = try movie.tracks[0].extract(layers: [0, 1]) {
      bytes += $0
      return true
    }
    let comparison = try MovieComparison(MovieFile(bytes: bytes), movie, levels: [.samples, .presentation])
    #expect(comparison.differences == [] && comparison.notes.count == 1, "\(comparison.differences)")
  }

  // MARK: What is not in samples

  /// A cover that is too large to be kept in memory, and one of the same size; and what kind of picture it is said to be.
  @Test func largeCovers() throws {
    func cover(_ last: UInt8, _ type: UInt32 = 13) throws -> EditedMovie {
      var movie = EditedMovie()
      let data = box("data", u32(type), u32(0), [UInt8](repeating: 0xFF, count: 70_000) + [last])
      let handler = fullBox("hdlr", u32(0), Array("mdirappl".utf8), [UInt8](repeating: 0, count: 9))
      try movie.append(
        box("udta", fullBox("meta", handler + box("ilst", box("covr", data)))), to: "moov")
      return movie
    }
    let first = try cover(1)
    #expect(try Self.differences(to: cover(1), from: first) == [])
    #expect(try Self.differences(to: cover(2), from: first) == ["metadata itsk/covr changed"])
    #expect(try Self.differences(to: cover(1, 14), from: first) == ["metadata itsk/covr changed"])
  }

  /// Two values of one name, each for readers of one language.
  @Test func languagesOfValues() throws {
    func title(_ english: String, _ french: String) throws -> EditedMovie {
      var movie = EditedMovie()
      func data(_ language: [UInt8], _ text: String) -> [UInt8] {
        box("data", u32(1), [0, 0] + language, Array(text.utf8))
      }
      let values = box("\u{A9}nam", data([0x15, 0xC7], english), data([0x1A, 0x41], french))
      let handler = fullBox("hdlr", u32(0), Array("mdirappl".utf8), [UInt8](repeating: 0, count: 9))
      try movie.append(box("udta", fullBox("meta", handler + box("ilst", values))), to: "moov")
      return movie
    }
    let first = try title("Hello", "Bonjour")
    #expect(try Self.differences(to: title("Hello", "Bonjour"), from: first) == [])
    #expect(try Self.differences(to: title("Bonjour", "Hello"), from: first).count == 1)
  }

  /// To which track a track refers; not by which number that is known.
  @Test func targetsOfReferences() throws {
    func movie(cdsc target: UInt32, second number: UInt32 = 2) throws -> EditedMovie {
      var movie = EditedMovie()
      let track = try #require(movie.tree["moov/trak"]).encoded()
      for index in 1...2 {
        try movie.append(track, to: "moov")
        // What was copied points to where the samples were.
        let chunks = try #require(
          movie.tree["moov/trak[0]/mdia/minf/stbl/stco"]?.payload(ChunkOffsetBox.self))
        movie.edit("moov/trak[\(index)]/mdia/minf/stbl/stco", ChunkOffsetBox.self) { $0 = chunks }
      }
      movie.edit("moov/trak[1]/tkhd", TrackHeaderBox.self) { $0.trackID = number }
      movie.edit("moov/trak[2]/tkhd", TrackHeaderBox.self) { $0.trackID = 30 }
      try movie.append(box("tref", box("cdsc", u32(target))), to: "moov/trak[2]")
      return movie
    }
    let first = try movie(cdsc: 2)
    #expect(try Self.differences(to: movie(cdsc: 2), from: first) == [])
    #expect(try Self.differences(to: movie(cdsc: 9, second: 9), from: first) == [])
    #expect(try Self.differences(to: movie(cdsc: 1), from: first) == ["tracks references changed"])
  }

  @Test func bytesThatBelongToNoBox() throws {
    let bytes = try EditedMovie().encoded()
    let found = try MovieComparison(MovieFile(bytes: bytes), MovieFile(bytes: bytes + [1, 2, 3])).differences
    #expect(found.map(\.subject) == ["bytes after the last box"] && found.first?.change == .added, "\(found)")
  }

  private static let encrypted = "made/packager_cenc.mp4"

  /// One bit of an initialization vector: the sample decrypts to something else.
  @Test(.enabled(if: Corpus.files("made").contains(encrypted))) func initializationVectors() throws {
    let bytes = Corpus.bytes(Self.encrypted).array
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("senc".utf8)) })
    var other = bytes
    other[place + 12] ^= 1
    let same = try MovieComparison(MovieFile(bytes: bytes), MovieFile(bytes: bytes)).differences
    #expect(same == [])
    let found = try MovieComparison(MovieFile(bytes: bytes), MovieFile(bytes: other)).differences
    #expect(found.map(\.subject) == ["initialization vectors and encrypted parts"], "\(found)")
  }

  // MARK: What other tools made of one stream

  /// Muxes of one stream by two tools: the coded pictures are the same.
  @Test func muxesOfOneStream() throws {
    guard Corpus.isPresent, let folder = Corpus.folder else { return }
    var compared = 0
    for name in Corpus.files("mvhevc") where name.hasSuffix(".hevc") {
      let start = String(name.dropLast(5))
      let path = folder + "/" + start + "_gpac.mp4", other = folder + "/" + start + "_mp4ff.mp4"
      guard let gpac = try? MovieFile(path: path), let mp4ff = try? MovieFile(path: other) else { continue }
      let found = try MovieComparison(gpac, mp4ff, levels: [.samples]).differences
      #expect(!found.contains { $0.subject.hasPrefix("sample") }, "\(start): \(found)")
      compared += 1
    }
    print("\(compared) pairs of muxes of one stream have the same coded pictures")
    #expect(compared > 10)
  }
}
