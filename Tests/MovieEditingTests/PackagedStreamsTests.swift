// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import Foundation
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// What playlists say about the sound, the times and the codecs of a stream, and what init segments have.
@Suite struct PackagedStreamsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func lines(_ path: String, _ tag: String) throws -> [String] {
    try String(contentsOfFile: folder.path + "/" + path, encoding: .utf8).split(separator: "\n").map {
      String($0)
    }
    .filter { $0.hasPrefix("#" + tag + ":") }
  }

  private func findings(_ name: String) throws -> [String] {
    try MovieFile.check(playlistAt: folder.path + "/\(name)/master.m3u8").findings
      .filter { $0.rule.id >= "MV104" && $0.severity >= .warning }.map { "\($0.rule.id) \($0.message)" }
  }

  /// A movie of a picture track and a sound track, changed.
  private func remade(_ change: (_ index: Int, inout PlainBox) -> Void = { _, _ in }) throws -> RemadeMovie {
    var remade = try RemadeMovie(MovieFile(path: Fixtures.path("metadata-keys.mov")))
    remade.editTracks(change)
    return remade
  }

  /// A movie of sound alone, in a language.
  private func sound(_ language: String, _ change: (inout PlainBox) -> Void = { _ in }) throws -> MovieFile {
    let packed = language.utf8.reduce(UInt64(0)) { $0 << 5 | UInt64($1 - 0x60) }
    let remade = try remade { index, trak in
      guard index == 1 else { return }
      trak.patch("mdia/mdhd", at: 20, packed, width: 2)
      change(&trak)
    }
    return try MovieFlattener(MovieFile(bytes: remade.fragmented(samplesEach: 50)), only: .audio)
      .plannedMovie()
  }

  // MARK: Sound alone

  /// RFC 8216, 6.2.4: variants have the same content. 4.3.4.2.1: the sound of the variant itself has no address.
  @Test func languagesOfSoundAloneAreRenditions() throws {
    try MoviePackager([sound("eng"), sound("fra")]).write(to: folder.path + "/two")
    let media = try lines("two/master.m3u8", "EXT-X-MEDIA"),
      variants = try lines("two/master.m3u8", "EXT-X-STREAM-INF")
    #expect(media.count == 2 && variants.count == 1)
    #expect(media[0].contains("LANGUAGE=\"en\",DEFAULT=YES,AUTOSELECT=YES") && !media[0].contains("URI="))
    #expect(
      media[1].contains("LANGUAGE=\"fr\",DEFAULT=NO,AUTOSELECT=YES") && media[1].contains("URI=\"audio2/"))
    #expect(variants[0].contains("AUDIO=\"audio\"") && variants[0].contains("CODECS=\"mp4a.40.2\""))
    #expect(try findings("two").isEmpty)
  }

  /// The same sound at two rates.
  @Test func moviesOfSoundInOneLanguageAreVariants() throws {
    try MoviePackager([sound("eng"), sound("eng")]).write(to: folder.path + "/rates")
    #expect(try lines("rates/master.m3u8", "EXT-X-MEDIA").isEmpty)
    #expect(try lines("rates/master.m3u8", "EXT-X-STREAM-INF").count == 2)
    #expect(try findings("rates").isEmpty)
  }

  /// A disabled track is not the one that plays by itself, and a rendition that is chosen is to be played.
  @Test func disabledSoundIsNotTheDefault() throws {
    let disabled = try sound("eng") { $0.patch("tkhd", at: 3, 2, width: 1) }
    #expect(disabled.tracks.first?.isEnabled == false)
    try MoviePackager([disabled, sound("fra")]).write(to: folder.path + "/disabled")
    let media = try lines("disabled/master.m3u8", "EXT-X-MEDIA")
    #expect(media.map { $0.contains("DEFAULT=YES") } == [false, true])
    for name in ["audio1", "audio2"] {
      let start = try MovieFile(path: folder.path + "/disabled/\(name)/init.mp4")
      #expect(start.tracks.map(\.isEnabled) == [true], "\(name)")
    }
    #expect(try findings("disabled").isEmpty)
  }

  @Test func soundHasTheNameOfItsTrack() throws {
    let named = try sound("eng") { trak in
      trak.children.append(PlainBox("udta", [], [PlainBox("name", Array("Commentary".utf8))]))
    }
    try MoviePackager([sound("eng"), sound("fra"), named]).write(to: folder.path + "/named")
    let media = try lines("named/master.m3u8", "EXT-X-MEDIA")
    #expect(media.count == 3)
    for (line, name) in zip(media, ["en", "fr", "Commentary"]) {
      #expect(line.contains("NAME=\"\(name)\""), "\(line)")
    }
    #expect(media[2].contains("AUTOSELECT=NO"))
  }

  /// Dolby Atmos has objects; `CHANNELS` is `16/JOC` for 16 of them.
  @Test func objectsAreChannels() {
    var box = EnhancedAC3SpecificBox()
    #expect(box.objectChannels == nil)
    box.objectExtension = .init()
    box.objectExtension?.complexityIndex = 12
    #expect(box.objectChannels == "12/JOC")
    box.objectExtension?.isTypeA = false
    #expect(box.objectChannels == nil)
  }

  /// ISO/IEC 14496-12, 12.2.3: browsers read sound entries of version 0 with the decoder's configuration directly in them.
  @Test func soundOfQuickTimeMoviesHasTheFormOfMP4() throws {
    let movie = try MovieFile(path: Fixtures.path("metadata-keys.mov"))
    let old = movie.tracks.first { $0.mediaType == .audio }?.box?["mdia/minf/stbl/stsd/mp4a"]
    #expect(old?.children.contains { $0.type == "wave" } == true, "the source has another form")
    let path = folder.path + "/sound"
    try MoviePackager([movie]).write(to: path)
    let file = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path + "/audio1/init.mp4")))
    let boxes = PlainBox.boxes(file[...])
    let brands = try #require(boxes.first { $0.type == "ftyp" }).fields
    #expect(!String(decoding: brands, as: UTF8.self).contains("qt  "))
    let moov = try #require(boxes.first { $0.type == "moov" })
    let stsd = try #require(moov["trak/mdia/minf/stbl/stsd"])
    // Version 0 is 20 bytes after the 8 of every entry, then the descriptor.
    let entry = try #require(stsd.children.first { $0.type == "mp4a" }).bytes
    #expect(entry[16..<18].elementsEqual([0, 0]))
    #expect(String(decoding: entry[40..<44], as: UTF8.self) == "esds")
  }

  // MARK: Times

  /// RFC 8216, 6.2.4: all media playlists of variants have the same target duration. 4.3.3.1: that of 9.4 s is 9.
  @Test func targetDurationsAreTheSame() throws {
    let short = try RemadeMovie(MovieFile(path: Fixtures.path("spatial.mov")))
    var long = short
    let scale = UInt32(try MovieFile(bytes: short.encoded()).tracks[0].timescale)
    #expect(long.samples[0].count == 4)
    for index in 0..<4 { long.samples[0][index].duration = scale * 235 / 100 }
    for movie in [0, 1] {
      var remade = movie == 0 ? short : long
      remade.editTracks { _, trak in trak.children.removeAll { $0.type == "edts" } }
      if movie == 0 { continue }
      let movies = try [MovieFile(bytes: short.encoded()), MovieFile(bytes: remade.encoded())]
      let report = try MoviePackager(movies).write(to: folder.path + "/targets")
      #expect(report.renditions.allSatisfy { $0.targetDuration == 9 })
      for rendition in report.renditions {
        #expect(
          try lines("targets/\(rendition.name)/media.m3u8", "EXT-X-TARGETDURATION") == [
            "#EXT-X-TARGETDURATION:9"
          ])
      }
      #expect(report.notices.contains { $0.kind == "lengthsDiffer" }, "\(report.notices)")
      #expect(try findings("targets").filter { $0.hasPrefix("MV107") || $0.hasPrefix("MV131") }.isEmpty)
    }
  }

  @Test func datesAreOfTheFirstSample() {
    let late = MediaTime(value: 3, timescale: 2)
    #expect(StreamRendition.date("2026-01-31T23:59:59Z", after: late) == "2026-02-01T00:00:00.500Z")
    #expect(StreamRendition.date("2026-01-31T12:00:00.250+02:00", after: late) == "2026-01-31T10:00:01.750Z")
    #expect(StreamRendition.date("2026-01-31T12:00:00+02:00", after: .zero) == "2026-01-31T12:00:00+02:00")
  }

  /// An edit list that begins with two seconds of nothing.
  @Test func emptyEditsMoveTheDate() throws {
    var remade = try RemadeMovie(MovieFile(path: Fixtures.path("spatial.mov")))
    let scale = UInt64(try MovieFile(bytes: remade.encoded()).tree?.movieHeader?.timescale ?? 0)
    remade.editTrack { trak in
      trak.remove(["edts"], in: "")
      let entries =
        PlainBox.bytes(2 * scale, 4) + PlainBox.bytes(0xFFFF_FFFF, 4) + [0, 1, 0, 0] + PlainBox.bytes(0, 8)
        + [0, 1, 0, 0]
      trak.children.insert(
        PlainBox("edts", [], [PlainBox("elst", [0, 0, 0, 0, 0, 0, 0, 2] + entries)]), at: 1)
    }
    var packager = try MoviePackager([MovieFile(bytes: remade.encoded())])
    (packager.programDate, packager.addsFlatVariants) = ("2026-01-31T12:00:00Z", false)
    let report = try packager.write(to: folder.path + "/late")
    #expect(
      try lines("late/video1/media.m3u8", "EXT-X-PROGRAM-DATE-TIME") == [
        "#EXT-X-PROGRAM-DATE-TIME:2026-01-31T12:00:02.000Z"
      ])
    #expect(
      report.notices.contains { $0.message.contains("begins 2 s after the presentation") },
      "\(report.notices)")
  }

  /// Half of the samples of sound are before the edit.
  @Test func soundThatAnEditHidesIsNamed() throws {
    let plain = try MovieFile(bytes: remade().encoded())
    let track = try #require(plain.tracks.first { $0.mediaType == .audio })
    let time = try #require(try track.samples().sample(at: track.sampleCount / 2)).decodeTime
    let seconds = Double(time) / Double(track.timescale)
    let movie = try sound("eng") { trak in
      trak.remove(["edts"], in: "")
      let entry = PlainBox.bytes(0, 4) + PlainBox.bytes(UInt64(time), 4) + [0, 1, 0, 0]
      trak.children.insert(PlainBox("edts", [], [PlainBox("elst", [0, 0, 0, 0, 0, 0, 0, 1] + entry)]), at: 1)
    }
    let notices = try MoviePackager([movie]).plannedReport().notices
    #expect(
      notices.contains { $0.message.contains("of sound hidden by the edit list") } == (seconds > 0.5))
  }

  // MARK: Codecs

  /// Parts of a stream with other descriptions: of H.264, the codec has the profile and level of `avcC`, 1 to 3.
  @Test func partsWithOtherDescriptionsAreNamed() throws {
    var remade = try remade()
    let count = remade.samples[0].count
    for index in (count / 2)..<count { remade.samples[0][index].description = 2 }
    remade.editTrack { trak in
      trak.edit("mdia/minf/stbl/stsd") { stsd in
        var other = stsd.children[0]
        other.fields.replaceSubrange(24..<28, with: [2, 0, 1, 0])
        other.patch("avcC", at: 1, 0x64002A, width: 3)
        stsd.children.append(other)
        stsd.fields[7] = 2
      }
    }
    for index in remade.samples[0].indices { remade.samples[0][index].isSync = true }
    let movie = try MovieFile(bytes: remade.encoded())
    var packager = try MoviePackager([movie])
    packager.duration = MediaTime(value: 1, timescale: 10)
    let report = try packager.write(to: folder.path + "/parts")
    let variant = try #require(try lines("parts/master.m3u8", "EXT-X-STREAM-INF").first)
    #expect(variant.contains("avc1.64002a") && variant.contains("RESOLUTION=512x256"), "\(variant)")
    #expect(variant.components(separatedBy: "avc1.").count == 3, "\(variant)")
    #expect(report.notices.contains { $0.message.contains("sample description changes") })
    #expect(try findings("parts").filter { $0.hasPrefix("MV110") } == [])
  }

  @Test func codecsOfOtherUsesAreNamed() throws {
    let movie = try MovieFile(
      bytes: remade { index, trak in
        guard index == 0 else { return }
        trak.edit("mdia/minf/stbl/stsd") { stsd in stsd.children[0].type = "jpeg" }
      }.encoded())
    let report = try MoviePackager([movie]).write(to: folder.path + "/jpeg")
    #expect(report.notices.contains(.codecNotForHLS(rendition: "video1", codec: "jpeg")), "\(report.notices)")
    let check = try MovieFile.check(playlistAt: folder.path + "/jpeg/master.m3u8")
    #expect(check.findings.count { $0.rule.id == "MV132" } == 1 && check.verdict(.hls)?.outcome == .fail)
    let plain = try MoviePackager([MovieFile(bytes: remade().encoded())]).plannedReport()
    #expect(!plain.notices.contains { $0.kind == "codecNotForHLS" })
  }

  /// The last segment has four quick pictures of sixteen: few in the stream, which has 200.
  @Test func theRateIsThatOfTheWholeStream() throws {
    var remade = try RemadeMovie(MovieFile(path: Fixtures.path("spatial.mov")))
    let samples = remade.samples[0]
    remade.samples[0] = (0..<200).map { index in
      var sample = samples[0]
      sample.duration = index < 196 ? 20 : 2
      return sample
    }
    remade.editTrack { trak in
      trak.patch("mdia/mdhd", at: 12, 600, width: 4)
      trak.children.removeAll { $0.type == "edts" }
    }
    var packager = try MoviePackager([MovieFile(bytes: remade.encoded())])
    (packager.duration, packager.addsFlatVariants) = (MediaTime(value: 1, timescale: 1), false)
    try packager.write(to: folder.path + "/rate")
    // 200 pictures in 3928 units.
    let variant = try #require(try lines("rate/master.m3u8", "EXT-X-STREAM-INF").first)
    #expect(variant.contains("FRAME-RATE=30.550"), "\(variant)")
    #expect(try findings("rate").filter { $0.hasPrefix("MV110") }.isEmpty)
  }
}
