// swift-multiview · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Within a module a folder refers to those before it in docs/architecture.md; what runs back up is named there.
@Suite struct FolderTests {
  private struct Arrow: Hashable {
    var module: String
    var from: String
    var to: String
  }

  /// For each arrow between two folders of a module, one name that makes it.
  private static let arrows: [Arrow: String] = {
    var arrows: [Arrow: String] = [:]
    for (module, files) in Dictionary(grouping: SourceOutline.all, by: \.module) {
      var homes: [String: Set<String>] = [:]
      // Types within types: their names may be those of others elsewhere.
      var inner: [String: Set<String>] = [:]
      for file in files {
        for declaration in file.declarations where !declaration.isPrivate {
          if declaration.isOuter {
            homes[declaration.name, default: []].insert(file.folder)
          } else if let name = declaration.name.split(separator: ".").last {
            inner[file.folder, default: []].insert(String(name))
          }
        }
      }
      for file in files {
        for name in file.names.sorted() {
          // A name that two folders have says nothing.
          guard let places = homes[name], places.count == 1, let home = places.first, home != file.folder,
            inner[file.folder]?.contains(name) != true
          else { continue }
          arrows[Arrow(module: module, from: file.folder, to: home)] = "\(file.path): \(name)"
        }
      }
    }
    return arrows
  }()

  private static let rows: [String: [String]] = {
    var rows: [String: [String]] = [:]
    for row in SourceOutline.table("docs/architecture.md", titled: "| module | folders, from the lowest |") {
      if row.count == 2, let module = SourceOutline.terms(row[0]).first {
        rows[module] = SourceOutline.terms(row[1])
      }
    }
    return rows
  }()

  @Test func everyFolderHasItsPlace() {
    for (module, files) in Dictionary(grouping: SourceOutline.all, by: \.module) {
      let folders = Set(files.map(\.folder))
      guard folders.count > 1 else { continue }
      let row = Self.rows[module] ?? []
      #expect(
        Set(row) == folders && row.count == folders.count,
        "docs/architecture.md has \(row) for \(module), the sources have \(folders.sorted())")
    }
  }

  @Test func arrowsPointOneWay() {
    var named: Set<Arrow> = []
    for row in SourceOutline.table("docs/architecture.md", titled: "| module | from | to | because |") {
      let terms = row.prefix(3).flatMap { SourceOutline.terms($0).prefix(1) }
      guard terms.count == 3, row.count == 4 else {
        Issue.record("\(row) names no arrow")
        continue
      }
      #expect(row[3].count > 10, "no reason for \(terms)")
      named.insert(Arrow(module: terms[0], from: terms[1], to: terms[2]))
    }
    var back: Set<Arrow> = []
    for (arrow, example) in Self.arrows {
      guard let row = Self.rows[arrow.module], let from = row.firstIndex(of: arrow.from),
        let to = row.firstIndex(of: arrow.to), to > from
      else { continue }
      back.insert(arrow)
      #expect(
        named.contains(arrow),
        "\(arrow.module): \(arrow.from) refers to \(arrow.to), which is above it (\(example))")
    }
    for arrow in named.subtracting(back) {
      Issue.record("docs/architecture.md names \(arrow), which does not run back up")
    }
    #expect(Self.arrows.count > 50)
  }

  @Test func shortWaysAreShort() {
    let types = Set(SourceOutline.all.flatMap { $0.declarations.map(\.name) })
    let ways = SourceOutline.table("docs/architecture.md", titled: "| from, to | passes through |")
    #expect(ways.count >= 4)
    for way in ways where way.count == 2 {
      let steps = SourceOutline.terms(way[1])
      #expect((2...8).contains(steps.count), "\(way[0]) passes through \(steps.count) types")
      for step in steps { #expect(types.contains(step), "\(way[0]): there is no type \(step)") }
    }
  }
}
