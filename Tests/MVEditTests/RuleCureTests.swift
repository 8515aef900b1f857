// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import MovieCases
import Multiview
import TestSupport
import Testing

/// Of a movie that breaks a rule `mvdump check` prints the line that puts it right, where one does without encoding; and it does.
@Suite struct RuleCureTests {
  /// What is printed for the cases of each rule, in their order; `nil` where nothing is: what is lost, or which of two answers is
  /// right, nobody but the maker knows. Words in capitals stand for what that is.
  private static let commands: [RuleID: [String?]] = [
    // Boxes that are damaged, or gone.
    "MV001": [nil], "MV002": [nil], "MV003": [nil], "MV004": ["repair"], "MV081": [nil],
    "MV082": [nil], "MV100": [nil], "MV083": ["repair", nil, nil, nil, "repair", nil],
    "MV084": ["repair", nil, "repair"],
    "MV085": [nil, nil], "MV095": [nil], "MV096": ["repair"], "MV097": [nil, "repair"], "MV122": ["repair"],
    "MV065": ["repair", nil], "MV091": ["repair", "repair"],
    // Records and layers.
    "MV005": ["repair", "repair"], "MV006": ["repair", "repair --from ORIGINAL"], "MV007": ["repair"],
    "MV008": ["repair"], "MV123": ["repair"], "MV009": ["repair"], "MV010": ["repair"], "MV011": ["repair"],
    "MV012": ["strip", nil, nil], "MV101": ["repair --from ORIGINAL"], "MV103": [nil, nil],
    "MV013": [nil, "repair"], "MV014": ["repair --from ORIGINAL", "repair"],
    "MV015": ["repair --from ORIGINAL"], "MV016": ["tag"], "MV017": ["repair"], "MV018": ["repair"],
    "MV019": [nil], "MV020": ["merge"], "MV021": [nil], "MV073": [nil], "MV074": [nil, "repair"],
    "MV094": ["repair --from ORIGINAL"], "MV099": [nil], "MV089": ["repair"], "MV090": ["repair", nil],
    // Values of the cameras.
    "MV022": ["tag --field-of-view DEGREES"], "MV023": ["tag --baseline MM"], "MV024": ["tag"],
    "MV025": [nil], "MV026": ["tag", "tag --field-of-view DEGREES"], "MV027": ["tag --baseline MM"],
    "MV028": ["tag --field-of-view DEGREES"], "MV029": ["tag --disparity FRACTION"],
    "MV030": [nil, nil, nil, nil],
    "MV080": [nil], "MV092": ["tag --baseline MM"],
    // Boxes of stereo and projected video.
    "MV031": ["tag"], "MV032": [nil], "MV033": ["repair", "repair"],
    "MV034": ["repair", "repair", "repair"], "MV035": ["repair", "repair"], "MV036": ["repair", "repair"],
    "MV037": ["repair", "repair"], "MV038": ["repair", "repair"], "MV039": ["tag --projection KIND"],
    "MV040": ["tag"], "MV041": ["tag --packing KIND"], "MV042": ["tag"], "MV043": [nil], "MV044": ["tag"],
    "MV045": [nil], "MV075": ["tag"], "MV076": [nil], "MV077": ["tag", "tag"], "MV078": [nil],
    "MV079": [nil], "MV088": [nil, nil, nil, nil, nil, nil, nil, nil, nil], "MV093": ["tag"],
    // The bitstream: it would have to be encoded again, or which of its statements is right is not known.
    "MV046": [nil], "MV047": [nil], "MV048": [nil], "MV049": [nil], "MV087": [nil], "MV098": [nil],
    "MV050": [nil], "MV102": [nil], "MV055": [nil], "MV127": [nil, nil],
    // Samples and their tables.
    "MV051": ["repair"], "MV052": ["repair"], "MV053": [nil, "repair", "repair", "repair"],
    "MV054": ["repair"], "MV056": ["repair"], "MV057": [nil, "repair"], "MV058": ["repair", "repair"],
    "MV059": [nil], "MV060": [nil], "MV086": ["repair"], "MV061": ["repair"], "MV129": [nil], "MV130": [nil],
    // Colour and size.
    "MV062": ["repair"], "MV063": [nil, nil, nil], "MV064": ["repair"],
    // Headers and sound.
    "MV124": ["repair", "repair", "repair", "repair"], "MV125": ["repair", nil], "MV126": ["repair"],
    // Fragments.
    "MV066": ["fragment"], "MV067": [nil], "MV068": ["repair"], "MV069": ["fragment"],
    "MV070": ["fragment"], "MV071": ["fragment"], "MV072": ["fragment"], "MV128": [nil],
  ]

  private static let values = [
    "DEGREES": "63.4", "MM": "63", "FRACTION": "0.02",
  ]

  @Test func everyCaseIsListed() {
    for (rule, cases) in Dictionary(grouping: RuleCase.all, by: \.rule) {
      #expect(Self.commands[rule]?.count == cases.count, "\(rule)")
    }
  }

