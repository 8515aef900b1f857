// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// One row of a table: a structure that always takes the same number of bytes.
public protocol PackedRecord: FieldLayout {
  /// How many bytes a row takes.
  static var stride: Int { get }
}

/// A table kept as the bytes it was read from: checked once, decoded row by row on access.
///
/// A million rows cost no memory and no time until they are looked at.
public struct PackedTable<Record: PackedRecord>: Sendable, Hashable {
  /// The rows as they are in the file.
  public let bytes: ByteView
  /// Why the table cannot be written: it has fewer rows than it should.
  @usableFromInline let problem: ParseError?

  /// An empty table.
  public init() {
    bytes = ByteView()
    problem = nil
  }

  /// A table over `bytes`; bytes too few for another row are ignored.
  @inlinable
  public init(_ bytes: ByteView) { self.init(bytes, problem: nil) }

  @inlinable
  init(_ bytes: ByteView, problem: ParseError?) {
    self.bytes = bytes.prefix(bytes.count / Record.stride &* Record.stride)
    self.problem = problem
  }

  /// A table of new rows.
  public init(_ records: some Sequence<Record>) throws(ParseError) {
    // A table that grew by doubling could reserve twice the room it needs.
    let (count, overflow) = records.underestimatedCount.multipliedReportingOverflow(by: Record.stride)
    var encoder = FieldEncoder(reserving: overflow ? 0 : count)
    for var record in records { try record.layout(&encoder) }
    bytes = ByteView(encoder.bytes)
    problem = nil
  }

  /// A table of rows whose values are known to be writable, as in examples. The table ends at the first row that
  /// is not, and writing the table throws the reason.
  public static func of(_ records: [Record]) -> PackedTable {
    var encoder = FieldEncoder()
    for var record in records {
      do { try record.layout(&encoder) } catch {
        return PackedTable(ByteView(encoder.bytes), problem: error)
      }
    }
    return PackedTable(ByteView(encoder.bytes))
  }
}

extension PackedTable: RandomAccessCollection {
  @inlinable
  public var startIndex: Int { 0 }
  @inlinable
  public var endIndex: Int { bytes.count / Record.stride }

  /// The row at `position`. A row's fields have fixed widths and no forbidden values, so reading one cannot fail.
  @inlinable
  public subscript(position: Int) -> Record {
    precondition(position >= 0 && position < count, "row outside the table")
    let row = ByteView(
      storage: bytes.storage, start: bytes.start &+ position &* Record.stride,
      end: bytes.start &+ (position &+ 1) &* Record.stride)
    var record = Record()
    var decoder = FieldDecoder(row)
    do { try record.layout(&decoder) } catch { return record }
    return record
  }
}

/// A row that is one 16-bit number, as in `stdp`.
@frozen
public struct UInt16Record: PackedRecord {
  /// The number.
  public var value: UInt16 = 0
  @inlinable
  public static var stride: Int { 2 }
  @inlinable
  public init() {}
  /// Makes a row.
  @inlinable
  public init(_ value: UInt16) { self.value = value }
  @inlinable
  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.u16("", &value) }
}

/// A row that is one 32-bit number, as in `stsz`, `stss` and `stco`.
@frozen
public struct UInt32Record: PackedRecord {
  /// The number.
  public var value: UInt32 = 0
  @inlinable
  public static var stride: Int { 4 }
  @inlinable
  public init() {}
  /// Makes a row.
  @inlinable
  public init(_ value: UInt32) { self.value = value }
  @inlinable
  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.u32("", &value) }
}

/// A row that is one 64-bit number, as in `co64`.
@frozen
public struct UInt64Record: PackedRecord {
  /// The number.
  public var value: UInt64 = 0
  @inlinable
  public static var stride: Int { 8 }
  @inlinable
  public init() {}
  /// Makes a row.
  @inlinable
  public init(_ value: UInt64) { self.value = value }
  @inlinable
  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.u64("", &value) }
}
