// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A single change that writing an edited movie makes.
public struct TagChange: Hashable, Sendable {
  /// The ID of the track; `nil` for a change of the whole movie.
  public var trackID: UInt32?
  /// The sample entry, counted from 1; `nil` if the value is not in a sample entry.
  public var entry: Int?
  /// What is changed: the name of the option of `mvedit tag`, or a metadata key.
  public var name: String
  /// The value before the change; `nil` if there was none.
  public var old: String?
  /// The value after the change; `nil` if it is removed.
  public var new: String?
}
