// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// What a ``FieldLayout`` works with: a coder that reads, writes or describes fields in the order of their
/// declaration.
/// The protocol is small; the methods that declarations call are in the extensions below. A declaration is plain
/// Swift: `if` for a condition, `for` for a loop. A value that a condition depends on must itself be coded, or be
/// set before coding starts: then reading and writing cannot disagree.
public protocol FieldCoder: ~Escapable {
  /// Whether values are read from bytes, and not the other way round.
  var isDecoding: Bool { get }
  /// When reading, how many bits are left in the structure; otherwise `nil`.
  var bitsLeft: Int? { get }
  /// When reading, how many bits precede the stop bit that ends an RBSP; otherwise `nil`.
  var bitsBeforeTrailing: Int? { get }
  /// How many bits have been coded since the start of the outermost structure.
  var bitPosition: Int { get }
  /// How many rows of a ``PackedTable`` are visited; reading and writing do not visit rows.
  var tableRows: Int { get }

  /// An unsigned number of `bits` bits, at most 64. `u(n)`
  mutating func unsigned(
    _ name: StaticString, _ value: inout UInt64, bits: Int, in allowed: ClosedRange<UInt64>?,
    _ format: FieldFormat
  ) throws(ParseError)

  /// A two's complement number of `bits` bits, at most 64. `i(n)`
  mutating func signed(
    _ name: StaticString, _ value: inout Int64, bits: Int, in allowed: ClosedRange<Int64>?,
    _ format: FieldFormat
  ) throws(ParseError)

  /// An Exp-Golomb number. The range is not optional: it bounds every loop that follows. `ue(v)`
  mutating func expGolomb(
    _ name: StaticString, _ value: inout UInt32, in allowed: ClosedRange<UInt32>, _ format: FieldFormat
  ) throws(ParseError)

  /// A signed Exp-Golomb number. `se(v)`
  mutating func signedExpGolomb(
    _ name: StaticString, _ value: inout Int32, in allowed: ClosedRange<Int32>
  ) throws(ParseError)

  /// The version and flags with which a full box begins. ISO/IEC 14496-12, 4.2.2
  mutating func versionAndFlags(
    _ version: inout UInt8, _ flags: inout UInt32, versions: ClosedRange<UInt8>
  ) throws(ParseError)

  /// Bits whose value the specification fixes. Any other value is kept, and is never an error.
  mutating func reserved(
    _ name: StaticString, _ kept: inout UInt64, bits: Int, expecting: UInt64
  ) throws(ParseError)

  /// `count` bytes, at a byte boundary.
  mutating func bytes(
    _ name: StaticString, _ value: inout ByteView, count: Int, _ format: BytesFormat
  ) throws(ParseError)

  /// Text up to a zero byte, or to the end of the structure.
  mutating func terminatedString(_ name: StaticString, _ value: inout TerminatedString) throws(ParseError)

  /// `count` bits.
  mutating func bitString(_ name: StaticString, _ value: inout BitString, count: Int) throws(ParseError)

  /// A table of `count` records, kept as bytes and decoded row by row on access.
  mutating func table<Record: PackedRecord>(
    _ name: StaticString, _ value: inout PackedTable<Record>, count: UInt64
  ) throws(ParseError)

  /// The same for records whose layout depends on `format`.
  mutating func table<Record: FormattedRecord>(
    _ name: StaticString, _ value: inout FormattedTable<Record>, count: UInt64, as format: Record.Format
  ) throws(ParseError)

  /// When reading, fails unless what is left has room for `count` elements of at least `minimumBits` each.
  func require(count: UInt64, minimumBits: Int, for name: StaticString) throws(ParseError)

  /// When reading, begins a structure of `count` bytes: nothing is read past them until ``endLimit(_:)``. Returns
  /// the value to pass to that call.
  mutating func beginLimit(bytes count: Int, _ name: StaticString) throws(ParseError) -> Int
  /// When reading, resumes the enclosing structure.
  mutating func endLimit(_ outer: Int)

  /// A nested structure begins; `index` counts the elements of an array.
  mutating func beginStructure(_ name: StaticString)
  /// An array begins.
  mutating func beginArray(_ name: StaticString, count: Int)
  /// The innermost structure or array ends.
  mutating func endScope()
  /// An error at the current position, for problems that a declaration finds itself.
  func failure(_ code: ParseError.Code, _ name: StaticString) -> ParseError
}

/// How bytes are best shown.
public enum BytesFormat: Sendable {
  /// Hexadecimal.
  case hexadecimal
  /// UTF-8 text.
  case text
  /// A length, that many bytes of text, and padding up to a fixed size.
  case pascalText
  /// A UUID.
  case uuid
}

/// The coders that a declaration accepts, spelled in one place.
public typealias Coder = FieldCoder & ~Escapable

/// A structure whose fields are declared once, for reading, writing and describing.
public protocol FieldLayout: Sendable, Hashable {
  /// The structure with its defaults.
  init()
  /// Names the fields in bitstream order.
  mutating func layout(_ c: inout some Coder) throws(ParseError)
}
