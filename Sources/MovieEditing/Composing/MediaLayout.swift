// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF

/// Which bytes of a movie are media of the new one, and where they are there: in the order of the old file, each once, however
/// many tracks refer to them. Where a sample is made of parts that do not follow each other, all of them are where its first
/// part is.
struct MediaLayout {
  /// What is taken of a track.
  struct Taken {
    let cut: TrackCut
    let samples: TrackSamples
  }

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

  /// Orders the bytes of samples that are taken of the tracks of a movie.
  init(_ all: [Taken]) {
    // Parts of a sample follow each other by themselves when what is between them is left out. Where another track refers to that, they
    // have to be put together, and then again they are not among the others, where the next sample is looked at.
    var torn = all.map { _ in Set<Int>() }
    var hasFound = true
    while hasFound {
      (plain, composed, composedParts) = ([], [], [])
      for (index, taken) in all.enumerated() { add(taken, torn[index]) }
      sort()
      hasFound = false
      for (index, taken) in all.enumerated() {
        guard let kept = taken.cut.kept, !kept.areTogether else { continue }
        for sample in taken.cut.runs.lazy.flatMap(\.samples) where !torn[index].contains(sample) {
          guard isTorn(kept.parts(of: sample)) else { continue }
          torn[index].insert(sample)
          hasFound = true
        }
      }
    }
  }

  private mutating func add(_ taken: Taken, _ torn: Set<Int>) {
    for run in taken.cut.runs {
      if let kept = taken.cut.kept {
        for sample in run.samples {
          let parts = kept.parts(of: sample)
          let isTogether = kept.areTogether || torn.contains(sample)
          add(parts, of: sample, isTogether ? kept.anchor(of: parts) : nil)
        }
        continue
      }
      var left = run.samples.count
      var samples = taken.samples.makeIterator(at: run.samples.lowerBound)
      while left > 0, let sample = samples.next() {
        left -= 1
        add(sample.range)
      }
    }
  }

  /// Whether parts of a sample do not follow each other in the new movie, in which they are with all others.
  private func isTorn(_ parts: ContiguousArray<Range<UInt64>>.SubSequence) -> Bool {
    guard parts.count > 1, let first = parts.first else { return false }
    var index = plain.partitionIndex { $0.lowerBound <= first.lowerBound } - 1
    for (part, next) in zip(parts, parts.dropFirst()) {
      guard index >= 0, index + 1 < plain.count, part.upperBound == plain[index].upperBound,
        next.lowerBound == plain[index + 1].lowerBound
      else { return true }
      // Those that are put together come between the others by their anchors.
      let other = composed.partitionIndex { $0.anchor < plain[index].lowerBound }
      if other < composed.count, composed[other].anchor < next.lowerBound { return true }
      index += 1
    }
    return false
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

  /// Brings all parts in their order. Those that touch are one.
  private mutating func sort() {
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

  /// Where the last of the bytes ends that are before a place of the old movie; `nil` where there are none.
  func end(before limit: UInt64) -> UInt64? {
    // Parts that stay are in order; those that are put together are in any.
    let last = plain.partitionIndex { $0.lowerBound < limit } - 1
    let others = composedParts.lazy.filter { $0.lowerBound < limit }.map(\.upperBound).max()
    return [last >= 0 ? plain[last].upperBound : nil, others].compactMap { $0 }.max()
  }

  /// The part around a byte of the old movie, and where it is in the new one.
  func stretch(containing offset: UInt64) -> (old: Range<UInt64>, new: UInt64)? {
    let index = plain.partitionIndex { $0.lowerBound <= offset } - 1
    return index >= 0 && plain[index].contains(offset) ? (plain[index], starts[index]) : nil
  }
}
