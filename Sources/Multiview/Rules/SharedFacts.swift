// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

/// What rules about one track ask of the whole movie, looked up once for all its tracks.
final class SharedFacts: Sendable {
  private let movie: MovieFile
  private let known = Memo(Known())

  private struct Known: Sendable {
    var isShifted: Bool?
    var isCapture: Bool?
    var durations: [UInt32: UInt32]?
    var claims: [StereoViewComponents: SomeTracks]?
  }

  init(_ movie: MovieFile) { self.movie = movie }

  /// Whether an edit list takes a delay out of some track.
  var someTrackIsShifted: Bool { known.value(\.isShifted) { movie.tracks.contains { $0.shiftsMedia } } }

  /// Whether the metadata calls the movie a spatial capture.
  var isSpatialCapture: Bool { known.value(\.isCapture) { movie.metadata[.spatialFormatVersion] != nil } }

  /// The duration of a sample in fragments that say nothing else; of several `trex` for a track the first counts.
  func defaultSampleDuration(ofTrack id: UInt32) -> UInt32? {
    let durations = known.value(\.durations) {
      let extends =
        movie.tree?["moov/mvex"]?.all("trex").compactMap { $0.payload(TrackExtendsBox.self) } ?? []
      return Dictionary(
        extends.map { ($0.trackID, $0.defaultSampleDuration) }, uniquingKeysWith: { old, _ in old })
    }
    return durations[id]
  }

  /// Whether a video track of another ID claims just these eyes.
  func isClaimed(_ eyes: StereoViewComponents, otherThanBy id: UInt32) -> Bool {
    let claims = known.value(\.claims) {
      var claims: [StereoViewComponents: SomeTracks] = [:]
      for track in movie.tracks where track.mediaType == .video {
        guard let eyes = track.stereo.stereoView else { continue }
        claims[eyes, default: SomeTracks(track.id)].insert(track.id)
      }
      return claims
    }
    return claims[eyes]?.containsOther(than: id) ?? false
  }
}
