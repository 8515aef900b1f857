// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

/// The IDs of some tracks, as far as it matters to a track whether it is the only one.
struct SomeTracks: Sendable {
  private let first: UInt32
  private var hasMore = false

  init(_ id: UInt32) { first = id }

  mutating func insert(_ id: UInt32) { if id != first { hasMore = true } }

  /// Whether a track of another ID is among them.
  func containsOther(than id: UInt32) -> Bool { hasMore || first != id }
}

/// The dependencies and eyes of the tracks of a movie.
struct TrackLinks: Sendable {
  /// The properties of one track that the class of another depends on.
  struct Link: Sendable {
    let id: UInt32
    let handler: FourCC?
    /// The tracks whose layers its own depend on.
    let dependencies: [UInt32]
    /// The eye, where the track signals just one.
    let eye: StereoEye?
  }

  /// The tracks that depend on others or signal one eye.
  let all: [Link]
  private let dependents: [UInt32: SomeTracks]
  /// For each kind of media and each eye, the last track that signals only this eye, and the last one with another ID.
  private let eyes: [FourCC: [StereoEye: [UInt32]]]

  init(_ tracks: [TrackBoxes], in context: MovieContext) {
    all = tracks.compactMap { Link($0, in: context) }
    var dependents: [UInt32: SomeTracks] = [:]
    var eyes: [FourCC: [StereoEye: [UInt32]]] = [:]
    for link in all {
      for base in link.dependencies { dependents[base, default: SomeTracks(link.id)].insert(link.id) }
      guard let handler = link.handler, let eye = link.eye else { continue }
      let before = eyes[handler]?[eye]?.first { $0 != link.id }
      eyes[handler, default: [:]][eye] = [link.id] + (before.map { [$0] } ?? [])
    }
    self.dependents = dependents
    self.eyes = eyes
  }

  /// Whether layers of another track depend on those of this one.
  func isDependedOn(_ id: UInt32) -> Bool { dependents[id]?.containsOther(than: id) ?? false }

  /// The eye that another track of the same kind of media signals: the one that is wanted, if several signal just one;
  /// `nil` if none does.
  func eye(ofTracksOtherThan id: UInt32, of type: MediaType, wanted: StereoEye?) -> StereoEye? {
    guard let eyes = eyes[type.rawValue] else { return nil }
    return [wanted ?? .left, (wanted ?? .left).opposite].first { eyes[$0]?.contains { $0 != id } == true }
  }
}

extension TrackLinks.Link {
  fileprivate init?(_ track: TrackBoxes, in context: MovieContext) {
    let references = track.box?.first("tref")
    dependencies = ["sbas", "scal"].flatMap { type in
      references?.first(type).map { context.trackIDs(of: $0) } ?? []
    }
    var eye: StereoEye?
    if let description = track.formatDescriptions.first, description.box.first("vexu") != nil {
      // The layout of an entry that is not visual was not read with the rest of it.
      let layout =
        description.visual != nil ? description.stereo : StereoLayout(sampleEntry: description.box)
      eye = layout.onlyEye
    }
    guard !dependencies.isEmpty || eye != nil || references != nil, let id = track.header?.trackID else {
      return nil
    }
    self.eye = eye
    self.id = id
    handler = track.handler
  }
}
