// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// A summary of the times and sizes of the samples of a track. Times are in units of the media's timescale.
public struct TimingSummary: Sendable, Hashable {
  /// The number of samples.
  public var sampleCount = 0
  /// The number of sync samples.
  public var syncSampleCount = 0
  /// The total size of all samples in bytes.
  public var totalBytes: UInt64 = 0
  /// The size of the largest sample in bytes.
  public var largestSample: UInt32 = 0
  /// The shortest and the longest duration; `nil` without samples. The last sample is ignored, unless it is the
  /// only one.
  public var durations: ClosedRange<Int64>?
  /// The smallest and the largest composition offset; `nil` without samples.
  public var compositionOffsets: ClosedRange<Int64>?
  /// From the first composition time to the end of the sample that ends last; `nil` without samples.
  public var compositionTimes: Range<Int64>?
  /// How many samples have the same composition time as another.
  public var simultaneousSamples = 0
  /// How many stretches of composition time between samples are not covered by any.
  public var gaps = 0
  /// How many samples have an earlier decoding time than a preceding one.
  public var backwardSteps = 0
  /// How many samples are never presented because they are omitted by the edit list or never composed.
  public var unpresentedSamples = 0
  /// From the first presentation time to the end of the sample that ends last, as trimmed by the edit list; `nil`
  /// if nothing is presented.
  public var presentationTimes: Range<Int64>?

  /// Whether all samples have the same duration, not counting the last one.
  public var hasConstantDuration: Bool { durations.map { $0.lowerBound == $0.upperBound } ?? true }

  /// The shift that, added to composition times, makes none earlier than its decoding time (`cslg`).
  public var compositionToDecodeShift: Int64 { max(0, -(compositionOffsets?.lowerBound ?? 0)) }
}

extension TimingSummary {
  /// Reads all samples once.
  public init(_ track: TrackSamples) {
    var spans = ContiguousArray<Range<Int64>>()
    spans.reserveCapacity(track.count)
    var last: Sample?
    for sample in track {
      if let last { durations.widen(to: last.duration) }
      if let last, sample.decodeTime < last.decodeTime { backwardSteps += 1 }
      last = sample
      sampleCount += 1
      if sample.isSync { syncSampleCount += 1 }
      totalBytes &+= UInt64(sample.size)
      largestSample = max(largestSample, sample.size)
      guard !sample.isNeverComposed else { continue }
      compositionOffsets.widen(to: sample.compositionOffset)
      let start = sample.compositionTime
      spans.append(start..<clampedSum(start, max(0, sample.duration)))
    }
    if durations == nil, let last { durations.widen(to: last.duration) }
    take(&spans)
    takePresentation(of: track, composedSamples: spans.count)
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

  /// Reports irregularities of the times.
  ///
  /// - Parameter path: the path of the track, for the diagnostics.
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
        .note, "composition-gap", path: path, "gaps between samples in composition time: \(gaps)")
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

extension ClosedRange<Int64>? {
  /// Takes a value into the range.
  fileprivate mutating func widen(to value: Int64) {
    self = Swift.min(self?.lowerBound ?? value, value)...Swift.max(self?.upperBound ?? value, value)
  }
}
