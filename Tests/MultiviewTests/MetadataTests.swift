// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

@Suite struct MetadataTests {
  /// The metadata of the movie and of the file.
  static func metadata(_ bytes: ByteView) -> QuickTimeMetadata {
    let tree = BoxTree(bytes, registry: .standard)
    return tree.first("moov").map { QuickTimeMetadata($0) } ?? QuickTimeMetadata()
  }

  /// `moov` around `children`, read again.
  static func metadata(of children: [UInt8]) -> QuickTimeMetadata {
    let type = box("ftyp", code("qt  "), u32(0), code("qt  "))
    return metadata(ByteView(type + box("moov", children)))
  }

  static func data(_ type: UInt32, _ value: [UInt8], country: UInt16 = 0, language: UInt16 = 0) -> [UInt8] {
    box("data", u32(type), u16(country), u16(language), value)
  }

  static func key(_ name: String, namespace: FourCC = "mdta") -> [UInt8] {
    u32(UInt32(name.utf8.count + 8)) + code(namespace) + Array(name.utf8)
  }

  static func meta(handler: FourCC, _ parts: [UInt8]...) -> [UInt8] {
    let handlerBox = fullBox("hdlr", u32(0), code(handler), u32(0), u32(0), u32(0), [0])
    return box("meta", handlerBox, parts.flatMap { $0 })
  }

  // MARK: Made by hand

