// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
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

/// What the tracks of a movie share.
final class MovieContext: Sendable {
  let tree: BoxTree?
  let source: any ByteSource
  let limits: Limits
  let parameterSetReadings = ParameterSetReadings()
  private let treeErrorsOnce = Lazy<TreeErrors>()
  let fragmentsOnce = Lazy<Result<FragmentedSamplesBuilder, SourceError>>()
  private let boxes = Lazy<[TrackBoxes]>()
  private let links = Lazy<[TrackLink]>()
  private let dependents = Lazy<[UInt32: SomeTracks]>()
  private let eyes = Lazy<[FourCC: [(id: UInt32, eye: StereoEye)]]>()
  private let indices = Lazy<[UInt32: Int]>()
  private let timescale = Lazy<UInt32>()
  private let immersive = Lazy<Bool>()
  private let venue = Lazy<Bool>()
  private let fragmentation = Lazy<Bool>()
  private let shares = Lazy<UniformSampleShares>()
  private let familiesOnce = Lazy<[UInt32: [UInt32]]>()
  private let lastClass = Locked<(facts: ClassificationFacts, report: ClassificationReport)?>(nil)
  private let joinedAnalyses = Locked<[[Int]: TrackAnalyses]>([:])
  private let joinedParts = Locked<[[Int]: KeptParts]>([:])
  private let hevcTracks = Lazy<Int>()

  init(tree: BoxTree?, source: any ByteSource, limits: Limits) {
    self.tree = tree
    self.source = source
    self.limits = limits
  }

  /// What one track says that another's class depends on.
  struct TrackLink: Sendable {
    let id: UInt32
    let handler: FourCC?
    /// The tracks whose layers its own depend on.
    let dependencies: [UInt32]
    /// The eye, where the track signals just one.
    let eye: StereoEye?
  }

  /// Errors of the tree because of which samples may be missing, sorted once.
  var treeErrors: TreeErrors { treeErrorsOnce.value { TreeErrors(tree) } }

  /// The tracks that depend on others or signal one eye, found once: a movie may have thousands of tracks. Tracks that
  /// others depend on say so in their own references.
  var trackLinks: [TrackLink] {
    links.value {
      trackBoxes.compactMap { track in
        let references = track.box.first("tref")
        let dependencies = ["sbas", "scal"].flatMap { type in
          references?.first(type).map { trackIDs(of: $0) } ?? []
        }
        var eye: StereoEye?
        if let entry = track.sampleDescriptions?.children.first, entry.first("vexu") != nil {
          let layout = StereoLayout(sampleEntry: whole(entry))
          if layout.hasLeftEyeView == true, layout.hasRightEyeView == false { eye = .left }
          if layout.hasRightEyeView == true, layout.hasLeftEyeView == false { eye = .right }
        }
        guard !dependencies.isEmpty || eye != nil || references != nil, let id = track.header?.trackID
        else { return nil }
        return TrackLink(id: id, handler: track.handler, dependencies: dependencies, eye: eye)
      }
    }
  }

  /// Whether layers of another track depend on those of this one.
  func isDependedOn(_ id: UInt32) -> Bool {
    let known = dependents.value {
      var known: [UInt32: SomeTracks] = [:]
      for link in trackLinks {
        for base in link.dependencies { known[base, default: SomeTracks(link.id)].insert(link.id) }
      }
      return known
    }
    return known[id]?.containsOther(than: id) ?? false
  }

  /// The eye that another track of the same kind of media signals, of several the last; `nil` where none signals just one.
  func eye(ofTracksOtherThan id: UInt32, of type: MediaType) -> StereoEye? {
    let known = eyes.value {
      // Of each kind the last, and the last of another ID.
      var known: [FourCC: [(id: UInt32, eye: StereoEye)]] = [:]
      for link in trackLinks {
        guard let handler = link.handler, let eye = link.eye else { continue }
        let before = known[handler]?.first { $0.id != link.id }
        known[handler] = [(link.id, eye)] + (before.map { [$0] } ?? [])
      }
      return known
    }
    return known[type.rawValue]?.first { $0.id != id }?.eye
  }

  /// The tracks that depend on one another for layers, by the ID of each; looked up once.
  var families: [UInt32: [UInt32]] { familiesOnce.value { groupFamilies() } }

  /// The tracks that a reference names; 0 is an unused place.
  func trackIDs(of reference: Box) -> [UInt32] {
    whole(reference).payload(TrackReferenceTypeBox.self)?.trackIDs.filter { $0 != 0 } ?? []
  }

  /// The same box with all its bytes: of large ones the tree has the beginning. Where they cannot be read, what there is.
  func whole(_ box: Box) -> Box { tree?.whole(box) ?? box }

  /// How many sample descriptions of all tracks are read, and the first of each track: eight bytes make one.
  static let maximumDescriptions = 16_384

  /// How many layers of a track are described: of 260 tracks all, of more fewer.
  var maximumLayers: Int { min(63, share(of: 16_384, atLeast: 4)) }

  /// How many units of its configuration records decide a track's layers: a unit may have two bytes, and thousands of
  /// tracks any number of them.
  var maximumRecordUnits: Int { share(of: 16_384, atLeast: 8) }

