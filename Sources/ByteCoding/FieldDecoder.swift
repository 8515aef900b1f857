// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Reads fields from bytes, bit by bit, and never past their end.
///
/// Every read loads the eight bytes around the position and shifts: the position is the only state, and the end
/// needs no second path (see `ByteStorage.padding`). The compiler makes sure that a decoder does not outlive the
/// view it reads.
@frozen
public struct FieldDecoder: FieldCoder, ~Escapable {
  @usableFromInline let source: ByteView
  @usableFromInline let base: RawSpan
  /// The position, in bits from the start of `source`.
  @usableFromInline var position: Int
  /// Where reading ends: the end of `source`, or of a structure of known length within it.
  @usableFromInline var limit: Int
  /// Whether `source` is only the beginning of the structure: a table then keeps the rows that are present.
  public let isPartial: Bool

  /// Starts at the first bit of `source`.
  @_lifetime(borrow source)
  @inlinable
  public init(_ source: borrowing ByteView, isPartial: Bool = false) {
    self.isPartial = isPartial
    let padded = unsafe RawSpan(
      _unsafeStart: UnsafeRawPointer(source.storage.base) + source.start,
      byteCount: source.count &+ ByteStorage.padding)
    base = unsafe _overrideLifetime(padded, borrowing: source)
    self.source = copy source
    position = 0
    limit = source.count &* 8
  }

  @inlinable
  public var isDecoding: Bool { true }
  @inlinable
  public var bitsLeft: Int? { limit &- position }
  @inlinable
  public var bitPosition: Int { position }
  @inlinable
  public var tableRows: Int { 0 }

  /// How many bytes have been read, including one begun.
  @inlinable
  public var bytesRead: Int { (position &+ 7) &>> 3 }

  /// The bytes that have not been read, from the next byte boundary on.
  @inlinable
  public var unread: ByteView { source.suffix(from: bytesRead) }

  public var bitsBeforeTrailing: Int? {
    var last = source.count &- 1
    while last >= 0, let byte = source[last], byte == 0 { last -= 1 }
    guard last >= 0, let byte = source[last] else { return 0 }
    return max(0, last &* 8 &+ 7 &- byte.trailingZeroBitCount &- position)
  }

  /// The 64 bits at the position; those after the end are whatever follows in memory, or zero. Only the first 57
  /// of them are certain to be present.
  @_lifetime(self: copy self)
  @inlinable
  mutating func window() -> UInt64 {
    let word = unsafe base.unsafeLoadUnaligned(fromUncheckedByteOffset: position &>> 3, as: UInt64.self)
    return UInt64(bigEndian: word) &<< UInt64(position & 7)
  }

  @_lifetime(self: copy self)
  @inlinable
  mutating func read(_ bits: Int, _ name: StaticString) throws(ParseError) -> UInt64 {
    guard bits <= limit &- position else { throw truncated(bits, name) }
    if bits == 0 { return 0 }
    if bits <= 57 {
      let value = window() &>> UInt64(64 &- bits)
      position &+= bits
      return value
    }
    let high = window() &>> 32
    position &+= 32
    let low = window() &>> UInt64(96 &- bits)
    position &+= bits &- 32
    return high &<< UInt64(bits &- 32) | low
  }

  @usableFromInline
  func truncated(_ bits: Int, _ name: StaticString) -> ParseError {
    failure(.truncated(neededBits: bits, availableBits: limit &- position), name)
  }

  public func failure(_ code: ParseError.Code, _ name: StaticString) -> ParseError {
    ParseError(
      code, offset: source.fileOffset(at: position &>> 3), bit: UInt8(truncatingIfNeeded: position & 7),
      field: name.description)
  }

  @usableFromInline
  func outOfRange(
    _ value: Int64, _ low: Int64, _ high: Int64, from start: Int, _ name: StaticString
  ) -> ParseError {
    ParseError(
      .outOfRange(value: value, allowed: low...max(low, high)), offset: source.fileOffset(at: start &>> 3),
      bit: UInt8(truncatingIfNeeded: start & 7), field: name.description)
  }

  @_lifetime(self: copy self)
  @inlinable
  public mutating func unsigned(
    _ name: StaticString, _ value: inout UInt64, bits: Int, in allowed: ClosedRange<UInt64>?,
    _ format: FieldFormat
  ) throws(ParseError) {
    let start = position
    value = try read(bits, name)
    if let allowed, !allowed.contains(value) {
      throw outOfRange(
        Int64(clamping: value), Int64(clamping: allowed.lowerBound), Int64(clamping: allowed.upperBound),
        from: start, name)
    }
  }

