// swift-multiview · SPDX-License-Identifier: Apache-2.0

import BoxCatalogue
import ByteCoding
import FileAccess
import ISOBMFF
import TestSupport
import Testing

@testable import MovieEditing
@testable import Multiview

/// A list of samples, written as tables or as fragments, reads as the list: when samples are decoded and composed, where
/// they are, how large they are, their flags and sample entries, and their groups.
@Suite struct SampleListLawTests {
  /// Samples, and the roll distance of the group of each; `nil` for a sample in no group.
  private struct Model: Equatable {
    var samples: [Sample] = []
    var distances: [Int16?] = []

    init() {}

    /// Makes samples that are alike or differ in any way.
    init(count: Int, using random: inout SeededGenerator) {
      let (isEven, isSound, isComposed) = (
        Bool.random(using: &random), Bool.random(using: &random), Bool.random(using: &random)
      )
      let (hasDependencies, hasGaps) = (Bool.random(using: &random), Bool.random(using: &random))
      let hasGroups = Bool.random(using: &random)
      var (time, offset, description): (Int64, UInt64, UInt32) = (0, 9_000, 1)
      for index in 0..<count {
        let size = isSound ? 960 : UInt32.random(in: 1...4_000, using: &random)
        if hasGaps, UInt8.random(in: 0..<4, using: &random) == 0 { offset += 100 }
        if UInt8.random(in: 0..<20, using: &random) == 0 { description = 3 - description }
        let isSync = isSound || UInt8.random(in: 0..<5, using: &random) == 0
        let dependency = hasDependencies ? UInt32.random(in: 0...255, using: &random) << 20 : 0
        samples.append(
          Sample(
            index: index, decodeTime: time,
            compositionOffset: isComposed ? .random(in: -30...50, using: &random) : 0,
            duration: isEven ? 20 : .random(in: 1...40, using: &random), offset: offset, size: size,
            flags: SampleFlags(rawValue: dependency | (isSync ? 0 : 0x1_0000)),
            descriptionIndex: description))
        time += samples[index].duration
        offset += UInt64(size)
        distances.append(hasGroups ? [nil, -1, -2].randomElement(using: &random) ?? nil : nil)
      }
    }

    /// Adds samples of another list.
    mutating func append(_ others: Range<Int>, of other: Model) {
      for index in others {
        var sample = other.samples[index]
        sample.decodeTime = samples.last.map { $0.decodeTime + $0.duration } ?? 0
        sample.index = samples.count
        samples.append(sample)
        distances.append(other.distances[index])
      }
    }

    /// The groups of the samples.
    var groups: SampleGroups {
      var runs = SampleGroupRuns()
      for distance in distances { runs.append(1, of: UInt32(-(distance ?? 0))) }
      let entries = ([-1, -2] as [Int16]).map { distance in
        var entry = RollRecoveryEntry()
        entry.rollDistance = distance
        return entry
      }
      return SampleGroups("roll", entries, runs)
    }
  }

  private static func plain(_ boxes: [Box]) throws -> [PlainBox] {
    PlainBox.boxes(try boxes.flatMap { try $0.encoded() }[...])
  }

  /// The defaults of fragments.
  private static var extends: TrackExtendsBox {
    var extends = TrackExtendsBox()
    (extends.trackID, extends.defaultSampleDescriptionIndex) = (1, 1)
    (extends.defaultSampleDuration, extends.defaultSampleSize) = (20, 960)
    return extends
  }

  /// The movie box of one track with these tables, which two sample entries precede.
  private static func movieBox(_ tables: [PlainBox], inFragments: Bool = false) throws -> [UInt8] {
    let old = PlainBox.boxes((contents(Fixtures.path("spatial.mov")) ?? [])[...])
    var moov = try #require(old.first { $0.type == "moov" })
    let first = try #require(moov.children.first { $0.type == "trak" })
    moov.children.removeAll { $0.type == "trak" }
    moov.children.append(first)
    moov.edit("trak") { trak in
      trak.children.removeAll { $0.type == "edts" || $0.type == "tref" }
      trak.patch("tkhd", at: trak["tkhd"]?.fields[0] == 1 ? 20 : 12, 1)
      trak.edit("mdia/minf/stbl") { stbl in
        stbl.children = stbl.children.filter { $0.type == "stsd" } + tables
        stbl.edit("stsd") { $0.children += $0.children.prefix(1) }
        stbl.patch("stsd", at: 4, 2)
      }
    }
    if inFragments {
      moov.children.append(PlainBox("mvex", [], try plain([Box("trex", extends, in: .box("mvex"))])))
    }
    return moov.bytes
  }

