// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Multiview
import TestSupport
import Testing

/// Comparisons of movies in which a few bytes ask for much work. What takes too long is left out, and a note says so: nothing of it is
/// said to differ, and the movies are not said to be the same.
@Suite struct HostileComparisonTests {
  private func expectCutShort(
    _ bytes: [UInt8], _ note: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    func comparison(_ limits: Limits) throws -> MovieComparison {
      try MovieComparison(MovieFile(bytes: bytes, limits: limits), MovieFile(bytes: bytes, limits: limits))
    }
    let cut = try comparison(.standard)
    #expect(cut.differences == [], sourceLocation: sourceLocation)
    #expect(!cut.isSame, sourceLocation: sourceLocation)
    #expect(cut.notes.contains { $0.hasPrefix(note) }, "\(cut.notes)", sourceLocation: sourceLocation)
    // Whoever trusts the files may have all of them compared.
    var limits = Limits.standard
    limits.maximumSampleOverlap = 1 << 20
    let whole = try comparison(limits)
    #expect(whole.isSame, "\(whole.notes)", sourceLocation: sourceLocation)
  }

  private static func sound(_ tables: [UInt8], samples count: Int) -> HostileMovie {
    var track = HostileTrack()
    track.handler = "soun"
    track.description = Raw.fullBox(
      "stsd", Raw.u32(1), Raw.box("sowt", [UInt8](repeating: 0, count: 28)))
    track.uniformSamples(count, size: 1, offset: HostileMovie.mediaOffset)
    track.tables += tables
    return HostileMovie(tracks: [track], media: [UInt8](repeating: 7, count: count))
  }

  @Test func samplesOfManyTracksUponOneAnother() throws {
    let media = [[UInt8]](repeating: [0, 0, 0, 5, 2, 1, 0x80, 0x55, 0x55], count: 200).flatMap { $0 }
    var movie = HostileMovie(media: media)
    for id in 1...20 {
      var track = HostileTrack(id: id)
      track.samples(
        sizes: [Int](repeating: media.count, count: 40),
        offsets: [Int](repeating: HostileMovie.mediaOffset, count: 40))
      movie.tracks.append(track)
    }
    try expectCutShort(movie.bytes, "from track 1 on, not all samples are compared: ")
  }

  @Test func samplesOfNothingInManyTracks() throws {
    var movie = HostileMovie(media: [0, 0, 0, 3, 2, 1, 0x80])
    for id in 1...4 {
      var track = HostileTrack(id: id)
      if id == 1 {
        track.uniformSamples(5_000, size: 7, offset: HostileMovie.mediaOffset)
      } else {
        track.samples(sizes: [7], offsets: [HostileMovie.mediaOffset])
        track.references = Raw.box("tref", Raw.box("sbas", Raw.u32(1)))
      }
      movie.tracks.append(track)
    }
    try expectCutShort(movie.bytes, "from track 1 on, not all samples are compared: ")
  }

  @Test func groupsOfEachSample() throws {
    func description(_ type: Int, _ count: Int, defaultIndex: Int) -> [UInt8] {
      Raw.fullBox(
        "sgpd", version: 2, Raw.u32(type, 1, defaultIndex, count), [UInt8](repeating: 1, count: count))
    }
    let kinds = (0..<300).flatMap { description(0x6161_6161 + $0, 1, defaultIndex: 1) }
    let steps = (0..<3_000).flatMap { Raw.u32(1, $0 % 2) }
    let tables =
      kinds + description(0x726F_6C6C, 1, defaultIndex: 0)
      + Raw.fullBox("sbgp", Raw.u32(0x726F_6C6C, 3_000), steps)
    try expectCutShort(
      Self.sound(tables, samples: 3_000).bytes, "from track 1 on, not all samples are compared: ")
  }

  @Test func divisionsOfEachSample() throws {
    let boxes = (0..<300).flatMap { _ in Raw.fullBox("subs", Raw.u32(0)) }
    try expectCutShort(
      Self.sound(boxes, samples: 3_000).bytes, "from track 1 on, not all samples are compared: ")
  }

