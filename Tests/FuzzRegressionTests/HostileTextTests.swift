// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FileAccess
import HEVC
import ISOBMFF
import TestSupport
import Testing

@testable import MVDumpCommand
@testable import Multiview

/// Texts of a file that are long, shared by many, or meant for the terminal: what is said of them stays short.
@Suite struct HostileTextTests {
  /// What the tool writes of a file on standard input.
  private static func run(_ arguments: String..., on bytes: [UInt8]) -> String {
    let output = OutputChannel()
    let surroundings = Surroundings(
      output: output, errors: OutputChannel(), environment: { _ in nil },
      openStandardInput: { _ in MemoryBytes(ByteView(bytes)) })
    #expect(MVDump.run(arguments + ["-"], in: surroundings).rawValue <= 1)
    return output.buffer.text
  }

  // MARK: Items

  /// A HEIF file with so many items, of which the first has a name and all have one property.
  private static func image(
    _ count: Int, name: [UInt8] = [], auxiliaryType: [UInt8] = [], references: Int = 0
  ) -> [UInt8] {
    let items = (1...count).flatMap {
      Raw.fullBox("infe", version: 2, Raw.u16($0, 0), Array("hvc1".utf8), $0 == 1 ? name : [], [0])
    }
    let auxiliary = (2..<max(3, count)).flatMap { item in
      (0..<references).flatMap { _ in Raw.box("auxl", Raw.u16(item, 1, 1)) }
    }
    let properties = Raw.box(
      "iprp", Raw.box("ipco", Raw.fullBox("auxC", auxiliaryType, [0])),
      Raw.fullBox("ipma", Raw.u32(count), (1...count).flatMap { Raw.u16($0) + [1, 1] }))
    return Raw.box("ftyp", Array("heic".utf8), Raw.u32(0), Array("heic".utf8))
      + Raw.fullBox(
        "meta", Raw.fullBox("hdlr", Raw.u32(0), Array("pict".utf8), Raw.u32(0, 0, 0), [0]),
        Raw.fullBox("iinf", Raw.u16(count), items), Raw.fullBox("iref", auxiliary), properties)
  }

  @Test(arguments: [[0x6E], [1], [0xCC, 0x81], [0x20, 0x3A]] as [[UInt8]])
  func longTextsOfItems(_ piece: [UInt8]) {
    let long = [[UInt8]](repeating: piece, count: 25_000).flatMap { $0 }
    for image in [
      Self.image(12, name: long),
      Self.image(12, auxiliaryType: long, references: 12),
      // A name does not make the lines of the others longer.
      Self.image(12, name: Array("sky".utf8) + long, auxiliaryType: Array("urn:".utf8) + long, references: 1),
    ] {
      let text = Self.run("info", on: image)
      #expect(text.utf8.count < 100_000 && text.split(separator: "\n").count >= 14)
    }
    let named = Self.run("info", on: Self.image(12, name: long)).split(separator: "\n")
    #expect(named.dropFirst(4).prefix(11).allSatisfy { $0.utf8.count < 30 }, "\(named)")
  }

  @Test func oneAuxiliaryTypeForManyItems() throws {
    let text = Self.run(
      "info", "--json",
      on: Self.image(
        500, name: Array(repeating: 0x62, count: 20_000), auxiliaryType: Array(repeating: 0x61, count: 20_000)
      ))
    #expect(text.utf8.count < 250_000)
    let items = try #require(JSONValue(text)?["items"]?["list"]).elements
    #expect(items.count == 500)
    #expect(items.allSatisfy { $0["auxiliaryType"]?.text == String(repeating: "a", count: 128) + "…" })
    #expect(items[0]["name"]?.text == String(repeating: "b", count: 1_024) + "…")
    let usual = Self.run("info", "--json", on: Self.image(1, auxiliaryType: Array("urn:x:alpha".utf8)))
    #expect(JSONValue(usual)?["items"]?["list"]?[0]?["auxiliaryType"]?.text == "urn:x:alpha")
  }

