// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF

/// Which bytes of a movie are media of the new one, and where they are there: in the order of the old file, each once, however
/// many tracks refer to them.
struct MediaLayout {
  /// Parts of the old file, one after the other in the new one.
  private(set) var ranges: [Range<UInt64>] = []
  /// Where each begins, from the beginning of the media data.
  private var starts: [UInt64] = []
  /// Where the first one begins.
  private(set) var start: UInt64 = 0
  /// How many bytes all have.
  private(set) var count: UInt64 = 0

  /// Adds the bytes of samples that are taken from a track.
  mutating func add(_ cut: TrackCut) {
    for run in cut.runs {
      var left = run.samples.count
      var samples = cut.samples.makeIterator(at: run.samples.lowerBound)
      while left > 0, let sample = samples.next() {
        left -= 1
        if let kept = cut.kept {
          for part in kept.parts(of: sample.index) { add(part) }
        } else {
          add(sample.range)
        }
      }
    }
  }

  private mutating func add(_ range: Range<UInt64>) {
    guard !range.isEmpty else { return }
    if let last = ranges.indices.last, ranges[last].upperBound == range.lowerBound {
      ranges[last] = ranges[last].lowerBound..<range.upperBound
    } else {
      ranges.append(range)
    }
  }

  /// Gives all parts their places.
  ///
  /// - Parameter first: where the first one begins.
  mutating func finish(at first: UInt64) throws(EditError) {
    ranges.sort { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
    var joined: [Range<UInt64>] = []
    for range in ranges {
      if let last = joined.indices.last, range.lowerBound <= joined[last].upperBound {
        joined[last] = joined[last].lowerBound..<max(joined[last].upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    ranges = joined
    (start, starts) = (first, [])
    var position = first
    for range in ranges {
      starts.append(position)
      let (next, overflow) = position.addingReportingOverflow(range.upperBound - range.lowerBound)
      guard !overflow, next <= UInt64(Int64.max) else {
        throw .refused("the samples have more bytes than a file can")
      }
      position = next
    }
    count = position - first
  }

  /// Where a byte is in the new movie.
  func place(of offset: UInt64) -> UInt64? {
    let index = ranges.partitionIndex { $0.lowerBound <= offset } - 1
    guard index >= 0, ranges[index].contains(offset) else { return nil }
    return starts[index] + (offset - ranges[index].lowerBound)
  }
}
