// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// The samples of a track in composition order; those with the same time in decoding order. It does not include
/// samples that are never composed.
struct CompositionOrder: Sendable {
  /// The sample at each rank; `nil` if composition order is decoding order.
  private let samples: ContiguousArray<UInt32>?
  /// The number of samples that are composed.
  let count: Int
  /// The composition time at every 8th rank, if the order is not decoding order.
  private var notes = ContiguousArray<Int64>()
  private static let step = 8

  init(_ track: TrackSamples) {
    if track.table.isInCompositionOrder, track.fragments.isInCompositionOrder,
      track.tableCount == 0 || track.fragments.isEmpty
    {
      samples = nil
      count = track.count
      return
    }
    var times = ContiguousArray<Int64>()
    times.reserveCapacity(track.count)
    // Which samples have these times, if some have none.
    var composed: ContiguousArray<UInt32>?
    var index = 0
    track.forEachCompositionTime(0..<track.count) { time in
      if let time {
        times.append(time)
        composed?.append(UInt32(clamping: index))
      } else if composed == nil {
        composed = ContiguousArray(0..<UInt32(clamping: index))
      }
      index &+= 1
    }
    count = times.count
    let order = Self.sorted(&times)
    if let composed {
      samples = order.map { order in ContiguousArray(order.map { composed[Int($0)] }) } ?? composed
    } else {
      samples = order
    }
    if samples != nil {
      for rank in stride(from: 0, to: count, by: Self.step) { notes.append(times[rank]) }
    }
  }

  /// Sorts times, by insertion, because pictures move by a few places only; if that turns out to be too expensive,
  /// with the standard library. Returns the sample at each rank, or `nil` if the times are already ascending.
  static func sorted(_ times: inout ContiguousArray<Int64>) -> ContiguousArray<UInt32>? {
    guard let start = times.indices.dropFirst().first(where: { times[$0] < times[$0 - 1] }) else {
      return nil
    }
    var samples = ContiguousArray(0..<UInt32(clamping: times.count))
    var budget = 16 &* times.count
    for index in start..<times.count {
      let time = times[index]
      let sample = samples[index]
      var place = index
      while place > 0, times[place &- 1] > time {
        times[place] = times[place &- 1]
        samples[place] = samples[place &- 1]
        place &-= 1
      }
      times[place] = time
      samples[place] = sample
      budget &-= index &- place
      if budget < 0 {
        // Sorted up to here, with the time of each sample.
        var pairs = ContiguousArray(zip(times, samples))
        pairs.sort { $0 < $1 }
        for index in pairs.indices { (times[index], samples[index]) = pairs[index] }
        return samples
      }
    }
    return samples
  }

  /// The sample at `rank`; `nil` outside.
  func sample(at rank: Int) -> Int? {
    guard rank >= 0, rank < count else { return nil }
    return samples.map { Int($0[rank]) } ?? rank
  }

  /// The first and the last in decoding order of the samples with some ranks; `nil` if there are none.
  func bounds(of ranks: Range<Int>) -> ClosedRange<Int>? {
    let ranks = ranks.clamped(to: 0..<count)
    guard let first = ranks.first, let last = ranks.last else { return nil }
    guard let samples = samples?[ranks], let least = samples.min(), let greatest = samples.max() else {
      return first...last
    }
    return Int(least)...Int(greatest)
  }

  /// The rank of a sample of the track; for one that is never composed, the rank at which it would be.
  func rank(of sample: Int, _ track: TrackSamples) -> Int {
    guard let samples else { return sample }
    let time = track.compositionTime(at: sample)
    let ranks =
      Self.step
      * Swift.max(0, notes.partitionIndex { $0 < time } - 1)..<Swift.min(
        count, Self.step * notes.partitionIndex { $0 <= time })
    return samples[ranks].partitionIndex { other in
      let otherTime = track.compositionTime(at: Int(other))
      return otherTime < time || (otherTime == time && Int(other) < sample)
    }
  }

  /// How many samples are composed at or before `time`.
  func count(atOrBefore time: Int64, _ track: TrackSamples) -> Int {
    guard let samples else {
      return (0..<count).partitionIndex { track.compositionTime(at: $0) <= time }
    }
    let after = notes.partitionIndex { $0 <= time }
    let ranks = Self.step * Swift.max(0, after - 1)..<Swift.min(count, Self.step * after)
    return samples[ranks].partitionIndex { track.compositionTime(at: Int($0)) <= time }
  }
}

/// The latest composition time before every 256th sample, and the earliest after it.
struct CompositionExtremes: Sendable {
  static let step = 256
  private let latestBefore: ContiguousArray<Int64>
  private let earliestFrom: ContiguousArray<Int64>

  init(_ track: TrackSamples) {
    var latest = ContiguousArray<Int64>()
    var earliest = ContiguousArray<Int64>()
    var (index, maximum, minimum) = (0, Int64.min, Int64.max)
    track.forEachCompositionTime(0..<track.count) { time in
      if index % Self.step == 0 {
        latest.append(maximum)
        if index > 0 { earliest.append(minimum) }
        minimum = .max
      }
      if let time {
        maximum = Swift.max(maximum, time)
        minimum = Swift.min(minimum, time)
      }
      index &+= 1
    }
    earliest.append(minimum)
    for block in earliest.indices.dropLast().reversed() {
      earliest[block] = Swift.min(earliest[block], earliest[block + 1])
    }
    latestBefore = latest
    earliestFrom = earliest
  }

  /// The latest composition time of the samples before `index`; `nil` if there are none.
  func latest(before index: Int, _ track: TrackSamples) -> Int64? {
    guard index > 0, !latestBefore.isEmpty else { return nil }
    let block = Swift.min(index / Self.step, latestBefore.count - 1)
    var latest = latestBefore[block]
    track.forEachCompositionTime(block * Self.step..<index) { latest = Swift.max(latest, $0 ?? latest) }
    return latest == .min ? nil : latest
  }

  /// The earliest composition time of the samples after `index`; `nil` if there are none.
  func earliest(after index: Int, _ track: TrackSamples) -> Int64? {
    guard index + 1 < track.count else { return nil }
    let block = (index + 1 + Self.step - 1) / Self.step
    var earliest = block < earliestFrom.count ? earliestFrom[block] : .max
    track.forEachCompositionTime(index + 1..<block * Self.step) {
      earliest = Swift.min(earliest, $0 ?? earliest)
    }
    return earliest == .max ? nil : earliest
  }
}
