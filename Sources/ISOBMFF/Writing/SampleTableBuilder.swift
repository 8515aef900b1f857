// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
import FileAccess

/// Builds the tables of a track (`stts`, `ctts`, `cslg`, `stss`, `sdtp`, `stsc`, `stsz`, `stco` or `co64`, `stps`)
/// from its samples, as compactly as possible. Reading the tables returns the same samples.
///
/// Samples that are contiguous in the file and have the same description form one chunk.
public struct SampleTableBuilder: Sendable {
  /// The completed rows of each table, as bytes; chunk offsets have 64 bits.
  private struct Tables: SampleRowSink {
    private var bytes = [[UInt8]](repeating: [], count: SampleTableKind.allCases.count)
    /// Rows before these bytes that the first of them and their number describe: sizes that do not differ, all samples
    /// as sync samples. Most tables of such rows alone are not written.
    private var leading = [(first: UInt64, count: Int)](
      repeating: (0, 0), count: SampleTableKind.allCases.count)

    @inline(__always)
    mutating func add(_ kind: SampleTableKind, _ first: UInt64, _ second: UInt32, _ third: UInt32) {
      bytes[kind.rawValue].appendRow(of: kind, width: kind.widestRow, first, second, third)
    }

    @inline(__always)
    mutating func add(_ kind: SampleTableKind, _ first: UInt64, rows count: Int) {
      let known = leading[kind.rawValue]
      if bytes[kind.rawValue].isEmpty,
        known.count == 0 || first == known.first &+ UInt64(known.count) &* kind.stepOfRows
      {
        leading[kind.rawValue] = (known.count == 0 ? first : known.first, known.count &+ count)
      } else {
        for row in 0..<count { add(kind, first &+ UInt64(row) &* kind.stepOfRows, 0, 0) }
      }
    }

    /// The number of rows of a table.
    func count(_ kind: SampleTableKind) -> Int {
      leading[kind.rawValue].count + bytes[kind.rawValue].count / kind.widestRow
    }

    subscript(kind: SampleTableKind) -> [UInt8] {
      let (first, count) = leading[kind.rawValue]
      guard count > 0 else { return bytes[kind.rawValue] }
      var rows: [UInt8] = []
      rows.reserveCapacity(self.count(kind) * kind.widestRow)
      for row in 0..<count {
        rows.appendRow(of: kind, width: kind.widestRow, first &+ UInt64(row) &* kind.stepOfRows, 0, 0)
      }
      rows += bytes[kind.rawValue]
      return rows
    }

    mutating func shiftCompositionOffsets(by shift: Int64) {
      let old = self[.compositionOffset]
      let view = ByteView(old)
      var new: [UInt8] = []
      new.reserveCapacity(old.count)
      for row in stride(from: 0, to: old.count, by: SampleTableKind.compositionOffset.widestRow) {
        let offset = Int32(truncatingIfNeeded: view.bigEndian(at: row + 4, width: 4) ?? 0)
        new += old[row..<(row + 4)]
        new.appendBigEndian(UInt64(UInt32(bitPattern: offset.shifted(by: shift))), width: 4)
      }
      bytes[SampleTableKind.compositionOffset.rawValue] = new
    }
  }

  private var tables = Tables()
  private var rows = SampleTableRows()
  private var summary = SampleTableSummary()
  private var beginsChunk = false

  /// Starts without samples.
  public init() {}

  /// The number of samples.
  public var count: Int { rows.count }

  /// Appends a sample, in decoding order.
  ///
  /// The tables store only these flags: whether decoding can begin at the sample, and how it depends on others.
  ///
  /// - Parameters:
  ///   - size: its size in bytes.
  ///   - offset: its offset in the file.
  ///   - duration: its duration in decoding time.
  ///   - compositionOffset: its composition time less its decoding time.
  ///   - flags: whether decoding can begin at it, and how it depends on others.
  ///   - descriptionIndex: the sample entry that describes it, counted from 1.
  public mutating func append(
    size: UInt32, offset: UInt64, duration: Int64, compositionOffset: Int64 = 0,
    flags: SampleFlags = SampleFlags(rawValue: 0),
    descriptionIndex: UInt32 = 1
  ) throws(ParseError) {
    try append(
      Sample(
        index: count, decodeTime: summary.endTime, compositionOffset: compositionOffset, duration: duration,
        offset: offset, size: size, flags: flags, descriptionIndex: descriptionIndex))
  }

  /// Appends a sample from tables or fragments. Its number and its decoding time are derived from its place in the
  /// sequence.
  public mutating func append(_ sample: Sample) throws(ParseError) { try append(UniformSamples(sample)) }

  /// Appends samples from tables or fragments.
  package mutating func append(_ samples: UniformSamples) throws(ParseError) {
    let times = try SampleTimes(samples, number: count)
    summary.add(samples, times)
    rows.append(samples, times, beginsChunk: beginsChunk, to: &tables)
    beginsChunk = false
  }

  /// Ends the chunk: the next sample begins another one, even if it directly follows the previous sample.
  public mutating func endChunk() { beginsChunk = true }

  /// Adds `shift` to the composition offsets of all samples, so that they can be written as unsigned numbers; the
  /// presentation then begins later by as much.
  public mutating func shiftCompositionOffsets(by shift: Int64) throws(ParseError) {
    guard shift != 0 else { return }
    try summary.shiftCompositionOffsets(by: shift)
    tables.shiftCompositionOffsets(by: shift)
    rows.shiftCompositionOffset(by: shift)
  }

  /// The lowest composition offset; 0 without samples.
  public var leastCompositionOffset: Int64 { Int64(summary.offsetRange.lowerBound) }
  /// How many samples are listed as sync samples.
  public var syncSampleCount: Int { summary.syncCount }
  /// The decoding time after the last sample.
  public var decodeEndTime: Int64 { summary.endTime }

  /// The boxes, in the order used by Apple's writers. Tables without information are omitted.
  public func boxes() throws(ParseError) -> [Box] {
    var rows = rows
    var last = Tables()
    // Incomplete rows are completed in a copy, while the complete ones need not be copied.
    rows.finish(to: &last)
    let (complete, incomplete) = (tables, last)
    let count = { (kind: SampleTableKind) in complete.count(kind) + incomplete.count(kind) }
    return try summary.boxes(SampleTableForm(), rowCounts: count) { head throws(ParseError) in
      var bytes = head.bytes
      if head.rowCount > 0 {
        for rows in [complete[head.kind], incomplete[head.kind]] {
          if head.rowBytes == head.kind.widestRow {
            bytes += rows
          } else {
            for row in stride(from: 0, to: rows.count, by: head.kind.widestRow) {
              bytes += rows[(row + head.kind.widestRow - head.rowBytes)..<(row + head.kind.widestRow)]
            }
          }
        }
      }
      let decoding = Box(head, ByteView(bytes), of: MemoryBytes(bytes)).decodeLoadedPayload()
      if let error = decoding?.error { throw error }
      // A new box: its places are those of the new movie, and not of one that the table comes from.
      return Box(head.type, decoding?.payload, in: .box("stbl"))
    }
  }
}
