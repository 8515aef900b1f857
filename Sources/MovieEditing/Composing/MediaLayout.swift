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
    /// Where the part is in the old file in whose place the sample comes.
    let anchor: UInt64
    var start: UInt64 = 0
  }

  /// Parts of the old file, one after the other in the new one.
  private(set) var ranges: [Range<UInt64>] = []
  /// Parts that stay where they are among the others, in the order of the old file when all have their places.
  private var plain: [Range<UInt64>] = []
  /// Where each of these begins in the new file.
  private var starts: [UInt64] = []
  /// Samples that are made of several parts, in the order of their anchors when all have their places.
  private var composed: [Composed] = []
  private var composedParts: ContiguousArray<Range<UInt64>> = []
  /// Where the first one begins.
  private(set) var start: UInt64 = 0
  /// How many bytes all have.
  private(set) var count: UInt64 = 0

  /// Adds the bytes of samples that are taken from a track.
  mutating func add(_ cut: TrackCut, _ all: TrackSamples) {
    for run in cut.runs {
      if let kept = cut.kept {
        for sample in run.samples {
          let parts = kept.parts(of: sample)
          add(parts, of: sample, kept.areTogether ? kept.anchor(of: parts) : nil)
        }
        continue
      }
      var left = run.samples.count
      var samples = all.makeIterator(at: run.samples.lowerBound)
      while left > 0, let sample = samples.next() {
        left -= 1
        add(sample.range)
      }
    }
  }

  /// Adds the parts of a sample.
  ///
  /// - Parameter anchor: the part in whose place all of them come, where they must be made to follow each other. Otherwise they
  ///   do so by themselves, when what is between them is left out.
  private mutating func add(
    _ parts: ContiguousArray<Range<UInt64>>.SubSequence, of sample: Int, _ anchor: Range<UInt64>?
  ) {
    if parts.count > 1, let anchor {
      let place = composedParts.count
      composedParts += parts
      composed.append(
        Composed(sample: sample, parts: place..<composedParts.count, anchor: anchor.lowerBound))
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

  /// Brings all parts in their order, when none is going to be added. Those that touch are one.
  mutating func sort() {
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
    composed.sort { ($0.anchor, $0.sample) < ($1.anchor, $1.sample) }
  }

  /// Gives all parts their places.
  ///
  /// - Parameter first: where the first one begins.
  mutating func place(at first: UInt64) throws(EditError) {
    (start, starts, ranges) = (first, [], [])
    var position = first
    var next = 0
    for range in plain {
      while next < composed.count, composed[next].anchor < range.lowerBound { try place(&next, &position) }
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

  /// Where a sample is in the new movie that is made of parts which do not follow each other in the old one.
  ///
  /// - Parameters:
  ///   - sample: its number.
  ///   - anchor: where the part is in the old one in whose place it comes.
  func place(ofComposed sample: Int, at anchor: UInt64) -> UInt64? {
    let index = composed.partitionIndex { ($0.anchor, $0.sample) < (anchor, sample) }
    guard index < composed.count, (composed[index].anchor, composed[index].sample) == (anchor, sample)
    else { return nil }
    return composed[index].start
  }

  /// The part around a byte of the old movie, and where it is in the new one.
  func stretch(containing offset: UInt64) -> (old: Range<UInt64>, new: UInt64)? {
    let index = plain.partitionIndex { $0.lowerBound <= offset } - 1
    return index >= 0 && plain[index].contains(offset) ? (plain[index], starts[index]) : nil
  }
}
