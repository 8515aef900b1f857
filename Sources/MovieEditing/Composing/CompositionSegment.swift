// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF
public import Multiview

/// A part of a track of a composition: media of a movie, a held picture, or nothing.
///
/// AVFoundation: `AVCompositionTrackSegment`
public struct CompositionSegment: Sendable {
  /// What is presented.
  public enum Content: Hashable, Sendable {
    /// Nothing.
    case empty
    /// The media of ``CompositionSegment/track`` from this media time on.
    case media(from: MediaTime)
    /// What the track has at this media time, held for the whole segment.
    case held(at: MediaTime)
  }

  /// What is presented.
  public internal(set) var content: Content
  /// The time range in the composition. AVFoundation: `timeMapping.target`
  public internal(set) var timeRange: Range<MediaTime>
  /// The track that the segment comes from; `nil` if nothing is presented.
  let source: CompositionSource?
  /// The rate of the media, in units of 1/65536.
  var mediaRate = TrackCut.Edit.normalRate
  /// Whether the rate differs from that in the movie.
  var isScaled = false

  init(_ content: Content, _ timeRange: Range<MediaTime>, of source: CompositionSource? = nil) {
    self.content = content
    self.timeRange = timeRange
    self.source = source
  }

  /// The movie that the segment comes from; `nil` if nothing is presented.
  public var movie: MovieFile? { source?.movie }
  /// The track that the segment comes from; `nil` if nothing is presented.
  public var track: Track? { source?.track }
  /// The rate of the media: 1 is the recorded speed, 2 is twice as fast.
  public var rate: Double { Double(mediaRate) / Double(TrackCut.Edit.normalRate) }
  /// Whether nothing is presented.
  public var isEmpty: Bool { content == .empty }
  /// The duration in the composition.
  public var duration: MediaTime { timeRange.upperBound - timeRange.lowerBound }
  /// The duration of the media that is presented.
  var mediaDuration: MediaTime { duration.atRate(mediaRate) }
  /// The range of media times that is presented; `nil` for a held picture and for nothing. AVFoundation:
  /// `timeMapping.source`
  public var sourceRange: Range<MediaTime>? {
    guard case .media(let from) = content else { return nil }
    return .upTo(from + mediaDuration, from: from)
  }

  /// Returns the part of the segment in a time range; `nil` if there is none.
  func part(_ range: Range<MediaTime>) -> CompositionSegment? {
    let low = max(range.lowerBound, timeRange.lowerBound), high = min(range.upperBound, timeRange.upperBound)
    guard low < high else { return nil }
    var part = self
    part.timeRange = .upTo(high, from: low)
    if case .media(let from) = content, low > timeRange.lowerBound {
      part.content = .media(from: from + (low - timeRange.lowerBound).atRate(mediaRate))
    }
    return part
  }

  func moved(by time: MediaTime) -> CompositionSegment {
    var moved = self
    moved.timeRange = .upTo(timeRange.upperBound + time, from: timeRange.lowerBound + time)
    return moved
  }

  /// Returns whether another segment continues this one, so that the two can be one.
  func continues(in next: CompositionSegment) -> Bool {
    guard source === next.source, mediaRate == next.mediaRate, isScaled == next.isScaled else { return false }
    switch (content, next.content) {
    case (.empty, .empty): return true
    case (.held(let time), .held(let other)): return time == other
    case (.media, .media(let from)): return sourceRange?.upperBound == from
    default: return false
    }
  }
}

/// A track as it was inserted into a composition once. Consecutive segments of one source share their samples.
final class CompositionSource: Sendable {
  let movie: MovieFile
  let track: Track?
  /// The insertion that it belongs to, which identifies tracks that were inserted together.
  let insertion: CompositionInsertion

  init(_ movie: MovieFile, _ track: Track?, _ insertion: CompositionInsertion) {
    self.movie = movie
    self.track = track
    self.insertion = insertion
  }
}

/// The identity of one insertion of a movie into a composition.
final class CompositionInsertion: Sendable {}

extension Range<MediaTime> {
  /// Makes a range that is empty if it would end before it begins: sums of times that no timescale can
  /// represent are rounded.
  static func upTo(_ end: MediaTime, from start: MediaTime) -> Range<MediaTime> {
    start..<Swift.max(start, end)
  }
}

extension MediaTime {
  /// Returns the duration of media that is presented in this time at a rate in 1/65536: exact if it can be
  /// represented, otherwise rounded to this timescale.
  func atRate(_ rate: Int32) -> MediaTime {
    guard rate != TrackCut.Edit.normalRate else { return self }
    return scaled(by: Int64(rate), over: Int64(TrackCut.Edit.normalRate))
      ?? MediaTime(seconds: seconds * Double(rate) / Double(TrackCut.Edit.normalRate), timescale: timescale)
  }

  /// Returns the time multiplied by a fraction; `nil` if the result cannot be represented exactly.
  func scaled(by numerator: Int64, over denominator: Int64) -> MediaTime? {
    guard numerator >= 0, denominator > 0 else { return nil }
    let common = MediaTime.divisor(numerator.magnitude, denominator.magnitude)
    let (up, down) = (numerator / Int64(common), denominator / Int64(common))
    // Common divisors of value and denominator, and of numerator and timescale, are removed before multiplying.
    let first = Int64(MediaTime.divisor(value.magnitude, down.magnitude))
    let second = Int64(MediaTime.divisor(up.magnitude, UInt64(timescale)))
    let (product, overflow) = (value / max(1, first)).multipliedReportingOverflow(by: up / max(1, second))
    let (scale, isTooFine) = (Int64(timescale) / max(1, second)).multipliedReportingOverflow(
      by: down / max(1, first))
    guard !overflow, !isTooFine, let scale = UInt32(exactly: scale) else { return nil }
    return MediaTime(value: product, timescale: scale)
  }
}
