// swift-multiview · SPDX-License-Identifier: Apache-2.0

// MARK: - Numbers of any width

// A coder knows numbers of 64 bits only. A declaration is inlined here, where its types are known, so that a layout which
// is not specialised for a coder calls it without any generic number.
extension FieldCoder where Self: ~Escapable {
  /// An unsigned number of `bits` bits. `u(n)`
  @inlinable @inline(__always)
  public mutating func unsigned<T: FixedWidthInteger & UnsignedInteger & Sendable>(
    _ name: StaticString, _ value: inout T, bits: Int, in allowed: ClosedRange<T>?, _ format: FieldFormat
  ) throws(ParseError) {
    var number = UInt64(value)
    defer { value = T(truncatingIfNeeded: number) }
    try unsigned(
      name, &number, bits: bits, in: allowed.map { UInt64($0.lowerBound)...UInt64($0.upperBound) }, format)
  }

  /// A two's complement number of `bits` bits. `i(n)`
  @inlinable @inline(__always)
  public mutating func signed<T: FixedWidthInteger & SignedInteger & Sendable>(
    _ name: StaticString, _ value: inout T, bits: Int, in allowed: ClosedRange<T>?, _ format: FieldFormat
  ) throws(ParseError) {
    var number = Int64(value)
    defer { value = T(truncatingIfNeeded: number) }
    try signed(
      name, &number, bits: bits, in: allowed.map { Int64($0.lowerBound)...Int64($0.upperBound) }, format)
  }

  /// Bits whose value the specification fixes. Any other value is kept, and is never an error.
  @inlinable @inline(__always)
  public mutating func reserved<T: FixedWidthInteger & UnsignedInteger & Sendable>(
    _ name: StaticString, _ kept: inout T, bits: Int, expecting: T
  ) throws(ParseError) {
    var number = UInt64(kept)
    defer { kept = T(truncatingIfNeeded: number) }
    try reserved(name, &number, bits: bits, expecting: UInt64(expecting))
  }
}

// MARK: - Fixed-width fields

extension FieldCoder where Self: ~Escapable {
  /// `u(n)` for a width that is not a whole number of bytes.
  @inlinable @inline(__always)
  public mutating func u<T: FixedWidthInteger & UnsignedInteger & Sendable>(
    _ name: StaticString, _ value: inout T, _ bits: Int, in allowed: ClosedRange<T>? = nil,
    _ format: FieldFormat = .decimal
  ) throws(ParseError) { try unsigned(name, &value, bits: bits, in: allowed, format) }

  /// An unsigned number of 8 bits: `u(8)`.
  @inlinable
  public mutating func u8(
    _ name: StaticString, _ value: inout UInt8, in allowed: ClosedRange<UInt8>? = nil,
    _ format: FieldFormat = .decimal
  ) throws(ParseError) { try unsigned(name, &value, bits: 8, in: allowed, format) }

  /// An unsigned number of 16 bits: `u(16)`.
  @inlinable
  public mutating func u16(
    _ name: StaticString, _ value: inout UInt16, in allowed: ClosedRange<UInt16>? = nil,
    _ format: FieldFormat = .decimal
  ) throws(ParseError) { try unsigned(name, &value, bits: 16, in: allowed, format) }

  /// An unsigned number of 24 bits: `u(24)`.
  @inlinable
  public mutating func u24(
    _ name: StaticString, _ value: inout UInt32, in allowed: ClosedRange<UInt32>? = nil,
    _ format: FieldFormat = .decimal
  ) throws(ParseError) { try unsigned(name, &value, bits: 24, in: allowed, format) }

  /// An unsigned number of 32 bits: `u(32)`.
  @inlinable
  public mutating func u32(
    _ name: StaticString, _ value: inout UInt32, in allowed: ClosedRange<UInt32>? = nil,
    _ format: FieldFormat = .decimal
  ) throws(ParseError) { try unsigned(name, &value, bits: 32, in: allowed, format) }

  /// An unsigned number of 64 bits: `u(64)`.
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

  /// A signed number of 16 bits: `i(16)`.
  @inlinable
  public mutating func i16(
    _ name: StaticString, _ value: inout Int16, _ format: FieldFormat = .decimal
  ) throws(ParseError) { try signed(name, &value, bits: 16, in: nil, format) }

  /// A signed number of 32 bits: `i(32)`.
  @inlinable
  public mutating func i32(
    _ name: StaticString, _ value: inout Int32, _ format: FieldFormat = .decimal
  ) throws(ParseError) { try signed(name, &value, bits: 32, in: nil, format) }

  /// A signed number that takes 64 bits in the wide version of a structure, and 32 in the other.
  @inlinable
  public mutating func i32or64(
    _ name: StaticString, _ value: inout Int64, wide: Bool, _ format: FieldFormat = .decimal
  ) throws(ParseError) { try signed(name, &value, bits: wide ? 64 : 32, in: nil, format) }

  /// A flag: `u(1)`.
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

  /// An unsigned number that is a value of any open enumeration.
  @inlinable @inline(__always)
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
    try versionAndFlags(&version, &flags, versions: versions)
  }

  /// By default, these are coded like two ordinary fields.
  @inlinable
  public mutating func versionAndFlags(
    _ version: inout UInt8, _ flags: inout UInt32, versions: ClosedRange<UInt8>
  ) throws(ParseError) {
    try unsigned("version", &version, bits: 8, in: nil, .decimal)
    guard versions.contains(version) else {
      throw failure(.unsupportedVersion(UInt64(version)), "version")
    }
    try unsigned("flags", &flags, bits: 24, in: nil, .hexadecimal)
  }

  /// The version and flags of a full box that exists only in version 0.
  @inlinable
  public mutating func fullBox(_ flags: inout UInt32) throws(ParseError) {
    var version: UInt8 = 0
    try fullBox(&version, &flags)
  }
}

// MARK: - Variable-length fields

extension FieldCoder where Self: ~Escapable {
  /// An unsigned Exp-Golomb number: `ue(v)`.
  @inlinable
  public mutating func ue(
    _ name: StaticString, _ value: inout UInt32, in allowed: ClosedRange<UInt32>,
    _ format: FieldFormat = .decimal
  ) throws(ParseError) { try expGolomb(name, &value, in: allowed, format) }

  /// A signed Exp-Golomb number: `se(v)`.
  @inlinable
  public mutating func se(
    _ name: StaticString, _ value: inout Int32, in allowed: ClosedRange<Int32>
  ) throws(ParseError) { try signedExpGolomb(name, &value, in: allowed) }

  /// A number of bytes that is already known.
  @inlinable
  public mutating func bytes(
    _ name: StaticString, _ value: inout ByteView, count: Int
  ) throws(ParseError) { try bytes(name, &value, count: count, .hexadecimal) }

  /// All bytes left in the structure.
  @inlinable
  public mutating func remainder(
    _ name: StaticString, _ value: inout ByteView, _ format: BytesFormat = .hexadecimal
  ) throws(ParseError) {
    try bytes(name, &value, count: bitsLeft.map { $0 / 8 } ?? value.count, format)
  }

  /// A field, or a group of fields, that may be absent at the end of a structure: reading sets `isPresent`
  /// according to what is left, writing does not change it.
  @inlinable
  public mutating func presence(_ isPresent: inout Bool, whenBitsLeft minimum: Int) {
    if let bitsLeft { isPresent = bitsLeft >= minimum }
  }
}
