// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// What a movie breaks of the standards, before a repair and after it.
///
/// Damage hides other faults: the samples of a track whose tables are wrong are not examined. If a repair makes
/// them readable, their faults appear, although the repair did not cause them.
struct RepairVerification {
  /// A violation, without its words.
  private struct Breach: Hashable {
    let rule: Rule
    /// The track by its position, since a repair may change its number; `nil` for the movie.
    let track: Int?

    init(_ finding: Finding, in movie: MovieFile, comparesTracks: Bool) {
      rule = finding.rule
      track = comparesTracks ? movie.tracks.firstIndex { $0.id == finding.trackID } : nil
    }
  }

  /// Whether the tracks of the original can be told apart by their numbers.
  private let comparesTracks: Bool
  private let before: Set<Breach>
  /// The tracks, by position, of which not everything could be examined.
  private var hidden: Set<Int> = []
  /// Whether something outside of tracks could not be examined.
  private var hidesAll = false

  /// Makes a comparison with a movie, and what is wrong with it.
  init(of original: MovieFile, _ findings: [Finding]) {
    let comparesTracks = Set(original.tracks.map(\.id)).count == original.tracks.count
    self.comparesTracks = comparesTracks
    before = Set(
      Self.violations(findings).map { Breach($0, in: original, comparesTracks: comparesTracks) })
    for finding in findings where finding.rule.traits.contains(.hidesFaults) && finding.severity == .error {
      if let track = original.tracks.firstIndex(where: {
        $0.id == finding.trackID || (finding.path + "/").hasPrefix($0.path + "/")
      }) {
        hidden.insert(track)
      } else {
        hidesAll = true
      }
    }
  }

  /// Returns what is wrong with the repaired movie.
  ///
  /// - Throws: an error if the movie breaks a rule that the original satisfied.
  func examined(_ made: MovieFile) throws(SourceError) -> ExaminedRepair {
    var revealed: [Finding] = []
    let findings = made.check().findings
    for finding in Self.violations(findings) {
      let breach = Breach(finding, in: made, comparesTracks: comparesTracks)
      guard !before.contains(breach) else { continue }
      guard hidesAll || !hidden.isEmpty && breach.track.map(hidden.contains) ?? true else {
        throw SourceError(
          .other(
            "the repaired movie violates \(finding.rule.id), but the input does not: \(finding.message)"),
          advice: "This is a bug in the library: report it.")
      }
      revealed.append(finding)
    }
    return ExaminedRepair(errors: findings.filter { $0.severity == .error }, revealed: revealed)
  }

  private static func violations(_ findings: [Finding]) -> [Finding] {
    // Which track determines what the movie is may change with its tags.
    findings.filter { $0.severity == .error && $0.targets.contains(.iso) && $0.rule != .videoUndecided }
  }
}

/// What is wrong with a repaired movie.
struct ExaminedRepair {
  /// All errors.
  let errors: [Finding]
  /// Violations that the original hid.
  let revealed: [Finding]
}
