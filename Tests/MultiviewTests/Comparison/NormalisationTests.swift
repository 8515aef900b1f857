// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Foundation
import Multiview
import TestSupport
import Testing

/// What says the same in other words makes no difference; what says something else does. Each movie is written by code of the tests.
@Suite struct NormalisationTests {
  /// A movie of 12 samples of both layers in another order than they are shown, written as QuickTime does.
  private static func movie(_ name: String = "spatial.mov") throws -> RemadeMovie {
    var movie = try RemadeMovie(MovieFile(path: Fixtures.path(name)))
    let four = movie.samples[0]
    movie.samples[0] = (0..<12).map { index in
      var sample = four[index % 4]
      sample.isSync = index % 4 == 0
      sample.duration = 1
      sample.offset = [0, 2, 0, -2][index % 4]
      sample.dependency = index % 4 == 0 ? 0x20 : 0x10
      let picture = sample.units.firstIndex { BrokenClip.type($0) < 32 } ?? 0
      sample.units[picture][30] ^= UInt8(index)
      // A message of its own, too.
      sample.units.insert(
        [0x4E, 0x01, 0x05, 0x11] + [UInt8](repeating: UInt8(index + 1), count: 17) + [0x80], at: 0)
      return sample
    }
    movie.editTrack { trak in
      trak.remove(["sgpd", "sbgp"], in: "mdia/minf/stbl")
      trak.children.removeAll { $0.type == "edts" }
      trak.children.insert(PlainBox("edts", [], [Self.editList(duration: 12, mediaTime: 0)]), at: 1)
    }
    // Movie and media count in the same units.
    let scale = PlainBox.number((movie.moov["trak/mdia/mdhd"]?.fields[12..<16] ?? [])[...])
    movie.moov.patch("mvhd", at: 12, scale)
    movie.editTrack { $0.patch("mdia/mdhd", at: 16, 12) }
    setDuration(12, of: &movie)
    return movie
  }

  /// Says in the headers how long the movie and its track are presented, in the scale of the movie.
  private static func setDuration(_ duration: UInt64, of movie: inout RemadeMovie) {
    movie.moov.patch("mvhd", at: 16, duration)
    movie.editTrack { $0.patch("tkhd", at: 20, duration) }
  }

  private static func editList(version: UInt8 = 0, duration: UInt64, mediaTime: UInt64) -> PlainBox {
    let width = version == 0 ? 4 : 8
    return PlainBox(
      "elst",
      [version, 0, 0, 0, 0, 0, 0, 1] + PlainBox.bytes(duration, width) + PlainBox.bytes(mediaTime, width)
        + [0, 1, 0, 0])
  }

  private func differences(
    _ first: [UInt8], _ second: [UInt8], _ levels: Set<MovieComparison.Level> = MovieComparison.usualLevels
  ) throws -> [String] {
    try MovieComparison(MovieFile(bytes: first), MovieFile(bytes: second), levels: levels).differences
      .map(\.description)
  }

  private func expectSame(
    _ what: String, _ change: (inout RemadeMovie, inout RemadeMovie.Layout) throws -> Void
  ) throws {
    let movie = try Self.movie()
    var other = movie
    var layout = RemadeMovie.Layout()
    try change(&other, &layout)
    #expect(movie.encoded() != other.encoded(layout), "\(what): nothing was changed")
    #expect(try differences(movie.encoded(), other.encoded(layout)) == [], "\(what)")
  }

  // MARK: Layout

  @Test func tablesAndChunks() throws {
    try expectSame("ctts, version 0 with a sign") { $1.offsets = .signedOld }
    try expectSame("ctts, version 0 shifted, with an edit") { movie, layout in
      layout.offsets = .shifted
      movie.editTrack { $0.edit("edts") { $0.children = [Self.editList(duration: 12, mediaTime: 2)] } }
    }
    try expectSame("a row for each sample") { $1.spellsOutRuns = true }
    try expectSame("chunks") { movie, layout in
      layout.chunks = [1, 3, 2]
      layout.gap = 5
    }
    try expectSame("co64") { $1.hasLargeOffsets = true }
    try expectSame("the movie box in front") { $1.isFront = true }
  }

