// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import HEVCDecoding
import ISOBMFF
import MoviePictures
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// What remuxers, importers and packagers leave of a movie of two views, each damage made here as the tool makes it: repaired, the
/// movie has no error that can be fixed, and both views decode to the pictures that they had, at their times.
@Suite struct DamageCatalogueTests {
  typealias PlainUnit = MuxTests.PlainUnit
  private let material: BrokenMovies
  private let entry: BoxPath = "moov/trak/mdia/minf/stbl/stsd/hvc1"

  init() throws { material = try BrokenMovies() }

  /// A picture as it is shown: when, and the MD5s of the planes of both layers.
  private struct Shown: Equatable {
    var milliseconds: Int
    var planes: [[UInt8]]
  }

  private func shown(_ movie: MovieFile) throws -> [Shown] {
    let track = try #require(movie.tracks.first { $0.isHEVC })
    let reader = try track.pictures()
    var found: [Shown] = []
    while let group = try reader.next() {
      let planes = group.layers.flatMap { picture in
        (0..<picture.decoded.planeCount).map { picture.decoded.md5(ofPlane: $0) ?? [] }
      }
      let time = try #require(group.presentationTime)
      found.append(Shown(milliseconds: Int((time.seconds * 1_000).rounded()), planes: planes))
    }
    #expect(reader.takeProblems() == [])
    return found
  }

  /// Repairs a movie that is damaged, and compares what it shows with another.
  @discardableResult
  private func expectRepaired(
    _ damaged: MovieFile, _ letter: String, donor: MovieFile? = nil, like original: MovieFile? = nil
  ) throws -> RepairReport {
    let file = material.folder.path + "/repaired"
    var options = MovieWriteOptions()
    options.isOverwriting = true
    var repairer = try MovieRepairer(damaged)
    repairer.donor = donor
    let report = try repairer.write(to: file, options: options)
    let repaired = try MovieFile(path: file)
    let check = repaired.check()
    let fixable = check.findings.filter { finding in
      if case .askForTag = check.cure(of: finding) { return false }
      return finding.severity == .error && check.cure(of: finding) != nil
    }
    #expect(fixable.isEmpty, "\(letter): \(fixable.map { "\($0.rule.id) \($0.message)" })")
    let wanted = try shown(original ?? material.sound)
    #expect(try shown(repaired) == wanted && wanted.allSatisfy { $0.planes.count == 6 }, "\(letter)")
    #expect(!wanted.isEmpty)
    let again = try MovieRepairer(repaired).plannedReport()
    #expect(again.steps.isEmpty && again.changes.isEmpty, "\(letter): \(again.steps)")
    return report
  }

  // MARK: Damage

  private func edited(
    _ movie: MovieFile? = nil, _ change: (inout BoxTree) throws -> Void
  ) throws -> MovieFile {
    var tree = try #require((movie ?? material.sound).tree)
    try change(&tree)
    return try MovieFile(bytes: try tree.encoded())
  }

  private func lose(_ types: Set<FourCC>, at path: BoxPath, of tree: inout BoxTree) throws {
    try tree.edit(path) { (box: inout Box) throws(ParseError) in
      box.children.removeAll { types.contains($0.type) }
    }
  }

  /// The edit list that FFmpeg writes after the delay of reordering.
  private func delayed(_ movie: MovieFile) throws -> MovieFile {
    let least = try #require(material.sound.tracks[0].samples().map(\.compositionOffset).min())
    return try edited(movie) { tree in
      try tree.edit("moov/trak/edts/elst") { (box: inout Box) throws(ParseError) in
        try box.edit(EditListBox.self) { list in
          list.entries[0].mediaTime = -least
          list.entries[0].editDuration -= UInt64(-least)
        }
      }
    }
  }

  /// Samples that hold single layers.
  private func split(_ samples: [[PlainUnit]]) -> [[PlainUnit]] {
    samples.flatMap { sample -> [[PlainUnit]] in
      let second = sample.firstIndex { $0.layer > 0 && $0.type < 32 } ?? sample.count
      return [Array(sample[..<second]), Array(sample[second...])]
    }
  }

  // MARK: The letters

  @Test func aRemuxOfTheStreamAsHvc1() throws {
    let damaged = try delayed(material.movie(material.soundUnits, base: material.record()))
    #expect(throws: EditError.self) { try MovieRepairer(damaged).plannedReport() }
    try expectRepaired(damaged, "A", donor: MovieFile(bytes: material.stream))
    try expectRepaired(damaged, "A", donor: material.sound)
  }

  @Test func bRemuxOfTheStreamAsHev1() throws {
    var samples = try material.soundUnits
    samples[0] = material.sets + samples[0]
    try expectRepaired(delayed(material.movie(samples, "hev1", base: material.record(false))), "B")
  }

  @Test func cRemuxByAnOldTool() throws {
    var samples = try split(material.soundUnits)
    samples[0] = material.sets + samples[0]
    let empty = Box(
      "hvcC", HEVCConfigurationBox(DecoderConfigurationRecord()), in: .visualSampleEntry, registry: .standard)
    for type: FourCC in ["hev1", "hvc1"] {
      var damaged = try material.movie(samples, type, base: empty)
      // Each half of a picture lasts as long as a picture.
      damaged = try edited(damaged) { tree in
        try tree.edit("moov/trak/edts/elst") { (box: inout Box) throws(ParseError) in
          try box.edit(EditListBox.self) { $0.entries[0].editDuration *= 2 }
        }
      }
      try expectRepaired(damaged, "C \(type)")
    }
  }

