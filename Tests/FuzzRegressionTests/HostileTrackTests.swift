// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import TestSupport
import Testing

@testable import Multiview

/// Movies of many tracks: what is asked of the whole movie for each must be worked out once.
@Suite struct HostileTrackTests {
  /// A movie with so many of something.
  enum Shape: CaseIterable {
    case defaultsOfFragments, metadata, editsOfOneEye
  }

  private static func entry(_ boxes: [UInt8]...) -> [UInt8] {
    Raw.fullBox(
      "stsd", Raw.u32(1),
      Raw.box(
        "hvc1", [UInt8](repeating: 0, count: 6), Raw.u16(1), [UInt8](repeating: 0, count: 70),
        boxes.flatMap { $0 }))
  }

  private static func eyes(_ flags: UInt8) -> [UInt8] {
    Raw.box("vexu", Raw.box("eyes", Raw.fullBox("stri", [flags])))
  }

  private static func track(_ id: Int, _ description: [UInt8]) -> HostileTrack {
    HostileTrack(id: id, description: description)
  }

  private static func movie(_ shape: Shape, _ count: Int) -> HostileMovie {
    var movie = HostileMovie()
    switch shape {
    case .defaultsOfFragments:
      // The rate of pictures is asked for where there is a record.
      let recorded = entry(Raw.box("hvcC", [1], [UInt8](repeating: 0, count: 22)))
      movie.tracks = (1...count).map { track($0, recorded) }
      let defaults = Raw.fullBox("trex", Raw.u32(1_000_000, 1, 0, 0, 0))
      movie.more = Raw.box("mvex", [[UInt8]](repeating: defaults, count: count).flatMap { $0 })
    case .metadata:
      let sphere = Raw.box("vexu", Raw.box("proj", Raw.fullBox("prji", Array("equi".utf8))))
      movie.tracks = (1...count).map { track($0, entry(sphere)) }
      let author = Raw.fullBox("auth", [0x55, 0xC4, 0x61, 0])
      movie.more = Raw.box("udta", [[UInt8]](repeating: author, count: count).flatMap { $0 })
    case .editsOfOneEye:
      var left = track(1, entry(eyes(1)))
      left.edits = Raw.box(
        "edts", Raw.fullBox("elst", Raw.u32(count), (0..<count).flatMap { Raw.u32(1, $0, 0x1_0000) }))
      movie.tracks = [left] + (0..<count).map { track($0 + 2, entry(eyes(2))) }
    }
    return movie
  }

  @Test(arguments: Shape.allCases) func costsNoMoreThanTheirNumber(_ shape: Shape) throws {
    func allocations(_ count: Int) throws -> Int {
      let opened = try Self.movie(shape, count).opened()
      return spent {
        let report = opened.check()
        #expect(!report.findings.isEmpty)
        for track in opened.tracks { _ = (track.classificationReport, opened.track(id: track.id)?.index) }
      }.allocations
    }
    let few = try allocations(150), many = try allocations(600)
    // Four times as many: four times the work, or somewhat less; a product would be sixteen times.
    #expect(many <= 6 * few, "\(few), \(many)")
  }

  @Test func oneIDForManyTracks() throws {
    var movie = HostileMovie()
    movie.tracks = (0..<20).map { _ in HostileTrack(id: 7) } + [HostileTrack(id: 8)]
    movie.tracks[20].references = Raw.box("tref", Raw.box("sbas", Raw.u32(7)))
    for index in movie.tracks.indices { movie.tracks[index].samples(sizes: [], offsets: []) }
    movie.fragments = Raw.box(
      "moof", Raw.box("traf", Raw.fullBox("tfhd", Raw.u32(7)), Raw.fullBox("trun", Raw.u32(1_000))))
    let opened = try movie.opened()
    let counts = try opened.tracks.map { try $0.samples().count }
    #expect(counts == [1_000] + Array(repeating: 0, count: 20))
    #expect(opened.tracks.map(\.sampleCount) == counts)
    #expect(opened.tracks.map(\.isFirstOfItsID) == [true] + Array(repeating: false, count: 19) + [true])
    #expect(opened.tracks.map(\.joined.isJoined) == [true] + Array(repeating: false, count: 19) + [true])
    #expect(opened.track(id: 7)?.index == 0 && opened.track(id: 8)?.index == 20 && opened.track(id: 9) == nil)
  }

  @Test func joinedTracksShareTheirParts() throws {
    var movie = HostileMovie()
    for id in 1...3 {
      var track = HostileTrack(id: id)
      if id > 1 { track.references = Raw.box("tref", Raw.box("sbas", Raw.u32(1))) }
      movie.tracks.append(track)
    }
    let opened = try movie.opened()
    let joined = opened.tracks.map(\.joined)
    #expect(joined.allSatisfy { $0.joinedTracks.map(\.id) == [1, 2, 3] })
    let parts = joined.map { opened.tracks[0].context.joined.parts($0.joinedTracks) }
    #expect(parts.allSatisfy { $0 === parts[0] })
  }

