// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import MVDumpCommand
import Multiview
import TestSupport
import Testing

@Suite struct CheckTests {
  private static let withoutView = Fixtures.path("stereo-tags-without-lhvC.mov")

  // MARK: The command

  @Test func aSpatialMovieIsOne() {
    let run = mvdump("check", spatial)
    #expect(run.code == .success && run.errors.isEmpty)
    #expect(run.lines.contains { $0.hasPrefix("  spatial    pass") && $0.contains("predicted") })
    #expect(!run.output.contains("will play"))
    #expect(mvdump("check", "--strict", spatial).code == .success)
  }

  @Test func saysWhereWhyAndHowToMend() throws {
    let run = mvdump("check", Self.withoutView)
    #expect(run.code == .no && run.errors.isEmpty)
    let rule = try #require(Rule.named("MV015"))
    #expect(run.output.contains("error MV015  " + rule.title))
    for label in ["where", "what", "value", "why", "fix"] { #expect(run.output.contains("  \(label) ")) }
    #expect(
      run.lines.allSatisfy { line in
        line.count <= 100 || ["/", "error", "  run ", "  with "].contains { line.hasPrefix($0) }
      })
  }

  @Test func theExitStatusFollowsSeverity() {
    #expect(mvdump("check", "--rule", "MV009", Self.withoutView).code == .success)
    #expect(mvdump("check", "--rule", "mv015", Self.withoutView).code == .no)
    #expect(mvdump("check", "--not-rule", "MV014", "--not-rule", "MV015", Self.withoutView).code == .success)
    let warned = Fixtures.path("two-views-fragmented.mp4")
    let report = mvdump("check", "--json", warned).json
    let severities = Set(report?["findings"]?.elements.compactMap { $0["severity"]?.text } ?? [])
    #expect(mvdump("check", warned).code == (severities.contains("error") ? .no : .success))
    #expect(
      mvdump("check", "--strict", warned).code == (severities.isSubset(of: ["note"]) ? .success : .no))
    #expect(mvdump("check", spatial, Self.withoutView).code == .no)
    #expect(mvdump("check", spatial, Fixtures.folder + "/none.mov").code == .unreadable)
  }

  @Test(arguments: [
    (["--rule", "MV999"], "unknown rule 'MV999'; mvdump check --list shows all rules"),
    (["--not-rule", "x"], "unknown rule 'x'; mvdump check --list shows all rules"),
  ])
  func unknownRulesAreWrongUsage(arguments: [String], message: String) {
    let run = mvdump(["check"] + arguments + [spatial])
    #expect(run.code == .usage && run.errors == "mvdump: check: \(message) (see: mvdump check --help)\n")
  }

  @Test func listsItsRules() {
    let run = mvdump("check", "--list")
    #expect(run.code == .success && run.lines.count == Rule.all.count + 1)
    for (line, rule) in zip(run.lines.dropFirst(), Rule.all) {
      #expect(line.hasPrefix(rule.id.rawValue) && line.hasSuffix(rule.title))
    }
    let json = mvdump("check", "--list", "--json").json
    #expect(json?["rules"]?.elements.count == Rule.all.count)
    let csv = mvdump("check", "--list", "--csv")
    #expect(csv.lines.first == "rule,severity,targets,title" && csv.lines.count == Rule.all.count + 1)
    #expect(csv.lines[1].hasPrefix("MV001,error,ISO,"))
    #expect(mvdump("check").code == .usage)
  }

  @Test func explainsItsRules() {
    for topic in ["MV012", "mv012"] {
      let run = mvdump("explain", topic)
      #expect(run.code == .success && run.lines.first?.hasPrefix("MV012") == true)
      for label in ["severity", "affects", "confidence", "fix", "reference"] {
        #expect(run.output.contains("  \(label) "))
      }
    }
    #expect(mvdump("explain", "rules").lines.count == Rule.all.count)
  }

  // MARK: Several files

  @Test func aFolderGivesATable() throws {
    let folder = try TemporaryFolder()
    try folder.write("a/good.mov", Fixtures.bytes("spatial.mov").array)
    try folder.write("b/bad.mov", Fixtures.bytes("stereo-tags-without-lhvC.mov").array)
    let run = mvdump("check", "-r", folder.path)
    #expect(run.code == .no)
    #expect(run.lines.count == 4 && run.lines.last == "2 files, 1 without errors")
    #expect(run.lines[1].hasPrefix("\(folder.path)/a/good.mov") && run.lines[1].contains("spatial"))
    #expect(run.lines[2].hasSuffix("MV014 MV015"))
    let lines = mvdump("check", "--json-lines", "-r", folder.path).lines
    #expect(lines.count == 2 && lines.allSatisfy { JSONValue($0) != nil })
  }

  @Test func writesCommaSeparatedValues() throws {
    let run = mvdump("check", "--csv", spatial, Self.withoutView)
    let titles = try #require(run.lines.first).split(separator: ",", omittingEmptySubsequences: false)
    #expect(titles.count == 16 && titles[7] == "rule")
    #expect(run.lines.dropFirst().contains { $0.contains(",MV015,error,1,") })
  }

  // MARK: JSON

  @Test(arguments: Fixtures.media) func followsItsSchema(name: String) throws {
    let schema = try #require(JSONSchema(named: "check"))
    for option in ["--json", "--json-lines"] {
      let run = mvdump("check", option, Fixtures.path(name))
      #expect(jsonProblem(run.output) == nil)
      #expect(schema.problems(try #require(run.json)) == [], "\(name)")
    }
  }

  @Test func brokenFilesFollowTheSchema() throws {
    guard Corpus.isPresent, let folder = Corpus.folder else { return }
    let schema = try #require(JSONSchema(named: "check"))
    var checked = 0
    for name in Corpus.files("broken") {
      let run = mvdump("check", "--json", folder + "/" + name)
      guard run.code != .unreadable else { continue }
      #expect(schema.problems(try #require(run.json)) == [], "\(name)")
      checked += 1
    }
    print("\(checked) checks of broken files follow their schema")
    #expect(checked > 150)
  }

  // MARK: Recorded

  @Test(arguments: Fixtures.media) func fixturesAsRecorded(name: String) {
    let run = mvdump("check", Fixtures.path(name))
    let text = run.output.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let recorded = "\(name)\n" + (text.count > 1 ? withoutFolder(text[1]) : "")
    #expect(Golden.difference(recorded, "\(name).check.txt") == nil)
    var json = mvdump("check", "--json", Fixtures.path(name)).output
    json = withoutFolder(json).split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix("  \"file\":") ? "  \"file\": \"\(name)\"," : String($0) }.joined(separator: "\n")
    #expect(Golden.difference(json, "\(name).check.json") == nil)
  }

  /// The commands that repair a finding name the file as it was given: here below this machine's folder of the package.
  private func withoutFolder(_ text: some StringProtocol) -> String {
    String(text).replacing(Fixtures.folder + "/", with: "fixtures/")
  }
}
