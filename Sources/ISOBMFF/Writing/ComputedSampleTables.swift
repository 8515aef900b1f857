// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import FileAccess

/// Samples of a track that are not in memory: they are produced in order, as often as needed, from any place that
/// an iterator has returned.
package protocol SampleSequence: Sendable {
  /// Iterates over the samples.
  associatedtype Iterator: SampleIterator

  /// The samples from a place on; from the first one if no place is given.
  func makeIterator(at place: Iterator.Place?) throws(SourceError) -> Iterator
}

/// Iterates over samples in decoding order.
package protocol SampleIterator {
  /// A place from which a sample can be found again. It takes a few bytes, and keeps nothing in memory.
  associatedtype Place: Sendable

  /// The place of the next sample.
  var place: Place { get }

  /// Appends the next samples to a list, at most `count`; none after the last one. It appends many at a time,
  /// because a call for each would cost as much as processing it.
  mutating func append(to list: inout [PlacedSample], atMost count: Int) throws(SourceError)
}

/// A sample of a sequence, and whether it begins a chunk even if it directly follows the previous one.
package struct PlacedSample: Sendable {
  package var sample: Sample
  package var beginsChunk: Bool

  package init(_ sample: Sample, beginsChunk: Bool) {
    (self.sample, self.beginsChunk) = (sample, beginsChunk)
  }
}

/// Sample tables that are not in memory: their rows are computed from the samples whenever bytes of a table are
/// read. For every 4096th sample, a place is kept from which this can begin, so that tables of ten million samples
/// take less than a megabyte.
package struct ComputedSampleTables<Samples: SampleSequence>: Sendable {
  /// A place at which computing rows can begin.
  fileprivate struct Checkpoint: Sendable {
    var place: Samples.Iterator.Place?
    var rows = SampleTableRows()
    var counts = RowCounts()
  }

  private static var samplesPerCheckpoint: Int { 4096 }
  /// How many samples are produced at a time.
  fileprivate static var batch: Int { 256 }
  /// Tables up to this size are kept in memory.
  private static var heldBytes: UInt64 { 1 << 16 }

  fileprivate let samples: Samples
  private let checkpoints: [Checkpoint]
  private let counts: RowCounts
  private let summary: SampleTableSummary

  /// Reads all samples once, to determine the sizes of their tables.
  ///
  /// - Parameter body: called with each sample.
  package init(_ samples: Samples, forEach body: (Sample) -> Void = { _ in }) throws {
    self.samples = samples
    var now = Checkpoint()
    var summary = SampleTableSummary()
    var checkpoints: [Checkpoint] = []
    var iterator = try samples.makeIterator(at: nil)
    var list: [PlacedSample] = []
    list.reserveCapacity(Self.batch)
    repeat {
      if summary.count >= checkpoints.count * Self.samplesPerCheckpoint {
        now.place = iterator.place
        checkpoints.append(now)
      }
      list.removeAll(keepingCapacity: true)
      try iterator.append(to: &list, atMost: Self.batch)
      for next in list {
        let times = try SampleTimes(next.sample, number: summary.count)
        summary.add(next.sample, times)
        now.rows.append(next.sample, times, beginsChunk: next.beginsChunk, to: &now.counts)
        body(next.sample)
      }
    } while !list.isEmpty
    now.rows.finish(to: &now.counts)
    (self.checkpoints, self.counts, self.summary) = (checkpoints, now.counts, summary)
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
    return checkpoints.indices.contains(index) ? checkpoints[index] : Checkpoint()
  }
}

/// A table whose rows are computed when they are read.
private final class ComputedTable<Samples: SampleSequence>: ByteSource {
  private typealias Checkpoint = ComputedSampleTables<Samples>.Checkpoint

  private let tables: ComputedSampleTables<Samples>
  private let kind: SampleTableKind
  private let rowBytes: Int
  private let rowCount: Int
  /// Where the last read ended, which is usually where the next one begins.
  private let last = Locked<Checkpoint?>(nil)

  init(_ tables: ComputedSampleTables<Samples>, _ head: SampleTableHead) {
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
    var iterator = try tables.samples.makeIterator(at: checkpoint.place)
    var rows = checkpoint.rows
    var list: [PlacedSample] = []
    list.reserveCapacity(ComputedSampleTables<Samples>.batch)
    var row = checkpoint.counts[kind]
    while sink.count < next - first {
      (checkpoint.place, checkpoint.rows, checkpoint.counts[kind]) = (iterator.place, rows, row)
      list.removeAll(keepingCapacity: true)
      try iterator.append(to: &list, atMost: ComputedSampleTables<Samples>.batch)
      guard !list.isEmpty else {
        rows.finish(to: &sink)
        break
      }
      do throws(ParseError) {
        for next in list {
          let times = try SampleTimes(next.sample, number: rows.count)
          rows.append(next.sample, times, beginsChunk: next.beginsChunk, to: &sink)
        }
      } catch { throw Self.changed }
      row = first + sink.count - sink.skipped
    }
    guard sink.count >= next - first else { throw Self.changed }
    last.withLock { [checkpoint] in $0 = checkpoint }
    return ByteView(sink.bytes).suffix(from: start - first * rowBytes).prefix(end - start)
      .copy(at: range.lowerBound)
  }

  private static var changed: SourceError {
    SourceError(
      .other("has other samples than a moment ago"), advice: "Try again when nothing else writes to it.")
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
}

/// The rows of one table as bytes.
private struct RowBytes: SampleRowSink {
  private let kind: SampleTableKind
  private let width: Int
  /// How many rows are still skipped.
  private(set) var skipped: Int
  private(set) var bytes: [UInt8] = []
  /// The number of rows.
  private(set) var count = 0

  init(_ kind: SampleTableKind, width: Int, skipping count: Int, reserving rows: Int) {
    (self.kind, self.width, skipped) = (kind, width, count)
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
}
