// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Writes fields into bytes. What a specification forbids cannot be written: the same ranges hold as for reading.
public struct FieldEncoder: FieldCoder {
  @usableFromInline var output: [UInt8] = []
  /// Bits not yet in `output`, in the low end; always fewer than eight between calls.
  @usableFromInline var pending: UInt64 = 0
  @usableFromInline var pendingBits = 0

  /// Starts with no bytes.
  public init() {}

  /// Starts with no bytes, and room for `count` bytes.
  init(reserving count: Int) { output.reserveCapacity(count) }

  public var isDecoding: Bool { false }
  public var bitsLeft: Int? { nil }
  public var bitsBeforeTrailing: Int? { nil }
  public var bitPosition: Int { output.count * 8 + pendingBits }
  public var tableRows: Int { 0 }

  /// What has been written; a begun byte is padded with zero bits.
  public var bytes: [UInt8] {
    pendingBits == 0
      ? output : output + [UInt8(truncatingIfNeeded: pending << UInt64(8 - pendingBits))]
  }

  @inlinable
  mutating func write(_ value: UInt64, _ bits: Int) {
    if bits > 32 {
      write(value &>> 32, bits &- 32)
      return write(value & 0xFFFF_FFFF, 32)
    }
    pending = pending &<< UInt64(bits) | value
    pendingBits &+= bits
    while pendingBits >= 8 {
      pendingBits &-= 8
      output.append(UInt8(truncatingIfNeeded: pending &>> UInt64(pendingBits)))
    }
    pending &= (1 &<< UInt64(pendingBits)) &- 1
  }

  public func failure(_ code: ParseError.Code, _ name: StaticString) -> ParseError {
    ParseError(
      code, offset: output.count, bit: UInt8(truncatingIfNeeded: pendingBits), field: name.description)
  }

  @inlinable
  public mutating func unsigned(
    _ name: StaticString, _ value: inout UInt64, bits: Int, in allowed: ClosedRange<UInt64>?,
    _ format: FieldFormat
  ) throws(ParseError) {
    let highest: UInt64 = bits >= 64 ? .max : (1 &<< UInt64(bits)) &- 1
    guard value <= highest, allowed?.contains(value) ?? true else {
      throw failure(
        .outOfRange(
          value: Int64(clamping: value),
          allowed: Int64(clamping: allowed?.lowerBound ?? 0)...Int64(clamping: allowed?.upperBound ?? highest)
        ), name)
    }
    write(value, bits)
  }

  @inlinable
  public mutating func signed(
    _ name: StaticString, _ value: inout Int64, bits: Int, in allowed: ClosedRange<Int64>?,
    _ format: FieldFormat
  ) throws(ParseError) {
    let highest: Int64 = bits >= 64 ? .max : (1 &<< Int64(max(0, bits &- 1))) &- 1
    guard value <= highest, value >= -highest &- 1, allowed?.contains(value) ?? true else {
      throw failure(.outOfRange(value: value, allowed: (-highest &- 1)...highest), name)
    }
    write(UInt64(bitPattern: value) & (bits >= 64 ? .max : (1 &<< UInt64(bits)) &- 1), bits)
  }

  @inlinable
  mutating func writeExpGolomb(_ value: UInt64) {
    let coded = value &+ 1
    let length = 64 &- coded.leadingZeroBitCount
    write(0, length &- 1)
    write(coded, length)
  }

  public mutating func expGolomb(
    _ name: StaticString, _ value: inout UInt32, in allowed: ClosedRange<UInt32>, _ format: FieldFormat
  ) throws(ParseError) {
    guard allowed.contains(value) else {
      throw failure(
        .outOfRange(value: Int64(value), allowed: Int64(allowed.lowerBound)...Int64(allowed.upperBound)),
        name)
    }
    writeExpGolomb(UInt64(value))
  }

  public mutating func signedExpGolomb(
    _ name: StaticString, _ value: inout Int32, in allowed: ClosedRange<Int32>
  ) throws(ParseError) {
    guard allowed.contains(value) else {
      throw failure(
        .outOfRange(value: Int64(value), allowed: Int64(allowed.lowerBound)...Int64(allowed.upperBound)),
        name)
    }
    let wide = Int64(value)
    writeExpGolomb(wide > 0 ? UInt64(2 * wide - 1) : UInt64(-2 * wide))
  }

  public mutating func reserved(
    _ name: StaticString, _ kept: inout UInt64, bits: Int, expecting: UInt64
  ) throws(ParseError) { try unsigned(name, &kept, bits: bits, in: nil, .decimal) }

  public mutating func bytes(
    _ name: StaticString, _ value: inout ByteView, count: Int, _ format: BytesFormat
  ) throws(ParseError) {
    guard pendingBits == 0 else { throw failure(.invalid("does not start at a byte boundary"), name) }
    guard value.count == count else {
      throw failure(.invalid("has \(value.count) bytes where \(count) are announced"), name)
    }
    unsafe value.withUnsafeBytes { unsafe output.append(contentsOf: $0) }
  }

  public mutating func terminatedString(
    _ name: StaticString, _ value: inout TerminatedString
  ) throws(ParseError) {
    try bytes(name, &value.bytes, count: value.bytes.count, .text)
    if value.isTerminated { output.append(0) }
  }

  public mutating func bitString(
    _ name: StaticString, _ value: inout BitString, count: Int
  ) throws(ParseError) {
    guard value.bitCount == count, value.bytes.count == (count + 7) / 8 else {
      throw failure(.invalid("has \(value.bitCount) bits where \(count) are announced"), name)
    }
    var left = count
    for byte in value.bytes {
      let take = min(8, left)
      write(UInt64(byte) >> UInt64(8 - take), take)
      left -= take
    }
  }

  public mutating func table<Record: PackedRecord>(
    _ name: StaticString, _ value: inout PackedTable<Record>, count: UInt64
  ) throws(ParseError) {
    var view = value.bytes
    if let problem = value.problem { throw incomplete(name, value.count, problem) }
    guard UInt64(value.count) == count else {
      throw failure(.invalid("has \(value.count) rows where \(count) are announced"), name)
    }
    try bytes(name, &view, count: view.count, .hexadecimal)
  }

  public mutating func table<Record: FormattedRecord>(
    _ name: StaticString, _ value: inout FormattedTable<Record>, count: UInt64, as format: Record.Format
  ) throws(ParseError) {
    if let problem = value.problem { throw incomplete(name, value.count, problem) }
    guard value.format == format else {
      throw failure(.invalid("has rows of another format than the one announced"), name)
    }
    guard UInt64(value.count) == count else {
      throw failure(.invalid("has \(value.count) rows where \(count) are announced"), name)
    }
    var view = value.bytes
    try bytes(name, &view, count: view.count, .hexadecimal)
  }

  private func incomplete(_ name: StaticString, _ rows: Int, _ problem: ParseError) -> ParseError {
    failure(.invalid("has only its first \(rows) rows: \(problem.reason)"), name)
  }

  /// Appends bytes that are already coded.
  public mutating func append(_ view: ByteView) {
    unsafe view.withUnsafeBytes { unsafe output.append(contentsOf: $0) }
  }

  /// Appends bytes that are already coded.
  public mutating func append(_ more: [UInt8]) { output.append(contentsOf: more) }
}

extension FieldLayout {
  /// The structure as bytes.
  public func encoded() throws(ParseError) -> [UInt8] {
    var encoder = FieldEncoder()
    var copy = self
    try copy.layout(&encoder)
    return encoder.bytes
  }
}
