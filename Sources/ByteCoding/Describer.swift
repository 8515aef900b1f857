// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Describes a structure from its values.
public struct Describer: FieldCoder {
  /// Where the description goes.
  public let sink: any FieldSink
  public var tableRows: Int { sink.tableRows }

  /// Describes into `sink`.
  @inlinable
  public init(_ sink: any FieldSink) { self.sink = sink }

  public var isDecoding: Bool { false }
  public var bitsLeft: Int? { nil }
  public var bitsBeforeTrailing: Int? { nil }
  public var bitPosition: Int { position }
  @usableFromInline var position = 0
  @usableFromInline var openScopes = 0

  public mutating func unsigned(
    _ name: StaticString, _ value: inout UInt64, bits: Int, in allowed: ClosedRange<UInt64>?,
    _ format: FieldFormat
  ) throws(ParseError) {
    sink.unsigned(.init(name, bits: bits, allowed, format), value)
    position &+= bits
  }

  public mutating func signed(
    _ name: StaticString, _ value: inout Int64, bits: Int, in allowed: ClosedRange<Int64>?,
    _ format: FieldFormat
  ) throws(ParseError) {
    sink.signed(.init(name, signedBits: bits, allowed, format), value)
    position &+= bits
  }

  public mutating func versionAndFlags(
    _ version: inout UInt8, _ flags: inout UInt32, versions: ClosedRange<UInt8>
  ) throws(ParseError) {
    sink.versionAndFlags(version, flags)
    position &+= 32
  }

  public mutating func expGolomb(
    _ name: StaticString, _ value: inout UInt32, in allowed: ClosedRange<UInt32>, _ format: FieldFormat
  ) throws(ParseError) {
    sink.unsigned(.init(name, expGolombIn: allowed, format), UInt64(value))
    position &+= expGolombBits(UInt64(value))
  }

  public mutating func signedExpGolomb(
    _ name: StaticString, _ value: inout Int32, in allowed: ClosedRange<Int32>
  ) throws(ParseError) {
    sink.signed(.init(name, signedExpGolombIn: allowed), Int64(value))
    position &+= expGolombBits(UInt64(value.magnitude) &* 2 &- (value > 0 ? 1 : 0))
  }

  private func expGolombBits(_ value: UInt64) -> Int { 2 &* (63 &- (value &+ 1).leadingZeroBitCount) &+ 1 }

  public mutating func reserved(
    _ name: StaticString, _ kept: inout UInt64, bits: Int, expecting: UInt64
  ) throws(ParseError) {
    sink.reserved(.init(name, .unsigned(bits: bits)), kept, expected: expecting)
    position &+= bits
  }

  public mutating func bytes(
    _ name: StaticString, _ value: inout ByteView, count: Int, _ format: BytesFormat
  ) throws(ParseError) {
    sink.bytes(.init(name, .bytes), value, format)
    position &+= value.count &* 8
  }

  public mutating func terminatedString(
    _ name: StaticString, _ value: inout TerminatedString
  ) throws(ParseError) {
    sink.text(.init(name, .terminatedString), value)
    position &+= (value.bytes.count &+ (value.isTerminated ? 1 : 0)) &* 8
  }

  public mutating func bitString(
    _ name: StaticString, _ value: inout BitString, count: Int
  ) throws(ParseError) {
    sink.bitString(.init(name, .bitString), value)
    position &+= value.bitCount
  }

  @inlinable
  public mutating func table<Record: PackedRecord>(
    _ name: StaticString, _ value: inout PackedTable<Record>, count: UInt64
  ) throws(ParseError) {
    let start = position
    rows(name, value, announced: value.count)
    position = start &+ value.bytes.count &* 8
  }

  /// Describes the first rows of a table that announces `announced` rows, some of which may not be loaded.
  @inlinable
  mutating func rows<Record: PackedRecord>(
    _ name: StaticString, _ table: PackedTable<Record>, announced: Int
  ) {
    let shown = min(tableRows, table.count)
    let isScalar = Record.self is any ScalarRecord.Type
    sink.beginArray(name, count: announced)
    for index in 0..<shown {
      var record = table[index]
      if !isScalar { sink.beginStructure(name) }
      // A row that has just been read can be described.
      do { try record.layout(&self) } catch {}
      if !isScalar { sink.endScope(omitted: 0) }
    }
    sink.endScope(omitted: max(0, announced - shown))
  }