  @Test func fragments() throws {
    let movie = try Self.movie()
    for count in [1, 4, 12] {
      #expect(try differences(movie.encoded(), movie.fragmented(samplesEach: count)) == [])
      #expect(try differences(movie.fragmented(samplesEach: count), movie.encoded()) == [])
      #expect(try differences(movie.fragmented(samplesEach: count), movie.fragmented(samplesEach: 3)) == [])
    }
  }

  // MARK: Boxes

  @Test func editsAndScales() throws {
    try expectSame("elst, version 1") { movie, _ in
      movie.editTrack {
        $0.edit("edts") { $0.children = [Self.editList(version: 1, duration: 12, mediaTime: 0)] }
      }
    }
    try expectSame("no edit list") { movie, _ in movie.editTrack { $0.remove(["edts"], in: "") } }
    let movie = try Self.movie()
    let scale = PlainBox.number((movie.moov["mvhd"]?.fields[12..<16] ?? [])[...])
    try expectSame("the scale of the movie") { movie, _ in
      movie.moov.patch("mvhd", at: 12, scale * 20)
      movie.editTrack { $0.edit("edts") { $0.children = [Self.editList(duration: 240, mediaTime: 0)] } }
      Self.setDuration(240, of: &movie)
    }
    // Where the end of the edit is not the end of the media, pictures are left out.
    var shorter = movie
    shorter.editTrack { $0.edit("edts") { $0.children = [Self.editList(duration: 10, mediaTime: 0)] } }
    Self.setDuration(10, of: &shorter)
    let found = try differences(movie.encoded(), shorter.encoded())
    #expect(found.count == 1 && found[0].contains("left out by the edit list"), "\(found)")
    var pause = movie
    pause.editTrack { trak in
      trak.edit("edts") { edts in
        edts.children[0].fields = [0, 0, 0, 0, 0, 0, 0, 2]
        edts.children[0].fields += PlainBox.bytes(3, 4) + [255, 255, 255, 255, 0, 1, 0, 0]
        edts.children[0].fields += PlainBox.bytes(12, 4) + PlainBox.bytes(0, 4) + [0, 1, 0, 0]
      }
    }
    Self.setDuration(15, of: &pause)
    let later = try differences(movie.encoded(), pause.encoded())
    #expect(later.count == 1 && later[0].contains("all 12 samples, all by the same amount"), "\(later)")
  }

  @Test func colours() throws {
    let values: [UInt8] = [0, 1, 0, 1, 0, 1]
    func coloured(_ fields: [UInt8]) throws -> [UInt8] {
      var movie = try Self.movie()
      movie.editEntry { entry in
        entry.children.removeAll { $0.type == "colr" }
        entry.children.append(PlainBox("colr", fields))
      }
      return movie.encoded()
    }
    let nclc = try coloured(Array("nclc".utf8) + values)
    #expect(try differences(nclc, coloured(Array("nclx".utf8) + values + [0])) == [])
    let full = try differences(nclc, coloured(Array("nclx".utf8) + values + [0x80]))
    #expect(full.count == 1 && full[0].contains("range of samples"), "\(full)")
    let other = try differences(nclc, coloured(Array("nclc".utf8) + [0, 1, 0, 16, 0, 1]))
    #expect(other.count == 1 && other[0].contains("transfer function: BT.709 (1) is now"), "\(other)")
  }

  @Test func handlers() throws {
    func named(_ fields: [UInt8]) throws -> [UInt8] {
      var movie = try Self.movie()
      movie.editTrack { $0.edit("mdia/hdlr") { $0.fields = fields } }
      return movie.encoded()
    }
    let zeros = [UInt8](repeating: 0, count: 12)
    let plain = [UInt8](repeating: 0, count: 8) + Array("vide".utf8) + zeros + Array("Camera".utf8) + [0]
    let pascal =
      [0, 0, 0, 0] + Array("mhlrvideappl".utf8) + [UInt8](repeating: 0, count: 8) + [6] + Array("Camera".utf8)
    #expect(try differences(named(plain), named(pascal)) == [])
    let none = [UInt8](repeating: 0, count: 8) + Array("vide".utf8) + zeros + [0]
    #expect(try differences(named(plain), named(none)) == ["track 1, handler name: Camera is lost"])
  }

