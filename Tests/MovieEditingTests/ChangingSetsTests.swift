// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// Streams whose parameter sets change, come early, come late or are not repeated: every sample entry has all sets that its
/// samples use, and a movie that was just made needs no repair.
@Suite struct ChangingSetsTests {
  typealias PlainUnit = MuxTests.PlainUnit
  private let units = MuxTests.accessUnits(Fixtures.bytes("two-views.hevc").array)

  // MARK: Streams

  /// A sequence parameter set with another content, with which the pictures of the first one can be read.
  private func changed(_ set: PlainUnit) throws -> PlainUnit {
    let unit = try #require(NALUnit(ByteView(set.bytes)))
    var content = SequenceParameterSet()
    content.nuhLayerID = unit.layerID
    content = unit.rbsp.decode(content).value
    content.strongIntraSmoothingEnabledFlag.toggle()
    return PlainUnit(bytes: try NALUnit(unit.header, content).bytes.array, offset: 0)
  }

  /// A unit in whose RBSP the number at a place is 5. What follows a slice segment header is no longer aligned then, which
  /// matters to decoders only.
  private func numbered(_ unit: PlainUnit, at place: Int) -> PlainUnit {
    var end = place
    _ = Self.number(Self.rbsp(unit), at: &end)
    var bits = Self.rbsp(unit).flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
    bits.replaceSubrange(place..<end, with: [0, 0, 1, 1, 0])
    while bits.count % 8 != 0 { bits.append(0) }
    let bytes = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<(start + 8)].reduce(UInt8(0)) { $0 << 1 | $1 }
    }
    let numbered = NALUnit(ByteView(unit.bytes)).flatMap { try? NALUnit($0.header, rbsp: bytes) }
    return numbered.map { PlainUnit(bytes: $0.bytes.array, offset: 0) } ?? unit
  }

  private static func rbsp(_ unit: PlainUnit) -> [UInt8] {
    NALUnit(ByteView(unit.bytes))?.rbsp(prefix: unit.bytes.count).array ?? []
  }

  /// A picture parameter set with the number 5; the first element is its number.
  private func renumbered(_ set: PlainUnit) -> PlainUnit { numbered(set, at: 0) }

  /// A slice segment that refers to picture parameter set 5.
  private func referring(_ slice: PlainUnit) -> PlainUnit {
    numbered(slice, at: (16...23).contains(slice.type) ? 2 : 1)
  }

  private func pictureSets(_ layer: UInt8? = nil) -> [PlainUnit] {
    units[0].filter { $0.type == 34 && (layer == nil || $0.layer == layer) }
  }

  /// The access units with the base layer's sequence parameter set changed, and without the units of some types.
  private func changedSequence(without types: Set<UInt8> = []) throws -> [[PlainUnit]] {
    try units.map { units in
      try units.filter { !types.contains($0.type) }.map { unit in
        unit.type == 33 && unit.layer == 0 ? try changed(unit) : unit
      }
    }
  }

  // MARK: What must hold

  /// A number of Exp-Golomb code. ISO/IEC 23008-2, 9.2
  private static func number(_ bytes: [UInt8], at place: inout Int) -> Int {
    func bit() -> Int {
      defer { place += 1 }
      return place / 8 < bytes.count ? Int(bytes[place / 8] >> (7 - place % 8) & 1) : 1
    }
    var zeros = 0
    while bit() == 0 { zeros += 1 }
    return (0..<zeros).reduce(1) { value, _ in value << 1 | bit() } - 1
  }

  /// Looks whether each sample entry has the sets of its pictures; answers how many entries there are.
  @discardableResult
  private func expectWhole(_ accessUnits: [[PlainUnit]], _ name: String) throws -> Int {
    var options = MuxOptions()
    options.frameRate = FrameRate(30)
    let stream = MuxTests.joined(accessUnits.flatMap { $0 })
    let (movie, report) = try StreamMuxer(source: MemoryBytes(ByteView(stream)), options: options)
      .draftMovie()
    #expect(report.samples == accessUnits.count, "\(name)")
    let entries = movie.tracks[0].formatDescriptions.map { $0.configurationUnits.map(\.unit) }
    let samples = Array(try movie.tracks[0].samples())
    for (sample, pictures) in zip(samples, try MuxTests.units(of: movie)) {
      let entry = entries[Int(sample.descriptionIndex) - 1]
      for slice in pictures where slice.type < 32 {
        var place = (16...23).contains(slice.type) ? 2 : 1
        let id = Self.number(Self.rbsp(slice), at: &place)
        let sets = entry.filter { unit in
          var place = 0
          return unit.type == .pictureParameterSet && unit.layerID == slice.layer
            && Self.number(unit.rbsp(prefix: 64).array, at: &place) == id
        }
        #expect(sets.count == 1, "\(name): sample \(sample.index) layer \(slice.layer) set \(id)")
        for type: NALUnitType in [.videoParameterSet, .sequenceParameterSet] {
          let layer = type == .videoParameterSet ? 0 : slice.layer
          #expect(
            entry.count { $0.type == type && $0.layerID == layer } == 1,
            "\(name): sample \(sample.index) layer \(layer) \(type.name)")
        }
      }
    }
    let steps = try MovieRepairer(movie).plannedReport().steps
    #expect(steps.isEmpty, "\(name): \(steps)")
    return entries.count
  }

  // MARK: Tests

  @Test func aSequenceSetChangesWithoutItsPictureSets() throws {
    #expect(try expectWhole(units + changedSequence(without: [32, 34]), "not repeated") == 2)
    #expect(try expectWhole(units + changedSequence(), "repeated") == 2)
  }

  /// A set that comes late in a sample entry which holds for the second time, so that the entry between does not have it.
  @Test func aSetComesWhenAnEntryHoldsAgain() throws {
    var again = units
    again[2].insert(contentsOf: pictureSets().map(renumbered), at: 0)
    let other = try changedSequence()
    #expect(try expectWhole(units + other + again + other, "late") >= 2)
  }

  /// Two picture parameter sets, of which the second one is used long after it came, with a sequence parameter set that has
  /// changed since.
  @Test func aSetIsUsedLongAfterItCame() throws {
    var first = units
    let place = try #require(first[0].firstIndex { $0.type == 34 })
    first[0].insert(contentsOf: pictureSets().map(renumbered), at: place)
    var second = try changedSequence()
    second[3] = second[3].map { $0.type < 32 ? referring($0) : $0 }
    #expect(try expectWhole(first + second, "used later") == 2)
    #expect(try expectWhole(first + second + first + second, "used later, twice") >= 2)
    // The set of one layer only.
    second = try changedSequence()
    second[3] = second[3].map { $0.type < 32 && $0.layer == 1 ? referring($0) : $0 }
    #expect(try expectWhole(first + second, "used later by a layer") == 2)
  }

  /// Sets of another layer may follow the last picture of an access unit, where those of the base layer begin the next one.
  @Test func setsFollowTheLastPicture() throws {
    var second = units
    second[3] = second[3].map { $0.type < 32 && $0.layer == 1 ? referring($0) : $0 }
    second[2] += pictureSets(1).map(renumbered)
    #expect(try expectWhole(second, "after a picture") == 1)
  }

  // MARK: What ends with a sequence

  private func entries(of accessUnits: [[PlainUnit]]) throws -> (movie: MovieFile, units: [[NALUnit]]) {
    var options = MuxOptions()
    options.frameRate = FrameRate(30)
    let stream = MuxTests.joined(accessUnits.flatMap { $0 })
    let movie = try StreamMuxer(source: MemoryBytes(ByteView(stream)), options: options).draftMovie().movie
    return (movie, movie.tracks[0].formatDescriptions.map { $0.configurationUnits.map(\.unit) })
  }

  /// Messages hold until their sequence ends: the next entry has its own, or none. ISO/IEC 23008-2, D.3.38
  @Test func messagesEndWithTheirSequence() throws {
    var transfer = AlternativeTransferCharacteristics()
    transfer.preferred = 18
    let unit = try NALUnit(NALUnitHeader(type: .prefixSEI), SEIMessages([SEIMessage(transfer)]))
    let message = PlainUnit(bytes: unit.bytes.array, offset: 0)
    func withMessage(_ units: [[PlainUnit]]) throws -> [[PlainUnit]] {
      var units = units
      units[0].insert(message, at: try #require(units[0].firstIndex { $0.type < 32 }))
      return units
    }
    let plain = try changedSequence(without: [39])
    let (_, sets) = try entries(of: withMessage(units) + plain)
    #expect(sets.map { $0.firstMessage(AlternativeTransferCharacteristics.self)?.preferred } == [18, nil])
    #expect(sets[0].count { $0.type.isSEI } == 2 && !sets[1].contains { $0.type.isSEI })
    let (_, others) = try entries(of: plain + withMessage(units.map { $0.filter { $0.type != 39 } }))
    #expect(others.map { $0.filter(\.type.isSEI) } == [[], [unit]])
  }

  /// The base layer alone, with a video parameter set that says so.
  private func mono(_ isKept: (PlainUnit) -> Bool = { _ in false }) throws -> [[PlainUnit]] {
    try units.map { units in
      try units.filter { $0.layer == 0 || isKept($0) }.filter { $0.type != 39 }.map { unit in
        guard unit.type == 32 else { return unit }
        let set = try #require(NALUnit(ByteView(unit.bytes))).withBaseLayerAlone()
        return PlainUnit(bytes: set.bytes.array, offset: 0)
      }
    }
  }

  /// An entry has no sets of layers that its video parameter set does not have. ISO/IEC 14496-15, 9.5.3
  @Test func layersEndWithTheirSequence() throws {
    func layers(_ units: [[NALUnit]]) -> [Set<UInt8>] { units.map { Set($0.map(\.layerID)) } }
    let (movie, sets) = try entries(of: units + mono())
    #expect(layers(sets) == [[0, 1], [0]])
    let errors = movie.check().findings.filter { $0.severity == .error && $0.rule.id != "MV016" }
    #expect(errors.map(\.rule.id) == [])
    #expect(try layers(entries(of: units + mono() + units).units) == [[0, 1], [0]])
    // From the start.
    let (_, alone) = try entries(of: mono { [33, 34].contains($0.type) })
    #expect(layers(alone) == [[0]])
  }

  /// Sets in use that are missing from a later entry come from those before it.
  @Test func anEntryThatLacksSetsIsRepaired() throws {
    var options = MuxOptions()
    options.frameRate = FrameRate(30)
    let stream = MuxTests.joined((units + (try changedSequence())).flatMap { $0 })
    let movie = try StreamMuxer(source: MemoryBytes(ByteView(stream)), options: options).draftMovie().movie
    var tree = try #require(movie.tree)
    try tree.edit("moov/trak/mdia/minf/stbl/stsd/hvc1[1]/hvcC") { (box: inout Box) throws(ParseError) in
      try box.edit(HEVCConfigurationBox.self) { record in
        record.record.arrays.removeAll { $0.nalUnitType == .pictureParameterSet }
      }
    }
    let broken = try MovieFile(bytes: try tree.encoded())
    let folder = try TemporaryFolder()
    let report = try MovieRepairer(broken).write(to: folder.path + "/repaired.mov")
    #expect(
      report.steps.map(\.rule?.id) == ["MV006"] && report.steps[0].place.hasSuffix("hvc1[1]/hvcC"),
      "\(report.steps)")
    let repaired = try MovieFile(path: folder.path + "/repaired.mov")
    let sets = [movie, repaired].map { movie in
      movie.tracks[0].formatDescriptions.map { Set($0.configurationUnits.map(\.unit.bytes.array)) }
    }
    #expect(sets[0] == sets[1])
    #expect(try MuxTests.units(of: repaired) == MuxTests.units(of: movie))
  }
}
