// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import Foundation
import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

/// What programs keep of movies, and what they show of values.
@Suite struct SummaryTests {
  @Test(arguments: Fixtures.media.filter { !$0.hasSuffix(".m4s") })
  func summariesSurviveJSON(name: String) throws {
    let movie = try MovieFile(path: Fixtures.path(name))
    let summary = MovieSummary(movie)
    let json = try JSONEncoder().encode(summary)
    #expect(try JSONDecoder().decode(MovieSummary.self, from: json) == summary)
    #expect(
      summary.classification == movie.classification && summary.tracks.map(\.id) == movie.tracks.map(\.id))
    // What check() says of playlists is the same.
    #expect(summary.playlist == movie.check().playlist)
  }

  @Test func aSpatialMovieInJSON() throws {
    let movie = try MovieFile(path: Fixtures.path("spatial.mov"))
    let data = try JSONEncoder().encode(MovieSummary(movie))
    let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(json["classification"] as? String == "spatial" && json["container"] as? String == "isobmff")
    let track = try #require((json["tracks"] as? [[String: Any]])?.first)
    #expect(track["mediaType"] as? String == "vide" && track["codecString"] as? String == "hvc1.1.6.L60.90")
    let eyes = (track["layers"] as? [[String: Any]])?.map { $0["eye"] as? String }
    #expect(eyes == ["left", "right"])
    let stereo = try #require(track["stereo"] as? [String: Any])
    #expect(stereo["kind"] as? String == "multiview" && stereo["baselineMicrometers"] as? Int == 63_000)
    #expect(stereo["lackingForSpatial"] as? [String] == [])
    #expect(track["duration"] as? [String: Int] == ["value": 4, "timescale": 30])
  }

  @Test func codesAreCodedAsText() throws {
    let codes: [FourCC] = ["hvc1", "qt  ", FourCC(0xA978_797A), FourCC(0), FourCC(0x0061_FF5C), "\\x41"]
    let json = try JSONEncoder().encode(codes)
    #expect(try JSONDecoder().decode([FourCC].self, from: json) == codes)
    let plain = try JSONSerialization.jsonObject(with: json) as? [String]
    #expect(plain == ["hvc1", "qt  ", "©xyz", "\\x00\\x00\\x00\\x00", "\\x00a\\xff\\", "\\x41"])
    for text in ["hvc", "hvc12", "\\x0", "\\xZZabc"] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode([FourCC].self, from: JSONEncoder().encode([text]))
      }
    }
  }

  @Test func classesAndEyesAreCodable() throws {
    struct Card: Codable, Equatable {
      var kind = Classification.spatial, stereo = StereoKind.multiview, eye = StereoEye.left,
        hero = HeroEye.right
      var projection = Projection.fisheye, packing = ViewPacking.sideBySide, type = MediaType.video
      var baseline = Micrometers(rawValue: 63_000), target = CheckTarget.hls, key = MetadataKey.make
    }
    let json = try JSONEncoder().encode(Card())
    #expect(try JSONDecoder().decode(Card.self, from: json) == Card())
    let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    #expect(object["kind"] as? String == "spatial" && object["projection"] as? String == "fish")
    #expect(object["eye"] as? String == "left" && object["baseline"] as? Int == 63_000)
  }

  /// `print` shows sentences: neither module names nor what is kept inside.
  @Test func valuesDescribeThemselves() throws {
    let movie = try MovieFile(path: Fixtures.path("spatial.mov"))
    let track = try #require(movie.tracks.first)
    let cursor = try #require(try track.makeSampleCursor(atIndex: 1))
    let group = try #require(try track.taggedNALUnits(at: cursor).last)
    let layer = try #require(track.layers.last), description = try #require(track.formatDescriptions.first)
    #expect("\(movie)" == "movie (iso4), 1 track")
    #expect("\(track)" == "track 1: vide hvc1")
    #expect("\(layer)" == "layer 1: right eye, 320x180")
    #expect("\(track.eyeAssignment)".hasPrefix("layer 0 left, layer 1 right ("))
    #expect("\(group)".hasPrefix("layer 1, right eye: 2 NAL units, "))
    #expect("\(track.classificationReport)" == "spatial (multiview)")
    #expect("\(description)" == "hvc1 (moov/trak/mdia/minf/stbl/stsd/hvc1)")
    #expect("\(description.stereo)".contains("baseline 63 mm"))
    let all: [Any] = [
      movie, track, cursor, group, layer, description, description.stereo, cursor.sample, movie.check(),
      try #require(movie.playlistAttributes), try #require(movie.tree), try #require(movie.tree?.boxes.first),
      track.classificationReport, track.eyeAssignment, try #require(movie.check().verdicts.first),
    ]
    for value in all {
      let text = "\(value)"
      #expect(!text.contains("Multiview.") && !text.contains("ISOBMFF.") && text.count < 400, "\(text)")
    }
  }

  /// Counts how often it is read.
  private final class CountedBytes: ByteSource {
    let base: ByteView
    let reads = Locked(0)
    init(_ base: ByteView) { self.base = base }
    var size: UInt64? { UInt64(base.count) }
    func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView {
      reads.withLock { $0 += 1 }
      return try MemoryBytes(base).read(range)
    }
  }

  /// `print` holds the lock of standard output: it must not wait for a server, or for a pipe.
  @Test func descriptionsReadNothing() throws {
    for name in ["spatial.mov", "two-views.hevc", "two-views-fragmented.mp4"] {
      let source = CountedBytes(Fixtures.bytes(name))
      let movie = try MovieFile(source: source)
      let before = source.reads.withLock { $0 }
      let text = "\(movie) \(movie.tracks) \(movie.container)"
      #expect(!text.isEmpty && source.reads.withLock { $0 } == before, "\(name)")
    }
  }

  // MARK: Stereo photos

  private static func images(_ groups: [UInt8]) throws -> MovieFile {
    let entries = [1, 2].flatMap { box("infe", u32(2 << 24), u16($0), u16(0), code("hvc1"), [0]) }
    let meta = fullBox(
      "meta", fullBox("hdlr", u32(0), code("pict"), u32(0), u32(0), u32(0), [0]), fullBox("pitm", u16(1)),
      fullBox("iinf", u16(2), entries), groups)
    return try MovieFile(bytes: box("ftyp", code("heic"), u32(0), code("heic")) + meta)
  }

  @Test func pairsOfImagesAreStereoPhotos() throws {
    let pair = try Self.images(box("grpl", fullBox("ster", u32(9), u32(2), u32(1), u32(2))))
    #expect(pair.classification == .stereoPhoto && pair.check().classification == .stereoPhoto)
    #expect(MovieSummary(pair).stereoPhotoCount == 1)
    let alternatives = try Self.images(box("grpl", fullBox("altr", u32(9), u32(2), u32(1), u32(2))))
    #expect(alternatives.classification == .noVideo)
    #expect(try Self.images([]).classification == .noVideo)
    // A group of one is not a pair.
    #expect(try Self.images(box("grpl", fullBox("ster", u32(9), u32(1), u32(1)))).classification == .noVideo)
  }

  // MARK: Cursors and timed metadata

  @Test func cursorsBeginWhereTheyAreAsked() throws {
    let track = try #require(try MovieFile(path: Fixtures.path("two-views-fragmented.mp4")).tracks.first)
    let samples = try track.samples()
    for index in 0..<samples.count {
      let cursor = try #require(try track.makeSampleCursor(atIndex: index))
      #expect(cursor.index == index)
      let time = try #require(cursor.presentationTimeStamp)
      let sync = try #require(try track.makeSampleCursor(atSyncSampleBefore: time))
      // By looking at each sample.
      #expect(sync.index == (0...index).last { samples.sample(at: $0)?.isSync == true } ?? 0)
    }
    #expect(
      try track.makeSampleCursor(atIndex: -1) == nil && track.makeSampleCursor(atIndex: samples.count) == nil)
  }

  @Test func samplesOfALoopHaveNALUnits() throws {
    let track = try #require(try MovieFile(path: Fixtures.path("spatial.mov")).tracks.first)
    var cursor = try #require(try track.makeSampleCursorAtFirstSampleInDecodeOrder())
    for sample in try track.samples() {
      let (loop, stepped) = (try track.taggedNALUnits(of: sample), try track.taggedNALUnits(at: cursor))
      #expect(try loop.map { try $0.annexB() } == stepped.map { try $0.annexB() } && !loop.isEmpty)
      cursor.stepInDecodeOrder(byCount: 1)
    }
    let other = try #require(try MovieFile(path: Fixtures.path("hdr10.mp4")).tracks.first)
    let foreign = try #require(try other.samples().sample(at: 0))
    #expect(throws: (any Error).self) { try track.taggedNALUnits(of: foreign) }
  }

  @Test func timedMetadataInOneCall() throws {
    let movie = try MovieFile(path: Fixtures.path("timed-metadata.mov"))
    let track = try #require(movie.tracks(withMediaType: .metadata).first)
    let groups = try track.timedMetadata()
    // What fixtures/timed-metadata.py put there.
    let temperature: MetadataKey = "org.example.temperature"
    #expect(groups.map(\.presentationTime?.value) == [0, 200, 400] && groups.allSatisfy { $0.error == nil })
    #expect(groups.map { $0[temperature] } == [.number(21.5), .number(21.25), .number(-3)])
    #expect(groups.map { $0[.videoOrientation] } == [.integer(1), nil, .integer(8)])
    #expect(groups.first?.duration == MediaTime(value: 200, timescale: 600))
    var count = 0
    try track.forEachTimedMetadataGroup { group in
      count += 1
      return group[.videoOrientation] != nil
    }
    #expect(count == 2)
    let video = try #require(try MovieFile(path: Fixtures.path("spatial.mov")).tracks.first)
    #expect(try video.timedMetadata().isEmpty)
  }
}
