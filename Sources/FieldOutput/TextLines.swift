// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// The fields that a ``TextSink`` has received but not yet written, and how they are laid out.
///
/// A struct: in a class every access to one of these properties would be checked for exclusivity.
struct TextLines {
  private enum Scope {
    case structure, array, row
  }

  let out: OutputBuffer
  /// How many bytes of a byte string are shown at most.
  let byteLimit: Int
  /// How many characters of a text are shown at most.
  let textLimit: Int
  /// How many columns the outermost field is indented.
  var indentation: Int
  /// How many columns a line should have at most.
  let width: Int
  /// How names and meanings look.
  let style: TextStyle
  /// How much text `out` may hold before further fields are omitted. Fields already waiting are still written.
  let textLimitInAll: Int

  /// Whether no structure is open.
  var isOutermost: Bool { scopes.isEmpty }

  private var isFull: Bool { out.total > textLimitInAll }

  /// The open scopes, innermost last; `arrays` and `rows` have the same order.
  private var scopes: [Scope] = []
  private var arrays: [TextArray] = []
  private var rows: [TextRow] = []
  /// An array that was written, whose memory the next one uses.
  private var spareArray: TextArray?
  /// Fields of the innermost structure that wait for later ones, so that all can be aligned.
  private var block: [TextField] = []

  /// Waiting fields are written once there are this many, so that a long structure takes no more memory than a
  /// short one.
  private static let blockLimit = 64
  /// A longer name is not padded, so that one long name does not push all values to the right.
  private static let longestPaddedName = 40

  /// Writes to `out`.
  init(
    _ out: OutputBuffer, indentation: Int, byteLimit: Int, textLimit: Int, width: Int, style: TextStyle,
    textLimitInAll: Int
  ) {
    self.out = out
    self.indentation = indentation
    self.byteLimit = byteLimit
    self.textLimit = textLimit
    self.width = width
    self.style = style
    self.textLimitInAll = textLimitInAll
  }

  // MARK: Fields

  private mutating func field(_ name: StaticString, _ value: TextValue) {
    if isFull { return }
    switch scopes.last {
    case nil, .structure: wait(TextField(name: .declared(name), value: value))
    case .array:
      let innermost = arrays.count - 1
      arrays[innermost].values.append(value)
      if arrays[innermost].values.count >= TextArray.chunk { changeArray { $0.writeValues(&$1) } }
    case .row:
      let field = TextField(name: .declared(name), value: value)
      guard rows.last?.isOpen == false else { return wait(field) }
      // The innermost array is that of the row: another in it would have opened the row.
      arrays[arrays.count - 1].fields.append(field)
    }
  }

  /// Moves the innermost array out, so that it is not copied while it and the rest of `self` change.
  private mutating func changeArray(_ change: (inout TextLines, inout TextArray) -> Void) {
    guard var array = arrays.popLast() else { return }
    change(&self, &array)
    arrays.append(array)
  }

  private mutating func wait(_ field: TextField) {
    block.append(field)
    if block.count >= Self.blockLimit { writeBlock(level: scopes.count) }
  }

  // MARK: Scopes

  mutating func beginStructure(_ name: StaticString) {
    if isFull { return scopes.append(.structure) }
    if scopes.last == .array {
      let innermost = arrays.count - 1
      if !arrays[innermost].values.isEmpty { changeArray { $0.writeValues(&$1) } }
      let end = arrays[innermost].fields.count
      rows.append(TextRow(index: arrays[innermost].next, fields: end..<end))
      return scopes.append(.row)
    }
    openRow()
    writeBlock(level: scopes.count)
    writeLine(scopes.count, styled(name.description, style.name))
    scopes.append(.structure)
  }

  mutating func beginArray(_ name: StaticString, count: Int) {
    if isFull { return scopes.append(.structure) }
    openRow()
    var title = name.description
    if scopes.last == .array {
      // An array of arrays: each inner array is labelled with its index.
      changeArray { lines, outer in
        lines.writePending(&outer)
        lines.begin(&outer)
        title = "[\(outer.shown)]"
        outer.shown += 1
      }
    }
    var array = spareArray.take() ?? TextArray()
    array.restart(name: title, count: count, level: scopes.count)
    arrays.append(array)
    scopes.append(.array)
  }

  mutating func endScope(omitted: Int) {
    switch scopes.popLast() {
    case nil: break
    case .structure: writeBlock(level: scopes.count + 1)
    case .row:
      guard var row = rows.popLast(), !row.isOpen else { return writeBlock(level: scopes.count + 1) }
      let innermost = arrays.count - 1
      row.fields = row.fields.lowerBound..<arrays[innermost].fields.count
      arrays[innermost].rows.append(row)
      if arrays[innermost].rows.count >= TextArray.chunk { changeArray { $0.writeRows(&$1) } }
    case .array:
      guard var array = arrays.popLast() else { return }
      endArray(&array, omitted: omitted)
      spareArray = consume array
    }
  }

