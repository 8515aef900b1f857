// swift-multiview · SPDX-License-Identifier: Apache-2.0

import FileAccess
import ISOBMFF

/// When samples that belong together are presented, and how long.
struct PresentationComparison {
  private let track: UInt32
  private let first: TrackSamples
  private let second: TrackSamples
  private let scales: (first: UInt32, second: UInt32)
  /// How far times may be apart, in seconds, without being other times: by half a unit of the coarsest scale in which one of
  /// them was written. 0 where all were written in the same.
  private let rounding: Double

  init(_ first: Track, _ second: Track) throws(SourceError) {
    track = first.id
    self.first = try first.samples()
    self.second = try second.samples()
    scales = (first.timescale, second.timescale)
    var all = [first.timescale, second.timescale]
    if !self.first.edits.isIdentity || !self.second.edits.isIdentity {
      all += [first.context.movieTimescale, second.context.movieTimescale]
    }
    let pairsAreEqual = all[0] == all[1] && (all.count < 4 || all[2] == all[3])
    rounding = pairsAreEqual ? 0 : 0.5 / Double(max(1, all.min() ?? 1)) + 1e-9
  }

  /// What is found of one matter.
  private struct Tally {
    var count = 0
    var sample = 0
    var first: String?
    var second: String?
    /// By how much all differ; `nil` where not all by the same.
    var shift: MediaTime?

    mutating func add(_ index: Int, _ first: MediaTime?, _ second: MediaTime?) {
      let difference = first.flatMap { first in second.map { $0 - first } }
      if count == 0 {
        sample = index
        self.first = first.map(Self.text)
        self.second = second.map(Self.text)
        shift = difference
      } else if shift != difference {
        shift = nil
      }
      count += 1
    }

    /// `0.033 s (1001/30000)`
    static func text(_ time: MediaTime) -> String {
      let thousandths = time.converted(to: 1_000).value
      let magnitude = thousandths.magnitude
      let digits = String(magnitude % 1_000 + 1_000).dropFirst()
      return "\(thousandths < 0 ? "-" : "")\(magnitude / 1_000).\(digits) s (\(time))"
    }
  }

  func compare(
    _ pairs: some Sequence<(SampleFingerprint, SampleFingerprint)>, _ found: inout FoundDifferences
  ) {
    var times = Tally(), durations = Tally()
    var total = 0
    for (left, right) in pairs {
      total += 1
      let old = first.firstPresentation(of: left.index), new = second.firstPresentation(of: right.index)
      func time(_ value: Int64?, _ scale: UInt32) -> MediaTime? {
        value.map { MediaTime(value: $0, timescale: scale) }
      }
      let start = (time(old?.time, scales.first), time(new?.time, scales.second))
      if !areEqual(start.0, start.1) { times.add(left.index, start.0, start.1) }
      guard let old, let new else { continue }
      let length = (
        time(Int64(clamping: old.range.count), scales.first),
        time(Int64(clamping: new.range.count), scales.second)
      )
      if !areEqual(length.0, length.1) { durations.add(left.index, length.0, length.1) }
    }
    report(times, of: total, "presentation time", &found)
    report(durations, of: total, "duration", &found)
    if first.count == second.count, times.count == 0, first.presentationCount != second.presentationCount {
      found.add(
        .times, "presentations of samples", "\(first.presentationCount)", "\(second.presentationCount)", track
      )
    }
  }

  private func report(_ tally: Tally, of total: Int, _ what: String, _ found: inout FoundDifferences) {
    guard tally.count > 0 else { return }
    var subject = what + (tally.count == 1 ? " of sample \(tally.sample)" : " of \(tally.count) samples")
    if tally.count == total, total > 1 { subject = what + " of all \(total) samples" }
    if tally.count > 1 {
      subject += tally.shift == nil ? ", the first of them \(tally.sample)" : ", all by as much"
    }
    let nowhere = "not presented"
    found.add(
      .times, subject, tally.first ?? nowhere, tally.second ?? nowhere, track, sample: tally.sample)
  }

  private func areEqual(_ first: MediaTime?, _ second: MediaTime?) -> Bool {
    guard let first, let second else { return (first == nil) == (second == nil) }
    return first == second || (rounding > 0 && abs(first.seconds - second.seconds) <= rounding)
  }
}
