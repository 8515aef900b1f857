// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// Which samples a track presents in which order: edit after edit, and within each edit the samples it presents in
/// composition order. Everything about the presentation is derived from it.
///
/// A sample is held from its composition time until the next one is composed, the last one until the end of the
/// media: if a fragment begins later than the previous one ends, the sample before the gap is extended (ISO/IEC
/// 14496-12, 8.8.12.1). An edit presents the samples composed in its part of the media, preceded by the one that
/// is held when that part begins.
struct PresentationTimeline: Sendable {
  /// The ranks in composition order that each edit presents; one range with all ranks if there are no edits.
  private let ranks: ContiguousArray<Range<Int>>
  /// How many samples are presented before each edit, followed by the total.
  private let positions: ContiguousArray<Int>
  /// For each edit, the highest rank that it or any edit before it presents, plus 1.
  private let highest: ContiguousArray<Int>
  /// The samples that edits present because they are held when the edit begins, in order.
  private let held: [Held]

  /// A sample that is composed before the media of an edit begins, and is held at that time.
  private struct Held: Sendable {
    var sample: Int
    var edit: Int
  }

  /// The number of presentations. A sample that two edits present counts twice.
  var count: Int { positions.last ?? 0 }

  init(_ track: TrackSamples) {
    let order = track.compositionOrder
    var ranks = ContiguousArray<Range<Int>>()
    var held: [Held] = []
    if track.edits.isIdentity {
      ranks.append(0..<order.count)
    } else {
      ranks.reserveCapacity(track.edits.edits.count)
      for (index, edit) in track.edits.edits.enumerated() {
        let shown = Self.ranks(edit.mediaRange, order, track)
        ranks.append(shown.ranks)
        if shown.beginsHeld, let sample = order.sample(at: shown.ranks.lowerBound) {
          held.append(Held(sample: sample, edit: index))
        }
      }
    }
    var (position, high) = (0, 0)
    var positions = ContiguousArray([0]), highest = ContiguousArray<Int>()
    positions.reserveCapacity(ranks.count + 1)
    highest.reserveCapacity(ranks.count)
    for shown in ranks {
      let (sum, overflow) = position.addingReportingOverflow(shown.count)
      position = overflow ? .max : sum
      high = max(high, shown.isEmpty ? 0 : shown.upperBound)
      positions.append(position)
      highest.append(high)
    }
    held.sort { ($0.sample, $0.edit) < ($1.sample, $1.edit) }
    (self.ranks, self.positions, self.highest, self.held) = (ranks, positions, highest, held)
  }

  private static func ranks(
    _ media: Range<Int64>?, _ order: CompositionOrder, _ track: TrackSamples
  ) -> (ranks: Range<Int>, beginsHeld: Bool) {
    guard let media else { return (0..<0, false) }
    var low = media.lowerBound == .min ? 0 : order.count(atOrBefore: media.lowerBound - 1, track)
    let high =
      media.upperBound == .max ? order.count : order.count(atOrBefore: media.upperBound - 1, track)
    let beginsHere = order.sample(at: low).map { track.compositionTime(at: $0) == media.lowerBound } ?? false
    let isHeld = !beginsHere && low > 0 && (low < order.count || media.lowerBound < track.compositionEnd)
    if isHeld { low -= 1 }
    return (low..<max(low, high), isHeld)
  }

  // MARK: Places

  /// The edit and the rank at a position in the presentation; `nil` outside.
  private func place(at position: Int) -> (edit: Int, rank: Int)? {
    guard position >= 0, position < count else { return nil }
    let edit = positions.partitionIndex { $0 <= position } - 1
    guard ranks.indices.contains(edit) else { return nil }
    let rank = ranks[edit].lowerBound &+ (position &- positions[edit])
    return ranks[edit].contains(rank) ? (edit, rank) : nil
  }

  private func position(_ edit: Int, _ rank: Int) -> Int {
    let (sum, overflow) = positions[edit].addingReportingOverflow(rank &- ranks[edit].lowerBound)
    return overflow ? .max : sum
  }

  /// The sample at a position in the presentation, and when it is presented; `nil` outside.
  func sample(at position: Int, _ track: TrackSamples) -> (index: Int, time: Int64)? {
    guard let (edit, rank) = place(at: position), let index = track.compositionOrder.sample(at: rank) else {
      return nil
    }
    return (index, time(of: rank, in: edit, track))
  }

  /// The presentation at a position, with the time for which it is visible; `nil` outside.
  func presentation(at position: Int, _ track: TrackSamples) -> TrackSamples.Presentation? {
    guard let (edit, rank) = place(at: position), let index = track.compositionOrder.sample(at: rank) else {
      return nil
    }
    let time = time(of: rank, in: edit, track)
    let bounds = bounds(edit, track)
    let start = min(max(time, bounds.start), bounds.end)
    var end = bounds.end
    if rank + 1 < ranks[edit].upperBound {
      end = self.time(of: rank + 1, in: edit, track)
    } else if rank == track.compositionOrder.count - 1 {
      end = self.end(in: edit, track)
    }
    return TrackSamples.Presentation(
      position: position, sample: index, edit: track.edits.isIdentity ? nil : edit, time: time,
      range: start..<max(start, min(end, bounds.end)))
  }

