// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import TestSupport
import Testing

@testable import Multiview

/// Movies in which many things name one that is large: what it costs to read the one must not be paid for each.
@Suite struct HostileProductTests {
  static let fixture = BoxTree(Fixtures.bytes("two-tracks-lhv1.mp4"), registry: .standard)
  static let first: BoxPath = "moov/trak[0]/mdia/minf/stbl/stsd"
  static let second: BoxPath = "moov/trak[1]/mdia/minf/stbl/stsd"

  /// A sample description of a fixture, with these units of one type in its record.
  static func description(
    ofTrack index: Int, record: FourCC, unit: [UInt8], count: Int
  ) throws -> [UInt8] {
    let entry = try #require(fixture[index == 0 ? Self.first : Self.second]?.children.first)
    return try description(of: entry, record: record, unit: unit, count: count)
  }

  /// A description of a sample entry, with these units of one type in its record.
  static func description(
    of entry: Box, record: FourCC, unit: [UInt8], count: Int
  ) throws -> [UInt8] {
    let box = try #require(entry.first(record))
    let array =
      [39] + Raw.u16(count) + [[UInt8]](repeating: Raw.u16(unit.count) + unit, count: count).flatMap { $0 }
    // Everything before the number of arrays stays.
    let kept = record == "hvcC" ? 22 : 5
    let other = Raw.box("\(record)", box.body.prefix(kept).array, [1], array)
    let before = entry.bytes.prefix(box.offset - entry.offset).suffix(from: 8).array
    let behind = entry.bytes.suffix(from: box.offset - entry.offset + box.size).array
    return Raw.fullBox("stsd", Raw.u32(1), Raw.box("\(entry.type)", before, other, behind))
  }

  @Test func manyTracksWithOneBase() throws {
    // 100 tracks of enhancement layers over a base whose record has 20 000 messages.
    var movie = HostileMovie()
    movie.tracks.append(
      HostileTrack(
        description: try Self.description(ofTrack: 0, record: "hvcC", unit: [0x4E, 0x01], count: 20_000)))
    let enhancement = try #require(Self.fixture[Self.second]?.bytes.array)
    for id in 2...101 {
      var track = HostileTrack(id: id, description: enhancement)
      track.references = Raw.box("tref", Raw.box("sbas", Raw.u32(1)))
      movie.tracks.append(track)
    }
    let opened = try movie.opened()
    let cost = spent { for track in opened.tracks { _ = track.layerAnalysis } }
    #expect(cost.peak <= 32 << 20 && cost.allocations <= 500_000)
    // The base of a few tracks is still looked at.
    movie.tracks.removeLast(99)
    movie.tracks[0].description = try #require(Self.fixture[Self.first]?.bytes.array)
    #expect(try movie.opened().tracks[1].layers.map(\.layerID) == [1])
  }