  /// A file of items, all of which have the same bytes.
  private static func photo(items count: Int, references: [[UInt8]] = []) -> [UInt8] {
    let media = Raw.box("mdat", [UInt8](repeating: 7, count: 4_000))
    let entries = (1...count).flatMap {
      Raw.fullBox("infe", version: 2, Raw.u16($0, 0), Array("hvc1".utf8), [0])
    }
    let places = (1...count).flatMap { Raw.u16($0, 0, 1) + Raw.u32(HostileMovie.mediaOffset, 4_000) }
    return Raw.box("ftyp", Array("heic".utf8), Raw.u32(0), Array("heic".utf8), Raw.u32(0)) + media
      + Raw.fullBox(
        "meta", Raw.fullBox("hdlr", Raw.u32(0), Array("pict".utf8), Raw.u32(0, 0, 0), [0]),
        Raw.fullBox("iinf", Raw.u16(count), entries),
        Raw.fullBox("iloc", Raw.u16(0x4400, count), places),
        Raw.fullBox("iref", references.flatMap { $0 }))
  }

  @Test func itemsUponOneAnother() throws {
    try expectCutShort(Self.photo(items: 600), "from item ")
  }

  /// Nor does it take a product of the lists.
  @Test func referencesInAnyOrder() throws {
    let all = (1...4_000).map { Raw.box("dimg", Raw.u16($0, 1, $0 % 3 + 1)) }
    let first = try MovieFile(bytes: Self.photo(items: 3, references: all))
    let turned = try MovieFile(bytes: Self.photo(items: 3, references: all.reversed()))
    #expect(try MovieComparison(first, turned).isSame)
    let fewer = try MovieFile(bytes: Self.photo(items: 3, references: Array(all.dropFirst())))
    let found = try MovieComparison(first, fewer)
    #expect(found.differences.map(\.description) == ["reference: 'dimg' from 1 to 2 is lost"])
  }

  /// Where configuration records alone take too long, nothing of the track is compared, and that is said.
  @Test func recordsThatTakeTooLong() throws {
    var limits = Limits.standard
    limits.maximumSampleOverlap = 1
    let bytes = HostileMovie(tracks: [HostileTrack()]).bytes
    let found = try MovieComparison(
      MovieFile(bytes: bytes, limits: limits), MovieFile(bytes: bytes, limits: limits))
    #expect(!found.isSame)
    #expect(found.notes.count == 1 && found.notes[0].hasPrefix("from track 1 on,"), "\(found.notes)")
  }

  /// Samples that are in many groups, one of which has another description in the second movie.
  @Test func oneOfManyGroupsChanges() throws {
    func movie(_ value: UInt8) throws -> MovieFile {
      let kinds = (0..<200).flatMap {
        Raw.fullBox("sgpd", version: 2, Raw.u32(0x6161_6161 + $0, 1, 1, 1), [$0 == 5 ? value : 1])
      }
      var movie = Self.sound([], samples: 0)
      movie.tracks[0].samples(
        sizes: (0..<1_000).map { $0 % 2 + 1 },
        offsets: [Int](repeating: HostileMovie.mediaOffset, count: 1_000))
      movie.tracks[0].tables += kinds
      movie.media = [1, 2]
      return try movie.opened()
    }
    let found = try MovieComparison(movie(1), movie(2))
    #expect(found.notes == [])
    #expect(
      found.differences.map(\.description) == ["track 1, sample groups 'aaaf': of 1000 samples is now others"]
    )
  }

  /// Wherever a comparison ends, it finds nothing that the whole one does not.
  @Test(arguments: 1...12) func nothingIsFoundBeyondTheEnd(overlap: Int) throws {
    let bytes = Fixtures.bytes("spatial.mov").array
    let movie = try MovieFile(bytes: bytes)
    let last = try #require(try movie.tracks[0].samples().sample(at: movie.tracks[0].sampleCount - 1))
    var changed = bytes
    changed[Int(last.range.upperBound) - 2] ^= 1
    func comparison(_ limits: Limits) throws -> MovieComparison {
      try MovieComparison(MovieFile(bytes: bytes, limits: limits), MovieFile(bytes: changed, limits: limits))
    }
    let whole = try comparison(.standard)
    #expect(whole.differences.count == 1, "\(whole.differences)")
    var limits = Limits.standard
    limits.maximumSampleOverlap = overlap
    let part = try comparison(limits)
    #expect(Set(part.differences.map(\.description)).isSubset(of: whole.differences.map(\.description)))
    #expect(part.notes.isEmpty == (part.differences == whole.differences))
  }
}
