// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// Describes fields as the members of a JSON object, by their names in the specification.
///
/// Values are raw, with three exceptions that lose nothing: flags are Booleans, four-character codes are strings,
/// and fixed-point numbers are written as the number they represent.
public final class JSONSink: FieldSink {
  /// The writer of the JSON text.
  public let writer: JSONWriter
  public let tableRows: Int
  /// The maximum number of bytes shown of a byte string.
  public let byteLimit: Int
  /// The names of the open arrays, innermost last.
  private var arrayNames: [StaticString] = []

  /// Writes into the object that `writer` has begun.
  public init(_ writer: JSONWriter, tableRows: Int = 8, byteLimit: Int = 64) {
    self.writer = writer
    self.tableRows = tableRows
    self.byteLimit = byteLimit
  }

  private func begin(_ name: StaticString) {
    if !writer.isInArray { writer.key(field: name) }
  }

  public func unsigned(_ note: FieldNote, _ value: UInt64) {
    begin(note.name)
    switch note.format {
    case .flag: writer.value(value != 0)
    case .fourCC: writer.value(FourCC(UInt32(truncatingIfNeeded: value)).description)
    case .fixedPoint(let bits):
      writer.number(ValueText.fixedPoint(Int64(clamping: value), fractionBits: bits))
    case .binaryFloat:
      if case .unsigned(64) = note.coding {
        writer.value(Double(bitPattern: value))
      } else {
        writer.value(Double(Float(bitPattern: UInt32(truncatingIfNeeded: value))))
      }
    default: writer.value(value)
    }
  }

  public func signed(_ note: FieldNote, _ value: Int64) {
    begin(note.name)
    if case .fixedPoint(let bits) = note.format {
      writer.number(ValueText.fixedPoint(value, fractionBits: bits))
    } else {
      writer.value(value)
    }
  }

  public func reserved(_ note: FieldNote, _ value: UInt64, expected: UInt64) {
    guard value != expected, !writer.isInArray else { return }
    begin(note.name)
    writer.value(value)
  }

  public func bytes(_ note: FieldNote, _ value: ByteView, _ format: BytesFormat) {
    begin(note.name)
    switch format {
    case .hexadecimal: writer.value(value, limit: byteLimit)
    case .text: writer.value(value.utf8Text)
    case .pascalText: writer.value(value.pascalText)
    case .uuid: writer.value(ValueText.uuid(value))
    }
  }

  public func text(_ note: FieldNote, _ value: TerminatedString) {
    begin(note.name)
    writer.value(value.text)
  }

  public func bitString(_ note: FieldNote, _ value: BitString) {
    begin(note.name)
    writer.value(ByteView(value.bytes), limit: byteLimit)
  }

  public func beginStructure(_ name: StaticString) {
    begin(name)
    writer.beginObject(inline: writer.isInArray)
  }

  public func beginArray(_ name: StaticString, count: Int) {
    begin(name)
    writer.beginArray(inline: false)
    arrayNames.append(name)
  }

  public func endScope(omitted: Int) {
    guard writer.isInArray else { return writer.endObject() }
    writer.endArray()
    if let name = arrayNames.popLast(), omitted > 0, !writer.isInArray {
      writer.key(name.description + "_truncated")
      writer.value(omitted)
    }
  }
}