  @Test func layersInManyTracks() throws {
    var movie = HostileMovie()
    movie.tracks.append(
      HostileTrack(description: try #require(Self.fixture[Self.first]?.bytes.array)))
    for id in 2...40 {
      var track = HostileTrack(
        id: id,
        description: try Self.description(ofTrack: 1, record: "lhvC", unit: [0x4E, 0x09, 0x80], count: 500))
      track.references = Raw.box("tref", Raw.box("sbas", Raw.u32(1)))
      movie.tracks.append(track)
    }
    let opened = try movie.opened()
    let cost = spent {
      for track in opened.tracks {
        #expect(track.joined.joinedTracks.count == 40 && track.joined.layers.map(\.layerID) == [0])
      }
    }
    // Once for all 40 tracks, not once for each.
    #expect(cost.allocations <= 200_000)
  }

  @Test func keysOfTimedMetadataWithoutNumber() throws {
    let keys = (0..<20_000).flatMap { Raw.u32(8, 0x6161_6161 + $0) }
    var track = HostileTrack(handler: "meta")
    track.description = Raw.fullBox(
      "stsd", Raw.u32(1), Raw.box("mebx", [UInt8](repeating: 0, count: 6), Raw.u16(1), Raw.box("keys", keys)))
    let table = try #require(try HostileMovie(tracks: [track]).opened().tracks[0].timedMetadataKeys)
    #expect(table.keys.count == 8192)
    let last: UInt32 = 0x6161_6161 + 8191
    #expect(table.keys.last?.localID == last)
    #expect(table.diagnostics.contains { $0.code == "limit-exceeded" })
  }

  @Test func timedMetadataUponOneAnother() throws {
    var track = HostileTrack(handler: "meta")
    track.description = Raw.fullBox(
      "stsd", Raw.u32(1),
      Raw.box("mebx", [UInt8](repeating: 0, count: 6), Raw.u16(1), Raw.box("keys", Raw.u32(8, 1))))
    let count = 1_000, size = 100_000
    track.samples(
      sizes: [Int](repeating: size, count: count),
      offsets: [Int](repeating: HostileMovie.mediaOffset, count: count))
    let movie = HostileMovie(tracks: [track], media: [UInt8](repeating: 0, count: size))
    let groups = try movie.opened().tracks[0].timedMetadata()
    // As often as a file may be passed, and not once for each sample.
    #expect(groups.count > 64 && groups.count < 100)
    let error = try #require(groups.last?.error)
    #expect("\(error)".contains("maximumSampleOverlap"))
    var passed = 0
    try movie.opened().tracks[0].forEachTimedMetadataGroup { _ in
      passed += 1
      return true
    }
    #expect(passed == groups.count)
  }

  @Test func boxesRequiredWithoutNumber() throws {
    let types = (0..<1_000).flatMap { Raw.u32(0x6161_6161 + $0) }
    var track = HostileTrack()
    track.description = Raw.fullBox(
      "stsd", Raw.u32(1),
      Raw.box("hvc1", [UInt8](repeating: 0, count: 78), Raw.box("vexu", Raw.fullBox("must", types))))
    let opened = try HostileMovie(tracks: [track]).opened().tracks[0]
    let layout = try #require(opened.formatDescriptions.first).stereo
    #expect(layout.requiredBoxTypes?.count == 1_000 && layout.unknownRequiredBoxTypes.count == 64)
    #expect(layout.diagnostics.contains { $0.code == "limit-exceeded" })
    #expect(opened.classificationReport.facts.count < 100)
  }

  @Test func lensesWithoutNumber() throws {
    let lenses = [[UInt8]](repeating: Raw.box("lens"), count: 300).flatMap { $0 }
    var track = HostileTrack()
    track.description = Raw.fullBox(
      "stsd", Raw.u32(1),
      Raw.box("hvc1", [UInt8](repeating: 0, count: 78), Raw.box("vexu", Raw.box("lnsc", lenses))))
    let layout = try #require(try HostileMovie(tracks: [track]).opened().tracks[0].formatDescriptions.first)
      .stereo
    #expect(layout.lenses.count == 256)
    #expect(layout.diagnostics.contains { $0.code == "limit-exceeded" })
  }

  @Test func referencesOfOneType() throws {
    let empty = [[UInt8]](repeating: Raw.box("hint"), count: 2_000).flatMap { $0 }
    var track = HostileTrack()
    track.references = Raw.box("tref", Raw.box("hint", Raw.words(Array(1...5_000))), empty)
    let opened = try HostileMovie(tracks: [track]).opened()
    #expect(opened.tracks[0].references.map(\.trackIDs.count) == [5_000] + [Int](repeating: 0, count: 2_000))
  }

  @Test func onePropertyOfAnItemManyTimes() throws {
    let item = Raw.fullBox("infe", version: 2, Raw.u16(1, 0), Array("hvc1".utf8), [0])
    let associations = (0..<1_000).flatMap { _ in Raw.u16(1) + [255] + [UInt8](repeating: 0x81, count: 255) }
    let properties = Raw.box(
      "iprp", Raw.box("ipco", Raw.fullBox("auxC", [UInt8](repeating: 97, count: 4_000) + [0])),
      Raw.fullBox("ipma", Raw.u32(1_000), associations))
    let file =
      Raw.box("ftyp", Array("heic".utf8), Raw.u32(0), Array("heic".utf8))
      + Raw.fullBox(
        "meta", Raw.fullBox("hdlr", Raw.u32(0), Array("pict".utf8), Raw.u32(0, 0, 0), [0]),
        Raw.fullBox("iinf", Raw.u16(1), item), properties)
    let opened = try MovieFile(bytes: file)
    let cost = spent {
      #expect(opened.items?.items.first?.properties.count == 255_000)
      #expect(opened.items?.items.first?.auxiliaryType?.count == 4_000)
    }
    // To read which items have it takes as many in a debug build.
    #expect(cost.allocations <= 600_000)
  }

  @Test func oneLongNameOfMetadataManyTimes() throws {
    let keys = Raw.fullBox("keys", Raw.u32(1), Raw.box("mdta", [UInt8](repeating: 107, count: 50_000)))
    let item = Raw.u32(8 + 17, 1) + Raw.box("data", Raw.u32(1, 0), [118])
    let items = Raw.box("ilst", [[UInt8]](repeating: item, count: 1_000).flatMap { $0 })
    var movie = HostileMovie()
    movie.more = Raw.box(
      "meta", Raw.fullBox("hdlr", Raw.u32(0), Array("mdta".utf8), Raw.u32(0, 0, 0), [0]), keys, items)
    let opened = try movie.opened()
    let cost = spent {
      #expect(opened.metadata.items.count == 1_000)
      #expect(opened.metadata.items.allSatisfy { $0.key.rawValue.utf8.count == 50_000 })
    }
    #expect(cost.peak <= 8 << 20)
  }

  @Test func manySampleGroupsOfOneType() throws {
    // 300 boxes that put samples into groups, of which 5000 are described.
    let group = Raw.fullBox("sbgp", Array("roll".utf8), Raw.u32(1, 1, 1))
    var track = HostileTrack()
    track.samples(sizes: [6], offsets: [HostileMovie.mediaOffset])
    track.tables += Raw.fullBox(
      "sgpd", version: 1, Array("roll".utf8), Raw.u32(2, 5_000), [UInt8](repeating: 0xFF, count: 10_000))
    for _ in 0..<300 { track.tables += group }
    let opened = try HostileMovie(tracks: [track], media: HostileSampleTests.unit).opened()
    let cost = spent { #expect(opened.tracks[0].randomAccessGroups.samplesRequired(before: 0) == 0) }
    #expect(cost.allocations <= 50_000)
  }
}
