// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// A value as it is shown, with its meaning beside it. Numbers, which most values are, become text only when written.
enum TextValue {
  case unsigned(UInt64)
  case signed(Int64)
  case text(String)
  case explained(String, meaning: String)

  init(_ raw: String, _ meaning: String = "") {
    self = meaning.isEmpty ? .text(raw) : .explained(raw, meaning: meaning)
  }

  /// The value, followed by its meaning in parentheses if it has one.
  var plain: String {
    switch self {
    case .unsigned(let value): String(value)
    case .signed(let value): String(value)
    case .text(let raw): raw
    case .explained(let raw, let meaning): raw + " (" + meaning + ")"
    }
  }

  /// Whether the text begins with a number: such values are right-aligned in their column.
  var beginsAsNumber: Bool {
    switch self {
    case .unsigned, .signed: true
    case .text(let raw): raw.utf8.first.map(Self.beginsNumber) ?? true
    case .explained(let raw, _): raw.utf8.first.map(Self.beginsNumber) ?? false
    }
  }

  private static func beginsNumber(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || byte == 0x2D }

  /// Whether the value is a number, or text like one, without a meaning beside it.
  var isPlainNumber: Bool {
    if case .explained = self { false } else { beginsAsNumber }
  }

  /// How many columns value and meaning take together.
  var columns: Int {
    switch self {
    case .unsigned(let value): value.decimalDigits
    case .signed(let value): value.magnitude.decimalDigits + (value < 0 ? 1 : 0)
    case .text(let raw): raw.columnCount
    case .explained(let raw, let meaning): raw.columnCount + meaning.columnCount + 3
    }
  }

  // Functions, because an initialiser would copy the note.

  static func of(_ note: FieldNote, _ value: Int64) -> TextValue {
    switch note.format {
    case .fixedPoint(let bits): TextValue(ValueText.fixedPoint(value, fractionBits: bits))
    case .scaled(let divisor, let unit):
      TextValue(String(value), ValueText.quotient(value, divisor) + unit.description)
    case .named(let name): name(value).map { TextValue(String(value), $0) } ?? .signed(value)
    default: .signed(value)
    }
  }

  static func of(_ note: FieldNote, _ value: UInt64) -> TextValue {
    switch note.format {
    case .decimal, .flag: return .unsigned(value)
    case .hexadecimal:
      guard case .unsigned(let bits) = note.coding else { return TextValue("0x" + hexadecimal(value)) }
      return TextValue("0x" + hexadecimal(value, digits: (bits + 3) / 4))
    case .fourCC: return TextValue(FourCC(UInt32(truncatingIfNeeded: value)).description)
    case .fixedPoint(let bits):
      return TextValue(ValueText.fixedPoint(Int64(clamping: value), fractionBits: bits))
    case .binaryFloat:
      guard case .unsigned(let bits) = note.coding else { return .unsigned(value) }
      return TextValue(ValueText.binaryFloat(value, bits: bits))
    case .language: return TextValue(String(value), ValueText.language(value))
    case .macTime: return TextValue(String(value), ValueText.macTime(value))
    case .scaled(let divisor, let unit):
      let text = ValueText.quotient(Int64(clamping: value), divisor) + unit.description
      return TextValue(String(value), text)
    case .named(let name):
      guard let meaning = name(Int64(clamping: value)) else { return .unsigned(value) }
      return TextValue(String(value), meaning)
    }
  }
}

/// The name of a field: either the literal of its declaration, which takes no memory of its own, or composed text.
enum FieldName: Equatable {
  case declared(StaticString)
  case made(String)

  var text: String {
    switch self {
    case .declared(let name): name.description
    case .made(let name): name
    }
  }

  /// How many columns the name takes; names in declarations are ASCII.
  var columns: Int {
    switch self {
    case .declared(let name) where name.hasPointerRepresentation: name.utf8CodeUnitCount
    default: text.columnCount
    }
  }

  static func == (left: FieldName, right: FieldName) -> Bool {
    if case .declared(let one) = left, case .declared(let other) = right, one.isSameLiteral(as: other) {
      return true
    }
    return left.text == right.text
  }
}

/// A field that waits to be written.
struct TextField {
  var name: FieldName
  var value: TextValue
}

