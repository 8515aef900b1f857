// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

/// The facts that rules examine, derived once per movie and (except for the sample descriptions of video tracks) on request.
final class RuleContext: Sendable {
  let movie: MovieFile
  let options: CheckOptions
  /// The tracks of video. Pictures that only belong to others, such as alpha, are not among them.
  let videoTracks: [TrackFacts]
  private let shared: SharedFacts
  /// Whether a track has several sample descriptions. Nearly none has, and every rule asks.
  let hasFurther: Bool
  private let known = Memo(Known())

  private struct Known: Sendable {
    var main: TrackFacts??
    var further: [UInt32: [TrackFacts]]?
    var fields: DiagnosticList?
    var readability: Readability?
    var photos: [StereoPhoto]?
    var isStereoPhoto: Bool?
  }

  init(_ movie: MovieFile, _ options: CheckOptions) {
    self.movie = movie
    self.options = options
    let shared = SharedFacts(movie)
    self.shared = shared
    videoTracks = movie.tracks.filter { $0.mediaType == .video }
      .map { TrackFacts($0, movie, shared, maximumSamples: options.maximumSamples) }
    hasFurther = videoTracks.contains { $0.track.formatDescriptions.count > 1 }
  }

  /// The track that verdicts are about: the one that says what the movie is; of flat ones the first that seems to be
  /// meant for two eyes. A flat beginning does not make the movie flat: what follows it counts.
  var mainTrack: TrackFacts? {
    known.value(\.main) {
      let index = movie.mainVideoTrack?.index
      guard let main = videoTracks.first(where: { $0.track.index == index }),
        main.report.classification == .mono
      else { return videoTracks.first { $0.track.index == index } }
      let all = allFacts
      return all.first { ![.mono, .unknown].contains($0.report.classification) } ?? all.first(
        where: \.isStereoAttempt) ?? main
    }
  }

  /// The tracks of video, each by all its sample descriptions that say something else.
  var allFacts: [TrackFacts] { hasFurther ? videoTracks.flatMap { [$0] + further($0) } : videoTracks }

  /// The greatest number of sample descriptions of a track that are examined, besides that of the first sample.
  private static let maximumFurther = 8

  /// A track by the other sample descriptions that its samples have, where these say something else.
  func further(_ facts: TrackFacts) -> [TrackFacts] {
    guard hasFurther else { return [] }
    let further = known.value(\.further) {
      var further: [UInt32: [TrackFacts]] = [:]
      for facts in videoTracks where facts.track.formatDescriptions.count > 1 {
        further[UInt32(clamping: facts.track.index)] = Self.differing(facts.track).prefix(Self.maximumFurther)
          .map {
            TrackFacts(
              facts.track.described(byDescription: $0), movie, shared, maximumSamples: options.maximumSamples)
          }
      }
      return further
    }
    return further[UInt32(clamping: facts.track.index)] ?? []
  }

  /// The sample descriptions that samples have and that say something else than that of the first sample.
  private static func differing(_ track: Track) -> [UInt32] {
    let differing = SampleCensus.differing(track.formatDescriptions, from: track.mainDescriptionNumber)
    return track.usedDescriptions.map(\.number).filter(differing.contains)
  }

  /// The number of a sample description that is not examined, because the track has too many; `nil` if all are.
  func unexaminedDescription(of facts: TrackFacts) -> UInt32? {
    guard hasFurther, let track = videoTracks.first(where: { $0.track.index == facts.track.index })?.track
    else {
      return nil
    }
    return Self.differing(track).dropFirst(Self.maximumFurther).first
  }

  /// The errors in the fields of boxes. Media data boxes are not examined.
  var fieldDiagnostics: DiagnosticList {
    known.value(\.fields) { movie.tree?.payloadDiagnostics() ?? DiagnosticList() }
  }

  /// Whether the file is sound enough for a prediction.
  var readability: Readability { known.value(\.readability) { Readability(self) } }

  /// Whether samples are in movie fragments, or may.
  var isFragmented: Bool { movie.container.isFragmented }

  /// Whether the file has fragments but no movie: a media segment, which is nothing without its init segment.
  var isMediaSegment: Bool {
    guard let tree = movie.tree, tree.first("moov") == nil else { return false }
    return tree.first("moof") != nil || tree.first("styp") != nil
  }

  /// The stereo pairs of a file that has no video.
  var photos: [StereoPhoto] { known.value(\.photos) { videoTracks.isEmpty ? movie.stereoPhotos : [] } }

  /// Whether a file that has no video has pairs of images for two eyes, or means to.
  var isStereoPhotoAttempt: Bool {
    known.value(\.isStereoPhoto) {
      videoTracks.isEmpty && movie.items?.groups.contains(where: \.isStereo) == true
    }
  }

  /// Whether the file holds images and no movie.
  var isImageFile: Bool {
    guard let tree = movie.tree, tree.first("moov") == nil else { return false }
    return tree.first("meta") != nil || tree.first("mini") != nil
  }
}

/// The facts about the whole movie that rules about one track need, found once for all tracks.
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
