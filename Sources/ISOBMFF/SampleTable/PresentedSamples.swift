// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// Counts the samples that edits present at least once, while samples go by in the order of decoding: nothing is kept of them.
///
/// The answer is that of ``TrackSamples``, which has all samples in their order of composition for it.
package struct PresentedSamples: Sendable {
  /// The parts of the media that edits present, where they overlap as one.
  private var shown: [Range<Int64>] = []
  /// Where edits begin in the media.
  private var starts: [Int64] = []
  /// Whether a sample is composed just where each edit begins.
  private var isMet: [Bool] = []
  /// Before each start, and after all of them: the sample that is composed last since the start before.
  private var latest: [(time: Int64, index: Int)?] = []
  /// Whether all samples that are composed are presented.
  private let isAll: Bool
  private var count = 0
  private var total = 0
  private var lastTime = Int64.min
  private var end = Int64.min

  /// Nothing has gone by so far.
  package init(_ edits: EditList) {
    isAll = edits.isIdentity
    let ranges = edits.edits.compactMap(\.mediaRange).sorted { $0.lowerBound < $1.lowerBound }
    for range in ranges {
      if starts.last != range.lowerBound { starts.append(range.lowerBound) }
      if let last = shown.last, range.lowerBound <= last.upperBound {
        shown[shown.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        shown.append(range)
      }
    }
    isMet = Array(repeating: false, count: starts.count)
    latest = Array(repeating: nil, count: starts.count + 1)
  }

  /// Adds the next sample.
  package mutating func add(_ sample: Sample) {
    guard !sample.isNeverComposed else { return }
    let time = sample.compositionTime
    total += 1
    lastTime = max(lastTime, time)
    end = max(end, clampedSum(time, max(1, sample.duration)))
    if isAll || contains(time) { count += 1 }
    let next = starts.partitionIndex { $0 <= time }
    if next > 0, starts[next - 1] == time { isMet[next - 1] = true }
    if let known = latest[next], known.time > time { return }
    latest[next] = (time, total)
  }

  private func contains(_ time: Int64) -> Bool {
    let index = shown.partitionIndex { $0.lowerBound <= time } - 1
    return index >= 0 && (shown[index].contains(time) || shown[index].upperBound == .max)
  }

  /// How many of the samples that have gone by are presented.
  package var presentedCount: Int {
    var held: Set<Int> = []
    var before: (time: Int64, index: Int)?
    for (index, start) in starts.enumerated() {
      if let found = latest[index] { before = found }
      // What is composed before an edit begins is held where it does, as long as there are media.
      guard !isMet[index], let before, lastTime >= start || start < end, !contains(before.time) else {
        continue
      }
      held.insert(before.index)
    }
    return count + held.count
  }
}
