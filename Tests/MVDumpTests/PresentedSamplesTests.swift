// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF
import Multiview
import TestSupport
import Testing

/// `mvdump samples --presented`: a row for each time at which a sample is presented, as a model says that goes through time
/// unit by unit.
@Suite struct PresentedSamplesTests {
  private static let corpus = ["edits.mov", "edits2.mov", "edits3.mov"].map { "found/" + $0 }

  @Test(.enabled(if: Corpus.isPresent), arguments: corpus) func cornersOfTheCorpus(name: String) throws {
    try Self.check((Corpus.folder ?? "") + "/" + name)
  }

  @Test(arguments: ["spatial.mov", "cmaf-hevc-sidx.mp4", "timecode.mov"]) func fixtures(name: String) throws {
    try Self.check(Fixtures.path(name))
  }

  private static func check(_ path: String) throws {
    let movie = try MovieFile(path: path)
    let movieTimescale = try #require(movie.tree?.first("moov")?.first(MovieHeaderBox.self)?.timescale)
    let rows = try #require(mvdump("samples", "--presented", "--json", path).json?["tracks"]?.elements)
    let plain = try #require(mvdump("samples", "--json", path).json?["tracks"]?.elements)
    #expect(rows.count == movie.tracks.count && rows.count == plain.count)
    for (index, track) in movie.tracks.enumerated() {
      let entries = track.box?.first("edts")?.first(EditListBox.self)?.entries ?? []
      let model = NaivePresentation(
        Array(try track.samples()), entries.map { $0 }, movie: Int(movieTimescale),
        media: Int(track.timescale),
        isFragmented: movie.container.isFragmented, units: 1)
      let found = rows[index]["samples"]?.elements ?? []
      #expect(found.map { $0["index"]?.integer } == model.all.map { $0.sample })
      #expect(found.map { $0["pts"]?.integer } == model.all.map { Int($0.time) })
      // All else is what is reported of the sample without the option.
      let samples = plain[index]["samples"]?.elements ?? []
      for row in found {
        let sample = samples[try #require(row["index"]?.integer)]
        for key in [
          "dts", "cts", "duration", "offset", "size", "sync", "dependsOn", "isDependedOn", "layers",
        ] {
          #expect(row[key] == sample[key], "\(key)")
        }
      }
    }
  }
}
