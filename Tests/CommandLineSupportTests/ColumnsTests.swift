// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import Testing

@Suite struct ColumnsTests {
  private static func lines(_ parts: [[[String]]]) -> [String] {
    var columns = Columns(["file", "size", "remarks"], right: [1])
    var lines: [String] = []
    for part in parts {
      columns.writePart(part, indentation: 1) { line, isTitles in lines.append((isTitles ? "T" : " ") + line)
      }
    }
    return lines
  }

  @Test func aPartContinuesTheTable() {
    let lines = Self.lines([[["a.mov", "17", ""], ["b.mov", "4", ""]], [["c", "5", ""]]])
    #expect(lines == ["T file   size", "  a.mov    17", "  b.mov     4", "  c         5"])
  }

  @Test func titlesAreRepeatedWhereColumnsMove() {
    let lines = Self.lines([
      [["a", "1", ""]], [["a longer name", "2", ""]], [["b", "3", "odd"]], [["c", "4", ""]],
    ])
    #expect(
      lines == [
        "T file  size", "  a        1", "T file           size", "  a longer name     2",
        "T file           size  remarks", "  b                 3  odd", "  c                 4",
      ])
  }

  @Test func wideCharactersTakeTwoColumns() {
    let lines = Self.lines([[["日本.mov", "1", "a"], ["e\u{301}.mov", "22", "b"]]])
    #expect(lines == ["T file      size  remarks", "  日本.mov     1  a", "  e\u{301}.mov       22  b"])
  }

  @Test func allAtOnceIsOnePart() {
    var columns = Columns(["a", "b"])
    columns.add(["one", ""])
    #expect(columns.lines(indentation: 0) == (titles: "a", rows: ["one"]))
    #expect(columns.text(indentation: 2, .plain) == "  a\n  one\n")
  }
}
