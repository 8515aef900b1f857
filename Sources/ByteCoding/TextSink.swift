// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Describes fields for people.
///
/// Fields that follow one another stand in two columns, numbers of an array in a grid, structures of an array as a
/// table while they fit; raw values stand first, and what they mean beside them.
public struct TextSink: FieldSink {
  enum Scope {
    case structure
    case array(TextArray)
    case row(TextRow)
  }

  /// Where the text goes.
  public let out: OutputBuffer
  public let tableRows: Int
  /// How many bytes of a byte string are shown.
  public let byteLimit: Int
  /// How many characters of a text are shown.
  public let textLimit: Int
  /// Columns before the outermost field.
  public let indentation: Int
  /// How many columns a line should have at most.
  public let width: Int
  /// How names and meanings look.
  public let style: TextStyle
  /// Whether the version and flags with which a full box begins are left out, because they stand elsewhere.
  public var skipsVersionAndFlags = false

  /// How much text there may be in `out` before fields are left out. What waits by then is still written.
  public var textLimitInAll = Int.max

  private var isFull: Bool { out.total > textLimitInAll }

  private var scopes: [Scope] = []
  /// Fields of the innermost structure that wait for those behind them, so that all align.
  private var block: [TextField] = []
  private var outermostFields = 0

  /// Fields are written when so many wait, so that a long structure takes no more memory than a short one.
  private static let blockLimit = 64
  /// A single long name does not push all values to the right.
  private static let longestPaddedName = 40

  /// Writes to `out`.
  public init(
    _ out: OutputBuffer, indentation: Int = 0, tableRows: Int = 8, byteLimit: Int = 32, textLimit: Int = 400,
    width: Int = 110, style: TextStyle = .plain
  ) {
    self.out = out
    self.indentation = indentation
    self.tableRows = tableRows
    self.byteLimit = byteLimit
    self.textLimit = textLimit
    self.width = width
    self.style = style
  }

  // MARK: Fields

  private mutating func field(_ name: StaticString, _ value: TextValue) {
    if isFull { return }
    guard let last = scopes.indices.last else {
      outermostFields += 1
      let isFirst = skipsVersionAndFlags && outermostFields <= 2
      if isFirst, name.description == "version" || name.description == "flags" { return }
      return wait(TextField(name: .declared(name), value: value))
    }
    switch scopes[last] {
    case .structure: wait(TextField(name: .declared(name), value: value))
    case .array(var array):
      scopes[last] = .structure  // So that the array is not copied.
      array.values.append(value)
      if array.values.count >= TextArray.chunk { writeValues(&array) }
      scopes[last] = .array(array)
    case .row(var row):
      guard !row.isOpen else { return wait(TextField(name: .declared(name), value: value)) }
      scopes[last] = .structure
      row.fields.append(TextField(name: .declared(name), value: value))
      scopes[last] = .row(row)
    }
  }

  private mutating func wait(_ field: TextField) {
    block.append(field)
    if block.count >= Self.blockLimit { writeBlock(level: scopes.count) }
  }

  // MARK: Scopes

  public mutating func beginStructure(_ name: StaticString) {
    if isFull { return scopes.append(.structure) }
    if let last = scopes.indices.last, case .array(var array) = scopes[last] {
      scopes[last] = .structure
      if !array.values.isEmpty { writeValues(&array) }
      scopes[last] = .array(array)
      return scopes.append(.row(TextRow(index: array.shown + array.rows.count)))
    }
    openRow()
    writeBlock(level: scopes.count)
    writeLine(scopes.count, styled(name.description, style.name))
    scopes.append(.structure)
  }

  public mutating func beginArray(_ name: StaticString, count: Int) {
    if isFull { return scopes.append(.structure) }
    openRow()
    var title = name.description
    if let last = scopes.indices.last, case .array(var outer) = scopes[last] {
      // An array of arrays: each stands under its number.
      scopes[last] = .structure
      writePending(&outer)
      begin(&outer)
      title = "[\(outer.shown)]"
      outer.shown += 1
      scopes[last] = .array(outer)
    }
    scopes.append(.array(TextArray(name: title, count: count, level: scopes.count)))
  }

