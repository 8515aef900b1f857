// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import Multiview

/// One thing that a repair changes.
public struct RepairStep: Hashable, Sendable {
  /// The rule of `check` that the movie breaks without it; `nil` where there is none.
  public var rule: RuleID?
  /// The ID of the track; `nil` for what belongs to the movie as a whole.
  public var trackID: UInt32?
  /// The path to the box that is changed.
  public var place: String
  /// What is changed, in words.
  public var name: String
  /// What it was.
  public var old: String
  /// What it becomes.
  public var new: String
}

/// What a repair did.
public struct RepairReport: Sendable {
  /// What was changed; empty where nothing needed to be.
  public internal(set) var steps: [RepairStep] = []
  /// The tags that were set or copied.
  public internal(set) var changes: [TagChange] = []
  /// What is still wrong with it, because it takes more than a repair.
  public internal(set) var left: [Finding] = []
  /// What was written; `nil` where nothing was.
  public internal(set) var written: MovieWriteReport?
}
