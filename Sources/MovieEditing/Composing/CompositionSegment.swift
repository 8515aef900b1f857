// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF
public import Multiview

/// A part of a track of a composition: media of a movie, a picture that is held, or nothing.
///
/// AVFoundation: `AVCompositionTrackSegment`
public struct CompositionSegment: Sendable {
  /// What is presented.
  public enum Content: Hashable, Sendable {
    /// Nothing.
    case empty
    /// The media of ``CompositionSegment/track`` from this time on.
    case media(from: MediaTime)
    /// What is presented at this time of the media, held.
    case held(at: MediaTime)
  }

  /// What is presented.
  public internal(set) var content: Content
  /// When, in the composition. AVFoundation: `timeMapping.target`
  public internal(set) var timeRange: Range<MediaTime>
  /// Where it comes from; `nil` for nothing.
  let source: CompositionSource?
  /// How fast the media goes by, in 1/65536.
  var mediaRate = TrackCut.Edit.normalRate
  /// Whether that is not as it was in the movie.
  var isScaled = false

  init(_ content: Content, _ timeRange: Range<MediaTime>, of source: CompositionSource? = nil) {
    self.content = content
    self.timeRange = timeRange
    self.source = source
  }

  /// The movie that it is from; `nil` where nothing is presented.
  public var movie: MovieFile? { source?.movie }
  /// The track that it is from; `nil` where nothing is presented.
  public var track: Track? { source?.track }
  /// How fast the media goes by: 1 is as it was recorded, 2 twice as fast.
  public var rate: Double { Double(mediaRate) / Double(TrackCut.Edit.normalRate) }
  /// Whether nothing is presented.
  public var isEmpty: Bool { content == .empty }
  /// How long it lasts.
  public var duration: MediaTime { timeRange.upperBound - timeRange.lowerBound }
  /// How much of the media goes by in that time.
  var mediaDuration: MediaTime { duration.atRate(mediaRate) }
  /// The part of the media that is presented, in media time; `nil` where none goes by. AVFoundation: `timeMapping.source`
  public var sourceRange: Range<MediaTime>? {
    guard case .media(let from) = content else { return nil }
    return .upTo(from + mediaDuration, from: from)
  }

  /// The part of it that is presented in a range; `nil` where there is none.
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

  /// Whether another one follows it as if both were one.
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

/// A track that was put into a composition once: segments of it that follow each other share their samples.
final class CompositionSource: Sendable {
  let movie: MovieFile
  let track: Track?
  /// Which time it was put in, so that tracks that were put in together know each other.
  let insertion: CompositionInsertion

  init(_ movie: MovieFile, _ track: Track?, _ insertion: CompositionInsertion) {
    self.movie = movie
    self.track = track
    self.insertion = insertion
  }
}

/// One time that a movie was put into a composition.
final class CompositionInsertion: Sendable {}

extension Range<MediaTime> {
  /// A range that is empty where it would end before it begins: sums of times that no scale has room for are rounded.
  static func upTo(_ end: MediaTime, from start: MediaTime) -> Range<MediaTime> {
    start..<Swift.max(start, end)
  }
}

extension MediaTime {
  /// How much media goes by in this time: exact where that can be said, otherwise to the nearest unit of this scale.
  func atRate(_ rate: Int32) -> MediaTime {
    guard rate != TrackCut.Edit.normalRate else { return self }
    return scaled(by: Int64(rate), over: Int64(TrackCut.Edit.normalRate))
      ?? MediaTime(seconds: seconds * Double(rate) / Double(TrackCut.Edit.normalRate), timescale: timescale)
  }

  /// The time multiplied by a fraction; `nil` where that cannot be said exactly.
  func scaled(by numerator: Int64, over denominator: Int64) -> MediaTime? {
    guard numerator >= 0, denominator > 0 else { return nil }
    let common = Self.divisor(numerator.magnitude, denominator.magnitude)
    let (up, down) = (numerator / Int64(common), denominator / Int64(common))
    // What is common to the value and the divisor, and to the factor and the scale, need not be multiplied.
    let first = Int64(Self.divisor(value.magnitude, down.magnitude))
    let second = Int64(Self.divisor(up.magnitude, UInt64(timescale)))
    let (product, overflow) = (value / max(1, first)).multipliedReportingOverflow(by: up / max(1, second))
    let (scale, isTooFine) = (Int64(timescale) / max(1, second)).multipliedReportingOverflow(
      by: down / max(1, first))
    guard !overflow, !isTooFine, let scale = UInt32(exactly: scale) else { return nil }
    return MediaTime(value: product, timescale: scale)
  }

  /// The same time in the coarsest scale in which it is whole.
  var reduced: MediaTime {
    let common = Self.divisor(value.magnitude, UInt64(timescale))
    guard common > 1 else { return self }
    return MediaTime(
      value: value / Int64(common), timescale: UInt32(UInt64(timescale) / common))
  }

  /// The greatest common divisor, at least 1; that of 0 and a number is the number.
  private static func divisor(_ left: UInt64, _ right: UInt64) -> UInt64 {
    var (a, b) = (left, right)
    while b != 0 { (a, b) = (b, a % b) }
    return max(1, min(a, UInt64(Int64.max)))
  }
}
