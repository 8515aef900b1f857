// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// What documents say of the project is so.
@Suite struct MarkdownTests {
  @Test func thereAreDocuments() { #expect(Markdown.all.count > 10) }

  @Test(arguments: Markdown.all) func linksLeadSomewhere(document: Markdown) {
    let folder = document.path.split(separator: "/").dropLast().joined(separator: "/")
    // Symbols, articles and other sites are not looked up here; docc does the first two.
    for link in document.links where !link.contains(":") && !link.hasPrefix("../../security/") {
      let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      var target = document.path
      if parts[0] != "" {
        target = URL(fileURLWithPath: "/" + folder).appendingPathComponent(String(parts[0])).standardized.path
        target = String(target.drop { $0 == "/" })
        let exists = FileManager.default.fileExists(atPath: PackageFolder.root + "/" + target)
        #expect(exists, "\(document.path) links to \(link), which is not there")
      }
      guard parts.count == 2, target.hasSuffix(".md") else { continue }
      let anchors = Markdown(target).anchors
      #expect(anchors.contains(String(parts[1])), "\(document.path): \(target) has no heading #\(parts[1])")
    }
  }

  /// Code in documents is code that is compiled: each block stands, line by line, in a source file.
  @Test(arguments: Markdown.all) func codeIsCompiled(document: Markdown) {
    for block in document.blocks where block.language == "swift" {
      let wanted = Self.essential(block.lines)
      let isFound = Self.places[wanted.first ?? ""]?.contains { $0.starts(with: wanted) } ?? false
      #expect(isFound, "\(document.path) line \(block.line): no source file has this code:\n\(wanted)")
    }
  }

  /// For each line of code, what begins with it somewhere in the sources.
  private static let places: [String: [ArraySlice<String>]] = {
    var places: [String: [ArraySlice<String>]] = [:]
    for path in projectFiles where path.hasSuffix(".swift") {
      let lines = essential(projectText(path).split(separator: "\n").map(String.init))
      for index in lines.indices { places[lines[index], default: []].append(lines[index...]) }
    }
    return places
  }()

  /// The lines without indentation and without those that are empty.
  private static func essential(_ lines: [String]) -> [String] {
    lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  @Test func everyDocumentIsFound() {
    let index = Markdown("docs/README.md").links
    let pages = projectFiles.filter { $0.hasPrefix("docs/") && $0.hasSuffix(".md") }
    for path in pages where path != "docs/README.md" {
      let name = String(path.dropFirst("docs/".count))
      let folder = name.split(separator: "/").first.map(String.init) ?? name
      #expect(
        index.contains { $0 == name || $0 == folder || $0.hasPrefix(folder + "/") },
        "docs/README.md does not lead to \(name)")
    }
  }
}

extension Markdown: CustomTestStringConvertible {
  var testDescription: String { path }
}