  private mutating func endArray(_ array: inout TextArray, omitted: Int) {
    let rest = omitted > 0 ? "… \(omitted) more" : ""
    if !array.isBegun, array.rows.isEmpty {
      // A few values share the line with the name of their array.
      var words = array.values.map { $0.plain }
      if omitted > 0 { words.append(rest) }
      let text = words.isEmpty ? "none" : words.joined(separator: " ")
      let name = array.values.count > 1 || omitted > 0 ? array.title : array.name
      let room = width - indentation - 2 * array.level - max(name.columnCount, 24) - 2
      if array.values.isEmpty || text.columnCount <= room {
        return wait(TextField(name: .made(name), value: TextValue(text)))
      }
    }
    writePending(&array)
    begin(&array)
    writeBlock(level: array.level + 1)
    if omitted > 0 { writeLine(array.level + 1, styled(rest, style.meaning)) }
  }

  /// A row turns out to hold more than fields: it is written line by line.
  private mutating func openRow() {
    guard scopes.last == .row, var row = rows.popLast() else { return }
    defer { rows.append(row) }
    guard !row.isOpen else { return }
    row.isOpen = true
    var fields: ArraySlice<TextField> = []
    changeArray { lines, array in
      fields = array.fields[row.fields.lowerBound...]
      array.fields.removeSubrange(row.fields.lowerBound...)
      lines.writePending(&array)
      lines.begin(&array)
      array.shown += 1
    }
    writeLine(scopes.count - 1, styled("[\(row.index)]", style.meaning))
    block = Array(fields)
  }

  /// Writes everything that still waits, including structures that damage left open.
  mutating func finish() {
    while !scopes.isEmpty { endScope(omitted: 0) }
    writeBlock(level: 0)
  }

  // MARK: Lines

  func styled(_ text: String, _ sequence: String) -> String {
    sequence.isEmpty ? text : sequence + text + style.reset
  }

  func writeName(_ name: FieldName) {
    if case .declared(let name) = name, style.name.isEmpty { return out.append(name) }
    out.append(styled(name.text, style.name))
  }

  func writeLine(_ level: Int, _ text: String) {
    out.append(spaces: indentation + 2 * level)
    out.append(text)
    out.append(byte: 0x0A)
  }

  mutating func writeBlock(level: Int) {
    guard !block.isEmpty else { return }
    writeFields(block[...], level: level)
    block.removeAll(keepingCapacity: true)
  }

  func writeFields(_ fields: ArraySlice<TextField>, level: Int) {
    var nameWidth = 0
    for index in fields.indices {
      let width = fields[index].name.columns
      if width <= Self.longestPaddedName { nameWidth = max(nameWidth, width) }
    }
    for index in fields.indices {
      out.append(spaces: indentation + 2 * level)
      writeName(fields[index].name)
      out.append(spaces: max(0, nameWidth - fields[index].name.columns) + 2)
      write(fields[index].value)
      out.append(byte: 0x0A)
    }
  }
}

// MARK: - Values

extension TextLines {
  mutating func unsigned(_ note: FieldNote, _ value: UInt64) {
    field(note.name, .of(note, value))
  }

  mutating func signed(_ note: FieldNote, _ value: Int64) {
    field(note.name, .of(note, value))
  }

  mutating func reserved(_ note: FieldNote, _ value: UInt64, expected: UInt64) {
    if value != expected { field(note.name, TextValue(String(value), "expected \(expected)")) }
  }

  mutating func bytes(_ note: FieldNote, _ value: ByteView, _ format: BytesFormat) {
    switch format {
    case .text: field(note.name, quoted(value))
    case .pascalText: field(note.name, TextValue("\"\(ValueText.printable(value.pascalText))\""))
    case .uuid: field(note.name, TextValue(ValueText.uuid(value)))
    case .hexadecimal:
      let limit = fittingBytes
      var text = value.hexadecimalText(limit: limit)
      if value.count > limit { text += "…" }
      let size = "\(value.count) byte\(value.count == 1 ? "" : "s")"
      field(note.name, value.isEmpty ? TextValue("none") : TextValue(text, size))
    }
  }

  mutating func text(_ note: FieldNote, _ value: TerminatedString) {
    field(note.name, quoted(value.bytes))
  }

  mutating func bitString(_ note: FieldNote, _ value: BitString) {
    let bytes = ByteView(value.bytes)
    let limit = fittingBytes
    let digits = bytes.hexadecimalText(limit: limit) + (bytes.count > limit ? "…" : "")
    field(note.name, value.isEmpty ? TextValue("none") : TextValue(digits, "\(value.bitCount) bits"))
  }

  /// How many bytes fit beside a name of usual length; a few are always shown.
  private var fittingBytes: Int {
    min(byteLimit, max(8, (width - indentation - 2 * scopes.count - 36) / 2))
  }

  private func quoted(_ bytes: ByteView) -> TextValue {
    guard bytes.count > textLimit else { return TextValue("\"\(ValueText.printable(bytes.utf8Text))\"") }
    let start = ValueText.printable(bytes.prefix(textLimit).utf8Text)
    return TextValue("\"\(start)…\"", "\(bytes.count) bytes")
  }
}
