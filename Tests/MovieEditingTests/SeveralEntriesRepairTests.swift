// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// Tracks with a sample entry for samples of one view, and another for samples of two, as joined movies have them.
@Suite struct SeveralEntriesRepairTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A movie of two parts, of which one has no second view and no `lhvC`.
  ///
  /// - Parameter lost: boxes that the entry of two views has lost.
  private func movie(flatFirst: Bool, losing lost: [String]) throws -> MovieFile {
    var remade = try RemadeMovie(MovieFile(path: Fixtures.path("spatial.mov")))
    let whole = remade.samples[0]
    var flat = whole
    for index in flat.indices { flat[index].units = flat[index].units.filter { BrokenClip.layer($0) == 0 } }
    var parts = flatFirst ? [flat, whole] : [whole, flat]
    for index in parts[1].indices { parts[1][index].description = 2 }
    remade.samples[0] = parts[0] + parts[1]
    remade.editTrack { trak in
      trak.edit("mdia/minf/stbl/stsd") { stsd in
        var views = stsd.children[0], plain = stsd.children[0]
        views.children.removeAll { lost.contains($0.type) }
        plain.children.removeAll { ["lhvC", "vexu", "hfov"].contains($0.type) }
        stsd.children = flatFirst ? [plain, views] : [views, plain]
        stsd.fields[7] = 2
      }
    }
    return try MovieFile(bytes: remade.encoded())
  }

  private func tagged(_ movie: MovieFile) -> [Bool] {
    movie.tracks[0].formatDescriptions.map { $0.box.first("vexu") != nil }
  }

  private func expectNoError(_ movie: MovieFile, _ name: String) {
    let about: Set<RuleID> = ["MV014", "MV015", "MV016", "MV022", "MV024", "MV041"]
    let errors = movie.check().findings.filter { $0.severity == .error && about.contains($0.rule.id) }
    #expect(
      errors.allSatisfy { ["MV022", "MV024"].contains($0.rule.id) && $0.entry != nil }, "\(name): \(errors)")
    #expect(
      !errors.contains { ["MV014", "MV015", "MV016", "MV041"].contains($0.rule.id) }, "\(name): \(errors)")
  }

  @Test(arguments: [true, false]) func eyesAreSetWhereTheyAre(flatFirst: Bool) throws {
    let broken = try movie(flatFirst: flatFirst, losing: ["vexu", "hfov"])
    #expect(tagged(broken) == [false, false])
    for donor in [nil, try MovieFile(path: Fixtures.path("spatial.mov"))] {
      var repairer = try MovieRepairer(broken)
      repairer.donor = donor
      let path = folder.path + "/repaired"
      try repairer.write(to: path, options: .replacing)
      let made = try MovieFile(path: path)
      #expect(tagged(made) == [!flatFirst, flatFirst], "with a donor: \(donor != nil)")
      #expect(made.tracks[0].formatDescriptions.count { $0.box.first("lhvC") != nil } == 1)
      expectNoError(made, "\(flatFirst)")
    }
  }

  @Test(arguments: [true, false]) func tagsAreForTheEntryWithLayers(flatFirst: Bool) throws {
    let sound = try movie(flatFirst: flatFirst, losing: [])
    let views = flatFirst ? 1 : 0
    var editor = try MovieEditor(sound)
    #expect(editor.entriesForTags(of: 0) == [views])
    try editor.copyTags(from: MovieFile(path: Fixtures.path("spatial.mov")))
    #expect(tagged(try editor.plannedMovie()) == [!flatFirst, flatFirst])
    // With none that has layers, they are for all.
    #expect(
      try MovieEditor(MovieFile(path: Fixtures.path("side-by-side-packed.mov"))).entriesForTags(of: 0) == [0])
  }
}