  @_lifetime(self: copy self)
  @inlinable
  public mutating func signed(
    _ name: StaticString, _ value: inout Int64, bits: Int, in allowed: ClosedRange<Int64>?,
    _ format: FieldFormat
  ) throws(ParseError) {
    let start = position
    let raw = try read(bits, name)
    let unused = UInt64(64 &- bits)
    value = bits == 0 ? 0 : Int64(bitPattern: raw &<< unused) &>> Int64(unused)
    if let allowed, !allowed.contains(value) {
      throw outOfRange(value, allowed.lowerBound, allowed.upperBound, from: start, name)
    }
  }

  /// The next Exp-Golomb code as a number of up to 33 bits. ISO/IEC 23008-2, 9.2
  @_lifetime(self: copy self)
  @inlinable
  mutating func readExpGolomb(_ name: StaticString) throws(ParseError) -> UInt64 {
    let zeros = window().leadingZeroBitCount
    let length = 2 &* zeros &+ 1
    if length <= 57, length <= limit &- position {
      let value = (window() &>> UInt64(64 &- length)) &- 1
      position &+= length
      return value
    }
    return try readLongExpGolomb(name)
  }

  /// Codes with more than 28 leading zeros, and codes cut off by the end.
  @_lifetime(self: copy self)
  @usableFromInline
  mutating func readLongExpGolomb(_ name: StaticString) throws(ParseError) -> UInt64 {
    let start = position
    var zeros = 0
    while try read(1, name) == 0 {
      zeros += 1
      guard zeros <= 32 else {
        position = start
        throw failure(.invalid("is not an Exp-Golomb code of at most 32 bits"), name)
      }
    }
    return (1 << UInt64(zeros)) - 1 + (try read(zeros, name))
  }

  @_lifetime(self: copy self)
  @inlinable
  public mutating func expGolomb(
    _ name: StaticString, _ value: inout UInt32, in allowed: ClosedRange<UInt32>, _ format: FieldFormat
  ) throws(ParseError) {
    let start = position
    let raw = try readExpGolomb(name)
    guard raw >= UInt64(allowed.lowerBound), raw <= UInt64(allowed.upperBound) else {
      throw outOfRange(
        Int64(clamping: raw), Int64(allowed.lowerBound), Int64(allowed.upperBound), from: start, name)
    }
    value = UInt32(truncatingIfNeeded: raw)
  }

  @_lifetime(self: copy self)
  @inlinable
  public mutating func signedExpGolomb(
    _ name: StaticString, _ value: inout Int32, in allowed: ClosedRange<Int32>
  ) throws(ParseError) {
    let start = position
    let raw = Int64(try readExpGolomb(name))
    let signed = raw & 1 == 1 ? (raw &+ 1) &>> 1 : 0 &- (raw &>> 1)
    guard signed >= Int64(allowed.lowerBound), signed <= Int64(allowed.upperBound) else {
      throw outOfRange(
        signed, Int64(allowed.lowerBound), Int64(allowed.upperBound), from: start, name)
    }
    value = Int32(truncatingIfNeeded: signed)
  }

  @_lifetime(self: copy self)
  @inlinable
  public mutating func reserved(
    _ name: StaticString, _ kept: inout UInt64, bits: Int, expecting: UInt64
  ) throws(ParseError) { kept = try read(bits, name) }

  @_lifetime(self: copy self)
  @inlinable
  public mutating func bytes(
    _ name: StaticString, _ value: inout ByteView, count: Int, _ format: BytesFormat
  ) throws(ParseError) {
    value = try slice(name, count)
  }

  @_lifetime(self: copy self)
  @usableFromInline
  mutating func slice(_ name: StaticString, _ count: Int) throws(ParseError) -> ByteView {
    guard position & 7 == 0 else { throw failure(.invalid("does not start at a byte boundary"), name) }
    guard count >= 0, count <= (limit &- position) &>> 3,
      let slice = source.slice((position &>> 3)..<((position &>> 3) &+ count))
    else { throw truncated(count.multipliedReportingOverflow(by: 8).partialValue, name) }
    position &+= count &* 8
    return slice
  }

  @_lifetime(self: copy self)
  public mutating func terminatedString(
    _ name: StaticString, _ value: inout TerminatedString
  ) throws(ParseError) {
    guard position & 7 == 0 else { throw failure(.invalid("does not start at a byte boundary"), name) }
    let start = position >> 3
    var end = start
    let last = limit >> 3
    while end < last, let byte = source[end], byte != 0 { end += 1 }
    let isTerminated = end < last
    value = TerminatedString(bytes: source.slice(start..<end) ?? ByteView(), isTerminated: isTerminated)
    position = (isTerminated ? end + 1 : end) * 8
  }