  /// Reads a movie of one track.
  private static func read(_ bytes: [UInt8]) throws -> (track: Track, model: Model) {
    let track = try #require(MovieFile(bytes: bytes).tracks.first)
    let groups = try SampleGroups(of: track)
    let entries = groups.kinds.first { $0.box.groupingType == "roll" }?.box.entries ?? []
    var model = Model()
    model.samples = Array(try track.samples())
    model.distances = model.samples.indices.map { index in
      guard let group = groups.groupings.first?.runs.run(of: index)?.group, group > 0 else { return nil }
      return (entries[Int(group) - 1].content as? RollRecoveryEntry)?.rollDistance
    }
    return (track, model)
  }

  /// Writes a list as fragments of any length, and returns the movie and the offsets of the samples.
  private static func fragments(
    _ list: SampleList, _ groups: SampleGroups, using random: inout SeededGenerator
  ) throws -> (bytes: [UInt8], offsets: [UInt64]) {
    var samples: [Sample] = []
    var iterator = list.makeIterator()
    while let uniform = try iterator.next() { samples += (0..<uniform.count).map { uniform[$0] } }
    let empty =
      ["stts", "stsc", "stco"].map { PlainBox($0, PlainBox.bytes(0, 8)) } + [
        PlainBox("stsz", PlainBox.bytes(0, 12))
      ]
    var bytes = try movieBox(empty + plain(groups.descriptionBoxes), inFragments: true)
    var offsets: [UInt64] = []
    while offsets.count < samples.count {
      let first = offsets.count
      let rest = samples[first...].prefix(Int.random(in: 1...12, using: &random))
      let own = rest.prefix { $0.descriptionIndex == samples[first].descriptionIndex }
      var builder = FragmentBuilder(sequenceNumber: UInt32(first), extends: [extends])
      builder.begin(track: 1, at: UInt64(own[first].decodeTime))
      for sample in own { try builder.append(sample, toTrack: 1) }
      for (grouping, runs) in groups.listed {
        var part = runs.slice([first..<(first + own.count)])
        part.removeRest()
        if part.count > 0 { builder.attach(try part.box(grouping, in: "traf"), toTrack: 1) }
      }
      bytes += try builder.header()
      for sample in own {
        offsets.append(UInt64(bytes.count))
        bytes += [UInt8](repeating: 0, count: Int(sample.size))
      }
    }
    return (bytes, offsets)
  }

  @Test func tablesAndFragmentsReadAsTheList() throws {
    for seed in 0..<200 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let model = Model(count: Int.random(in: 1...60, using: &random), using: &random)
      var builder = SampleTableBuilder()
      for sample in model.samples { try builder.append(sample) }
      let tables = try Self.plain(builder.boxes() + model.groups.boxes())
      let (track, read) = try Self.read(Self.movieBox(tables))
      #expect(read == model, "seed \(seed)")

      // Spans of the samples, in any order.
      let source = SampleList.Source { () throws(SourceError) in try track.samples() }
      var (list, wanted, spans) = (SampleList(), Model(), [Range<Int>]())
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let first = Int.random(in: 0..<model.samples.count, using: &random)
        let span = first..<Int.random(in: (first + 1)...model.samples.count, using: &random)
        try list.append(.init(of: source, span, from: model.samples[first].decodeTime))
        wanted.append(span, of: model)
        spans.append(span)
      }
      let groups = try SampleGroups(of: track).slice(spans)
      let computed = try ComputedSampleTables(list, chunkDuration: .random(in: 1...400, using: &random))
      let again = try Self.plain(computed.boxes() + groups.boxes())
      #expect(try Self.read(Self.movieBox(again)).model == wanted, "seed \(seed)")

      let (bytes, offsets) = try Self.fragments(list, groups, using: &random)
      for (index, offset) in offsets.enumerated() { wanted.samples[index].offset = offset }
      #expect(try Self.read(bytes).model == wanted, "seed \(seed)")
    }
  }
}