  @inlinable
  public mutating func table<Record: FormattedRecord>(
    _ name: StaticString, _ value: inout FormattedTable<Record>, count: UInt64, as format: Record.Format
  ) throws(ParseError) {
    let start = position
    rows(name, value, announced: value.count)
    position = start &+ value.bytes.count &* 8
  }

  /// Describes the first rows of a table, as above. Rows without fields are not described: the number of rows says
  /// it all.
  @inlinable
  mutating func rows<Record: FormattedRecord>(
    _ name: StaticString, _ table: FormattedTable<Record>, announced: Int
  ) {
    guard Record.bits(table.format) > 0 else { return }
    let shown = min(tableRows, table.count)
    let isScalar = Record.self is any ScalarRecord.Type
    sink.beginArray(name, count: announced)
    for index in 0..<shown {
      var record = table[index]
      if !isScalar { sink.beginStructure(name) }
      // A row that has just been read can be described.
      do { try record.layout(&self, as: table.format) } catch {}
      if !isScalar { sink.endScope(omitted: 0) }
    }
    sink.endScope(omitted: max(0, announced - shown))
  }

  @inlinable
  public mutating func beginStructure(_ name: StaticString) {
    openScopes &+= 1
    sink.beginStructure(name)
  }
  @inlinable
  public mutating func beginArray(_ name: StaticString, count: Int) {
    openScopes &+= 1
    sink.beginArray(name, count: count)
  }
  @inlinable
  public mutating func endScope() {
    openScopes &-= 1
    sink.endScope(omitted: 0)
  }

  public func failure(_ code: ParseError.Code, _ name: StaticString) -> ParseError {
    ParseError(code, offset: 0, field: name.description)
  }
}

/// A row that consists of one number: shown as a number, not as a structure.
public protocol ScalarRecord {}
extension UInt16Record: ScalarRecord {}
extension UInt32Record: ScalarRecord {}
extension UInt64Record: ScalarRecord {}

extension FieldNote {
  init(_ name: StaticString, bits: Int, _ allowed: ClosedRange<UInt64>?, _ format: FieldFormat) {
    self.init(
      name, .unsigned(bits: bits), format,
      allowed: allowed.map { Int64(clamping: $0.lowerBound)...Int64(clamping: $0.upperBound) })
  }

  init(_ name: StaticString, signedBits: Int, _ allowed: ClosedRange<Int64>?, _ format: FieldFormat) {
    self.init(name, .signed(bits: signedBits), format, allowed: allowed)
  }

  init(_ name: StaticString, expGolombIn allowed: ClosedRange<UInt32>, _ format: FieldFormat) {
    self.init(
      name, .expGolomb, format, allowed: Int64(allowed.lowerBound)...Int64(allowed.upperBound))
  }

  init(_ name: StaticString, signedExpGolombIn allowed: ClosedRange<Int32>) {
    self.init(
      name, .signedExpGolomb, .decimal, allowed: Int64(allowed.lowerBound)...Int64(allowed.upperBound))
  }
}

extension FieldLayout {
  /// Describes the structure into `sink`.
  @inlinable
  public func describe(into sink: any FieldSink) {
    var describer = Describer(sink)
    var copy = self
    // A describer throws only where a count and its array disagree: what came before has been described.
    do { try copy.layout(&describer) } catch { sink.endScopes(describer.openScopes) }
    sink.finish()
  }
}

extension FieldSink {
  /// Describes a structure of any kind into this, with a layout that is compiled once, and not for this coder again: for
  /// large structures of which a stream has few. It takes up to twice as long; tables, 16 times.
  @inline(never)
  package func describeOne(_ value: any FieldLayout) { value.describe(into: self) }

  /// Closes the scopes that damage left open.
  @usableFromInline
  func endScopes(_ count: Int) {
    for _ in 0..<max(0, count) { endScope(omitted: 0) }
  }
}
