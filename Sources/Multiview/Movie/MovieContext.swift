// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF

/// What the tracks of a movie share.
final class MovieContext: Sendable {
  let tree: BoxTree?
  let source: any ByteSource
  let limits: Limits
  let parameterSetReadings = ParameterSetReadings()
  /// How many units of movie time make a second.
  let movieTimescale: UInt32
  /// Whether samples are listed by movie fragments too.
  let hasFragments: Bool
  let known = Memo(Known())
  private let lastClass = Locked<(facts: ClassificationFacts, report: ClassificationReport)?>(nil)

  /// Values that are computed on first use: most of them are never needed for most movies.
  struct Known: Sendable {
    var treeErrors: TreeErrors?
    var fragments: Result<FragmentedSamplesBuilder, SourceError>?
    fileprivate var tracks: TrackIndex?
    fileprivate var links: TrackLinks?
    fileprivate var joined: JoinedTracks?
    fileprivate var families: [UInt32: [UInt32]]?
    fileprivate var describesVenue: Bool?
    fileprivate var describesPresentation: Bool?
    fileprivate var shares: [Int]?
    fileprivate var fragmentPlaces: [UInt32: [FragmentPlace]]?
  }

  /// The boxes of the tracks, as many as are read.
  fileprivate struct TrackIndex: Sendable {
    let boxes: [TrackBoxes]
    /// The place of each track by ID; of tracks with the same ID, that of the first.
    let places: [UInt32: Int]
    let hevcTracks: Int

    init(_ boxes: [TrackBoxes]) {
      self.boxes = boxes
      places = Dictionary(
        boxes.enumerated().compactMap { index, track in track.header.map { ($0.trackID, index) } },
        uniquingKeysWith: { old, _ in old })
      hevcTracks = boxes.count(where: { $0.formatDescriptions.contains { $0.isHEVC } })
    }
  }

  init(tree: BoxTree?, source: any ByteSource, limits: Limits) {
    self.tree = tree
    self.source = source
    self.limits = limits
    movieTimescale = max(1, tree?.movieHeader?.timescale ?? 1)
    hasFragments = tree?.boxes.contains { $0.type == "moof" } ?? false
  }

  /// Errors of the tree because of which samples may be missing, sorted once.
  var treeErrors: TreeErrors { known.value(\.treeErrors) { TreeErrors(tree) } }

  /// The tracks that depend on others or signal one eye: a movie may have thousands of tracks. Tracks that others depend on
  /// say so in their own references.
  var links: TrackLinks { known.value(\.links) { TrackLinks(trackBoxes, in: self) } }

  /// The tracks that depend on one another for layers, by the ID of each.
  var families: [UInt32: [UInt32]] { known.value(\.families) { groupFamilies() } }

  /// The tracks that a reference names; 0 is an unused place.
  func trackIDs(of reference: Box) -> [UInt32] {
    whole(reference).payload(TrackReferenceTypeBox.self)?.trackIDs.filter { $0 != 0 } ?? []
  }

  /// The box with all its bytes; the tree keeps only the beginning of large boxes. If reading fails, returns what is in memory.
  func whole(_ box: Box) -> Box { tree?.whole(box) ?? box }

  /// How many sample descriptions are kept of all tracks, and the first of each: eight bytes make one. The tracks of HEVC
  /// share as many NAL units of their records, of their first samples, and layers.
  private static let maximumKept = 16_384

  /// The share of each HEVC track in ``maximumKept``.
  var maximumKeptOfTrack: Int { max(8, Self.maximumKept / max(1, hevcTracks)) }

  /// How many tracks may have HEVC.
  var hevcTracks: Int { tracks.hevcTracks }

  /// The boxes of the tracks, as many as are read.
  var trackBoxes: [TrackBoxes] { tracks.boxes }

  /// The place of each track among the tracks, by ID; of tracks with the same ID, that of the first.
  var trackIndices: [UInt32: Int] { tracks.places }

  private var tracks: TrackIndex { known.value(\.tracks) { TrackIndex(readTrackBoxes()) } }

  private func readTrackBoxes() -> [TrackBoxes] {
    let boxes = tree?.first("moov")?.children ?? []
    let places = boxes.indices.filter { boxes[$0].type == "trak" }
    var room = Self.maximumKept
    return places.prefix(Limits.maximumTracks).enumerated().map { index, place in
      let path = places.count > 1 ? "moov/trak[\(index)]" : "moov/trak"
      let track = TrackBoxes(boxes[place], index: index, path: path, in: self, atMost: max(1, room))
      room -= track.formatDescriptions.count
      return track
    }
  }

  /// The track with that ID.
  func track(id: UInt32) -> Track? {
    trackIndices[id].map { Track(trackBoxes[$0], in: self) }
  }

  /// Where the `traf` of a track in a movie fragment is.
  struct FragmentPlace: Sendable {
    let fragment: Int
    let child: Int
  }

  /// The `traf` of each track, by its ID, in the order of the file.
  var fragmentPlaces: [UInt32: [FragmentPlace]] {
    known.value(\.fragmentPlaces) {
      var places: [UInt32: [FragmentPlace]] = [:]
      let boxes = tree?.boxes ?? []
      for fragment in boxes.indices where boxes[fragment].type == "moof" {
        for (child, box) in boxes[fragment].children.enumerated() where box.type == "traf" {
          guard let id = box.first(TrackFragmentHeaderBox.self)?.trackID else { continue }
          places[id, default: []].append(FragmentPlace(fragment: fragment, child: child))
        }
      }
      return places
    }
  }

  /// Values shared by tracks that join the same other tracks.
  var joined: JoinedTracks { known.value(\.joined) { JoinedTracks() } }

  /// How many tracks there are.
  var trackCount: Int { tree?.first("moov")?.children.lazy.filter { $0.type == "trak" }.count ?? 0 }

  /// The limits for the samples in the tables of a track or, without an index, in movie fragments.
  func sampleLimits(ofTrack index: Int?) -> Limits {
    let shares = known.value(\.shares) { uniformSampleShares() }
    var limits = limits
    limits.maximumUniformSamples = shares[index ?? trackBoxes.count]
    return limits
  }

  /// Classifies by these facts. Most tracks of a movie have equal facts, and the report depends on nothing else, so the last
  /// one is kept.
  func classify(_ facts: ClassificationFacts) -> ClassificationReport {
    if let last = lastClass.withLock({ $0 }), last.facts == facts { return last.report }
    let report = facts.classify()
    lastClass.withLock { $0 = (facts, report) }
    return report
  }

  /// Whether the movie's metadata describes an immersive venue.
  var describesVenue: Bool { known.value(\.describesVenue) { hasImmersiveVenue } }

  /// Notes that a file beside the movie describes the venue, before anything depends on it.
  func noteVenueOutside() {
    known.forget(\.describesVenue)
    _ = known.value(\.describesVenue) { true }
  }

  /// Whether a track of the movie describes an immersive presentation.
  var describesPresentation: Bool { known.value(\.describesPresentation) { hasImmersivePresentation } }
}
