// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF
public import Multiview

/// A track of a composition: consecutive segments of tracks with the same media type and codec.
///
/// AVFoundation: `AVMutableCompositionTrack`
public struct CompositionTrack: Sendable {
  /// The track ID in the new movie.
  public let id: UInt32
  /// The media type of the track.
  public let mediaType: MediaType
  /// The track that was inserted first, which the properties of the new track come from.
  let model: CompositionSource
  var list = SegmentList()

  init(id: UInt32, model: CompositionSource, mediaType: MediaType) {
    self.id = id
    self.model = model
    self.mediaType = mediaType
  }

  /// The segments, from time 0 on and without gaps.
  public var segments: [CompositionSegment] { list.segments }
  /// The duration of the track.
  public var duration: MediaTime { list.end }

  /// Inserts an empty range. Later segments move by its duration.
  public mutating func insertEmptyTimeRange(_ range: Range<MediaTime>) {
    list.insert(
      [CompositionSegment(.empty, .zero..<(range.upperBound - range.lowerBound))],
      lasting: range.upperBound - range.lowerBound, at: range.lowerBound)
  }

  /// Inserts a part of the presentation of a track, according to its edit list. Later segments move by its duration.
  ///
  /// - Throws: ``EditError`` if the track has another media type, codec or (except for video) language than
  ///   this one, or cannot be composed.
  public mutating func insertTimeRange(
    _ range: Range<MediaTime>, of track: Track, in movie: MovieFile, at time: MediaTime
  ) throws(EditError) {
    guard canContinue(with: track) else {
      throw .refused(
        "track \(track.id) (\(track.mediaType), \(track.codec?.description ?? "unknown codec")) cannot be appended to track "
          + "\(id) (\(mediaType), \(model.track?.codec?.description ?? "unknown codec"))")
    }
    try movie.checkComposable()
    try Composition.check(range, isIn: [track], of: movie)
    let source = CompositionSource(movie, track, CompositionInsertion())
    let segments = try Composition.segments(of: source, range)
    list.insert(segments, lasting: range.upperBound - range.lowerBound, at: time)
  }

  /// Removes a range. Later segments move to its beginning.
  public mutating func removeTimeRange(_ range: Range<MediaTime>) { list.remove(range) }

  /// Changes the duration of a range, so that it is presented faster or slower.
  ///
  /// - Throws: ``EditError`` if the rate cannot be represented exactly in units of 1/65536. The track is then
  ///   unchanged.
  public mutating func scaleTimeRange(
    _ range: Range<MediaTime>, toDuration duration: MediaTime
  ) throws(EditError) {
    try Composition.check(range, duration)
    var scaled = list
    try scaled.scale(range, to: duration)
    list = scaled
  }

  /// Returns whether a track of another movie can continue this one: if it has the same media type and codec,
  /// and the same language if both have one. The language of video does not matter, since players do not choose
  /// video by language.
  func canContinue(with track: Track) -> Bool {
    guard let own = model.track else { return false }
    return own.mediaType == track.mediaType && own.codec == track.codec
      && (track.mediaType.isVisual || own.language == track.language || own.language == nil
        || track.language == nil)
  }
}
