// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

/// Boxes so large that a tree holds only their beginning: what asks for all of them gets all.
@Suite struct LargeBoxTests {
  private static func movie(_ track: [UInt8]..., media: [UInt8] = [], more: [UInt8] = []) throws -> MovieFile
  {
    let header = fullBox("mvhd", [UInt8](repeating: 0, count: 8), u32(600), [UInt8](repeating: 0, count: 84))
    let trak = box(
      "trak", fullBox("tkhd", u32(0), u32(0), u32(1), [UInt8](repeating: 0, count: 68)), track.flatMap { $0 })
    return try MovieFile(
      bytes: box("ftyp", code("qt  "), u32(0), code("qt  ")) + box("moov", header, trak, more)
        + box("mdat", media))
  }

  /// A track of one second in 600 units, with these boxes in its `stbl`.
  private static func media(_ tables: [UInt8]..., handler: FourCC = "vide") -> [UInt8] {
    box(
      "mdia", fullBox("mdhd", u32(0), u32(0), u32(600), u32(600), u32(0)),
      fullBox("hdlr", u32(0), code(handler), u32(0), u32(0), u32(0), [0]),
      box("minf", box("stbl", tables.flatMap { $0 })))
  }

  private static func words(_ values: Range<UInt32>) -> [UInt8] { values.flatMap { u32($0) } }

  @Test func sixThousandEdits() throws {
    // Each shows 10 units of 20.
    let entries = (0..<6_000).flatMap { u32(10) + u32(20 * $0) + u32(0x1_0000) }
    let movie = try Self.movie(
      box("edts", fullBox("elst", u32(6_000), entries)), Self.media(fullBox("stsd", u32(0))))
    let edits = try #require(movie.tracks.first).edits
    #expect(edits.edits.count == 6_000 && edits.diagnostics.isEmpty)
    #expect(edits.edits[341].start == 3_410 && edits.edits[341].mediaRange == 6_820..<6_830)
    let last = try #require(edits.edits.last)
    #expect(last.start == 59_990 && last.end == 60_000 && last.mediaRange == 119_980..<119_990)
    #expect(edits.duration == 60_000)
    #expect(edits.presentationTime(compositionTime: 119_980, duration: 20) == 59_990)
    #expect(edits.presentationTime(compositionTime: 119_992, duration: 5) == nil)
  }

  @Test func seventeenThousandReferences() throws {
    let movie = try Self.movie(
      box("tref", box("cdsc", Self.words(1..<17_001))), Self.media(fullBox("stsd", u32(0))))
    let references = try #require(movie.tracks.first).references("cdsc")
    #expect(references.count == 17_000 && references.last == 17_000)
  }

  @Test func theNumberOfCompactSizes() throws {
    let sizes = fullBox("stz2", u32(8), u32(70_000), [UInt8](repeating: 1, count: 70_000))
    let movie = try Self.movie(Self.media(fullBox("stsd", u32(0)), sizes))
    #expect(movie.tracks.first?.sampleCount == 70_000)
  }

  @Test func sampleDescriptions() throws {
    let entry = box("hvc1", [UInt8](repeating: 0, count: 78))
    let entries = (0..<1_000).flatMap { _ in entry }
    let movie = try Self.movie(Self.media(fullBox("stsd", u32(1_000), entries)))
    #expect(movie.tracks.first?.formatDescriptions.count == 1_000)
  }

  @Test func aConfigurationRecordOfHundredThousandBytes() throws {
    var movie = EditedMovie()
    let message = NALUnitArray(
      .prefixSEI, isComplete: true,
      (0..<2).map { _ in ByteView([0x4E, 0x01, 5] + [UInt8](repeating: 0x11, count: 50_000)) })
    let before = try #require(try movie.opened().tracks.first?.formatDescriptions.first)
    movie.edit("\(EditedMovie.entry)/hvcC", HEVCConfigurationBox.self) { $0.record.arrays.append(message) }
    let track = try #require(try movie.opened().tracks.first)
    let description = try #require(track.formatDescriptions.first)
    let units = try #require(description.hevcConfiguration?.nalUnits)
    #expect(units.count == (before.hevcConfiguration?.nalUnits.count ?? 0) + 2)
    #expect(units.last?.bytes.count == 50_003)
    #expect(description.diagnostics.isEmpty)
    #expect(track.layers.map(\.layerID) == [0, 1] && track.layers.map(\.eye) == [.left, .right])
  }

