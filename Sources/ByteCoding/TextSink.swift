// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Describes fields for people: a line a field, arrays of numbers and small rows on one line, raw values with what
/// they mean beside them.
public struct TextSink: FieldSink {
  private enum Scope {
    case structure
    /// An array, and how many elements have been shown.
    case array(shown: Int, scalars: Bool)
    /// An element of an array, whose fields share a line while they fit.
    case row(fields: Int)
  }

  /// Where the text goes.
  public let out: OutputBuffer
  public let tableRows: Int
  /// How many bytes of a byte string are shown.
  public let byteLimit: Int
  /// Columns before the outermost field.
  public let indentation: Int
  private var scopes: [Scope] = []
  private var column = 0

  private static let width = 110

  /// Writes to `out`.
  public init(_ out: OutputBuffer, indentation: Int = 0, tableRows: Int = 8, byteLimit: Int = 32) {
    self.out = out
    self.indentation = indentation
    self.tableRows = tableRows
    self.byteLimit = byteLimit
  }

  // MARK: Lines

  private mutating func write(_ text: String) {
    out.append(text)
    column += text.count
  }

  private mutating func newLine() {
    if column > 0 { out.append(byte: 0x0A) }
    column = 0
  }

  private mutating func indent(_ extra: Int = 0) {
    let spaces = indentation + 2 * (scopes.count + extra)
    out.append(spaces: spaces)
    column = spaces
  }

  private mutating func field(_ name: StaticString, _ value: String) {
    guard let last = scopes.indices.last else {
      newLine()
      indent()
      write("\(name): \(value)")
      return newLine()
    }
    switch scopes[last] {
    case .structure:
      newLine()
      indent()
      write("\(name): \(value)")
      newLine()
    case .array(let shown, let scalars):
      if !scalars || column == 0 || column + value.count + 1 > Self.width {
        newLine()
        indent()
        write(value)
      } else {
        write(" " + value)
      }
      scopes[last] = .array(shown: shown + 1, scalars: true)
    case .row(let fields):
      let text = "\(name) \(value)"
      if column == 0 || (fields > 0 && column + text.count + 2 > Self.width) {
        if column > 0 { write(",") }
        newLine()
        indent()
        write(text)
      } else {
        write((fields > 0 ? ", " : " ") + text)
      }
      scopes[last] = .row(fields: fields + 1)
    }
  }

  public mutating func beginStructure(_ name: StaticString) {
    if let last = scopes.indices.last, case .array(let shown, let scalars) = scopes[last] {
      newLine()
      indent()
      write("[\(shown)]")
      scopes[last] = .array(shown: shown + 1, scalars: scalars)
      scopes.append(.row(fields: 0))
      return
    }
    newLine()
    indent()
    write("\(name):")
    newLine()
    scopes.append(.structure)
  }

  public mutating func beginArray(_ name: StaticString, count: Int) {
    newLine()
    indent()
    write(count > 0 ? "\(name) [\(count)]:" : "\(name):")
    scopes.append(.array(shown: 0, scalars: true))
  }

  public mutating func endScope(omitted: Int) {
    if omitted > 0 {
      newLine()
      indent()
      write("… \(omitted) more")
    }
    newLine()
    _ = scopes.popLast()
  }

  /// Ends a line that a damaged structure left open.
  public mutating func closeScopes() {
    newLine()
    scopes.removeAll()
  }

  // MARK: Values

  public mutating func unsigned(_ note: FieldNote, _ value: UInt64) {
    field(note.name, text(note, unsigned: value))
  }

  public mutating func signed(_ note: FieldNote, _ value: Int64) {
    switch note.format {
    case .fixedPoint(let bits): field(note.name, ValueText.fixedPoint(value, fractionBits: bits))
    case .scaled(let divisor, let unit):
      field(note.name, "\(value) (\(ValueText.quotient(value, divisor))\(unit))")
    case .named(let name): field(note.name, name(value).map { "\(value) (\($0))" } ?? String(value))
    default: field(note.name, String(value))
    }
  }

  private func text(_ note: FieldNote, unsigned value: UInt64) -> String {
    switch note.format {
    case .decimal, .flag: return String(value)
    case .hexadecimal:
      if case .unsigned(let bits) = note.coding {
        return "0x" + hexadecimal(value, digits: (bits + 3) / 4)
      }
      return "0x" + hexadecimal(value)
    case .fourCC: return FourCC(UInt32(truncatingIfNeeded: value)).description
    case .fixedPoint(let bits): return ValueText.fixedPoint(Int64(clamping: value), fractionBits: bits)
    case .binaryFloat:
      if case .unsigned(let bits) = note.coding { return ValueText.binaryFloat(value, bits: bits) }
      return String(value)
    case .language: return "\(value) (\(ValueText.language(value)))"
    case .macTime: return "\(value) (\(ValueText.macTime(value)))"
    case .scaled(let divisor, let unit):
      return "\(value) (\(ValueText.quotient(Int64(clamping: value), divisor))\(unit))"
    case .named(let name):
      return name(Int64(clamping: value)).map { "\(value) (\($0))" } ?? String(value)
    }
  }

  public mutating func reserved(_ note: FieldNote, _ value: UInt64, expected: UInt64) {
    if value != expected { field(note.name, "\(value) (expected \(expected))") }
  }

  public mutating func bytes(_ note: FieldNote, _ value: ByteView, _ format: BytesFormat) {
    switch format {
    case .text: field(note.name, "\"\(ValueText.printable(value.utf8Text))\"")
    case .pascalText:
      field(note.name, "\"\(ValueText.printable(ValueText.pascalText(value)))\"")
    case .uuid: field(note.name, ValueText.uuid(value))
    case .hexadecimal:
      var text = "\(value.count) byte\(value.count == 1 ? "" : "s")"
      if !value.isEmpty { text += " " + value.hexadecimalText(limit: byteLimit) }
      if value.count > byteLimit { text += "…" }
      field(note.name, text)
    }
  }

  public mutating func text(_ note: FieldNote, _ value: TerminatedString) {
    field(note.name, "\"\(ValueText.printable(value.text))\"")
  }

  public mutating func bitString(_ note: FieldNote, _ value: BitString) {
    let bytes = ByteView(value.bytes)
    field(
      note.name,
      "\(value.bitCount) bits \(bytes.hexadecimalText(limit: byteLimit))\(bytes.count > byteLimit ? "…" : "")")
  }
}
