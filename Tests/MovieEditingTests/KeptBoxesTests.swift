// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// What is kept of boxes that were not asked to change, and what goes with the layers that go.
@Suite struct KeptBoxesTests {
  private func movie(_ name: String, _ change: (inout RemadeMovie) -> Void) throws -> MovieFile {
    var movie = try RemadeMovie(MovieFile(path: Fixtures.path(name)))
    change(&movie)
    return try MovieFile(bytes: movie.encoded())
  }

  private func plain(_ movie: MovieFile) throws -> [PlainBox] {
    PlainBox.boxes(try movie.source.read(at: 0, count: Int(movie.source.size ?? 0)).array[...])
  }

  private func moov(_ movie: MovieFile) throws -> PlainBox {
    try #require(try plain(movie).first { $0.type == "moov" })
  }

  private func full(_ type: String, _ words: [UInt64]) -> PlainBox {
    PlainBox(type, words.flatMap { PlainBox.bytes($0, 4) })
  }

  private func code(_ text: String) -> UInt64 { PlainBox.number(Array(text.utf8)[...]) }

  // MARK: Stripping

  /// The sync samples of the flat track are of the type that their own pictures have. ISO/IEC 14496-15, 8.4.4
  @Test func syncGroupsAreOfTheBaseLayer() throws {
    let movie = try movie("spatial.mov") { movie in
      movie.editTrack { trak in
        trak.edit("mdia/minf/stbl") { stbl in
          stbl.children.append(
            PlainBox("sgpd", full("", [1 << 24, code("sync"), 1, 1]).fields + [21]))
          stbl.children.append(full("sbgp", [0, code("sync"), 2, 1, 1, 3, 0]))
        }
      }
    }
    let type = try #require(try RemadeMovie(movie).samples[0][0].units.first { $0[0] >> 1 < 32 })[0] >> 1
    #expect(type == 19 || type == 20)
    let flat = try moov(MovieStripper(movie).plannedMovie())
    let table = try #require(flat["trak/mdia/minf/stbl"]).children.filter { $0.type == "sgpd" }
    #expect(table.map { $0.fields.last } == [type])
    let groups = try #require(flat["trak/mdia/minf/stbl"]).children.filter { $0.type == "sbgp" }
    #expect(groups == [full("sbgp", [0, code("sync"), 2, 1, 1, 3, 0])])
  }

  /// The rates of bits are those of what is left.
  @Test func bitRatesAreThoseOfTheBaseLayer() throws {
    let movie = try movie("spatial.mov") { movie in
      movie.editEntry { entry in
        entry.children.removeAll { $0.type == "btrt" }
        entry.children.append(full("btrt", [5_696, 525_600, 525_600]))
      }
    }
    let flat = try MovieStripper(movie).plannedMovie()
    let bytes = try RemadeMovie(flat).samples[0].reduce(0) { $0 + $1.bytes.count }
    let entry = try #require(try moov(flat)["trak/mdia/minf/stbl/stsd"]).children[0]
    for rates in entry.children where rates.type == "btrt" {
      // 4 samples of 1/30 s.
      #expect(PlainBox.number(rates.fields[8..<12]) == UInt64(bytes * 8 * 30 / 4))
    }
  }

  /// Groups of tracks that have to do with eyes go, and others stay.
  @Test func otherGroupsOfTracksStay() throws {
    let movie = try movie("spatial.mov") { movie in
      movie.editTrack { trak in
        trak.children.append(
          PlainBox("trgr", [], ["msrc", "ster", "cstg"].map { full($0, [0, 9]) }))
      }
    }
    let flat = try moov(MovieStripper(movie).plannedMovie())
    #expect(flat["trak/trgr"]?.fields == full("msrc", [0, 9]).bytes)
  }

  /// How large parts of samples are would not hold any more.
  @Test func partsOfSamplesAreNotLostSilently() throws {
    let movie = try movie("spatial.mov") { movie in
      movie.editTrack { trak in
        trak.edit("mdia/minf/stbl") { stbl in
          stbl.children.append(
            PlainBox(
              "subs",
              [0, 0, 0, 0] + PlainBox.bytes(1, 4) + PlainBox.bytes(1, 4) + [0, 1, 0, 5, 0, 0, 0, 0, 0, 0]))
        }
      }
    }
    #expect(throws: EditError.self) { try MovieStripper(movie).plannedMovie() }
  }

