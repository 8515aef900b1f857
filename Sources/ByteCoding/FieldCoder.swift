// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// What a ``Layout`` talks to: something that reads, writes or describes fields in the order of their declaration.
///
/// The protocol is small; the methods that declarations call stand in the extensions below. A declaration is plain
/// Swift: `if` for a condition, `for` for a loop. A value that a condition depends on must itself be coded, or be
/// set before coding starts: then reading and writing cannot disagree.
public protocol FieldCoder: ~Escapable {
  /// Whether values come from bytes (and not the other way round).
  var isDecoding: Bool { get }
  /// Reading: how many bits are left in the structure. Otherwise `nil`.
  var bitsLeft: Int? { get }
  /// Reading: how many bits stand before the stop bit that ends an RBSP. Otherwise `nil`.
  var bitsBeforeTrailing: Int? { get }
  /// How many bits have been coded since the start of the outermost structure.
  var bitPosition: Int { get }
  /// How many rows of a ``PackedTable`` are visited; reading and writing do not visit rows.
  var tableRows: Int { get }

  /// An unsigned number of `bits` bits, at most 64. `u(n)`
  mutating func unsigned<T: FixedWidthInteger & UnsignedInteger & Sendable>(
    _ name: StaticString, _ value: inout T, bits: Int, in allowed: ClosedRange<T>?, _ format: FieldFormat
  ) throws(ParseError)

  /// A two's complement number of `bits` bits, at most 64. `i(n)`
  mutating func signed<T: FixedWidthInteger & SignedInteger & Sendable>(
    _ name: StaticString, _ value: inout T, bits: Int, in allowed: ClosedRange<T>?, _ format: FieldFormat
  ) throws(ParseError)

  /// An Exp-Golomb number. The range is not optional: it bounds every loop that follows. `ue(v)`
  mutating func expGolomb(
    _ name: StaticString, _ value: inout UInt32, in allowed: ClosedRange<UInt32>, _ format: FieldFormat
  ) throws(ParseError)

  /// A signed Exp-Golomb number. `se(v)`
  mutating func signedExpGolomb(
    _ name: StaticString, _ value: inout Int32, in allowed: ClosedRange<Int32>
  ) throws(ParseError)

  /// Bits that the specification fixes. What stands there instead is kept, and never an error.
  mutating func reserved<T: FixedWidthInteger & UnsignedInteger & Sendable>(
    _ name: StaticString, _ kept: inout T, bits: Int, expecting: T
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

  /// The same for records whose layout `format` settles.
  mutating func table<Record: FormattedRecord>(
    _ name: StaticString, _ value: inout FormattedTable<Record>, count: UInt64, as format: Record.Format
  ) throws(ParseError)

  /// Reading: fails unless `count` elements of at least `minimumBits` each can stand in what is left.
  func require(count: UInt64, minimumBits: Int, for name: StaticString) throws(ParseError)

  /// Reading: what follows is a structure of `count` bytes, and nothing is read past them until ``endLimit(_:)``.
  /// Answers what to hand to that.
  mutating func beginLimit(bytes count: Int, _ name: StaticString) throws(ParseError) -> Int
  /// Reading: the structure around is read on.
  mutating func endLimit(_ outer: Int)

  /// A nested structure begins; `index` counts the elements of an array.
  mutating func beginStructure(_ name: StaticString)
  /// An array begins.
  mutating func beginArray(_ name: StaticString, count: Int)
  /// The innermost structure or array ends.
  mutating func endScope()
  /// Where the coder stands, for errors that a declaration finds by itself.
  func failure(_ code: ParseError.Code, _ name: StaticString) -> ParseError
}

/// How bytes read best.
public enum BytesFormat: Sendable {
  /// Hexadecimal.
  case hexadecimal
  /// UTF-8 text.
  case text
  /// A length, as many bytes of text, and filling up to a fixed size.
  case pascalText
  /// A UUID.
  case uuid
}

/// The coders a declaration accepts, spelled once.
public typealias Coder = FieldCoder & ~Escapable

/// A structure whose fields are declared once, for reading, writing and describing.
public protocol Layout: Sendable, Hashable {
  /// The structure with its defaults.
  init()
  /// Names the fields in bitstream order.
  mutating func layout(_ c: inout some Coder) throws(ParseError)
}

// MARK: - Fixed-width fields

extension FieldCoder where Self: ~Escapable {
  /// `u(n)` for a width that is no whole number of bytes.
  @inlinable
  public mutating func u<T: FixedWidthInteger & UnsignedInteger & Sendable>(
    _ name: StaticString, _ value: inout T, _ bits: Int, in allowed: ClosedRange<T>? = nil,
    _ format: FieldFormat = .decimal
  ) throws(ParseError) { try unsigned(name, &value, bits: bits, in: allowed, format) }

