// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// Describes fields for people.
///
/// Successive fields are written in two columns, the numbers of an array as a grid, the structures of an array as
/// a table if they fit; raw values come first, with their meaning beside them.
public final class TextSink: FieldSink {
  /// Where the text goes.
  public var out: OutputBuffer { lines.out }
  public let tableRows: Int
  private var lines: TextLines
  private var skipsVersionAndFlags: Bool

  /// Makes a sink that writes text.
  ///
  /// - Parameters:
  ///   - out: where the text goes.
  ///   - indentation: how many columns the outermost field is indented.
  ///   - tableRows: the maximum number of rows shown of a table.
  ///   - byteLimit: the maximum number of bytes shown of a byte string.
  ///   - textLimit: the maximum number of characters shown of a text.
  ///   - width: the maximum number of columns of a line, if possible.
  ///   - style: how names and meanings look.
  ///   - skipsVersionAndFlags: whether the version and flags with which a full box begins are omitted because they are
  ///     shown elsewhere.
  ///   - textLimitInAll: how much text `out` may hold before further fields are omitted.
  public init(
    _ out: OutputBuffer, indentation: Int = 0, tableRows: Int = 8, byteLimit: Int = 32, textLimit: Int = 400,
    width: Int = 110, style: TextStyle = .plain, skipsVersionAndFlags: Bool = false,
    textLimitInAll: Int = .max
  ) {
    self.tableRows = tableRows
    lines = TextLines(
      out, indentation: indentation, byteLimit: byteLimit, textLimit: textLimit, width: width, style: style,
      textLimitInAll: textLimitInAll)
    self.skipsVersionAndFlags = skipsVersionAndFlags
  }

  /// Begins with other fields, after all before were finished: memory is kept.
  package func begin(indentation: Int, skipsVersionAndFlags: Bool) {
    lines.indentation = indentation
    self.skipsVersionAndFlags = skipsVersionAndFlags
  }

  public func unsigned(_ note: FieldNote, _ value: UInt64) { lines.unsigned(note, value) }
  public func signed(_ note: FieldNote, _ value: Int64) { lines.signed(note, value) }
  public func versionAndFlags(_ version: UInt8, _ flags: UInt32?) {
    guard !(skipsVersionAndFlags && lines.isOutermost) else { return }
    lines.unsigned(FieldNote("version", .unsigned(bits: 8)), UInt64(version))
    if let flags { lines.unsigned(FieldNote("flags", .unsigned(bits: 24), .hexadecimal), UInt64(flags)) }
  }
  public func reserved(_ note: FieldNote, _ value: UInt64, expected: UInt64) {
    lines.reserved(note, value, expected: expected)
  }
  public func bytes(_ note: FieldNote, _ value: ByteView, _ format: BytesFormat) {
    lines.bytes(note, value, format)
  }
  public func text(_ note: FieldNote, _ value: TerminatedString) { lines.text(note, value) }
  public func bitString(_ note: FieldNote, _ value: BitString) { lines.bitString(note, value) }
  public func beginStructure(_ name: StaticString) { lines.beginStructure(name) }
  public func beginArray(_ name: StaticString, count: Int) { lines.beginArray(name, count: count) }
  public func endScope(omitted: Int) { lines.endScope(omitted: omitted) }
  public func finish() { lines.finish() }
}
