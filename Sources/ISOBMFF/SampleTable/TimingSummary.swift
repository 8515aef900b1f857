// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// What the samples of a track have in common in time and size. Times are in units of the media's timescale.
public struct TimingSummary: Sendable, Hashable {
  /// How many samples there are.
  public var sampleCount = 0
  /// How many of them are sync samples.
  public var syncSampleCount = 0
  /// The bytes of all samples.
  public var totalBytes: UInt64 = 0
  /// The bytes of the largest sample.
  public var largestSample: UInt32 = 0
  /// The shortest and the longest duration. The last sample's is left out, unless it is the only one.
  public var durations: ClosedRange<Int64>?
  /// The smallest and the largest composition offset.
  public var compositionOffsets: ClosedRange<Int64>?
  /// The first composition time, and the end of the sample that ends last.
  public var compositionTimes: Range<Int64>?
  /// How many samples begin at a composition time at which another begins.
  public var simultaneousSamples = 0
  /// How many stretches of composition time no sample covers, between samples.
  public var gaps = 0
  /// How many samples are decoded earlier than one before them.
  public var backwardSteps = 0
  /// How many samples are never presented: cut away by the edit list, or never composed.
  public var unpresentedSamples = 0
  /// The first presentation time, and the end of the sample that ends last; cut where the edit list cuts.
  public var presentationTimes: Range<Int64>?

  /// Whether all samples last equally long. The last sample may differ.
  public var hasConstantDuration: Bool { durations.map { $0.lowerBound == $0.upperBound } ?? true }

  /// What is added to composition times so that none comes before its decoding time (`cslg`).
  public var compositionToDecodeShift: Int64 { max(0, -(compositionOffsets?.lowerBound ?? 0)) }
}

extension TimingSummary {
  /// Goes once through all samples.
  public init(_ track: TrackSamples) {
    var spans = ContiguousArray<Range<Int64>>()
    var last: Sample?
    for sample in track {
      if let last { take(durationOf: last) }
      if let last, sample.decodeTime < last.decodeTime { backwardSteps += 1 }
      last = sample
      sampleCount += 1
      if sample.isSync { syncSampleCount += 1 }
      totalBytes &+= UInt64(sample.size)
      largestSample = max(largestSample, sample.size)
      guard !sample.isNeverComposed else { continue }
      let offset = sample.compositionOffset
      compositionOffsets =
        min(
          compositionOffsets?.lowerBound ?? offset, offset)...max(
          compositionOffsets?.upperBound ?? offset, offset)
      let start = sample.compositionTime
      spans.append(start..<clampedSum(start, max(0, sample.duration)))
    }
    if durations == nil, let last { take(durationOf: last) }
    take(&spans)
    takePresentation(of: track, composedSamples: spans.count)
  }

  private mutating func take(durationOf sample: Sample) {
    let duration = sample.duration
    durations =
      min(
        durations?.lowerBound ?? duration, duration)...max(
        durations?.upperBound ?? duration, duration)
  }

  private mutating func takePresentation(of track: TrackSamples, composedSamples: Int) {
    guard !track.edits.isIdentity else {
      unpresentedSamples = sampleCount - composedSamples
      presentationTimes = compositionTimes.map { $0.lowerBound..<max($0.upperBound, track.compositionEnd) }
      return
    }
    unpresentedSamples = sampleCount - track.timeline.presentedSamples
    guard let first = track.presentation(at: 0),
      let last = track.presentation(at: track.presentationCount - 1)
    else { return }
    presentationTimes = first.range.lowerBound..<max(first.range.lowerBound, last.range.upperBound)
  }

  private mutating func take(_ spans: inout ContiguousArray<Range<Int64>>) {
    let isSorted = zip(spans, spans.dropFirst()).allSatisfy { $0.lowerBound <= $1.lowerBound }
    if !isSorted { spans.sort { $0.lowerBound < $1.lowerBound } }
    guard let first = spans.first else { return }
    var end = first.upperBound
    var start = first.lowerBound
    for span in spans.dropFirst() {
      if span.lowerBound == start { simultaneousSamples += 1 }
      if span.lowerBound > end { gaps += 1 }
      end = max(end, span.upperBound)
      start = span.lowerBound
    }
    compositionTimes = first.lowerBound..<end
  }

  /// What deserves to be said of the times.
  ///
  /// - Parameter path: the way to the track, for the diagnostics.
  public func diagnostics(path: String = "") -> DiagnosticList {
    var list = DiagnosticList()
    if backwardSteps > 0 {
      list.append(
        .warning, "decode-time-backwards", path: path,
        "\(backwardSteps) samples are decoded earlier than the one before them")
    }
    if simultaneousSamples > 0 {
      list.append(
        .warning, "simultaneous-samples", path: path,
        "\(simultaneousSamples) samples are composed at the same time as another")
    }
    if gaps > 0 {
      list.append(
        .note, "composition-gap", path: path, "between samples time passes \(gaps) times without one")
    }
    if unpresentedSamples > 0 {
      list.append(
        .note, "unpresented-samples", path: path,
        "\(unpresentedSamples) of \(sampleCount) samples are never presented")
    }
    if let times = compositionTimes, times.lowerBound < 0 {
      list.append(
        .warning, "negative-composition-time", path: path,
        "the first sample is composed at \(times.lowerBound)")
    }
    return list
  }
}