  @Test func columnsOfOneLongCell() {
    var table = Columns(["a", "b", "c"], right: [1])
    table.add([String(repeating: "x", count: 5_000), "1", "two"])
    for _ in 0..<50 { table.add(["y", "22", "three  "]) }
    let lines = table.lines(indentation: 2).rows
    #expect(lines[0].hasSuffix("xxx   1  two"))
    #expect(Set(lines.dropFirst()) == ["  y" + String(repeating: " ", count: 257) + "22  three"])
  }

  @Test func spacesAtTheEnd() {
    #expect(
      ["", " ", "a ", " aé  ", "a\u{301} \u{301}", "qt  "].map(\.trimmed) == [
        "", "", "a", " aé", "a\u{301} \u{301}", "qt",
      ])
    // Cut between characters, whatever they are.
    #expect(
      ["abc", "abcd", "aéé", "a\u{1F600}"].map { $0.shortened(to: 3) } == ["abc", "abc…", "aé…", "a…"])
  }

  // MARK: Metadata

  @Test func oneLongNameForManyItems() throws {
    let keys = Raw.fullBox("keys", Raw.u32(1), Raw.box("mdta", [UInt8](repeating: 1, count: 1_000)))
    let item = Raw.u32(8 + 17, 1) + Raw.box("data", Raw.u32(1, 0), [118])
    let items = Raw.box("ilst", [[UInt8]](repeating: item, count: 1_000).flatMap { $0 })
    let meta = Raw.box(
      "meta", Raw.fullBox("hdlr", Raw.u32(0), Array("mdta".utf8), Raw.u32(0, 0, 0), [0]), keys, items)
    var movie = HostileMovie(tracks: [HostileTrack()])
    movie.more = meta
    // Of each item of a few bytes no more than a line.
    #expect(Self.run("info", "--json", on: movie.bytes).utf8.count < 1_000_000)
    movie.more = []
    movie.tracks[0].references = meta
    #expect(Self.run("info", on: movie.bytes).utf8.count < 700_000)
  }

  @Test func identifiersOfLongNames() throws {
    var movie = HostileMovie(tracks: [HostileTrack()])
    movie.more = Raw.box("udta", Raw.u32(13, 0xA96E_616D), Raw.u16(1, 0), [0x61])
    var item = try #require(try movie.opened().metadata.items.first)
    #expect(item.identifier == "udta/%A9nam")
    item.key = "©©\u{301}a©"
    #expect(item.identifier == "udta/%A9%A9\u{301}a%A9")
    item.key.rawValue = String(repeating: "é", count: 10_000)
    var size = 0
    let cost = spent { size = item.identifier.utf8.count }
    #expect(size == 20_005 && cost.allocations <= 4)
  }

  // MARK: Findings

  private static func findings(_ movie: HostileMovie, _ rule: String) throws -> [Finding] {
    try movie.opened().check().findings.filter { $0.rule.id.rawValue == rule }
  }

  @Test func unitsInTheWrongArray() throws {
    func cost(_ count: Int) throws -> Int {
      let description = try HostileProductTests.description(
        ofTrack: 0, record: "hvcC", unit: [0x44, 0x01], count: count)
      let opened = try HostileMovie(tracks: [HostileTrack(description: description)]).opened()
      return spent {
        let found = opened.check().findings.filter { $0.rule.id.rawValue == "MV011" }
        #expect(!found.isEmpty && found.allSatisfy { $0.path.hasSuffix("/hvc1/hvcC") })
      }.allocations
    }
    let few = try cost(2_000), many = try cost(12_000)
    // What a check costs for each unit in a debug build; its place and a message that is not kept would be eight more.
    #expect(many - few <= 26 * 10_000, "\(few), \(many)")
  }

  @Test func strangersInOneBox() throws {
    func cost(_ count: Int) throws -> Int {
      let strangers = (0..<count).flatMap { Raw.u32(8, 0x6161_6161 + $0) }
      var track = HostileTrack()
      track.description = Raw.fullBox(
        "stsd", Raw.u32(1), Raw.box("hvc1", [UInt8](repeating: 0, count: 78), Raw.box("vexu", strangers)))
      let bytes = HostileMovie(tracks: [track]).bytes
      return try spent {
        let layout = try MovieFile(bytes: bytes).tracks[0].formatDescriptions.first?.stereo
        #expect(layout?.diagnostics.first?.code == "unknown-box")
      }.allocations
    }
    let few = try cost(1_000), many = try cost(6_000)
    // The words for one in a debug build; boxes that were numbered for each would cost a table of all of them more.
    #expect(many - few <= 20 * 5_000, "\(few), \(many)")
  }

  @Test func straysWithoutNumber() throws {
    let entry = try #require(
      BoxTree(Fixtures.bytes("spatial.mov"), registry: .standard)["moov/trak[0]/mdia/minf/stbl/stsd/hvc1"])
    let description = try HostileProductTests.description(
      of: entry, record: "hvcC", unit: [0x44, 0x09], count: 20_000)
    let found = try Self.findings(HostileMovie(tracks: [HostileTrack(description: description)]), "MV007")
    let names = [String](repeating: "PPS_NUT of layer 1", count: 8).joined(separator: ", ")
    #expect(found.map(\.message) == ["hvcC holds \(names), and 19992 more"])
  }

  @Test func brandsWithoutNumber() throws {
    var movie = HostileMovie(tracks: [HostileTrack()])
    movie.more = Raw.box("mvex", Raw.fullBox("trex", Raw.u32(1, 1, 1, 1, 0)))
    func report(_ brands: [Int]) throws -> (found: [String?], allocations: Int) {
      let type = Raw.box("ftyp", Array("zz  ".utf8), Raw.u32(0), Raw.words(brands))
      // After its own, whose brands do not count then.
      let opened = try MovieFile(bytes: type + movie.bytes.dropFirst(24))
      var found: [String?] = []
      let cost = spent {
        found = opened.check().findings
          .filter { ["MV004", "MV071"].contains($0.rule.id.rawValue) }.map(\.found)
      }
      return (found, cost.allocations)
    }
    let few = try report([1, 1, 2])
    #expect(
      few.found == [
        // The warning about streaming comes before the note that nobody knows the brands.
        "\\x00\\x00\\x00\\x01, \\x00\\x00\\x00\\x02, zz  ",
        "zz  , \\x00\\x00\\x00\\x01, \\x00\\x00\\x00\\x02",
      ])
    let many = try report((1...20_000).map { $0 << 8 })
    #expect(many.found.count == 2 && many.found.allSatisfy { $0?.hasSuffix(", and 19993 more") == true })
    // What it takes to read them; to compare each with a list of its own took twice as many again.
    #expect(many.allocations - few.allocations < 60 * 20_000, "\(few.allocations), \(many.allocations)")
  }

  @Test func brandsOfMoviesAreKnown() throws {
    let movie = HostileMovie(tracks: [HostileTrack()])
    for (brand, isKnown) in [("iso2", true), ("qt  ", true), ("mp4 ", true), ("M4VP", true), ("isX1", false)]
    {
      let type = Raw.box("ftyp", Array(brand.utf8), Raw.u32(0))
      let report = try MovieFile(bytes: type + movie.bytes.dropFirst(24)).check()
      #expect(report.findings.contains { $0.rule.id.rawValue == "MV004" } != isKnown)
    }
    var fragmented = movie
    fragmented.more = Raw.box("mvex", Raw.fullBox("trex", Raw.u32(1, 1, 1, 1, 0)))
    for (brand, isKnown) in [
      ("iso5", false), ("iso6", true), ("iso9", true), ("iso:", false), ("isoa", true), ("isol", true),
      ("isom", false), ("cmfc", true), ("hlsf", true),
    ] {
      let type = Raw.box("ftyp", Array(brand.utf8), Raw.u32(0))
      let report = try MovieFile(bytes: type + fragmented.bytes.dropFirst(24)).check()
      #expect(report.findings.contains { $0.rule.id.rawValue == "MV071" } != isKnown, "\(brand)")
    }
  }

  @Test func textsOfFindingsAreCut() {
    var sink = FindingSink(.fileTypePresent, limit: 10)
    let long = String(repeating: "é", count: 1_000)
    sink.add(long, found: "a" + long, wanted: long)
    sink.add("short", found: nil)
    let cut = String(repeating: "é", count: 512) + "…"
    #expect(sink.findings[0].message == cut && sink.findings[0].wanted == cut)
    #expect(sink.findings[0].found == "a" + String(repeating: "é", count: 511) + "…")
    #expect(sink.findings[1].message == "short" && sink.findings[1].found == nil)
  }

  // MARK: Paths

  /// So many boxes, one in another, and a few in the innermost.
  private static func nested(_ depth: Int, _ count: Int) -> [UInt8] {
    var box = [[UInt8]](repeating: Raw.box("free"), count: count).flatMap { $0 }
    for _ in 0..<depth { box = Raw.box("otyp", box) }
    return box
  }

  @Test func boxesAreListedOnce() {
    let file = Self.nested(20, 100)
    let tree = BoxTree(ByteView(file), registry: .standard)
    for (path, count) in [
      ("**/free", 100), ("**/**/free", 100), ("**/**/**/**/free", 100), ("**/otyp/**/free", 100),
      ("**/otyp/**/otyp/**/free", 100), ("**/*/**/free", 100), ("**/*", 120), ("**/otyp/**/*", 119),
      ("otyp/**/otyp", 19), ("**/otyp[0]/free[7]", 1),
    ] {
      let found = BoxPath(stringLiteral: path).matches(in: tree.boxes)
      #expect(found.count == count && Set(found.map(\.path)).count == count, "\(path)")
      #expect(found.map(\.box.offset) == found.map(\.box.offset).sorted())
    }
    #expect(BoxPath("**/**/free/**/**/**").description == "**/free/**")
  }

  @Test func boxesInBoxesAreShownOnce() throws {
    let file = Self.nested(20, 100)
    for form in [[], ["--json"]] {
      func size(_ arguments: [String]) -> Int {
        let output = OutputChannel()
        let surroundings = Surroundings(
          output: output, errors: OutputChannel(), environment: { _ in nil },
          openStandardInput: { _ in MemoryBytes(ByteView(file)) })
        #expect(MVDump.run(["tree"] + form + arguments + ["-"], in: surroundings) == .success)
        return output.buffer.text.utf8.count
      }
      // Each as itself, and once more in the outermost.
      #expect(size(["--path", "**/*"]) < 5 * size([]))
    }
    let json = try #require(JSONValue(Self.run("tree", "--json", "--path", "**/*", on: Self.nested(2, 1))))
    let boxes = json["boxes"]?.elements ?? []
    #expect(boxes.map { $0["path"]?.text } == ["otyp", "otyp/otyp", "otyp/otyp/free"])
    #expect(boxes.map { $0["children"]?.elements.count } == [1, 0, 0])
    #expect(boxes.map { $0["childrenOmitted"]?.integer } == [nil, 1, nil])
  }

  // MARK: Terminals

  @Test func textsForTheTerminal() {
    var movie = HostileMovie(tracks: [HostileTrack(handler: "soun")])
    let plain = movie.bytes
    movie.tracks[0].languageTag = "\u{1B}[31mHI\u{7}"
    let text = Self.run("info", on: movie.bytes)
    #expect(text.contains(", \\u{1b}[31mHI\\u{7}, ") && !text.unicodeScalars.contains("\u{1B}"))
    #expect(!Self.run("info", on: plain).contains("HI"))

    let overlay = ByteView(hex: "4e01a6097e001b5b33316d00c080")
    let stream = AnnexBNALUnits.join([NALUnit(overlay)].compactMap { $0 })
    let trace = Self.run("params", "--trace", on: stream)
    #expect(trace.contains("overlay_name st(v) \\u{1b}[31m\n"), "\(trace)")
    #expect(!trace.unicodeScalars.contains("\u{1B}"))
  }
}