  /// `u(8)`
  @inlinable
  public mutating func u8(
    _ name: StaticString, _ value: inout UInt8, in allowed: ClosedRange<UInt8>? = nil,
    _ format: FieldFormat = .decimal
  ) throws(ParseError) { try unsigned(name, &value, bits: 8, in: allowed, format) }

  /// `u(16)`
  @inlinable
  public mutating func u16(
    _ name: StaticString, _ value: inout UInt16, in allowed: ClosedRange<UInt16>? = nil,
    _ format: FieldFormat = .decimal
  ) throws(ParseError) { try unsigned(name, &value, bits: 16, in: allowed, format) }

  /// `u(24)`
  @inlinable
  public mutating func u24(
    _ name: StaticString, _ value: inout UInt32, in allowed: ClosedRange<UInt32>? = nil,
    _ format: FieldFormat = .decimal
  ) throws(ParseError) { try unsigned(name, &value, bits: 24, in: allowed, format) }

  /// `u(32)`
  @inlinable
  public mutating func u32(
    _ name: StaticString, _ value: inout UInt32, in allowed: ClosedRange<UInt32>? = nil,
    _ format: FieldFormat = .decimal
  ) throws(ParseError) { try unsigned(name, &value, bits: 32, in: allowed, format) }

  /// `u(64)`
  @inlinable
  public mutating func u64(
    _ name: StaticString, _ value: inout UInt64, in allowed: ClosedRange<UInt64>? = nil,
    _ format: FieldFormat = .decimal
  ) throws(ParseError) { try unsigned(name, &value, bits: 64, in: allowed, format) }

  /// An unsigned number that takes 64 bits in the wide version of a structure, and 32 in the other.
  @inlinable
  public mutating func u32or64(
    _ name: StaticString, _ value: inout UInt64, wide: Bool, _ format: FieldFormat = .decimal
  ) throws(ParseError) { try unsigned(name, &value, bits: wide ? 64 : 32, in: nil, format) }

  /// `i(16)`
  @inlinable
  public mutating func i16(
    _ name: StaticString, _ value: inout Int16, _ format: FieldFormat = .decimal
  ) throws(ParseError) { try signed(name, &value, bits: 16, in: nil, format) }

  /// `i(32)`
  @inlinable
  public mutating func i32(
    _ name: StaticString, _ value: inout Int32, _ format: FieldFormat = .decimal
  ) throws(ParseError) { try signed(name, &value, bits: 32, in: nil, format) }

  /// A signed number that takes 64 bits in the wide version of a structure, and 32 in the other.
  @inlinable
  public mutating func i32or64(
    _ name: StaticString, _ value: inout Int64, wide: Bool, _ format: FieldFormat = .decimal
  ) throws(ParseError) { try signed(name, &value, bits: wide ? 64 : 32, in: nil, format) }

  /// `u(1)`
  @inlinable
  public mutating func flag(_ name: StaticString, _ value: inout Bool) throws(ParseError) {
    var bit: UInt8 = value ? 1 : 0
    try unsigned(name, &bit, bits: 1, in: nil, .flag)
    value = bit != 0
  }

  /// Four characters.
  @inlinable
  public mutating func fourCC(_ name: StaticString, _ value: inout FourCC) throws(ParseError) {
    try unsigned(name, &value.rawValue, bits: 32, in: nil, .fourCC)
  }

  /// Any open enumeration over an unsigned number.
  @inlinable
  public mutating func code<E: RawRepresentable>(
    _ name: StaticString, _ value: inout E, bits: Int, _ format: FieldFormat = .decimal
  ) throws(ParseError) where E.RawValue: FixedWidthInteger & UnsignedInteger & Sendable {
    var raw = value.rawValue
    try unsigned(name, &raw, bits: bits, in: nil, format)
    if let known = E(rawValue: raw) { value = known }
  }

