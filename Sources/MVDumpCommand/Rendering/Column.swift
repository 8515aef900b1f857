// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput

/// What is in one column of a row.
enum Cell {
  case number(Int64)
  /// A number beyond those, such as a place in a file.
  case unsigned(UInt64)
  /// A number with a fixed number of decimal places.
  case decimal(Double, digits: Int)
  case flag(Bool)
  case text(String)
  /// There could be a value: `null` in JSON, nothing in CSV.
  case missing
  /// This row has no such column: JSON lacks the member.
  case omitted

  static func number(_ value: Int) -> Cell { .number(Int64(value)) }
  static func number(_ value: Int?) -> Cell { value.map { .number(Int64($0)) } ?? .missing }
  static func text(_ value: String?) -> Cell { value.map { .text($0) } ?? .missing }
}

/// A column of a long table: where its value is from, and how it looks in each form. Nothing else says which columns there
/// are, and in which order.
struct Column<Row>: Sendable {
  /// The member in JSON; `nil` where JSON lacks the column.
  let key: StaticString?
  /// The title in CSV; `nil` where CSV lacks it.
  let csvTitle: StaticString?
  let value: @Sendable (Row) -> Cell
  /// How it looks in text; `nil` where text lacks it.
  private(set) var layout: ColumnLayout?
  /// The value of the member in JSON, if it is an array or an object.
  private(set) var jsonValue: (@Sendable (Row) -> any JSONValue)?

  /// A column of JSON and CSV.
  init(_ name: StaticString, _ value: @escaping @Sendable (Row) -> Cell) {
    self.init(json: name, csv: name, value)
  }

  /// A column that JSON and CSV call otherwise, or that one of them lacks, or both.
  init(
    json: StaticString? = nil, csv: StaticString? = nil, _ value: @escaping @Sendable (Row) -> Cell
  ) {
    key = json
    csvTitle = csv
    self.value = value
  }

  /// The same column in text, too, aligned to the right in a number of columns.
  func right(_ title: String, _ width: Int, missing: String = "") -> Column {
    var column = self
    column.layout = ColumnLayout(title: title, width: width, isRight: true, missing: missing)
    return column
  }

  /// The same column in text, too, aligned to the left in a number of columns; 0 for as many as the value has.
  func left(_ title: String, _ width: Int = 0) -> Column {
    var column = self
    column.layout = ColumnLayout(title: title, width: width, isRight: false, missing: "")
    return column
  }

  /// The same with a value of its own in JSON.
  func json(_ value: @escaping @Sendable (Row) -> any JSONValue) -> Column {
    var column = self
    column.jsonValue = value
    return column
  }
}

/// How a column looks in text. Of flags the title is shown where they are set.
struct ColumnLayout: Sendable {
  let title: String
  let width: Int
  let isRight: Bool
  /// The text for a missing value.
  let missing: String
}

/// Puts columns beside one another. A value that is too long pushes the next ones to the right, and no spaces end the line.
struct ColumnLine {
  private let out: OutputBuffer
  /// The number of columns that preceding values leave to be filled; negative if a value to the left was too long.
  private var room = 0
  private var isEmpty = true

  init(_ out: OutputBuffer) { self.out = out }

  mutating func add(_ cell: Cell, _ layout: ColumnLayout) {
    switch cell {
    case .number(let number):
      out.append(number, width: room + layout.width)
      (room, isEmpty) = (0, false)
    case .unsigned(let number) where number <= UInt64(Int64.max): add(.number(Int64(number)), layout)
    case .unsigned(let number): add(String(number), layout)
    case .decimal(let number, let digits): add(Quantity.decimal(number, digits), layout)
    case .flag(let isSet): add(isSet ? layout.title : "", layout)
    case .text(let text): add(text, layout)
    case .missing, .omitted: add(layout.missing, layout)
    }
  }

  mutating func add(_ text: String, _ layout: ColumnLayout) {
    let gap = layout.isRight || isEmpty ? 0 : 2
    isEmpty = false
    guard !text.isEmpty else {
      room += layout.width + gap
      return
    }
    if layout.isRight {
      out.append(text, width: room + layout.width)
      room = 0
    } else {
      if gap > 0 { out.append(spaces: max(1, room + gap)) }
      out.append(text)
      room = layout.width == 0 ? 0 : layout.width - text.columnCount
    }
  }
}

/// One line of a long table, in each of the formats that can be requested.
protocol Row {
  static var columns: [Column<Self>] { get }
  /// Writes the columns for people, without the line break.
  func writeText(to out: OutputBuffer)
}

extension Row {
  /// The titles of the columns in CSV.
  static var csvTitles: String { columns.compactMap { $0.csvTitle?.description }.joined(separator: ",") }

  /// The titles of the columns in text.
  static var textTitles: String {
    let out = OutputBuffer()
    var line = ColumnLine(out)
    for column in columns { if let layout = column.layout { line.add(layout.title, layout) } }
    return out.text
  }

  func writeText(to out: OutputBuffer) {
    var line = ColumnLine(out)
    for column in Self.columns { if let layout = column.layout { line.add(column.value(self), layout) } }
  }

  /// Writes the values for spreadsheets, without the line break.
  func writeCSV(to out: OutputBuffer) {
    var isFirst = true
    for column in Self.columns where column.csvTitle != nil {
      if !isFirst { out.append(byte: 0x2C) }
      isFirst = false
      switch column.value(self) {
      case .number(let number): out.append(number)
      case .unsigned(let number): out.append(number)
      case .decimal(let number, let digits): out.append(Quantity.decimal(number, digits))
      case .flag(let isSet): out.append(byte: isSet ? 0x31 : 0x30)
      case .text(let text): out.append(csvField(text))
      case .missing, .omitted: break
      }
    }
  }

  /// Writes the members of an object.
  func writeMembers(to json: JSONWriter) {
    for column in Self.columns {
      guard let key = column.key else { continue }
      if let value = column.jsonValue {
        json.key(field: key)
        value(self).write(to: json)
        continue
      }
      switch column.value(self) {
      case .number(let number): json.member(key, number)
      case .unsigned(let number): json.member(key, number)
      case .decimal(let number, let digits):
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        json.key(field: key)
        json.value((number * scale).rounded() / scale)
      case .flag(let isSet): json.member(key, isSet)
      case .text(let text): json.member(key, text)
      case .missing:
        json.key(field: key)
        json.null()
      case .omitted: break
      }
    }
  }
}
