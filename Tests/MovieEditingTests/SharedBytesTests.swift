// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// Tracks that refer to the same bytes, of which one is changed.
@Suite struct SharedBytesTests {
  /// A movie of two layers whose track is there a second time, with the same samples.
  private func twins(_ name: String) throws -> (movie: MovieFile, samples: [RemadeMovie.Sample]) {
    var movie = try RemadeMovie(MovieFile(path: Fixtures.path(name)))
    movie.dropOtherTracks()
    // Units of the base layer before and after those of the other: what is kept of a sample has gaps. A delimiter, a set of layer 1,
    // and a message after the pictures.
    for index in movie.samples[0].indices {
      let units = movie.samples[0][index].units
      movie.samples[0][index].units =
        [[35 << 1, 1, 0x50], [33 << 1, 9, 1, 2, 3]] + units + [[40 << 1, 1, 5, 0, 0x80]]
    }
    let whole = movie.encoded()
    let boxes = PlainBox.boxes(whole[...])
    var moov = try #require(boxes.first { $0.type == "moov" })
    var second = try #require(moov.children.first { $0.type == "trak" })
    second.patch("tkhd", at: 12, 7)
    moov.children.append(second)
    let both = boxes.flatMap { $0.type == "moov" ? moov.bytes : $0.bytes }
    return (try MovieFile(bytes: both), movie.samples[0])
  }

  /// The units of the base layer: all that precede its last picture and are its own.
  private func baseUnits(_ sample: RemadeMovie.Sample) -> [[UInt8]] {
    let units = sample.units.filter { ($0[0] & 1) << 5 | $0[1] >> 3 == 0 }
    let last = units.lastIndex { $0[0] >> 1 < 32 } ?? -1
    return units.enumerated().filter { index, unit in
      if unit[0] >> 1 == 39, [176, 178, 179, 180].contains(unit[2]) { return false }
      return index <= last || ![32, 33, 34, 35, 39].contains(unit[0] >> 1)
    }.map(\.element)
  }

  @Test(arguments: ["spatial.mov", "half-equirect-180.mov"])
  func strippingOneOfTwoTracksKeepsBoth(name: String) throws {
    let (movie, samples) = try twins(name)
    let flat = try MovieStripper(movie).plannedMovie()
    let made = try RemadeMovie(flat)
    #expect(made.samples.count == 2)
    #expect(made.samples[0].map(\.units) == samples.map(baseUnits))
    #expect(made.samples[1].map(\.bytes) == samples.map(\.bytes))
    // Bytes that both have as they are need not be there twice.
    let most = samples.reduce(0) { $0 + 2 * $1.bytes.count }
    let media = try #require(flat.tree?.first("mdat"))
    #expect(media.size < most)
  }

  @Test func layersThatAreTakenApartKeepTheOtherTrack() throws {
    let (movie, samples) = try twins("spatial.mov")
    let split = try MovieSplitter(movie).plannedMovie()
    let made = try RemadeMovie(split)
    #expect(made.samples.count == 3)
    #expect(zip(made.samples[0], made.samples[1]).map { $0.bytes + $1.bytes } == samples.map(\.bytes))
    #expect(made.samples[2].map(\.bytes) == samples.map(\.bytes))
  }

  /// Two movies of which one is the other with more tracks: what is stripped of one piece is not of the other.
  @Test func flatAndWholeMoviesAreJoined() throws {
    let (movie, samples) = try twins("spatial.mov")
    let flat = try MovieStripper(movie).plannedMovie()
    let made = try RemadeMovie(MovieJoiner([flat, movie]).plannedMovie())
    #expect(made.samples[0].map(\.units) == samples.map(baseUnits) + samples.map(\.units))
    #expect(made.samples[1].map(\.bytes) == samples.map(\.bytes) + samples.map(\.bytes))
  }
}
