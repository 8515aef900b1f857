// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import Foundation
import MVDumpCommand
import TestSupport
import Testing

/// Command lines of `mvdump` that are in documents are command lines that it takes.
@Suite struct DocumentedCommandsTests {
  /// A document, and the command lines in it: in fences, after a prompt, and between back-ticks.
  struct Document: Sendable, CustomTestStringConvertible {
    var path: String
    var lines: [String]
    var testDescription: String { path }
  }

  static let documents: [Document] = {
    let folders = ["", "docs/", "docs/examples/", "docs/decisions/", "fixtures/", ".github/ISSUE_TEMPLATE/"]
    var documents: [Document] = []
    for folder in folders {
      let names =
        (try? FileManager.default.contentsOfDirectory(atPath: PackageFolder.root + "/" + folder)) ?? []
      for name in names.sorted() where name.hasSuffix(".md") {
        let text = String(decoding: contents(PackageFolder.root + "/" + folder + name) ?? [], as: UTF8.self)
        let lines = commandLines(in: text)
        if !lines.isEmpty { documents.append(Document(path: folder + name, lines: lines)) }
      }
    }
    return documents
  }()

  private static func commandLines(in text: String) -> [String] {
    var lines: [String] = []
    var isFenced = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("```") {
        isFenced.toggle()
      } else if isFenced {
        let command = line.hasPrefix("$ ") ? line.dropFirst(2) : line
        if command.hasPrefix("mvdump ") { lines.append(String(command)) }
      } else {
        lines += line.split(separator: "`").map(String.init).filter { $0.hasPrefix("mvdump ") }
      }
    }
    return lines
  }

  @Test func thereAreSome() { #expect(Self.documents.flatMap(\.lines).count > 25) }

  @Test(arguments: documents) func commandsAndOptionsExist(document: Document) {
    for line in document.lines {
      let words = splitWords(line.prefix { !"|;>#".contains($0) }).dropFirst()
      guard let first = words.first, !first.hasPrefix("-"), first != "help" else { continue }
      let command = CommandList.named(first)
      // A word in capitals stands for something, and a path is a file for `info`.
      guard command != nil || first.contains(where: { $0 == "." || $0.isUppercase }) else {
        Issue.record("\(document.path): there is no command as in '\(line)'")
        continue
      }
      let options = (command ?? CommandList.standard).allOptions
      for word in words where word.hasPrefix("-") && word != "-" {
        let name = word.drop { $0 == "-" }.prefix { $0 != "=" }
        let isKnown = options.contains { option in
          option.name == name || (name.count == 1 && option.short == name.first)
        }
        #expect(isKnown, "\(document.path): '\(line)' has an option that is not there")
      }
    }
  }

  @Test func theReadmeTellsOfEveryCommand() {
    let text = String(decoding: contents(PackageFolder.root + "/README.md") ?? [], as: UTF8.self)
    for command in CommandList.all {
      let isTold = text.contains("`\(command.name)`") || text.contains("mvdump \(command.name)")
      // What a file alone shows is info.
      #expect(isTold || command.name == "info", "README.md is silent on \(command.name)")
    }
  }
}
