// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import TestSupport
import Testing

@testable import MVDumpCommand
@testable import Multiview

/// Texts of a file that are long, shared by many, or meant for the terminal: what is said of them stays short.
@Suite struct HostileTextTests {
  /// What the tool writes of a file on standard input.
  private static func run(_ arguments: String..., on bytes: [UInt8]) -> String {
    let output = OutputChannel()
    let surroundings = Surroundings(
      output: output, errors: OutputChannel(), environment: { _ in nil },
      openStandardInput: { _ in MemoryBytes(ByteView(bytes)) })
    #expect(MVDump.run(arguments + ["-"], in: surroundings).rawValue <= 1)
    return output.buffer.text
  }

  // MARK: Paths

  /// So many boxes, one in another, and a few in the innermost.
  private static func nested(_ depth: Int, _ count: Int) -> [UInt8] {
    var box = [[UInt8]](repeating: Raw.box("free"), count: count).flatMap { $0 }
    for _ in 0..<depth { box = Raw.box("otyp", box) }
    return box
  }

  @Test func boxesAreListedOnce() {
    let file = Self.nested(20, 100)
    let tree = BoxTree(ByteView(file), registry: .standard)
    for (path, count) in [
      ("**/free", 100), ("**/**/free", 100), ("**/**/**/**/free", 100), ("**/otyp/**/free", 100),
      ("**/otyp/**/otyp/**/free", 100), ("**/*/**/free", 100), ("**/*", 120), ("**/otyp/**/*", 119),
      ("otyp/**/otyp", 19), ("**/otyp[0]/free[7]", 1),
    ] {
      let found = BoxPath(stringLiteral: path).matches(in: tree.boxes)
      #expect(found.count == count && Set(found.map(\.path)).count == count, "\(path)")
      #expect(found.map(\.box.offset) == found.map(\.box.offset).sorted())
    }
    #expect(BoxPath("**/**/free/**/**/**").description == "**/free/**")
  }

  @Test func boxesInBoxesAreShownOnce() throws {
    let file = Self.nested(20, 100)
    for form in [[], ["--json"]] {
      func size(_ arguments: [String]) -> Int {
        let output = OutputChannel()
        let surroundings = Surroundings(
          output: output, errors: OutputChannel(), environment: { _ in nil },
          openStandardInput: { _ in MemoryBytes(ByteView(file)) })
        #expect(MVDump.run(["tree"] + form + arguments + ["-"], in: surroundings) == .success)
        return output.buffer.text.utf8.count
      }
      // Each as itself, and once more in the outermost.
      #expect(size(["--path", "**/*"]) < 5 * size([]))
    }
    let json = try #require(JSONValue(Self.run("tree", "--json", "--path", "**/*", on: Self.nested(2, 1))))
    let boxes = json["boxes"]?.elements ?? []
    #expect(boxes.map { $0["path"]?.text } == ["otyp", "otyp/otyp", "otyp/otyp/free"])
    #expect(boxes.map { $0["children"]?.elements.count } == [1, 0, 0])
    #expect(boxes.map { $0["childrenOmitted"]?.integer } == [nil, 1, nil])
  }
}
