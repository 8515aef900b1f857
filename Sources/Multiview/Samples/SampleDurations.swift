// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF

/// Whether the samples of a track last as long as one another.
package struct SampleDurations {
  /// What most samples last; `nil` without samples.
  package let common: Int64?
  /// Whether all last as long, but for two: the first and the last sample often differ.
  package let isEven: Bool
  /// Whether they differ by one unit at most, and a unit is so short that this is nothing: a tool has rounded each time.
  package let isRounded: Bool

  /// From how many units on one does not matter.
  private static let manyUnits: Int64 = 1_000

  package init(_ samples: TrackSamples) {
    var counts: [Int64: Int] = [:]
    for sample in samples {
      counts[sample.duration, default: 0] += 1
      // Neither can be so any more.
      if counts.count > 4 { break }
    }
    let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
    let isComplete = counts.values.reduce(0, +) == samples.count
    common = most?.key
    isEven = isComplete && most.map { samples.count - $0.value <= 2 && $0.key > 0 } ?? false
    let (least, greatest) = (counts.keys.min() ?? 0, counts.keys.max() ?? 0)
    isRounded = isComplete && least >= Self.manyUnits && greatest - least <= 1
  }
}
