// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// Counts the samples that edits present at least once, from samples passed in decoding order, none of which are
/// kept.
///
/// The result is the same as from ``TrackSamples``, which needs all samples in composition order for it.
package struct PresentedSamples: Sendable {
  /// The parts of the media that edits present, with overlapping parts merged.
  private var shown: [Range<Int64>] = []
  /// The times at which edits begin in the media.
  private var starts: [Int64] = []
  /// The times at which edits begin or parts end: between two of them, either all samples are presented or none.
  private var bounds: [Int64] = []
  /// Whether a sample is composed exactly where each edit begins.
  private var isMet: [Bool] = []
  /// For each start, the sample composed last before it and after the previous start; finally the one after all
  /// starts.
  private var latest: [(time: Int64, index: Int)?] = []
  /// Whether all composed samples are presented.
  private let isAll: Bool
  private var count = 0
  private var total = 0
  private var lastTime = Int64.min
  private var end = Int64.min

  /// Starts without samples.
  package init(_ edits: EditList) {
    isAll = edits.isIdentity
    let ranges = edits.edits.compactMap(\.mediaRange).sorted { $0.lowerBound < $1.lowerBound }
    for range in ranges {
      if starts.last != range.lowerBound { starts.append(range.lowerBound) }
      shown.appendMerging(range)
    }
    bounds = (starts + shown.map(\.upperBound)).sorted()
    isMet = Array(repeating: false, count: starts.count)
    latest = Array(repeating: nil, count: starts.count + 1)
  }

  /// Adds the next samples.
  package mutating func add(_ samples: UniformSamples) {
    guard !samples.first.isNeverComposed else { return }
    var left: UniformSamples? = samples
    while let samples = left {
      let bound = bounds.partitionIndex { $0 <= samples.first.compositionTime }
      var count = samples.count
      if samples.first.duration < 0 {
        count = 1
      } else if bound < bounds.count {
        count = samples.count(composedBefore: bounds[bound])
      }
      let part: UniformSamples
      (part, left) = samples.split(first: max(1, count))
      addBetweenBounds(part)
    }
  }

  /// Adds samples between two bounds.
  private mutating func addBetweenBounds(_ samples: UniformSamples) {
    let (time, last) = (samples.first.compositionTime, samples[samples.count - 1].compositionTime)
    total += samples.count
    lastTime = max(lastTime, last)
    end = max(end, clampedSum(last, max(1, samples.first.duration)))
    if isAll || contains(time) { count += samples.count }
    let next = starts.partitionIndex { $0 <= time }
    if next > 0, starts[next - 1] == time { isMet[next - 1] = true }
    if let known = latest[next], known.time > last { return }
    latest[next] = (last, total)
  }

  private func contains(_ time: Int64) -> Bool {
    let index = shown.partitionIndex { $0.lowerBound <= time } - 1
    return index >= 0 && (shown[index].contains(time) || shown[index].upperBound == .max)
  }

  /// How many of the samples added so far are presented.
  package var presentedCount: Int {
    var held: Set<Int> = []
    var before: (time: Int64, index: Int)?
    for (index, start) in starts.enumerated() {
      if let found = latest[index] { before = found }
      // A sample composed before an edit begins is held at its start, as long as there is media.
      guard !isMet[index], let before, lastTime >= start || start < end, !contains(before.time) else {
        continue
      }
      held.insert(before.index)
    }
    return count + held.count
  }
}

extension Array {
  /// Appends a range that begins where the last one does or later, to the last one if both touch.
  @inlinable
  package mutating func appendMerging<Bound>(_ range: Range<Bound>) where Element == Range<Bound> {
    if let last, range.lowerBound <= last.upperBound {
      self[count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
    } else {
      append(range)
    }
  }
}