  @Test(arguments: RuleCase.all.indices) func thePrintedLinePutsItRight(index: Int) throws {
    let item = RuleCase.all[index]
    let number = RuleCase.all[..<index].count { $0.rule == item.rule }
    let list = try #require(Self.commands[item.rule])
    try #require(number < list.count)
    let folder = try TemporaryFolder()
    var movie = try item.start()
    let original = try folder.write("original.mov", movie.encoded())
    try item.edit(&movie)
    let broken = try folder.write("broken.mov", movie.encoded())
    let findings = try findings(broken)
    let finding = try #require(findings.first { $0["rule"]?.text == item.rule.rawValue })
    let line = finding["command"]?.text, template = finding["commandTemplate"]?.text
    guard let wanted = list[number] else {
      #expect(line == nil && template == nil, "\(item.rule): \(line ?? template ?? "")")
      return
    }
    let isTemplate = wanted.contains { $0.isUppercase }
    let printed = try #require(isTemplate ? template : line, "\(item.rule): \(line ?? template ?? "nothing")")
    #expect(printed.hasPrefix("mvedit \(wanted) "), "\(item.rule): \(printed)")
    let kind = item.rule == "MV041" ? "side" : "hequ"
    let words = printed.split(separator: " ").dropFirst().map { word -> String in
      word == "ORIGINAL" ? original : word == "KIND" ? kind : Self.values[String(word)] ?? String(word)
    }
    let run = mvedit(words)
    // What is left is another rule, and in the status.
    let isAll = !run.errors.contains("not repaired: ")
    #expect(run.code == (isAll ? .success : .no), "\(printed): \(run.errors)")
    let fixed = try #require(words.firstIndex(of: "-o").map { words[$0 + 1] })
    let left = try self.findings(fixed)
    #expect(!left.contains { $0["rule"]?.text == item.rule.rawValue }, "\(printed): \(item.rule) is left")
    // Nothing else is broken by it, but that a movie that is one in stereo now lacks values of its cameras.
    let before = Set((findings + (try self.findings(original))).compactMap { $0["rule"]?.text })
      .union(["MV022", "MV023", "MV024"])
    let new = left.filter { $0["severity"]?.text == "error" }.compactMap { $0["rule"]?.text }
      .filter { !before.contains($0) }
    #expect(new.isEmpty, "\(printed): \(new)")
    guard wanted.hasPrefix("repair") else { return }
    // Once is enough.
    let again = mvedit("repair", "--dry-run", "--json", fixed)
    #expect(again.json?["steps"]?.elements.isEmpty == true, "\(printed): \(again.output)\(again.errors)")
  }

  /// Movies that commands refuse as a whole, each with a finding that they would fix in others.
  private static let refused: [(name: String, make: @Sendable () throws -> [UInt8])] = [
    ("init segment", { try fragmented { ["ftyp", "moov"].contains($0) } }),
    ("media segment", { try fragmented { !["ftyp", "moov"].contains($0) } }),
    ("encrypted", { try encrypted(EditedMovie("two-views-fragmented.mp4")) }),
    ("encrypted, in one piece", { try encrypted(EditedMovie()) }),
    (
      "no media handler",
      {
        var movie = EditedMovie()
        movie.remove("moov/trak/mdia/hdlr")
        movie.remove("moov/trak/mdia/minf/dinf/dref")
        return try movie.encoded()
      }
    ),
    (
      "movie box too long",
      {
        var movie = EditedMovie()
        movie.remove("ftyp")
        var bytes = try movie.encoded()
        bytes[try required(movie.opened().tree?.first("moov")).offset + 1] += 1
        return bytes
      }
    ),
  ]

  /// Of a movie in fragments only some boxes.
  private static func fragmented(keeping isKept: (FourCC) -> Bool) throws -> [UInt8] {
    var movie = EditedMovie("two-views-fragmented.mp4")
    for type in Set(movie.tree.boxes.map(\.type)) where !isKept(type) { movie.remove("\(type)") }
    return try movie.encoded()
  }

  private static func encrypted(_ start: EditedMovie) throws -> [UInt8] {
    var movie = start
    let entry = try required(movie.tree["moov/trak/mdia/minf/stbl/stsd/hvc1"])
    movie.replace(
      EditedMovie.entry,
      with: try box("encv", Array(entry.encoded().dropFirst(8)) + box("sinf", box("frma", code("hvc1")))))
    movie.remove("ftyp")
    return try movie.encoded()
  }

  /// Every line that is printed runs, whatever the movie is.
  @Test(arguments: refused.indices) func everyPrintedLineRuns(index: Int) throws {
    let (name, make) = Self.refused[index]
    let folder = try TemporaryFolder()
    let movie = try folder.write("movie.mov", make())
    let found = try findings(movie)
    #expect(!found.isEmpty, "\(name)")
    for line in Set(found.compactMap { $0["command"]?.text }) {
      let words = line.split(separator: " ").dropFirst().map(String.init)
      let run = mvedit(words + ["--force"])
      #expect(run.code == .success, "\(name): \(line): \(run.errors)")
    }
  }

  private func findings(_ path: String) throws -> [JSONValue] {
    try #require(mvdump("check", "--json", path).json?["findings"]?.elements)
  }
}
