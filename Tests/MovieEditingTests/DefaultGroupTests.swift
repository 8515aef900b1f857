// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// Sample groups with a default, which applies to samples that no table lists. ISO/IEC 14496-12, 8.9.3
@Suite struct DefaultGroupTests {
  /// A movie of four samples with groups of the type `tst1`.
  private static func movie(defaultGroup: UInt64?, runs: [(count: UInt64, group: UInt64)]) throws -> MovieFile
  {
    var movie = try RemadeMovie(MovieFile(path: Fixtures.path("spatial.mov")))
    movie.editTrack { trak in
      trak.edit("mdia/minf/stbl") { stbl in
        guard let defaultGroup else { return }
        // Version 2, entries of one byte: AA and BB.
        let words: [UInt64] = [2 << 24, code, 1, defaultGroup, 2]
        stbl.children.append(PlainBox("sgpd", words.flatMap { PlainBox.bytes($0, 4) } + [0xAA, 0xBB]))
        guard !runs.isEmpty else { return }
        let rows: [UInt64] = runs.flatMap { [$0.count, $0.group] }
        let map: [UInt64] = [0, code, UInt64(runs.count)] + rows
        stbl.children.append(PlainBox("sbgp", map.flatMap { PlainBox.bytes($0, 4) }))
      }
    }
    return try MovieFile(bytes: movie.encoded())
  }

  private static let code = PlainBox.number(Array("tst1".utf8)[...])

  /// The description of the group of each sample, read from the bytes; `nil` for a sample in no group.
  private static func groups(of movie: MovieFile) throws -> [UInt8?] {
    let bytes = try movie.source.read(at: 0, count: Int(movie.source.size ?? 0)).array
    let moov = try #require(PlainBox.boxes(bytes[...]).first { $0.type == "moov" })
    let stbl = try #require(moov["trak/mdia/minf/stbl"])
    let sizes = try #require(stbl.children.first { $0.type == "stsz" })
    var groups = [UInt8?](repeating: nil, count: Int(PlainBox.number(sizes.fields[8..<12])))
    func own(_ type: String) -> [UInt8]? {
      stbl.children.first { $0.type == type && PlainBox.number($0.fields[4..<8]) == code }?.fields
    }
    guard let table = own("sgpd") else { return groups }
    // Entries of one byte: from version 2 on, after the default.
    let isOld = table[0] < 2
    #expect(PlainBox.number(table[8..<12]) == 1)
    let descriptions = Array(table[(isOld ? 16 : 20)...])
    func description(_ group: UInt64) -> UInt8? { group == 0 ? nil : descriptions[Int(group) - 1] }
    let others = isOld ? 0 : PlainBox.number(table[12..<16])
    groups = groups.map { _ in description(others) }
    guard let map = own("sbgp") else { return groups }
    var sample = 0
    for row in 0..<Int(PlainBox.number(map[8..<12])) {
      let place = 12 + row * 8
      for _ in 0..<PlainBox.number(map[place..<(place + 4)]) {
        groups[sample] = description(PlainBox.number(map[(place + 4)..<(place + 8)]))
        sample += 1
      }
    }
    return groups
  }

  private static let kinds:
    [(defaultGroup: UInt64?, runs: [(count: UInt64, group: UInt64)], groups: [UInt8?])] = [
      (nil, [], [nil, nil, nil, nil]),
      (0, [(2, 2), (1, 1)], [0xBB, 0xBB, 0xAA, nil]),
      (1, [(1, 2)], [0xBB, 0xAA, 0xAA, 0xAA]),
      (1, [], [0xAA, 0xAA, 0xAA, 0xAA]),
      (2, [], [0xBB, 0xBB, 0xBB, 0xBB]),
      (1, [(1, 0), (2, 2)], [nil, 0xBB, 0xBB, 0xAA]),
      (2, [(2, 1), (2, 0)], [0xAA, 0xAA, nil, nil]),
      (1, [(4, 0)], [nil, nil, nil, nil]),
    ]

  @Test func joinedMoviesKeepTheirGroups() throws {
    let movies = try Self.kinds.map { try Self.movie(defaultGroup: $0.defaultGroup, runs: $0.runs) }
    for (movie, kind) in zip(movies, Self.kinds) { #expect(try Self.groups(of: movie) == kind.groups) }
    for (first, before) in zip(movies, Self.kinds) {
      for (second, after) in zip(movies, Self.kinds) {
        let joined = try MovieJoiner([first, second]).plannedMovie()
        #expect(
          try Self.groups(of: joined) == before.groups + after.groups,
          "\(before.defaultGroup ?? 0) \(before.runs), \(after.defaultGroup ?? 0) \(after.runs)")
      }
    }
  }

  /// The first two samples of four; and all, in fragments and back.
  @Test func partsAndFragmentsKeepTheirGroups() throws {
    for kind in Self.kinds {
      let movie = try Self.movie(defaultGroup: kind.defaultGroup, runs: kind.runs)
      let words: Comment = "\(kind.defaultGroup ?? 0) \(kind.runs)"
      var composition = try Composition(movie)
      let end = composition.duration
      composition.removeTimeRange(MediaTime(value: 2, timescale: 30)..<end)
      let part = try composition.plannedMovie()
      let count = try part.tracks[0].samples().count
      #expect(count >= 2, words)
      #expect(try Self.groups(of: part) == Array(kind.groups.prefix(count)), words)
      let fragmented = try MovieFragmenter(movie).plannedMovie()
      let flat = try MovieFlattener(fragmented).plannedMovie()
      #expect(try Self.groups(of: flat) == kind.groups, words)
    }
  }
}
