// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import Foundation
import HEVC
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// Movies that are broken as other tools break them, and repaired.
@Suite struct RepairTests {
  typealias PlainUnit = MuxTests.PlainUnit
  private let material: BrokenMovies
  private var folder: TemporaryFolder { material.folder }
  private var sound: MovieFile { material.sound }
  private var stream: [UInt8] { material.stream }

  private var overwriting: MovieWriteOptions {
    var options = MovieWriteOptions()
    options.isOverwriting = true
    return options
  }

  init() throws { material = try BrokenMovies() }

  /// Repairs a movie, and compares it with the sound one.
  private func expectRepaired(
    _ broken: MovieFile, donor: MovieFile? = nil, _ name: String, rules: Set<RuleID>
  ) throws {
    let before = Set(broken.check().findings.filter { $0.severity == .error }.map(\.rule.id))
    #expect(!before.isEmpty, "\(name) is not broken")
    var repairer = try MovieRepairer(broken)
    repairer.donor = donor
    let planned = try repairer.plannedReport()
    #expect(Set(planned.steps.compactMap(\.rule?.id)) == rules, "\(name): \(planned.steps)")
    let output = folder.path + "/repaired.mov"
    let report = try repairer.write(to: output, options: overwriting)
    #expect(report.steps == planned.steps && report.changes == planned.changes, "\(name)")
    let repaired = try MovieFile(path: output)
    let errors = repaired.check().findings.filter { $0.severity == .error && !$0.rule.id.isOfCameras }
    #expect(errors.isEmpty, "\(name): \(errors.map { "\($0.rule.id) \($0.message)" })")
    // The same pictures in the same samples, at the same times, with the same records.
    let wanted = try material.soundUnits.map { $0.filter { $0.type != 39 } }
    #expect(try MuxTests.units(of: repaired).map { $0.filter { $0.type != 39 } } == wanted, "\(name)")
    let times = try [sound, repaired].map { movie in
      try movie.tracks[0].samples().map { Double($0.compositionTime) / Double(movie.tracks[0].timescale) }
    }
    #expect(times[0] == times[1], "\(name)")
    for path: BoxPath in [
      "moov/trak/mdia/minf/stbl/stsd/hvc1/hvcC", "moov/trak/mdia/minf/stbl/stsd/hvc1/lhvC",
    ] {
      let units = [sound, repaired].map { movie -> Set<[UInt8]> in
        let box = movie.tree?[path]
        let units =
          box?.payload(HEVCConfigurationBox.self)?.record.nalUnits
          ?? box?.payload(LHEVCConfigurationBox.self)?.record.nalUnits ?? []
        return Set(units.filter { $0.type.isParameterSet }.map(\.bytes.array))
      }
      #expect(units[0] == units[1] && !units[0].isEmpty, "\(name): \(path)")
    }
    // Once is enough.
    #expect(try MovieRepairer(repaired).plannedReport().steps.isEmpty, "\(name)")
  }

  /// As a muxer leaves it that knows one layer: all sets in the first sample, in an entry that allows that.
  @Test func whatIsFixedInBoxesHasARepairOfBoxes() {
    let repaired = BoxRepair.all.reduce(into: Set<Rule>()) { $0.formUnion($1.rules) }
    let fixed = Rule.all.filter { $0.traits.contains(.fixedInBoxes) }
    #expect(!fixed.isEmpty && repaired.isSuperset(of: fixed))
  }

  @Test func setsInSamplesMoveToTheEntry() throws {
    var samples = try material.soundUnits
    samples[0] = material.sets + samples[0]
    try expectRepaired(
      material.movie(samples, "hev1", base: material.record(false)), "sets in samples",
      rules: ["MV005", "MV014", "MV054"])
    // The same in an entry that promises that there are none.
    try expectRepaired(
      material.movie(samples, base: material.record()), "sets in samples, promised away",
      rules: ["MV014", "MV054"])
  }

  /// As a muxer leaves it that takes each layer for a picture, and that has written no record at all.
  @Test func layersInSamplesOfTheirOwnAreJoined() throws {
    var samples: [[PlainUnit]] = []
    for sample in try material.soundUnits {
      let second = sample.firstIndex { $0.layer > 0 && $0.type < 32 } ?? sample.count
      samples += [Array(sample[..<second]), Array(sample[second...])]
    }
    try expectRepaired(
      material.movie(samples, base: material.record(), layered: material.layered), "single layers",
      rules: ["MV013"])
    samples[0] = material.sets + samples[0]
    let empty = Box(
      "hvcC", HEVCConfigurationBox(DecoderConfigurationRecord()), in: .visualSampleEntry, registry: .standard)
    try expectRepaired(
      material.movie(samples, base: empty), "single layers without a record",
      rules: ["MV006", "MV013", "MV014"])
  }

