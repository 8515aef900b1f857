// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// Edit lists of movies whose samples get other times: pictures stay where they were against sound and other tracks.
@Suite struct RepairedEditsTests {
  private typealias Edit = EditListBox.Entry
  private let folder: TemporaryFolder
  private let stream = Fixtures.bytes("two-views-cropped.hevc").array
  private let path: BoxPath = "moov/trak"

  init() throws { folder = try TemporaryFolder() }

  /// A movie of the stream at 30 pictures a second, in a timescale of 600 for movie and media.
  private func muxed(_ reordering: MuxOptions.Reordering = .ctts1) throws -> MovieFile {
    var options = MuxOptions()
    options.frameRate = FrameRate(30)
    options.reordering = reordering
    options.isOverwriting = true
    try StreamMuxer(source: MemoryBytes(ByteView(stream)), options: options).write(
      to: folder.path + "/sound.mov")
    return try MovieFile(path: folder.path + "/sound.mov")
  }

  /// The movie with other edits, and with its composition times lost where that is asked for.
  private func broken(
    _ movie: MovieFile, _ edits: [Edit]?, losesTimes: Bool = true
  ) throws -> MovieFile {
    var tree = try #require(movie.tree)
    try tree.edit(path) { (trak: inout Box) throws(ParseError) in
      trak.children.removeAll { $0.type == "edts" }
      if let edits {
        var list = EditListBox()
        list.entries = edits
        let box = Box("edts", nil, children: [Box("elst", list, registry: .standard)], registry: .standard)
        trak.children.insert(box, at: trak.children.firstIndex { $0.type == "mdia" } ?? 0)
      }
      for index in trak.children.indices where trak.children[index].type == "tkhd" {
        try trak.children[index].edit(TrackHeaderBox.self) { header in
          header.duration = edits?.reduce(0) { $0 + $1.editDuration } ?? header.duration
        }
      }
    }
    try tree.edit("moov/trak/mdia/minf/stbl") { (stbl: inout Box) throws(ParseError) in
      if losesTimes { stbl.children.removeAll { $0.type == "ctts" || $0.type == "cslg" } }
    }
    return try MovieFile(bytes: try tree.encoded())
  }

  private func repaired(_ movie: MovieFile) throws -> (edits: [Edit], movie: MovieFile, report: RepairReport)
  {
    var options = MovieWriteOptions()
    options.isOverwriting = true
    var repairer = try MovieRepairer(movie)
    repairer.donor = try MovieFile(bytes: stream)
    let report = try repairer.write(to: folder.path + "/repaired.mov", options: options)
    let repaired = try MovieFile(path: folder.path + "/repaired.mov")
    let list = repaired.tree?["moov/trak/edts/elst"]?.payload(EditListBox.self)
    #expect(repaired.check().findings.filter { $0.severity == .error && $0.rule.id != "MV016" }.isEmpty)
    #expect(try MovieRepairer(repaired).plannedReport().steps.isEmpty)
    return (list?.entries ?? [], repaired, report)
  }

  /// To the microsecond, without zeros at the end.
  private func seconds(_ ticks: UInt64) -> String {
    let number = Double(ticks) / 600
    return number == number.rounded() ? "\(Int(number)) s" : "\((number * 1e6).rounded() / 1e6) s"
  }

