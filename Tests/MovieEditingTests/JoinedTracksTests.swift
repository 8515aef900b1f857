// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// Which tracks of movies become one, and what is said of those that do not.
@Suite struct JoinedTracksTests {
  private func remade(_ name: String) throws -> RemadeMovie {
    try RemadeMovie(MovieFile(path: Fixtures.path(name)))
  }

  private func movie(_ name: String, _ change: (inout RemadeMovie) -> Void) throws -> MovieFile {
    var movie = try remade(name)
    change(&movie)
    return try MovieFile(bytes: movie.encoded())
  }

  /// A language as `mdhd` has it, in three letters of five bits.
  private func language(_ code: String) -> UInt64 {
    code.utf8.reduce(0) { $0 << 5 | UInt64($1 - 0x60) }
  }

  private func setLanguage(_ movie: inout RemadeMovie, track: Int, _ code: String) {
    movie.editTracks { index, trak in
      if index == track { trak.patch("mdia/mdhd", at: 20, language(code), width: 2) }
    }
  }

  private func plain(_ movie: MovieFile) throws -> [PlainBox] {
    PlainBox.boxes(try movie.source.read(at: 0, count: Int(movie.source.size ?? 0)).array[...])
  }

  // MARK: Video

  /// Another codec's video of the same movie, such as a thumbnail, does not take the place of the video that goes on.
  @Test func videoThatGoesOnComesBeforeOtherVideo() throws {
    let plain = try movie("metadata-keys.mov") { $0.dropOtherTracks() }
    let both = try movie("metadata-keys.mov") { movie in
      movie.dropOtherTracks()
      guard var other = movie.moov.children.first(where: { $0.type == "trak" }) else { return }
      other.patch("tkhd", at: 12, 99)
      other.edit("mdia/minf/stbl/stsd") { $0.children = [PlainBox("jpeg", Array($0.children[0].fields))] }
      other.children.removeAll { $0.type == "tref" || $0.type == "edts" }
      let place = movie.moov.children.firstIndex { $0.type == "trak" } ?? 0
      movie.moov.children.insert(other, at: place)
      var picture = movie.samples[0][0]
      picture.duration = 1_200
      movie.samples.insert([picture], at: 0)
    }
    let made = try MovieJoiner([plain, both]).plannedMovie()
    #expect(made.tracks.map(\.sampleCount) == [120, 1])
    #expect(made.tracks.map(\.codec) == ["avc1", "jpeg"])
  }