  /// As a muxer leaves it that puts every message into the record, and writes no composition times.
  @Test func compositionTimesFollowFromTheOrderOfPictures() throws {
    let message = ByteView([0x4E, 0x01, 0x05, 0x20] + [UInt8](repeating: 0x41, count: 32) + [0x80])
    try expectRepaired(
      material.movie(
        material.soundUnits, base: material.record(messages: [message]), layered: material.layered),
      "no times", rules: ["MV054"])
  }

  @Test func setsInTheWrongRecordMove() throws {
    var broken = try #require(sound.tree)
    let path: BoxPath = "moov/trak/mdia/minf/stbl/stsd/hvc1"
    let above = try material.layered
    try broken.edit(path) { (entry: inout Box) throws(ParseError) in
      guard let base = entry.children.firstIndex(where: { $0.type == "hvcC" }) else { return }
      try entry.children[base].edit(HEVCConfigurationBox.self) { $0.record.arrays += above.arrays }
      entry.children.removeAll { $0.type == "lhvC" }
    }
    let file = try broken.encoded()
    try expectRepaired(try MovieFile(bytes: file), "wrong record", rules: ["MV007", "MV014"])
    // The media data are where they were.
    let repaired = try MovieFile(path: folder.path + "/repaired.mov")
    let offsets = try [sound, repaired].map { try $0.tracks[0].samples().map(\.offset) }
    #expect(offsets[0] == offsets[1])
    #expect(repaired.tree?.boxes.map(\.type) == sound.tree?.boxes.map(\.type))
  }

