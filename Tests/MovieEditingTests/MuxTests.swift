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

/// Movies that are made of raw streams.
@Suite struct MuxTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A NAL unit of a stream, found without the library.
  struct PlainUnit: Equatable {
    var bytes: [UInt8]
    var offset: Int
    var type: UInt8 { bytes[0] >> 1 & 63 }
    var layer: UInt8 { (bytes[0] & 1) << 5 | bytes[1] >> 3 }
    static func == (left: PlainUnit, right: PlainUnit) -> Bool { left.bytes == right.bytes }
  }

  /// The units between start codes, without the zeros after them.
  static func plainUnits(_ stream: [UInt8]) -> [PlainUnit] {
    var starts: [Int] = []
    var index = 0
    while index + 2 < stream.count {
      if stream[index] == 0, stream[index + 1] == 0, stream[index + 2] == 1 {
        starts.append(index + 3)
        index += 3
      } else {
        index += 1
      }
    }
    return starts.enumerated().map { number, start in
      var end = number + 1 < starts.count ? starts[number + 1] - 3 : stream.count
      while end > start, stream[end - 1] == 0 { end -= 1 }
      return PlainUnit(bytes: Array(stream[start..<end]), offset: start)
    }
  }

  static func joined(_ units: some Sequence<PlainUnit>) -> [UInt8] {
    units.flatMap { [0, 0, 0, 1] + $0.bytes }
  }

  /// The units of all samples of a movie, sample by sample.
  static func units(of movie: MovieFile) throws -> [[PlainUnit]] {
    let track = try #require(movie.tracks.first)
    let samples = try track.samples()
    var result: [[PlainUnit]] = []
    for sample in samples {
      let bytes = try movie.source.read(sample.range).array
      var units: [PlainUnit] = []
      var position = 0
      while position + 4 <= bytes.count {
        let count = bytes[position..<(position + 4)].reduce(0) { $0 << 8 | Int($1) }
        units.append(
          PlainUnit(bytes: Array(bytes[(position + 4)..<(position + 4 + count)]), offset: position))
        position += 4 + count
      }
      #expect(position == bytes.count)
      result.append(units)
    }
    return result
  }

  private func write(_ stream: [UInt8], as name: String = "stream.hevc") throws -> String {
    try folder.write(name, stream)
  }

  @discardableResult
  private func mux(
    _ stream: [UInt8], _ name: String = "movie.mov", rate: FrameRate? = FrameRate(30),
    _ change: (inout MuxOptions) -> Void = { _ in }
  ) throws -> (movie: MovieFile, report: MuxReport) {
    var options = MuxOptions()
    options.frameRate = rate
    options.isOverwriting = true
    change(&options)
    let muxer = StreamMuxer(source: MemoryBytes(ByteView(stream)), options: options)
    let report = try muxer.write(to: folder.path + "/" + name)
    return (try MovieFile(path: folder.path + "/" + name), report)
  }

  /// What is wrong with a movie. That nothing says which view is for which eye (MV016) is so where no tags were asked for.
  private func problems(_ movie: MovieFile) -> [String] {
    movie.check().findings.filter { $0.severity == .error && $0.rule.id != "MV016" }.map {
      "\($0.rule.id) \($0.message)"
    }
  }

  private func contents(_ fixture: String) -> [UInt8] { Fixtures.bytes(fixture).array }

  private func reason(_ body: () throws -> Void) -> EditError? {
    do { try body() } catch let error as EditError { return error } catch { return nil }
    return nil
  }

  // MARK: What is in the movie

  @Test(arguments: ["two-views.hevc", "two-views-cropped.hevc", "three-views.hevc", "alpha-layer.hevc"])
  func everyUnitOfAPictureIsThere(name: String) throws {
    let stream = contents(name)
    for brand in MuxOptions.Brand.allCases {
      let (movie, report) = try mux(stream, "movie.\(brand.rawValue)") { $0.brand = brand }
      #expect(problems(movie).isEmpty, "\(name): \(problems(movie))")
      let units = try Self.units(of: movie)
      let record = Set(
        movie.tracks[0].formatDescriptions[0].configurationUnits.map(\.unit.bytes.array))
      let expected = Self.plainUnits(stream).filter { unit in
        ![32, 33, 34, 35, 37, 38].contains(unit.type) && !(unit.type == 39 && record.contains(unit.bytes))
      }
      #expect(units.flatMap { $0 } == expected, "\(name)")
      // Every parameter set is in the records.
      for unit in Self.plainUnits(stream) where (32...34).contains(unit.type) {
        #expect(record.contains(unit.bytes), "\(name)")
      }
      #expect(report.samples == units.count)
      #expect(report.layers == Array(Set(expected.filter { $0.type < 32 }.map(\.layer))).sorted())
    }
  }

  @Test func parameterSetsAreWhereApplePutsThem() throws {
    let (movie, _) = try mux(contents("two-views.hevc"))
    let entry = try #require(movie.tree?["moov/trak/mdia/minf/stbl/stsd/hvc1"])
    let base = try #require(entry.first(HEVCConfigurationBox.self)).record
    #expect(base.arrays.map(\.nalUnitType.rawValue) == [32, 33, 34, 39])
    #expect(base.arrays.allSatisfy { $0.arrayCompleteness })
    #expect(base.arrays.flatMap(\.nalUnits).allSatisfy { $0.layerID == 0 })
    // The record has nothing that is large: of messages only those for the whole stream.
    #expect(
      base.arrays[3].nalUnits.flatMap { $0.seiMessages().messages }.allSatisfy {
        [137, 144, 147, 176].contains($0.payloadType.rawValue)
      })
    let layered = try #require(entry.first(LHEVCConfigurationBox.self)).record
    #expect(layered.arrays.map(\.nalUnitType.rawValue) == [33, 34])
    #expect(layered.arrays.allSatisfy { $0.arrayCompleteness })
    #expect(layered.arrays.flatMap(\.nalUnits).allSatisfy { $0.layerID > 0 })
    let table = try #require(movie.tree?["moov/trak/mdia/minf/stbl"])
    let order = ["stsd", "sgpd", "sbgp", "stts", "ctts", "cslg", "stss", "sdtp", "stsc", "stsz", "stco"]
    #expect(
      table.children.map(\.type.description) == order.filter { table.first(FourCC($0) ?? "    ") != nil })
  }

  /// All three forms of writing the order of presentation say the same.
  @Test func reorderingIsTheSameInEveryForm() throws {
    let stream = contents("two-views-cropped.hevc")
    var times: [[Int64]] = []
    for form in MuxOptions.Reordering.allCases {
      let (movie, _) = try mux(stream) { $0.reordering = form }
      let table = try #require(
        movie.tree?["moov/trak/mdia/minf/stbl/ctts"]?.payload(CompositionOffsetBox.self))
      #expect(table.version == (form == .ctts1 ? 1 : 0))
      #expect(table.entries.contains { $0.sampleOffset < 0 } == (form != .edit))
      let samples = try movie.tracks[0].samples()
      let start = samples.edits.edits.first?.mediaRange?.lowerBound ?? 0
      times.append(samples.map { $0.compositionTime - start })
      #expect(problems(movie).isEmpty, "\(form): \(problems(movie))")
    }
    #expect(times[0].min() == 0 && Set(times[0]).count == times[0].count)
    #expect(times[0] != times[0].sorted())
    #expect(times.allSatisfy { $0 == times[0] })
  }

  @Test func theRateIsAskedForOrOfTheStreamOrRefused() throws {
    let stream = contents("two-views.hevc")
    let (own, report) = try mux(stream, rate: nil)
    #expect(report.rateSource == .sequenceParameterSet)
    let samples = try own.tracks[0].samples()
    let rate = try #require(report.frameRate)
    let timescale = Int64(own.tracks[0].timescale)
    #expect(samples.allSatisfy { $0.duration * Int64(rate.numerator) == timescale * Int64(rate.denominator) })
    for (text, timescale, duration) in [
      ("30", 600, 20), ("24", 600, 25), ("60", 600, 10), ("30000/1001", 30_000, 1_001),
      ("24000/1001", 24_000, 1_001), ("29.97", 2_997, 100), ("7", 602, 86), ("1/2", 600, 1_200),
      ("120", 600, 5), ("90000/3003", 30_000, 1_001),
    ] {
      let timing = try #require(FrameRate(text)?.timing, "\(text)")
      #expect(
        timing.timescale == UInt32(timescale) && timing.duration == Int64(duration), "\(text): \(timing)")
    }
    for text in ["", "0", "-1", "30/0", "30/", "1e3", "30.000001", "3000", "1/2000", "30/1/1", "x"] {
      #expect(FrameRate(text) == nil, "\(text)")
    }
  }

  @Test func theMovieMayComeFirst() throws {
    let stream = contents("two-views.hevc")
    let last = try mux(stream, "last.mov").movie
    let first = try mux(stream, "first.mov") { $0.putsMovieFirst = true }.movie
    #expect(first.tree?.boxes.map(\.type) == ["ftyp", "moov", "wide", "mdat"])
    #expect(last.tree?.boxes.map(\.type) == ["ftyp", "wide", "mdat", "moov"])
    #expect(try Self.units(of: first) == Self.units(of: last))
    #expect(filesBelow(folder.path).sorted() == ["first.mov", "last.mov"])
  }

  @Test func tagsAreWrittenAsTheyAreByTag() throws {
    var options = MuxOptions()
    options.frameRate = FrameRate(30)
    var muxer = StreamMuxer(source: MemoryBytes(Fixtures.bytes("two-views.hevc")), options: options)
    muxer.edit = { editor in
      editor.tracks[0].stereo.baseline = .millimeters(63)
      editor.tracks[0].stereo.fieldOfView = .degrees(63.4)
      editor.tracks[0].stereo.disparityAdjustment = .fraction(0)
      editor.tracks[0].stereo.projection = .rectilinear
    }
    let planned = try muxer.plannedReport()
    let report = try muxer.write(to: folder.path + "/tagged.mov")
    #expect(planned.changes == report.changes && planned.written == nil && planned.samples == report.samples)
    let movie = try MovieFile(path: folder.path + "/tagged.mov")
    #expect(movie.check().classification == .spatial, "\(movie.check().classification)")
    #expect(problems(movie).isEmpty, "\(problems(movie))")
    // Tags that make no sense are refused, and nothing is left.
    var mono = StreamMuxer(source: MemoryBytes(Fixtures.bytes("alpha-layer.hevc")), options: options)
    mono.edit = { editor in
      editor.tracks[0].stereo.baseline = .millimeters(63)
    }
    let refusal = reason { try mono.write(to: folder.path + "/mono.mov") }
    #expect(refusal?.kind == .contradiction)
    #expect(reason { _ = try mono.plannedReport() }?.kind == .contradiction)
    #expect(filesBelow(folder.path) == ["tagged.mov"])
  }

  // MARK: Bad input

  /// Access units of a stream, by the places where a base picture begins after one of another layer or of its own.
  static func accessUnits(_ stream: [UInt8]) -> [[PlainUnit]] {
    var result: [[PlainUnit]] = []
    var pending: [PlainUnit] = []
    var hasPicture = false
    for unit in plainUnits(stream) {
      let startsBase = unit.type < 32 && unit.layer == 0 && unit.bytes.count > 2 && unit.bytes[2] & 0x80 != 0
      if startsBase, hasPicture {
        let first = pending.lastIndex { $0.type < 32 || $0.type == 40 || $0.layer > 0 || $0.type == 36 }
        let cut = first.map { $0 + 1 } ?? pending.count
        result.append(Array(pending[..<cut]))
        pending = Array(pending[cut...])
        hasPicture = false
      }
      if unit.type < 32 { hasPicture = true }
      pending.append(unit)
    }
    return result + [pending]
  }

  @Test func aStreamThatBeginsInTheMiddleIsRefusedOrCut() throws {
    let units = Self.accessUnits(contents("two-views.hevc"))
    try #require(units.count > 3)
    // Two copies, of which the first lacks its beginning but for the parameter sets.
    let sets = units[0].filter { (32...34).contains($0.type) }
    let late = Self.joined(sets + units[1...].flatMap { $0 }) + Self.joined(units.flatMap { $0 })
    let refusal = try #require(reason { try mux(late) })
    let place = try #require(Self.plainUnits(late).first { $0.type < 32 }).offset
    #expect(refusal.kind == .refused && refusal.reason.contains(" \(place) "), "\(refusal)")
    #expect(filesBelow(folder.path).isEmpty)
    let (movie, report) = try mux(late) { $0.skipsUndecodableStart = true }
    #expect(report.samples == units.count)
    #expect(report.notices.map(\.kind) == [.skippedStart] && report.notices[0].count == units.count - 1)
    #expect(
      try Self.units(of: movie) == Self.units(of: mux(Self.joined(units.flatMap { $0 }), "whole.mov").movie))
  }

  @Test func changedParameterSetsAreAnotherSampleEntry() throws {
    let (one, other) = (contents("two-views.hevc"), contents("two-views-cropped.hevc"))
    let counts = (Self.accessUnits(one).count, Self.accessUnits(other).count)
    let (movie, report) = try mux(one + other + one)
    #expect(report.descriptions == 2 && report.samples == 2 * counts.0 + counts.1)
    let numbers = try movie.tracks[0].samples().map(\.descriptionIndex)
    let expected = [(counts.0, UInt32(1)), (counts.1, 2), (counts.0, 1)].flatMap {
      [UInt32](repeating: $0.1, count: $0.0)
    }
    #expect(numbers == expected)
    // The same stream twice needs one entry.
    #expect(try mux(one + one).report.descriptions == 1)
    // A set that changes where decoding cannot begin is refused with its place.
    var units = Self.accessUnits(one)
    let set = try #require(Self.plainUnits(other).first { $0.type == 33 && $0.layer == 0 })
    units[2].insert(set, at: 0)
    let refusal = try #require(reason { try mux(Self.joined(units.flatMap { $0 })) })
    #expect(refusal.kind == .refused && refusal.reason.contains("SPS"), "\(refusal)")
  }

  @Test func missingLayersAreReported() throws {
    var units = Self.accessUnits(contents("two-views.hevc"))
    // The last picture of the layer, to which no other refers.
    let last = units.count - 1
    units[last].removeAll { $0.layer == 1 }
    let (movie, report) = try mux(Self.joined(units.flatMap { $0 }))
    #expect(report.notices.map(\.kind) == [.missingLayer] && report.samples == units.count)
    #expect(try Self.units(of: movie)[last].allSatisfy { $0.layer == 0 })
    // Without the base picture there is nothing to put it in.
    units = Self.accessUnits(contents("two-views.hevc"))
    units[2].removeAll { $0.layer == 0 && $0.type < 32 }
    let refusal = reason { try mux(Self.joined(units.flatMap { $0 })) }
    #expect(refusal?.kind == .damaged, "\(String(describing: refusal))")
  }

  /// In this stream, every picture refers to the one before it in the same layer.
  @Test func lostPicturesAreRefused() throws {
    let whole = Self.accessUnits(contents("two-views.hevc"))
    try #require(whole.count > 3)
    for (name, lose) in [
      ("an access unit", { (units: inout [[PlainUnit]]) in units.removeSubrange(1...1) }),
      ("a picture of layer 1", { (units: inout [[PlainUnit]]) in units[1].removeAll { $0.layer == 1 } }),
    ] {
      var units = whole
      lose(&units)
      let stream = Self.joined(units.flatMap { $0 })
      let refusal = try #require(reason { try mux(stream) }, "\(name)")
      #expect(refusal.kind == .damagedStream && refusal.isRefusal, "\(name): \(refusal)")
      // The place is that of a slice of the picture that needs the lost one.
      let places = Self.plainUnits(stream).filter { $0.type < 32 }.map(\.offset)
      #expect(places.contains { refusal.reason.contains(" \($0) ") }, "\(name): \(refusal)")
      let (_, report) = try mux(stream) { $0.allowsLostPictures = true }
      #expect(report.notices.contains { $0.kind == .lostPictures && $0.count > 0 }, "\(name)")
      #expect(report.samples == units.count)
    }
    // Nothing refers to the last picture.
    #expect(try mux(Self.joined(whole.dropLast().flatMap { $0 })).report.notices.isEmpty)
  }

  @Test(.enabled(if: Corpus.isPresent)) func onlyDamagedStreamsAreRefusedAsDamaged() throws {
    let folder = try #require(Corpus.folder)
    let damaged = folder + "/found/2/dam.hevc"
    let refusal = reason {
      _ = try StreamMuxer(source: FileBytes(path: damaged), options: MuxOptions()).plannedReport()
    }
    #expect(refusal?.kind == .damagedStream, "\(String(describing: refusal))")
    // Streams of reference encoders are whole, whatever their groups of pictures look like.
    var count = 0
    for name in Corpus.files("pictures") where name.hasSuffix(".bit") && name.split(separator: "/").count == 2
    {
      var options = MuxOptions()
      (options.frameRate, options.skipsUndecodableStart) = (FrameRate(30), true)
      let source = try FileBytes(path: folder + "/" + name)
      guard (source.size ?? 0) < 1 << 20 else { continue }
      let refusal = reason { _ = try StreamMuxer(source: source, options: options).plannedReport() }
      count += 1
      #expect(refusal?.kind != .damagedStream, "\(name): \(String(describing: refusal))")
    }
    print("\(count) streams examined")
    #expect(count > 150)
  }

  @Test func damageIsRefusedWithItsPlace() throws {
    let units = Self.accessUnits(contents("two-views.hevc"))
    // A picture that comes twice has the same place in the order of output.
    let twice = Self.joined((units[0...2] + units[2...]).flatMap { $0 })
    #expect(reason { try mux(twice) }?.reason.contains("same position") == true)
    // A forbidden bit.
    var damaged = Self.joined(units.flatMap { $0 })
    let second = Self.plainUnits(damaged)[20].offset
    damaged[second] |= 0x80
    #expect(reason { try mux(damaged) }?.reason.contains(" \(second) ") == true)
    // No picture at all, no bytes at all, and bytes before the first start code.
    #expect(reason { try mux(Self.joined(units[0].prefix { $0.type >= 32 })) }?.kind == .refused)
    #expect(reason { try mux([]) }?.kind == .refused)
    #expect(
      reason { try mux([7] + Self.joined(units.flatMap { $0 })) }?.reason.contains("start code") == true)
    #expect(filesBelow(folder.path).isEmpty)
  }

  /// Whatever is wrong with a stream, a movie is made of it that holds what it says, or it is refused with the reason.
  @Test func damagedStreamsAreRightOrRefused() throws {
    let stream = contents("two-views-cropped.hevc")
    var random = SeededGenerator(seed: 26)
    var made = 0
    for _ in 0..<40 {
      var damaged = stream
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<damaged.count, using: &random)
        switch Int.random(in: 0...3, using: &random) {
        case 0: damaged[place] = UInt8.random(in: 0...255, using: &random)
        case 1: damaged.removeSubrange(place..<min(place + 200, damaged.count))
        case 2: damaged.insert(contentsOf: [0, 0, 1], at: place)
        default: damaged.insert(contentsOf: damaged[place...].prefix(300), at: place)
        }
      }
      var options = MuxOptions()
      options.frameRate = FrameRate(30)
      options.skipsUndecodableStart = true
      options.allowsLostPictures = true
      let muxer = StreamMuxer(source: MemoryBytes(ByteView(damaged)), options: options)
      do {
        let (movie, report) = try muxer.draftMovie()
        made += 1
        let units = try Self.units(of: movie)
        #expect(units.count == report.samples)
        // Nothing of a picture is lost but what was said to be.
        if !report.notices.contains(where: { $0.kind == .skippedStart || $0.kind == .shortUnits }) {
          let pictures = Self.plainUnits(damaged).filter { $0.type < 32 && $0.bytes.count > 1 }
          #expect(units.flatMap { $0 }.filter { $0.type < 32 } == pictures)
        }
        _ = try? MovieRepairer(movie).plannedReport()
      } catch let error as EditError {
        #expect(error.isRefusal && error.kind != .damagedStream, "\(error)")
      }
    }
    #expect(made > 5)
  }

  /// Delimiters, fillers and what ends the stream are not in samples, wherever they are.
  @Test func delimitersDoNotSplitSamples() throws {
    let plain = Self.accessUnits(contents("two-views.hevc"))
    let delimiter = PlainUnit(bytes: [0x46, 0x01, 0x50], offset: 0)
    let filler = PlainUnit(bytes: [0x4C, 0x01, 0xFF, 0xFF, 0x80], offset: 0)
    let end = PlainUnit(bytes: [0x4A, 0x01], offset: 0)
    let marked = plain.map { units -> [PlainUnit] in
      let second = units.firstIndex { $0.layer == 1 && $0.type < 32 } ?? units.count
      return [delimiter] + units[..<second] + [delimiter] + units[second...] + [filler]
    }
    let (movie, report) = try mux(Self.joined(marked.flatMap { $0 } + [end]))
    #expect(
      try Self.units(of: movie) == Self.units(of: mux(Self.joined(plain.flatMap { $0 }), "plain.mov").movie))
    #expect(report.unitsLeftOut["AUD_NUT"] == 2 * plain.count && report.unitsLeftOut["FD_NUT"] == plain.count)
    #expect(report.unitsLeftOut["EOB_NUT"] == 1)
  }

  @Test func zerosAndAnyLengthOfStartCodesAreUnderstood() throws {
    let units = Self.plainUnits(contents("two-views.hevc"))
    var spaced: [UInt8] = []
    for (index, unit) in units.enumerated() {
      spaced += [UInt8](repeating: 0, count: 2 + index % 5)
      spaced += [1] + unit.bytes
      spaced += [UInt8](repeating: 0, count: index % 3)
    }
    #expect(
      try Self.units(of: mux(spaced).movie) == Self.units(of: mux(Self.joined(units), "plain.mov").movie))
  }
}
