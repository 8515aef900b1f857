// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import MVDumpCommand
import TestSupport
import Testing

/// Keeps the tables in docs/check.md true. MV_UPDATE_GOLDEN=1 writes them anew.
@Suite struct CheckDocumentTests {
  private static let path = PackageFolder.root + "/docs/check.md"

  @Test func tablesAreTrue() throws {
    var text = String(decoding: try #require(contents(Self.path)), as: UTF8.self)
    text = try Self.replacing("rules", in: text, with: mvdump("check", "--list", "--markdown").output)
    text = try Self.replacing(
      "fixtures", in: text, with: Self.table(Fixtures.media.map { ($0, Fixtures.path($0)) }))
    if Corpus.isPresent, let folder = Corpus.folder {
      let names = ["apple", "mvhevc", "lhevc", "made"].flatMap { Corpus.files($0) }
      text = try Self.replacing("corpus", in: text, with: Self.table(names.map { ($0, folder + "/" + $0) }))
    }
    #expect(Golden.difference(text, file: Self.path) == nil)
  }

  private static func replacing(_ name: String, in text: String, with table: String) throws -> String {
    let start = try #require(text.range(of: "<!-- \(name) -->\n"))
    let end = try #require(text.range(of: "<!-- end -->", range: start.upperBound..<text.endIndex))
    return text.replacingCharacters(in: start.upperBound..<end.lowerBound, with: table)
  }

  private static func table(_ files: [(name: String, path: String)]) -> String {
    var text =
      "| file | class | spatial | stereo | immersive | HLS | ISO | broken |\n|---|---|---|---|---|---|---|---|\n"
    for (name, path) in files {
      let run = mvdump("check", "--json", path)
      guard let json = run.json else {
        text += "| `\(name)` | \(run.errors.split(separator: ":").last ?? "") ||||||\n"
        continue
      }
      let verdicts = ["spatial", "stereo", "immersive", "hls", "iso"].map { target in
        let word = json["verdicts"]?[target]?.text ?? ""
        return word == "notApplicable" ? "–" : word
      }
      let findings = json["findings"]?.elements ?? []
      func rules(_ severity: String) -> String {
        let found = findings.filter { $0["severity"]?.text == severity }.compactMap { $0["rule"]?.text }
        return Set(found).sorted().joined(separator: " ")
      }
      let warnings = rules("warning")
      let broken = [rules("error"), warnings.isEmpty ? "" : "(\(warnings))"].filter { !$0.isEmpty }
      let cells = [json["classification"]?.text ?? ""] + verdicts + [broken.joined(separator: " ")]
      text += "| `\(name)` | \(cells.joined(separator: " | ")) |\n"
    }
    return text
  }
}
