// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF
import Multiview
import TestSupport
import Testing

/// A movie in which one thing is wrong, beside the one from which it was made.
struct RuleCase: Sendable, CustomTestStringConvertible {
  /// The rule that is broken.
  let rule: RuleID
  /// Rules that are broken with it, because they look at the same thing from another side.
  let also: Set<RuleID>
  /// The movie from which it is made.
  let start: @Sendable () throws -> EditedMovie
  /// The one thing.
  let edit: @Sendable (inout EditedMovie) throws -> Void

  init(
    _ rule: RuleID, also: Set<RuleID> = [],
    from start: @escaping @Sendable () throws -> EditedMovie = { EditedMovie() },
    _ edit: @escaping @Sendable (inout EditedMovie) throws -> Void
  ) {
    self.rule = rule
    self.also = also
    self.start = start
    self.edit = edit
  }

  /// A case that starts from another fixture.
  init(
    _ rule: RuleID, _ fixture: String, also: Set<RuleID> = [],
    _ edit: @escaping @Sendable (inout EditedMovie) throws -> Void
  ) {
    self.init(rule, also: also, from: { EditedMovie(fixture) }, edit)
  }

  var testDescription: String { rule.rawValue }

  static let all = structure + configuration + cameras + stereoBoxes + eyes + samples + colour + streaming

  /// The way to the sample entry.
  static let entry = EditedMovie.entry
  /// The way to the sample tables.
  static let tables = EditedMovie.tables
}

/// `vexu` that claims these eyes, and more boxes after `eyes`.
func vexu(_ stri: UInt8, _ more: [UInt8] = []) -> [UInt8] {
  box("vexu", box("eyes", fullBox("stri", [stri])) + more)
}