  /// The version and flags with which a full box begins. ISO/IEC 14496-12, 4.2.2
  @inlinable
  public mutating func fullBox(
    _ version: inout UInt8, _ flags: inout UInt32, versions: ClosedRange<UInt8> = 0...0
  ) throws(ParseError) {
    try unsigned("version", &version, bits: 8, in: nil, .decimal)
    guard versions.contains(version) else {
      throw failure(.unsupportedVersion(UInt64(version)), "version")
    }
    try unsigned("flags", &flags, bits: 24, in: nil, .hexadecimal)
  }

  /// The version and flags of a full box that exists in version 0 only.
  @inlinable
  public mutating func fullBox(_ flags: inout UInt32) throws(ParseError) {
    var version: UInt8 = 0
    try fullBox(&version, &flags)
  }
}

// MARK: - Variable-length fields

extension FieldCoder where Self: ~Escapable {
  /// `ue(v)`
  @inlinable
  public mutating func ue(
    _ name: StaticString, _ value: inout UInt32, in allowed: ClosedRange<UInt32>,
    _ format: FieldFormat = .decimal
  ) throws(ParseError) { try expGolomb(name, &value, in: allowed, format) }

  /// `se(v)`
  @inlinable
  public mutating func se(
    _ name: StaticString, _ value: inout Int32, in allowed: ClosedRange<Int32>
  ) throws(ParseError) { try signedExpGolomb(name, &value, in: allowed) }

  /// Bytes in a number that is known already.
  @inlinable
  public mutating func bytes(
    _ name: StaticString, _ value: inout ByteView, count: Int
  ) throws(ParseError) { try bytes(name, &value, count: count, .hexadecimal) }

  /// All bytes that are left in the structure.
  @inlinable
  public mutating func remainder(
    _ name: StaticString, _ value: inout ByteView, _ format: BytesFormat = .hexadecimal
  ) throws(ParseError) {
    try bytes(name, &value, count: bitsLeft.map { $0 / 8 } ?? value.count, format)
  }

  /// A field, or a group of fields, that may be absent at the end of a structure: reading sets `isPresent` by
  /// what is left, writing leaves it.
  @inlinable
  public mutating func presence(_ isPresent: inout Bool, whenBitsLeft minimum: Int) {
    if let bitsLeft { isPresent = bitsLeft >= minimum }
  }
}

// MARK: - Structures and arrays

extension FieldCoder where Self: ~Escapable {
  /// A nested structure.
  @inlinable
  public mutating func group<L: Layout>(_ name: StaticString, _ value: inout L) throws(ParseError) {
    beginStructure(name)
    do { try value.layout(&self) } catch { throw error.inField(name.description) }
    endScope()
  }

  /// A nested structure that another field announces.
  @inlinable
  public mutating func group<L: Layout>(
    _ name: StaticString, _ value: inout L?, if isPresent: Bool
  ) throws(ParseError) {
    guard isPresent else {
      if isDecoding { value = nil }
      return
    }
    var present = value ?? L()
    defer { value = present }
    try group(name, &present)
  }

  /// `count` elements, each coded by `body`. Nothing is reserved before `count` is known to fit.
  ///
  /// Reading replaces `values`; otherwise there must be just `count` of them.
  @inlinable
  public mutating func array<Element>(
    _ name: StaticString, _ values: inout [Element], count: some BinaryInteger, minimumBits: Int,
    new: Element, _ body: (inout Self, inout Element) throws(ParseError) -> Void
  ) throws(ParseError) {
    let wanted = UInt64(clamping: count)
    try require(count: wanted, minimumBits: minimumBits, for: name)
    let total = Int(clamping: wanted)
    beginArray(name, count: total)
    if isDecoding {
      values.removeAll(keepingCapacity: true)
      values.reserveCapacity(total)
      for index in 0..<total {
        values.append(new)
        do { try body(&self, &values[index]) } catch { throw error.inField("\(name)[\(index)]") }
      }
    } else {
      guard values.count == total else {
        throw failure(.invalid("has \(values.count) elements where \(total) are announced"), name)
      }
      for index in values.indices {
        do { try body(&self, &values[index]) } catch { throw error.inField("\(name)[\(index)]") }
      }
    }
    endScope()
  }

