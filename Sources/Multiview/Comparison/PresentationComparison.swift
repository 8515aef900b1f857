// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF

/// When samples that belong together are presented, and where the presentation ends.
struct PresentationComparison {
  private let track: UInt32
  private let first: TrackSamples
  private let second: TrackSamples
  private let scales: (first: UInt32, second: UInt32)
  /// Whether both tracks have the same time scale and edits.
  private let haveSameEdits: Bool
  /// How far apart times may be, in seconds, and still count as the same: half a unit of the coarsest scale in which one of
  /// them was written. 0 if all were written in the same.
  private let rounding: Double
  private var times: Tally
  private var lost = SampleCount(), added = SampleCount()
  private var total = 0

  init(_ first: Track, _ second: Track) throws(SourceError) {
    track = first.id
    self.first = try first.samples()
    self.second = try second.samples()
    scales = (first.timescale, second.timescale)
    haveSameEdits = first.timescale == second.timescale && self.first.edits == self.second.edits
    var all = [first.timescale, second.timescale]
    if !self.first.edits.isIdentity || !self.second.edits.isIdentity {
      all += [first.context.movieTimescale, second.context.movieTimescale]
    }
    let pairsAreEqual = all[0] == all[1] && (all.count < 4 || all[2] == all[3])
    rounding = pairsAreEqual ? 0 : 0.5 / Double(max(1, all.min() ?? 1)) + 1e-9
    times = Tally(rounding: rounding)
  }

  /// Samples whose times differ.
  private struct Tally {
    let rounding: Double
    var samples = SampleCount()
    var first: MediaTime?
    var second: MediaTime?
    /// The amount by which all differ; `nil` if they do not all differ by the same amount.
    var shift: MediaTime?

    init(rounding: Double) { self.rounding = rounding }

    mutating func add(_ index: Int, _ first: MediaTime, _ second: MediaTime) {
      let difference = second - first
      if samples.count == 0 {
        (self.first, self.second, shift) = (first, second, difference)
      } else if let known = shift, abs(known.seconds - difference.seconds) > 2 * rounding {
        shift = nil
      }
      samples.add(index..<(index + 1))
    }
  }

  mutating func add(_ left: SampleFingerprint, _ right: SampleFingerprint) {
    guard let old = left.sample, let new = right.sample else { return }
    total += left.count
    let (before, after) = (UniformSamples(old, count: left.count), UniformSamples(new, count: left.count))
    if left.count > 1, haveSameEdits, first.isShifted(from: before.compositionStart),
      old.decodeTime == new.decodeTime, old.duration == new.duration,
      old.compositionOffset == new.compositionOffset
    {
      return
    }
    for position in 0..<left.count { add(left.index + position, before[position], after[position]) }
  }

  private mutating func add(_ index: Int, _ old: Sample, _ new: Sample) {
    let before = first.presentationTime(of: old), after = second.presentationTime(of: new)
    switch (before, after) {
    case (nil, nil): return
    case (_?, nil): lost.add(index..<(index + 1))
    case (nil, _?): added.add(index..<(index + 1))
    case (let before?, let after?):
      if before == after, scales.first == scales.second { return }
      let start = MediaTime(value: before, timescale: scales.first)
      let other = MediaTime(value: after, timescale: scales.second)
      if !areEqual(start, other) { times.add(index, start, other) }
    }
  }

  /// - Parameter isComplete: whether every sample of one movie has one of the other.
  func report(isComplete: Bool, _ found: inout FoundDifferences) {
    if lost.count > 0 {
      found.add(
        .times, "presentation of \(lost.places)", "shown", "left out by the edit list", track,
        sample: lost.first)
    }
    if added.count > 0 {
      found.add(
        .times, "presentation of \(added.places)", "left out by the edit list", "shown", track,
        sample: added.first)
    }
    if let before = times.first, let after = times.second {
      let count = times.samples.count
      var subject =
        "presentation time of "
        + (count == total && total > 1 ? "all \(total) samples" : times.samples.places)
      if count > 1 { subject += times.shift == nil ? ", the first of them" : ", all by the same amount" }
      found.add(.times, subject, Self.text(before), Self.text(after), track, sample: times.samples.first)
    }
    guard isComplete, lost.count == 0, added.count == 0, total > 0 else { return }
    // Where the beginnings are the same, what is shown differs by where it ends, and by what is shown again or not.
    let ends = (Self.end(first, scales.first), Self.end(second, scales.second))
    let isMoved = times.samples.count == total && times.shift != nil
    let shift = isMoved ? times.shift ?? .zero : .zero
    if times.samples.count == 0 || isMoved, !areEqual(ends.0 + shift, ends.1) {
      found.add(.times, "end of the presentation", Self.text(ends.0), Self.text(ends.1), track)
    }
    if times.samples.count == 0, Self.hasSeveralParts(first) || Self.hasSeveralParts(second) {
      found.add(
        .times, "presentations of samples", "\(first.presentationCount)", "\(second.presentationCount)", track
      )
      comparePauses(&found)
    }
  }

  /// Where nothing is shown between two parts.
  private func comparePauses(_ found: inout FoundDifferences) {
    let old = Self.pauses(first, scales.first), new = Self.pauses(second, scales.second)
    guard
      old.count != new.count || !zip(old, new).allSatisfy({ areEqual($0.0, $1.0) && areEqual($0.1, $1.1) })
    else { return }
    func text(_ pauses: [(MediaTime, MediaTime)]) -> String? {
      pauses.isEmpty
        ? nil : pauses.prefix(4).map { "\(Self.text($0.0)) to \(Self.text($0.1))" }.joined(separator: ", ")
    }
    found.add(.times, "pauses of the presentation", text(old), text(new), track)
  }

  // MARK: Edits

  /// Whether there is more than one part of the media that is presented.
  private static func hasSeveralParts(_ samples: TrackSamples) -> Bool { samples.edits.edits.count > 1 }

  /// When the last picture ends.
  private static func end(_ samples: TrackSamples, _ scale: UInt32) -> MediaTime {
    var end = samples.compositionEnd
    if let edit = samples.edits.edits.last {
      let last = edit.end ?? .max
      if case .media = edit.content {
        end = min(samples.edits.presentationTime(of: end, in: edit), last)
      } else {
        end = last
      }
    }
    return MediaTime(value: end, timescale: scale)
  }

  private static func pauses(_ samples: TrackSamples, _ scale: UInt32) -> [(MediaTime, MediaTime)] {
    samples.edits.edits.compactMap { edit in
      guard case .empty = edit.content, let end = edit.end, end > edit.start else { return nil }
      return (MediaTime(value: edit.start, timescale: scale), MediaTime(value: end, timescale: scale))
    }
  }

  /// `0.033 s (1001/30000)`; without the fraction where thousandths are exact.
  private static func text(_ time: MediaTime) -> String {
    let rounded = time.converted(to: 1_000)
    let seconds = decimal(rounded.value, over: 1_000) + " s"
    return rounded == time ? seconds : "\(seconds) (\(time))"
  }

  private func areEqual(_ first: MediaTime, _ second: MediaTime) -> Bool {
    first == second || (rounding > 0 && abs(first.seconds - second.seconds) <= rounding)
  }
}
