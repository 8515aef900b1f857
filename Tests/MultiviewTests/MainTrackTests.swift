// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

/// What speaks for a movie, and movies of which nothing can be said.
@Suite struct MainTrackTests {
  /// The spatial fixture with a flat track in front of its own: a new `moov` at the end, free space where the old one was.
  static func flatThenSpatial() throws -> MovieFile {
    var bytes = Fixtures.bytes("spatial.mov").array
    let other = try #require(try MovieFile(path: Fixtures.path("hdr10.mp4")).tree)
    var flat = try #require(other["moov/trak"]).encoded()
    // The track ID follows the times of the track header.
    flat[try BadInputTests.find("tkhd", in: flat) + 4 + 15] = 9
    let tree = try #require(try MovieFile(bytes: bytes).tree)
    let moov = try #require(tree.first("moov"))
    let parts = try moov.children.flatMap { child throws in
      (child.type == "trak" ? flat : []) + (try child.encoded())
    }
    bytes.replaceSubrange((moov.offset + 4)..<(moov.offset + 8), with: Array("free".utf8))
    return try MovieFile(bytes: bytes + box("moov", parts))
  }

  @Test func theFirstTrackThatIsMoreThanFlat() throws {
    let movie = try Self.flatThenSpatial()
    #expect(movie.tracks.map(\.id) == [9, 1])
    #expect(movie.tracks.map(\.classification) == [.mono, .spatial])
    #expect(movie.mainVideoTrack?.id == 1)
    #expect(movie.classification == .spatial)
    let report = movie.check()
    #expect(report.classification == .spatial)
  }

  @Test func flatMoviesAreTheirFirstTrack() throws {
    let movie = try MovieFile(path: Fixtures.path("two-tracks-lhv1.mp4"))
    #expect(movie.mainVideoTrack?.id == 1 && movie.classification == .mono)
    #expect(try MovieFile(bytes: box("free", [])).mainVideoTrack == nil)
  }

  /// No decoder can be made for it, so it is not called spatial.
  @Test(arguments: ["without hvcC", "of an unknown version"])
  func sampleEntryWithoutRecord(_ what: String) throws {
    let movie = try BadInputTests.movie("spatial.mov") { bytes in
      if what == "without hvcC" {
        try BadInputTests.replace("hvcC", with: "free", in: &bytes)
      } else {
        bytes[try BadInputTests.find("hvcC", in: bytes) + 4] = 2
      }
    }
    #expect(movie.classification == .unknown)
    #expect(movie.tracks.first?.classificationReport.facts.map(\.text).first?.contains("hvcC") == true)
  }

  /// `cmov` of the QuickTime file format: nothing of the movie is read, and it is said.
  @Test func compressedMovie() throws {
    let compressed = box(
      "cmov", box("dcom", code("zlib")), box("cmvd", u32(100), [0x78, 0x9C, 0x03, 0, 0, 0, 0, 1]))
    let movie = try MovieFile(bytes: box("moov", compressed))
    #expect(movie.tracks.isEmpty && movie.classification == .unknown)
    #expect(movie.allDiagnostics.map(\.code) == ["compressed-movie"])
    let report = movie.check()
    #expect(report.findings.map(\.rule.id).contains("MV003"))
    #expect(report.verdicts.allSatisfy { $0.outcome != .pass })
  }
}
