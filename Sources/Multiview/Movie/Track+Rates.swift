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

  /// How long the samples are one after another, in seconds; `nil` if that is not known. Gaps do not count, nor does
  /// the time before the first, which is long where the file is part of a live stream.
  var sampleSeconds: Double? {
    guard let totals, totals.duration > 0 else { return nil }
    return Double(totals.duration) / Double(timescale)
  }

  /// A time table of more than 64 KiB is not loaded for this: with that many samples, the media header gives
  /// the same rate.
  private var totals: SampleTotals? {
    guard !isRawStream else { return nil }
    if context.hasFragments { return fragmentTotals }
    if let box = sampleTableBox?.first("stts"), box.isLoaded, let table = box.payload(TimeToSampleBox.self) {
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