  public mutating func endScope(omitted: Int) {
    guard let scope = scopes.popLast() else { return }
    switch scope {
    case .structure: writeBlock(level: scopes.count + 1)
    case .row(let row):
      guard !row.isOpen else { return writeBlock(level: scopes.count + 1) }
      guard let last = scopes.indices.last, case .array(var array) = scopes[last] else { return }
      scopes[last] = .structure
      array.rows.append(row)
      if array.rows.count >= TextArray.chunk { writeRows(&array) }
      scopes[last] = .array(array)
    case .array(var array): endArray(&array, omitted: omitted)
    }
  }

  private mutating func endArray(_ array: inout TextArray, omitted: Int) {
    let rest = omitted > 0 ? "… \(omitted) more" : ""
    if !array.isBegun, array.rows.isEmpty {
      // Few values share a line with the name of their array.
      var words = array.values.map { $0.plain }
      if omitted > 0 { words.append(rest) }
      let text = words.isEmpty ? "none" : words.joined(separator: " ")
      let name = array.values.count > 1 || omitted > 0 ? array.title : array.name
      let room = width - indentation - 2 * array.level - max(columnCount(name), 24) - 2
      if array.values.isEmpty || columnCount(text) <= room {
        return wait(TextField(name: .made(name), value: TextValue(text)))
      }
    }
    writePending(&array)
    begin(&array)
    writeBlock(level: array.level + 1)
    if omitted > 0 { writeLine(array.level + 1, styled(rest, style.meaning)) }
  }

  /// What stands in a row turns out to be more than fields: it is written line by line.
  private mutating func openRow() {
    guard let last = scopes.indices.last, case .row(var row) = scopes[last], !row.isOpen else { return }
    row.isOpen = true
    scopes[last] = .row(row)
    if last > 0, case .array(var array) = scopes[last - 1] {
      scopes[last - 1] = .structure
      writePending(&array)
      begin(&array)
      array.shown += 1
      scopes[last - 1] = .array(array)
    }
    writeLine(last, styled("[\(row.index)]", style.meaning))
    block = row.fields
  }

  /// Writes what still waits, also of structures that damage left open.
  public mutating func finish() {
    while !scopes.isEmpty { endScope(omitted: 0) }
    writeBlock(level: 0)
    outermostFields = 0
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
    writeFields(block, level: level)
    block.removeAll(keepingCapacity: true)
  }

  func writeFields(_ fields: [TextField], level: Int) {
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

extension TextSink {
  public mutating func unsigned(_ note: FieldNote, _ value: UInt64) {
    field(note.name, TextValue(note, unsigned: value))
  }

  public mutating func signed(_ note: FieldNote, _ value: Int64) {
    field(note.name, TextValue(note, signed: value))
  }

  public mutating func reserved(_ note: FieldNote, _ value: UInt64, expected: UInt64) {
    if value != expected { field(note.name, TextValue(String(value), "expected \(expected)")) }
  }

  public mutating func bytes(_ note: FieldNote, _ value: ByteView, _ format: BytesFormat) {
    switch format {
    case .text: field(note.name, quoted(value))
    case .pascalText: field(note.name, TextValue("\"\(ValueText.printable(ValueText.pascalText(value)))\""))
    case .uuid: field(note.name, TextValue(ValueText.uuid(value)))
    case .hexadecimal:
      let limit = fittingBytes
      var text = value.hexadecimalText(limit: limit)
      if value.count > limit { text += "…" }
      let size = "\(value.count) byte\(value.count == 1 ? "" : "s")"
      field(note.name, value.isEmpty ? TextValue("none") : TextValue(text, size))
    }
  }

  public mutating func text(_ note: FieldNote, _ value: TerminatedString) {
    field(note.name, quoted(value.bytes))
  }

  public mutating func bitString(_ note: FieldNote, _ value: BitString) {
    let bytes = ByteView(value.bytes)
    let limit = fittingBytes
    let digits = bytes.hexadecimalText(limit: limit) + (bytes.count > limit ? "…" : "")
    field(note.name, value.isEmpty ? TextValue("none") : TextValue(digits, "\(value.bitCount) bits"))
  }

  /// How many bytes find room beside a name of usual length; a few always do.
  private var fittingBytes: Int {
    min(byteLimit, max(8, (width - indentation - 2 * scopes.count - 36) / 2))
  }

  private func quoted(_ bytes: ByteView) -> TextValue {
    guard bytes.count > textLimit else { return TextValue("\"\(ValueText.printable(bytes.utf8Text))\"") }
    let start = ValueText.printable(bytes.prefix(textLimit).utf8Text)
    return TextValue("\"\(start)…\"", "\(bytes.count) bytes")
  }
}
