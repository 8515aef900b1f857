// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Where descriptions go: text, JSON, a trace, a catalogue.
///
/// A new form of output is one class that conforms; boxes, messages and registries need not know about it. It is a
/// class so that layouts are compiled once for all sinks and not once for each: the methods they call are looked
/// up at run time.
public protocol FieldSink: AnyObject {
  /// How many rows of a table are wanted.
  var tableRows: Int { get }
  /// Whether a value that the bitstream splits into several elements is shown as those elements, as in a trace, or
  /// as one number.
  var showsEncodedForm: Bool { get }
  /// An unsigned field.
  func unsigned(_ note: FieldNote, _ value: UInt64)
  /// A signed field.
  func signed(_ note: FieldNote, _ value: Int64)
  /// The version and flags with which a full box begins, as far as they could be read.
  func versionAndFlags(_ version: UInt8, _ flags: UInt32?)
  /// A reserved field; `expected` is the value that the specification requires.
  func reserved(_ note: FieldNote, _ value: UInt64, expected: UInt64)
  /// Bytes.
  func bytes(_ note: FieldNote, _ value: ByteView, _ format: BytesFormat)
  /// Text.
  func text(_ note: FieldNote, _ value: TerminatedString)
  /// A string of any number of bits.
  func bitString(_ note: FieldNote, _ value: BitString)
  /// A structure begins.
  func beginStructure(_ name: StaticString)
  /// An array begins; `count` is its number of elements, or 0 if that is not known in advance.
  func beginArray(_ name: StaticString, count: Int)
  /// The innermost structure or array ends; `omitted` elements were not shown. Scopes that damage leaves open are
  /// ended too.
  func endScope(omitted: Int)
  /// A description is complete, or damage ended it: whatever the sink still holds back is written.
  func finish()
}

extension FieldSink {
  /// By default, `false`: as one number.
  public var showsEncodedForm: Bool { false }
  /// By default, these are described like two ordinary fields.
  public func versionAndFlags(_ version: UInt8, _ flags: UInt32?) {
    unsigned(FieldNote("version", .unsigned(bits: 8)), UInt64(version))
    if let flags { unsigned(FieldNote("flags", .unsigned(bits: 24), .hexadecimal), UInt64(flags)) }
  }
  /// Most sinks hold nothing back.
  public func finish() {}
}
