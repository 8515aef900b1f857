// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// Which samples each chunk holds (`stsc`), and where the chunks are (`stco`, `co64`).
///
/// A row holds from its first chunk to that of the next row. Every 256 rows it is noted how many samples
/// precede. Rows that are out of order make a copy of the table without them are in.
struct ChunkRuns: Sendable {
  static let rowsPerNote = 256

  /// A sample, and where it is.
  struct Position: Sendable {
    /// The row that holds.
    var row: Int
    /// Where it ends.
    var endChunk: Int
    /// The chunk, counted from 0.
    var chunk: Int
    var samplesPerChunk: Int
    /// How many samples of the chunk are left, this one included.
    var left: Int
    var descriptionIndex: UInt32
  }

  /// Every row begins later than the one before, the first with the first chunk, all at chunks that are
  /// there.
  private let rows: ByteView
  private let rowCount: Int
  private let offsets: ByteView
  private let hasLargeOffsets: Bool
  let chunkCount: Int
  /// How many samples precede every 256th row.
  private let notes: ContiguousArray<Int>
  /// How many samples all chunks hold.
  let count: Int
  /// Whether the file has the rows in order.
  let isOrdered: Bool

  init(rows original: ByteView, offsets: ByteView, hasLargeOffsets: Bool) {
    self.offsets = offsets
    self.hasLargeOffsets = hasLargeOffsets
    let chunkCount = offsets.count / (hasLargeOffsets ? 8 : 4)
    self.chunkCount = chunkCount
    let (rows, isOrdered) = Self.ordered(original, chunkCount)
    self.rows = rows
    self.isOrdered = isOrdered
    rowCount = rows.count / 12
    var notes = ContiguousArray<Int>()
    notes.reserveCapacity(rowCount / Self.rowsPerNote + 1)
    var samples = 0
    for index in 0..<rowCount {
      if index % Self.rowsPerNote == 0 { notes.append(samples) }
      samples &+= Self.samples(rows, index, rowCount: rowCount, chunkCount: chunkCount)
    }
    self.notes = notes
    count = samples
  }

  /// The rows that hold, without those that are out of order; and whether all are in order.
  static func ordered(_ rows: ByteView, _ chunkCount: Int) -> (ByteView, Bool) {
    let rowCount = rows.count / 12
    var last = -1
    var isOrdered = true
    for index in 0..<rowCount {
      let first = firstChunk(rows, index)
      if first <= last || first >= chunkCount || (index == 0 && first != 0) { isOrdered = false }
      last = first
    }
    if isOrdered { return (rows, true) }
    var kept: [UInt8] = []
    kept.reserveCapacity(rows.count)
    last = -1
    // Rows beside one another are copied together.
    var run = 0..<0
    for index in 0..<rowCount {
      let first = run.isEmpty && kept.isEmpty ? 0 : firstChunk(rows, index)
      guard first > last, first < chunkCount else { continue }
      last = first
      if index != run.upperBound {
        kept += rows.suffix(from: run.lowerBound * 12).prefix(run.count * 12).array
        run = index..<index
      }
      run = run.lowerBound..<index + 1
    }
    kept += rows.suffix(from: run.lowerBound * 12).prefix(run.count * 12).array
    // The first row counts for the chunks in front of it.
    if !kept.isEmpty { kept.replaceSubrange(0..<4, with: [0, 0, 0, 1]) }
    return (ByteView(kept), false)
  }

  /// The first chunk of a row, counted from 0.
  @inline(__always)
  private static func firstChunk(_ rows: ByteView, _ row: Int) -> Int { Int(rows.word32(row &* 3)) &- 1 }

  @inline(__always)
  private static func endChunk(_ rows: ByteView, _ row: Int, rowCount: Int, chunkCount: Int) -> Int {
    row &+ 1 < rowCount ? firstChunk(rows, row &+ 1) : chunkCount
  }

  @inline(__always)
  private static func samples(_ rows: ByteView, _ row: Int, rowCount: Int, chunkCount: Int) -> Int {
    let chunks = endChunk(rows, row, rowCount: rowCount, chunkCount: chunkCount) &- firstChunk(rows, row)
    return chunks &* Int(rows.word32(row &* 3 &+ 1))
  }

  /// Where chunk `index`, counted from 0, begins.
  @inline(__always)
  func offset(of index: Int) -> UInt64 {
    hasLargeOffsets ? offsets.word64(index) : UInt64(offsets.word32(index))
  }

  /// Where `sample` is, or `nil` after the end.
  func position(of sample: Int) -> Position? {
    guard sample >= 0, sample < count else { return nil }
    let note = max(0, notes.partitionIndex { $0 <= sample } - 1)
    var left = sample &- notes[note]
    var row = note &* Self.rowsPerNote
    while row < rowCount {
      let samples = Self.samples(rows, row, rowCount: rowCount, chunkCount: chunkCount)
      if left < samples { break }
      left &-= samples
      row &+= 1
    }
    guard row < rowCount else { return nil }
    var position = position(ofRow: row)
    let (chunks, inside) = left.quotientAndRemainder(dividingBy: max(1, position.samplesPerChunk))
    position.chunk &+= chunks
    position.left &-= inside
    return position
  }

  private func position(ofRow row: Int) -> Position {
    let samples = Int(rows.word32(row &* 3 &+ 1))
    return Position(
      row: row, endChunk: Self.endChunk(rows, row, rowCount: rowCount, chunkCount: chunkCount),
      chunk: Self.firstChunk(rows, row), samplesPerChunk: samples, left: samples,
      descriptionIndex: rows.word32(row &* 3 &+ 2))
  }

  /// Moves on to `sample`, the first of the next chunk that has any; `false` after the last one.
  @inline(__always)
  func advanceToNextChunk(_ position: inout Position, to sample: Int) -> Bool {
    position.chunk &+= 1
    position.left = position.samplesPerChunk
    return position.chunk < position.endChunk || advanceToNextRow(&position, sample)
  }

  private func advanceToNextRow(_ position: inout Position, _ sample: Int) -> Bool {
    // After many rows of chunks without samples it is looked up.
    let last = position.row &+ Self.rowsPerNote
    while position.chunk >= position.endChunk || position.samplesPerChunk == 0 {
      guard position.row &+ 1 < rowCount else { return false }
      guard position.row < last else {
        guard let found = self.position(of: sample) else { return false }
        position = found
        return true
      }
      position = self.position(ofRow: position.row &+ 1)
    }
    return true
  }
}
