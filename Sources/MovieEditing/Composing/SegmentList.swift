// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Multiview

/// Consecutive segments from time 0 on, without gaps.
struct SegmentList: Sendable {
  private(set) var segments: [CompositionSegment] = []

  /// The time at which the last segment ends.
  var end: MediaTime { segments.last?.timeRange.upperBound ?? .zero }

  /// Returns the segments in a time range.
  func part(_ range: Range<MediaTime>) -> [CompositionSegment] {
    segments.compactMap { $0.part(range) }
  }

  private mutating func append(_ segment: CompositionSegment) {
    if let last = segments.indices.last, segments[last].continues(in: segment) {
      segments[last].timeRange = .upTo(
        segment.timeRange.upperBound, from: segments[last].timeRange.lowerBound)
    } else {
      segments.append(segment)
    }
  }

  /// Inserts segments at a time; later segments move.
  ///
  /// - Parameters:
  ///   - new: segments from time 0 on, without gaps.
  ///   - duration: the total duration of the insertion, which is filled with an empty segment if the segments
  ///     are shorter.
  ///   - time: the time at which the insertion begins.
  mutating func insert(_ new: [CompositionSegment], lasting duration: MediaTime, at time: MediaTime) {
    let time = max(.zero, time)
    let old = self
    segments = []
    for segment in old.part(.zero..<max(.zero, time)) { append(segment) }
    if end < time { append(CompositionSegment(.empty, end..<time)) }
    for segment in new { append(segment.moved(by: time)) }
    let rest = time < old.end ? old.part(time..<old.end) : []
    if end < time + duration, !rest.isEmpty {
      append(CompositionSegment(.empty, .upTo(time + duration, from: end)))
    }
    for segment in rest { append(segment.moved(by: duration)) }
  }

  /// Removes a time range; later segments move to its beginning.
  mutating func remove(_ range: Range<MediaTime>) {
    let old = self
    segments = []
    for segment in old.part(.zero..<max(.zero, range.lowerBound)) { append(segment) }
    guard range.upperBound < old.end else { return }
    let gone = range.upperBound - range.lowerBound
    for segment in old.part(range.upperBound..<old.end) { append(segment.moved(by: -gone)) }
  }

  /// Changes the duration of a time range. If the result cannot be represented exactly, an error is thrown and
  /// nothing changes.
  mutating func scale(_ range: Range<MediaTime>, to duration: MediaTime) throws(EditError) {
    let old = range.upperBound - range.lowerBound
    var scaled: [CompositionSegment] = []
    var position = MediaTime.zero
    for segment in part(range) {
      var segment = segment
      let length = try Self.fraction(segment.duration, duration, old)
      if case .media = segment.content {
        segment.mediaRate = try Self.rate(segment.mediaRate, old, duration)
        segment.isScaled = true
      }
      segment.timeRange = .upTo(position + length, from: position)
      position = segment.timeRange.upperBound
      scaled.append(segment)
    }
    let isInside = range.lowerBound < end
    remove(range)
    if isInside { insert(scaled, lasting: duration, at: range.lowerBound) }
  }

  /// Returns a duration scaled as one duration to another.
  private static func fraction(
    _ length: MediaTime, _ new: MediaTime, _ old: MediaTime
  ) throws(EditError) -> MediaTime {
    let (new, old) = (new.reduced, old.reduced)
    let (up, overflow) = new.value.multipliedReportingOverflow(by: Int64(old.timescale))
    let (down, isTooLong) = old.value.multipliedReportingOverflow(by: Int64(new.timescale))
    guard !overflow, !isTooLong, let scaled = length.scaled(by: up, over: down) else {
      throw EditError(
        .exceedsLimit, "no timescale can express stretching \(old.words) to \(new.words)",
        advice: "Choose a duration that is a simple fraction of the old one.")
    }
    return scaled
  }

  /// Returns a rate, in 1/65536, after one duration becomes another. ISO/IEC 14496-12, 8.6.6: 16 bits, and 16
  /// bits of fraction
  private static func rate(
    _ rate: Int32, _ old: MediaTime, _ new: MediaTime
  ) throws(EditError) -> Int32 {
    let (new, old) = (new.reduced, old.reduced)
    let (up, overflow) = old.value.multipliedReportingOverflow(by: Int64(new.timescale))
    let (down, isTooLong) = new.value.multipliedReportingOverflow(by: Int64(old.timescale))
    let (product, isTooFast) = Int64(rate).multipliedReportingOverflow(by: up)
    guard !overflow, !isTooLong, !isTooFast, down > 0, product % down == 0,
      let exact = Int32(exactly: product / down), exact > 0
    else {
      throw EditError(
        .exceedsLimit,
        "\(old.words) cannot be presented in \(new.words) exactly: an edit list has speeds in units of 1/65536",
        advice: "Choose a duration that is a simple fraction of the old one.")
    }
    return exact
  }
}
