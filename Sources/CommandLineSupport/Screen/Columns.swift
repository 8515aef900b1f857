// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// A small table of text: columns as wide as their widest cell, numbers to the right.
package struct Columns {
  private let titles: [String]
  private let alignRight: Set<Int>
  private var rows: [[String]] = []
  private var widths: [Int]
  private var isEmpty: [Bool]
  /// The titles as they were written last; `nil` before the first part.
  private var writtenTitles: String?
  /// How wide a column becomes for its cells: every row would pay for a single cell that is wider.
  private static let maximumWidth = 256

  /// A table with these titles; `right` are the columns of numbers.
  package init(_ titles: [String], right: Set<Int> = []) {
    self.titles = titles
    alignRight = right
    widths = titles.map(\.columnCount)
    isEmpty = titles.map { _ in true }
  }

  /// Adds a row.
  package mutating func add(_ cells: [String]) { rows.append(cells) }

  /// The table, each line after that many spaces; the titles are faint.
  package func text(indentation: Int, _ style: Style) -> String {
    let lines = lines(indentation: indentation)
    return style.faint(lines.titles) + "\n" + lines.rows.map { $0 + "\n" }.joined()
  }

  /// The lines of the table, each after that many spaces.
  package func lines(indentation: Int) -> (titles: String, rows: [String]) {
    var (titles, lines) = ("", [String]())
    var columns = self
    columns.writePart(rows, indentation: indentation) { line, isTitles in
      if isTitles { titles = line } else { lines.append(line) }
    }
    return (titles, lines)
  }

  /// Calls `body` with the lines of a part of a table that is too long to be kept: with the titles if they are not where they were
  /// in the part before, and with one for each row. Columns are as wide as in all parts so far.
  package mutating func writePart(
    _ rows: [[String]], indentation: Int, _ body: (_ line: String, _ isTitles: Bool) -> Void
  ) {
    for row in rows {
      for (index, cell) in row.enumerated() where index < widths.count {
        widths[index] = max(widths[index], min(cell.columnCount, Self.maximumWidth))
        if !cell.isEmpty { isEmpty[index] = false }
      }
    }
    // An empty column is left out.
    let shown = titles.indices.filter { !isEmpty[$0] }
    func line(_ cells: [String]) -> String {
      var text = String.spaces(indentation)
      for index in shown {
        let cell = index < cells.count ? cells[index] : ""
        if alignRight.contains(index) {
          text += .spaces(widths[index] - cell.columnCount) + cell
        } else {
          text += cell
          // Nothing follows the last column.
          if index != shown.last { text += .spaces(widths[index] - cell.columnCount) }
        }
        text += "  "
      }
      return text.trimmed
    }
    let titles = line(titles)
    if titles != writtenTitles { body(titles, true) }
    writtenTitles = titles
    for row in rows { body(line(row), false) }
  }
}

extension String {
  /// That many spaces; none for a negative number.
  package static func spaces(_ count: Int) -> String { String(repeating: " ", count: Swift.max(0, count)) }

  /// With spaces after it, if it takes fewer columns.
  package func padded(to columns: Int) -> String { self + .spaces(columns - columnCount) }

  /// Without spaces at the end, as types of three letters have them.
  package var trimmed: String {
    guard let last = utf8.lastIndex(where: { $0 != 0x20 }) else { return "" }
    return String(self[..<utf8.index(after: last)])
  }
}
