// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import FileAccess

/// The rows of a table, of which only a window is in memory.
package struct TableRows {
  package let count: Int
  /// The number of rows in the field that precedes them.
  package let statedCount: Int
  private let stride: Int
  private let origin: BoxOrigin
  /// The file offset of the first row.
  private let start: Int
  /// The last eight bytes before the rows.
  private let lastFields: ByteView
  private var window = ByteView()
  private var first = 0

  private static let windowBytes = 1 << 18

  /// - Parameters:
  ///   - head: how many bytes of fields precede the rows; the last four of them are the number of rows.
  ///   - stride: how many bytes a row takes.
  package init(_ box: Box, head: Int, stride: Int) throws(SourceError) {
    self.stride = stride
    let end: Int
    if let payload = box.replacement?.payload {
      // Modified fields are in memory.
      let bytes: ByteView
      do { bytes = ByteView(try payload.encoded()) } catch { throw SourceError(.other("\(error)")) }
      origin = BoxOrigin(source: MemoryBytes(bytes), registry: .iso)
      (start, end) = (head, bytes.count)
    } else {
      origin = box.kind.origin
      (start, end) = (box.offset + box.headerSize + head, box.fileRange.upperBound)
    }
    lastFields = try Self.read(origin, (start - 8)..<start)
    statedCount = Int(clamping: lastFields.bigEndian(at: 4, width: 4) ?? 0)
    count = min(statedCount, max(0, end - start) / stride)
  }

  /// Rows that are in memory.
  init(_ rows: ByteView, stride: Int) {
    self.stride = stride
    origin = BoxOrigin(source: MemoryBytes(rows), registry: .iso)
    (start, lastFields, window) = (0, ByteView(), rows)
    count = rows.count / stride
    statedCount = count
  }

  /// All rows.
  func allRows() throws(SourceError) -> ByteView {
    try Self.read(origin, start..<(start + count * stride))
  }

  /// The field before the number of rows.
  package var fieldBeforeCount: UInt64 { lastFields.bigEndian(at: 0, width: 4) ?? 0 }

  private static func read(_ origin: BoxOrigin, _ range: Range<Int>) throws(SourceError) -> ByteView {
    guard let source = origin.source, range.lowerBound >= origin.start else { return ByteView() }
    return try source.read(
      UInt64(range.lowerBound - origin.start)..<UInt64(range.upperBound - origin.start))
  }

  /// A number in an existing row.
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

  /// The sum of rows that are one number each.
  fileprivate mutating func sum(_ rows: Range<Int>) throws(SourceError) -> UInt64 {
    var sum: UInt64 = 0
    var row = rows.lowerBound
    while row < rows.upperBound {
      // Moves the window to the row.
      sum &+= try number(row, width: stride)
      let end = min(rows.upperBound, first + window.count / stride)
      var place = (row + 1 - first) * stride
      for _ in (row + 1)..<max(row + 1, end) {
        sum &+= window.bigEndian(at: place, width: stride) ?? 0
        place &+= stride
      }
      row = max(row + 1, end)
    }
    return sum
  }
}

