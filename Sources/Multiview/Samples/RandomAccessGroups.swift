// swift-multiview · SPDX-License-Identifier: Apache-2.0

import BoxCatalogue
import ByteCoding
import FileAccess
import ISOBMFF

/// What sample groups say of starting to decode at a sample: `roll`, `prol` and `rap `. ISO/IEC 14496-12, 10.1 and 10.4
struct RandomAccessGroups: Sendable {
  /// Samples of one group, one after the other.
  private struct Run {
    let samples: Range<Int>
    /// The distance of `roll` and `prol`.
    var distance = 0
  }

  private var recoveries: [Run] = []
  private var openings: [Run] = []
  /// What the `stbl` describes, for all fragments that refer to it.
  private var shared: [FourCC: [any SampleGroupEntry]] = [:]

  /// The number of preceding samples that have to be decoded for the correct output of this one; 0 if not specified.
  func samplesRequired(before sample: Int) -> Int {
    // A positive distance counts the samples after: it needs none before.
    Self.run(of: sample, in: recoveries).map { min(sample, max(0, -$0.distance)) } ?? 0
  }

  /// Whether decoding can start here, apart from samples that are presented before it.
  func isOpenRandomAccessPoint(_ sample: Int) -> Bool { Self.run(of: sample, in: openings) != nil }

  private static func run(of sample: Int, in runs: [Run]) -> Run? {
    var low = 0, high = runs.count
    while low < high {
      let middle = low + (high - low) / 2
      if runs[middle].samples.upperBound <= sample { low = middle + 1 } else { high = middle }
    }
    return low < runs.count && runs[low].samples.contains(sample) ? runs[low] : nil
  }

  /// Adds the groups in a `stbl` or `traf` of the samples that begin at `first`.
  mutating func add(_ container: Box, from first: Int, in tree: BoxTree, shared: Box?) throws(SourceError) {
    // Read once: any number of boxes may tell groups of one type.
    var entries: [FourCC: [any SampleGroupEntry]] = [:]
    for child in container.children where child.type == "sbgp" {
      guard let groups = try tree.loaded(child).payload(SampleToGroupBox.self) else { continue }
      let type = groups.groupingType
      guard type == "roll" || type == "prol" || type == "rap " else { continue }
      let own = entries[type] ?? Self.entries(of: type, in: container)
      entries[type] = own
      let common = shared.map { commonEntries(of: type, in: $0) } ?? []
      var start = first
      for run in groups.entries {
        let samples = start..<(start &+ Int(run.sampleCount))
        start = samples.upperBound
        let index = Int(run.groupDescriptionIndex)
        // In a fragment, numbers from 0x10001 on count in its own descriptions. ISO/IEC 14496-12, 8.9.4
        let list = shared == nil || index > 0x1_0000 ? own : common
        let place = shared != nil && index > 0x1_0000 ? index - 0x1_0001 : index - 1
        guard list.indices.contains(place), !samples.isEmpty else { continue }
        if let recovery = list[place] as? RollRecoveryEntry {
          recoveries.append(Run(samples: samples, distance: Int(recovery.rollDistance)))
        } else {
          openings.append(Run(samples: samples))
        }
      }
    }
  }

  /// Puts the runs of several boxes in the order of their samples, as look-ups need them.
  mutating func sort() {
    shared = [:]
    recoveries.sort { $0.samples.lowerBound < $1.samples.lowerBound }
    openings.sort { $0.samples.lowerBound < $1.samples.lowerBound }
  }

  /// The groups of one type that the `stbl` describes; read once, because any number of fragments may refer to them.
  private mutating func commonEntries(of type: FourCC, in table: Box) -> [any SampleGroupEntry] {
    if let known = shared[type] { return known }
    let found = Self.entries(of: type, in: table)
    shared[type] = found
    return found
  }

  private static func entries(of type: FourCC, in container: Box) -> [any SampleGroupEntry] {
    for child in container.children where child.type == "sgpd" {
      guard let box = child.payload(SampleGroupDescriptionBox.self), box.groupingType == type else {
        continue
      }
      return box.entries.map(\.content)
    }
    return []
  }
}

extension Track {
  /// What sample groups say of starting to decode; worked out once. What cannot be read says nothing.
  var randomAccessGroups: RandomAccessGroups {
    lazy.further.value(\.randomAccess) {
      var groups = RandomAccessGroups()
      do throws(SourceError) { try gather(&groups) } catch {}
      groups.sort()
      return groups
    }
  }

  /// Whether decoding can start at a sample, apart from samples that are presented before it, as the group `rap ` has it.
  package func isOpenAccessPoint(_ sample: Int) -> Bool {
    randomAccessGroups.isOpenRandomAccessPoint(sample)
  }

  private func gather(_ groups: inout RandomAccessGroups) throws(SourceError) {
    guard let tree = context.tree, let table = sampleTableBox else { return }
    try groups.add(table, from: 0, in: tree, shared: nil)
    guard context.hasFragments else { return }
    var first = try samples().table.count
    for fragment in tree.boxes where fragment.type == "moof" {
      for traf in fragment.children where traf.first(TrackFragmentHeaderBox.self)?.trackID == id {
        try groups.add(traf, from: first, in: tree, shared: table)
        for run in traf.children where run.type == "trun" {
          // The number follows version and flags.
          first = first &+ Int(run.body.bigEndian(at: 4, width: 4) ?? 0)
        }
      }
    }
  }
}
