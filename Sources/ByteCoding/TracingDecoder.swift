// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Reads fields and describes each as soon as it is read: the trace of a bitstream, or whatever could be read of a
/// damaged structure.
public struct TracingDecoder: FieldCoder, ~Escapable {
  /// The decoder that reads the fields.
  public var decoder: FieldDecoder
  /// Where the description goes.
  public let sink: any FieldSink
  public var tableRows: Int { sink.tableRows }
  @usableFromInline var openScopes = 0

  /// Starts at the first bit of `source`.
  @_lifetime(borrow source)
  @inlinable
  public init(_ source: borrowing ByteView, _ sink: any FieldSink, isPartial: Bool = false) {
    decoder = FieldDecoder(source, isPartial: isPartial)
    self.sink = sink
  }

  public var isDecoding: Bool { true }
  public var bitsLeft: Int? { decoder.bitsLeft }
  public var bitsBeforeTrailing: Int? { decoder.bitsBeforeTrailing }
  public var bitPosition: Int { decoder.bitPosition }

  @_lifetime(self: copy self)
  public mutating func unsigned(
    _ name: StaticString, _ value: inout UInt64, bits: Int, in allowed: ClosedRange<UInt64>?,
    _ format: FieldFormat
  ) throws(ParseError) {
    try decoder.unsigned(name, &value, bits: bits, in: allowed, format)
    sink.unsigned(.init(name, bits: bits, allowed, format), value)
  }

  @_lifetime(self: copy self)
  public mutating func signed(
    _ name: StaticString, _ value: inout Int64, bits: Int, in allowed: ClosedRange<Int64>?,
    _ format: FieldFormat
  ) throws(ParseError) {
    try decoder.signed(name, &value, bits: bits, in: allowed, format)
    sink.signed(.init(name, signedBits: bits, allowed, format), value)
  }

  @_lifetime(self: copy self)
  public mutating func versionAndFlags(
    _ version: inout UInt8, _ flags: inout UInt32, versions: ClosedRange<UInt8>
  ) throws(ParseError) {
    try decoder.unsigned("version", &version, bits: 8, in: nil, .decimal)
    do throws(ParseError) {
      guard versions.contains(version) else {
        throw decoder.failure(.unsupportedVersion(UInt64(version)), "version")
      }
      try decoder.unsigned("flags", &flags, bits: 24, in: nil, .hexadecimal)
    } catch {
      sink.versionAndFlags(version, nil)
      throw error
    }
    sink.versionAndFlags(version, flags)
  }

  @_lifetime(self: copy self)
  public mutating func expGolomb(
    _ name: StaticString, _ value: inout UInt32, in allowed: ClosedRange<UInt32>, _ format: FieldFormat
  ) throws(ParseError) {
    try decoder.expGolomb(name, &value, in: allowed, format)
    sink.unsigned(.init(name, expGolombIn: allowed, format), UInt64(value))
  }

  @_lifetime(self: copy self)
  public mutating func signedExpGolomb(
    _ name: StaticString, _ value: inout Int32, in allowed: ClosedRange<Int32>
  ) throws(ParseError) {
    try decoder.signedExpGolomb(name, &value, in: allowed)
    sink.signed(.init(name, signedExpGolombIn: allowed), Int64(value))
  }

  @_lifetime(self: copy self)
  public mutating func reserved(
    _ name: StaticString, _ kept: inout UInt64, bits: Int, expecting: UInt64
  ) throws(ParseError) {
    try decoder.reserved(name, &kept, bits: bits, expecting: expecting)
    sink.reserved(.init(name, .unsigned(bits: bits)), kept, expected: expecting)
  }

  @_lifetime(self: copy self)
  public mutating func bytes(
    _ name: StaticString, _ value: inout ByteView, count: Int, _ format: BytesFormat
  ) throws(ParseError) {
    try decoder.bytes(name, &value, count: count, format)
    sink.bytes(.init(name, .bytes), value, format)
  }

