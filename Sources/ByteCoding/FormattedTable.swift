// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// One row of a table whose layout is determined once for all rows by a version, flags or field sizes.
public protocol FormattedRecord: Sendable, Hashable {
  /// What determines the layout.
  associatedtype Format: Sendable, Hashable
  /// How many bits a row takes; 0 if every field is absent.
  static func bits(_ format: Format) -> Int
  /// A row with its defaults.
  init()
  /// Names the fields in bitstream order.
  mutating func layout(_ c: inout some Coder, as format: Format) throws(ParseError)
}

/// The format of rows that have only one layout.
public struct FixedFormat: Hashable, Sendable {
  /// The format.
  public init() {}
}

/// A table kept as the bytes it was read from, like ``PackedTable``, with rows as wide as its format says.
///
/// Rows without fields take no bytes, so a file can announce four billion of them at no cost: limit what you do
/// for each.
public struct FormattedTable<Record: FormattedRecord>: Sendable, Hashable {
  /// The rows as they are in the file.
  public let bytes: ByteView
  /// What determines the layout of the rows.
  public let format: Record.Format
  /// How many rows there are.
  public let count: Int
  /// Why the table cannot be written: it has fewer rows than it should.
  @usableFromInline let problem: ParseError?

  /// An empty table.
  @inlinable
  public init(as format: Record.Format) {
    bytes = ByteView()
    self.format = format
    count = 0
    problem = nil
  }

  /// A table over `bytes` with at most `count` rows, and no more than fit.
  @inlinable
  public init(_ bytes: ByteView, count: UInt64, as format: Record.Format) {
    self.init(bytes, count: count, as: format, problem: nil)
  }

  @inlinable
  init(_ bytes: ByteView, count: UInt64, as format: Record.Format, problem: ParseError?) {
    let width = Record.bits(format)
    let room = width > 0 ? bytes.count &* 8 / width : Int.max
    self.count = Swift.min(Int(clamping: count), room)
    self.bytes = width > 0 ? bytes.prefix((self.count &* width &+ 7) &>> 3) : ByteView()
    self.format = format
    self.problem = problem
  }

  /// A table of new rows.
  @inlinable
  public init(_ records: some Collection<Record>, as format: Record.Format) throws(ParseError) {
    try self.init(records, count: records.count, as: format)
  }

  /// A table of as many new rows as `count` says, for which counting them would take time.
  @inlinable
  package init(_ records: some Sequence<Record>, count: Int, as format: Record.Format) throws(ParseError) {
    var encoder = FieldEncoder()
    // Rows without fields need not be visited: a run of samples that are alike has a million of them.
    if Record.bits(format) > 0 {
      for var record in records { try record.layout(&encoder, as: format) }
    }
    self.init(ByteView(encoder.bytes), count: UInt64(count), as: format)
  }

  /// A table of rows whose values are known to be writable, as in examples. The table ends at the first row that
  /// is not, and writing the table throws the reason.
  public static func of(_ records: [Record], as format: Record.Format) -> FormattedTable {
    var encoder = FieldEncoder()
    var written: UInt64 = 0
    for var record in records {
      do { try record.layout(&encoder, as: format) } catch {
        return FormattedTable(ByteView(encoder.bytes), count: written, as: format, problem: error)
      }
      written += 1
    }
    return FormattedTable(ByteView(encoder.bytes), count: written, as: format)
  }
}

extension FormattedTable: RandomAccessCollection {
  @inlinable
  public var startIndex: Int { 0 }
  @inlinable
  public var endIndex: Int { count }

  /// The row at `position`. A row's fields have fixed widths and no forbidden values, so reading one cannot fail.
  @inlinable
  public subscript(position: Int) -> Record {
    precondition(position >= 0 && position < count, "row outside the table")
    let width = Record.bits(format)
    let first = position &* width
    let row = ByteView(
      storage: bytes.storage, start: bytes.start &+ (first &>> 3),
      end: bytes.start &+ ((first &+ width &+ 7) &>> 3))
    var record = Record()
    var decoder = FieldDecoder(row)
    decoder.position = first & 7
    do { try record.layout(&decoder, as: format) } catch { return record }
    return record
  }
}
