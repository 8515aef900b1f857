// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// What libraries say to users of programs that are not these commands, and how they name rules.
@Suite struct LibraryWordsTests {
  /// The targets that know the options of the commands.
  private static let commands = ["CommandLineSupport", "MVDumpCommand", "MVEditCommand", "mvdump", "mvedit"]

  private func lines(_ body: (_ path: String, _ module: String, _ line: Substring) -> Void) {
    for path in projectFiles where path.hasPrefix("Sources/") && path.hasSuffix(".swift") {
      let module = String(path.split(separator: "/")[1])
      for line in projectText(path).split(separator: "\n") {
        let code = line.drop { $0 == " " }
        if !code.hasPrefix("//") { body(path, module, code) }
      }
    }
  }

  /// An option or a command in a text: libraries say what to do (`Advice`), and commands how to type it.
  @Test func librariesNameNoOptions() {
    var count = 0
    lines { path, module, line in
      guard !Self.commands.contains(module) else { return }
      count += 1
      // From a quotation mark on, an option after a space or a bracket, or a command with what it does.
      let named = line.firstMatch(of: /"(?:[^"]*[ (:])?--[a-z]|"[^"]*\bmv(?:dump|edit) [a-z]/)
      #expect(named == nil, "\(path): \(line)")
    }
    #expect(count > 10_000)
  }

  /// The identifier of a rule is written once, where the rule is declared: elsewhere its constant is named.
  @Test func rulesAreNamedByTheirConstants() {
    var declared = 0
    lines { path, module, line in
      let identifiers = line.matches(of: /"MV[0-9]{3}"/)
      guard !identifiers.isEmpty else { return }
      // Words of explanations refer to rules as to other words.
      if path.hasPrefix("Sources/MVDumpCommand/Explanations/Words/") { return }
      declared += identifiers.count
      #expect(
        module == "Multiview"
          && line.firstMatch(of: /^(?:playlist: )?"MV[0-9]{3}", \.(?:error|warning|note)/) != nil,
        "\(path): \(line)")
    }
    #expect(declared > 100)
  }
}
