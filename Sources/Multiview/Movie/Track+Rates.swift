// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Track {
  /// The number of sync samples; `nil` for a raw stream. In a fragmented movie, all fragments are read, once. If
  /// a list declares more entries than it has, those that are present count.
  public var syncSampleCount: Int? {
    guard !isRawStream else { return nil }
    if context.hasFragments { return fragmentTotals?.syncCount }
    guard let table = sampleTableBox?.first("stss") else { return sampleCount }
    let listed = max(0, table.size - table.headerSize - 8) / 4
    return table.body.bigEndian(at: 4, width: 4).map { min(Int($0), listed) }
  }

  /// Pictures in a second, on average; `nil` if that is not known.
  public var nominalFrameRate: Double? {
    if isRawStream {
      guard let rate = layers.first?.sps?.pictureRate else { return nil }
      return Double(rate.numerator) / Double(rate.denominator)
    }
    guard mediaType.isVisual, let totals, totals.count > 0, totals.duration > 0 else { return nil }
    return Double(totals.count) * Double(timescale) / Double(totals.duration)
  }

  /// Pictures in a second where they follow one another most quickly; `nil` if that is not known. If durations differ
  /// only by rounding or jitter, it is the average; a few short durations do not count.
  package var maximumFrameRate: Double? {
    guard let average = nominalFrameRate, !isRawStream else { return nominalFrameRate }
    var durations = DurationCounts()
    durations.add(self)
    return durations.maximumRate(average: average)
  }

  /// How long the samples are one after another, in seconds; `nil` if that is not known. Gaps do not count, nor does
  /// the time before the first, which is long where the file is part of a live stream.
  var sampleSeconds: Double? {
    guard let totals, totals.duration > 0 else { return nil }
    return Double(totals.duration) / Double(timescale)
  }

  /// A time table of more than 64 KiB is not loaded for this: with that many samples, the media header gives
  /// the same rate.
  fileprivate var totals: SampleTotals? {
    guard !isRawStream else { return nil }
    if context.hasFragments { return fragmentTotals }
    if let box = sampleTableBox?.first("stts"), box.isLoaded, let table = box.payload(TimeToSampleBox.self) {
      // Deltas of 2^31 and more may stand for negative numbers, which the table of samples finds out.
      if table.entries.contains(where: { $0.sampleDelta > UInt32(Int32.max) }) {
        do { return SampleTotals(count: sampleCount, duration: try samples().table.endTime) } catch {
          return nil
        }
      }
      var totals = SampleTotals()
      for entry in table.entries {
        totals.count &+= Int(clamping: entry.sampleCount)
        totals.duration &+= Int64(clamping: UInt64(entry.sampleCount) &* UInt64(entry.sampleDelta))
      }
      return totals
    }
    return duration.map { SampleTotals(count: sampleCount, duration: $0.value) }
  }

  private var fragmentTotals: SampleTotals? {
    lazy.further.value(\.totals) {
      do {
        let samples = try samples()
        var totals = samples.fragments.totals
        for sample in samples.table {
          totals.add(
            SampleTotals(count: 1, duration: sample.duration, syncCount: sample.isSync ? 1 : 0))
        }
        return totals
      } catch { return nil }
    }
  }
}

/// How long the samples of a stream are: those of a track, or of several that follow one another.
struct DurationCounts {
  private var counts: [Int64: Int] = [:]
  private var timescale: UInt32 = 0
  private var totals = SampleTotals()
  /// Whether there are more durations than make a rate, or some are not known.
  private var isUnclear = false
  private static let maximum = 1_024

  /// Adds the samples of a track. Those of another timescale than the first are not added.
  mutating func add(_ track: Track) {
    if timescale == 0 { timescale = track.timescale }
    guard track.timescale == timescale, let more = track.totals else { return }
    totals.add(more)
    do {
      if track.context.hasFragments {
        var queue = SampleQueue(try track.samples())
        while !isUnclear, let uniform = queue.take(atMost: .max) {
          add(uniform.first.duration, uniform.count)
        }
      } else if let box = track.sampleTableBox?.first("stts"), box.isLoaded,
        let table = box.payload(TimeToSampleBox.self)
      {
        for entry in table.entries where !isUnclear {
          add(Int64(entry.sampleDelta), Int(clamping: entry.sampleCount))
        }
      } else {
        // The table of a long movie is not loaded for this.
        isUnclear = true
      }
    } catch { isUnclear = true }
  }

  private mutating func add(_ duration: Int64, _ count: Int) {
    counts[duration, default: 0] &+= count
    if counts.count > Self.maximum { isUnclear = true }
  }

  /// The highest number of samples in a second; `nil` if no sample lasts any time.
  var maximumRate: Double? {
    guard totals.count > 0, totals.duration > 0 else { return nil }
    return maximumRate(average: Double(totals.count) * Double(timescale) / Double(totals.duration))
  }

  /// The number of samples in a second where they follow one another most quickly. If durations differ only by rounding
  /// or jitter, it is the average.
  func maximumRate(average: Double) -> Double {
    guard let shortest, shortest > 0 else { return average }
    let rate = Double(timescale) / shortest
    return rate / average <= 1.15 ? average : rate
  }

  /// The shortest duration that many samples have, as the average of those that differ from it by rounding; `nil` if
  /// all durations are equal, or if they are not known.
  private var shortest: Double? {
    guard counts.count > 1, !isUnclear else { return nil }
    let all = counts.values.reduce(0, &+)
    let durations = counts.keys.sorted()
    // No level of HEVC has more than 300 pictures a second: what is shorter is no picture of its own.
    let least = max(1, (Int64(timescale) + 299) / 300)
    for (place, duration) in durations.enumerated() where duration >= least {
      let similar = durations[place...].prefix { $0 - duration <= max(1, duration / 10) }
      let count = similar.reduce(0) { $0 &+ (counts[$1] ?? 0) }
      guard count >= max(2, all / 20) else { continue }
      return similar.reduce(0.0) { $0 + Double($1) * Double(counts[$1] ?? 0) } / Double(count)
    }
    return nil
  }
}