  @Test func dRemuxThatKeepsEverything() throws {
    let damaged = try edited { tree in
      try tree.edit("moov/trak/mdia/minf/stbl/stsd/hvc1/vexu") { (vexu: inout Box) throws(ParseError) in
        vexu.children.reverse()
      }
      try tree.edit("moov/trak/mdia/minf/stbl/stsd/hvc1/hvcC") { (box: inout Box) throws(ParseError) in
        try box.edit(HEVCConfigurationBox.self) { record in
          for index in record.record.arrays.indices where record.record.arrays[index].nalUnitType.isSEI {
            record.record.arrays[index].arrayCompleteness = false
          }
        }
      }
    }
    #expect(try expectRepaired(damaged, "D").steps.isEmpty)
  }

  @Test func eRemuxThatLosesTags() throws {
    let damaged = try edited { tree in try lose(["vexu", "hfov"], at: entry, of: &tree) }
    #expect(try !expectRepaired(damaged, "E", donor: material.sound).changes.isEmpty)
    // The eyes are in the bitstream.
    try expectRepaired(damaged, "E without a donor")
  }

  @Test func fRemuxThatLosesLayersAndTags() throws {
    let damaged = try edited { tree in try lose(["lhvC", "vexu", "hfov"], at: entry, of: &tree) }
    try expectRepaired(damaged, "F", donor: material.sound)
  }

  @Test func gConcatenation() throws {
    let twice = try MovieJoiner([material.sound, material.sound]).plannedMovie()
    let damaged = try edited(twice) { tree in try lose(["lhvC"], at: entry, of: &tree) }
    try expectRepaired(damaged, "G", donor: material.sound, like: twice)
  }

  private func fragments() throws -> MovieFile {
    let path = material.folder.path + "/fragments.mp4"
    var fragmenter = try MovieFragmenter(material.sound)
    fragmenter.duration = MediaTime(value: 1, timescale: 10)
    var options = MovieWriteOptions()
    options.isOverwriting = true
    try fragmenter.write(to: path, options: options)
    return try MovieFile(path: path)
  }

  @Test func hSegments() throws {
    let damaged = try edited(fragments()) { tree in try lose(["lhvC", "vexu", "hfov"], at: entry, of: &tree) }
    try expectRepaired(damaged, "H", donor: material.sound)
    // The init segment alone has no pictures to show.
    var tree = try #require(damaged.tree)
    tree.boxes.removeAll { !["ftyp", "moov"].contains($0.type) }
    var repairer = try MovieRepairer(MovieFile(bytes: try tree.encoded()))
    repairer.donor = material.sound
    let repaired = try repairer.draftMovie().movie
    let records = [material.sound, repaired].map { movie in
      movie.tracks[0].formatDescriptions[0].configurationUnits.map(\.unit).filter(\.type.isParameterSet)
    }
    #expect(Set(records[0]) == Set(records[1]) && !records[0].isEmpty)
  }

  @Test func iImportWithoutTimes() throws {
    let message = ByteView(
      [0x4E, 0x01, 0x05, 0xFF, 0xFF, 0x42] + [UInt8](repeating: 0x41, count: 552) + [0x80])
    let damaged = try material.movie(
      material.soundUnits, base: material.record(messages: [message]), layered: material.layered)
    try expectRepaired(damaged, "I")
  }

  /// References of a track to itself, no edit list, no metadata, and fragments that count from the beginning of the file.
  @Test func jFragmentsByAnImporter() throws {
    let damaged = try edited(fragments()) { tree in
      try lose(["edts"], at: "moov/trak", of: &tree)
      try tree.edit("moov/trak") { (trak: inout Box) throws(ParseError) in
        var reference = TrackReferenceTypeBox()
        reference.trackIDs = [1]
        let boxes = (["sbas", "oref"] as [FourCC]).map {
          Box($0, reference, in: .box("tref"), registry: .standard)
        }
        trak.children.insert(Box("tref", nil, children: boxes, registry: .standard), at: 1)
      }
    }
    let report = try expectRepaired(damaged, "J")
    #expect(report.steps.map(\.rule?.id).contains("MV122"))
  }

  @Test func kSetsInWrongPlaces() throws {
    let above = try material.layered
    try expectRepaired(
      edited { tree in
        try tree.edit(entry) { (entry: inout Box) throws(ParseError) in
          guard let base = entry.children.firstIndex(where: { $0.type == "hvcC" }) else { return }
          try entry.children[base].edit(HEVCConfigurationBox.self) { $0.record.arrays += above.arrays }
          entry.children.removeAll { $0.type == "lhvC" }
        }
      }, "K, all in hvcC")
    var samples = try material.soundUnits
    samples[0] = material.sets + samples[0]
    let none = try #require(material.record().payload(HEVCConfigurationBox.self))
    var record = none.record
    record.arrays = []
    let bare = Box("hvcC", HEVCConfigurationBox(record), in: .visualSampleEntry, registry: .standard)
    try expectRepaired(material.movie(samples, base: bare), "K, all in samples")
  }

  /// A second delimiter ends a sample, and each picture of an access point is listed as a sync sample.
  @Test func lImportThatSplitsAccessUnits() throws {
    let delimiter = PlainUnit(bytes: [0x46, 0x01, 0x50], offset: 0)
    let samples = try split(material.soundUnits).map { [delimiter] + $0 }
    let damaged = try edited(material.movie(samples, base: material.record(), layered: material.layered)) {
      tree in
      try tree.edit("moov/trak/edts/elst") { (box: inout Box) throws(ParseError) in
        try box.edit(EditListBox.self) { $0.entries[0].editDuration *= 2 }
      }
    }
    #expect(try damaged.tracks[0].samples().count { $0.isSync } == 2)
    try expectRepaired(damaged, "L")
    #expect(
      try MovieFile(path: material.folder.path + "/repaired").tracks[0].samples().count { $0.isSync } == 1)
  }
}
