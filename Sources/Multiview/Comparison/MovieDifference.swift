// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// One thing in which two movies differ.
public struct MovieDifference: Hashable, Sendable {
  /// The subject of a difference, in order of importance to a viewer of the movie.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A layer of the video: an eye, an alpha plane, a depth map.
    case layers
    /// Which eye sees a layer.
    case eyes
    /// Tags for eyes, cameras, projection and colour.
    case tags
    /// Parameter sets.
    case parameterSets
    /// The coded pictures and sound.
    case samples
    /// When samples are presented, and how long.
    case times
    /// Tracks, and properties of whole tracks.
    case tracks
    /// Names, places, dates.
    case metadata
    /// Boxes that none of the others is about.
    case structure
    /// The bytes of the files.
    case bytes
  }

  /// The subject of the difference.
  public var kind: Kind
  /// What differs, in a few words: `baseline`, `layer 1`.
  public var subject: String
  /// The value in the first movie; `nil` if it has none.
  public var first: String?
  /// The value in the second movie; `nil` if it has none.
  public var second: String?
  /// The track ID in the first movie, or in the second if only that has it; `nil` if it is not about one track.
  public var trackID: UInt32?
  /// The first sample of the first movie that it is about, counted from 0; `nil` if it is not about samples.
  public var sample: Int?

  /// What became of it, from the first movie to the second.
  public enum Change: String, Hashable, Sendable {
    /// Only the first movie has it.
    case lost
    /// Only the second movie has it.
    case added
    /// Each has another one.
    case changed
  }

  /// What became of it, from the first movie to the second.
  public var change: Change { second == nil ? .lost : first == nil ? .added : .changed }
}

extension MovieDifference: CustomStringConvertible {
  /// `baseline: 63.123 mm, was lost`
  public var description: String {
    let track = trackID.map { "track \($0), " } ?? ""
    return switch change {
    case .lost: "\(track)\(subject): \(first ?? "") is lost"
    case .added: "\(track)\(subject): \(second ?? "") is new"
    case .changed: "\(track)\(subject): \(first ?? "") is now \(second ?? "")"
    }
  }
}
