// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF
public import Multiview

/// A track of a composition: segments of tracks of one kind, one after the other.
///
/// AVFoundation: `AVMutableCompositionTrack`
public struct CompositionTrack: Sendable {
  /// The number by which the new movie knows the track.
  public let id: UInt32
  /// What it holds.
  public let mediaType: MediaType
  /// The track that was put in first: what is said of the new track as a whole is said there.
  let model: CompositionSource
  var list = SegmentList()

  init(id: UInt32, model: CompositionSource, mediaType: MediaType) {
    self.id = id
    self.model = model
    self.mediaType = mediaType
  }

  /// What is presented, from time 0 on and without gaps.
  public var segments: [CompositionSegment] { list.segments }
  /// How long it lasts.
  public var duration: MediaTime { list.end }

  /// Puts nothing in. What is presented from there on is presented later.
  public mutating func insertEmptyTimeRange(_ range: Range<MediaTime>) {
    list.insert(
      [CompositionSegment(.empty, .zero..<(range.upperBound - range.lowerBound))],
      lasting: range.upperBound - range.lowerBound, at: range.lowerBound)
  }

  /// Puts a part of the presentation of a track in, its edits followed. What is presented from there on is presented later.
  ///
  /// The track must be of the kind and codec of this one; its samples are copied as they are.
  public mutating func insertTimeRange(
    _ range: Range<MediaTime>, of track: Track, in movie: MovieFile, at time: MediaTime
  ) throws(EditError) {
    guard canContinue(with: track) else {
      throw .refused(
        "track \(track.id) (\(track.mediaType), \(track.codec?.description ?? "of no known codec")) cannot continue track "
          + "\(id) (\(mediaType), \(model.track?.codec?.description ?? "of no known codec"))")
    }
    try movie.checkComposable()
    let source = CompositionSource(movie, track, CompositionInsertion())
    let segments = try Composition.segments(of: source, range)
    list.insert(segments, lasting: range.upperBound - range.lowerBound, at: time)
  }

  /// Takes a part out. What is presented after it is presented earlier.
  public mutating func removeTimeRange(_ range: Range<MediaTime>) { list.remove(range) }

  /// Presents a part in another duration, faster or slower: where that can be said exactly.
  public mutating func scaleTimeRange(
    _ range: Range<MediaTime>, toDuration duration: MediaTime
  ) throws(EditError) {
    try Composition.check(range, duration)
    var scaled = list
    try scaled.scale(range, to: duration)
    list = scaled
  }

  /// Whether a track of another movie can be the same track: if it holds the same, in the same codec, and in the same language where
  /// that is said of both. Pictures have none that a player would choose them by.
  func canContinue(with track: Track) -> Bool {
    guard let own = model.track else { return false }
    return own.mediaType == track.mediaType && own.codec == track.codec
      && (track.mediaType.isVisual || own.language == track.language || own.language == nil
        || track.language == nil)
  }
}