  /// What a track has of what all of them may have together.
  private func share(of all: Int, atLeast least: Int) -> Int { max(least, all / max(1, trackBoxes.count)) }

  /// The boxes of the tracks, as many as are read; looked up once.
  var trackBoxes: [TrackBoxes] {
    boxes.value {
      let boxes = tree?.first("moov")?.children ?? []
      let places = boxes.indices.filter { boxes[$0].type == "trak" }
      var room = Self.maximumDescriptions
      return places.prefix(max(0, limits.maximumTracks)).enumerated().map { index, place in
        let path = places.count > 1 ? "moov/trak[\(index)]" : "moov/trak"
        let track = TrackBoxes(boxes[place], path: path, in: self, atMost: max(1, room))
        room -= track.formatDescriptions.count
        return track
      }
    }
  }

  /// The place of each track among the tracks, by ID; of tracks with the same ID, that of the first.
  var trackIndices: [UInt32: Int] {
    indices.value {
      return Dictionary(
        trackBoxes.enumerated().compactMap { index, track in track.header.map { ($0.trackID, index) } },
        uniquingKeysWith: { old, _ in old })
    }
  }

  /// The track with that ID.
  func track(id: UInt32) -> Track? {
    guard let index = trackIndices[id] else { return nil }
    var diagnostics = DiagnosticList()
    return Track(trackBoxes[index], index: index, self, &diagnostics)
  }

  /// What is worked out about the track that joins those at these places: each of them asks for it. (A joined track has
  /// no other one that joins it, so that what is kept here does not keep this.)
  func analyses(ofJoinedTracks places: [Int]) -> TrackAnalyses {
    joinedAnalyses.withLock { known in
      if let analyses = known[places] { return analyses }
      let analyses = TrackAnalyses()
      known[places] = analyses
      return analyses
    }
  }

  /// Tracks that keep this are not kept by it, only known.
  private struct KeptParts: Sendable {
    weak var parts: JoinedParts?
  }

  /// These tracks as parts of one: those that others have joined already, as long as these are there.
  func parts(_ members: [Track]) -> JoinedParts {
    joinedParts.withLock { known in
      let places = members.map(\.index)
      if let parts = known[places]?.parts { return parts }
      let parts = JoinedParts(members)
      known[places] = KeptParts(parts: parts)
      return parts
    }
  }

  /// How many tracks there are.
  var trackCount: Int { tree?.first("moov")?.children.lazy.filter { $0.type == "trak" }.count ?? 0 }

  /// How many units of movie time make a second.
  var movieTimescale: UInt32 {
    timescale.value { max(1, tree?.first("moov")?.first(MovieHeaderBox.self)?.timescale ?? 1) }
  }

  /// Whether samples are listed by movie fragments too; looked up once.
  var hasFragments: Bool { fragmentation.value { tree?.boxes.contains { $0.type == "moof" } ?? false } }

  /// What bounds the samples that the tables of a track list.
  func tableLimits(ofTrack index: Int) -> Limits {
    var limits = limits
    limits.maximumUniformSamples = uniformSampleShares.ofTrack(index)
    return limits
  }

  /// What bounds the samples that movie fragments list.
  var fragmentLimits: Limits {
    var limits = limits
    limits.maximumUniformSamples = uniformSampleShares.ofFragments
    return limits
  }

  private var uniformSampleShares: UniformSampleShares {
    shares.value {
      UniformSampleShares(trackBoxes, fileSize: source.size, limits: limits)
    }
  }

  /// What so many bytes of a NAL unit count for: however short it is, it takes memory and time of its own.
  static func weight(of bytes: Int) -> Int { max(bytes, 256) }

  /// How many tracks may have HEVC.
  private var hevcTrackCount: Int {
    hevcTracks.value { trackBoxes.count(where: { $0.formatDescriptions.contains { $0.isHEVC } }) }
  }

  /// What a walk over the samples of one track may cost.
  var walkBudget: Int { WalkCost.allowed(fileSize: source.size, tracks: hevcTrackCount, limits) }

  /// How many bytes of the first sample of one track are looked into for what they say of layers: of more than four tracks
  /// fewer, because many may have the same one. What one track uses is not taken from another.
  var maximumEvidenceBytes: Int {
    let (product, overflow) = limits.maximumParameterSetBytes.multipliedReportingOverflow(by: 4)
    return overflow ? .max : product / max(4, hevcTrackCount) * 4
  }

  /// Classifies by these facts. Of many tracks most have the same, and what follows from them depends on nothing else.
  func classify(_ facts: ClassificationFacts) -> ClassificationReport {
    lastClass.withLock { last in
      if let last, last.facts == facts { return last.report }
      let report = facts.classify()
      last = (facts, report)
      return report
    }
  }

  /// Whether the movie's metadata describes an immersive venue; looked up once.
  var describesVenue: Bool { venue.value { hasImmersiveVenue } }

  /// Whether a track of the movie describes an immersive presentation; looked up once.
  var describesPresentation: Bool { immersive.value { hasImmersivePresentation } }
}
