// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

/// Movies with tracks that each signal one eye, in any order and number.
@Suite struct EyesOfTracksTests {
  /// A flat movie with a track for each of these eyes: 1 is the left one, 2 the right one.
  static func movie(_ eyes: [UInt8]) throws -> MovieFile {
    var movie = EditedMovie("hdr10.mp4")
    try movie.append(vexu(1), to: EditedMovie.entry)
    let track = try #require(movie.tree["moov/trak"]).encoded()
    for index in eyes.indices {
      if index > 0 { try movie.append(track, to: "moov") }
      movie.edit("moov/trak[\(index)]/tkhd", TrackHeaderBox.self) { $0.trackID = UInt32(index + 1) }
      movie.edit(
        "moov/trak[\(index)]/mdia/minf/stbl/stsd/hvc1/vexu/eyes/stri", StereoViewInformationBox.self
      ) { ($0.hasLeftEyeView, $0.hasRightEyeView) = (eyes[index] & 1 != 0, eyes[index] & 2 != 0) }
    }
    return try movie.opened()
  }

  /// A track is half of a pair if any other track has the other eye.
  @Test(
    arguments: [[1, 2], [2, 1], [1, 2, 1, 2], [1, 2, 1], [2, 1, 1], [1, 1, 2], [2, 2, 1, 1]] as [[UInt8]])
  func pairs(_ eyes: [UInt8]) throws {
    let movie = try Self.movie(eyes)
    #expect(movie.tracks.map { $0.classificationReport.stereoKind } == eyes.map { _ in .twoTrack })
    let report = movie.check()
    #expect(report.verdict(.stereo)?.outcome == .pass)
    #expect(!report.findings.contains { $0.rule.id == "MV076" })
  }

  /// Several pairs in one movie need not have one size.
  @Test func eachRightEyeHasALeftOne() throws {
    func movie(_ heights: [UInt16]) throws -> MovieFile {
      var movie = EditedMovie("hdr10.mp4")
      try movie.append(vexu(1), to: EditedMovie.entry)
      let track = try #require(movie.tree["moov/trak"]).encoded()
      for index in heights.indices {
        if index > 0 { try movie.append(track, to: "moov") }
        let entry = "moov/trak[\(index)]/mdia/minf/stbl/stsd/hvc1"
        movie.edit("moov/trak[\(index)]/tkhd", TrackHeaderBox.self) { $0.trackID = UInt32(index + 1) }
        movie.edit(entry, VisualSampleEntry.self) { $0.height = heights[index] }
        movie.edit("\(entry)/vexu/eyes/stri", StereoViewInformationBox.self) {
          ($0.hasLeftEyeView, $0.hasRightEyeView) = (index % 2 == 0, index % 2 == 1)
        }
      }
      return try movie.opened()
    }
    func count(_ movie: MovieFile) -> Int { movie.check().findings.count { $0.rule.id == "MV127" } }
    #expect(try count(movie([180, 180])) == 0)
    #expect(try count(movie([180, 90])) == 1)
    #expect(try count(movie([180, 180, 90, 90])) == 0)
    #expect(try count(movie([180, 180, 90, 60])) == 1)
  }

  @Test(arguments: [[1], [1, 1], [2, 2, 2], [1, 3], [1, 0]] as [[UInt8]]) func noPairs(_ eyes: [UInt8]) throws
  {
    let movie = try Self.movie(eyes)
    #expect(movie.tracks.allSatisfy { $0.classificationReport.stereoKind == .notStereo })
    #expect(movie.check().verdict(.stereo)?.outcome == .fail)
  }
}
