// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Every public name says what it is.
@Suite struct SymbolTests {
  static let modules = [
    "ByteCoding", "FieldOutput", "FileAccess", "HEVC", "ISOBMFF", "BoxCatalogue", "Multiview", "MovieEditing",
    "MoviePictures",
  ]

  /// What the compiler knows of a module's public names.
  private struct Graph: Decodable {
    struct Symbol: Decodable {
      struct Comment: Decodable {}
      var pathComponents: [String]
      var docComment: Comment?
    }
    var symbols: [Symbol]
  }

  /// Witnesses of requirements, and members that come with a conformance, have the comment of the protocol.
  @Test(arguments: modules) func publicNamesHaveComments(module: String) throws {
    guard let folder = BuiltProducts.folder, try shell("command -v swift").status == 0 else {
      return print("skipped: no built modules, or no swift on the PATH")
    }
    let output = try TemporaryFolder()
    let run = try shell(
      """
      target=$(swift -print-target-info | sed -n 's/.*"unversionedTriple": "\\(.*\\)",*/\\1/p' | head -n 1)
      swift symbolgraph-extract -module-name \(module) -I '\(folder)/Modules' -target "$target" \
        -minimum-access-level public -skip-protocol-implementations -skip-synthesized-members \
        -skip-inherited-docs -output-dir '\(output.path)'
      """)
    try #require(run.status == 0, "\(run.errors)")
    var count = 0
    for name in filesBelow(output.path) {
      let graph = try JSONDecoder().decode(Graph.self, from: Data(contents(output.path + "/" + name) ?? []))
      count += graph.symbols.count
      for symbol in graph.symbols where symbol.docComment == nil {
        Issue.record("\(module): \(symbol.pathComponents.joined(separator: ".")) has no comment")
      }
    }
    #expect(count > 20)
  }
}
