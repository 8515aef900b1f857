// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import Foundation
import ISOBMFF
import MovieCases
import TestSupport
import Testing

@testable import Multiview

/// Streams in which one thing is wrong, beside the one from which they are made.
@Suite struct PlaylistRuleTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A text in a file of the stream that is replaced by another.
  struct Case: Sendable, CustomTestStringConvertible {
    let rule: RuleID
    let file: String
    let old: String
    let new: String
    /// Rules that are broken with it.
    let also: Set<RuleID>

    init(_ rule: RuleID, _ file: String, _ old: String, _ new: String, also: Set<RuleID> = []) {
      (self.rule, self.file, self.old, self.new, self.also) = (rule, file, old, new, also)
    }
    var testDescription: String { "\(rule) \(new)" }
  }

  static let cases: [Case] = [
    Case("MV104", "v/media.m3u8", "#EXTM3U", "#EXTM4U"),
    Case("MV104", "v/media.m3u8", "#EXTINF:0.5,\nsegment2", "segment2"),
    Case("MV104", "master.m3u8", "BANDWIDTH=9000000,", ""),
    Case("MV104", "master.m3u8", "CODECS=\"", "CODECS=\"hvc1\",CODECS=\""),
    Case(
      "MV104", "master.m3u8", "#EXT-X-STREAM-INF", "#EXT-X-SESSION-DATA:VALUE=\"a\"\n#EXT-X-STREAM-INF"),
    Case("MV105", "v/media.m3u8", "segment2.m4s", "segment3.m4s"),
    // A gap is one segment.
    Case(
      "MV105", "v/media.m3u8", "#EXTINF:0.5,\nsegment1.m4s\n#EXTINF:0.5,\nsegment2",
      "#EXT-X-GAP\n#EXTINF:0.5,\nsegment0.m4s\n#EXTINF:0.5,\nsegment3"),
    Case(
      "MV105", "v/media.m3u8", "#EXTINF:0.5,\nsegment2", "#EXTINF:0.5,\n#EXT-X-BYTERANGE:9999999@0\nsegment2"),
    Case("MV105", "master.m3u8", "\nv/media", "\nw/media", also: ["MV116"]),
    Case("MV106", "v/media.m3u8", "segment2.m4s", "../../segment2.m4s"),
    Case("MV106", "v/media.m3u8", "segment2.m4s", "https://example.com/segment2.m4s"),
    Case("MV106", "master.m3u8", "\nv/media.m3u8", "\n./master.m3u8", also: ["MV116"]),
    Case("MV107", "v/media.m3u8", "TARGETDURATION:1", "TARGETDURATION:0"),
    Case("MV108", "v/media.m3u8", "VERSION:7", "VERSION:5"),
    Case("MV108", "master.m3u8", "VERSION:12", "VERSION:11"),
    Case("MV109", "master.m3u8", "BANDWIDTH=9000000", "BANDWIDTH=1000"),
    Case("MV110", "master.m3u8", "RESOLUTION=320x180", "RESOLUTION=640x360"),
    Case("MV110", "master.m3u8", "FRAME-RATE=6.000", "FRAME-RATE=30.000"),
    Case("MV110", "master.m3u8", "hvc1.1.6.L60.90", "avc1.42c01e"),
    Case("MV111", "master.m3u8", ",REQ-VIDEO-LAYOUT=\"CH-STEREO\"", ""),
    Case("MV111", "master.m3u8", "\"CH-STEREO\"", "\"CH-STEREO/PROJ-HEQU\""),
    Case("MV112", "v/media.m3u8", "#EXT-X-MAP:URI=\"init.mp4\"\n", ""),
    Case("MV113", "v/media.m3u8", "segment2.m4s", "late.m4s", also: ["MV130"]),
    Case("MV114", "master.m3u8", "RESOLUTION", "AUDIO=\"none\",RESOLUTION"),
    Case("MV115", "v/media.m3u8", "#EXTINF:0.5,\nsegment2", "#EXTINF:0.9,\nsegment2"),
    Case("MV116", "master.m3u8", "#EXT-X-I-FRAME", "#EXT-X-NONE"),
    Case(
      "MV131", "master.m3u8", "#EXT-X-STREAM",
      "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"a\",URI=\"v/two.m3u8\"\n#EXT-X-STREAM"),
    Case("MV132", "v/media.m3u8", "init.mp4", "other.mp4", also: ["MV110", "MV111"]),
  ]

  /// Writes a stream of two segments: the first two are the same samples at other times, the third begins where nothing can.
  ///
  /// - Parameters:
  ///   - constraints: the first byte of the constraint flags in `hvcC`, which the name of the codec has.
  ///   - projection: the projection; `nil` for none.
  ///   - isWide: whether pixels are twice as wide as they are high.
  private func makeStream(constraints: UInt8 = 0x90, projection: FourCC? = nil, isWide: Bool = false) throws {
    var edited = EditedMovie()
    if isWide { try edited.append(box("pasp", u32(2), u32(1)), to: EditedMovie.entry) }
    if let projection {
      try edited.append(box("proj", fullBox("prji", code(projection))), to: "\(EditedMovie.entry)/vexu")
    }
    let movie = try edited.opened()
    let track = try #require(movie.mainVideoTrack)
    let samples = Array(try track.samples())
    let tree = try #require(movie.tree)
    var moov = try #require(tree.first("moov"))
    var extends = TrackExtendsBox()
    extends.trackID = track.id
    let mvex = Box("mvex", nil, children: [Box("trex", extends, in: .box("mvex"))], in: .box("moov"))
    moov.children.append(mvex)
    for index in moov.children.indices where moov.children[index].type == "trak" {
      let path = try #require(moov.children[index].children.firstIndex { $0.type == "mdia" })
      let minf = try #require(
        moov.children[index].children[path].children.firstIndex { $0.type == "minf" })
      let stbl = try #require(
        moov.children[index].children[path].children[minf].children.firstIndex { $0.type == "stbl" })
      moov.children[index].children.removeAll { $0.type == "edts" }
      let media = try #require(moov.children[index].children.firstIndex { $0.type == "mdia" })
      var table = moov.children[index].children[media].children[minf].children[stbl].children.filter {
        $0.type == "stsd"
      }
      for (type, payload) in [
        ("stts", TimeToSampleBox()), ("stsc", SampleToChunkBox()),
        ("stsz", SampleSizeBox(sampleSize: 0, sampleCount: 0)), ("stco", ChunkOffsetBox()),
      ] as [(FourCC, any BoxPayload)] {
        table.append(Box(type, payload, in: .box("stbl")))
      }
      moov.children[index].children[media].children[minf].children[stbl].children = table
    }
    let brands = FileTypeBox("iso6", compatibleBrands: ["iso6", "cmfc"])
    try FileManager.default.createDirectory(
      atPath: folder.path + "/v", withIntermediateDirectories: true)
    var start = try Box("ftyp", brands, in: .file).encoded() + moov.encoded()
    let record = try #require(start.indices.first { start[$0...].starts(with: Array("hvcC".utf8)) })
    #expect(start[record + 10] == 0x90)
    start[record + 10] = constraints
    try write("v/init.mp4", start)
    let entry = try #require(start.indices.first { start[$0...].starts(with: Array("hvc1".utf8)) })
    start.replaceSubrange(entry..<(entry + 4), with: Array("ap4h".utf8))
    try write("v/other.mp4", start)
    // Half a second in 3 samples, whatever the rate of the movie is.
    let length = Int64(track.timescale) / 6
    func segment(_ number: UInt32, from first: Int) throws -> [UInt8] {
      var builder = FragmentBuilder(sequenceNumber: number, extends: [extends])
      builder.begin(track: track.id, at: UInt64(number - 1) * UInt64(length) * 3)
      var bytes: [UInt8] = []
      for index in 0..<3 {
        let sample = samples[(first + index) % samples.count]
        try builder.append(size: sample.size, duration: length, flags: sample.flags, toTrack: track.id)
        bytes += try movie.source.read(sample.range).array
      }
      return try builder.header() + bytes
    }
    try write("v/segment1.m4s", segment(1, from: 0))
    try write("v/segment2.m4s", segment(2, from: 0))
    try write("v/late.m4s", segment(2, from: 1))
    let attributes =
      "BANDWIDTH=9000000,CODECS=\"hvc1.1.6.L60.\(String(constraints, radix: 16, uppercase: true))\",REQ-VIDEO-LAYOUT=\"CH-STEREO\",RESOLUTION=320x180,FRAME-RATE=6.000"
    let media =
      "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:1\n#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-MAP:URI=\"init.mp4\"\n"
      + "#EXTINF:0.5,\nsegment1.m4s\n#EXTINF:0.5,\nsegment2.m4s\n#EXT-X-ENDLIST\n"
    try write("v/media.m3u8", Array(media.utf8))
    // Its pictures are outside of what is looked at, and taken for flat.
    let master =
      "#EXTM3U\n#EXT-X-VERSION:12\n#EXT-X-STREAM-INF:\(attributes)\nv/media.m3u8\n"
      + "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1000,URI=\"v/pictures.m3u8\"\n"
    try write("master.m3u8", Array(master.utf8))
    try write(
      "v/pictures.m3u8",
      Array(
        "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:1\n#EXT-X-I-FRAMES-ONLY\n#EXTINF:1,\nsegment.ts\n#EXT-X-ENDLIST\n"
          .utf8))
    try write("v/segment.ts", [0x47, 0x40, 0x00])
    try write(
      "v/two.m3u8",
      Array(
        "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nsegment.ts\n#EXT-X-ENDLIST\n".utf8))
  }

  private func write(_ name: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: folder.path + "/" + name))
  }

  private func found() throws -> Set<RuleID> {
    let report = try MovieFile.check(playlistAt: folder.path + "/master.m3u8")
    return Set(report.findings.map(\.rule.id).filter { $0 >= "MV104" })
  }

  @Test func aGoodStreamBreaksNoRule() throws {
    try makeStream()
    let report = try MovieFile.check(playlistAt: folder.path + "/master.m3u8")
    let errors = report.findings.filter { (finding: Finding) in
      finding.severity == .error || finding.rule.id >= "MV104"
    }
    #expect(errors.map { "\($0.rule.id) \($0.path) \($0.message)" } == [])
    #expect(report.verdict(.hls)?.outcome == .pass && report.classification == .spatial)
  }

  @Test(arguments: cases) func oneThingIsWrong(wrong: Case) throws {
    try makeStream()
    try change(wrong.file, wrong.old, wrong.new)
    let rules = try found()
    #expect(
      rules.contains(wrong.rule) && rules.isSubset(of: wrong.also.union([wrong.rule])), "\(rules.sorted())")
  }

  /// What is written in another way, and what need not be there.
  @Test(arguments: [
    ("v/media.m3u8", "#EXTINF:0.5,\nsegment2.m4s", "#EXT-X-GAP\n#EXTINF:0.5,\nlost.m4s"),
    ("v/media.m3u8", "#EXTINF:0.5,\nsegment1.m4s", "#EXTINF:0.5,\n#EXT-X-GAP\nhttps://example.com/lost.m4s"),
    (
      "master.m3u8", "#EXT-X-STREAM",
      "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"a\",NAME=\"a\",URI=\"v/two.m3u8\"\n#EXT-X-STREAM"
    ),
    ("master.m3u8", "hvc1.1.6.L60.B0", "hvc1.1.6.L60.b0"),
    ("master.m3u8", "hvc1.1.6.L60.B0", "hvc1.1.6.L60.B0.0.00"),
    // As Apple's tools write it.
    ("master.m3u8", "hvc1.1.6.L60.B0", "hvc1.1.60000000.L60.B0"),
  ]) func nothingIsWrong(file: String, old: String, new: String) throws {
    try makeStream(constraints: 0xB0)
    #expect(try found() == [])
    try change(file, old, new)
    #expect(try found() == [])
  }

  /// A gap covers one segment only, and the case of letters counts outside of hexadecimal numbers.
  @Test(arguments: [
    Case(
      "MV105", "v/media.m3u8", "#EXTINF:0.5,\nsegment1",
      "#EXT-X-GAP\n#EXTINF:0.5,\nlost.m4s\n#EXTINF:0.5,\nlost"),
    Case("MV110", "master.m3u8", "hvc1.1.6.L60.B0", "HVC1.1.6.L60.B0"),
    Case("MV110", "master.m3u8", "hvc1.1.6.L60.B0", "hvc1.1.6.l60.B0"),
    Case("MV110", "master.m3u8", "hvc1.1.6.L60.B0", "hvc1.1.6.L60"),
    Case("MV110", "master.m3u8", "hvc1.1.6.L60.B0", "hvc1.1.20000000.L60.B0"),
  ]) func almostTheSame(wrong: Case) throws {
    try makeStream(constraints: 0xB0)
    try change(wrong.file, wrong.old, wrong.new)
    #expect(try found() == [wrong.rule])
  }

  /// AAC that decoders extend by themselves is named by what they make of it.
  @Test(arguments: [
    ("mp4a.40.5", "mp4a.40.2", true), ("mp4a.40.29", "mp4a.40.2", true), ("mp4a.40.2", "mp4a.40.5", false),
    ("mp4a.40.34", "mp4a.40.2", false), ("hvc1.1.60000000.L60.B0", "hvc1.1.6.L60.B0", true),
    ("hvc1.1.6.L60.B0", "hvc1.1.60000000.L60.B0", false),
    ("hev1.1.60000000.L60.B0", "hvc1.1.6.L60.B0", false),
  ]) func codecsHaveOtherNames(name: String, codec: String, isSame: Bool) {
    #expect(CodecName(name).names(CodecName(codec)) == isSame)
  }

  /// A segment says what its samples last in whole units of time, and a playlist may be more exact.
  @Test func ratesOfCoarseTimesAreAccepted() {
    var facts = StreamCheck.Facts()
    facts.timescale = 1_000
    #expect(facts.allows(29.970, insteadOf: 30.303) && facts.allows(120, insteadOf: 125))
    #expect(!facts.allows(25, insteadOf: 30.303) && !facts.allows(60, insteadOf: 30.303))
    // Whole units are no reason for another rate, however few a second has.
    var coarse = facts
    coarse.timescale = 60
    #expect(coarse.allows(59, insteadOf: 60) && !coarse.allows(45, insteadOf: 60))
    facts.timescale = 30_000
    #expect(!facts.allows(29.970, insteadOf: 30.303))
  }

  /// `RESOLUTION` is the size at which pictures are shown, or that in which they are coded.
  @Test(arguments: [("320x180", true), ("640x180", true), ("640x360", false)])
  func eitherSizeIsAccepted(size: String, isRight: Bool) throws {
    try makeStream(isWide: true)
    if size != "320x180" { try change("master.m3u8", "RESOLUTION=320x180", "RESOLUTION=\(size)") }
    #expect(try found().contains("MV110") != isRight)
  }

  /// A sample entry that no player of HLS knows.
  @Test func codecsOfOtherUses() throws {
    try makeStream()
    try change("v/media.m3u8", "init.mp4", "other.mp4")
    let report = try MovieFile.check(playlistAt: folder.path + "/master.m3u8")
    #expect(report.findings.filter { $0.rule.id == "MV132" }.map(\.found) == ["ap4h"])
    #expect(report.verdict(.hls)?.outcome == .fail)
  }

  /// Lenses that a playlist names are not missing from the segments. Apple's streams have them there alone.
  @Test func theVenueIsInThePlaylist() throws {
    try makeStream(projection: "fish")
    func all() throws -> Set<RuleID> {
      Set(try MovieFile.check(playlistAt: folder.path + "/master.m3u8").findings.map(\.rule.id))
    }
    #expect(try all().contains("MV078"))
    try change("master.m3u8", "\"CH-STEREO\"", "\"CH-STEREO/PROJ-AIV\"")
    try write("venue.aime", [1, 2, 3])
    let data = "#EXT-X-SESSION-DATA:DATA-ID=\"com.apple.hls.venue-description\",URI=\"venue.aime\"\n"
    try change("master.m3u8", "#EXT-X-STREAM-INF", data + "#EXT-X-STREAM-INF")
    let rules = try all()
    #expect(
      rules.isDisjoint(with: ["MV078", "MV111"]) && rules.filter { $0 >= "MV104" && $0 <= "MV116" } == [])
  }

  /// Replaces a text in a file, where it stands first.
  private func change(_ file: String, _ old: String, _ new: String) throws {
    let text = String(decoding: contents(folder.path + "/" + file) ?? [], as: UTF8.self)
    let parts = text.components(separatedBy: old)
    try #require(parts.count > 1)
    try write(file, Array((parts[0] + new + parts.dropFirst().joined(separator: old)).utf8))
  }

  @Test func linksAreNotFollowed() throws {
    try makeStream()
    let segment = folder.path + "/v/segment2.m4s"
    try FileManager.default.removeItem(atPath: segment)
    try FileManager.default.createSymbolicLink(
      atPath: segment, withDestinationPath: Fixtures.path("spatial.mov"))
    #expect(try found() == ["MV106"])
    try FileManager.default.removeItem(atPath: segment)
    #expect(unsafe mkfifo(segment, 0o600) == 0)
    #expect(try found() == ["MV106"])
  }

  /// Whatever is in a playlist, it is read to its end.
  @Test func damagedPlaylistsAreRead() throws {
    try makeStream()
    let good = contents(folder.path + "/master.m3u8") ?? []
    var state: UInt64 = 0x2545_F491_4F6C_DD1D
    func random(_ count: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(count))
    }
    for _ in 0..<200 {
      var bytes = good
      for _ in 0..<3 {
        bytes[7 + random(bytes.count - 7)] = UInt8(random(256))
      }
      try write("master.m3u8", bytes)
      _ = try found()
    }
  }
}