  /// When an edit presents the composition time of a rank.
  private func time(of rank: Int, in edit: Int, _ track: TrackSamples) -> Int64 {
    let time = track.compositionOrder.sample(at: rank).map { track.compositionTime(at: $0) } ?? 0
    guard track.edits.edits.indices.contains(edit) else { return time }
    return track.edits.presentationTime(of: time, in: track.edits.edits[edit])
  }

  /// When the media ends, if the edit continues.
  private func end(in edit: Int, _ track: TrackSamples) -> Int64 {
    guard track.edits.edits.indices.contains(edit) else { return track.compositionEnd }
    if case .dwell = track.edits.edits[edit].content { return .max }
    return track.edits.presentationTime(of: track.compositionEnd, in: track.edits.edits[edit])
  }

  private func bounds(_ edit: Int, _ track: TrackSamples) -> (start: Int64, end: Int64) {
    guard track.edits.edits.indices.contains(edit) else { return (.min, .max) }
    return (track.edits.edits[edit].start, track.edits.edits[edit].end ?? .max)
  }

  // MARK: Finding

  /// The position of the last sample visible at or before `time`; `nil` before all samples.
  func position(atOrBefore time: Int64, _ track: TrackSamples) -> Int? {
    guard count > 0 else { return nil }
    if track.edits.isIdentity {
      let rank = track.compositionOrder.count(atOrBefore: time, track) - 1
      return rank < 0 ? nil : rank
    }
    guard let edit = track.edits.lastEdit(startingAtOrBefore: time) else { return nil }
    let media = track.edits.edits[edit]
    if !ranks[edit].isEmpty {
      var rank = ranks[edit].upperBound - 1
      if media.end.map({ time < $0 }) ?? true,
        let composed = track.edits.compositionTime(atPresentationTime: time, in: media)
      {
        rank = min(rank, track.compositionOrder.count(atOrBefore: composed, track) - 1)
      }
      if rank >= ranks[edit].lowerBound { return position(edit, rank) }
    }
    return positions[edit] > 0 ? positions[edit] - 1 : nil
  }

  /// The position of the first presentation of a sample; `nil` if it has none.
  func firstPosition(of sample: Int, _ track: TrackSamples) -> Int? {
    guard let time = track.timeIfComposed(at: sample),
      let edit = track.edits.isIdentity ? 0 : firstEdit(showing: sample, composedAt: time, track.edits)
    else { return nil }
    let rank = track.compositionOrder.rank(of: sample, track)
    return ranks[edit].contains(rank) ? position(edit, rank) : nil
  }

  /// The positions of all presentations of a sample, in order; if more than ``EditList/maximumVisits`` edits
  /// overlap, some are omitted.
  func positions(of sample: Int, _ track: TrackSamples) -> [Int] {
    guard let time = track.timeIfComposed(at: sample) else { return [] }
    let rank = track.compositionOrder.rank(of: sample, track)
    guard !track.edits.isIdentity else { return [rank] }
    var edits: [Int] = []
    track.edits.forEachEdit(time, 1) { edits.append($0) }
    var next = firstHeld(of: sample)
    while next < held.count, held[next].sample == sample {
      edits.append(held[next].edit)
      next += 1
    }
    return edits.sorted().compactMap { ranks[$0].contains(rank) ? position($0, rank) : nil }
  }

  private func firstHeld(of sample: Int) -> Int { held.partitionIndex { $0.sample < sample } }

  /// The first edit that presents a sample; `nil` if there is none.
  func firstEdit(showing sample: Int, composedAt time: Int64, _ edits: EditList) -> Int? {
    let next = firstHeld(of: sample)
    let heldBy = next < held.count && held[next].sample == sample ? held[next].edit : nil
    let shownBy = edits.firstEdits.first(from: time, through: time)
    guard let heldBy, let shownBy else { return heldBy ?? shownBy }
    return min(heldBy, shownBy)
  }

  /// For a sample that is not presented, the position of the first presentation of a sample composed later; the
  /// number of presentations if there is none.
  func position(after sample: Int, _ track: TrackSamples) -> Int {
    var rank = track.compositionOrder.rank(of: sample, track)
    if track.timeIfComposed(at: sample) != nil { rank += 1 }
    let edit = highest.partitionIndex { $0 <= rank }
    guard edit < ranks.count else { return count }
    return position(edit, max(rank, ranks[edit].lowerBound))
  }

  // MARK: Sums

  /// How many of the composed samples are presented at least once.
  var presentedSamples: Int {
    var (sum, end) = (0, 0)
    for shown in ranks.sorted(by: { $0.lowerBound < $1.lowerBound }) where shown.upperBound > end {
      sum += shown.upperBound - max(shown.lowerBound, end)
      end = shown.upperBound
    }
    return sum
  }
}
