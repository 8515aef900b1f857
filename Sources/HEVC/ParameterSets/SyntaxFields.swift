// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// The number of bits needed to distinguish `count` values: the `Ceil( Log2( x ) )` of the specification.
func ceilLog2(_ count: Int) -> Int {
  count <= 1 ? 0 : Int.bitWidth - (count - 1).leadingZeroBitCount
}

// Fields that are only present under a condition are `nil` when absent.

extension FieldCoder where Self: ~Escapable {
  /// `u(n)` if a condition holds.
  mutating func u<T: FixedWidthInteger & UnsignedInteger & Sendable>(
    _ name: StaticString, _ value: inout T?, _ bits: Int, if isPresent: Bool,
    in allowed: ClosedRange<T>? = nil, _ format: FieldFormat = .decimal
  ) throws(ParseError) {
    guard isPresent else {
      value = nil
      return
    }
    var present = value ?? 0
    defer { value = present }
    try unsigned(name, &present, bits: bits, in: allowed, format)
  }

  /// `u(1)` if a condition holds.
  mutating func flag(_ name: StaticString, _ value: inout Bool?, if isPresent: Bool) throws(ParseError) {
    guard isPresent else {
      value = nil
      return
    }
    var present = value ?? false
    defer { value = present }
    try flag(name, &present)
  }

  /// `ue(v)` if a condition holds.
  mutating func ue(
    _ name: StaticString, _ value: inout UInt32?, if isPresent: Bool, in allowed: ClosedRange<UInt32>
  ) throws(ParseError) {
    guard isPresent else {
      value = nil
      return
    }
    var present = value ?? allowed.lowerBound
    defer { value = present }
    try expGolomb(name, &present, in: allowed, .decimal)
  }

  /// `se(v)` if a condition holds.
  mutating func se(
    _ name: StaticString, _ value: inout Int32?, if isPresent: Bool, in allowed: ClosedRange<Int32>
  ) throws(ParseError) {
    guard isPresent else {
      value = nil
      return
    }
    var present = value ?? 0
    defer { value = present }
    try signedExpGolomb(name, &present, in: allowed)
  }

  /// A nested structure if a condition holds; `prepare` first passes it what it needs from its surroundings.
  mutating func group<L: FieldLayout>(
    _ name: StaticString, _ value: inout L?, if isPresent: Bool, prepare: (inout L) -> Void
  ) throws(ParseError) {
    guard isPresent else {
      value = nil
      return
    }
    // Moved out and back: nothing is copied.
    var present = value ?? L()
    value = nil
    prepare(&present)
    do {
      try group(name, &present)
      value = consume present
    } catch {
      value = present
      throw error
    }
  }

  /// A flag, and the nested structure whose presence it indicates.
  mutating func announced<L: FieldLayout>(
    _ flagName: StaticString, _ name: StaticString, _ value: inout L?
  ) throws(ParseError) {
    var isPresent = value != nil
    try flag(flagName, &isPresent)
    try group(name, &value, if: isPresent) { _ in }
  }

  /// One flag for each index of a range; flag `i` is stored in bit `i` of a mask.
  mutating func flags<T: FixedWidthInteger & UnsignedInteger & Sendable>(
    _ name: StaticString, _ mask: inout T, at indices: Range<Int>
  ) throws(ParseError) {
    beginArray(name, count: indices.count)
    for index in indices { try self.flag(name, inBit: index, of: &mask) }
    endScope()
  }

  /// As many flags as a word has bits, the first in the most significant bit.
  mutating func flags<T: FixedWidthInteger & UnsignedInteger & Sendable>(
    _ name: StaticString, fromTopOf word: inout T
  ) throws(ParseError) {
    beginArray(name, count: T.bitWidth)
    for index in 1...T.bitWidth { try self.flag(name, inBit: T.bitWidth - index, of: &word) }
    endScope()
  }

  /// `u(1)`, stored in one bit of a mask.
  mutating func flag<T: FixedWidthInteger & UnsignedInteger & Sendable>(
    _ name: StaticString, inBit index: Int, of mask: inout T
  ) throws(ParseError) {
    var bit = UInt8(truncatingIfNeeded: mask &>> T(truncatingIfNeeded: index)) & 1
    try unsigned(name, &bit, bits: 1, in: nil, .flag)
    mask = mask & ~(1 &<< T(truncatingIfNeeded: index)) | T(bit) &<< T(truncatingIfNeeded: index)
  }

  /// `u(n)`, stored in some bits of a word.
  mutating func u<T: FixedWidthInteger & UnsignedInteger & Sendable>(
    _ name: StaticString, inBits range: Range<Int>, of word: inout T
  ) throws(ParseError) {
    let mask: T = (1 &<< T(truncatingIfNeeded: range.count)) &- 1
    let shift = T(truncatingIfNeeded: range.lowerBound)
    var part = word &>> shift & mask
    try reserved(name, &part, bits: range.count, expecting: 0)
    word = word & ~(mask &<< shift) | part &<< shift
  }

  /// Elements that `body` codes given their index, one for each of `indices`; the first one is `values[0]`.
  /// Nothing is allocated before they are known to fit.
  mutating func elements<Element>(
    _ name: StaticString, _ values: inout [Element], at indices: Range<Int>, minimumBits: Int,
    new: Element, _ body: (inout Self, Int, inout Element) throws(ParseError) -> Void
  ) throws(ParseError) {
    try require(count: UInt64(indices.count), minimumBits: minimumBits, for: name)
    beginArray(name, count: indices.count)
    if isDecoding {
      values.removeAll(keepingCapacity: true)
      values.reserveCapacity(indices.count)
      for index in indices {
        values.append(new)
        do {
          try body(&self, index, &values[values.count - 1])
        } catch { throw error.inField("\(name)[\(index)]") }
      }
    } else {
      guard values.count == indices.count else {
        throw failure(
          .invalid("has \(values.count) elements, but \(indices.count) are signaled"), name)
      }
      for (position, index) in indices.enumerated() {
        do {
          try body(&self, index, &values[position])
        } catch { throw error.inField("\(name)[\(index)]") }
      }
    }
    endScope()
  }

  /// Bits of value 1 up to the next byte boundary; the bits actually present are kept in the low end of `kept`.
  mutating func alignmentOnes(_ name: StaticString, _ kept: inout UInt8) throws(ParseError) {
    try alignment(name, &kept, expecting: .max)
  }

  /// Bits of value 0 up to the next byte boundary; the bits actually present are kept in the low end of `kept`.
  mutating func alignmentZeros(_ name: StaticString, _ kept: inout UInt8) throws(ParseError) {
    try alignment(name, &kept, expecting: 0)
  }

  private mutating func alignment(
    _ name: StaticString, _ kept: inout UInt8, expecting expected: UInt8
  ) throws(ParseError) {
    let count = (8 - bitPosition & 7) & 7
    guard count > 0 else { return }
    let mask = UInt8.max &>> UInt8(8 - count)
    var bits = kept & mask
    try reserved(name, &bits, bits: count, expecting: expected & mask)
    kept = kept & ~mask | bits
  }

  /// The bits between the current position and the trailing bits.
  mutating func extensionData(_ name: StaticString, _ data: inout BitString) throws(ParseError) {
    try bitString(name, &data, count: bitsBeforeTrailing ?? data.bitCount)
  }
}

extension FieldFormat {
  /// A level, shown with its usual number.
  static var level: FieldFormat {
    .named { value in Level(rawValue: UInt8(clamping: value)).name.map { "level \($0)" } }
  }
}
