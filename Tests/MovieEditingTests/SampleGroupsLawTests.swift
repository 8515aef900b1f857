// swift-multiview · SPDX-License-Identifier: Apache-2.0

import BoxCatalogue
import ByteCoding
import FileAccess
import ISOBMFF
import TestSupport
import Testing

@testable import MovieEditing
@testable import Multiview

/// What tables and fragments say about groups is what is read, cut, joined and written: compared with one list of
/// descriptions for each sample, by code that shares nothing with the library. ISO/IEC 14496-12, 8.9
@Suite struct SampleGroupsLawTests {
  /// For each type of groups, the description of each sample; `nil` for a sample in no group.
  typealias Model = [String: [[UInt8]?]]

  private static let types = ["tst1", "tst2", "tst3"]

  /// The number that distinguishes the groupings of a type.
  private static func parameter(_ type: String) -> [UInt8]? { type == "tst3" ? [0, 0, 0, 7] : nil }

  /// The boxes of a `stbl` or `traf`, and what they say.
  private struct Container {
    var boxes: [PlainBox] = []
    var descriptions: [String: [[UInt8]]] = [:]
    var defaults: [String: [UInt8]] = [:]

    /// Adds descriptions of a type.
    mutating func describe(_ type: String, _ random: inout SeededGenerator) {
      let hasLengths = Bool.random(using: &random), version = UInt8.random(in: 1...2, using: &random)
      let list = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        (0..<(hasLengths ? Int.random(in: 1...3, using: &random) : 2)).map { _ in
          UInt8.random(in: 0...1, using: &random)
        }
      }
      // A default may name what is not there.
      let number = type == "tst3" ? 0 : Int.random(in: 0...(list.count + 1), using: &random)
      var fields = [version, 0, 0, 0] + Array(type.utf8) + PlainBox.bytes(hasLengths ? 0 : 2, 4)
      if version == 2 {
        fields += PlainBox.bytes(UInt64(number), 4)
        if list.indices.contains(number - 1) { defaults[type] = list[number - 1] }
      }
      fields += PlainBox.bytes(UInt64(list.count), 4)
      for entry in list { fields += (hasLengths ? PlainBox.bytes(UInt64(entry.count), 4) : []) + entry }
      descriptions[type] = list
      boxes.append(PlainBox("sgpd", fields))
    }

