// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import FileAccess

/// Sample tables that are not in memory: their rows are computed from the samples whenever bytes of a table are
/// read. After every 4096 steps, each over samples that are uniform and of one chunk, a place is kept from which this
/// can begin, so that tables of ten million samples take less than a megabyte.
package struct ComputedSampleTables: Sendable {
  /// A place at which computing rows can begin.
  fileprivate struct Checkpoint: Sendable {
    var chunks: SampleChunks
    var rows = SampleTableRows()
    var counts = RowCounts()

    /// The index of the next sample.
    var index: Int { rows.count }

    /// Adds the rows of samples, as far as they fit into one chunk.
    ///
    /// - Returns: the samples that were added, where they are in the file, and those that are left.
    @inline(__always)
    mutating func append(_ samples: UniformSamples, to sink: inout some SampleRowSink) throws(ParseError)
      -> (added: UniformSamples, times: SampleTimes, rest: UniformSamples?)
    {
      let times = try SampleTimes(samples, number: index)
      let (added, beginsChunk, rest) = chunks.add(samples)
      rows.append(added, times, beginsChunk: beginsChunk, to: &sink)
      return (added, times, rest)
    }
  }

  private static let stepsPerCheckpoint = 4096
  /// Tables up to this size are kept in memory.
  private static let heldBytes: UInt64 = 1 << 16

  fileprivate let samples: SampleList
  private let start: Checkpoint
  private let checkpoints: [Checkpoint]
  private let counts: RowCounts
  private let summary: SampleTableSummary

  /// Goes through all samples once, to determine the sizes of their tables.
  ///
  /// - Parameters:
  ///   - samples: the samples.
  ///   - chunkDuration: how long chunks last at most.
  ///   - body: called with the samples, in order.
  package init(
    _ samples: SampleList, chunkDuration: Int64, forEach body: (UniformSamples) -> Void = { _ in }
  ) throws {
    self.samples = samples
    var now = Checkpoint(chunks: SampleChunks(start: samples.mediaStart, longest: chunkDuration))
    start = now
    var summary = SampleTableSummary()
    var counts = RowCounts()
    var checkpoints: [Checkpoint] = []
    var iterator = samples.makeIterator()
    var waiting = try iterator.next()
    var steps = 0
    while let samples = waiting {
      if steps % Self.stepsPerCheckpoint == 0 {
        now.counts = counts
        checkpoints.append(now)
      }
      steps += 1
      let (added, times, rest) = try now.append(samples, to: &counts)
      summary.add(added, times)
      body(added)
      waiting = try rest ?? iterator.next()
    }
    now.rows.finish(to: &counts)
    (self.checkpoints, self.counts, self.summary) = (checkpoints, counts, summary)
  }

  /// The number of samples.
  package var count: Int { summary.count }

  /// The boxes, in the order used by Apple's writers. Tables without information are omitted.
  package func boxes(_ form: SampleTableForm = SampleTableForm()) throws(SourceError) -> [Box] {
    try summary.boxes(form, rowCounts: { counts[$0] }) { head throws(SourceError) in
      guard head.size < UInt64(Int.max / 2) else { throw SourceError(.tooLong(limit: UInt64(Int.max))) }
      let source = try ConcatenatedBytes([MemoryBytes(head.bytes), ComputedTable(self, head)])
      let isHeld = head.size <= Self.heldBytes
      let loaded = try source.read(at: 0, count: isHeld ? Int(head.size) : head.bytes.count)
      return Box(head, loaded, of: isHeld ? MemoryBytes(loaded) : source)
    }
  }

  /// The last place from which the rows can be computed that are needed from `row` on.
  fileprivate func checkpoint(before row: Int, of kind: SampleTableKind) -> Checkpoint {
    let index = checkpoints.partitionIndex { $0.counts[kind] <= row } - 1
    return checkpoints.indices.contains(index) ? checkpoints[index] : start
  }
}

/// A table whose rows are computed when they are read.
private final class ComputedTable: ByteSource {
  private let tables: ComputedSampleTables
  private let kind: SampleTableKind
  private let rowBytes: Int
  private let rowCount: Int
  /// The number of steps after which a place is noted at which the next read may begin.
  private static let stepsPerNote = 256
  /// A place before the end of the last read, which is usually where the next one begins.
  private let last = Locked<ComputedSampleTables.Checkpoint?>(nil)

  init(_ tables: ComputedSampleTables, _ head: SampleTableHead) {
    (self.tables, kind, rowBytes, rowCount) = (tables, head.kind, head.rowBytes, head.rowCount)
  }

  var size: UInt64? { UInt64(rowCount) * UInt64(rowBytes) }

