// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import FileAccess

/// The rows of a table, of which a window is in memory.
package struct TableRows {
  package let count: Int
  private let stride: Int
  private let origin: BoxOrigin
  /// Where the first row is in the file.
  private let start: Int
  /// The last eight bytes before the rows.
  private let lastFields: ByteView
  private var window = ByteView()
  private var first = 0

  private static let windowBytes = 1 << 18

  /// - Parameters:
  ///   - head: how many bytes of fields precede the rows, the last four of which count them.
  ///   - stride: how many bytes a row takes.
  package init(_ box: Box, head: Int, stride: Int) throws(SourceError) {
    self.stride = stride
    let end: Int
    if let payload = box.replacement?.payload {
      // What was changed is in memory.
      let bytes: ByteView
      do { bytes = ByteView(try payload.encoded()) } catch { throw SourceError(.other("\(error)")) }
      origin = BoxOrigin(source: MemoryBytes(bytes), registry: .iso)
      (start, end) = (head, bytes.count)
    } else {
      origin = box.kind.origin
      (start, end) = (box.offset + box.headerSize + head, box.fileRange.upperBound)
    }
    lastFields = try Self.read(origin, (start - 8)..<start)
    count = min(Int(clamping: lastFields.bigEndian(at: 4, width: 4) ?? 0), max(0, end - start) / stride)
  }

  /// Rows that are in memory.
  init(_ rows: ByteView, stride: Int) {
    self.stride = stride
    origin = BoxOrigin(source: MemoryBytes(rows), registry: .iso)
    (start, lastFields, window) = (0, ByteView(), rows)
    count = rows.count / stride
  }

  /// All rows.
  func allRows() throws(SourceError) -> ByteView {
    try Self.read(origin, start..<(start + count * stride))
  }

  /// The field before the one that counts the rows.
  package var fieldBeforeCount: UInt64 { lastFields.bigEndian(at: 0, width: 4) ?? 0 }

  private static func read(_ origin: BoxOrigin, _ range: Range<Int>) throws(SourceError) -> ByteView {
    guard let source = origin.source, range.lowerBound >= origin.start else { return ByteView() }
    return try source.read(
      UInt64(range.lowerBound - origin.start)..<UInt64(range.upperBound - origin.start))
  }

  /// A number in a row that exists.
  package mutating func number(
    _ row: Int, at offset: Int = 0, width: Int = 4
  ) throws(SourceError) -> UInt64 {
    if row < first || row >= first + window.count / stride {
      first = row
      let end = min(count, row + Self.windowBytes / stride)
      window = try Self.read(origin, (start + row * stride)..<(start + end * stride))
    }
    return window.bigEndian(at: (row - first) * stride + offset, width: width) ?? 0
  }
}

/// Where chunks are and how many bytes each has, one after the other, without a table in memory.
package struct ChunkExtents {
  /// How many chunks there are.
  package let count: Int
  private var places: TableRows
  private let placeWidth: Int
  private var runs: TableRows
  private var sizes: Sizes
  private var run = 0
  private var sample = 0
  private var next = 0

  private enum Sizes {
    /// All samples have one size.
    case equal(UInt64)
    case rows(TableRows)
    /// In 4, 8 or 16 bits.
    case compact(CompactSampleSizeBox)
  }

  /// `nil` where a table is missing, and where it cannot be said which samples are in which chunk.
  package init?(_ table: Box) throws(SourceError) {
    guard let place = table.children.first(where: { $0.type == "stco" || $0.type == "co64" }),
      let run = table.first("stsc")
    else { return nil }
    placeWidth = place.type == "stco" ? 4 : 8
    places = try TableRows(place, head: 8, stride: placeWidth)
    count = places.count
    runs = try Self.inOrder(TableRows(run, head: 8, stride: 12), chunks: places.count)
    if let box = table.first("stsz") {
      let rows = try TableRows(box, head: 12, stride: 4)
      sizes = rows.fieldBeforeCount > 0 ? .equal(rows.fieldBeforeCount) : .rows(rows)
    } else if let box = table.first("stz2")?.payload(CompactSampleSizeBox.self) {
      sizes = .compact(box)
    } else {
      return nil
    }
  }

  /// The rows of `stsc`; where they are out of order, those that are read of them.
  private static func inOrder(_ rows: TableRows, chunks: Int) throws(SourceError) -> TableRows {
    var rows = rows
    var last: UInt64 = 0
    for row in 0..<rows.count {
      let first = try rows.number(row)
      guard first > last, first <= UInt64(chunks), row > 0 || first == 1 else {
        return TableRows(ChunkRuns.ordered(try rows.allRows(), chunks).0, stride: 12)
      }
      last = first
    }
    return rows
  }

  /// The place of the next chunk and its size, which is `nil` where the tables do not say it; `nil` after the last one.
  package mutating func nextChunk() throws(SourceError) -> (offset: UInt64, size: UInt64?)? {
    guard next < count else { return nil }
    defer { next += 1 }
    return (try places.number(next, width: placeWidth), try size(of: next))
  }

  /// The place of the next chunk, without asking for its size; `nil` after the last one.
  package mutating func nextPlace() throws(SourceError) -> UInt64? {
    guard next < count else { return nil }
    defer { next += 1 }
    return try places.number(next, width: placeWidth)
  }

  private mutating func size(of chunk: Int) throws(SourceError) -> UInt64? {
    while run + 1 < runs.count, try runs.number(run + 1) <= UInt64(chunk) + 1 { run += 1 }
    guard run < runs.count, try runs.number(run) <= UInt64(chunk) + 1 else { return nil }
    let count = Int(clamping: try runs.number(run, at: 4))
    switch sizes {
    // Both have 32 bits.
    case .equal(let size): return size &* UInt64(count)
    case .rows(var rows):
      // Taken out, so that its window is not copied at every row.
      sizes = .equal(0)
      defer { sizes = .rows(rows) }
      var sum: UInt64 = 0
      for index in samples(count, of: rows.count) { sum &+= try rows.number(index) }
      return sum
    case .compact(let box):
      var sum: UInt64 = 0
      for index in samples(count, of: box.entries.count) { sum &+= UInt64(box.entries[index].size) }
      return sum
    }
  }

  /// The numbers of the next samples, as far as there are any.
  private mutating func samples(_ count: Int, of all: Int) -> Range<Int> {
    let first = sample
    sample = min(all, sample &+ min(count, all))
    return first..<max(first, sample)
  }
}
