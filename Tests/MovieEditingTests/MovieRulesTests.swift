// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The checker of this package's tests finds what is broken, and nothing in movies that are whole.
@Suite struct MovieRulesTests {
  @Test(arguments: Fixtures.media.filter { !$0.hasSuffix(".hevc") }) func fixturesKeepTheRules(name: String) {
    // FFmpeg counts the tracks of this one from 1, and says 2 of a movie that has two.
    let known = name == "cmaf-hevc-sidx.mp4" ? ["mvhd: the next track is 2"] : []
    #expect(MovieRules(contents(Fixtures.path(name)) ?? []).breaches == known, "\(name)")
  }

  /// Where the four characters of a box are, the first time or a later one.
  private func place(_ type: String, _ bytes: [UInt8], _ number: Int = 0) throws -> Int {
    let code = Array(type.utf8)
    let found = bytes.indices.dropLast(3).filter { Array(bytes[$0..<($0 + 4)]) == code }
    return try #require(found.indices.contains(number) ? found[number] : nil, "\(type)")
  }

  /// Each change breaks what its line says, and is no breach that was there before.
  @Test(arguments: [
    ("ftyp", 4, "jpeg", "ftyp: the major brand is not in the list"),
    ("mvhd", 0, "free", "moov: 0 of mvhd"),
    ("mvhd", 100, "\0\0\0\u{1}", "mvhd: the next track is 1"),
    ("tkhd", 16, "\0\0\0\0", "trak: the ID 0"),
    ("hdlr", 0, "free", "mdia: 0 of hdlr"),
    ("stsd", 8, "\0\0\0\u{2}", "stsd: the number of entries"),
    ("stsd", 24, "\0\0\0\u{7}", "stsd: no such data reference"),
    ("stsz", 12, "\0\0\0\u{9}", "stsz: the number of rows"),
    ("stts", 8, "\0\0\0\u{9}", "stts: 9 rows in 8 bytes"),
    ("stts", 12, "\0\0\0\u{1}", "stts and stsz: the number of samples"),
    ("stco", 12, "\0\0\0\u{8}", "stco: a chunk is not in one mdat"),
    ("stco", 0, "free", "stbl: 0 of stco/co64"),
    ("stsc", 12, "\0\0\0\u{2}", "stsc: a chunk without a row"),
    ("stsc", 20, "\0\0\0\u{2}", "stsc: no such sample entry"),
    ("stri", 0, "free", "eyes: 0 of stri"),
    ("hvcC", 0, "free", "sample entry: 0 of hvcC"),
    ("hvcC", 0, "lhvC", "sample entry: 2 of lhvC"),
    ("mdat", -4, "\0\0\0\u{9}", "file: bytes that no box has"),
  ])
  func whatIsBrokenIsFound(type: String, offset: Int, bytes: String, breach: String) throws {
    var movie = contents(Fixtures.path("spatial.mov")) ?? []
    let whole = movie
    let at = try place(type, movie) + offset
    movie.replaceSubrange(at..<(at + 4), with: Array(bytes.utf8))
    #expect(MovieRules.newBreaches(movie, since: whole).contains(breach), "\(MovieRules(movie).breaches)")
    #expect(MovieRules.newBreaches(movie, since: movie) == [])
  }

  @Test func fragmentsAreLookedAt() throws {
    let whole = contents(Fixtures.path("two-views-fragmented.mp4")) ?? []
    func broken(_ type: String, _ offset: Int, _ bytes: [UInt8], of file: [UInt8]? = nil) throws -> [String] {
      var movie = file ?? whole
      let at = try place(type, movie) + offset
      movie.replaceSubrange(at..<(at + bytes.count), with: bytes)
      return MovieRules(movie).breaches
    }
    #expect(try broken("tfhd", 8, [0, 0, 0, 9]) == ["tfhd: a track without trex"])
    let placed = contents(Fixtures.path("cmaf-hevc-sidx.mp4"))
    #expect(try broken("trun", 12, [0, 9, 0, 0], of: placed).contains("trun: a run is not in one mdat"))
    #expect(try broken("trun", 8, [0, 0, 0, 99]).contains("trun: the number of rows"))
    #expect(try broken("mfhd", 0, Array("free".utf8)) == ["moof: 0 of mfhd"])
  }
}
