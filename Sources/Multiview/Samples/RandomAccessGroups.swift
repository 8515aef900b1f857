// swift-multiview · SPDX-License-Identifier: Apache-2.0

import BoxCatalogue
import ByteCoding
import FileAccess
package import ISOBMFF

/// What sample groups specify about starting to decode at a sample: `roll`, `prol` and `rap `. ISO/IEC 14496-12,
/// 10.1 and 10.4
struct RandomAccessGroups: Sendable {
  /// For each grouping of `roll` or `prol`, the groups of samples, and the distance of each group.
  private var recoveries: [(runs: SampleGroupRuns, distances: [Int])] = []
  private var openings: [SampleGroupRuns] = []

  /// No groups.
  init() {}

  /// Reads the groups of a track. Boxes that cannot be read are skipped.
  init(of track: Track) throws(SourceError) {
    let groups = try SampleGroups(of: track, types: ["roll", "prol", "rap "], skipsUnreadable: true)
    for (grouping, runs) in groups.groupings {
      if grouping.type == "rap " {
        openings.append(runs)
      } else {
        let kind = groups.kinds.first { $0.box.groupingType == grouping.type }
        let entries = kind?.box.entries ?? []
        recoveries.append(
          (runs, entries.map { Int(($0.content as? RollRecoveryEntry)?.rollDistance ?? 0) }))
      }
    }
  }

  /// The number of preceding samples that have to be decoded for the correct output of this one; 0 if not specified.
  func samplesRequired(before sample: Int) -> Int {
    for (runs, distances) in recoveries {
      guard let group = runs.run(of: sample)?.group, group > 0 else { continue }
      // A positive distance counts the samples after: it needs none before.
      return min(sample, max(0, -distances[Int(group) - 1]))
    }
    return 0
  }

  /// Whether decoding can start here, apart from samples that are presented before it.
  func isOpenRandomAccessPoint(_ sample: Int) -> Bool {
    openings.contains { $0.run(of: sample)?.group ?? 0 > 0 }
  }

  /// Whether any sample is in one of the groups.
  var haveMembers: Bool {
    (openings + recoveries.map(\.runs)).contains { $0.lastInGroup(atOrBefore: .max) != nil }
  }

  /// The last of these samples at or before a sample; `nil` if there is none.
  func openRandomAccessPoint(atOrBefore sample: Int) -> Int? {
    openings.lazy.compactMap { $0.lastInGroup(atOrBefore: sample) }.max()
  }
}

extension Track {
  /// What sample groups specify about starting to decode; read once. If the samples cannot be read, nothing.
  var randomAccessGroups: RandomAccessGroups {
    lazy.further.value(\.randomAccess) {
      do throws(SourceError) { return try RandomAccessGroups(of: self) } catch { return RandomAccessGroups() }
    }
  }

  /// Whether a sample begins an open group of pictures: decoding can start at it, apart from samples that are presented
  /// before it. Such samples are in the group `rap `, or listed in `stps`.
  package func isOpenAccessPoint(_ sample: Sample) -> Bool {
    sample.isPartialSync || !sample.isSync && randomAccessGroups.isOpenRandomAccessPoint(sample.index)
  }

  /// The last sample at or before `index` at which decoding can start, apart from samples that are presented before it:
  /// a sync sample, or one that begins an open group of pictures; `nil` if there is none.
  package func accessPoint(atOrBefore index: Int, in samples: TrackSamples) -> Int? {
    let index = min(index, samples.count - 1)
    guard index >= 0 else { return nil }
    let points = [
      samples.syncSample(atOrBefore: index), samples.partialSyncSample(atOrBefore: index),
      randomAccessGroups.openRandomAccessPoint(atOrBefore: index),
    ]
    return points.lazy.compactMap { $0 }.max()
  }

  /// Whether any sample begins an open group of pictures, as ``isOpenAccessPoint(_:)`` tells.
  func hasOpenAccessPoints(_ samples: TrackSamples) -> Bool {
    samples.partialSyncSample(atOrBefore: .max) != nil
      || randomAccessGroups.openRandomAccessPoint(atOrBefore: .max) != nil
  }
}
