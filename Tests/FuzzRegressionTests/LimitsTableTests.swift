// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FuzzEntries
import TestSupport
import Testing

/// What the documents promise is what the code does.
@Suite struct LimitsTableTests {
  private func lines(of document: String) -> [Substring] {
    String(decoding: contents(PackageFolder.root + "/docs/" + document) ?? [], as: UTF8.self).split(
      separator: "\n")
  }

  @Test func theTableOfLimitsNamesEveryDefault() {
    var documented: [String: String] = [:]
    for line in lines(of: "safety.md") where line.hasPrefix("| `maximum") {
      let cells = line.split(separator: "|").map { $0.filter { $0 != " " && $0 != "`" } }
      documented[cells[0]] = cells[1]
    }
    var actual: [String: String] = [:]
    for child in Mirror(reflecting: Limits.standard).children {
      if let label = child.label { actual[label] = "\(child.value)" }
    }
    #expect(!actual.isEmpty && documented == actual)
  }

  @Test func theArticleNamesEveryLimit() {
    let article = lines(of: "../Sources/Multiview/Multiview.docc/SafetyLimits.md")
    let named = article.filter { $0.hasPrefix("| `maximum") }.map { String($0.split(separator: "`")[1]) }
    #expect(Set(named) == Set(Mirror(reflecting: Limits.standard).children.compactMap(\.label)))
  }

  @Test func everyTargetIsDescribed() {
    let documented = lines(of: "fuzzing.md").filter { $0.hasPrefix("| `Fuzz") }.map {
      $0.split(separator: "`")[1]
    }
    #expect(documented.map(String.init) == FuzzTarget.all.map(\.name))
  }
}