  /// A box that is required must be there. (Apple Spatial and Immersive Media, 1.9.8)
  @Test(arguments: [["eyes"], ["eyes", "proj"], ["proj"]])
  func requiredBoxesAreThere(required: [String]) throws {
    let movie = try movie("half-equirect-180.mov") { movie in
      movie.editEntry { entry in
        entry.edit("vexu") { vexu in
          vexu.children.insert(PlainBox("must", [0, 0, 0, 0] + required.flatMap { Array($0.utf8) }), at: 0)
        }
      }
    }
    var stripper = try MovieStripper(movie)
    stripper.keepsCameraTags = true
    let entry = try #require(try moov(stripper.plannedMovie())["trak/mdia/minf/stbl/stsd"]).children[0]
    let vexu = try #require(entry["vexu"])
    #expect(vexu["proj"] != nil && vexu["eyes"] == nil)
    let left = required.filter { $0 != "eyes" }
    let wanted: [UInt8]? = left.isEmpty ? nil : [0, 0, 0, 0] + left.flatMap { Array($0.utf8) }
    #expect(vexu["must"]?.fields == wanted)
  }

  // MARK: Tracks

  /// A track without samples, and one that presents nothing, are among those that nobody asked to change.
  @Test func tracksWithoutSamplesStay() throws {
    func withOthers(_ name: String) throws -> MovieFile {
      var movie = try RemadeMovie(MovieFile(path: Fixtures.path(name)))
      let count = movie.samples.count
      var number: UInt64 = 40
      for isEmpty in [true, false] {
        var trak = try #require(movie.moov.children.first { $0.type == "trak" })
        trak.patch("tkhd", at: 12, number)
        trak.children.removeAll { $0.type == "edts" || $0.type == "tref" }
        if !isEmpty {
          // Nothing is presented for as long as all of it lasts.
          trak.children.insert(
            PlainBox("edts", [], [full("elst", [0, 1, 80, 0xFFFF_FFFF, 1 << 16])]), at: 1)
        }
        movie.moov.children.append(trak)
        movie.samples.append(isEmpty ? [] : Array(movie.samples[0].prefix(2)))
        number += 1
      }
      #expect(movie.samples.count == count + 2)
      return try MovieFile(bytes: movie.encoded())
    }
    let movie = try withOthers("spatial.mov")
    let old = movie.tracks.map(\.id)
    for (made, added) in [
      (try MovieStripper(movie).plannedMovie(), 0), (try MovieSplitter(movie).plannedMovie(), 1),
    ] {
      #expect(made.tracks.map(\.id).filter(old.contains) == old && made.tracks.count == old.count + added)
      for id: UInt32 in [40, 41] {
        let (before, after) = (
          movie.tracks.first { $0.id == id }, made.tracks.first { $0.id == id }
        )
        #expect(before?.sampleCount == after?.sampleCount)
        #expect(before?.box?.first("edts")?.bytes == after?.box?.first("edts")?.bytes)
      }
    }
    let merged = try MovieMerger(withOthers("two-tracks-lhv1.mp4")).plannedMovie()
    #expect(merged.tracks.map(\.id) == [1, 40, 41] && merged.tracks[2].sampleCount == 2)
  }

  // MARK: The file

  /// A part of a movie, its base layer, and the movie twice.
  private static func composed(_ movie: MovieFile) throws -> [MovieFile] {
    var trimmer = try MovieTrimmer(movie)
    trimmer.end = .picture(3)
    return [
      try trimmer.plannedMovie(), try MovieStripper(movie).plannedMovie(),
      try MovieJoiner([movie, movie]).plannedMovie(),
    ]
  }

  /// What follows the last box is copied, as an edit of tags copies it.
  @Test func bytesAfterTheLastBoxStay() throws {
    let old = contents(Fixtures.path("spatial.mov")) ?? []
    let rest: [UInt8] = [1, 2, 3, 4, 5]
    let movie = try MovieFile(bytes: old + rest)
    for made in try Self.composed(movie) {
      let bytes = try made.source.read(at: 0, count: Int(made.source.size ?? 0)).array
      #expect(Array(bytes.suffix(5)) == rest)
      #expect(PlainBox.boxes(bytes.dropLast(5)).reduce(0) { $0 + $1.bytes.count } == bytes.count - 5)
    }
  }

