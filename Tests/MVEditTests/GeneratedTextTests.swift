// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import Foundation
import MVEditCommand
import TestSupport
import Testing

@Suite struct GeneratedTextTests {
  @Test func manualPageIsTrue() {
    let run = mvedit("--man")
    #expect(run.code == .success)
    #expect(Golden.difference(run.output, file: PackageFolder.root + "/docs/mvedit.1") == nil)
    #expect(run.output.split(separator: "\n").allSatisfy { !$0.hasPrefix("'") })
  }

  @Test(arguments: CompletionScript.shells) func completionsNameEverything(shell: String) {
    let run = mvedit("completions", shell)
    #expect(run.code == .success && run.errors.isEmpty)
    for command in MVEditCommandList.all {
      #expect(run.output.contains(command.name))
      for option in command.allOptions where !option.isHidden { #expect(run.output.contains(option.name)) }
    }
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func shellsParseTheirScripts(name: String) throws {
    guard try shell("command -v \(name)").status == 0 else {
      return print("skipped: no \(name) on this machine")
    }
    let folder = try TemporaryFolder()
    let script = try folder.write("script", Array(mvedit("completions", name).output.utf8))
    #expect(try shell("\(name) -n \(script)").status == 0)
  }

  /// Every command that takes `--json` has a schema.
  @Test func everyCommandHasASchema() {
    for command in MVEditCommandList.all where command.options.contains(where: { $0.name == "json" }) {
      #expect(JSONSchema(named: command.name) != nil, "docs/schema/\(command.name).json")
    }
  }

  @Test func theReadmeTellsOfEveryCommand() {
    let text = String(decoding: contents(PackageFolder.root + "/README.md") ?? [], as: UTF8.self)
    for command in MVEditCommandList.all {
      let isTold = text.contains("mvedit \(command.name)") || text.contains("`\(command.name)`")
      #expect(isTold, "README.md is silent on \(command.name)")
    }
  }

  /// Command lines of `mvedit` in documents name commands and options that it has.
  @Test func documentedCommandsExist() throws {
    var lines: [String] = []
    let folder = try FileManager.default.contentsOfDirectory(atPath: PackageFolder.root + "/docs")
    let pages = folder.filter { $0.hasSuffix(".md") }.map { "docs/" + $0 }
    for name in ["README.md", "CHANGELOG.md", "docs/examples/README.md"] + pages.sorted() {
      let text = String(decoding: contents(PackageFolder.root + "/" + name) ?? [], as: UTF8.self)
      for line in text.split(separator: "\n") {
        for part in line.split(separator: "`") {
          let command = part.hasPrefix("$ ") ? part.dropFirst(2) : part
          if command.hasPrefix("mvedit ") { lines.append(String(command.prefix { !"#|;>".contains($0) })) }
        }
      }
    }
    #expect(lines.count > 3)
    for line in lines {
      let words = line.split(separator: " ").dropFirst()
      guard let first = words.first, let command = MVEditCommandList.all.first(where: { $0.name == first })
      else {
        Issue.record("there is no command as in '\(line)'")
        continue
      }
      for word in words where word.hasPrefix("-") && word != "-" && Double(word) == nil {
        let name = word.drop { $0 == "-" }.prefix { $0 != "=" }
        let isKnown = command.allOptions.contains {
          $0.name == name || (name.count == 1 && $0.short == name.first)
        }
        #expect(isKnown, "'\(line)' has an option that does not exist")
      }
    }
  }
}
