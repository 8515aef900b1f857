// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import Foundation
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// What is between two movies that become one.
@Suite struct SpliceTests {
  private func fixture(_ name: String) throws -> MovieFile { try MovieFile(path: Fixtures.path(name)) }

  private func samples(_ movie: MovieFile) throws -> [[UInt8]] {
    let track = try #require(movie.mainVideoTrack)
    return try Array(track.samples()).map { try movie.source.read($0.range).array }
  }

  /// The NAL units of a sample, with lengths of four bytes: where each begins, and its type.
  private func units(_ sample: [UInt8]) -> [(start: Int, type: UInt8)] {
    var found: [(Int, UInt8)] = []
    var place = 0
    while place + 4 < sample.count {
      found.append((place + 4, sample[place + 4] >> 1 & 63))
      place += 4 + Int(PlainBox.number(sample[place..<(place + 4)]))
    }
    return found
  }

  /// A CRA picture (21) after other pictures becomes a BLA picture (16), and is otherwise the same; the sample before it stays as it was, for
  /// after an end of sequence (36) pictures that are not shown yet are lost. ISO/IEC 23008-2, C.5.2.2
  @Test func randomAccessPicturesBecomeBrokenLinks() throws {
    let movie = try fixture("cmaf-hevc-sidx.mp4")
    var trimmer = try MovieTrimmer(movie)
    // The second sync sample, and the pictures that lead up to it are cut off.
    trimmer.start = .picture(15)
    let part = try trimmer.plannedMovie()
    let (first, second) = (try samples(movie), try samples(part))
    #expect(units(second[0]).contains { $0.type == 21 })
    let made = try samples(MovieJoiner([movie, part, movie]).plannedMovie())
    #expect(made.count == 2 * first.count + second.count)
    #expect(Array(made[..<first.count]) == first)
    #expect(Array(made[(first.count + 1)..<(first.count + second.count)]) == Array(second[1...]))
    // An IDR picture begins anew by itself.
    #expect(Array(made[(first.count + second.count)...]) == first)
    var wanted = second[0]
    for unit in units(wanted) where unit.type == 21 { wanted[unit.start] = 16 << 1 }
    #expect(made[first.count] == wanted && wanted != second[0])
  }

  /// FFmpeg shows all pictures before and after the splice.
  @Test(.enabled(if: VideoDecoder.installed != nil)) func decodersLoseNoPictures() throws {
    let decoder = try #require(VideoDecoder.installed)
    let folder = try TemporaryFolder()
    let movie = try fixture("cmaf-hevc-sidx.mp4")
    var trimmer = try MovieTrimmer(movie)
    trimmer.start = .picture(15)
    try trimmer.write(to: folder.path + "/part.mp4")
    let part = try MovieFile(path: folder.path + "/part.mp4")
    try MovieJoiner([movie, part]).write(to: folder.path + "/joined.mp4")
    let joined = try MovieFile(path: folder.path + "/joined.mp4")
    var stream: [UInt8] = []
    let track = try #require(joined.mainVideoTrack)
    _ = try track.extract(layers: [0]) { piece in
      stream += piece
      return true
    }
    try Data(stream).write(to: URL(fileURLWithPath: folder.path + "/joined.hevc"))
    let found = decoder.pictures(of: folder.path + "/joined.hevc", view: 0)
    // What leads up to the CRA picture cannot be decoded after it.
    let leading = try samples(part)[1...].prefix { !units($0).contains { $0.type >= 16 && $0.type <= 21 } }
    let lost = leading.count { units($0).contains { $0.type == 8 || $0.type == 9 } }
    #expect(lost > 0)
    #expect(try found.count == samples(joined).count - lost)
  }

  /// An edit that reaches beyond the media of its movie does not reach into those of the next.
  @Test(arguments: [40, 400, 20_000]) func editsKeepToTheirMovie(beyond: UInt64) throws {
    var remade = try RemadeMovie(fixture("metadata-keys.mov"))
    remade.editTracks { _, trak in
      trak.edit("edts/elst") { list in
        let length = PlainBox.number(list.fields[8..<12]) + beyond
        list.fields.replaceSubrange(8..<12, with: PlainBox.bytes(length, 4))
      }
    }
    let movie = try MovieFile(bytes: remade.encoded())
    let joiner = try MovieJoiner([movie, movie])
    let made = try joiner.plannedMovie()
    let splice = try joiner.plannedReport().parts[1].seconds
    for track in made.tracks where track.mediaType == .video || track.mediaType == .audio {
      let shown = try ShownSamples(track, of: made).spans
      let half = try ShownSamples(#require(movie.tracks.first { $0.id == track.id }), of: movie).spans
      let before = shown.filter { $0.start < splice - 1e-6 }
      #expect(before.map(\.bytes) == half.map(\.bytes), "track \(track.id)")
      #expect(shown.count == 2 * half.count, "track \(track.id)")
    }
  }
}