  /// The last box may extend to the end of the file (14496-12, 4.2.2). What is written after it must not become a part of it.
  @Test func aBoxToTheEndOfTheFileGetsItsSize() throws {
    let old = contents(Fixtures.path("spatial.mov")) ?? []
    let body = Array("uuid".utf8) + Array(0..<16) + Array("kept".utf8)
    var trimmer = try MovieTrimmer(MovieFile(bytes: old + [0, 0, 0, 0] + body))
    trimmer.end = .picture(3)
    let made = try trimmer.plannedMovie()
    #expect(made.tracks.first?.sampleCount == 3)
    let bytes = try made.source.read(at: 0, count: Int(made.source.size ?? 0)).array
    let kept = PlainBox.boxes(bytes[...]).filter { $0.type == "uuid" }
    #expect(kept.map { Array($0.bytes) } == [[0, 0, 0, 28] + body])
  }

  /// One that says that it is longer than the file would swallow what is written after it.
  @Test func aBoxBeyondTheEndOfTheFileIsRefused() throws {
    let old = contents(Fixtures.path("spatial.mov")) ?? []
    let movie = try MovieFile(bytes: old + [0, 0, 0x13, 0x88] + Array("metacut".utf8))
    var trimmer = try MovieTrimmer(movie)
    trimmer.end = .picture(3)
    #expect {
      try trimmer.plannedMovie()
    } throws: {
      ($0 as? EditError)?.kind == .unreadable && "\($0)".contains("meta at byte \(old.count) is cut off")
    }
  }

  /// Cameras append data of their own, which readers look for from the end of the file: Samsung a box that ends with `SEFT`,
  /// others bytes that look like the beginning of a box that is cut off.
  @Test(arguments: [
    [0, 0, 0, 24] + Array("sefd".utf8) + Array(0..<12) + Array("SEFT".utf8),
    [0x10, 0x27, 0, 0, 0, 0, 0, 0] + Array(0..<40), [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF".utf8),
  ])
  func whatCamerasAppendStaysAtTheEnd(trailer: [UInt8]) throws {
    let old = contents(Fixtures.path("spatial.mov")) ?? []
    let movie = try MovieFile(bytes: old + trailer)
    for made in try Self.composed(movie) {
      let bytes = try made.source.read(at: 0, count: Int(made.source.size ?? 0)).array
      #expect(Array(bytes.suffix(trailer.count)) == trailer)
      let types = PlainBox.boxes(bytes.dropLast(trailer.count)).map(\.type)
      #expect(types.contains("moov") && types.contains("mdat") && !types.contains("sefd"))
    }
  }

  // MARK: Composition offsets

  /// Offsets without a sign cannot be below 0: readers that follow the standard present such pictures many hours later.
  /// ISO/IEC 14496-12, 8.6.1.3
  @Test func offsetsBelowZeroHaveASign() throws {
    func made(_ layout: RemadeMovie.Layout.Offsets, isQuickTime: Bool) throws -> MovieFile {
      var movie = try RemadeMovie(MovieFile(path: Fixtures.path("metadata-keys.mov")))
      movie.dropOtherTracks()
      movie.editTrack { $0.children.removeAll { $0.type == "edts" || $0.type == "tref" } }
      let most = movie.samples[0].map(\.offset).max() ?? 0
      for index in movie.samples[0].indices where layout != .none {
        movie.samples[0][index].offset -= most / 2
      }
      if !isQuickTime { movie.fileType = Array("isom".utf8) + [0, 0, 2, 0] + Array("isom".utf8) }
      var written = RemadeMovie.Layout()
      written.offsets = layout
      return try MovieFile(bytes: movie.encoded(written))
    }
    for isQuickTime in [false, true] {
      let unsigned = try made(.shifted, isQuickTime: isQuickTime)
      let signed = try made(.signed, isQuickTime: isQuickTime)
      for movies in [[unsigned, signed], [signed, unsigned], [unsigned, signed, unsigned]] {
        let joined = try MovieJoiner(movies).plannedMovie()
        let table = try #require(try moov(joined)["trak/mdia/minf/stbl"])
        let offsets = try #require(table["ctts"])
        let values = stride(from: 12, to: offsets.fields.count, by: 8).map {
          Int32(truncatingIfNeeded: PlainBox.number(offsets.fields[$0..<($0 + 4)]))
        }
        let isBelowZero = values.contains { $0 < 0 }
        #expect(isBelowZero, "the movie has been made so")
        let isSigned = offsets.fields[0] == 1
        #expect(isSigned || isQuickTime, "version 0 of an MP4 file with offsets below 0")
        // QuickTime has offsets with a sign in version 0, and a box that says how low they are.
        if !isSigned { #expect(table["cslg"] != nil) }
      }
    }
  }
}
