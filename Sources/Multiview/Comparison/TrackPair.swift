// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// Tracks of two movies that are the same to a viewer; one is `nil` if the other movie has no such track.
struct TrackPair {
  let first: Track?
  let second: Track?

  /// What makes tracks alike, what matters most first.
  private static let keys: [@Sendable (Track) -> [String]] = [
    { ["\($0.mediaType.rawValue)", family($0), "\($0.id)", $0.language ?? ""] },
    { ["\($0.mediaType.rawValue)", family($0), $0.language ?? ""] },
    { ["\($0.mediaType.rawValue)", family($0)] },
    { ["\($0.mediaType.rawValue)"] },
  ]

  /// What kind of coding it is: `hvc1` and `hev1` are the same codec.
  private static func family(_ track: Track) -> String {
    track.isHEVC ? "hevc" : track.codec.map { "\($0)" } ?? ""
  }

  /// Puts each track of one movie beside the one of the other that is most like it: of the same kind, codec, number and
  /// language if there is one, otherwise of the same kind, in the order of the file.
  static func pairs(of first: MovieFile, _ second: MovieFile) -> [TrackPair] {
    var left = first.tracks, right = second.tracks
    var found: [(place: Int, pair: TrackPair)] = []
    for key in keys {
      var waiting: [[String]: [Track]] = [:]
      for track in right.reversed() { waiting[key(track), default: []].append(track) }
      var unmatched: [Track] = [], taken: Set<Int> = []
      for track in left {
        if let other = waiting[key(track)]?.popLast() {
          taken.insert(other.index)
          found.append((track.index, TrackPair(first: track, second: other)))
        } else {
          unmatched.append(track)
        }
      }
      left = unmatched
      right = right.filter { !taken.contains($0.index) }
    }
    found += left.map { ($0.index, TrackPair(first: $0, second: nil)) }
    return found.sorted { $0.place < $1.place }.map(\.pair) + right.map { TrackPair(first: nil, second: $0) }
  }
}
