// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import Multiview

/// A single change of a repair.
public struct RepairStep: Hashable, Sendable {
  /// The rule of `check` that the change satisfies; `nil` if there is none.
  public var rule: Rule?
  /// The ID of the track; `nil` for a change of the whole movie.
  public var trackID: UInt32?
  /// The path to the box that is changed.
  public var place: String
  /// What is changed, in words.
  public var name: String
  /// The value before the change, in words.
  public var old: String
  /// The value after the change, in words.
  public var new: String
}

/// The report on a repair.
public struct RepairReport: Sendable {
  /// The changes; empty if the movie needs no repair.
  public internal(set) var steps: [RepairStep] = []
  /// The tags that were set or copied.
  public internal(set) var changes: [TagChange] = []
  /// The errors that remain, because a repair cannot fix them.
  public internal(set) var left: [Finding] = []
  /// What was written; `nil` if nothing was.
  public internal(set) var written: MovieWriteReport?
}

extension RepairReport {
  /// Adds faults that appear because the repaired movie can be read.
  mutating func add(revealed: [Finding]) {
    for finding in revealed where !left.contains(finding) { left.append(finding) }
  }
}
