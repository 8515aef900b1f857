// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import MVDumpCommand
import TestSupport
import Testing

/// What the commands write as JSON follows docs/schema, over the fixtures and over files by other hands.
@Suite struct SchemaTests {
  static let commands =
    ["info", "params", "nal", "samples", "layers", "eyes", "probe"]
    + CommandList.all.map { $0.name }.filter { $0 == "check" }

  /// Every command that takes `--json` has a schema.
  @Test func everyCommandHasASchema() {
    for command in CommandList.all where command.options.contains(where: { $0.name == "json" }) {
      #expect(JSONSchema(named: command.name) != nil, "docs/schema/\(command.name).json")
    }
  }

  @Test func theListOfRulesFollowsItsSchema() throws {
    let schema = try #require(JSONSchema(named: "check.rules"))
    Self.check(mvdump("check", "--list", "--json"), schema, "check --list")
  }

  /// Of pictures a few files: without optimisation, decoding takes its time. One file is not HEVC.
  @Test(arguments: ["pictures", "verify"], GoldenTests.pictureFiles + ["metadata-keys.mov"])
  func pictures(command: String, name: String) throws {
    let schema = try #require(JSONSchema(named: command))
    Self.check(mvdump(command, "--json", Fixtures.path(name)), schema, "\(command) \(name)")
  }

  @Test(arguments: Fixtures.media) func diff(name: String) throws {
    let schema = try #require(JSONSchema(named: "diff"))
    Self.check(
      mvdump("diff", "--json", Fixtures.path("spatial.mov"), Fixtures.path(name)), schema, "diff \(name)")
  }

  @Test(arguments: commands, Fixtures.media) func fixtures(command: String, name: String) throws {
    let schema = try #require(JSONSchema(named: command))
    Self.check(mvdump(command, "--json", Fixtures.path(name)), schema, "\(command) \(name)")
    let lines = mvdump(command, "--json-lines", Fixtures.path(name))
    #expect(lines.lines.count <= 1)
    #expect(lines.json == mvdump(command, "--json", Fixtures.path(name)).json)
  }

  @Test(.enabled(if: Corpus.isPresent), arguments: commands) func corpus(command: String) throws {
    let folder = try #require(Corpus.folder)
    let schema = try #require(JSONSchema(named: command))
    var documents = 0
    // A few samples show every key.
    let range = ["nal", "samples"].contains(command) ? ["--samples", "0-3"] : []
    for part in ["apple", "lhevc", "made", "broken", "third-party"] {
      for name in Corpus.files(part) {
        let run = mvdump([command, "--json", folder + "/" + name] + range)
        if Self.check(run, schema, "\(command) \(name)") { documents += 1 }
      }
    }
    print("\(command): \(documents) documents follow their schema")
    #expect(documents > 100)
  }

  /// Whether there was a document; notes what is wrong with it.
  @discardableResult
  static func check(_ run: ToolRun, _ schema: JSONSchema, _ what: String) -> Bool {
    guard !run.output.isEmpty else {
      #expect(run.code == .unreadable && !run.errors.isEmpty, "\(what)")
      return false
    }
    let problem = jsonProblem(run.output)
    #expect(problem == nil, "\(what)")
    guard problem == nil, let value = run.json else { return false }
    #expect(schema.problems(value) == [], "\(what)")
    return true
  }
}