    /// Puts samples into groups of a type, and returns the numbers of their groups; `nil` for what is not listed.
    mutating func map(
      _ type: String, count: Int, own: Bool, _ random: inout SeededGenerator
    ) -> [Int?] {
      // Some numbers are those of nothing.
      func number() -> Int {
        let number = Int.random(in: 0...4, using: &random)
        return own && number > 0 && Bool.random(using: &random) ? 0x1_0000 + number : number
      }
      var numbers: [Int] = []
      let parameter = SampleGroupsLawTests.parameter(type)
      if Bool.random(using: &random) {
        var rows: [UInt8] = [], rowCount = 0
        while numbers.count < count, Int.random(in: 0..<8, using: &random) > 0 {
          let (length, group) = (Int.random(in: 0...5, using: &random), number())
          numbers += Array(repeating: group, count: length)
          rows += PlainBox.bytes(UInt64(length), 4) + PlainBox.bytes(UInt64(group), 4)
          rowCount += 1
        }
        boxes.append(
          PlainBox(
            "sbgp",
            [parameter == nil ? 0 : 1, 0, 0, 0] + Array(type.utf8) + (parameter ?? [])
              + PlainBox.bytes(UInt64(rowCount), 4) + rows))
      } else {
        // Widths of 16 bits; the highest bit of an index selects descriptions of the fragment.
        var patterns: [UInt8] = [], indices: [UInt8] = []
        let patternCount = Int.random(in: 0...3, using: &random)
        for _ in 0..<patternCount {
          let groups = (0..<Int.random(in: 1...3, using: &random)).map { _ in number() }
          let length = Int.random(in: 0...9, using: &random)
          patterns += PlainBox.bytes(UInt64(groups.count), 2) + PlainBox.bytes(UInt64(length), 2)
          for group in groups {
            indices += PlainBox.bytes(UInt64(group > 0x1_0000 ? 0x8000 | group & 0xFF : group), 2)
          }
          numbers += (0..<length).map { groups[$0 % groups.count] }
        }
        boxes.append(
          PlainBox(
            "csgp",
            [0, 0, 0, 0x2A | (parameter == nil ? 0 : 0x40) | (own ? 0x80 : 0)] + Array(type.utf8)
              + (parameter ?? []) + PlainBox.bytes(UInt64(patternCount), 4) + patterns + indices))
      }
      return (0..<count).map { $0 < numbers.count ? numbers[$0] : nil }
    }
  }

  /// A movie of one track, the groups of its samples, and the place of its first fragment.
  private static func movie(
    _ random: inout SeededGenerator, inFragments: Bool
  ) throws -> (bytes: [UInt8], groups: Model) {
    var model: Model = [:]
    let table = Container()
    var containers: [(Container, count: Int)] = [(table, Int.random(in: 0...12, using: &random))]
    if inFragments {
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        containers.append((Container(), Int.random(in: 1...8, using: &random)))
      }
    }
    for index in containers.indices {
      let count = containers[index].count
      for type in types {
        if Int.random(in: 0..<4, using: &random) > 0 { containers[index].0.describe(type, &random) }
        var numbers = [Int?](repeating: nil, count: count)
        if Int.random(in: 0..<4, using: &random) > 0 {
          numbers = containers[index].0.map(type, count: count, own: index > 0, &random)
        }
        let (common, own) = (containers[0].0, containers[index].0)
        model[type, default: []] += numbers.map { number -> [UInt8]? in
          guard let number else { return own.defaults[type] ?? common.defaults[type] }
          let isOwn = number > 0x1_0000
          let list = (isOwn ? own : common).descriptions[type] ?? []
          let place = number - (isOwn ? 0x1_0001 : 1)
          return list.indices.contains(place) ? list[place] : nil
        }
      }
      // Their order means nothing; but of two boxes of one type and grouping, the first counts.
      containers[index].0.boxes.shuffle(using: &random)
      var second = Container()
      for box in containers[index].0.boxes where Int.random(in: 0..<6, using: &random) == 0 {
        let type = String(decoding: box.fields[4..<8], as: UTF8.self)
        if box.type == "sgpd" {
          second.describe(type, &random)
        } else {
          _ = second.map(type, count: count, own: index > 0, &random)
        }
      }
      containers[index].0.boxes += second.boxes
    }
    let tableCount = UInt64(containers[0].count)
    func full(_ type: String, _ words: [UInt64]) -> PlainBox {
      PlainBox(type, words.flatMap { PlainBox.bytes($0, 4) })
    }
    let old = PlainBox.boxes((contents(Fixtures.path("metadata-keys.mov")) ?? [])[...])
    var moov = try #require(old.first { $0.type == "moov" })
    let first = try #require(moov.children.firstIndex { $0.type == "trak" })
    moov.children = moov.children.enumerated().filter { $1.type != "trak" || $0 == first }.map(\.1)
    moov.edit("trak") { trak in
      trak.children.removeAll { $0.type == "edts" || $0.type == "tref" }
      trak.edit("mdia/minf/stbl") { stbl in
        stbl.children.removeAll { $0.type != "stsd" }
        stbl.children += [
          full("stts", [0, 1, tableCount, 10]), full("stsc", [0, 1, 1, max(1, tableCount), 1]),
          full("stsz", [0, 1, tableCount]), full("stco", [0, 1, 8]),
        ]
        stbl.children += containers[0].0.boxes
      }
    }
    let id = PlainBox.number((moov["trak/tkhd"]?.fields[12..<16] ?? [])[...])
    if inFragments { moov.children.append(PlainBox("mvex", [], [full("trex", [0, id, 1, 10, 1, 0])])) }
    var bytes = PlainBox("mdat", [UInt8](repeating: 0, count: 100)).bytes + moov.bytes
    for (container, count) in containers.dropFirst() {
      let traf = PlainBox(
        "traf", [], [full("tfhd", [0x1, id, 0, 8]), full("trun", [0, UInt64(count)])] + container.boxes)
      bytes += PlainBox("moof", [], [full("mfhd", [0, 1]), traf]).bytes
    }
    return (bytes, model)
  }

  /// The groups of each sample, of those that were read.
  private static func groups(_ groups: SampleGroups) -> Model {
    var model: Model = [:]
    for type in types {
      let kind = groups.kinds.first { "\($0.box.groupingType)" == type }
      let runs = groups.groupings.filter { "\($0.grouping.type)" == type }
      // A grouping without a parameter may stand beside one with it, if nothing has a default.
      #expect(runs.count <= 1)
      model[type] = (0..<groups.count).map { sample in
        guard let group = runs.first?.runs.run(of: sample)?.group, group > 0, let kind else { return nil }
        return (kind.box.entries[Int(group) - 1].content as? UnknownSampleGroupEntry)?.data.array
      }
    }
    return model
  }

  /// The groups of each sample, by the bytes of the boxes of a sample table.
  private static func groups(_ boxes: [PlainBox], count: Int) -> Model {
    var model: Model = [:]
    for type in types {
      func own(_ name: String) -> [UInt8]? {
        boxes.first { $0.type == name && Array($0.fields[4..<8]) == Array(type.utf8) }?.fields
      }
      var descriptions: [[UInt8]] = []
      var others: [UInt8]?
      if let fields = own("sgpd") {
        let length = Int(PlainBox.number(fields[8..<12]))
        var place = fields[0] == 2 ? 16 : 12
        let number = fields[0] == 2 ? Int(PlainBox.number(fields[12..<16])) : 0
        let entryCount = Int(PlainBox.number(fields[place..<(place + 4)]))
        place += 4
        for _ in 0..<entryCount {
          var size = length
          if length == 0 {
            size = Int(PlainBox.number(fields[place..<(place + 4)]))
            place += 4
          }
          descriptions.append(Array(fields[place..<(place + size)]))
          place += size
        }
        #expect(place == fields.count)
        if number > 0 { others = descriptions[number - 1] }
      }
      var groups = [[UInt8]?](repeating: others, count: count)
      if let fields = own("sbgp") {
        var (place, sample) = (fields[0] == 1 ? 16 : 12, 0)
        while place < fields.count {
          let group = Int(PlainBox.number(fields[(place + 4)..<(place + 8)]))
          for _ in 0..<PlainBox.number(fields[place..<(place + 4)]) {
            groups[sample] = group == 0 ? nil : descriptions[group - 1]
            sample += 1
          }
          place += 8
        }
      }
      model[type] = groups
    }
    return model
  }

  private static func plain(_ boxes: [Box]) throws -> [PlainBox] {
    PlainBox.boxes(try boxes.flatMap { try $0.encoded() }[...])
  }

  @Test(arguments: [false, true]) func readCutJoinedAndWritten(inFragments: Bool) throws {
    var joined: (groups: SampleGroups, model: Model)?
    for seed in 0..<300 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let (bytes, model) = try Self.movie(&random, inFragments: inFragments)
      let track = try #require(MovieFile(bytes: bytes).tracks.first)
      let read = try SampleGroups(of: track)
      let count = try track.samples().count
      #expect(model.values.allSatisfy { $0.count == count } && read.count == count)
      #expect(Self.groups(read) == model, "seed \(seed)")
      #expect(
        try Self.groups(Self.plain(read.slice([0..<count]).boxes()), count: count) == model, "seed \(seed)")
      // Spans in any order, some of them several times.
      let spans = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        let bounds = [0, 1].map { _ in Int.random(in: 0...count, using: &random) }.sorted()
        return bounds[0]..<bounds[1]
      }
      let (slice, wanted) = (read.slice(spans), model.mapValues { list in spans.flatMap { list[$0] } })
      #expect(Self.groups(slice) == wanted, "seed \(seed), \(spans)")
      #expect(
        try Self.groups(Self.plain(slice.boxes()), count: slice.count) == wanted, "seed \(seed), \(spans)")
      if seed % 5 == 0 { joined = nil }
      if joined == nil {
        joined = (slice, wanted)
      } else {
        try joined?.groups.append(slice)
        joined?.model.merge(wanted) { $0 + $1 }
      }
      let all = try #require(joined)
      #expect(Self.groups(all.groups) == all.model, "seed \(seed)")
      #expect(
        try Self.groups(Self.plain(all.groups.boxes()), count: all.groups.count) == all.model, "seed \(seed)")
    }
  }

  /// Fragments of any length, and the tables that come of them, have the same groups.
  @Test func inFragmentsAndBack() throws {
    for seed in 1_000..<1_060 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let (bytes, model) = try Self.movie(&random, inFragments: seed % 2 == 0)
      let movie = try MovieFile(bytes: bytes)
      guard try movie.tracks[0].samples().count > 0 else { continue }
      var fragmenter = try MovieFragmenter(movie)
      fragmenter.duration = MediaTime(value: Int64.random(in: 1...40, using: &random), timescale: 600)
      let fragmented = try fragmenter.plannedMovie()
      #expect(try Self.groups(SampleGroups(of: fragmented.tracks[0])) == model, "seed \(seed)")
      let flat = try MovieFlattener(fragmented).plannedMovie()
      #expect(try Self.groups(SampleGroups(of: flat.tracks[0])) == model, "seed \(seed)")
    }
  }

  /// Descriptions whose boundaries are unknown are kept, and joined with the same ones only.
  @Test func undividedDescriptions() throws {
    func movie(_ descriptions: [UInt8]) throws -> MovieFile {
      var movie = try RemadeMovie(MovieFile(path: Fixtures.path("spatial.mov")))
      let head = [0, 0, 0, 0] + Array("tst1".utf8) + PlainBox.bytes(2, 4)
      let rows = [1, 2, 1, 1].flatMap { PlainBox.bytes($0, 4) }
      movie.editTrack { trak in
        trak.edit("mdia/minf/stbl") { stbl in
          stbl.children += [PlainBox("sgpd", head + descriptions), PlainBox("sbgp", head + rows)]
        }
      }
      return try MovieFile(bytes: movie.encoded())
    }
    func groups(_ movie: MovieFile) throws -> [UInt32?] {
      let groups = try SampleGroups(of: movie.tracks[0])
      let kind = groups.kinds.first { $0.box.groupingType == "tst1" }
      #expect(kind?.box.undivided == ByteView([1, 2, 3]))
      let runs = groups.groupings.first { $0.grouping.type == "tst1" }?.runs
      return (0..<groups.count).map { runs?.run(of: $0)?.group }
    }
    let (first, other) = (try movie([1, 2, 3]), try movie([4, 5, 6]))
    #expect(try groups(first) == [2, 1, nil, nil])
    #expect(try groups(MovieJoiner([first, first]).plannedMovie()) == [2, 1, 0, 0, 2, 1, nil, nil])
    var composition = try Composition(first)
    composition.removeTimeRange(MediaTime(value: 2, timescale: 30)..<composition.duration)
    #expect(try groups(composition.plannedMovie()).prefix(2) == [2, 1])
    #expect(throws: EditError.self) { try MovieJoiner([first, other]).plannedMovie() }
  }

  /// Tables that a box of groups hides because it is too long are not left out silently.
  @Test func groupsThatHideOtherTables() throws {
    var movie = try RemadeMovie(MovieFile(path: Fixtures.path("spatial.mov")))
    movie.editTrack { trak in
      trak.edit("mdia/minf/stbl") { stbl in
        stbl.children.insert(
          PlainBox("sgpd", [1, 0, 0, 0] + Array("sync".utf8) + PlainBox.bytes(1, 4) + PlainBox.bytes(0, 4)),
          at: 1)
      }
    }
    var bytes = movie.encoded()
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: "sgpd".utf8) })
    bytes.replaceSubrange((place - 4)..<place, with: PlainBox.bytes(0xFF_FFFF, 4))
    let damaged = try MovieFile(bytes: bytes)
    let error = try #require(throws: EditError.self) { try MovieStripper(damaged).plannedMovie() }
    #expect(error.kind == .damaged && error.reason.contains("stbl/sgpd: at \(place - 4)"), "\(error)")
  }

  /// Damaged boxes are refused, skipped, or say something else: nothing traps, and no group is without description.
  @Test func damagedBoxes() throws {
    for seed in 2_000..<2_400 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var (bytes, _) = try Self.movie(&random, inFragments: seed % 2 == 0)
      let places = bytes.indices.filter { place in
        ["sgpd", "sbgp", "csgp"].contains { bytes[place...].starts(with: $0.utf8) }
      }
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        guard let place = places.randomElement(using: &random) else { continue }
        let byte = min(bytes.count - 1, place + Int.random(in: 4..<40, using: &random))
        bytes[byte] =
          [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)]
          .randomElement(using: &random) ?? 0
      }
      let track = try #require(MovieFile(bytes: bytes).tracks.first)
      guard let groups = try? SampleGroups(of: track, skipsUnreadable: true) else { continue }
      for (grouping, runs) in groups.groupings {
        let known = groups.kinds.first { $0.box.groupingType == grouping.type }?.box.entries.count ?? 0
        #expect(runs.count <= groups.count && runs.runs.allSatisfy { Int($0.group) <= known }, "seed \(seed)")
      }
      _ = try? groups.slice([0..<groups.count, 0..<(groups.count / 2)]).boxes()
      _ = track.randomAccessGroups.samplesRequired(before: 0)
      _ = try? SampleGroups(of: track)
    }
  }
}
