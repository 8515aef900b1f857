// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

/// What rules look at, worked out once per movie and, but for the sample descriptions of tracks of video, only when a rule asks.
final class RuleContext: Sendable {
  let movie: MovieFile
  let options: CheckOptions
  /// The tracks of video. Pictures that only belong to others, such as alpha, are not among them.
  let videoTracks: [TrackFacts]
  private let shared: SharedFacts
  /// Whether a track has several sample descriptions. Nearly none has, and every rule asks.
  private let hasFurther: Bool
  private let known = Memo(Known())

  private struct Known: Sendable {
    var mainIndex: Int??
    var further: [UInt32: [TrackFacts]]?
    var fields: DiagnosticList?
    var readability: Readability?
    var photos: [StereoPhoto]?
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
  /// meant for two eyes.
  var mainTrack: TrackFacts? {
    let index = known.value(\.mainIndex) {
      let index = movie.mainVideoTrack?.index
      let main = videoTracks.firstIndex { $0.track.index == index }
      guard let main, videoTracks[main].report.classification == .mono else { return main }
      return videoTracks.firstIndex(where: \.isStereoAttempt) ?? main
    }
    return index.map { videoTracks[$0] }
  }

  /// The greatest number of sample descriptions of a track that are examined, besides that of the first sample.
  private static let maximumFurther = 8

  /// A track by the other sample descriptions that its samples have, where these say something else.
  func further(_ facts: TrackFacts) -> [TrackFacts] {
    guard hasFurther else { return [] }
    let further = known.value(\.further) {
      var further: [UInt32: [TrackFacts]] = [:]
      for facts in videoTracks where facts.track.formatDescriptions.count > 1 {
        let track = facts.track
        let differing = SampleCensus.differing(track.formatDescriptions, from: track.mainDescriptionNumber)
        further[UInt32(clamping: track.index)] = track.usedDescriptions.filter {
          differing.contains($0.number)
        }
        .prefix(Self.maximumFurther).map {
          TrackFacts(
            track, movie, shared, maximumSamples: options.maximumSamples, description: $0.number)
        }
      }
      return further
    }
    return further[UInt32(clamping: facts.track.index)] ?? []
  }

  /// What is wrong with the fields of the boxes of the movie; media data and what surrounds it is left out.
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

  /// Whether the file holds images and no movie.
  var isImageFile: Bool {
    guard let tree = movie.tree, tree.first("moov") == nil else { return false }
    return tree.first("meta") != nil || tree.first("mini") != nil
  }
}