/// An element of an array, whose fields wait until it is known whether they fit into a table.
struct TextRow {
  var index: Int
  /// Where its fields are among those that wait in its array.
  var fields: Range<Int>
  /// Whether its fields are written line by line because it holds more than fields.
  var isOpen = false
}

/// An array whose elements wait to be written.
struct TextArray {
  /// How many elements are laid out together.
  static let chunk = 64

  var name = ""
  var count = 0
  /// The nesting level of its title.
  var level = 0
  /// Whether its title has been written.
  var isBegun = false
  /// How many elements have been written.
  var shown = 0
  var values: [TextValue] = []
  var rows: [TextRow] = []
  /// The fields of all waiting rows.
  var fields: [TextField] = []
  /// The columns of the current table, with their widths, and whether there is text in them.
  var columns: [(name: FieldName, width: Int, isText: Bool)] = []
  var indexWidth = 0
  var valueWidth = 0

  /// Begins with another array: memory is kept.
  mutating func restart(name: String, count: Int, level: Int) {
    self.name = name
    self.count = count
    self.level = level
    (isBegun, shown, indexWidth, valueWidth) = (false, 0, 0, 0)
    values.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    fields.removeAll(keepingCapacity: true)
    columns.removeAll(keepingCapacity: true)
  }

  /// The index of the next element.
  var next: Int { shown + rows.count }

  var title: String { count > 0 ? "\(name) [\(count)]" : name }
}

extension TextLines {
  /// Writes the title unless it has been written.
  mutating func begin(_ array: inout TextArray) {
    guard !array.isBegun else { return }
    array.isBegun = true
    writeBlock(level: array.level)
    writeLine(array.level, styled(array.title, style.name))
  }

  /// Writes the waiting elements.
  mutating func writePending(_ array: inout TextArray) {
    if !array.values.isEmpty { writeValues(&array) }
    if !array.rows.isEmpty { writeRows(&array) }
  }

  /// Writes numbers as a grid, each line labelled with the index of its first element.
  mutating func writeValues(_ array: inout TextArray) {
    begin(&array)
    writeBlock(level: array.level + 1)
    let texts = array.values.map { $0.plain }
    array.valueWidth = max(array.valueWidth, texts.map(\.columnCount).max() ?? 0)
    array.indexWidth = max(array.indexWidth, String(array.shown + texts.count).utf8.count + 2)
    let left = indentation + 2 * (array.level + 1)
    var perLine = max(1, (width - left - array.indexWidth) / (array.valueWidth + 1))
    if perLine > 10 { perLine -= perLine % 10 }
    let isText = array.values.contains { !$0.beginsAsNumber }
    for start in stride(from: 0, to: texts.count, by: perLine) {
      out.append(spaces: left)
      writeIndex(array.shown + start, width: array.indexWidth)
      let end = min(start + perLine, texts.count)
      for index in start..<end {
        let padding = array.valueWidth - texts[index].columnCount
        out.append(spaces: 1 + (isText ? 0 : padding))
        out.append(texts[index])
        if isText, index < end - 1 { out.append(spaces: padding) }
      }
      out.append(byte: 0x0A)
    }
    array.shown += texts.count
    array.values.removeAll(keepingCapacity: true)
  }

  private func writeIndex(_ index: Int, width: Int) {
    out.append(spaces: width - UInt64(index).decimalDigits - 2)
    out.append(style.meaning)
    out.append(byte: 0x5B)
    out.append(UInt64(index))
    out.append(byte: 0x5D)
    if !style.meaning.isEmpty { out.append(style.reset) }
  }

  /// Writes a value and its meaning.
  func write(_ value: TextValue) {
    switch value {
    case .unsigned(let value): out.append(value)
    case .signed(let value): out.append(value)
    case .text(let raw): out.append(raw)
    case .explained(let raw, let meaning):
      out.append(raw)
      out.append(style.meaning)
      out.append(" (")
      out.append(meaning)
      out.append(")")
      if !style.meaning.isEmpty { out.append(style.reset) }
    }
  }