  @Test func placesOfSamples() throws {
    func placed(_ entry: PlainBox) throws -> [UInt8] {
      var movie = try Self.movie()
      movie.editTrack { $0.edit("mdia/minf/dinf/dref") { $0.children = [entry] } }
      return movie.encoded()
    }
    let url = try placed(PlainBox("url ", [0, 0, 0, 1]))
    #expect(try differences(url, placed(PlainBox("alis", [0, 0, 0, 1]))) == [])
    let elsewhere = try differences(
      url, placed(PlainBox("url ", [0, 0, 0, 0] + Array("file:other.mov".utf8) + [0])))
    #expect(elsewhere.contains { $0.contains("places of samples") }, "\(elsewhere)")
  }

  @Test func groups() throws {
    func grouped(_ boxes: [PlainBox]) throws -> [UInt8] {
      var movie = try Self.movie()
      movie.editTrack { $0.edit("mdia/minf/stbl") { $0.children += boxes } }
      return movie.encoded()
    }
    func description(version: UInt8, index: UInt64 = 0) -> PlainBox {
      PlainBox(
        "sgpd",
        [version, 0, 0, 0] + Array("sync".utf8) + PlainBox.bytes(1, 4)
          + (version == 2 ? PlainBox.bytes(index, 4) : []) + PlainBox.bytes(2, 4) + [20, 21])
    }
    func runs(_ runs: [(UInt64, UInt64)]) -> PlainBox {
      let rows = runs.flatMap { PlainBox.bytes($0.0, 4) + PlainBox.bytes($0.1, 4) }
      return PlainBox(
        "sbgp", [0, 0, 0, 0] + Array("sync".utf8) + PlainBox.bytes(UInt64(runs.count), 4) + rows)
    }
    let all = try grouped([description(version: 1), runs([(12, 2)])])
    #expect(try differences(all, grouped([description(version: 2, index: 2)])) == [])
    #expect(
      try differences(all, grouped([description(version: 2, index: 1), runs([(5, 2), (7, 2)])])) == [])
    // 4 bits for indices, 8 for counts and lengths: three samples of the second group, four times.
    let compact = PlainBox(
      "csgp", [0, 0, 0, 0x14] + Array("sync".utf8) + PlainBox.bytes(1, 4) + [1, 12, 0x20])
    #expect(try differences(all, grouped([description(version: 1), compact])) == [])
    let one = try grouped([description(version: 1), runs([(1, 2)])])
    #expect(try differences(one, grouped([description(version: 1), runs([(1, 2), (11, 0)])])) == [])
    let lost = try differences(one, grouped([]))
    #expect(lost == ["track 1, sample groups 'sync': of 1 sample is lost"])
    let changed = try differences(all, grouped([description(version: 1), runs([(10, 2), (2, 1)])]))
    #expect(changed == ["track 1, sample groups 'sync': of 2 samples is now others"])
  }

  @Test func configurationRecords() throws {
    let clip = try BrokenClip(MovieFile(bytes: Self.movie().encoded()))
    var other = clip
    other.setArrays("hvcC", clip.arrays("hvcC").reversed().map { ($0.head ^ 0x80, $0.units) })
    other.setArrays("lhvC", clip.arrays("lhvC").reversed())
    #expect(try differences(clip.encoded, other.encoded) == [])
    other = clip
    other.movie.editEntry { entry in entry.edit("hvcC") { $0.fields[15] ^= 1 } }
    let found = try differences(clip.encoded, other.encoded)
    #expect(found.count == 1 && found[0].contains("hvcC") && found[0].contains("parallelismType"), "\(found)")
  }

  @Test func tagsAndOrder() throws {
    try expectSame("the order of boxes") { movie, _ in
      movie.editEntry { entry in
        entry.edit("vexu") { vexu in
          vexu.edit("eyes") { $0.children.reverse() }
          vexu.children.reverse()
        }
        entry.children.reverse()
      }
    }
    try expectSame("a terminator") { movie, _ in movie.editEntry { $0.trailing = [0, 0, 0, 0] } }
    try expectSame("btrt") { movie, _ in
      movie.editEntry { $0.children.append(PlainBox("btrt", [UInt8](repeating: 1, count: 12))) }
    }
    for type in ["free", "skip", "wide"] {
      try expectSame(type) { movie, _ in
        movie.moov.children.insert(PlainBox(type, [1, 2, 3]), at: 1)
        movie.editTrack { $0.children.append(PlainBox(type, [4])) }
        movie.others.append(PlainBox(type))
      }
    }
    // Absent is not zero.
    var zero = try Self.movie(), absent = zero
    zero.editEntry { $0.patch("vexu/eyes/cmfy/dadj", at: 4, 0) }
    absent.editEntry { $0.remove(["cmfy"], in: "vexu/eyes") }
    #expect(
      try differences(zero.encoded(), absent.encoded()) == [
        "track 1, disparity: 0 % is lost"
      ])
  }

  /// Dates of media and of modification are set by every program that writes a movie. That of the movie is said once,
  /// also if the tracks have it, too.
  @Test func dates() throws {
    try expectSame("other dates of media and of modification") { movie, _ in
      movie.moov.patch("mvhd", at: 8, 3_900_000_000)
      movie.editTracks { _, trak in
        trak.patch("tkhd", at: 8, 3_900_000_000)
        trak.patch("mdia/mdhd", at: 4, 3_900_000_000)
      }
    }
    let movie = try Self.movie()
    var zeroed = movie, other = movie
    zeroed.moov.patch("mvhd", at: 4, 0)
    var found = try differences(movie.encoded(), zeroed.encoded())
    #expect(found.count == 1 && found[0].hasPrefix("date of creation in the header: 20"), "\(found)")
    other.moov.patch("mvhd", at: 4, 3_900_000_000)
    other.editTracks { _, trak in trak.patch("tkhd", at: 4, 3_900_000_000) }
    found = try differences(movie.encoded(), other.encoded())
    #expect(
      found.count == 1 && found[0].hasPrefix("date of creation in the header: 20")
        && found[0].hasSuffix("is now 2027-08-01T21:20:00Z"), "\(found)")
  }

  // MARK: Samples

  @Test func samples() throws {
    let movie = try Self.movie()
    try expectSame("zeros after units") { movie, _ in
      movie.samples[0][3].units = movie.samples[0][3].units.map { $0 + [0] }
    }
    try expectSame("delimiters and filler") { movie, _ in
      movie.samples[0][2].units = [[0x46, 1, 0x50]] + movie.samples[0][2].units + [[0x4C, 1, 0xFF, 0x80]]
    }
    func changed(_ change: (inout RemadeMovie) -> Void) throws -> [String] {
      var other = movie
      change(&other)
      return try differences(movie.encoded(), other.encoded())
    }
    #expect(
      try changed { $0.samples[0][5].units[0][5] ^= 1 } == [
        "track 1, messages beside the pictures: in 1 sample is now other contents"
      ])
    #expect(
      try changed { $0.samples[0][4].isSync = false } == ["track 1, sync samples: sample 4 is lost"])
    #expect(
      try changed { movie in
        for index in 0..<12 { movie.samples[0][index].dependency = 0 }
      } == ["track 1, dependencies: of 12 samples is lost"])
    let cut = try changed { movie in
      movie.samples[0].removeSubrange(4..<6)
      movie.samples[0][4].units[0][4] = 9
    }
    #expect(cut.contains("track 1, samples 4 to 5: 2 samples is lost"), "\(cut)")
    // One picture of one layer.
    let bits = try changed { movie in
      let last = movie.samples[0][7].units.lastIndex { BrokenClip.type($0) < 32 } ?? 0
      movie.samples[0][7].units[last][20] ^= 0x10
    }
    #expect(bits == ["track 1, pictures of further layers in sample 7: as coded is now other contents"])
  }

  @Test func divisionsOfSamples() throws {
    func divided(_ rows: [UInt8]) throws -> [UInt8] {
      var movie = try Self.movie()
      movie.editTrack { $0.edit("mdia/minf/stbl") { $0.children.append(PlainBox("subs", rows)) } }
      return movie.encoded()
    }
    func entry(_ delta: UInt64, _ size: UInt64, wide: Bool) -> [UInt8] {
      PlainBox.bytes(delta, 4) + [0, 1] + PlainBox.bytes(size, wide ? 4 : 2) + [7, 0, 0, 0, 0, 0]
    }
    let narrow = try divided(
      [0, 0, 0, 0, 0, 0, 0, 2] + entry(2, 30, wide: false) + entry(5, 40, wide: false))
    let wide = try divided([1, 0, 0, 0, 0, 0, 0, 2] + entry(2, 30, wide: true) + entry(5, 40, wide: true))
    #expect(try differences(narrow, wide) == [])
    #expect(
      try differences(narrow, divided([0, 0, 0, 0, 0, 0, 0, 1] + entry(2, 30, wide: false))) == [
        "track 1, parts: of 1 sample is lost"
      ])
  }
}