  func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView {
    let end = Int(min(range.upperBound, UInt64(rowCount) * UInt64(rowBytes)))
    guard range.lowerBound < UInt64(end) else { return .empty(at: range.lowerBound) }
    let start = Int(range.lowerBound)
    let (first, next) = (start / rowBytes, (end + rowBytes - 1) / rowBytes)
    var checkpoint = tables.checkpoint(before: first, of: kind)
    if let last = last.withLock({ $0 }), last.counts[kind] <= first,
      last.counts[kind] >= checkpoint.counts[kind]
    {
      checkpoint = last
    }
    var sink = RowBytes(
      kind, width: rowBytes, skipping: first - checkpoint.counts[kind], reserving: next - first)
    var iterator = tables.samples.makeIterator(at: checkpoint.index)
    var now = checkpoint
    var waiting: UniformSamples?
    var steps = 0
    while sink.count < next - first {
      if steps == Self.stepsPerNote {
        (checkpoint, steps) = (now, 0)
        checkpoint.counts[kind] = first + sink.count - sink.skipped
      }
      if waiting == nil { waiting = try iterator.next() }
      guard let samples = waiting else {
        now.rows.finish(to: &sink)
        break
      }
      steps += 1
      do throws(ParseError) { waiting = try now.append(samples, to: &sink).rest } catch {
        throw SampleList.changed
      }
    }
    guard sink.count >= next - first else { throw SampleList.changed }
    last.withLock { [checkpoint] in $0 = checkpoint }
    return ByteView(sink.bytes).suffix(from: start - first * rowBytes).prefix(end - start)
      .copy(at: range.lowerBound)
  }
}

/// How samples are put into chunks: a chunk is as long as it may be, and a sample without bytes is where the one
/// before it ends.
private struct SampleChunks: Sendable {
  /// The offset at which the last sample ends.
  private var end: UInt64
  /// How long the chunk lasts so far, in decoding time.
  private var duration: Int64 = 0
  private let longest: Int64

  init(start: UInt64, longest: Int64) { (end, self.longest) = (start, longest) }

  /// Places samples, as far as the chunk has room for them, at least one.
  ///
  /// - Returns: these samples, whether they begin a chunk even if they directly follow the ones before, and the rest.
  mutating func add(_ samples: UniformSamples) -> (
    added: UniformSamples, beginsChunk: Bool, rest: UniformSamples?
  ) {
    let isFull = duration >= longest
    if isFull { duration = 0 }
    var room = samples.count
    let each = samples.first.duration
    if each > 0 { room = Int(clamping: (longest &- duration &- 1) / each &+ 1) }
    var (added, rest) = samples.split(first: max(1, room))
    if added.first.size == 0, let moved = added.placed(at: end) { added = moved }
    end = added.range.upperBound
    duration &+= added.endTime &- added.first.decodeTime
    return (added, isFull, rest)
  }
}

/// The number of rows of each table.
private struct RowCounts: SampleRowSink, Sendable {
  private var values = SIMD8<Int>()

  subscript(kind: SampleTableKind) -> Int {
    get { values[kind.rawValue] }
    set { values[kind.rawValue] = newValue }
  }

  @inline(__always)
  mutating func add(_ kind: SampleTableKind, _ first: UInt64, _ second: UInt32, _ third: UInt32) {
    values[kind.rawValue] &+= 1
  }

  @inline(__always)
  mutating func add(_ kind: SampleTableKind, _ first: UInt64, rows count: Int) {
    values[kind.rawValue] &+= count
  }
}

/// The rows of one table as bytes.
private struct RowBytes: SampleRowSink {
  private let kind: SampleTableKind
  private let width: Int
  /// How many rows are wanted.
  private let wanted: Int
  /// How many rows are still skipped.
  private(set) var skipped: Int
  private(set) var bytes: [UInt8] = []
  /// The number of rows.
  private(set) var count = 0

  init(_ kind: SampleTableKind, width: Int, skipping count: Int, reserving rows: Int) {
    (self.kind, self.width, skipped, wanted) = (kind, width, count, rows)
    bytes.reserveCapacity((rows + 1) * width)
  }

  @inline(__always)
  mutating func add(_ kind: SampleTableKind, _ first: UInt64, _ second: UInt32, _ third: UInt32) {
    guard kind == self.kind else { return }
    guard skipped == 0 else {
      skipped -= 1
      return
    }
    count += 1
    bytes.appendRow(of: kind, width: width, first, second, third)
  }

  @inline(__always)
  mutating func add(_ kind: SampleTableKind, _ first: UInt64, rows count: Int) {
    guard kind == self.kind else { return }
    let passed = min(skipped, count)
    skipped -= passed
    for row in passed..<count where self.count < wanted {
      add(kind, first &+ UInt64(row) &* kind.stepOfRows, 0, 0)
    }
  }
}
