// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// What documents say of the project is so.
@Suite struct MarkdownTests {
  @Test func thereAreDocuments() { #expect(Markdown.all.count > 10) }

  @Test(arguments: Markdown.all) func linksLeadSomewhere(document: Markdown) {
    for link in document.links {
      guard let target = document.target(of: link) else { continue }
      let exists = FileManager.default.fileExists(atPath: PackageFolder.root + "/" + target.path)
      #expect(exists, "\(document.path) links to \(link), which is not there")
      guard exists, let anchor = target.anchor, target.path.hasSuffix(".md") else { continue }
      let anchors = Markdown(target.path).anchors
      #expect(anchors.contains(anchor), "\(document.path): \(target.path) has no heading #\(anchor)")
    }
  }

  /// Code in documents is code that is compiled: each block is, line by line, in a source file.
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

  /// Some document leads to each: itself, or the folder it is in.
  @Test func everyDocumentIsFound() {
    let linked = Set(
      Markdown.all.flatMap { document in document.links.compactMap { document.target(of: $0)?.path } })
    for document in Markdown.all where document.path.hasPrefix("docs/") {
      let folder = document.path.split(separator: "/").dropLast().joined(separator: "/")
      #expect(linked.contains(document.path) || linked.contains(folder), "nothing leads to \(document.path)")
    }
  }
}

extension Markdown: CustomTestStringConvertible {
  var testDescription: String { path }
}
