// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// One thing that writing an edited movie changes.
public struct TagChange: Hashable, Sendable {
  /// The ID of the track; `nil` for what holds for the whole movie.
  public var trackID: UInt32?
  /// The sample entry, counted from 1; `nil` for what is not in one.
  public var entry: Int?
  /// What is changed: the name that the option of `mvedit tag` has, or a metadata key.
  public var name: String
  /// The value before; `nil` where there was none.
  public var old: String?
  /// The value after; `nil` where there is none.
  public var new: String?
}
