// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Fields whose presence depends on another field, a flag or the space left: `nil` if absent.
extension FieldCoder where Self: ~Escapable {
  /// An unsigned number of `bits` bits that may be absent.
  @inlinable @inline(__always)
  public mutating func u<T: FixedWidthInteger & UnsignedInteger & Sendable>(
    _ name: StaticString, _ value: inout T?, _ bits: Int, if isPresent: Bool, _ format: FieldFormat = .decimal
  ) throws(ParseError) {
    guard isPresent else {
      value = nil
      return
    }
    var present = value ?? 0
    try unsigned(name, &present, bits: bits, in: nil, format)
    value = present
  }

  /// A signed number of `bits` bits that may be absent.
  @inlinable @inline(__always)
  public mutating func i<T: FixedWidthInteger & SignedInteger & Sendable>(
    _ name: StaticString, _ value: inout T?, _ bits: Int, if isPresent: Bool, _ format: FieldFormat = .decimal
  ) throws(ParseError) {
    guard isPresent else {
      value = nil
      return
    }
    var present = value ?? 0
    try signed(name, &present, bits: bits, in: nil, format)
    value = present
  }

  /// A four-character code that may be absent.
  @inlinable
  public mutating func fourCC(
    _ name: StaticString, _ value: inout FourCC?, if isPresent: Bool
  ) throws(ParseError) {
    guard isPresent else {
      value = nil
      return
    }
    var present = value ?? FourCC(0)
    try fourCC(name, &present)
    value = present
  }

  /// Text that may be absent.
  @inlinable
  public mutating func terminatedString(
    _ name: StaticString, _ value: inout TerminatedString?, if isPresent: Bool
  ) throws(ParseError) {
    guard isPresent else {
      value = nil
      return
    }
    var present = value ?? TerminatedString()
    try terminatedString(name, &present)
    value = present
  }

  /// Text that may be absent at the end of a structure: reading finds it if at least one byte is left.
  @inlinable
  public mutating func trailingString(
    _ name: StaticString, _ value: inout TerminatedString?
  ) throws(ParseError) {
    var isPresent = value != nil
    presence(&isPresent, whenBitsLeft: 8)
    try terminatedString(name, &value, if: isPresent)
  }

  /// A number that may be absent at the end of a structure.
  @inlinable @inline(__always)
  public mutating func trailing<T: FixedWidthInteger & UnsignedInteger & Sendable>(
    _ name: StaticString, _ value: inout T?, bits: Int, _ format: FieldFormat = .decimal
  ) throws(ParseError) {
    var isPresent = value != nil
    presence(&isPresent, whenBitsLeft: bits)
    try u(name, &value, bits, if: isPresent, format)
  }

  /// A structure that takes `byteCount` bytes according to another field; bytes that it does not read are kept in
  /// `rest`.
  @inlinable
  public mutating func group<L: FieldLayout>(
    _ name: StaticString, _ value: inout L, byteCount: Int, rest: inout ByteView
  ) throws(ParseError) {
    let outer = try beginLimit(bytes: byteCount, name)
    try group(name, &value)
    try leftovers(&rest)
    endLimit(outer)
  }

  /// The bytes between the end of the known fields and the end of a structure; usually there are none.
  @inlinable
  public mutating func leftovers(_ rest: inout ByteView) throws(ParseError) {
    let count = bitsLeft.map { $0 / 8 } ?? rest.count
    if count > 0 { try bytes("trailing_bytes", &rest, count: count, .hexadecimal) }
  }
}
