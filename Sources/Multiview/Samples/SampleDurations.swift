// swift-multiview · SPDX-License-Identifier: Apache-2.0

import FileAccess
import ISOBMFF

/// How far the durations of the samples of a track are equal.
package struct SampleDurations {
  /// The most common duration, in the timescale of the track; `nil` if there are no samples.
  package let common: Int64?
  /// Whether all samples except at most two have that duration, and it is not 0. The first and the last one
  /// often differ.
  package let isEven: Bool
  /// Whether durations differ by at most one unit, and each is so long that this is the rounding of a tool.
  package let isRounded: Bool

  /// The least duration of which one unit is negligible.
  private static let manyUnits: Int64 = 1_000

  package init(_ samples: TrackSamples) {
    var counts: [Int64: Int] = [:]
    for sample in samples {
      counts[sample.duration, default: 0] += 1
      // Both are false by now.
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

extension Track {
  /// How long after the decode time of the first sample the first picture is composed, because pictures are reordered; `nil`
  /// without samples, or if they cannot be read.
  ///
  /// Decode times of fragments begin anywhere: a stream that has been on for an hour is not an hour late.
  package var compositionDelay: Int64? {
    do throws(SourceError) {
      let samples = try samples()
      // Pictures are reordered within a few samples: the first to be shown is among the first to be decoded.
      let first = samples.prefix(64).lazy.filter { !$0.isNeverComposed }.map(\.compositionTime).min()
      return first.map { $0 &- samples.startTime }
    } catch { return nil }
  }
}