  /// Writes structures: as a table if they are alike and narrow enough, otherwise each on a line, otherwise each
  /// field on a line.
  mutating func writeRows(_ array: inout TextArray) {
    begin(&array)
    writeBlock(level: array.level + 1)
    array.indexWidth = max(array.indexWidth, String(array.shown + array.rows.count - 1).utf8.count + 2)
    let isAlone =
      array.columns.isEmpty && array.rows.count == 1 && array.rows.allSatisfy { fitsLine($0, array) }
    if isAlone || !writeTable(&array) {
      array.columns.removeAll(keepingCapacity: true)
      for row in array.rows { write(row, of: array) }
    }
    array.shown += array.rows.count
    array.rows.removeAll(keepingCapacity: true)
    array.fields.removeAll(keepingCapacity: true)
  }

  private func writeTable(_ array: inout TextArray) -> Bool {
    guard let first = array.rows.first?.fields, !first.isEmpty else { return false }
    let hasTitles = !array.columns.isEmpty
    setColumns(&array, first)
    // By index here and below: a field that is only inspected need not be copied.
    for row in array.rows {
      guard row.fields.count == first.count else { return false }
      for column in array.columns.indices {
        let field = row.fields.lowerBound + column
        guard array.fields[field].name == array.columns[column].name else { return false }
        array.columns[column].width = max(array.columns[column].width, array.fields[field].value.columns)
        if !array.fields[field].value.isPlainNumber { array.columns[column].isText = true }
      }
    }
    let left = indentation + 2 * (array.level + 1)
    guard left + array.indexWidth + array.columns.reduce(0, { $0 + $1.width + 2 }) <= width else {
      return false
    }
    if !hasTitles { writeTitles(array.columns, left: left + array.indexWidth) }
    for row in array.rows {
      out.append(spaces: left)
      writeIndex(row.index, width: array.indexWidth)
      for column in array.columns.indices {
        let field = row.fields.lowerBound + column
        let (width, isText) = (array.columns[column].width, array.columns[column].isText)
        let padding = width - array.fields[field].value.columns
        out.append(spaces: 2 + (isText ? 0 : padding))
        write(array.fields[field].value)
        if isText, column < array.columns.count - 1 { out.append(spaces: padding) }
      }
      out.append(byte: 0x0A)
    }
    return true
  }

  /// Takes the columns of a table from its first row. If the row continues a table, the columns keep their widths.
  private func setColumns(_ array: inout TextArray, _ first: Range<Int>) {
    let goesOn =
      array.columns.count == first.count
      && array.columns.indices.allSatisfy {
        array.columns[$0].name == array.fields[first.lowerBound + $0].name
      }
    if !goesOn { array.columns.removeAll(keepingCapacity: true) }
    for column in 0..<first.count {
      if goesOn {
        array.columns[column].isText = false
      } else {
        let name = array.fields[first.lowerBound + column].name
        array.columns.append((name, name.columns, false))
      }
    }
  }

  private func writeTitles(_ columns: [(name: FieldName, width: Int, isText: Bool)], left: Int) {
    out.append(spaces: left)
    for (column, title) in columns.enumerated() {
      let padding = title.width - title.name.columns
      out.append(spaces: 2 + (title.isText ? 0 : padding))
      writeName(title.name)
      if title.isText, column < columns.count - 1 { out.append(spaces: padding) }
    }
    out.append(byte: 0x0A)
  }

  private func fitsLine(_ row: TextRow, _ array: TextArray) -> Bool {
    let left = indentation + 2 * (array.level + 1)
    return width
      >= array.fields[row.fields].reduce(left + array.indexWidth) {
        $0 + $1.name.columns + $1.value.columns + 3
      }
  }

  private func write(_ row: TextRow, of array: TextArray) {
    let left = indentation + 2 * (array.level + 1)
    guard fitsLine(row, array) else {
      writeLine(array.level + 1, styled("[\(row.index)]", style.meaning))
      return writeFields(array.fields[row.fields], level: array.level + 2)
    }
    out.append(spaces: left)
    writeIndex(row.index, width: array.indexWidth)
    for (column, field) in array.fields[row.fields].enumerated() {
      out.append(column == 0 ? "  " : ", ")
      writeName(field.name)
      out.append(byte: 0x20)
      write(field.value)
    }
    out.append(byte: 0x0A)
  }
}
