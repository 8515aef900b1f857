// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import Multiview

/// The rules of `mvdump check`, each with its long story.
struct RuleExplanations: ExplanationSource {
  let name = "rules"

  var all: [Explanation] { Rule.all.map(Self.explanation) }

  /// Finds rules by ID, in upper or lower case, or by title.
  func explanations(of topic: String) -> [Explanation] {
    let id = RuleID(rawValue: topic.uppercased())
    return Rule.named(id).map { [Self.explanation($0)] } ?? all.filter { $0.title == topic }
  }

  private static func explanation(_ rule: Rule) -> Explanation {
    var explanation = Explanation(
      kind: "rule", name: rule.id.rawValue, title: rule.title, summary: rule.why, specification: rule.source)
    explanation.remarks = [
      ("severity", severity(rule)),
      ("affects", rule.targets.map(target).joined(separator: "; ")),
      ("confidence", confidence(rule)),
      ("fix", rule.fix.typed),
    ]
    let commands = rule.cures.map { "mvedit \($0.typed)" }
    if !commands.isEmpty {
      explanation.remarks.append(("command", commands.joined(separator: "; ")))
    }
    explanation.remarks += [
      ("usage", "mvdump check --rule \(rule.id) FILE; skip it with --not-rule \(rule.id)")
    ]
    return explanation
  }

  private static func severity(_ rule: Rule) -> String {
    switch rule.severity {
    case .error: "error: fails the targets listed below"
    case .warning: "warning: some players misbehave, or a recommendation is not followed"
    case .note: "note: unusual, but allowed"
    }
  }

  private static func target(_ target: CheckTarget) -> String {
    switch target {
    case .spatial: "spatial video on Apple platforms"
    case .stereo: "stereo playback on Apple platforms"
    case .immersive: "180, 360, wide and immersive video on Apple platforms"
    case .hls: "HLS streaming"
    case .iso: "the ISO standards"
    }
  }

  private static func confidence(_ rule: Rule) -> String {
    switch rule.confidence {
    case .documented: "documented: by a standard or by the maker of the platform"
    case .observed: "observed: in the source code of readers, or reported by users"
    case .inferred: "inferred: from how the parts work together"
    }
  }
}
