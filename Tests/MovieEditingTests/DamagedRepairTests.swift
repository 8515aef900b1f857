// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// Repairs of movies whose damage hides other faults of them.
@Suite struct DamagedRepairTests {
  /// A movie that fuzzing found; the last byte chooses options.
  private static func crasher(_ name: String) throws -> MovieFile {
    try MovieFile(source: MemoryBytes(ByteView(Array(Fixtures.bytes("crashers/" + name).array.dropLast()))))
  }

  /// Track 1 has the base layer, and track 2 the other one, with chunk offsets that are wrong. The header of
  /// track 1 is lost.
  @Test func aLayerWithoutPicturesIsNotConfigured() throws {
    let folder = try TemporaryFolder()
    let broken = try Self.crasher("repair-layer-in-another-track")
    var repairer = try MovieRepairer(broken)
    repairer.donor = try MovieFile(path: Fixtures.path("spatial.mov"))
    let output = folder.path + "/repaired.mp4"
    let report = try repairer.write(to: output)
    let repaired = try MovieFile(path: output)
    let records = repaired.tracks.map { track in
      track.formatDescriptions[0].box.children.map(\.type).filter { ["hvcC", "lhvC"].contains($0) }
    }
    #expect(records[0] == ["hvcC"])
    // Both tracks have the bytes that were 209 bytes later.
    for (old, new) in zip(broken.tracks, repaired.tracks) {
      let (before, after) = (Array(try old.samples()), Array(try new.samples()))
      #expect(before.count == 4 && after.map(\.size) == before.map(\.size))
      for sample in after {
        let bytes = try repaired.source.read(sample.range)
        let units = Array(LengthPrefixedNALUnits(bytes, lengthSize: 4))
        #expect(!units.isEmpty && units.allSatisfy { (try? $0.get()) != nil })
      }
    }
    // That nothing has the base layer of track 2 was hidden as long as its samples could not be found.
    #expect(!broken.check().findings.contains { $0.rule.id == "MV012" })
    #expect(report.left.contains { $0.rule.id == "MV012" && $0.trackID == 2 })
    #expect(!report.left.contains { $0.rule.id == "MV012" && $0.trackID != 2 })
    #expect(try repairer.plannedReport().left == report.left)
  }

  /// No rule examines samples of a track whose description cannot be read.
  @Test func aTruncatedMovieIsRefused() throws {
    let repairer = try MovieRepairer(try Self.crasher("repair-samples-of-fragments-beyond-the-end"))
    let error = #expect(throws: EditError.self) { try repairer.plannedReport() }
    #expect(error?.kind == .damaged)
    #expect(
      error?.reason == "sample 1 of track 1, of 33554440 bytes, reaches beyond the end of the file")
    #expect(error?.advice.description.contains("get the complete file") == true)
  }

  /// The sample entry of track 2 says that it has 1718185573 bytes, and has 40.
  @Test func nothingIsWrittenIntoADamagedEntry() throws {
    let broken = try Self.crasher("repair-tags-in-a-damaged-entry")
    let donor = try MovieFile(path: Fixtures.path("spatial.mov"))
    var repairer = try MovieRepairer(broken)
    repairer.donor = donor
    let report = try repairer.plannedReport()
    #expect(Set(report.changes.map(\.trackID)) == [1])
    // The pictures of the second layer are in track 2: track 1 gets no record for them.
    #expect(!report.changes.contains { $0.name == "layers" })
    var editor = try MovieEditor(broken)
    editor.tracks[1].stereo.baseline = .millimeters(63)
    let error = #expect(throws: EditError.self) { try editor.plannedMovie() }
    #expect(error?.kind == .damaged)
    #expect(error?.reason.contains("sample entry 1 of track 2 is damaged") == true, "\(error?.reason ?? "")")
    #expect(error?.reason.contains("1718185573") == true)
    // The place is for programs, too.
    #expect(try #require(error?.parseError).offset > 0)
  }

  /// A sample entry of the type of a box with offsets (`mfro`) gets a further box.
  @Test func theTypeOfASampleEntryDoesNotMatter() throws {
    let movie = try Self.crasher("repair-entry-with-the-type-of-an-offset-box")
    var tree = try #require(movie.tree)
    try tree.insert(Box("free"), in: "moov/trak[0]/mdia/minf/stbl/stsd/mfro", at: 0)
    let written = BoxTree(ByteView(try tree.encoded()), registry: .standard)
    let entry = try #require(written["moov/trak[0]/mdia/minf/stbl/stsd/mfro"])
    // No codec has this type: what does not end where a box begins is data of its own, and stays as it is.
    let old = movie.tree?["moov/trak[0]/mdia/minf/stbl/stsd/mfro"]?.payload(VisualSampleEntry.self)
    let kept = try #require(old?.privateData)
    #expect(kept.count == 422 && entry.payload(VisualSampleEntry.self)?.privateData == kept)
    #expect(entry.children.map(\.type) == ["free", "mini"])
  }

  /// The first of two entries has the wrong size and cannot be repaired; the second has the right size.
  @Test func whatIsRightIsNotRepaired() throws {
    let report = try MovieRepairer(try Self.crasher("repair-one-of-two-entries")).plannedReport()
    #expect(report.steps.map(\.rule?.id) == ["MV083"])
    #expect(report.steps.allSatisfy { $0.old != $0.new })
  }

  /// A donor of another camera: its video parameter set is another one, and the track needs nothing of it.
  @Test func tagsOfOtherPicturesAreRefused() throws {
    let folder = try TemporaryFolder()
    var options = MuxOptions()
    options.frameRate = FrameRate(30)
    let path = folder.path + "/cropped.mov"
    try StreamMuxer(path: Fixtures.path("two-views-cropped.hevc"), options: options).write(to: path)
    var editor = try MovieEditor(path: path)
    editor.removeAllTags()
    let bare = try editor.plannedMovie()
    var repairer = try MovieRepairer(bare)
    repairer.donor = try MovieFile(path: Fixtures.path("spatial.mov"))
    let sets = [bare, try MovieFile(path: Fixtures.path("spatial.mov"))].map { movie in
      movie.tracks[0].formatDescriptions[0].hevcConfiguration?.nalUnits.first {
        $0.type == .videoParameterSet
      }?
      .bytes.array
    }
    #expect(sets[0] != nil && sets[1] != nil && sets[0] != sets[1])
    let error = #expect(throws: EditError.self) { try repairer.plannedReport() }
    #expect(error?.kind == .refused && error?.reason.contains("VPS_NUT 0") == true, "\(error?.reason ?? "")")
    // From a movie of the same stream, they are taken.
    repairer.donor = try MovieFile(path: path)
    #expect(try repairer.plannedReport().changes.contains { $0.name == "eyes" && $0.new == "left,right" })
  }

  /// A repair whose result breaks a rule is a fault, if the movie could be examined before.
  @Test func aNewFaultIsNotWritten() throws {
    let sound = try MovieFile(path: Fixtures.path("spatial.mov"))
    let verification = RepairVerification(of: sound, sound.check().findings)
    #expect(try verification.examined(sound).revealed.isEmpty)
    var tree = try #require(sound.tree)
    try tree.remove("moov/trak[0]/mdia/minf/stbl/stsd/hvc1/hvcC")
    let broken = try MovieFile(edited: tree)
    let error = #expect(throws: SourceError.self) { try verification.examined(broken) }
    #expect(error?.advice.description.contains("bug in the library") == true)
    // The other way round, nothing is new.
    #expect(try RepairVerification(of: broken, broken.check().findings).examined(sound).revealed.isEmpty)
  }
}
