// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

/// Fields of headers that players go by: each is changed alone, and a comparison names it.
@Suite struct HeaderComparisonTests {
  private static func differences(_ change: (inout EditedMovie) -> Void) throws -> [String] {
    var other = EditedMovie()
    change(&other)
    return try MovieComparison(EditedMovie().opened(), other.opened()).differences.map(\.description)
  }

  @Test func durations() throws {
    for duration: UInt64 in [0, 1 << 31] {
      let words = duration == 0 ? "now 0 s" : " s"
      var found = try Self.differences {
        $0.edit("moov/mvhd", MovieHeaderBox.self) { $0.duration = duration }
      }
      #expect(
        found.count == 1
          && found[0].hasPrefix("duration in the header of the movie: that of the samples is now ")
          && found[0].hasSuffix(words), "\(found)")
      found = try Self.differences {
        $0.edit("moov/trak/tkhd", TrackHeaderBox.self) { $0.duration = duration }
      }
      #expect(
        found.count == 1 && found[0].hasPrefix("track 1, duration in the header of the track: "), "\(found)")
      found = try Self.differences {
        $0.edit("moov/trak/mdia/mdhd", MediaHeaderBox.self) { $0.duration = duration }
      }
      #expect(
        found.count == 1 && found[0].hasPrefix("track 1, duration in the header of the media: "), "\(found)")
    }
  }

  /// A duration that is rounded to another timescale is the same.
  @Test func roundedDurations() throws {
    #expect(
      try Self.differences { $0.edit("moov/mvhd", MovieHeaderBox.self) { $0.duration += 1 } } == [])
  }

  @Test func sizesAndMatrices() throws {
    var found = try Self.differences {
      $0.edit("moov/trak/tkhd", TrackHeaderBox.self) { $0.width /= 2 }
    }
    #expect(found == ["track 1, size in the track header: 320x180 is now 160x180"], "\(found)")
    func turned(_ number: Int32) throws -> [String] {
      var first = EditedMovie(), second = EditedMovie()
      first.edit("moov/trak/tkhd", TrackHeaderBox.self) { $0.matrix.b = 0x4000 }
      second.edit("moov/trak/tkhd", TrackHeaderBox.self) { $0.matrix.b = number }
      return try MovieComparison(first.opened(), second.opened()).differences.map(\.description)
    }
    #expect(try turned(0x4000) == [])
    found = try turned(0x8000)
    #expect(
      found.count == 1 && found[0].contains("orientation: a matrix of 1, 0.25") && found[0].contains("0.5"),
      "\(found)")
  }

  @Test(
    .enabled(if: Corpus.isPresent),
    arguments: [
      ("apple/iphone15promax.mov", "dur0.mov", 3), ("apple/iphone15promax.mov", "mdhd_dur.mov", 1),
      ("found/2/ipad.mov", "d_dur_mvhd.mov", 1), ("found/2/ipad.mov", "d_tkwidth.mov", 1),
    ])
  func realMovies(original: String, changed: String, count: Int) throws {
    let root = try #require(Corpus.folder) + "/"
    let found = try MovieComparison(
      MovieFile(path: root + original), MovieFile(path: root + "found/2/" + changed)
    ).differences.map(\.description)
    #expect(found.count == count, "\(found)")
  }
}