  /// The movie with start codes in place of lengths, so that its samples have to be written anew.
  private func withStartCodes(_ movie: MovieFile) throws -> MovieFile {
    var bytes = try movie.source.read(0..<(try #require(movie.source.size))).array
    for sample in try movie.tracks[0].samples() {
      var place = Int(sample.range.lowerBound)
      while place < Int(sample.range.upperBound) {
        let count = bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
        bytes.replaceSubrange(place..<(place + 4), with: [0, 0, 0, 1])
        place += 4 + count
      }
    }
    return try MovieFile(bytes: bytes)
  }

  private var count: Int { MuxTests.accessUnits(stream).count }

  /// A picture lasts 20; ten pictures 200.
  @Test func whatIsEmptyAndWhatIsLeftOutStays() throws {
    let sound = try muxed()
    try #require(count >= 10)
    let length = UInt64(20 * count)
    let all = Edit(editDuration: length, mediaTime: 0)
    let late = Edit(editDuration: 300, mediaTime: -1)
    #expect(try repaired(broken(sound, [all])).edits == [all])
    #expect(try repaired(broken(sound, nil)).edits == [all])
    #expect(try repaired(broken(sound, [late, all])).edits == [late, all])
    // From the fifth of the samples in their old order to the eighth: those places in the order of pictures.
    let part = Edit(editDuration: 60, mediaTime: 100)
    let (edits, movie, report) = try repaired(broken(sound, [late, part]))
    #expect(edits == [late, part])
    #expect(movie.tree?["moov/mvhd"]?.payload(MovieHeaderBox.self)?.duration == 360)
    #expect(movie.tree?["moov/trak/tkhd"]?.payload(TrackHeaderBox.self)?.duration == 360)
    #expect(!report.steps.contains { $0.name == "edit list" })
    // A picture that is held.
    let held = Edit(editDuration: 50, mediaTime: 60, mediaRateInteger: 0)
    #expect(try repaired(broken(sound, [part, held])).edits == [part, held])
  }

  /// A tool that does not write composition times may begin its list after the delay that reordering would have made.
  @Test func theDelayOfReorderingIsNotATrimmedStart() throws {
    let sound = try muxed()
    let least = try #require(sound.tracks[0].samples().map(\.compositionOffset).min())
    try #require(least < 0)
    let length = UInt64(20 * count)
    let short = Edit(editDuration: length - UInt64(-least), mediaTime: -least)
    let late = Edit(editDuration: 300, mediaTime: -1)
    let (edits, _, report) = try repaired(broken(sound, [late, short]))
    #expect(edits == [late, Edit(editDuration: length, mediaTime: 0)])
    let step = try #require(report.steps.first { $0.name == "edit list" })
    #expect(
      step.old == "0.5 s of nothing, \(seconds(short.editDuration)) from \(seconds(UInt64(-least)))")
    #expect(step.new == "0.5 s of nothing, \(seconds(length)) from 0 s")
  }

  /// Where times were right, and samples are written anew for another reason, nothing about them changes.
  @Test func rightTimesStay() throws {
    let sound = try muxed(.edit)
    let first = try #require(sound.tracks[0].samples().map(\.compositionTime).min())
    try #require(first > 0)
    for old in [
      // With the shift of composition times, and 40 more; without a list; and before the first picture.
      [Edit(editDuration: 100, mediaTime: first + 40)], nil,
      [Edit(editDuration: 100, mediaTime: first - 20)],
    ] as [[Edit]?] {
      let file = try withStartCodes(broken(sound, old, losesTimes: false))
      let (edits, movie, report) = try repaired(file)
      #expect(edits == old ?? [], "\(String(describing: old))")
      #expect(
        try movie.tracks[0].samples().map(\.compositionTime)
          == file.tracks[0].samples().map(\.compositionTime))
      #expect(report.steps.map(\.rule?.id) == ["MV053"], "\(report.steps)")
    }
  }

