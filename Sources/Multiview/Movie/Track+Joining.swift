// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
import ISOBMFF

/// The layers of one bitstream may be in several tracks: the base layer in one that any player shows, further layers
/// in others that refer to it by `sbas`, or take its bytes through the extractors of `scal`. ISO/IEC 14496-15, 9.5
extension Track {
  /// The track together with those that hold the rest of its layers, as if all was in one: its layers, eyes, NAL units
  /// and extracts are those of the whole bitstream. The track itself if there are no others.
  ///
  /// The header, sample descriptions, samples and other properties of a single track are those of the track with the lowest
  /// layers. Samples of the other tracks are joined to those that are decoded at the same time.
  public var joined: Track {
    if let describing, !isJoined {
      // The other tracks are described by what goes with those samples.
      let whole = asItBegins.joined
      guard whole.isJoined, let sample = describing.first else { return self }
      return whole.described(for: sample)
    }
    guard !isRawStream, !isJoined, isFirstOfItsID, hasExtractors || context.family(of: id).count > 1 else {
      return self
    }
    return lazy.further.value(\.joined) { join() } ?? self
  }

  /// Whether this is several tracks joined, or one with its extractors replaced by what they stand for.
  public var isJoined: Bool { !parts.isEmpty }

  /// The tracks that a ``joined`` track consists of, that with the lowest layers first; otherwise the track alone.
  public var joinedTracks: [Track] { isJoined ? parts : [self] }

  /// The tracks that this one refers to by that type of reference. AVFoundation: `loadAssociatedTracks(ofType:)`
  public func associatedTracks(ofType type: FourCC) -> [Track] {
    references(type).compactMap { context.track(id: $0) }
  }

  private func join() -> Track? {
    var members: [Track] = []
    for id in context.family(of: self.id) {
      // Copies, because what is kept must not keep this track, which keeps it.
      if id == self.id {
        members.append(Track(self, joining: nil))
      } else if let track = context.track(id: id), track.hasConfiguredLayers {
        members.append(track)
      }
    }
    guard let base = members.first, members.count > 1 || base.hasExtractors else { return nil }
    let parts = context.joined.parts(members)
    return Track(base, joining: parts, analyses: context.joined.analyses(of: parts.places))
  }

  /// Whether samples may hold extractors.
  var hasExtractors: Bool { isHEVC && !references("scal").isEmpty }

  /// Whether the track has layers by itself: tile tracks do not.
  private var hasConfiguredLayers: Bool {
    formatDescriptions.contains { $0.hevcConfiguration != nil || $0.layeredConfiguration != nil }
  }
}

/// Tracks that are joined: the same for each of them.
final class JoinedParts: Sendable {
  let tracks: [Track]
  /// Their places among the tracks of the movie.
  var places: [Int] { tracks.map(\.index) }

  init(_ tracks: [Track]) { self.tracks = tracks }
}

extension MovieContext {
  /// How many tracks are joined at most: there are no more layers.
  private static let maximumFamily = 63

  /// The tracks that depend on one another for layers, the given one among them, each after those it depends on.
  func family(of id: UInt32) -> [UInt32] {
    guard let family = families[id], !family.isEmpty else { return [id] }
    return family
  }

  /// Whether this track is one of too many that depend on one another, which are not joined.
  func isInLargeFamily(_ id: UInt32) -> Bool { families[id]?.isEmpty == true }

  /// The tracks that depend on one another, by the ID of each; none if they are too many.
  func groupFamilies() -> [UInt32: [UInt32]] {
    let links = links.all.filter { !$0.dependencies.isEmpty }
    if links.isEmpty { return [:] }
    let places = trackIndices
    var dependencies: [UInt32: Set<UInt32>] = [:]
    var neighbours: [UInt32: Set<UInt32>] = [:]
    for link in links {
      for base in link.dependencies where places[base] != nil {
        dependencies[link.id, default: []].insert(base)
        neighbours[link.id, default: []].insert(base)
        neighbours[base, default: []].insert(link.id)
      }
    }
    var families: [UInt32: [UInt32]] = [:]
    for start in neighbours.keys where families[start] == nil {
      var members: Set<UInt32> = [start]
      var waiting = [start]
      while let track = waiting.popLast() {
        for other in neighbours[track] ?? [] where members.insert(other).inserted { waiting.append(other) }
      }
      let isTooLarge = members.count > Self.maximumFamily
      let ordered = isTooLarge ? [] : Self.ordered(members, dependencies, places)
      for member in members { families[member] = ordered }
    }
    return families
  }

  /// Each track after those it depends on.
  private static func ordered(
    _ members: Set<UInt32>, _ dependencies: [UInt32: Set<UInt32>], _ places: [UInt32: Int]
  ) -> [UInt32] {
    var waiting = members.sorted { places[$0] ?? 0 < places[$1] ?? 0 }
    var ordered: [UInt32] = []
    while !waiting.isEmpty {
      // Of tracks that depend on one another in a circle the first comes first.
      let next = waiting.firstIndex { track in
        (dependencies[track] ?? []).allSatisfy { $0 == track || !waiting.contains($0) }
      }
      ordered.append(waiting.remove(at: next ?? 0))
    }
    return ordered
  }
}

/// Values shared by tracks that join the same other tracks, by the positions of these among the tracks of the movie.
final class JoinedTracks: Sendable {
  /// Tracks that keep this are not kept by it, only known.
  private struct KeptParts: Sendable {
    weak var parts: JoinedParts?
  }

  private let analyses = Locked<[[Int]: TrackAnalyses]>([:])
  private let parts = Locked<[[Int]: KeptParts]>([:])

  /// The values derived for the track that joins those at these places, requested by each of them. (No other track joins a
  /// joined track, so there is no cycle of references.)
  func analyses(of places: [Int]) -> TrackAnalyses {
    analyses.withLock { known in
      if let analyses = known[places] { return analyses }
      let analyses = TrackAnalyses()
      known[places] = analyses
      return analyses
    }
  }

  /// These tracks as parts of one: those that others have joined already, as long as these are there.
  func parts(_ members: [Track]) -> JoinedParts {
    let places = members.map(\.index)
    if let parts = parts.withLock({ $0[places]?.parts }) { return parts }
    let parts = JoinedParts(members)
    return self.parts.withLock { known in
      if let parts = known[places]?.parts { return parts }
      known[places] = KeptParts(parts: parts)
      return parts
    }
  }
}
