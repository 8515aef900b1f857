// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import BoxCatalogue
import ByteCoding
package import FileAccess
package import ISOBMFF

/// The parts of samples that a table lists (`subs`), by the indices of the samples. ISO/IEC 14496-12, 8.7.7
package struct SubSampleRows: Sendable {
  /// A sample with parts.
  struct Row: Sendable {
    var sample: Int
    var parts: [SubSampleInformationBox.SubSample]
  }

  /// The samples, in order.
  private(set) var rows: [Row] = []

  /// Makes an empty list.
  package init() {}

  /// Adds the rows of a table.
  ///
  /// - Parameters:
  ///   - entries: the rows of the table.
  ///   - first: the index of the first sample that the table is about.
  package mutating func append(_ entries: [SubSampleInformationBox.Entry], from first: Int = 0) {
    var sample = first - 1
    for entry in entries {
      sample &+= Int(entry.sampleDelta)
      guard sample >= first else { continue }
      append(Row(sample: sample, parts: entry.subsamples))
    }
  }

  /// Adds a row, if its sample follows all others.
  mutating func append(_ row: Row) {
    if row.sample > rows.last?.sample ?? -1 { rows.append(row) }
  }

  /// The position of the first row that does not precede a sample.
  func position(of sample: Int) -> Int { rows.partitionIndex { $0.sample < sample } }

  /// Returns the rows of some spans of the samples, in their new order.
  package func slice(_ spans: some Sequence<Range<Int>>) -> SubSampleRows {
    var slice = SubSampleRows()
    var first = 0
    for span in spans {
      for row in rows[position(of: span.lowerBound)...].prefix(while: { $0.sample < span.upperBound }) {
        slice.append(Row(sample: first + row.sample - span.lowerBound, parts: row.parts))
      }
      first += span.count
    }
    return slice
  }

  /// The rows of a table.
  package var entries: [SubSampleInformationBox.Entry] {
    var last = -1
    return rows.map { row in
      defer { last = row.sample }
      return .init(sampleDelta: UInt32(clamping: row.sample - last), subsamples: row.parts)
    }
  }
}

/// The parts of the samples of a track: read from tables and fragments, cut, joined and written.
package struct SubSamples: Sendable {
  /// The parts by the flags of their box, whose meaning depends on the codec.
  private var rows: [UInt32: SubSampleRows] = [:]
  /// The number of samples.
  private var count = 0

  /// The parts of no samples.
  package init() {}

  /// Reads the parts of the samples of a track.
  package init(of track: Track) throws(SourceError) {
    guard let tree = track.context.tree else { return }
    for (container, samples) in try SampleContainers(track) {
      for box in container.children where box.type == "subs" {
        guard let table = tree.whole(box).payload(SubSampleInformationBox.self) else {
          throw SourceError(.other("the box subs of track \(track.id) cannot be read"))
        }
        rows[table.flags, default: SubSampleRows()].append(table.entries, from: samples.lowerBound)
      }
      count = samples.upperBound
    }
  }

  /// Returns the parts of some spans of the samples, in their new order.
  package func slice(_ spans: [Range<Int>]) -> SubSamples {
    var slice = self
    slice.rows = rows.mapValues { $0.slice(spans) }
    slice.count = spans.reduce(0) { $0 + $1.count }
    return slice
  }

  /// Adds the parts of samples that follow, perhaps of another track.
  package mutating func append(_ other: SubSamples) {
    for (flags, own) in other.rows {
      for row in own.rows {
        rows[flags, default: SubSampleRows()].append(.init(sample: count + row.sample, parts: row.parts))
      }
    }
    count += other.count
  }

  /// Returns the boxes, without those that have no rows.
  ///
  /// - Parameter container: the type of the box that contains them: `stbl` or `traf`.
  package func boxes(in container: FourCC) -> [Box] {
    rows.sorted { $0.key < $1.key }.filter { !$0.value.rows.isEmpty }.map { flags, rows in
      var box = SubSampleInformationBox()
      box.flags = flags
      box.entries = rows.entries
      // Version 1 has sizes of 32 bits.
      box.version = rows.rows.contains { $0.parts.contains { $0.size > UInt32(UInt16.max) } } ? 1 : 0
      return Box("subs", box, in: .box(container), registry: .standard)
    }
  }
}
