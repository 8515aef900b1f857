// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The structure that docs/architecture.md draws is the one that the sources have.
@Suite struct ArchitectureTests {
  /// The modules of the system, which a file may import wherever unsafe code may be.
  static let systemModules: Set<String> = ["Android", "Darwin", "Glibc", "Musl"]
  /// The folders of Sources in which unsafe code is allowed.
  static let unsafeFolders = [
    "Sources/ByteCoding/", "Sources/FileAccess/", "Sources/HEVCCoding/Kernels/",
    "Sources/MultiviewApple/", "Sources/Threads/",
  ]
  /// Apple's frameworks that `MultiviewApple` bridges to.
  static let frameworks: Set<String> = ["CoreFoundation", "CoreGraphics", "CoreMedia", "CoreVideo"]
  /// The one module that is there to bridge to Foundation.
  static let foundationFolder = "Sources/MultiviewFoundation/"

  private static var sources: [String] {
    projectFiles.filter { $0.hasPrefix("Sources/") && $0.hasSuffix(".swift") }
  }

  /// For each folder of Sources, what its files import.
  private func importsOfSources() -> [String: Set<String>] {
    var found: [String: Set<String>] = [:]
    for path in Self.sources {
      let module = String(path.split(separator: "/")[1])
      found[module, default: []].formUnion([])
      for match in projectText(path).matches(of: /(?m)^[@\w ]*import (?:\w+ )?(\w+)$/) {
        found[module]?.insert(String(match.1))
      }
    }
    return found
  }

  /// The rows of the table of modules.
  private func documentedImports() -> [String: Set<String>] {
    var rows: [String: Set<String>] = [:]
    let lines = projectText("docs/architecture.md").split(separator: "\n")
    guard let title = lines.firstIndex(of: "| module | imports |") else { return [:] }
    for line in lines[(title + 2)...].prefix(while: { $0.hasPrefix("|") }) {
      let names = line.matches(of: /`(\w+)`/).map { String($0.1) }
      if let module = names.first { rows[module] = Set(names.dropFirst()) }
    }
    return rows
  }

  @Test func modulesImportWhatTheTableSays() {
    let documented = documentedImports(), found = importsOfSources()
    #expect(documented.count > 5)
    for (module, imports) in found {
      #expect(
        imports.subtracting(
          Self.systemModules.union(["Foundation"])
            .union(module == "MultiviewApple" ? Self.frameworks : [])) == documented[module],
        "\(module) imports \(imports.sorted()), docs/architecture.md says \(documented[module]?.sorted() ?? [])"
      )
    }
    for module in documented.keys { #expect(found[module] != nil, "there is no module \(module)") }
  }

  /// What stands lower in the table imports nothing from above it, so there are no circles.
  @Test func arrowsPointDown() {
    var below: Set<String> = []
    let lines = projectText("docs/architecture.md").split(separator: "\n")
    for line in lines.drop(while: { $0 != "| module | imports |" }).dropFirst(2).prefix(while: {
      $0.hasPrefix("|")
    }) {
      let names = line.matches(of: /`(\w+)`/).map { String($0.1) }
      for name in names.dropFirst() {
        #expect(below.contains(name), "\(names[0]) imports \(name) from above")
      }
      if let module = names.first { below.insert(module) }
    }
    #expect(below.count > 5)
  }

  @Test func unsafeCodeIsWhereItMayBe() {
    for path in Self.sources where !Self.unsafeFolders.contains(where: path.hasPrefix) {
      let text = projectText(path)
      #expect(!text.contains(/(?m)^[^\/]*\bunsafe\b/), "\(path) has unsafe code")
      for module in Self.systemModules {
        #expect(!text.contains("import \(module)"), "\(path) imports \(module)")
      }
      guard !path.hasPrefix(Self.foundationFolder) else { continue }
      #expect(!text.contains("import Foundation"), "\(path) imports Foundation")
    }
  }

  /// What is shown is named by data: no output changes where a Swift type gets another name.
  @Test func namesOfTypesAreNotShown() {
    let typeAsText =
      /String\((describing|reflecting):|_typeName|Mirror\(|\\\([\w.]+\.self\)|\\\((Swift\.)?type\(of: \w+\)\)/
    for path in Self.sources {
      for line in projectText(path).split(separator: "\n") where line.contains(typeAsText) {
        Issue.record("\(path) shows the name of a type: \(line)")
      }
    }
  }
}