  @Test func ofOneCodecWithTwoNamesTheReasonIsTheName() throws {
    let other = try movie("metadata-keys.mov") { $0.editEntry { $0.type = "avc3" } }
    let first = try MovieFile(path: Fixtures.path("metadata-keys.mov"))
    #expect {
      try MovieJoiner([first, other]).plannedMovie()
    } throws: {
      "\(($0 as? EditError)?.advice.description ?? "")".contains(
        "Only the types of their sample entries differ")
    }
  }

  /// 16 is PQ in `transfer_characteristics` of `colr`. ISO/IEC 23091-2, 8.2
  @Test func pictureRangesAreCompared() throws {
    func colours(_ transfer: UInt8) throws -> MovieFile {
      try movie("metadata-keys.mov") { movie in
        movie.editEntry { entry in
          entry.children.removeAll { $0.type == "colr" }
          entry.children.append(
            PlainBox("colr", Array("nclx".utf8) + [0, 9, 0, transfer, 0, 9, 0]))
        }
      }
    }
    let notices = try MovieJoiner([colours(1), colours(16)]).plannedReport().notices
    #expect(
      notices.contains { $0.message.contains("its pictures are PQ, but those of the previous movie are SDR") }
    )
    let same = try MovieJoiner([colours(1), colours(1)]).plannedReport().notices
    #expect(!same.contains { $0.kind == "spatialDifference" })
  }

  /// Edits of MP4 have no speed. ISO/IEC 14496-12, 8.6.6
  @Test func slowMotionOfQuickTimeDoesNotBecomeAnEditOfMP4() throws {
    let slow = try movie("metadata-keys.mov") { movie in
      movie.dropOtherTracks()
      movie.editTrack { trak in
        trak.remove(["tref"], in: "")
        trak.edit("edts/elst") { $0.fields.replaceSubrange(16..<20, with: [0, 0, 0x80, 0]) }
      }
    }
    var plain = try remade("metadata-keys.mov")
    plain.dropOtherTracks()
    plain.editTrack { $0.remove(["tref"], in: "") }
    plain.fileType = Array("isom".utf8) + [0, 0, 2, 0] + Array("isom".utf8)
    let mp4 = try MovieFile(bytes: plain.encoded())
    #expect {
      try MovieJoiner([mp4, slow]).plannedMovie()
    } throws: {
      ($0 as? EditError)?.reason.contains("an MP4 edit list cannot change the playback speed") == true
    }
    #expect(try MovieJoiner([slow, slow]).plannedMovie().tracks.count == 1)
  }

  // MARK: The length of the sound

  /// iTunes counts the samples of sound that players leave out at both ends of a file: of another file they are not true.
  @Test func gaplessSoundIsNotPromisedOfParts() throws {
    let movie = try movie("metadata-keys.mov") { movie in
      func text(_ type: String, _ text: String) -> PlainBox {
        PlainBox(type, [0, 0, 0, 0] + Array(text.utf8))
      }
      let data = PlainBox("data", [0, 0, 0, 1, 0, 0, 0, 0] + Array(" 00000000 00000840 000001C0".utf8))
      let items = ["iTunSMPB", "iTunNORM"].map {
        PlainBox("----", [], [text("mean", "com.apple.iTunes"), text("name", $0), data])
      }
      let handler = PlainBox(
        "hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array("mdirappl".utf8) + [UInt8](repeating: 0, count: 9))
      movie.moov.children.append(
        PlainBox("udta", [], [PlainBox("meta", [0, 0, 0, 0], [handler, PlainBox("ilst", [], items)])]))
    }
    func kept(_ movie: MovieFile) throws -> [Bool] {
      let bytes = String(decoding: try plain(movie).flatMap(\.bytes), as: UTF8.self)
      return [bytes.contains("iTunSMPB"), bytes.contains("iTunNORM")]
    }
    #expect(try kept(movie) == [true, true])
    var trimmer = try MovieTrimmer(movie)
    #expect(try kept(trimmer.plannedMovie()) == [true, true])
    trimmer.end = .picture(20)
    #expect(try kept(trimmer.plannedMovie()) == [false, true])
    #expect(try trimmer.plannedReport().notices.contains { $0.message.contains("iTunSMPB") })
    let joiner = try MovieJoiner([movie, movie])
    #expect(try kept(joiner.plannedMovie()) == [false, true])
    #expect(try joiner.plannedReport().notices.contains { $0.message.contains("iTunSMPB") })
  }

  // MARK: Languages and formats

  @Test func picturesHaveNoLanguage() throws {
    let english = try movie("metadata-keys.mov") { setLanguage(&$0, track: 0, "eng") }
    let japanese = try movie("metadata-keys.mov") { setLanguage(&$0, track: 0, "jpn") }
    let joiner = try MovieJoiner([english, japanese])
    let made = try joiner.plannedMovie()
    #expect(made.tracks.count { $0.mediaType == .video } == 1)
    #expect(made.mainVideoTrack?.sampleCount == 120)
  }

  @Test func soundInAnotherLanguageIsReported() throws {
    let english = try movie("metadata-keys.mov") { setLanguage(&$0, track: 1, "eng") }
    let japanese = try movie("metadata-keys.mov") { setLanguage(&$0, track: 1, "jpn") }
    let report = try MovieJoiner([english, japanese, english]).plannedReport()
    #expect(report.tracks.count { $0.mediaType == .audio } == 2)
    let notices = report.notices.filter { $0.kind == "soundApart" }
    #expect(notices.count == 1)
    let message = notices.first?.message ?? ""
    #expect(message.contains("jpn") && message.contains("eng"), "\(message)")
    // Nothing is said where all sound is in one track.
    let same = try MovieJoiner([english, english]).plannedReport()
    #expect(!same.notices.contains { $0.kind == "soundApart" || $0.kind == "soundDifference" })
  }

  @Test func soundOfAnotherFormatIsReported() throws {
    let stereo = try movie("metadata-keys.mov") { movie in
      movie.editTracks { index, trak in
        guard index == 1 else { return }
        // The configuration of the decoder has the channels in 4 bits after 5 of the kind and 4 of the rate: AAC-LC, 48 kHz,
        // stereo where it was mono. ISO/IEC 14496-3, 1.6.2.1
        func makeStereo(_ box: inout PlainBox) {
          let mono: [UInt8] = [0x05, 0x80, 0x80, 0x80, 0x05, 0x11, 0x88]
          if let range = box.fields.firstRange(of: mono) { box.fields[range.upperBound - 1] = 0x90 }
          for index in box.children.indices { makeStereo(&box.children[index]) }
        }
        makeStereo(&trak)
      }
    }
    let mono = try movie("metadata-keys.mov") { _ in }
    let report = try MovieJoiner([mono, stereo]).plannedReport()
    let notices = report.notices.filter { $0.kind == "soundDifference" }
    #expect(notices.count == 1 && notices.first?.message.contains("channels") == true, "\(notices)")
    #expect(report.tracks.count { $0.mediaType == .audio } == 1)
    let same = try MovieJoiner([mono, mono]).plannedReport()
    #expect(!same.notices.contains { $0.kind == "soundDifference" })
  }

  // MARK: References

  /// Chapters of any of the movies are those of the new one.
  @Test(arguments: [[false, true], [true, false], [true, true], [false, true, true]])
  func chaptersOfLaterMoviesAreFound(haveChapters: [Bool]) throws {
    let movies = try haveChapters.map { hasChapters in
      try movie("metadata-keys.mov") { movie in
        guard !hasChapters else { return }
        movie.editTracks { _, trak in trak.children.removeAll { $0.type == "tref" } }
        movie.moov.children.removeLast(where: { $0.type == "trak" })
        movie.samples.removeLast()
      }
    }
    let made = try MovieJoiner(movies).plannedMovie()
    let moov = try #require(try plain(made).first { $0.type == "moov" })
    let traks = moov.children.filter { $0.type == "trak" }
    func id(_ trak: PlainBox) -> UInt64 { PlainBox.number((trak["tkhd"]?.fields ?? [])[12..<16]) }
    let text = try #require(traks.first { $0["mdia/minf/gmhd"] != nil })
    for trak in traks.dropLast() {
      let tref = trak.children.filter { $0.type == "tref" }
      #expect(tref.map(\.fields) == [PlainBox("chap", PlainBox.bytes(id(text), 4)).bytes], "\(haveChapters)")
    }
  }

  /// Chapters in a list are those of all movies, at their times, also where the first one has none.
  @Test func listsOfChaptersAreJoined() throws {
    func list(_ chapters: [(seconds: UInt64, name: String)]) -> PlainBox {
      let rows = chapters.flatMap {
        PlainBox.bytes($0.seconds * 10_000_000, 8) + [UInt8($0.name.utf8.count)] + Array($0.name.utf8)
      }
      return PlainBox(
        "udta", [],
        [PlainBox("chpl", [1, 0, 0, 0, 0, 0, 0, 0, UInt8(chapters.count)] + rows)])
    }
    func movie(_ chapters: [(seconds: UInt64, name: String)]?) throws -> MovieFile {
      try self.movie("metadata-keys.mov") { movie in
        movie.moov.children.removeAll { $0.type == "udta" }
        if let chapters { movie.moov.children.append(list(chapters)) }
      }
    }
    let first = try movie(nil), second = try movie([(0, "one"), (1, "two")])
    for movies in [[first, second], [second, first], [second, second]] {
      let made = try MovieJoiner(movies).plannedMovie()
      let box = try #require(made.tree?["moov/udta/chpl"]?.payload(ChapterListBox.self))
      var wanted: [UInt64] = []
      for (index, movie) in movies.enumerated() where movie.tree?["moov/udta/chpl"] != nil {
        wanted += [0, 1].map { (UInt64(index) * 2 + $0) * 10_000_000 }
      }
      #expect(box.chapters.map(\.start) == wanted)
    }
  }

  /// A list has room for 255 chapters: what is beyond that is said to be left out.
  @Test func chaptersBeyondTheListAreCounted() throws {
    func movie(_ count: UInt64) throws -> MovieFile {
      try self.movie("metadata-keys.mov") { movie in
        var fields: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0, UInt8(count)]
        for number in 0..<count { fields += PlainBox.bytes(number * 10_000, 8) + [0] }
        movie.moov.children.removeAll { $0.type == "udta" }
        movie.moov.children.append(PlainBox("udta", [], [PlainBox("chpl", fields)]))
      }
    }
    for (first, second, lost) in [(200, 55, 0), (200, 56, 1), (200, 200, 145)] as [(UInt64, UInt64, Int)] {
      let joiner = try MovieJoiner([movie(first), movie(second)])
      let made = try joiner.plannedMovie()
      let list = try #require(made.tree?["moov/udta/chpl"]?.payload(ChapterListBox.self))
      #expect(list.chapters.count == Int(min(255, first + second)))
      let messages = try joiner.plannedReport().notices.map(\.message).filter { $0.contains("chapter") }
      #expect(
        messages
          == (lost == 0
            ? []
            : [
              "the last \(lost == 1 ? "chapter is" : "\(lost) chapters are") left out: a list has at most 255"
            ]))
    }
  }

  /// What the first movie put in is taken out again: references are those of what is left.
  @Test func referencesFollowTheMovieThatIsLeft() throws {
    let first = try movie("metadata-keys.mov") { _ in }
    // The same with other numbers: 11 is the video, 12 sound, 13 chapters.
    let second = try movie("metadata-keys.mov") { movie in
      movie.editTracks { index, trak in
        trak.patch("tkhd", at: 12, UInt64(11 + index))
        trak.edit("tref") { $0.fields = PlainBox("chap", PlainBox.bytes(13, 4)).bytes }
      }
    }
    var composition = try Composition(first)
    let length = composition.duration
    try composition.insertTimeRange(.zero..<length, of: second, at: length)
    composition.removeTimeRange(.zero..<length)
    let made = try composition.plannedMovie()
    let text = try #require(made.tracks.first { $0.mediaType == .text })
    for track in made.tracks where track.mediaType != .text {
      #expect(track.references("chap") == [text.id], "track \(track.id)")
    }
  }

  // MARK: Sample entries

  /// Every sample entry names a data reference that there is, and equal ones are one. ISO/IEC 14496-12, 8.5.2 and 8.7.2
  @Test func dataReferencesAreThoseOfTheMovie() throws {
    let first = try movie("metadata-keys.mov") { _ in }
    let second = try movie("metadata-keys.mov") { movie in
      movie.editTracks { _, trak in
        trak.edit("mdia/minf/dinf/dref") { dref in
          dref.children.append(dref.children[0])
          dref.fields.replaceSubrange(4..<8, with: PlainBox.bytes(2, 4))
        }
        trak.edit("mdia/minf/stbl/stsd") { stsd in
          // After six reserved bytes.
          for index in stsd.children.indices {
            stsd.children[index].fields.replaceSubrange(6..<8, with: [0, 2])
          }
        }
      }
    }
    let third = try movie("metadata-keys.mov") { movie in
      // Another entry, so that it is added: no compressor has this name.
      movie.editTracks { index, trak in
        guard index < 2 else { return }
        trak.edit("mdia/minf/dinf/dref") { dref in
          dref.children.append(dref.children[0])
          dref.fields.replaceSubrange(4..<8, with: PlainBox.bytes(2, 4))
        }
        trak.edit("mdia/minf/stbl/stsd") { stsd in
          stsd.children[0].fields.replaceSubrange(6..<8, with: [0, 2])
          stsd.children[0].fields[index == 0 ? 29 : 17] ^= 1
        }
      }
    }
    for (movies, counts) in [([first, second], [1, 1, 1]), ([first, third, second], [2, 2, 1])] {
      let made = try MovieJoiner(movies).plannedMovie()
      let moov = try #require(try plain(made).first { $0.type == "moov" })
      for (trak, count) in zip(moov.children.filter { $0.type == "trak" }, counts) {
        let references = try #require(trak["mdia/minf/dinf/dref"]).children.count
        let entries = try #require(trak["mdia/minf/stbl/stsd"]).children
        #expect(entries.count == count)
        for entry in entries {
          let index = PlainBox.number(entry.fields[6..<8])
          #expect(index >= 1 && index <= references)
        }
      }
    }
  }
}

extension [PlainBox] {
  fileprivate mutating func removeLast(where isWanted: (PlainBox) -> Bool) {
    if let index = lastIndex(where: isWanted) { remove(at: index) }
  }
}