  @_lifetime(self: copy self)
  public mutating func bitString(
    _ name: StaticString, _ value: inout BitString, count: Int
  ) throws(ParseError) {
    guard count >= 0, count <= limit &- position else { throw truncated(count, name) }
    value.bytes.removeAll()
    value.bytes.reserveCapacity((count + 7) / 8)
    value.bitCount = count
    var left = count
    while left > 0 {
      let take = min(8, left)
      value.bytes.append(UInt8(truncatingIfNeeded: try read(take, name) << UInt64(8 - take)))
      left -= take
    }
  }

  /// A count that promises more than there is, at the place where its elements begin.
  @usableFromInline
  func excess(of count: UInt64, from start: Int, _ name: StaticString) -> ParseError {
    ParseError(
      .countExceedsData(count: count, availableBits: limit &- start),
      offset: source.fileOffset(at: start &>> 3),
      bit: UInt8(truncatingIfNeeded: start & 7), field: name.description)
  }

  @_lifetime(self: copy self)
  @inlinable
  public mutating func table<Record: PackedRecord>(
    _ name: StaticString, _ value: inout PackedTable<Record>, count: UInt64
  ) throws(ParseError) {
    // Rows that are present are kept even where the count promises more.
    let rows = min(count, UInt64(((limit &- position) &>> 3) / Record.stride))
    let start = position
    let view = try slice(name, Int(truncatingIfNeeded: rows) &* Record.stride)
    value = PackedTable(view)
    guard rows < count else { return }
    let problem = excess(of: count, from: start, name)
    guard isPartial else { throw problem }
    value = PackedTable(view, problem: problem)
  }

  @_lifetime(self: copy self)
  @inlinable
  public mutating func table<Record: FormattedRecord>(
    _ name: StaticString, _ value: inout FormattedTable<Record>, count: UInt64, as format: Record.Format
  ) throws(ParseError) {
    let width = Record.bits(format)
    let start = position
    let rows = width > 0 ? min(count, UInt64((limit &- start) / width)) : count
    let view =
      width > 0 ? try slice(name, (Int(truncatingIfNeeded: rows) &* width &+ 7) &>> 3) : ByteView()
    value = FormattedTable(view, count: rows, as: format)
    guard rows < count else { return }
    let problem = excess(of: count, from: start, name)
    guard isPartial else { throw problem }
    value = FormattedTable(view, count: rows, as: format, problem: problem)
  }

  @inlinable
  public func require(count: UInt64, minimumBits: Int, for name: StaticString) throws(ParseError) {
    let (needed, overflow) = count.multipliedReportingOverflow(by: UInt64(clamping: max(1, minimumBits)))
    guard !overflow, needed <= UInt64(limit &- position) else {
      throw excess(of: count, from: position, name)
    }
  }

  @_lifetime(self: copy self)
  @inlinable
  public mutating func beginLimit(bytes count: Int, _ name: StaticString) throws(ParseError) -> Int {
    guard count >= 0, count <= (limit &- position) &>> 3 else {
      throw truncated(count.multipliedReportingOverflow(by: 8).partialValue, name)
    }
    let outer = limit
    limit = position &+ count &* 8
    return outer
  }

  @_lifetime(self: copy self)
  @inlinable
  public mutating func endLimit(_ outer: Int) { limit = min(outer, source.count &* 8) }

  /// Moves to the next byte boundary without checking the skipped bits.
  @_lifetime(self: copy self)
  @inlinable
  public mutating func skipToByteBoundary() { position = min(limit, (position &+ 7) & ~7) }
}

extension ByteView {
  /// Reads a structure from the start of these bytes.
  ///
  /// - Returns: the structure as far as it could be read, the bytes after it, and what stopped the reading.
  @inlinable
  public func decode<L: FieldLayout>(
    _ initial: L, isPartial: Bool = false
  ) -> (value: L, unread: ByteView, error: ParseError?) {
    var value = initial
    var decoder = FieldDecoder(self, isPartial: isPartial)
    do {
      try value.layout(&decoder)
      return (value, decoder.unread, nil)
    } catch {
      return (value, decoder.unread, error)
    }
  }

  /// Reads a structure from the start of these bytes, as far as possible; returns the error that stopped reading.
  @inlinable
  package func decode<L: FieldLayout>(into value: inout L) -> ParseError? {
    var decoder = FieldDecoder(self)
    do { try value.layout(&decoder) } catch { return error }
    return nil
  }

  /// Reads a structure from the start of these bytes, or throws.
  @inlinable
  public func decoded<L: FieldLayout>(_ initial: L) throws(ParseError) -> L {
    var value = initial
    var decoder = FieldDecoder(self)
    try value.layout(&decoder)
    return value
  }
}
