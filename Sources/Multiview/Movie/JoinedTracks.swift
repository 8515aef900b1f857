// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// What tracks share that join the same others, by the places of these among the tracks of the movie.
final class JoinedTracks: Sendable {
  /// Tracks that keep this are not kept by it, only known.
  private struct KeptParts: Sendable {
    weak var parts: JoinedParts?
  }

  private let analyses = Locked<[[Int]: TrackAnalyses]>([:])
  private let parts = Locked<[[Int]: KeptParts]>([:])

  /// What is worked out about the track that joins those at these places: each of them asks for it. (A joined track has
  /// no other one that joins it, so that what is kept here does not keep this.)
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
