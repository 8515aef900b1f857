// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import Foundation
import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// Streams of movies that playlists must describe in a special way: with a projection, with open groups, with sound in several
/// languages and codecs.
@Suite struct StreamedKindsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  private func check(_ path: String) throws -> [Finding] {
    try MovieFile.check(playlistAt: path + "/master.m3u8").findings.filter {
      $0.rule.id >= "MV104" && $0.rule.id <= "MV116"
    }
  }

  /// The spatial fixture with another projection.
  private func movie(_ projection: Projection, venue: [UInt8]? = nil) throws -> MovieFile {
    var edited = EditedMovie()
    try edited.append(
      box("proj", fullBox("prji", code(projection.rawValue))), to: "\(EditedMovie.entry)/vexu")
    guard let venue else { return try edited.opened() }
    let key = Array("com.apple.quicktime.aime-data".utf8)
    let keys = fullBox("keys", u32(1), u32(UInt32(key.count + 8)), code("mdta"), key)
    let value = box("data", u32(0), u32(0), venue)
    let list = box("ilst", u32(UInt32(value.count + 8)) + u32(1) + value)
    let handler = fullBox("hdlr", u32(0), code("mdta"), [UInt8](repeating: 0, count: 12), [0])
    edited.remove("moov/meta")
    try edited.append(box("meta", handler, keys, list), to: "moov")
    return try edited.opened()
  }

  // MARK: Projections

  @Test func oneEyeKeepsItsProjection() throws {
    let movie = try movie(.halfEquirectangular)
    let flat = try MovieStripper(movie).plannedMovie()
    let entry = try #require(flat.mainVideoTrack?.formatDescriptions.first)
    #expect(entry.box["vexu/proj/prji"] != nil && entry.box.first("hfov") != nil)
    #expect(entry.box["vexu/eyes"] == nil && entry.box.first("lhvC") == nil)
    #expect(flat.classification == .degrees180)
    #expect(flat.playlistAttributes?.requiredVideoLayout == "CH-MONO/PROJ-HEQU")
  }

  @Test func theVariantOfOneEyeHasTheProjectionAndThePictures() throws {
    let path = folder.path + "/projected"
    let report = try MoviePackager([movie(.halfEquirectangular)]).write(to: path)
    #expect(
      report.renditions.map(\.attributes.requiredVideoLayout) == ["CH-STEREO/PROJ-HEQU", "CH-MONO/PROJ-HEQU"])
    let pictures = try text(path + "/master.m3u8").split(separator: "\n").filter {
      $0.hasPrefix("#EXT-X-I-FRAME")
    }
    #expect(pictures.count == 1)
    #expect(
      pictures.first?.contains("REQ-VIDEO-LAYOUT=\"CH-MONO/PROJ-HEQU\"") == true
        && pictures.first?.contains("video2/iframes.m3u8") == true)
    let findings = try check(path)
    #expect(findings.isEmpty, "\(findings)")
  }

  @Test func theVenueOfImmersiveVideoIsAFile() throws {
    let venue = [UInt8]("the venue".utf8)
    let path = folder.path + "/immersive"
    let two = try MoviePackager([movie(.fisheye, venue: venue), movie(.fisheye, venue: venue + [0])])
    #expect(try two.plannedReport().notices.contains { $0.message.contains("its venue differs") })
    let report = try MoviePackager([movie(.fisheye, venue: venue)]).write(to: path)
    #expect(!report.notices.contains { $0.message.contains("venue") }, "\(report.notices)")
    #expect(report.renditions.first?.attributes.requiredVideoLayout == "CH-STEREO/PROJ-AIV")
    let master = try text(path + "/master.m3u8")
    #expect(
      master.contains(
        "#EXT-X-SESSION-DATA:DATA-ID=\"com.apple.hls.venue-description\",URI=\"venue.aime\"\n"))
    #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: path + "/venue.aime"))) == venue)
    let findings = try check(path)
    #expect(findings.isEmpty, "\(findings)")
    // A file that the playlist names, and that is missing.
    try FileManager.default.removeItem(atPath: path + "/venue.aime")
    #expect(try check(path).map(\.rule.id) == ["MV105"])
    let plain = try MoviePackager([movie(.rectilinear)]).write(to: folder.path + "/plain")
    #expect(plain.notices.isEmpty)
    #expect(try !text(folder.path + "/plain/master.m3u8").contains("SESSION-DATA"))
  }

  // MARK: Open groups

  /// Four groups of four pictures. In an open one, the second picture is presented before the first, and needs the group before.
  private func movie(groupsOpen: [Bool]) throws -> MovieFile {
    var remade = try RemadeMovie(MovieFile(path: Fixtures.path("spatial.mov")))
    let samples = Array(remade.samples[0].prefix(4))
    let length = Int32(samples[0].duration)
    remade.samples[0] = groupsOpen.flatMap { isOpen in
      samples.enumerated().map { index, sample in
        var sample = sample
        sample.isSync = index == 0
        sample.offset = index == 1 ? 0 : 2 * length
        if isOpen, index == 1 { sample.dependency = 0x40 }
        return sample
      }
    }
    remade.editTrack { trak in trak.remove(["edts"], in: "") }
    return try MovieFile(bytes: remade.encoded())
  }

  private static let tag = "#EXT-X-INDEPENDENT-SEGMENTS\n"

  @Test(arguments: [
    // The second group is not a good place, and the third is near.
    ([false, true, false, false], 3, 0), ([false, true, false, true], 3, 1),
    ([false, true, true, true], 4, 3),
    ([false, false, false, false], 4, 0),
  ])
  func segmentsOfOpenGroupsAreNotIndependent(open: [Bool], segments: Int, dependent: Int) throws {
    let movie = try movie(groupsOpen: open)
    var packager = try MoviePackager([movie])
    packager.addsFlatVariants = false
    let track = try #require(movie.mainVideoTrack)
    let group = try track.samples().prefix(4).reduce(0) { $0 + $1.duration }
    packager.duration = MediaTime(value: group, timescale: track.timescale)
    let path = folder.path + "/groups"
    let report = try packager.write(to: path)
    #expect(report.renditions.first?.segments == segments)
    let notices = report.notices.map(\.message).filter { $0.contains("EXT-X-INDEPENDENT-SEGMENTS") }
    #expect(
      notices.first?.hasPrefix("video1: \(dependent) of \(segments) segments") == (dependent > 0 ? true : nil)
    )
    for name in ["master.m3u8", "video1/media.m3u8"] {
      #expect(try text(path + "/" + name).contains(Self.tag) == (dependent == 0), "\(name)")
    }
    #expect(try check(path).filter { $0.rule.id == "MV113" }.isEmpty)
    // The promise is checked, in either playlist.
    guard dependent > 0 else { return }
    for name in ["master.m3u8", "video1/media.m3u8"] {
      let old = try text(path + "/" + name)
      try Data(("#EXTM3U\n" + Self.tag + old.dropFirst(8)).utf8).write(
        to: URL(fileURLWithPath: path + "/" + name))
      #expect(try check(path).count { $0.rule.id == "MV113" } == dependent, "\(name)")
      try Data(old.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
    }
  }

  /// Pictures that are skipped after random access have NAL unit types of their own.
  @Test(.enabled(if: Corpus.isPresent), arguments: [("idr_radl", true), ("cra_open", false)])
  func typesOfPicturesDecideOnIndependence(name: String, isIndependent: Bool) throws {
    var options = MuxOptions()
    options.frameRate = FrameRate(25)
    options.listsOpenAccessPoints = true
    let muxer = StreamMuxer(
      source: try FileBytes(path: try #require(Corpus.folder) + "/pictures/\(name).bit"), options: options)
    var packager = try MoviePackager([muxer.draftMovie().movie])
    packager.duration = MediaTime(value: 1, timescale: 25)
    let path = folder.path + "/" + name
    try packager.write(to: path)
    #expect(try text(path + "/master.m3u8").contains(Self.tag) == isIndependent)
    #expect(try check(path).filter { $0.rule.id == "MV113" }.isEmpty)
  }

  // MARK: Sound

  /// A rendition in a language, as packed letters of ISO 639-2 say it, with an object type of AAC.
  private func sound(_ language: String, objectType: UInt8) throws -> StreamRendition {
    var remade = try RemadeMovie(MovieFile(path: Fixtures.path("metadata-keys.mov")))
    let packed = language.utf8.reduce(UInt64(0)) { $0 << 5 | UInt64($1 - 0x60) }
    remade.editTracks { index, trak in
      if index == 1 { trak.patch("mdia/mdhd", at: 20, packed, width: 2) }
    }
    var bytes = remade.encoded()
    let configuration: [UInt8] = [0x05, 0x80, 0x80, 0x80, 0x05, 0x11, 0x88]
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: configuration) })
    bytes[place + 5] = objectType << 3 | 1
    let movie = try MovieFile(bytes: bytes)
    return try StreamRendition(
      movie.tracks[1], of: movie, name: "audio", duration: MediaTime(value: 6, timescale: 1))
  }

  private func languages(_ group: SoundGroup) -> [String?] {
    group.attributes().map { entries in entries.first { $0.key == "LANGUAGE" }?.value }
  }

  /// rfc8216bis, 4.4.6.1.1: groups have the same members.
  @Test func groupsOfSoundHaveTheSameLanguages() throws {
    let (german, english) = (try sound("deu", objectType: 2), try sound("eng", objectType: 5))
    let mixed = SoundGroup.groups(of: [german, english])
    #expect(mixed.map(\.codecs) == [["mp4a.40.2", "mp4a.40.5"]])
    #expect(mixed.map(languages) == [["\"de\"", "\"en\""]])
    let others = [try sound("eng", objectType: 2), try sound("deu", objectType: 5)]
    let equal = SoundGroup.groups(of: [german, english] + others)
    #expect(
      equal.map(\.codecs) == [["mp4a.40.2"], ["mp4a.40.5"]] && equal.map(\.name) == ["audio", "audio2"])
    // In the same order, so that the same language is the default.
    #expect(equal.map(languages) == [["\"de\"", "\"en\""], ["\"de\"", "\"en\""]])
  }
}
