// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// Boxes that say where something is in the file, where the media data are written anew: nothing of them holds afterwards, and the movie
/// is refused. ISO/IEC 14496-12, 8.11.3
@Suite struct UnfollowedPlacesTests {
  private enum Place: CaseIterable {
    case gps, canon, itemsOfFile, itemsOfMovie, itemsOfTrack, itemsOfMetadata
  }

  /// Items, one of which is at a place of the file.
  private func items(_ construction: Int) -> PlainBox {
    // Version 1: offsets and lengths of 4 bytes, no base; one item with one extent.
    let location = PlainBox(
      "iloc",
      [1, 0, 0, 0, 0x44, 0] + PlainBox.bytes(1, 2) + PlainBox.bytes(1, 2)
        + PlainBox.bytes(UInt64(construction), 2) + PlainBox.bytes(0, 2) + PlainBox.bytes(1, 2)
        + PlainBox.bytes(0, 4) + PlainBox.bytes(8, 4))
    let handler = PlainBox(
      "hdlr", [0, 0, 0, 0] + PlainBox.bytes(0, 4) + Array("mp7t".utf8) + PlainBox.bytes(0, 13))
    let data = PlainBox("idat", [1, 2, 3, 4, 5, 6, 7, 8])
    return PlainBox("meta", [0, 0, 0, 0] + handler.bytes + location.bytes + data.bytes)
  }

  private func movie(_ name: String, _ place: Place, construction: Int = 0) throws -> MovieFile {
    var movie = try RemadeMovie(MovieFile(path: Fixtures.path(name)))
    switch place {
    case .gps: movie.moov.children.append(PlainBox("gps ", PlainBox.bytes(1, 8) + PlainBox.bytes(20, 4)))
    case .canon:
      let type: [UInt8] = [
        0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
      ]
      movie.moov.children.append(PlainBox("uuid", type + PlainBox("CTBO", PlainBox.bytes(0, 4)).bytes))
    case .itemsOfFile: movie.others.append(items(construction))
    case .itemsOfMovie: movie.moov.children.append(items(construction))
    case .itemsOfTrack: movie.editTracks { _, trak in trak.children.append(items(construction)) }
    case .itemsOfMetadata:
      movie.editTrack { $0.children.append(PlainBox("udta", [], [items(construction)])) }
    }
    return try MovieFile(bytes: movie.encoded())
  }

  private func conversions(_ movie: MovieFile) throws -> [(String, () throws -> Void)] {
    let other = try MovieFile(path: Fixtures.path("spatial.mov"))
    return [
      (
        "trim",
        {
          var trimmer = try MovieTrimmer(movie)
          trimmer.end = .picture(2)
          _ = try trimmer.plannedMovie()
        }
      ), ("join", { _ = try MovieJoiner([movie, other]).plannedMovie() }),
      ("strip", { _ = try MovieStripper(movie).plannedMovie() }),
      ("split", { _ = try MovieSplitter(movie).plannedMovie() }),
      ("fragment", { _ = try MovieFragmenter(movie).plannedReport() }),
      (
        "package",
        {
          let folder = try TemporaryFolder()
          _ = try MoviePackager([movie]).write(to: folder.path + "/stream")
        }
      ),
    ]
  }

  @Test func moviesWithPlacesAreRefused() throws {
    for place in Place.allCases {
      let movie = try movie("spatial.mov", place)
      for (name, convert) in try conversions(movie) {
        do {
          try convert()
          Issue.record("\(name) of a movie with \(place) was done")
        } catch let error as EditError {
          #expect(
            error.kind == .refused && (error.reason.contains("positions") || error.reason.contains("where")),
            "\(name), \(place): \(error)")
        }
      }
    }
  }

  /// What a new movie takes over from others is not at its old place in it either.
  @Test(arguments: [0, 1]) func placesAreNotMuxed(construction: Int) throws {
    func muxed(_ name: String, _ place: Place, isSound: Bool = false) throws {
      var options = MuxOptions()
      options.frameRate = FrameRate(30)
      var muxer = StreamMuxer(source: MemoryBytes(Fixtures.bytes("two-views.hevc")), options: options)
      let movie = try self.movie(name, place, construction: construction)
      if isSound { muxer.soundSource = movie } else { muxer.metadataSource = movie }
      _ = try muxer.draftMovie()
    }
    for (name, place, isSound) in [
      ("spatial.mov", .itemsOfMovie, false), ("timed-metadata.mov", .itemsOfTrack, false),
      ("timed-metadata.mov", .itemsOfMetadata, false), ("edit-list-trim.mp4", .itemsOfTrack, true),
    ] as [(String, Place, Bool)] {
      do {
        try muxed(name, place, isSound: isSound)
        #expect(construction == 1, "\(name) with \(place) was muxed")
      } catch let error as EditError {
        #expect(
          construction == 0 && error.kind == .refused && error.reason.contains("positions"),
          "\(name): \(error)"
        )
      }
    }
    // What is not taken over does not matter.
    try muxed("spatial.mov", .itemsOfTrack)
    try muxed("edit-list-trim.mp4", .itemsOfMovie, isSound: true)
  }

  /// Data that are in the box itself move with it.
  @Test func itemsInTheirOwnBoxAreCopied() throws {
    for place in [Place.itemsOfFile, .itemsOfMovie, .itemsOfTrack] {
      let movie = try movie("spatial.mov", place, construction: 1)
      for (_, convert) in try conversions(movie) { try convert() }
      let flat = try MovieStripper(movie).plannedMovie()
      #expect(flat.tree?.boxes.contains { $0.type == "meta" } == (place == .itemsOfFile))
    }
  }

  /// Of a movie that is not the first only tracks are taken: what else is in it is left there.
  @Test func placesOfLaterMoviesDoNotMatter() throws {
    let first = try MovieFile(path: Fixtures.path("spatial.mov"))
    for place in [Place.gps, .canon, .itemsOfFile, .itemsOfMovie] {
      let joined = try MovieJoiner([first, movie("spatial.mov", place)]).plannedMovie()
      #expect(joined.tracks.count == 1 && joined.tracks[0].sampleCount == 8)
    }
  }
}
