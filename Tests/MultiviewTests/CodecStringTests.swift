// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

/// The codec of a track as playlists and players name it.
@Suite struct CodecStringTests {
  /// A fixture whose first sample entry has another type, and another box in place of `fiel` or `pasp`.
  static func codecString(_ type: String, _ box: String, _ payload: [UInt8]) throws -> String? {
    let movie = try BadInputTests.movie("cmaf-hevc-sidx.mp4") { bytes in
      let entry = try BadInputTests.find("hvc1", in: bytes) - 4
      try BadInputTests.replace("hvcC", with: "free", in: &bytes)
      bytes.replaceSubrange((entry + 4)..<(entry + 8), with: Array(type.utf8))
      // The fields of `free` are nobody's; the box that counts is at their beginning.
      let place = entry + 86
      let size = bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
      let first = u32(UInt32(payload.count + 8)) + Array(box.utf8) + payload
      let rest = u32(UInt32(size - first.count)) + Array("free".utf8)
      bytes.replaceSubrange(place..<(place + first.count + 8), with: first + rest)
    }
    return movie.tracks.first?.codecString
  }

  /// Dolby Vision Streams Within the ISO Base Media File Format, 3.2: profile 20 and level 5 in 7 and 6 bits.
  @Test(arguments: ["dvcC", "dvvC", "dvwC"]) func dolbyVision(type: String) throws {
    let payload: [UInt8] = [1, 0, 20 << 1, 5 << 3 | 0b101] + [UInt8](repeating: 0, count: 20)
    #expect(try Self.codecString("dvh1", type, payload) == "dvh1.20.05")
  }

  /// Of an entry that any decoder of HEVC reads, the string is that of HEVC.
  @Test func dolbyVisionOverHEVC() throws {
    let payload: [UInt8] = [1, 0, 8 << 1, 5 << 3 | 0b101] + [UInt8](repeating: 0, count: 20)
    #expect(try Self.codecString("hvc1", "dvvC", payload) == "hvc1")
  }

  /// The examples of the AV1 binding: profile 0, level 3.0, main tier, 8 bits; profile 1, level 5.1, high tier, 10 bits.
  @Test func av1() throws {
    #expect(try Self.codecString("av01", "av1C", [0x81, 0x04, 0x0C, 0]) == "av01.0.04M.08")
    #expect(try Self.codecString("av01", "av1C", [0x81, 1 << 5 | 13, 0xC0, 0]) == "av01.1.13H.10")
  }

  /// AAC of MPEG-2 (0x67) has its profile in the type already; only 0x40 has an audio object type after it.
  @Test(arguments: [(UInt8(0x40), "mp4a.40.2"), (0x67, "mp4a.67"), (0x6B, "mp4a.6B")])
  func audio(objectType: UInt8, expected: String) throws {
    let movie = try BadInputTests.movie("cmaf-hevc-sidx.mp4") { bytes in
      // Of the descriptors the second begins after the box's header, version and flags, 5 bytes and 3: its type after 5.
      let place = try BadInputTests.find("esds", in: bytes) + 4 + 4 + 8 + 5
      try #require(bytes[place] == 0x40)
      bytes[place] = objectType
    }
    #expect(movie.tracks.compactMap(\.codecString).contains(expected))
  }

  /// Profile 2, level 1.0, 10 bits.
  @Test func vp9() throws {
    let payload: [UInt8] = [1, 0, 0, 0, 2, 10, 0xA0, 9, 16, 9, 0, 0]
    #expect(try Self.codecString("vp09", "vpcC", payload) == "vp09.02.10.10")
  }
}