  @Test func keysAndTypes() throws {
    let names = ["a.text", "a.signed", "a.unsigned", "a.float", "a.double", "a.raw", "a.size", "a.utf16"]
    let values: [[UInt8]] = [
      Self.data(1, Array("Tést".utf8)), Self.data(21, [0xFE]), Self.data(22, [0xFE, 0xFF]),
      Self.data(23, u32(0x3FC0_0000)), Self.data(24, u32(0xBFE0_0000) + u32(0)), Self.data(0, [1, 2, 3]),
      Self.data(71, u32(0x3F80_0000) + u32(0x4000_0000)), Self.data(2, [0x00, 0x41, 0x26, 0x03]),
    ]
    var items: [UInt8] = []
    for (index, value) in values.enumerated() { items += box(FourCC(UInt32(index + 1)), value) }
    let metadata = Self.metadata(
      of: Self.meta(
        handler: "mdta", fullBox("keys", u32(UInt32(names.count)), names.flatMap { Self.key($0) }),
        box("ilst", items)))
    #expect(metadata.diagnostics.isEmpty)
    #expect(metadata.items.map(\.key.rawValue) == names)
    #expect(metadata.items.map(\.identifier) == names.map { "mdta/" + $0 })
    #expect(
      metadata.items.map(\.value) == [
        .text("Tést"), .integer(-2), .unsigned(0xFEFF), .number(1.5), .number(-0.5),
        .bytes(ByteView([1, 2, 3])), .numbers([1, 2]), .text("A☃"),
      ])
    #expect(metadata["a.signed"]?.integerValue == -2)
    #expect(metadata["a.raw"]?.stringValue == nil)
    #expect(metadata["a.size"]?.stringValue == "1.0 2.0")
    #expect(metadata["a.unsigned"]?.dataType == .unsignedInteger)
    #expect(metadata["nothing"] == nil)
  }

  @Test func iTunesItems() {
    let long = box(
      "----", fullBox("mean", Array("com.apple.iTunes".utf8)), fullBox("name", Array("iTunSMPB".utf8)),
      Self.data(1, Array("0".utf8)))
    let covers = box("covr", Self.data(13, [0xFF, 0xD8]), Self.data(14, [0x89]))
    let metadata = Self.metadata(
      of: box(
        "udta",
        Self.meta(
          handler: "mdir",
          box(
            "ilst", box("©nam", Self.data(1, Array("Song".utf8), country: 0x5553, language: 0x15C7)), long,
            covers))))
    #expect(
      metadata.items.map(\.identifier) == [
        "itsk/%A9nam", "itlk/com.apple.iTunes.iTunSMPB", "itsk/covr", "itsk/covr",
      ])
    #expect(metadata.items[0].languageCode == "eng" && metadata.items[0].country == 0x5553)
    #expect(metadata.items[1].languageCode == nil)
    #expect(metadata.all("covr").map(\.dataType) == [.jpeg, .png])
    #expect(metadata.items[3].data == ByteView([0x89]))
  }

  @Test func userData() {
    func text(_ text: String, _ language: UInt16) -> [UInt8] {
      u16(UInt16(text.utf8.count)) + u16(language) + Array(text.utf8)
    }
    let metadata = Self.metadata(
      of: box(
        "udta", box("©mak", text("Apple", 0x15C7), text("Apfel", 0x10B5)), box("name", Array("Left".utf8)),
        fullBox("cprt", u16(0x15C7), Array("me\0".utf8)), u32(0)))
    #expect(metadata.items.map(\.identifier) == ["udta/%A9mak", "udta/%A9mak", "udta/name", "uiso/cprt"])
    #expect(metadata.items.map(\.stringValue) == ["Apple", "Apfel", "Left", "me"])
    #expect(metadata.items.map(\.languageCode) == ["eng", "deu", nil, "eng"])
  }

  @Test func damagedItemsAreSaid() {
    let keys = fullBox("keys", u32(1), Self.key("only"))
    func codes(_ items: [UInt8]) -> [Diagnostic.Code] {
      Self.metadata(of: Self.meta(handler: "mdta", keys, box("ilst", items))).diagnostics.map(\.code)
    }
    #expect(codes(box(FourCC(2), Self.data(1, [0x41]))) == ["unknown-metadata-key"])
    #expect(codes(box(FourCC(0), Self.data(1, [0x41]))) == ["unknown-metadata-key"])
    #expect(codes(box(FourCC(1))) == ["metadata-without-value"])
    #expect(codes(box(FourCC(1), box("data", [0, 0, 0]))) == ["truncated", "metadata-without-value"])
    #expect(codes(box(FourCC(1), Self.data(1, []))) == [])
  }

  // MARK: Movies

  @Test func fixture() {
    let metadata = Self.metadata(Fixtures.bytes("metadata-keys.mov"))
    #expect(metadata["title"]?.stringValue == "Tést 🎬")
    #expect(metadata["artist"]?.stringValue == "Lab")
    #expect(metadata["com.example.key"]?.stringValue == "v")
    #expect(metadata["encoder"]?.stringValue == "Lavf63.1.102")
    #expect(metadata.items.count == 4)
    #expect(
      metadata.items[0].place == BoxPlace(path: "moov/udta/meta/ilst/\\x00\\x00\\x00\\x01", offset: 91_985))
    #expect(metadata.items[0].dataRange == 92_009..<92_019)
    #expect(metadata.diagnostics.isEmpty)
  }

  @Test(.enabled(if: Corpus.isPresent)) func iPhone() {
    let bytes = Corpus.bytes("apple/iphone15promax.mov")
    let metadata = Self.metadata(bytes)
    #expect(
      metadata.items.map(\.description) == [
        "mdta/com.apple.quicktime.location.accuracy.horizontal: 4.750133",
        "mdta/com.apple.quicktime.spatial.format-version: 1.0",
        "mdta/com.apple.quicktime.spatial.aggressors-seen: 0",
        "mdta/com.apple.quicktime.make: Apple",
        "mdta/com.apple.quicktime.model: iPhone 15 Pro Max",
        "mdta/com.apple.quicktime.software: 17.5.1",
        "mdta/com.apple.quicktime.creationdate: 2024-07-12T13:25:29+0200",
      ])
    #expect(metadata[.spatialFormatVersion]?.stringValue == "1.0")
    #expect(metadata[.spatialAggressorsSeen]?.value == .integer(0))
    #expect(metadata[.spatialAggressorsSeen]?.dataType == .signedInteger)
    #expect(metadata[.immersiveVenue] == nil)
    let make = metadata[.make]
    #expect(make?.dataRange.count == 5)
    #expect(make.flatMap { bytes.slice(fileRange: $0.dataRange) }?.utf8Text == "Apple")
  }

  /// Keys of several sample entries are listed once, and no more of them are read than of one entry.
  @Test(arguments: [1, 5_000]) func keysOfSeveralEntries(count: Int) throws {
    func entry(_ first: Int) -> [UInt8] {
      let keys = (0..<count).map { number in
        box(
          FourCC(UInt32(number + 1)),
          box("keyd", code("mdta"), Array("org.example.key\(first + number)".utf8)))
      }
      return box("mebx", u32(0), u16(0), u16(1), box("keys", keys.flatMap { $0 }))
    }
    func keys(_ second: Int) throws -> [String]? {
      var movie = EditedMovie("timed-metadata.mov")
      movie.remove("moov/trak/mdia/minf/stbl/stsd/mebx")
      for first in [0, second] { try movie.append(entry(first), to: "moov/trak/mdia/minf/stbl/stsd") }
      movie.edit("moov/trak/mdia/minf/stbl/stsd", SampleDescriptionBox.self) { $0.entryCount = 2 }
      return try movie.opened().tracks[0].allTimedMetadataKeys?.map(\.identifier)
    }
    #expect(try keys(0) == (0..<count).map { "mdta/org.example.key\($0)" })
    #expect(try keys(count)?.count == min(2 * count, 8_192))
  }

  @Test(.enabled(if: Corpus.isPresent)) func iPhoneTimedMetadata() throws {
    let bytes = Corpus.bytes("apple/iphone15promax.mov")
    let tree = BoxTree(bytes, registry: .standard)
    let entry = try #require(tree.matches("moov/trak/mdia/minf/stbl/stsd/mebx").first)
    let table = TimedMetadataKeyTable(sampleEntry: entry.box, path: entry.path)
    #expect(table.diagnostics.isEmpty)
    #expect(table.keys.count == 1)
    let key = try #require(table[.videoOrientation])
    #expect(key.localID == 1 && key.namespace == "mdta")
    #expect(key.identifier == "mdta/com.apple.quicktime.video-orientation")
    #expect(key.dataType?.rawValue == 66 && key.customDataType == nil)
    #expect(key.languageTag == nil && key.setupData == nil)
    // The one sample, where ffprobe says it is.
    let sample = try #require(bytes.slice(fileRange: 144_180..<144_190))
    let (values, error) = TimedMetadataKeyTable.values(in: sample)
    #expect(error == nil)
    #expect(values.map(\.localID) == [1])
    #expect(values.map(\.data.count) == [2])
  }

  @Test func timedKeyTables() {
    let one = box(
      FourCC(7), box("keyd", code("mdta"), Array("com.example.pose".utf8)),
      box("dtyp", u32(1), Array("com.example.type".utf8)), box("loca", Array("de\0".utf8)), box("setu", [9]))
    let two = box(FourCC(7), box("dtyp", u32(0), u32(23)))
    let media = box(
      "mdia", fullBox("hdlr", u32(0), code("meta"), u32(0), u32(0), u32(0), [0]),
      box(
        "minf",
        box("stbl", fullBox("stsd", u32(1), box("mebx", [0, 0, 0, 0, 0, 0, 0, 1], box("keys", one, two))))))
    let tree = BoxTree(ByteView(box("moov", box("trak", media))), registry: .standard)
    guard let entry = tree.matches("moov/trak/mdia/minf/stbl/stsd/mebx").first else {
      Issue.record("no sample entry")
      return
    }
    let table = TimedMetadataKeyTable(sampleEntry: entry.box)
    guard table.keys.count == 2 else {
      Issue.record("\(table)")
      return
    }
    #expect(table.key(localID: 7)?.name == "com.example.pose")
    #expect(table.keys[0].customDataType == "com.example.type" && table.keys[0].dataType == nil)
    #expect(table.keys[0].languageTag == "de" && table.keys[0].setupData == ByteView([9]))
    #expect(table.keys[1].name == nil && table.keys[1].dataType == .float32)
    #expect(table.diagnostics.map(\.code) == ["missing-box", "duplicate-metadata-key"])
    #expect(TimedMetadataKeyTable(sampleEntry: Box("mebx")).diagnostics.map(\.code) == ["missing-box"])
  }

  @Test func timedValues() {
    func values(_ bytes: [UInt8]) -> (Int, Bool) {
      let (values, error) = TimedMetadataKeyTable.values(in: ByteView(bytes))
      return (values.count, error == nil)
    }
    #expect(values([]) == (0, true))
    #expect(values(u32(8) + u32(1) + u32(9) + u32(2) + [5]) == (2, true))
    #expect(values(u32(7) + u32(1)) == (0, false))
    #expect(values(u32(0) + u32(1)) == (0, false))
    #expect(values(u32(9) + u32(1)) == (0, false))
    #expect(values(u32(UInt32.max) + u32(1)) == (0, false))
    #expect(values(u32(8) + u32(1) + [0, 0, 0]) == (1, false))
  }

  @Test func moviesHaveMetadata() throws {
    let movie = try MovieFile(path: Fixtures.path("metadata-keys.mov"))
    #expect(movie.metadata["title"]?.stringValue == "Tést 🎬")
    #expect(movie.tracks.allSatisfy { $0.timedMetadataKeys == nil })
  }

  /// A video track that signals `eyes`, and what else is in it.
  static func track(_ id: UInt32, eyes: UInt8?, projection: String? = nil, _ more: [UInt8] = []) -> [UInt8] {
    let vexu = box(
      "vexu", eyes.map { box("eyes", fullBox("stri", [$0])) } ?? [],
      projection.map { box("proj", fullBox("prji", Array($0.utf8))) } ?? [])
    var fixed = [UInt8](repeating: 0, count: 78)
    fixed[7] = 1
    let record = box("hvcC", [1] + [UInt8](repeating: 0, count: 22))
    let entry = box("hvc1", fixed, record, vexu)
    let handler = fullBox("hdlr", u32(0), code("vide"), u32(0), u32(0), u32(0), [0])
    let header = fullBox("tkhd", u32(0), u32(0), u32(id), [UInt8](repeating: 0, count: 68))
    let media = box("mdia", handler, box("minf", box("stbl", fullBox("stsd", u32(1), entry))))
    return box("trak", header, media, more)
  }

  static func classification(_ moov: [UInt8]) throws -> String {
    let movie = try MovieFile(bytes: box("ftyp", code("qt  "), u32(0)) + box("moov", moov))
    let report = try #require(movie.tracks.first).classificationReport
    return "\(report.classification) \(report.stereoKind)"
  }

  @Test func theMovieAroundATrackDecidesWithIt() throws {
    #expect(try Self.classification(Self.track(1, eyes: 1) + Self.track(2, eyes: 2)) == "stereo twoTrack")
    #expect(try Self.classification(Self.track(1, eyes: 1) + Self.track(2, eyes: 1)) == "mono none")
    #expect(try Self.classification(Self.track(1, eyes: 1) + Self.track(2, eyes: nil)) == "mono none")
    let venue = Self.meta(
      handler: "mdta", fullBox("keys", u32(1), Self.key("com.apple.quicktime.aime-data")),
      box("ilst", box(FourCC(1), Self.data(0, [1, 2]))))
    #expect(try Self.classification(Self.track(1, eyes: nil, projection: "fish") + venue) == "immersive none")
    #expect(try Self.classification(Self.track(1, eyes: nil, projection: "fish", venue)) == "immersive none")
    #expect(try Self.classification(Self.track(1, eyes: nil, projection: "fish")) == "mono none")
  }

  @Test func sphericalMetadataOfTheFirstVersion() throws {
    let type: [UInt8] = [
      0xFF, 0xCC, 0x82, 0x63, 0xF8, 0x55, 0x4A, 0x93, 0x88, 0x14, 0x58, 0x7A, 0x02, 0x52, 0x1F, 0xDD,
    ]
    let moov = Self.track(
      1, eyes: nil, box("uuid", type, Array("<rdf:SphericalVideo><a:Spherical>true</a:Spherical>".utf8)))
    let movie = try MovieFile(bytes: box("ftyp", code("qt  "), u32(0)) + box("moov", moov))
    #expect(try #require(movie.tracks.first).classificationFacts.hasGoogleSpherical)
    let plain = try MovieFile(
      bytes: box("ftyp", code("qt  "), u32(0)) + box("moov", Self.track(1, eyes: nil)))
    #expect(try #require(plain.tracks.first).classificationFacts.hasGoogleSpherical == false)
  }

  /// Every text that ffprobe finds in the metadata of a movie is found here.
  @Test(.enabled(if: Corpus.isPresent)) func valuesThatFFprobeFinds() throws {
    var compared = 0
    let own: Set = ["major_brand", "minor_version", "compatible_brands", "creation_time"]
    for name in Corpus.files(with: "ffprobe.json") where name.hasSuffix(".mov") || name.hasSuffix(".mp4") {
      guard let truth = Corpus.truth(name, "ffprobe.json"),
        let json = try JSONSerialization.jsonObject(with: Data(truth.utf8)) as? [String: Any],
        let format = json["format"] as? [String: Any], let tags = format["tags"] as? [String: String]
      else { continue }
      let found = Set(Self.metadata(Corpus.bytes(name)).items.compactMap(\.stringValue))
      for (key, value) in tags where !own.contains(key) {
        compared += 1
        #expect(found.contains(value), "\(name): \(key) is \(value), found \(found)")
      }
    }
    #expect(compared > 20)
  }
}