  @Test func threeThousandMetadataKeys() throws {
    let keys = (0..<3_000).flatMap { number in
      box("mdta", Array("com.example.key.number.\(number)".utf8))
    }
    let items = (1...UInt32(3_000)).flatMap { number in
      box(FourCC(number), box("data", u32(1), u32(0), Array("value \(number)".utf8)))
    }
    let movie = try Self.movie(
      Self.media(fullBox("stsd", u32(0))),
      more: box(
        "meta", fullBox("hdlr", u32(0), code("mdta"), u32(0), u32(0), u32(0), [0]),
        fullBox("keys", u32(3_000), keys), box("ilst", items)))
    let metadata = movie.metadata
    #expect(metadata.items.count == 3_000 && metadata.diagnostics.isEmpty)
    #expect(metadata.items.last?.key.rawValue == "com.example.key.number.2999")
    #expect(metadata["com.example.key.number.2999"]?.stringValue == "value 3000")
    // Nor is the box damaged because not all of it was loaded.
    #expect(movie.tree?.payloadDiagnostics().isEmpty == true)
  }

  @Test func theSetupOfTimedMetadata() throws {
    let key = box(
      FourCC(1), box("keyd", code("mdta"), Array("com.example.large".utf8)),
      box("setu", [UInt8](repeating: 7, count: 70_000)))
    let entry = box("mebx", [UInt8](repeating: 0, count: 6), u16(1), box("keys", key))
    let movie = try Self.movie(Self.media(fullBox("stsd", u32(1), entry), handler: "meta"))
    let table = try #require(movie.tracks.first?.timedMetadataKeys)
    #expect(table["com.example.large"]?.setupData?.count == 70_000)
  }

  @Test func sixThousandItems() throws {
    let ids = (1...UInt16(6_000))
    let entries = ids.flatMap { id in
      box("infe", u32(2 << 24), u16(id), u16(0), code("hvc1"), [0])
    }
    let locations = ids.flatMap { id in u16(id) + u16(0) + u16(1) + u32(0) + u32(UInt32(id)) }
    // Nine times the first size, then the second.
    let associations = ids.flatMap { id in u16(id) + [10] + [UInt8](repeating: 1, count: 9) + [2] }
    let sizes = fullBox("ispe", u32(64), u32(48)) + fullBox("ispe", u32(32), u32(24))
    let meta = fullBox(
      "meta", fullBox("hdlr", u32(0), code("pict"), u32(0), u32(0), u32(0), [0]),
      fullBox("iinf", u16(6_000), entries), fullBox("iloc", [0x44, 0], u16(6_000), locations),
      box("iprp", box("ipco", sizes), fullBox("ipma", u32(6_000), associations)),
      box("iref", u32(1 << 24), box("dimg", u32(1), u16(17_000), Self.words(1..<17_001))),
      box("grpl", fullBox("altr", u32(9), u32(17_000), Self.words(1..<17_001))))
    let file = try MovieFile(bytes: box("ftyp", code("heic"), u32(0), code("heic")) + meta)
    let items = try #require(file.items)
    #expect(items.items.count == 6_000)
    #expect(items.items.allSatisfy { $0.byteCount == UInt64($0.id) })
    #expect(items.items.allSatisfy { $0.properties.count == 10 && $0.width == 32 })
    #expect(items.references.map(\.to.count) == [17_000] && items.references.first?.to.last == 17_000)
    #expect(items.groups.map(\.members.count) == [17_000])
  }

  @Test func seventeenThousandBrands() throws {
    let brands = Self.words(0x6100_0000..<0x6100_4268)
    let movie = try MovieFile(bytes: box("ftyp", code("isom"), u32(0), brands) + box("moov"))
    #expect(movie.container.compatibleBrands.count == 17_000)
  }

  @Test func aTableThatPromisesTooMuchIsFound() throws {
    let keys = box("mdta", Array("com.example".utf8))
    let movie = try Self.movie(
      Self.media(fullBox("stsd", u32(0))),
      more: box(
        "meta", fullBox("hdlr", u32(0), code("mdta"), u32(0), u32(0), u32(0), [0]),
        fullBox("keys", u32(9_000), (0..<5_000).flatMap { _ in keys })))
    #expect(movie.tree?.payloadDiagnostics().map(\.path) == ["moov/meta/keys"])
  }
}
