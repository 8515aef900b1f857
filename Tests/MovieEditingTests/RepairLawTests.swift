// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// What a repair announces is what it does, no more and no less: the same report before and after, and boxes, samples and
/// rules of both movies that differ in what the report names.
@Suite struct RepairLawTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// - Returns: whether the movie was repaired, and not refused.
  @discardableResult private func expectLaw(
    _ movie: MovieFile, donor: MovieFile? = nil, _ name: String
  ) throws -> Bool {
    guard var repairer = try? MovieRepairer(movie) else { return false }
    repairer.donor = donor
    let planned: RepairReport
    do throws(EditError) { planned = try repairer.plannedReport() } catch {
      #expect(error.kind != .failed, "\(name): \(error)")
      return false
    }
    let path = folder.path + "/repaired"
    var options = MovieWriteOptions()
    options.isOverwriting = true
    let written = try repairer.write(to: path, options: options)
    #expect(planned.steps == written.steps, "\(name)")
    #expect(planned.changes == written.changes, "\(name)")
    try RepairLaw(before: movie, after: MovieFile(path: path), report: written, name: name).verify()
    return true
  }

  @Test(arguments: Fixtures.media) func ofFixtures(name: String) throws {
    let movie = try MovieFile(path: Fixtures.path(name))
    // A stream is no movie, and what is lost with lhvC is in no other place.
    let isRefused = movie.mainVideoTrack?.isRawStream != false || name == "stereo-tags-without-lhvC.mov"
    #expect(try expectLaw(movie, name) == !isRefused)
    try expectLaw(movie, donor: try? MovieFile(path: Fixtures.path("spatial.mov")), name + " from another")
  }

  @Test(arguments: RuleCase.all.indices) func ofCases(index: Int) throws {
    let item = RuleCase.all[index]
    var movie = try item.start()
    let original = try movie.opened()
    try item.edit(&movie)
    let broken = try movie.opened()
    try expectLaw(broken, "\(item.rule) (\(index))")
    try expectLaw(broken, donor: original, "\(item.rule) (\(index)) from the original")
  }

  /// Every box of a movie, left out one at a time: alone, and with the original.
  @Test(arguments: ["spatial.mov", "timecode.mov", "two-views-fragmented.mp4"])
  func withoutOneBox(name: String) throws {
    let original = try MovieFile(path: Fixtures.path(name))
    let tree = try #require(original.tree)
    var paths: [String] = []
    func collect(_ boxes: [Box], _ path: String) {
      BoxPath.forEachSibling(boxes) { box, step, _ in
        let place = path.isEmpty ? step : path + "/" + step
        if !["moov", "mdat", "moof"].contains(box.type) { paths.append(place) }
        if box.type != "moof" { collect(box.children, place) }
      }
    }
    collect(tree.boxes, "")
    var repaired = 0
    for path in paths {
      guard let place = BoxPath(path) else { continue }
      var edited = tree
      guard (try? edited.remove(place)) != nil, let bytes = try? edited.encoded(),
        let movie = try? MovieFile(bytes: bytes)
      else { continue }
      if try expectLaw(movie, "\(name) without \(path)") { repaired += 1 }
      if try expectLaw(movie, donor: original, "\(name) without \(path), from the original") { repaired += 1 }
    }
    #expect(repaired > paths.count / 2)
  }

  /// The recording date of a clip is in its own time zone; the header has it in seconds of another moment.
  @Test(.enabled(if: Corpus.isPresent)) func theRecordingDateIsThatOfTheOriginal() throws {
    let root = try #require(Corpus.folder)
    let original = try MovieFile(path: root + "/apple/iphone15promax.mov")
    var repairer = try MovieRepairer(MovieFile(path: root + "/found/2/remux_peers.mov"))
    repairer.donor = original
    let report = try repairer.write(to: folder.path + "/repaired.mov")
    let made = try MovieFile(path: folder.path + "/repaired.mov")
    #expect(made.metadata[.creationDate]?.stringValue == "2024-07-12T13:25:29+0200")
    #expect(
      report.steps.first { $0.name == "metadata com.apple.quicktime.creationdate" }?.new
        == "2024-07-12T13:25:29+0200")
    #expect(made.tree?.first("moov")?.first(MovieHeaderBox.self)?.creationTime == 3_803_922_693)
    // The track of timed metadata is back, with its sample and its reference.
    let tracks = try MovieComparison(original, made).differences.filter { $0.trackID == 2 }
    #expect(made.tracks.count == 2 && tracks.isEmpty, "\(tracks)")
    #expect(made.tracks.last?.references.map(\.trackIDs) == original.tracks.last?.references.map(\.trackIDs))
  }

  /// Damaged clips, of which one box or one value is wrong: with the original, nothing of it differs afterwards.
  @Test(
    .enabled(if: Corpus.isPresent),
    arguments: ["novexu.mov", "nohvcC.mov", "stco_plus4.mov", "noctts.mov", "dur0.mov", "mdhd_dur.mov"])
  func aClipIsAsItWas(name: String) throws {
    let root = try #require(Corpus.folder)
    let original = try MovieFile(path: root + "/apple/iphone15promax.mov")
    let broken = try MovieFile(path: root + "/found/2/" + name)
    try expectLaw(broken, name)
    try expectLaw(broken, donor: original, name)
    let made = try MovieFile(path: folder.path + "/repaired")
    let differences = try MovieComparison(original, made).differences
    #expect(differences.isEmpty, "\(name): \(differences)")
  }

  @Test(.enabled(if: Corpus.isPresent)) func ofDamagedMovies() throws {
    let root = try #require(Corpus.folder)
    var repaired = 0
    for name in Corpus.files("found") + Corpus.files("broken") where !name.hasSuffix(".bit") {
      guard let movie = try? MovieFile(path: root + "/" + name), movie.source.size ?? 0 < 4_000_000 else {
        continue
      }
      if try expectLaw(movie, name) { repaired += 1 }
    }
    #expect(repaired > 50)
  }
}