  @_lifetime(self: copy self)
  public mutating func terminatedString(
    _ name: StaticString, _ value: inout TerminatedString
  ) throws(ParseError) {
    try decoder.terminatedString(name, &value)
    sink.text(.init(name, .terminatedString), value)
  }

  @_lifetime(self: copy self)
  public mutating func bitString(
    _ name: StaticString, _ value: inout BitString, count: Int
  ) throws(ParseError) {
    try decoder.bitString(name, &value, count: count)
    sink.bitString(.init(name, .bitString), value)
  }

  @_lifetime(self: copy self)
  @inlinable
  public mutating func table<Record: PackedRecord>(
    _ name: StaticString, _ value: inout PackedTable<Record>, count: UInt64
  ) throws(ParseError) {
    var failed: ParseError?
    do { try decoder.table(name, &value, count: count) } catch { failed = error }
    var describer = Describer(sink)
    describer.rows(name, value, announced: decoder.isPartial ? Int(clamping: count) : value.count)
    if let failed { throw failed }
  }

  @_lifetime(self: copy self)
  @inlinable
  public mutating func table<Record: FormattedRecord>(
    _ name: StaticString, _ value: inout FormattedTable<Record>, count: UInt64, as format: Record.Format
  ) throws(ParseError) {
    var failed: ParseError?
    do { try decoder.table(name, &value, count: count, as: format) } catch { failed = error }
    var describer = Describer(sink)
    describer.rows(name, value, announced: decoder.isPartial ? Int(clamping: count) : value.count)
    if let failed { throw failed }
  }

  public func require(count: UInt64, minimumBits: Int, for name: StaticString) throws(ParseError) {
    try decoder.require(count: count, minimumBits: minimumBits, for: name)
  }

  @_lifetime(self: copy self)
  public mutating func beginLimit(bytes count: Int, _ name: StaticString) throws(ParseError) -> Int {
    try decoder.beginLimit(bytes: count, name)
  }
  @_lifetime(self: copy self)
  public mutating func endLimit(_ outer: Int) { decoder.endLimit(outer) }

  @_lifetime(self: copy self)
  public mutating func beginStructure(_ name: StaticString) {
    openScopes &+= 1
    sink.beginStructure(name)
  }
  @_lifetime(self: copy self)
  public mutating func beginArray(_ name: StaticString, count: Int) {
    openScopes &+= 1
    sink.beginArray(name, count: count)
  }
  @_lifetime(self: copy self)
  public mutating func endScope() {
    openScopes &-= 1
    sink.endScope(omitted: 0)
  }

  public func failure(_ code: ParseError.Code, _ name: StaticString) -> ParseError {
    decoder.failure(code, name)
  }
}

extension ByteView {
  /// Reads a structure and describes every field as it is read; if the structure is damaged, the fields before the
  /// damage.
  ///
  /// - Returns: the bytes after the structure, and what stopped the reading.
  @discardableResult
  @inlinable
  public func trace<L: FieldLayout>(
    _ value: inout L, into sink: any FieldSink, isPartial: Bool = false
  ) -> (unread: ByteView, error: ParseError?) {
    var decoder = TracingDecoder(self, sink, isPartial: isPartial)
    defer { sink.finish() }
    do {
      try value.layout(&decoder)
      return (decoder.decoder.unread, nil)
    } catch {
      sink.endScopes(decoder.openScopes)
      return (decoder.decoder.unread, error)
    }
  }

  /// Reads and describes a structure of any kind, with a layout that is compiled once, and not for this coder again: for
  /// large structures of which a stream has few. It takes up to twice as long; tables, 16 times.
  ///
  /// - Returns: what stopped the reading.
  @inline(never)
  package func traceOne(_ value: any FieldLayout, into sink: any FieldSink) -> ParseError? {
    func trace(_ value: some FieldLayout) -> ParseError? {
      var value = value
      return self.trace(&value, into: sink).error
    }
    return trace(value)
  }
}
