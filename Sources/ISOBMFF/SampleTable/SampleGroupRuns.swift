// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding
import FileAccess

/// What distinguishes one grouping of samples from others. ISO/IEC 14496-12, 8.9
package struct SampleGrouping: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// What the groups describe.
  package var type: FourCC
  /// Distinguishes groupings of the same type; `nil` if not given.
  package var parameter: UInt32?

  /// Makes the name of a grouping.
  package init(_ type: FourCC, parameter: UInt32? = nil) {
    self.type = type
    self.parameter = parameter
  }

  package static func < (left: SampleGrouping, right: SampleGrouping) -> Bool {
    (left.type, left.parameter.map(Int.init) ?? -1) < (right.type, right.parameter.map(Int.init) ?? -1)
  }

  package var description: String { "\(type)" + (parameter.map { " \($0)" } ?? "") }
}

/// The groups of one grouping: runs of samples in decoding order, each with the number of their group, or 0 if
/// they are in none. Samples after the last run are not listed.
package struct SampleGroupRuns: Hashable, Sendable {
  /// Consecutive samples of one group.
  package struct Run: Hashable, Sendable {
    /// The index of the sample after the last one.
    package var end: Int
    /// The number of the group, counted from 1; 0 means none.
    package var group: UInt32
  }

  /// The runs. Neighbours have different groups.
  package private(set) var runs: [Run] = []

  /// Makes an empty list.
  package init() {}

  /// The number of samples that are listed.
  package var count: Int { runs.last?.end ?? 0 }

  /// Adds samples of one group.
  package mutating func append(_ count: Int, of group: UInt32) {
    guard count > 0 else { return }
    if let last = runs.indices.last, runs[last].group == group {
      runs[last].end &+= count
    } else {
      runs.append(Run(end: self.count &+ count, group: group))
    }
  }

  /// Adds samples of one group, so that `count` samples are listed; nothing if there are as many already.
  package mutating func extend(to count: Int, of group: UInt32) { append(count - self.count, of: group) }

  /// The number of pattern steps that are read for a track: a pattern of a few bytes may repeat over all samples.
  package static func maximumPatternSteps(samples: Int) -> Int { max(1 << 20, samples &* 4) }

  /// Adds what a box lists.
  ///
  /// - Parameters:
  ///   - reader: the reader of the box.
  ///   - end: the index of the sample at which the list ends at the latest.
  ///   - patternSteps: the number of pattern steps that may still be read.
  ///   - number: returns the new number of a group.
  /// - Returns: whether there were enough steps.
  package mutating func append(
    _ reader: inout SampleGroupReader, upTo end: Int, patternSteps: inout Int,
    number: (UInt32) -> UInt32 = { $0 }
  ) -> Bool {
    while count < end, let step = reader.next() {
      if reader.isPattern {
        guard patternSteps > 0 else { return false }
        patternSteps -= 1
      }
      append(min(step.count, end - count), of: number(step.group))
    }
    return true
  }

  /// Removes samples at the end that are in no group.
  package mutating func removeRest() {
    if runs.last?.group == 0 { runs.removeLast() }
  }

  /// The run of a sample; `nil` if the sample is not listed.
  package func run(of sample: Int) -> Run? {
    let index = runs.partitionIndex { $0.end <= sample }
    return runs.indices.contains(index) ? runs[index] : nil
  }

  /// The last sample at or before this one that is in a group; `nil` if there is none.
  package func lastInGroup(atOrBefore sample: Int) -> Int? {
    var index = runs.partitionIndex { $0.end <= sample }
    var last = sample
    while index >= 0 {
      if runs.indices.contains(index), runs[index].group > 0 { return last }
      index -= 1
      if index >= 0 { last = runs[index].end - 1 }
    }
    return nil
  }

  /// Whether a sample that is listed is in another group than this one.
  package func hasGroups(beside group: UInt32) -> Bool { runs.contains { $0.group != group } }

  /// Returns the groups of some spans of the samples; nothing if all are in the group of samples that are not
  /// listed. These are left out at the end.
  ///
  /// - Parameters:
  ///   - spans: the spans, in their new order.
  ///   - others: the group of samples that are not listed.
  package func slice(_ spans: some Collection<Range<Int>>, others: UInt32 = 0) -> SampleGroupRuns {
    var slice = SampleGroupRuns()
    var isListed = false
    for span in spans {
      var sample = span.lowerBound
      var index = runs.partitionIndex { $0.end <= sample }
      while sample < span.upperBound, index < runs.count {
        let end = min(span.upperBound, runs[index].end)
        slice.append(end - sample, of: runs[index].group)
        (sample, index) = (end, index + 1)
      }
      slice.append(span.upperBound - sample, of: others)
      isListed = span.upperBound <= count
    }
    if !isListed, slice.runs.last?.group == others { slice.runs.removeLast() }
    return slice.hasGroups(beside: others) ? slice : SampleGroupRuns()
  }

  /// The rows of a table. A run of more samples than a row can have takes several.
  package func table() throws(ParseError) -> PackedTable<SampleToGroupBox.Entry> {
    var start = 0
    return try PackedTable(
      runs.map { run in
        defer { start = run.end }
        return .init(sampleCount: UInt32(clamping: run.end - start), groupDescriptionIndex: run.group)
      })
  }

  /// Returns the box of a grouping with these groups.
  ///
  /// - Parameters:
  ///   - grouping: the grouping.
  ///   - container: the type of the box that contains it: `stbl` or `traf`.
  package func box(_ grouping: SampleGrouping, in container: FourCC) throws(ParseError) -> Box {
    var box = SampleToGroupBox()
    box.groupingType = grouping.type
    box.groupingTypeParameter = grouping.parameter
    box.version = grouping.parameter == nil ? 0 : 1
    box.entries = try table()
    return Box("sbgp", box, in: .box(container))
  }
}

