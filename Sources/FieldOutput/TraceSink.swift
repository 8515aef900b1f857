// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// One syntax element of the trace of a bitstream.
public struct SyntaxElement: Hashable, Sendable {
  /// The name in the specification.
  public var name: String
  /// How it is coded: `u(n)`, `ue(v)`, …
  public var descriptor: String
  /// The value; for byte strings, hexadecimal digits.
  public var value: String

  /// Makes an element.
  public init(name: String, descriptor: String, value: String) {
    self.name = name
    self.descriptor = descriptor
    self.value = value
  }
}

/// Collects syntax elements in bitstream order, as reference decoders print them.
public final class TraceSink: FieldSink {
  /// The elements so far.
  public private(set) var elements: [SyntaxElement] = []
  public var tableRows: Int { .max }
  public var showsEncodedForm: Bool { true }

  /// Starts without elements.
  public init() {}

  private func add(_ note: FieldNote, _ value: String) {
    elements.append(
      SyntaxElement(name: note.name.description, descriptor: note.coding.descriptor, value: value))
  }

  public func unsigned(_ note: FieldNote, _ value: UInt64) { add(note, String(value)) }
  public func signed(_ note: FieldNote, _ value: Int64) { add(note, String(value)) }
  public func reserved(_ note: FieldNote, _ value: UInt64, expected: UInt64) {
    add(note, String(value))
  }
  public func bytes(_ note: FieldNote, _ value: ByteView, _ format: BytesFormat) {
    add(note, value.hexadecimalText())
  }
  public func text(_ note: FieldNote, _ value: TerminatedString) { add(note, value.text) }
  public func bitString(_ note: FieldNote, _ value: BitString) {
    add(note, ByteView(value.bytes).hexadecimalText())
  }
  public func beginStructure(_ name: StaticString) {}
  public func beginArray(_ name: StaticString, count: Int) {}
  public func endScope(omitted: Int) {}
}
