// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import Multiview

/// Cuts the optional boxes of a sample table that describe individual samples to the samples that are taken.
struct CutGroups {
  let trackID: UInt32
  let tree: BoxTree
  /// The boxes of the sample table.
  let tables: [Box]
  /// The ranges of samples that are taken, in their order; a range may occur several times.
  let taken: [Range<Int>]

  /// Returns a box for the samples that are taken; `nil` if nothing of it is left.
  func cut(_ box: Box) throws(EditError) -> Box? {
    switch box.type {
    case "sbgp":
      guard var groups = tree.whole(box).payload(SampleToGroupBox.self) else { throw unreadable(box) }
      let runs = groups.entries.map { (Int($0.sampleCount), $0.groupDescriptionIndex) }
      groups.entries = try table(cut(runs, others: defaultGroup(groups.groupingType)))
      return groups.entries.isEmpty ? nil : Box("sbgp", groups, in: .box("stbl"), registry: .standard)
    case "csgp":
      guard let compact = tree.whole(box).payload(CompactSampleToGroupBox.self) else { throw unreadable(box) }
      var groups = SampleToGroupBox()
      groups.groupingType = compact.groupingType
      if let parameter = compact.groupingTypeParameter {
        groups.version = 1
        groups.groupingTypeParameter = parameter
      }
      let runs = try Self.runs(of: compact, upTo: taken.map(\.upperBound).max() ?? 0)
      groups.entries = try table(cut(runs, others: defaultGroup(compact.groupingType)))
      return groups.entries.isEmpty ? nil : Box("sbgp", groups, in: .box("stbl"), registry: .standard)
    case "subs":
      guard var parts = tree.whole(box).payload(SubSampleInformationBox.self) else { throw unreadable(box) }
      parts.entries = cut(parts.entries)
      return parts.entries.isEmpty ? nil : Box("subs", parts, in: .box("stbl"), registry: .standard)
    case "stdp":
      guard var list = tree.whole(box).payload(DegradationPriorityBox.self) else { throw unreadable(box) }
      let old = list.priorities
      let kept = taken.flatMap { range in range.clamped(to: 0..<old.count).map { old[$0] } }
      do throws(ParseError) { list.priorities = try PackedTable(kept) } catch { throw .refused("\(error)") }
      return Box("stdp", list, in: .box("stbl"), registry: .standard)
    default: return box
    }
  }

  /// The group of samples that are in no explicit one. ISO/IEC 14496-12, 8.9.3
  private func defaultGroup(_ type: FourCC) -> UInt32 {
    let descriptions = tables.lazy.filter { $0.type == "sgpd" }
      .compactMap { tree.whole($0).payload(SampleGroupDescriptionBox.self) }
    return descriptions.first { $0.groupingType == type }?.defaultGroupDescriptionIndex ?? 0
  }

  private func unreadable(_ box: Box) -> EditError {
    .refused("the box \(box.type) of track \(trackID) cannot be read")
  }

  private func table(
    _ runs: [(count: Int, group: UInt32)]
  ) throws(EditError) -> PackedTable<SampleToGroupBox.Entry> {
    do throws(ParseError) {
      return try PackedTable(
        runs.map { .init(sampleCount: UInt32(clamping: $0.count), groupDescriptionIndex: $0.group) })
    } catch { throw .refused("\(error)") }
  }

  /// Returns the runs of groups of the samples that are taken, without samples at the end that are not listed.
  ///
  /// - Parameters:
  ///   - runs: the runs of groups of all samples.
  ///   - others: the group of samples that are not listed; 0 for none.
  func cut(
    _ runs: [(count: Int, group: UInt32)], others: UInt32 = 0
  ) -> [(count: Int, group: UInt32)] {
    var starts: [Int] = [0]
    for run in runs { starts.append(starts[starts.count - 1] &+ run.count) }
    let isWhole = taken.last.map { ($0.upperBound) <= (starts.last ?? 0) } ?? false
    var cut: [(count: Int, group: UInt32)] = []
    func add(_ count: Int, _ group: UInt32) {
      guard count > 0 else { return }
      if let last = cut.indices.last, cut[last].group == group {
        cut[last].count &+= count
      } else {
        cut.append((count, group))
      }
    }
    for range in taken {
      var index = max(0, starts.partitionIndex { $0 <= range.lowerBound } - 1)
      var sample = range.lowerBound
      while sample < range.upperBound, index < runs.count {
        let end = min(range.upperBound, starts[index + 1])
        add(end - sample, runs[index].group)
        sample = max(sample, end)
        index += 1
      }
      add(range.upperBound - sample, others)
    }
    if !isWhole, cut.last?.group == others { cut.removeLast() }
    return cut.contains { $0.group != others } ? cut : []
  }

  /// Returns the runs of groups in a compact table (`csgp`).
  ///
  /// - Parameters:
  ///   - box: the table.
  ///   - limit: the number of samples to read: a pattern of a few bytes may claim more than any track has.
  static func runs(
    of box: CompactSampleToGroupBox, upTo limit: Int
  ) throws(EditError) -> [(count: Int, group: UInt32)] {
    var left = limit
    var runs: [(count: Int, group: UInt32)] = []
    var first = 0
    for pattern in box.patterns {
      let length = Int(pattern.length)
      guard left > 0, length > 0, first + length <= box.indices.count else { break }
      let count = min(Int(pattern.sampleCount), left)
      left -= count
      // One run if the pattern has one group; otherwise one for each sample.
      let groups = box.indices[first..<(first + length)]
      if let group = groups.first, groups.allSatisfy({ $0 == group }) {
        runs.append((count, group))
      } else {
        for index in 0..<count { runs.append((1, box.indices[first + index % length])) }
      }
      first += length
    }
    return runs
  }

  /// Returns the sub-samples of the samples that are taken.
  func cut(_ entries: [SubSampleInformationBox.Entry]) -> [SubSampleInformationBox.Entry] {
    var numbers: [Int] = []
    var number = -1
    for entry in entries {
      number &+= Int(entry.sampleDelta)
      numbers.append(number)
    }
    var cut: [SubSampleInformationBox.Entry] = []
    var (first, last) = (0, -1)
    for range in taken {
      var index = numbers.partitionIndex { $0 < range.lowerBound }
      while index < numbers.count, numbers[index] < range.upperBound {
        let place = first + numbers[index] - range.lowerBound
        var entry = entries[index]
        entry.sampleDelta = UInt32(clamping: place - last)
        last = place
        cut.append(entry)
        index += 1
      }
      first += range.count
    }
    return cut
  }
}