/// The offset and size of each chunk, in order, without a table in memory.
package struct ChunkExtents {
  /// The number of chunks.
  package let count: Int
  private var places: TableRows
  private let placeWidth: Int
  private var runs: TableRows
  private var sizes: Sizes
  private var run = 0
  private var sample = 0
  private var next = 0

  private enum Sizes {
    /// All samples have the same size; `count` is their number.
    case equal(UInt64, count: Int)
    case rows(TableRows)
    /// Sizes of 4, 8 or 16 bits.
    case compact(CompactSampleSizeBox)
  }

  /// `nil` if a table is missing, or if it cannot be determined which samples are in which chunk.
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
      sizes =
        rows.fieldBeforeCount > 0 ? .equal(rows.fieldBeforeCount, count: rows.statedCount) : .rows(rows)
    } else if let box = table.first("stz2")?.payload(CompactSampleSizeBox.self) {
      sizes = .compact(box)
    } else {
      return nil
    }
  }

  /// The rows of `stsc`; if they are out of order, those that apply.
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

  /// The offset of the next chunk, and its size, which is `nil` if the tables do not give it; `nil` after the last
  /// one.
  package mutating func nextChunk() throws(SourceError) -> (offset: UInt64, size: UInt64?)? {
    guard next < count else { return nil }
    defer { next += 1 }
    return (try places.number(next, width: placeWidth), try size(of: next))
  }

  /// The offset of the next chunk, without determining its size; `nil` after the last one.
  package mutating func nextPlace() throws(SourceError) -> UInt64? {
    guard next < count else { return nil }
    defer { next += 1 }
    return try places.number(next, width: placeWidth)
  }

  /// The number of samples of a chunk; `nil` if the tables do not specify it. Chunks are requested in their order.
  private mutating func sampleCount(of chunk: Int) throws(SourceError) -> Int? {
    while run + 1 < runs.count, try runs.number(run + 1) <= UInt64(chunk) + 1 { run += 1 }
    guard run < runs.count, try runs.number(run) <= UInt64(chunk) + 1 else { return nil }
    return Int(clamping: try runs.number(run, at: 4))
  }

  private mutating func size(of chunk: Int) throws(SourceError) -> UInt64? {
    guard let count = try sampleCount(of: chunk) else { return nil }
    switch sizes {
    // Both have 32 bits.
    case .equal(let size, _): return size &* UInt64(count)
    case .rows(var rows):
      // Moved out, so that its window is not copied at every row.
      sizes = .equal(0, count: 0)
      defer { sizes = .rows(rows) }
      return try rows.sum(samples(count, of: rows.count))
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

  /// The offset and number of samples of the next chunk; `nil` after the last one, and if the tables do not
  /// specify it.
  fileprivate mutating func nextSamples() throws(SourceError) -> (offset: UInt64, count: Int)? {
    guard next < count, let samples = try sampleCount(of: next) else { return nil }
    defer { next += 1 }
    return (try places.number(next, width: placeWidth), samples)
  }

  /// The size of the next samples, and how many there are: one, or as many as are known to be equal; `nil` after the
  /// last one.
  fileprivate mutating func nextSizes(atMost limit: Int) throws(SourceError) -> (size: UInt64, count: Int)? {
    switch sizes {
    case .equal(let size, let all):
      guard sample < all else { return nil }
      let count = min(limit, all - sample)
      sample += count
      return (size, count)
    case .rows(var rows):
      guard sample < rows.count else { return nil }
      // Moved out, so that its window is not copied at every row.
      sizes = .equal(0, count: 0)
      defer { sizes = .rows(rows) }
      sample += 1
      return (try rows.number(sample - 1), 1)
    case .compact(let box):
      guard sample < box.entries.count else { return nil }
      sample += 1
      return (UInt64(box.entries[sample - 1].size), 1)
    }
  }
}

/// The offsets and sizes of samples, read sequentially, without a table in memory.
package struct SampleExtents {
  private var chunks: ChunkExtents
  private var left = 0
  private var offset: UInt64 = 0

  /// Makes a reader; `nil` if a table is missing, or does not specify which samples are in which chunk.
  package init?(_ table: Box) throws(SourceError) {
    guard let chunks = try ChunkExtents(table) else { return nil }
    self.chunks = chunks
  }

  /// Samples of the same size that follow one another: the offset of the first one, their size, and their number.
  package typealias Extent = (offset: UInt64, size: UInt64, count: Int)

  /// Returns the next samples of a chunk, as far as they are known to be equally large; `nil` after the last one.
  ///
  /// - Parameter limit: how many samples are returned at most; at least 1.
  package mutating func next(atMost limit: Int) throws(SourceError) -> Extent? {
    while left == 0 {
      guard let chunk = try chunks.nextSamples() else { return nil }
      (offset, left) = chunk
    }
    guard let (size, count) = try chunks.nextSizes(atMost: min(limit, left)) else { return nil }
    left -= count
    defer { offset &+= size &* UInt64(count) }
    return (offset, size, count)
  }
}
