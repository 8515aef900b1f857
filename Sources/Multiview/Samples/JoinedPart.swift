// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF

/// One of the tracks that are joined, with what is needed to read its samples beside those of another.
final class JoinedPart {
  let track: Track
  let samples: TrackSamples
  let walker: SampleWalker
  /// The tracks that extractors take bytes from.
  let sources: [UInt32]
  /// The place between two samples that was found last, and how to continue from there: the next request mostly lies
  /// there, or a sample further on.
  private var sample: Sample?, sampleTime = MediaTime.zero
  /// Whether that sample was handed out.
  private var isTaken = false
  private(set) var next: Sample?
  /// When the next sample is decoded; `nil` after the last one.
  private(set) var nextTime: MediaTime?
  /// `nil` before the first search.
  private var iterator: TrackSamples.Iterator?

  init(_ track: Track, _ budget: WorkBudget) throws(SourceError) {
    self.track = track
    samples = try track.samples()
    walker = SampleWalker(track, budget)
    sources = track.references("scal")
  }

  /// The last sample that is decoded at or before a time.
  func index(atOrBefore time: MediaTime) -> Int? {
    samples.index(atDecodeTime: time.roundedDown(to: track.timescale).value)
  }

  /// The sample that is decoded at exactly that time.
  ///
  /// Sixty tracks may be searched for each of half a million samples: the place that was found is kept. Times
  /// that go back and forth make each of them be searched for, which is paid for.
  func sample(decodedAt time: MediaTime) -> Sample? {
    find(time)
    guard sampleTime == time, let sample else { return nil }
    isTaken = true
    return sample
  }

  private var passedOver: Sample?

  /// Returns the first sample since the last call that was skipped, because the other track has no sample with
  /// its decoding time.
  func takePassedOver() -> Sample? {
    defer { passedOver = nil }
    return passedOver
  }

  private func find(_ time: MediaTime) {
    guard iterator != nil, sample == nil || time >= sampleTime else { return seek(time) }
    for _ in 0..<4 {
      guard let nextTime, nextTime <= time else { return }
      step()
    }
    let first = sample.map { isTaken ? $0.index + 1 : $0.index } ?? 0
    seek(time)
    if let sample, first < sample.index, passedOver == nil { passedOver = samples.sample(at: first) }
  }

  func time(of sample: Sample) -> MediaTime {
    MediaTime(value: sample.decodeTime, timescale: track.timescale)
  }

  private func seek(_ time: MediaTime) {
    guard walker.budget.admits(.searches(1), at: (next ?? sample)?.offset ?? 0) else { return }
    let index = index(atOrBefore: time)
    (sample, isTaken) = (nil, false)
    iterator = samples.makeIterator(at: index ?? 0)
    next = iterator?.next()
    nextTime = next.map(self.time(of:))
    if index != nil { step() }
  }

  /// Advances by one sample.
  private func step() {
    if let sample, !isTaken, passedOver == nil { passedOver = sample }
    (sample, isTaken) = (next, false)
    sampleTime = nextTime ?? .zero
    next = iterator?.next()
    nextTime = next.map(self.time(of:))
  }
}