  @Test func whatIsGoneComesFromADonorThatFits() throws {
    var broken = try #require(sound.tree)
    try broken.edit("moov/trak/mdia/minf/stbl/stsd/hvc1") { (entry: inout Box) throws(ParseError) in
      entry.children.removeAll { $0.type == "lhvC" || $0.type == "vexu" || $0.type == "hfov" }
    }
    let movie = try MovieFile(bytes: try broken.encoded())
    // Nothing in the movie has the sets.
    do {
      _ = try MovieRepairer(movie).plannedReport()
      Issue.record("was repaired from nothing")
    } catch { #expect(error.isRefusal && error.advice.steps.contains(.nameOriginal), "\(error)") }
    // Another stream does not fit.
    var repairer = try MovieRepairer(movie)
    repairer.donor = try MovieFile(bytes: Fixtures.bytes("three-views.hevc").array)
    do {
      _ = try repairer.plannedReport()
      Issue.record("was repaired from another stream")
    } catch { #expect(error.kind == .refused, "\(error)") }
    try expectRepaired(movie, donor: MovieFile(bytes: stream), "donor stream", rules: ["MV014"])
    try expectRepaired(movie, donor: sound, "donor movie", rules: ["MV014"])
    // With a movie its tags come, too.
    let repaired = try MovieFile(path: folder.path + "/repaired.mov")
    let boxes = [sound, repaired].map { $0.tree?["moov/trak/mdia/minf/stbl/stsd/hvc1/vexu"] }
    #expect(try boxes[0]?.encoded() == boxes[1]?.encoded() && boxes[0] != nil)
  }

  /// FFmpeg puts all messages of x265 into the record, and some players have no video then.
  @Test func largeMessagesGoIntoTheSamplesOfFragments() throws {
    let movie = try MovieFile(path: Fixtures.path("cmaf-hevc-sidx.mp4"))
    let output = folder.path + "/messages.mp4"
    let report = try MovieRepairer(movie).write(to: output)
    // With the fragments, the tables that refer to them are made anew: one index of two, and none of random access.
    #expect(report.steps.map(\.rule?.id) == ["MV123", nil, nil])
    let repaired = try MovieFile(path: output)
    #expect(repaired.container.isFragmented && repaired.tracks.count == movie.tracks.count)
    func units(_ movie: MovieFile) throws -> (record: [[UInt8]], samples: [[UInt8]]) {
      let track = try #require(movie.tracks.first { $0.isHEVC })
      let record = track.formatDescriptions.flatMap { $0.hevcConfiguration?.nalUnits ?? [] }
      var samples: [[UInt8]] = []
      for sample in try track.samples() {
        let bytes = try movie.source.read(sample.range).array
        var start = 0
        while start + 4 <= bytes.count {
          let count = bytes[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
          samples.append(Array(bytes[(start + 4)..<(start + 4 + count)]))
          start += 4 + count
        }
      }
      return (record.map { $0.bytes.array }, samples)
    }
    let (before, after) = (try units(movie), try units(repaired))
    let messages = before.record.filter { $0[0] >> 1 == 39 }
    #expect(!messages.isEmpty && after.record == before.record.filter { $0[0] >> 1 != 39 })
    #expect(after.samples == messages + before.samples)
    #expect(try MovieRepairer(repaired).plannedReport().steps.isEmpty)
  }

  @Test func aSoundMovieIsCopied() throws {
    let fragmented = folder.path + "/fragmented.mp4"
    try MovieFragmenter(MovieFile(path: Fixtures.path("spatial.mov"))).write(to: fragmented)
    for path in [Fixtures.path("spatial.mov"), Fixtures.path("alpha-layer.mp4"), fragmented] {
      let movie = try MovieFile(path: path)
      let repairer = try MovieRepairer(movie)
      let output = folder.path + "/copy.mov"
      var options = overwriting
      options.keepsFreeSpace = true
      let report = try repairer.write(to: output, options: options)
      #expect(report.steps.isEmpty && report.changes.isEmpty, "\(path): \(report)")
      #expect(contents(output) == contents(path), "\(path)")
    }
    // Where there is nothing to repair, that is said.
    let raw = try MovieFile(bytes: stream)
    do {
      _ = try MovieRepairer(raw)
      Issue.record("a stream was repaired")
    } catch { #expect(error.kind == .notAMovie) }
  }

  /// Movies that other tools have broken, with the streams that they were made of.
  @Test(
    .enabled(if: Corpus.isPresent),
    arguments: [
      ("mvhevc/a320_default_ffmpeg.mov", "mvhevc/a320_default.hevc", true),
      ("mvhevc/c322_confwin_ffmpeg.mov", "mvhevc/c322_confwin.hevc", true),
      ("mvhevc/a320_default_mp4ff.mp4", "mvhevc/a320_default.hevc", false),
      ("mvhevc/a320_opengop_mp4ff.mp4", "mvhevc/a320_opengop.hevc", false),
      ("mvhevc/c322_confwin_rh_gpac.mp4", "mvhevc/c322_confwin_rh.hevc", false),
      ("lhevc/htm_2view_nuh6_gpac.mp4", "lhevc/htm_2view_nuh6.bit", true),
    ])
  func theWorkOfOtherToolsIsRepaired(name: String, stream: String, needsDonor: Bool) throws {
    let path = try #require(Corpus.folder) + "/" + name
    let broken = try MovieFile(path: path)
    var repairer = try MovieRepairer(broken)
    if needsDonor {
      #expect(throws: EditError.self, "\(name)") { try repairer.plannedReport() }
      repairer.donor = try MovieFile(bytes: Corpus.bytes(stream).array)
    }
    let report = try repairer.write(to: folder.path + "/repaired")
    #expect(!report.steps.isEmpty)
    let repaired = try MovieFile(path: folder.path + "/repaired")
    let errors = repaired.check().findings.filter { $0.severity == .error && !$0.rule.id.isOfCameras }
    #expect(errors.isEmpty, "\(name): \(errors.map { "\($0.rule.id) \($0.message)" })")
    var options = MuxOptions()
    options.frameRate = FrameRate(30)
    try StreamMuxer(source: MemoryBytes(Corpus.bytes(stream)), options: options).write(
      to: folder.path + "/muxed.mov")
    let muxed = try MovieFile(path: folder.path + "/muxed.mov")
    let pictures = try [muxed, repaired].map { movie in
      try MuxTests.units(of: movie).map { $0.filter { $0.type < 32 } }
    }
    #expect(pictures[0] == pictures[1], "\(name)")
    let times = try [muxed, repaired].map { movie in
      try movie.tracks[0].samples().map { Double($0.compositionTime) / Double(movie.tracks[0].timescale) }
    }
    #expect(zip(times[0], times[1]).allSatisfy { abs($0 - $1) < 0.000_1 }, "\(name): \(times[1])")
    #expect(try MovieRepairer(repaired).plannedReport().steps.isEmpty, "\(name)")
  }

  /// Of a movie that was cut off, a copy would be as broken: that it needs no repair must not be said.
  @Test func aMovieThatIsCutOff() throws {
    let bytes = Fixtures.bytes("spatial.mov").array
    let movie = try MovieFile(bytes: bytes.prefix(6_000))
    let error = #expect(throws: EditError.self) { try MovieRepairer(movie).plannedReport() }
    #expect(error?.kind == .damaged)
  }
}

extension RuleID {
  /// Whether it asks for values of the cameras, which nobody but their maker knows.
  fileprivate var isOfCameras: Bool { ["MV022", "MV023", "MV024"].contains(self) }
}
