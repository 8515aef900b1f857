// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Foundation
import TestSupport
import Testing

/// The habits of the project, held by a test where one can.
@Suite struct RepositoryTests {
  /// Files with a place for comments name the project and its licence.
  @Test func filesNameTheirLicence() {
    let kinds = [".swift", ".c", ".h", ".sh", ".yml", ".yaml"]
    for path in projectFiles where !path.hasPrefix(".github/ISSUE_TEMPLATE/") {
      let text = projectText(path)
      guard kinds.contains(where: path.hasSuffix) || text.hasPrefix("#!") else { continue }
      let start = text.split(separator: "\n").prefix(2)
      #expect(
        start.contains { $0.hasSuffix(" swift-multiview · SPDX-License-Identifier: Apache-2.0") },
        "\(path) does not begin with the line of the licence")
    }
  }

  /// Nothing depends on, or tells of, the machine on which it was written.
  @Test func nothingNamesAMachine() {
    // Put together here, so that this file is not found.
    let telling = ["work", "home", "root", "Users"].map { "/" + $0 + "/" }
    for path in projectFiles where !path.hasPrefix("fixtures/") {
      let text = projectText(path)
      for name in telling where text.contains(name) {
        for prefix in ["\"", " ", "`", "(", "=", "//"] {
          #expect(!text.contains(prefix + name), "\(path) names a folder of some machine: \(name)")
        }
      }
    }
  }

  @Test func fixturesSayWhereTheyAreFrom() {
    let table = projectText("fixtures/README.md")
    #expect(!Fixtures.media.isEmpty)
    for name in Fixtures.media {
      #expect(table.contains("`\(name)`"), "fixtures/README.md does not tell of \(name)")
      #expect(Fixtures.bytes(name).count <= 200_000, "\(name) is too large")
    }
  }

  /// docs/errors.md lists the codes of diagnostics: all that the sources give, and no others.
  @Test func diagnosticCodesAreDocumented() throws {
    let page = projectText("docs/errors.md")
    let afterSeverity = /\.(?:error|warning|note),\s*"([a-z]+(?:-[a-z]+)+)"/
    let contradiction = /contradict\(\s*"([a-z]+(?:-[a-z]+)+)"/
    let ofParseError = /case \.\w+: "([a-z]+(?:-[a-z]+)*)"/
    var given: Set<String> = []
    for path in projectFiles where path.hasPrefix("Sources/") && path.hasSuffix(".swift") {
      let text = projectText(path)
      for match in text.matches(of: afterSeverity) { given.insert(String(match.1)) }
      for match in text.matches(of: contradiction) { given.insert(String(match.1)) }
      if path.hasSuffix("ByteCoding/Diagnostic.swift") {
        for match in text.matches(of: ofParseError) { given.insert(String(match.1)) }
      }
    }
    #expect(given.count > 40)
    for code in given.sorted() {
      #expect(page.contains("`\(code)`"), "docs/errors.md does not tell of \(code)")
    }
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
    let listed = rows.flatMap { $0.split(separator: "|").first?.matches(of: /`([a-z]+(?:-[a-z]+)+)`/) ?? [] }
    #expect(listed.count > 40)
    let sources = projectFiles.filter { $0.hasPrefix("Sources/") && $0.hasSuffix(".swift") }.map(projectText)
    for code in listed.map({ "\"\($0.1)\"" }) {
      #expect(sources.contains { $0.contains(code) }, "docs/errors.md tells of \(code), which nothing gives")
    }
  }

  /// Files and folders that documents name between back-ticks are there. Names with a gap stand for several.
  @Test func namedFilesExist() {
    let tops = ["Sources/", "Tests/", "docs/", "fixtures/", "Benchmarks/", ".ci/", ".github/"]
    var count = 0
    for path in projectFiles where path.hasSuffix(".md") {
      for match in projectText(path).matches(of: /`([A-Za-z.][^` \n]*)[^`\n]*`/) {
        let name = String(match.1)
        guard tops.contains(where: name.hasPrefix), !name.contains(where: { "*<{".contains($0) }) else {
          continue
        }
        count += 1
        let isThere = FileManager.default.fileExists(atPath: PackageFolder.root + "/" + name)
        #expect(isThere, "\(path) names \(name), which is not there")
      }
    }
    #expect(count > 15)
  }

  /// Every document has a title, and is in none of the lists of things still to be done.
  @Test func documentsAreFinished() {
    for path in projectFiles where path.hasSuffix(".md") && !path.hasPrefix(".github/") {
      let text = projectText(path)
      #expect(text.hasPrefix("# "), "\(path) has no title")
      for word in ["TODO", "FIXME", "TBD", "XXX", "example.com", "lorem"] {
        #expect(!text.contains(word), "\(path) has \(word)")
      }
    }
  }
}