/// Reads which groups samples are in from a box (`sbgp` or `csgp`), one step after the other. Only a window of a
/// long table is in memory. ISO/IEC 14496-12, 8.9.2 and 8.9.5
package struct SampleGroupReader: IteratorProtocol {
  /// Some samples of one group.
  package struct Step: Sendable {
    /// The number of samples.
    package var count: Int
    /// The number of the group, counted from 1; 0 means none. In a fragment, numbers from 0x10001 on count in its
    /// own descriptions.
    package var group: UInt32
  }

  private enum Rows {
    case table(PackedTable<SampleToGroupBox.Entry>)
    case window(WindowReader, offset: Int, count: Int)
    case patterns(CompactSampleToGroupBox)
  }

  /// The grouping.
  package let grouping: SampleGrouping
  /// Whether a step is one sample of a pattern, however few bytes that takes.
  package var isPattern: Bool { if case .patterns = rows { true } else { false } }
  private let rows: Rows
  private let countsOwn: Bool
  private var row = 0
  /// Where the indices of the pattern begin, and how many of its samples were read.
  private var (start, taken) = (0, 0)

  /// - Parameters:
  ///   - box: the box, which must be one of sample groups that can be read. If rows are missing, those that are
  ///     there are read.
  ///   - tree: its tree.
  ///   - isInFragment: whether it is in a fragment, where numbers may count in its own descriptions.
  package init?(_ box: Box, in tree: BoxTree, isInFragment: Bool = false) {
    countsOwn = isInFragment
    if box.type == "csgp" {
      guard let compact = tree.whole(box).payload(CompactSampleToGroupBox.self) else { return nil }
      grouping = SampleGrouping(compact.groupingType, parameter: compact.groupingTypeParameter)
      rows = .patterns(compact)
      return
    }
    guard let header = box.decodeLoadedPayload()?.payload as? SampleToGroupBox else { return nil }
    grouping = SampleGrouping(header.groupingType, parameter: header.groupingTypeParameter)
    if box.isLoaded || box.isEdited {
      rows = .table(header.entries)
    } else {
      let head = header.version == 1 ? 16 : 12
      let stated = Int(clamping: box.body.bigEndian(at: head - 4, width: 4) ?? 0)
      let count = min(stated, max(0, box.size - box.headerSize - head) / 8)
      rows = .window(WindowReader(tree.source), offset: box.offset + box.headerSize + head, count: count)
    }
  }

  package mutating func next() -> Step? {
    switch rows {
    case .table(let table):
      guard row < table.count else { return nil }
      defer { row += 1 }
      return Step(count: Int(table[row].sampleCount), group: table[row].groupDescriptionIndex)
    case .window(let reader, let offset, let count):
      guard row < count else { return nil }
      var bytes = ByteView()
      do throws(SourceError) { bytes = try reader.bytes(at: offset + 8 * row, count: 8) } catch {}
      guard let word = bytes.bigEndian(at: 0, width: 8) else { return nil }
      row += 1
      return Step(count: Int(word >> 32), group: UInt32(truncatingIfNeeded: word))
    case .patterns(let box):
      guard row < box.patterns.count else { return nil }
      let length = Int(box.patterns[row].length), count = Int(box.patterns[row].sampleCount)
      guard length > 0, start + length <= box.indices.count else { return nil }
      var group = box.indices[start + taken % length]
      // In a fragment, the highest bit of an index may select its own descriptions. ISO/IEC 14496-12, 8.9.5
      let bit = UInt32(1) << UInt32((4 << (box.flags & 3)) - 1)
      if countsOwn, box.flags & 0x80 != 0, group & bit != 0 { group = 0x1_0000 &+ (group & ~bit) }
      taken += 1
      if length == 1 || taken >= count { (row, start, taken) = (row + 1, start + length, 0) }
      return Step(count: length == 1 ? count : min(1, count), group: group)
    }
  }
}