  /// `count` structures.
  @inlinable
  public mutating func array<L: Layout>(
    _ name: StaticString, _ values: inout [L], count: some BinaryInteger, minimumBits: Int
  ) throws(ParseError) {
    try array(name, &values, count: count, minimumBits: minimumBits, new: L()) {
      c, element throws(ParseError) in
      c.beginStructure(name)
      try element.layout(&c)
      c.endScope()
    }
  }

  /// `count` unsigned numbers of one width.
  @inlinable
  public mutating func array<T: FixedWidthInteger & UnsignedInteger & Sendable>(
    _ name: StaticString, _ values: inout [T], count: some BinaryInteger, bits: Int,
    in allowed: ClosedRange<T>? = nil, _ format: FieldFormat = .decimal
  ) throws(ParseError) {
    try array(name, &values, count: count, minimumBits: bits, new: 0) { c, element throws(ParseError) in
      try c.unsigned(name, &element, bits: bits, in: allowed, format)
    }
  }

  /// `count` Exp-Golomb numbers.
  @inlinable
  public mutating func array(
    _ name: StaticString, _ values: inout [UInt32], count: some BinaryInteger,
    expGolombIn allowed: ClosedRange<UInt32>
  ) throws(ParseError) {
    try array(name, &values, count: count, minimumBits: 1, new: 0) { c, element throws(ParseError) in
      try c.expGolomb(name, &element, in: allowed, .decimal)
    }
  }

  /// `count` flags.
  @inlinable
  public mutating func array(
    _ name: StaticString, _ values: inout [Bool], count: some BinaryInteger
  ) throws(ParseError) {
    try array(name, &values, count: count, minimumBits: 1, new: false) { c, element throws(ParseError) in
      try c.flag(name, &element)
    }
  }

  /// Four-character codes to the end of the structure.
  @inlinable
  public mutating func fourCCsToEnd(_ name: StaticString, _ values: inout [FourCC]) throws(ParseError) {
    let count = bitsLeft.map { $0 / 32 } ?? values.count
    try array(name, &values, count: count, minimumBits: 32, new: FourCC(0)) {
      c, element throws(ParseError) in
      try c.fourCC(name, &element)
    }
  }

  /// Structures of `elementBits` each to the end of the structure. Bytes too few for another one stay behind.
  @inlinable
  public mutating func arrayToEnd<L: Layout>(
    _ name: StaticString, _ values: inout [L], elementBits: Int
  ) throws(ParseError) {
    try array(
      name, &values, count: bitsLeft.map { $0 / max(1, elementBits) } ?? values.count,
      minimumBits: elementBits)
  }

  /// Structures of unequal length, as many as there are bits for: the last one ends at the end.
  @inlinable
  public mutating func arrayWhileBitsLeft<L: Layout>(
    _ name: StaticString, _ values: inout [L], minimumBits: Int, new: L = L()
  ) throws(ParseError) {
    if isDecoding { values.removeAll(keepingCapacity: true) }
    beginArray(name, count: 0)
    var index = 0
    while bitsLeft.map({ $0 >= max(1, minimumBits) }) ?? (index < values.count) {
      if isDecoding { values.append(new) }
      beginStructure(name)
      do { try values[index].layout(&self) } catch { throw error.inField("\(name)[\(index)]") }
      endScope()
      index += 1
    }
    endScope()
  }

  /// Reading needs no scopes; coders that describe override this.
  @inlinable
  public mutating func beginStructure(_ name: StaticString) {}
  /// Reading needs no scopes; coders that describe override this.
  @inlinable
  public mutating func beginArray(_ name: StaticString, count: Int) {}
  /// Reading needs no scopes; coders that describe override this.
  @inlinable
  public mutating func endScope() {}
  /// Only reading needs limits.
  @inlinable
  public mutating func beginLimit(bytes count: Int, _ name: StaticString) throws(ParseError) -> Int { 0 }
  /// Only reading needs limits.
  @inlinable
  public mutating func endLimit(_ outer: Int) {}
  /// Only reading can run short.
  @inlinable
  public func require(count: UInt64, minimumBits: Int, for name: StaticString) throws(ParseError) {}
}
