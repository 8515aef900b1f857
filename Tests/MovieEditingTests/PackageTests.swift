// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import Foundation
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// Folders that are streamed by HLS.
@Suite struct PackageTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  /// What a media playlist names, in a reading of its own: the bytes of the init segment and of all segments.
  private func bytes(_ playlist: String) throws -> [UInt8] {
    let parent = (playlist as NSString).deletingLastPathComponent
    var all: [UInt8] = []
    var range: Range<Int>?
    func add(_ name: Substring) throws {
      let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: parent + "/" + name)))
      all += range.map { Array(file[$0]) } ?? file
      range = nil
    }
    func parse(_ text: Substring) {
      let numbers = text.split(separator: "@").compactMap { Int($0) }
      if numbers.count == 2 { range = numbers[1]..<(numbers[1] + numbers[0]) }
    }
    for line in try text(playlist).split(separator: "\n") {
      if line.hasPrefix("#EXT-X-MAP:URI=\"") {
        let fields = line.split(separator: "\"", omittingEmptySubsequences: false)
        if fields.count > 3 { parse(fields[3]) }
        try add(fields[1])
      } else if line.hasPrefix("#EXT-X-BYTERANGE:") {
        parse(line.dropFirst("#EXT-X-BYTERANGE:".count))
      } else if !line.hasPrefix("#") {
        try add(line)
      }
    }
    return all
  }

  @Test(arguments: [false, true]) func aStereoMovieIsStreamedInStereoAndFlat(single: Bool) throws {
    let movie = try MovieFile(path: Fixtures.path("spatial.mov"))
    var packager = try MoviePackager([movie])
    packager.duration = MediaTime(value: 1, timescale: 20)
    packager.usesSingleFiles = single
    packager.programDate = "2026-01-31T12:00:00Z"
    let path = folder.path + "/stream\(single)"
    let report = try packager.write(to: path)
    #expect(report.renditions.map(\.name) == ["video1", "video2"])
    let master = try text(path + "/master.m3u8")
    #expect(master.contains("REQ-VIDEO-LAYOUT=\"CH-STEREO\"") && master.contains("#EXT-X-VERSION:12"))
    #expect(master.contains("#EXT-X-I-FRAME-STREAM-INF") && master.contains("video2/iframes.m3u8"))
    let stream = try MovieFile(source: MemoryBytes(try bytes(path + "/video1/media.m3u8")))
    let (old, new) = (try #require(movie.mainVideoTrack), try #require(stream.mainVideoTrack))
    let difference = try ShownSamples(new, of: stream).difference(
      ShownSamples(old, of: movie), within: 1e-9)
    #expect(difference == nil)
    for type: FourCC in ["hvcC", "lhvC", "vexu", "hfov"] {
      let (here, there) = (new.sampleEntry?.first(type), old.sampleEntry?.first(type))
      #expect(here?.bytes.array == there?.bytes.array, "\(type)")
    }
    let flat = try MovieFile(source: MemoryBytes(try bytes(path + "/video2/media.m3u8")))
    #expect(flat.classification == .mono && flat.mainVideoTrack?.sampleCount == old.sampleCount)
    // A picture of the playlist of pictures is the beginning of a segment, with all of its first sample.
    let picture = try MovieFile(source: MemoryBytes(try bytes(path + "/video2/iframes.m3u8")))
    let first = try #require(try picture.mainVideoTrack?.samples().sample(at: 0))
    #expect(first.range.upperBound == picture.source.size)
    // Nothing is replaced.
    #expect(throws: EditError.self) { try packager.write(to: path) }
  }

  /// FFmpeg's reader of HLS finds no track whose boxes come after a long cover.
  @Test func tracksComeBeforeMetadata() throws {
    let remade = try RemadeMovie(MovieFile(path: Fixtures.path("metadata-keys.mov")))
    let cover = PlainBox("udta", [], [PlainBox("cvr0", [UInt8](repeating: 7, count: 100_000))])
    for place in [1, remade.moov.children.count] {
      var copy = remade
      copy.moov.children.insert(cover, at: place)
      let movie = try MovieFile(bytes: copy.encoded())
      let path = folder.path + "/cover\(place)"
      try MoviePackager([movie]).write(to: path)
      for name in ["video1", "audio1"] {
        let boxes = PlainBox.boxes(
          try [UInt8](Data(contentsOf: URL(fileURLWithPath: path + "/\(name)/init.mp4")))[...])
        let types = try #require(boxes.first { $0.type == "moov" }).children.map(\.type)
        #expect(types.prefix(3) == ["mvhd", "trak", "mvex"], "\(types)")
        #expect(types.contains("udta"))
      }
      let fragmented = try MovieFragmenter(movie).plannedMovie()
      let types = fragmented.tree?.first("moov")?.children.map(\.type) ?? []
      #expect(types.prefix(5) == ["mvhd", "trak", "trak", "trak", "mvex"], "\(types)")
    }
  }

  /// HLS authoring specification for Apple devices, 16.6
  @Test(arguments: [("side-by-side-packed.mov", 1), ("spatial.mov", 0)])
  func stereoThatIsNotLayered(name: String, count: Int) throws {
    let report = try MoviePackager([MovieFile(path: Fixtures.path(name))]).plannedReport()
    #expect(
      report.notices.count { $0.message.contains("not as layers of MV-HEVC") } == count, "\(report.notices)")
  }

  @Test func lostPicturesAreNamed() throws {
    var remade = try RemadeMovie(MovieFile(path: Fixtures.path("spatial.mov")))
    #expect(try MoviePackager([MovieFile(bytes: remade.encoded())]).plannedReport().notices.isEmpty)
    remade.samples[0].remove(at: 1)
    let report = try MoviePackager([MovieFile(bytes: remade.encoded())]).plannedReport()
    #expect(report.notices.contains { $0.message.contains("refer to missing pictures") }, "\(report.notices)")
    // The same of tracks that are merged.
    var split = try RemadeMovie(MovieFile(path: Fixtures.path("two-tracks-lhv1.mp4")))
    #expect(try MovieMerger(MovieFile(bytes: split.encoded())).plannedReport().damage.isEmpty)
    for index in split.samples.indices { split.samples[index].remove(at: 1) }
    #expect(try !MovieMerger(MovieFile(bytes: split.encoded())).plannedReport().damage.isEmpty)
  }

  @Test(.enabled(if: Corpus.isPresent)) func soundIsInAGroupForEachCoding() throws {
    let made = try #require(Corpus.folder) + "/made/"
    let movies = try ["hevc_hvc1_aac.mp4", "avc_aac_faststart.mp4", "aud_alac.m4a"].map {
      try MovieFile(path: made + $0)
    }
    let path = folder.path + "/stream"
    let report = try MoviePackager(movies).write(to: path)
    #expect(report.renditions.map(\.name) == ["video1", "video2", "audio1", "audio2"])
    let lines = try text(path + "/master.m3u8").split(separator: "\n")
    let variants = lines.filter { $0.hasPrefix("#EXT-X-STREAM-INF") }
    #expect(
      variants.count == 4 && variants.count { $0.contains("AUDIO=\"audio2\"") && $0.contains("alac") } == 2)
    #expect(lines.count { $0.hasPrefix("#EXT-X-MEDIA") && $0.contains("DEFAULT=YES") } == 2)
    let check = try MovieFile.check(playlistAt: path + "/master.m3u8")
    // x265 put its settings into hvcC, and a package keeps what is there.
    let record = movies[0].mainVideoTrack?.mainDescription?.hevcConfiguration
    #expect(record?.nalUnits.contains { $0.type == .prefixSEI && $0.bytes.count > 1_024 } == true)
    let added = check.findings.filter { $0.severity >= .warning && $0.rule.id != "MV123" }
    #expect(added.isEmpty, "\(added)")
  }

  /// A movie whose sound is in a language, as packed letters of ISO 639-2 say it.
  private func movie(soundIn language: String) throws -> MovieFile {
    var remade = try RemadeMovie(MovieFile(path: Fixtures.path("metadata-keys.mov")))
    let packed = language.utf8.reduce(UInt64(0)) { $0 << 5 | UInt64($1 - 0x60) }
    remade.editTracks { index, trak in
      if index == 1 { trak.patch("mdia/mdhd", at: 20, packed, width: 2) }
    }
    return try MovieFile(bytes: remade.encoded())
  }

  /// RFC 5646, 2.2.1: the shortest code. RFC 8216, 4.3.4.1: names differ within a group.
  @Test func languagesOfSoundAreTags() throws {
    let renditions = try ["eng", "jpn", "haw", "und", "eng"].map { language in
      let movie = try movie(soundIn: language)
      return try StreamRendition(
        movie.tracks[1], of: movie, name: "audio", duration: MediaTime(value: 6, timescale: 1))
    }
    let lines = SoundGroup(name: "audio", renditions: renditions)
      .attributes().map { entries in Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.value) }) }
    #expect(lines.map { $0["LANGUAGE"] } == ["\"en\"", "\"ja\"", "\"haw\"", nil, "\"en\""])
    #expect(
      lines.map { $0["NAME"] } == ["\"en\"", "\"ja\"", "\"haw\"", "\"sound\"", "\"en 2\""])
    #expect(lines.map { $0["AUTOSELECT"] } == ["YES", "YES", "YES", "YES", "NO"])
  }

  /// IDs of tracks are the same in other movies.
  @Test func soundOfAnotherMovieThatIsNotStreamedIsNamed() throws {
    let movies = [try movie(soundIn: "eng"), try movie(soundIn: "jpn")]
    let report = try MoviePackager(movies).write(to: folder.path + "/two")
    let sound = try #require(movies[1].tracks.first { $0.mediaType == .audio })
    #expect(
      report.notices.count { $0 == .trackLeftOut(trackID: sound.id, mediaType: .audio) } == 1,
      "\(report.notices)")
  }

  /// Two of four pictures, each a unit long, are before the edit.
  @Test(arguments: [0, 2] as [UInt64]) func picturesThatAnEditHidesAreNamed(start: UInt64) throws {
    var remade = try RemadeMovie(MovieFile(path: Fixtures.path("spatial.mov")))
    remade.editTrack { trak in
      trak.remove(["edts"], in: "")
      let list = PlainBox(
        "elst", [0, 0, 0, 0, 0, 0, 0, 1] + PlainBox.bytes(0, 4) + PlainBox.bytes(start, 4) + [0, 1, 0, 0])
      var edits = PlainBox("edts")
      edits.children = [list]
      trak.children.insert(edits, at: 1)
    }
    var packager = try MoviePackager([MovieFile(bytes: remade.encoded())])
    packager.addsFlatVariants = false
    let report = try packager.write(to: folder.path + "/hidden")
    let messages = report.notices.map(\.message).filter { $0.contains("edit list") }
    let wanted =
      "video1: segments contain 2 pictures hidden by the edit list; players that ignore edit lists show them; to remove "
      + "them, cut the movie at a sync sample first"
    #expect(messages == (start == 0 ? [] : [wanted]))
  }

  @Test func whatFailsLeavesNothing() throws {
    let movie = try MovieFile(path: Fixtures.path("spatial.mov"))
    let packager = try MoviePackager([movie])
    #expect(throws: EditError.self) { try packager.write(to: folder.path + "/none/stream") }
    let broken = try SafeFolder(path: folder.path + "/broken")
    try broken.makeFolder("part")
    try broken.addFile("part/file") { output throws(SourceError) in try output.write([1, 2, 3]) }
    #expect(throws: SourceError.self) {
      try broken.addFile("part/other") { _ throws(SourceError) in throw SourceError(.other("fails")) }
    }
    broken.cancel()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func ratesAreMeasured() {
    let parts: [(size: UInt64, seconds: Double)] = [(1_000, 6), (4_000, 6), (1_000, 6), (1_000, 1)]
    #expect(StreamRates(parts).average == 2_948)
    // The second one alone lasts as long as the target.
    #expect(StreamRates(parts).peak(target: 6) == 5_334)
    #expect(StreamRates([(1_000, 1)]).peak(target: 6) == 8_000)
  }

  @Test(.enabled(if: Corpus.isPresent)) func moviesOfTheCorpusAreStreamed() throws {
    let corpus = try #require(Corpus.folder)
    var count = 0
    for name in CorpusEditingTests.movies
    where ["apple/", "mvhevc/", "made/"].contains(where: name.hasPrefix) {
      guard let movie = try? MovieFile(path: corpus + "/" + name), movie.tree?.first("moov") != nil,
        movie.mainVideoTrack?.sampleCount ?? 0 > 0, (movie.source.size ?? 0) < 8 << 20
      else { continue }
      do {
        let path = folder.path + "/\(count)"
        let report = try MoviePackager([movie]).write(to: path)
        count += 1
        for rendition in report.renditions where rendition.name != "video2" {
          let stream = try MovieFile(
            source: MemoryBytes(try bytes(path + "/\(rendition.name)/media.m3u8")))
          let old = try #require(movie.tracks.first { $0.id == rendition.trackID })
          let difference = try ShownSamples(#require(stream.tracks.first), of: stream).difference(
            ShownSamples(old, of: movie), within: 0.002)
          #expect(difference == nil, "\(name) \(rendition.name)")
        }
        try FileManager.default.removeItem(atPath: path)
      } catch let error as EditError { print("refused: \(name): \(error)") }
    }
    print("\(count) movies were streamed")
    #expect(count > 30)
  }
}
