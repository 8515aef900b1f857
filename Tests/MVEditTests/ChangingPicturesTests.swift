// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import HEVC
import HEVCDecoding
import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

@testable import MoviePictures

/// Movies whose pictures change in the middle.
@Suite struct ChangingPicturesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// One encoding has pictures of one kind: others are refused, not read as if they were like the first ones.
  @Test(arguments: [["spatial.mov", "hdr10.mp4"], ["spatial.mov", "cmaf-hevc-sidx.mp4"]])
  func picturesOfAnotherKindAreNotEncoded(parts: [String]) throws {
    let joined = folder.path + "/joined.mov", output = folder.path + "/encoded.mov"
    let join = mvedit(["join", "-o", joined] + parts.map { Fixtures.path($0) })
    #expect(join.code == .success || join.code == .no, "\(join.errors)")
    let run = mvedit("encode", "--layout", "mono", "-o", output, joined)
    #expect(run.code != .success && contents(output) == nil, "\(run.errors)")
    #expect(run.errors.contains("the first picture"), "\(run.errors)")
  }

  /// The parameter sets that a sample brings do not apply to those before it, to which a reader returns.
  @Test func earlierSamplesHaveTheirOwnParameterSets() throws {
    let parts = try ["hdr10.mp4", "cmaf-hevc-sidx.mp4"].map { name in
      try #require(try MovieFile(path: Fixtures.path(name)).tracks.first)
    }
    let sets = parts[1].layerAnalysis.units.map(\.unit)
    var movie = EditedMovie("hdr10.mp4")
    var later: [[NALUnit]] = []
    try parts[1].forEachAccessUnit { places, walker in
      later.append(
        places.units.compactMap { place in
          do { return try walker.unit(place) } catch { return nil }
        })
      return later.count < 10
    }
    try movie.rewriteSamples { samples in
      samples.removeLast(samples.count - 10)
      samples += later
      samples[10] = sets + samples[10]
    }
    let track = try #require(try movie.opened().tracks.first)
    let decoder = try TrackDecoder(track, HEVCDecoder.Options())
    func sums() throws -> [[[UInt8]?]] {
      var sums: [[[UInt8]?]] = []
      while let pictures = try decoder.next() {
        sums += pictures.map { picture in (0..<3).map { picture.md5(ofPlane: $0) } }
      }
      return sums
    }
    let first = try sums()
    #expect(first.count == 20 && decoder.takeProblems().isEmpty)
    try decoder.restart(at: 0)
    let again = try sums()
    #expect(again.count == 20)
    #expect(zip(first, again).map { $0 == $1 }.allSatisfy { $0 }, "\(zip(first, again).map { $0 == $1 })")
    #expect(decoder.takeProblems().isEmpty)
  }

  /// The rate of a movie is that of most of its samples, wherever one that lasts longer is.
  @Test(arguments: [0, 2]) func rateOfMostSamples(longer: UInt32) throws {
    var movie = EditedMovie("spatial.mov")
    let track = try #require(try movie.opened().tracks.first)
    let first = try #require(try track.samples().sample(at: 0))
    let count = UInt32(track.sampleCount), delta = UInt32(first.duration)
    let rate = try #require(track.pictureRate)
    movie.edit(EditedMovie.tables + "/stts", TimeToSampleBox.self) { table in
      let rows = [(longer, delta), (1, 40 * delta), (count - longer - 1, delta)]
      table.entries = .of(rows.map { TimeToSampleBox.Entry(sampleCount: $0.0, sampleDelta: $0.1) })
    }
    let changed = try #require(try movie.opened().tracks.first?.pictureRate)
    #expect(changed == rate)
  }
}
