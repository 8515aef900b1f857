// swift-multiview · SPDX-License-Identifier: Apache-2.0

import FileAccess
import ISOBMFF

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
