// swift-multiview · SPDX-License-Identifier: Apache-2.0

extension FieldCoder where Self: ~Escapable {
  /// A nested structure.
  @inlinable
  public mutating func group<L: FieldLayout>(_ name: StaticString, _ value: inout L) throws(ParseError) {
    beginStructure(name)
    do { try value.layout(&self) } catch { throw error.inField(name.description) }
    endScope()
  }

  /// A nested structure whose presence another field announces.
  @inlinable
  public mutating func group<L: FieldLayout>(
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

  /// `count` elements, each coded by `body`. Nothing is allocated before `count` is known to fit.
  ///
  /// Reading replaces `values`; otherwise they must number exactly `count`.
  @inlinable @inline(__always)
  public mutating func array<Element>(
    _ name: StaticString, _ values: inout [Element], count: some BinaryInteger, minimumBits: Int,
    new: Element, _ body: (inout Self, inout Element) throws(ParseError) -> Void
  ) throws(ParseError) {
    try array(
      name, &values, countedAs: UInt64(clamping: count), minimumBits: minimumBits, new: new, body)
  }

  /// The same for a count of one type, so that it is compiled once for each kind of element.
  @inlinable
  mutating func array<Element>(
    _ name: StaticString, _ values: inout [Element], countedAs count: UInt64, minimumBits: Int,
    new: Element, _ body: (inout Self, inout Element) throws(ParseError) -> Void
  ) throws(ParseError) {
    try require(count: count, minimumBits: minimumBits, for: name)
    let total = Int(clamping: count)
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
        throw failure(.invalid("has \(values.count) elements, but \(total) are announced"), name)
      }
      for index in values.indices {
        do { try body(&self, &values[index]) } catch { throw error.inField("\(name)[\(index)]") }
      }
    }
    endScope()
  }

  /// `count` structures.
  @inlinable @inline(__always)
  public mutating func array<L: FieldLayout>(
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
  @inlinable @inline(__always)
  public mutating func array<T: FixedWidthInteger & UnsignedInteger & Sendable>(
    _ name: StaticString, _ values: inout [T], count: some BinaryInteger, bits: Int,
    in allowed: ClosedRange<T>? = nil, _ format: FieldFormat = .decimal
  ) throws(ParseError) {
    try array(name, &values, count: count, minimumBits: bits, new: 0) { c, element throws(ParseError) in
      try c.unsigned(name, &element, bits: bits, in: allowed, format)
    }
  }

  /// `count` Exp-Golomb numbers.
  @inlinable @inline(__always)
  public mutating func array(
    _ name: StaticString, _ values: inout [UInt32], count: some BinaryInteger,
    expGolombIn allowed: ClosedRange<UInt32>
  ) throws(ParseError) {
    try array(name, &values, count: count, minimumBits: 1, new: 0) { c, element throws(ParseError) in
      try c.expGolomb(name, &element, in: allowed, .decimal)
    }
  }

  /// `count` flags.
  @inlinable @inline(__always)
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

  /// Structures of `elementBits` each, up to the end of the structure. Bytes too few for another one are left for
  /// the caller.
  @inlinable
  public mutating func arrayToEnd<L: FieldLayout>(
    _ name: StaticString, _ values: inout [L], elementBits: Int
  ) throws(ParseError) {
    try array(
      name, &values, count: bitsLeft.map { $0 / max(1, elementBits) } ?? values.count,
      minimumBits: elementBits)
  }

  /// Structures of varying length, as many as there are bits for: the last one ends where the data ends.
  @inlinable
  public mutating func arrayWhileBitsLeft<L: FieldLayout>(
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
}

// MARK: - Tables and arrays preceded by their count

extension FieldCoder where Self: ~Escapable {
  /// A table preceded by its number of rows.
  @inlinable
  public mutating func table<Record: PackedRecord>(
    _ name: StaticString, _ value: inout PackedTable<Record>, countedBy countName: StaticString
  ) throws(ParseError) {
    var count = UInt32(clamping: value.count)
    try u32(countName, &count)
    try table(name, &value, count: UInt64(count))
  }

  /// Structures preceded by their number, which is as wide as a `Count`.
  @inlinable @inline(__always)
  public mutating func array<L: FieldLayout, Count: FixedWidthInteger & UnsignedInteger & Sendable>(
    _ name: StaticString, _ values: inout [L], countedBy countName: StaticString, _: Count.Type,
    minimumBits: Int
  ) throws(ParseError) {
    var count = Count(clamping: values.count)
    try unsigned(countName, &count, bits: Count.bitWidth, in: nil, .decimal)
    try array(name, &values, count: count, minimumBits: minimumBits)
  }

  /// Unsigned numbers of one width, preceded by their number, which is as wide as a `Count`.
  @inlinable @inline(__always)
  public mutating func array<
    T: FixedWidthInteger & UnsignedInteger & Sendable, Count: FixedWidthInteger & UnsignedInteger & Sendable
  >(
    _ name: StaticString, _ values: inout [T], countedBy countName: StaticString, _: Count.Type, bits: Int,
    in allowed: ClosedRange<T>? = nil, _ format: FieldFormat = .decimal
  ) throws(ParseError) {
    var count = Count(clamping: values.count)
    try unsigned(countName, &count, bits: Count.bitWidth, in: nil, .decimal)
    try array(name, &values, count: count, bits: bits, in: allowed, format)
  }
}

// MARK: - What only some coders need

extension FieldCoder where Self: ~Escapable {
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