  @Test func layersOfManyTracks() throws {
    let pictures = (0..<63).map { [68 | UInt8($0) >> 5, (UInt8($0) & 31) << 3 | 1] }
    let record =
      [1] + [UInt8](repeating: 0, count: 20) + [3, 1, 34] + Raw.u16(63)
      + pictures.flatMap { Raw.u16(2) + $0 }
    let description = Self.entry(Raw.box("hvcC", record))
    for (count, layers, units) in [(10, 63, 63), (600, 27, 27), (4000, 8, 8)] {
      let opened = try HostileMovie(tracks: (1...count).map { Self.track($0, description) }).opened()
      let analysis = opened.tracks[count - 1].layerAnalysis
      #expect(analysis.layers.map(\.layerID) == (0..<UInt8(layers)).map { $0 })
      #expect(analysis.units.count == units)
      #expect(analysis.diagnostics.contains { $0.code == "limit-exceeded" } == (layers < 63))
      #expect(analysis.diagnostics.count <= 16)
    }
  }

  @Test func sampleEntriesOfEightBytes() throws {
    let entries = [[UInt8]](repeating: Raw.box("hvc1"), count: 20_000).flatMap { $0 }
    let many = Self.track(1, Raw.fullBox("stsd", Raw.u32(20_000), entries))
    let opened = try HostileMovie(tracks: [many, Self.track(2, Self.entry())]).opened()
    #expect(opened.tracks.map(\.formatDescriptions.count) == [16_384, 1])
    let found = opened.diagnostics.filter { $0.code == "limit-exceeded" }
    #expect(found.map(\.message) == ["only the first 16384 of 20000 sample descriptions are read"])
  }

  @Test func metadataWithoutNumber() throws {
    var movie = HostileMovie(tracks: [HostileTrack()])
    let author = Raw.fullBox("auth", [0x55, 0xC4, 0x61, 0])
    movie.more = Raw.box("udta", [[UInt8]](repeating: author, count: 10_000).flatMap { $0 })
    let metadata = try movie.opened().metadata
    #expect(metadata.items.count == 8192)
    #expect(metadata.diagnostics.filter { $0.code == "limit-exceeded" }.count == 1)
  }

  @Test func groupsThatManyFragmentsReferTo() throws {
    let groups = Raw.fullBox(
      "sgpd", version: 1, Array("roll".utf8), Raw.u32(2, 2_000), Raw.words([Int](repeating: -1, count: 1_000))
    )
    func groupsOf(fragments: Int) throws -> (cost: Int, groups: RandomAccessGroups) {
      var track = HostileTrack()
      track.samples(sizes: [7], offsets: [32])
      track.tables += groups
      var movie = HostileMovie(tracks: [track], media: [0])
      let sampleGroup = Raw.fullBox("sbgp", Array("roll".utf8), Raw.u32(1, 1, 2_000))
      let fragment = Raw.box(
        "moof", Raw.box("traf", Raw.fullBox("tfhd", Raw.u32(1)), Raw.fullBox("trun", Raw.u32(1)), sampleGroup)
      )
      movie.fragments = (0..<fragments).flatMap { _ in fragment }
      let opened = try movie.opened()
      _ = try opened.tracks[0].samples()
      var found = RandomAccessGroups()
      let cost = spent { found = opened.tracks[0].randomAccessGroups }.allocations
      return (cost, found)
    }
    let few = try groupsOf(fragments: 10), many = try groupsOf(fragments: 40)
    #expect(
      (0...41).map { many.groups.samplesRequired(before: $0) } == [0] + Array(repeating: 1, count: 40) + [0])
    // The groups are read once: what fragments cost beside that is less than a group each.
    #expect(many.cost <= few.cost + 30 * 100, "\(few.cost), \(many.cost)")
  }

  /// Each of 200 patterns of two groups claims all samples: their steps are counted.
  @Test func patternsThatRepeatOverAllSamples() throws {
    var track = HostileTrack()
    track.uniformSamples(524_288, size: 1, offset: HostileMovie.mediaOffset)
    track.tables += Raw.fullBox("sgpd", version: 1, Array("roll".utf8), Raw.u32(2, 2), Raw.u16(-1, -2))
    for parameter in 0..<200 {
      track.tables += Raw.fullBox(
        "csgp", flags: 0x7F, Array("roll".utf8), Raw.u32(parameter, 1, 2, 0xFFFF_FFFF, 1, 2))
    }
    let opened = try HostileMovie(tracks: [track], media: [0]).opened()
    _ = try opened.tracks[0].samples()
    let cost = spent { #expect(opened.tracks[0].randomAccessGroups.samplesRequired(before: 9) == 2) }
    #expect(cost.peak <= 96 << 20)
    #expect(throws: SourceError.self) { try SampleGroups(of: opened.tracks[0]) }
  }
}
