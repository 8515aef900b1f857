// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// Fields that several boxes share.
extension FieldCoder where Self: ~Escapable {
  /// `count` elements of `bits` bits each. If the count is too high, the elements present are read before the
  /// error is thrown.
  @inlinable
  package mutating func rows<Element>(
    _ name: StaticString, _ values: inout [Element], count: UInt64, bits: Int, new: Element,
    _ body: (inout Self, inout Element) throws(ParseError) -> Void
  ) throws(ParseError) {
    guard let left = bitsLeft, count > UInt64(clamping: left / bits) else {
      return try array(name, &values, count: count, minimumBits: bits, new: new, body)
    }
    try array(name, &values, count: left / bits, minimumBits: bits, new: new, body)
    throw failure(.countExceedsData(count: count, availableBits: left), name)
  }

  /// A table that occupies the rest of the box.
  @inlinable
  package mutating func tableToEnd<Record: PackedRecord>(
    _ name: StaticString, _ value: inout PackedTable<Record>
  ) throws(ParseError) {
    let count = bitsLeft.map { $0 / (8 * Record.stride) } ?? value.count
    try table(name, &value, count: UInt64(clamping: count))
  }

  /// Track IDs, or similar numbers, that occupy the rest of the box.
  @inlinable
  package mutating func numbersToEnd(_ name: StaticString, _ values: inout [UInt32]) throws(ParseError) {
    try array(name, &values, count: bitsLeft.map { $0 / 32 } ?? values.count, bits: 32)
  }

  /// Seconds since 1904.
  @inlinable
  package mutating func macTime(_ name: StaticString, _ value: inout UInt64, wide: Bool) throws(ParseError) {
    try u32or64(name, &value, wide: wide, .macTime)
  }

  /// A field where the standard requires zero and QuickTime has a four-character code.
  @inlinable
  package mutating func optionalCode(_ name: StaticString, _ value: inout UInt32) throws(ParseError) {
    try u32(
      name, &value, in: nil,
      .named { $0 == 0 ? nil : FourCC(UInt32(truncatingIfNeeded: $0)).description })
  }
}

extension FieldCoder where Self: ~Escapable {
  /// Text preceded by its length in one byte.
  @inlinable
  package mutating func pascalString(_ name: StaticString, _ value: inout ByteView) throws(ParseError) {
    beginStructure(name)
    var length = UInt8(clamping: value.count)
    try u8("length", &length)
    try bytes("text", &value, count: Int(length), .text)
    endScope()
  }
}

extension ByteView {
  /// Initial values of identifiers and names, shared because a file may have a hundred thousand boxes with them.
  package static let sixteenZeros = ByteView([UInt8](repeating: 0, count: 16))
  package static let thirtyTwoZeros = ByteView([UInt8](repeating: 0, count: 32))
}

/// Sets or clears `bit` of `flags`: bits that announce a field are derived from the field.
@inlinable
package func announce(_ bit: UInt32, _ isPresent: Bool, in flags: inout UInt32) {
  if isPresent { flags |= bit } else { flags &= ~bit }
}
