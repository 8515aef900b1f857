// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// What samples add up to.
package struct SampleTotals: Hashable, Sendable {
  /// The number of samples.
  package var count: Int
  /// How long they are one after another, in units of the media's timescale.
  package var duration: Int64
  /// The number of samples at which decoding can begin.
  package var syncCount: Int

  package init(count: Int = 0, duration: Int64 = 0, syncCount: Int = 0) {
    (self.count, self.duration, self.syncCount) = (count, duration, syncCount)
  }

  package mutating func add(_ other: SampleTotals) {
    count &+= other.count
    duration &+= other.duration
    syncCount &+= other.syncCount
  }
}