  /// Of samples that hold single layers nothing says how long a picture lasts, where the stream has no rate: what is assumed is
  /// reported, and `frameRate` decides otherwise.
  @Test func anAssumedRateIsReported() throws {
    var options = MuxOptions()
    options.frameRate = FrameRate(30)
    let stream = Fixtures.bytes("three-views.hevc")
    let sound = try StreamMuxer(source: MemoryBytes(stream), options: options).draftMovie().movie
    var table = SampleTableBuilder()
    for (sample, units) in zip(try sound.tracks[0].samples(), try MuxTests.units(of: sound)) {
      var offset = sample.offset
      for layer in Set(units.map(\.layer)).sorted() {
        let size = units.filter { $0.layer == layer }.reduce(0) { $0 + $1.bytes.count + 4 }
        try table.append(
          size: UInt32(size), offset: offset, duration: 20, flags: sample.isSync ? .sync : .nonSync)
        offset += UInt64(size)
      }
    }
    var tree = try #require(sound.tree)
    try tree.edit("moov/trak/mdia/minf/stbl") { (stbl: inout Box) throws(ParseError) in
      stbl.children = stbl.children.filter { $0.type == "stsd" } + (try table.boxes())
    }
    var repairer = try MovieRepairer(MovieFile(bytes: try tree.encoded()))
    let steps = try repairer.plannedReport().steps.filter { $0.name == "picture duration" }
    #expect(steps.map(\.old) == ["20/600 s for each sample of a single layer"])
    #expect(steps.map(\.new) == ["20/600 s for all layers, assumed"])
    repairer.frameRate = FrameRate(25)
    let asked = try repairer.plannedReport().steps.filter { $0.name == "picture duration" }
    #expect(asked.map(\.new) == ["24/600 s for all layers"])
    let repaired = try repairer.draftMovie().movie
    #expect(
      try repaired.tracks[0].samples().map(\.duration)
        == Array(repeating: 24, count: sound.tracks[0].samples().count))
    #expect(try MuxTests.units(of: repaired) == MuxTests.units(of: sound))
  }

  /// Tools that round each time have samples that last differently by one.
  @Test func durationsThatWereRoundedAreOne() throws {
    let sound = try muxed()
    for (durations, rate, expected) in [
      ([40_000, 39_999, 40_000], nil, 20), ([40_000, 80_000, 40_000], nil, nil),
      ([40_000, 80_000, 40_000], FrameRate(25), 24),
    ] as [([Int64], FrameRate?, Int64?)] {
      var table = SampleTableBuilder()
      for (index, sample) in try sound.tracks[0].samples().enumerated() {
        try table.append(
          size: UInt32(sample.size), offset: sample.offset, duration: durations[index % 3],
          flags: sample.isSync ? .sync : .nonSync)
      }
      var tree = try #require(sound.tree)
      try tree.edit("moov/trak/mdia/minf/stbl") { (stbl: inout Box) throws(ParseError) in
        stbl.children = stbl.children.filter { $0.type == "stsd" } + (try table.boxes())
      }
      try tree.edit("moov/trak/mdia/mdhd") { (box: inout Box) throws(ParseError) in
        try box.edit(MediaHeaderBox.self) { $0.timescale = 1_200_000 }
      }
      var repairer = try MovieRepairer(MovieFile(bytes: try tree.encoded()))
      repairer.frameRate = rate
      guard let expected else {
        // The order is not repaired without times, and that is said.
        let report = try repairer.plannedReport()
        #expect(report.steps.isEmpty && report.left.map(\.rule.id) == ["MV054"], "\(report)")
        continue
      }
      let (movie, report) = try repairer.draftMovie()
      #expect(report.steps.contains { $0.name == "picture duration" })
      let track = movie.tracks[0]
      #expect(try Set(track.samples().map { $0.duration * 600 / Int64(track.timescale) }) == [expected])
      #expect(try MovieRepairer(movie).plannedReport().steps.isEmpty)
    }
  }

  /// Edits that come back make a movie longer, and its headers say so.
  @Test func restoredEditsHaveTheirDuration() throws {
    let sound = try muxed()
    let length = try #require(sound.tracks[0].header).duration
    let edits = [Edit(editDuration: 1_200, mediaTime: -1), Edit(editDuration: length, mediaTime: 0)]
    let original = try broken(sound, edits, losesTimes: false)
    let copy = try broken(sound, nil, losesTimes: false)
    var repairer = try MovieRepairer(copy)
    repairer.donor = original
    try repairer.write(to: folder.path + "/longer.mov")
    let repaired = try MovieFile(path: folder.path + "/longer.mov")
    let list = repaired.tree?["moov/trak/edts/elst"]?.payload(EditListBox.self)
    #expect(list?.entries == edits)
    #expect(repaired.tracks[0].header?.duration == 1_200 + length)
    #expect(repaired.tree?["moov/mvhd"]?.payload(MovieHeaderBox.self)?.duration == 1_200 + length)
    #expect(!repaired.check().findings.contains { $0.rule.id == "MV124" })
  }

  /// Groups of samples that are not changed stay, in either form.
  @Test func compactGroupsStay() throws {
    var remade = try RemadeMovie(muxed())
    let groups = Array("roll".utf8)
    // Two bytes for each count and index: one pattern of the first description, for three samples.
    let compact =
      [0, 0, 0, 0x2A] + groups + PlainBox.bytes(1, 4)
      + [1, 3, 1].flatMap { PlainBox.bytes($0, 2) }
    let description = [1, 0, 0, 0] + groups + PlainBox.bytes(2, 4) + PlainBox.bytes(1, 4) + [0xFF, 0xFF]
    remade.editTrack { trak in
      trak.edit("mdia/minf/stbl") {
        $0.children += [PlainBox("sgpd", description), PlainBox("csgp", compact)]
      }
    }
    let broken = try withStartCodes(MovieFile(bytes: remade.encoded()))
    let made = try MovieRepairer(broken).draftMovie().movie
    let table = try #require(made.tracks[0].box?["mdia/minf/stbl"])
    #expect(
      table.children.contains {
        $0.type == "sgpd" && $0.bytes.array.suffix(description.count) == description[...]
      }
    )
    #expect(table.first("csgp")?.bytes.array.suffix(compact.count) == compact[...])
  }

  @Test func anotherSpeedIsRefused() throws {
    let movie = try broken(muxed(), [Edit(editDuration: 100, mediaTime: 0, mediaRateInteger: 2)])
    let error = #expect(throws: EditError.self) { try repaired(movie) }
    #expect(error?.kind == .refused && error?.reason.contains("speed") == true)
  }
}
