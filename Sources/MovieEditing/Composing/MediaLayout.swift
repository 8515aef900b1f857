// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF

/// Which bytes of a movie are media of the new one, and where they are there: in the order of the old file, each once, however
/// many tracks refer to them. Where a sample is made of parts that do not follow each other, all of them are where its first
/// part is.
struct MediaLayout {
  /// A sample that is made of several parts.
  private struct Composed {
    let sample: Int
    let parts: Range<Int>
    let first: UInt64
    var start: UInt64 = 0
  }

  /// Parts of the old file, one after the other in the new one.
  private(set) var ranges: [Range<UInt64>] = []
  /// Parts that stay where they are among the others, in the order of the old file when all have their places.
  private var plain: [Range<UInt64>] = []
  /// Where each of these begins in the new file.
  private var starts: [UInt64] = []
  /// Samples that are made of several parts, in the order of their first parts when all have their places.
  private var composed: [Composed] = []
  private var composedParts: ContiguousArray<Range<UInt64>> = []
  /// Where the first one begins.
  private(set) var start: UInt64 = 0
  /// How many bytes all have.
  private(set) var count: UInt64 = 0

  /// Adds the bytes of samples that are taken from a track.
  mutating func add(_ cut: TrackCut) {
    for run in cut.runs {
      if let kept = cut.kept {
        for sample in run.samples { add(kept.parts(of: sample), of: sample, areTogether: kept.areTogether) }
        continue
      }
      var left = run.samples.count
      var samples = cut.samples.makeIterator(at: run.samples.lowerBound)
      while left > 0, let sample = samples.next() {
        left -= 1
        add(sample.range)
      }
    }
  }

  /// Adds the parts of a sample.
  ///
  /// - Parameter areTogether: whether they must be made to follow each other. Otherwise they do so by themselves, when
  ///   what is between them is left out.
  private mutating func add(
    _ parts: ContiguousArray<Range<UInt64>>.SubSequence, of sample: Int, areTogether: Bool
  ) {
    if areTogether, parts.count > 1, let first = parts.first {
      let place = composedParts.count
      composedParts += parts
      composed.append(
        Composed(sample: sample, parts: place..<composedParts.count, first: first.lowerBound))
    } else {
      for part in parts { add(part) }
    }
  }

  private mutating func add(_ range: Range<UInt64>) {
    guard !range.isEmpty else { return }
    if let last = plain.indices.last, plain[last].upperBound == range.lowerBound {
      plain[last] = plain[last].lowerBound..<range.upperBound
    } else {
      plain.append(range)
    }
  }

  /// Gives all parts their places.
  ///
  /// - Parameter first: where the first one begins.
  mutating func finish(at first: UInt64) throws(EditError) {
    plain.sort { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
    var joined: [Range<UInt64>] = []
    for range in plain {
      if let last = joined.indices.last, range.lowerBound <= joined[last].upperBound {
        joined[last] = joined[last].lowerBound..<max(joined[last].upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    plain = joined
    composed.sort { ($0.first, $0.sample) < ($1.first, $1.sample) }
    (start, starts, ranges) = (first, [], [])
    var position = first
    var next = 0
    for range in plain {
      while next < composed.count, composed[next].first < range.lowerBound { try place(&next, &position) }
      starts.append(position)
      try append(range, &position)
    }
    while next < composed.count { try place(&next, &position) }
    count = position - first
  }

  private mutating func place(_ next: inout Int, _ position: inout UInt64) throws(EditError) {
    composed[next].start = position
    for part in composed[next].parts { try append(composedParts[part], &position) }
    next += 1
  }

  private mutating func append(_ range: Range<UInt64>, _ position: inout UInt64) throws(EditError) {
    let (next, overflow) = position.addingReportingOverflow(range.upperBound - range.lowerBound)
    guard !overflow, next <= UInt64(Int64.max) else {
      throw .refused("the samples have more bytes than a file can")
    }
    position = next
    if let last = ranges.indices.last, ranges[last].upperBound == range.lowerBound {
      ranges[last] = ranges[last].lowerBound..<range.upperBound
    } else {
      ranges.append(range)
    }
  }

  /// Where a sample is in the new movie.
  ///
  /// - Parameters:
  ///   - offset: where its first byte is in the old one.
  ///   - sample: its number, if it is made of parts that do not follow each other there.
  func place(of offset: UInt64, ofComposed sample: Int? = nil) -> UInt64? {
    if let sample {
      let index = composed.partitionIndex { ($0.first, $0.sample) < (offset, sample) }
      guard index < composed.count, (composed[index].first, composed[index].sample) == (offset, sample)
      else { return nil }
      return composed[index].start
    }
    let index = plain.partitionIndex { $0.lowerBound <= offset } - 1
    guard index >= 0, plain[index].contains(offset) else { return nil }
    return starts[index] + (offset - plain[index].lowerBound)
  }
}
