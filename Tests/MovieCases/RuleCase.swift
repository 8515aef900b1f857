// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF
package import Multiview
import TestSupport

/// A movie in which one thing is wrong, beside the one from which it was made.
package struct RuleCase: Sendable, CustomStringConvertible {
  /// The rule that is broken.
  package let rule: RuleID
  /// Rules that are broken with it, because they look at the same thing from another side.
  package let also: Set<RuleID>
  /// The movie from which it is made.
  package let start: @Sendable () throws -> EditedMovie
  /// The one thing.
  package let edit: @Sendable (inout EditedMovie) throws -> Void

  package init(
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
  package init(
    _ rule: RuleID, _ fixture: String, also: Set<RuleID> = [],
    _ edit: @escaping @Sendable (inout EditedMovie) throws -> Void
  ) {
    self.init(rule, also: also, from: { EditedMovie(fixture) }, edit)
  }

  package var description: String { rule.rawValue }

  package static let all =
    structure + configuration + cameras + stereoBoxes + eyes + samples + colour + streaming + headers

  /// The way to the sample entry.
  package static let entry = EditedMovie.entry
  /// The way to the sample tables.
  package static let tables = EditedMovie.tables
}

/// `vexu` that claims these eyes, and more boxes after `eyes`.
package func vexu(_ stri: UInt8, _ more: [UInt8] = []) -> [UInt8] {
  box("vexu", box("eyes", fullBox("stri", [stri])) + more)
}
