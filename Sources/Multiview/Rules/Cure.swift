// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The command of `mvedit` that fixes a finding, without re-encoding.
package enum Cure: Sendable, Hashable {
  /// `mvedit tag` with these options, which are right for every movie.
  case tag(String)
  /// `mvedit tag` with options whose values, in capitals, only the maker of the movie knows.
  case tagValue(String)
  /// `mvedit repair`: the movie itself has everything that is needed.
  case repair
  /// `mvedit repair` with the original, another movie of the same camera, or the stream: the movie itself lacks
  /// what is needed.
  case restore
  /// `mvedit merge`
  case merge
  /// `mvedit fragment`
  case fragment
  /// `mvedit strip`: only the base layer is left to show.
  case strip

  /// The beginning of the command, for lists.
  package var command: String {
    switch self {
    case .tag: "tag"
    case .tagValue(let options): "tag \(options)"
    case .repair: "repair"
    case .restore: "repair --from ORIGINAL"
    case .merge: "merge"
    case .fragment: "fragment"
    case .strip: "strip"
    }
  }

  /// The rules whose findings are all fixed in the same way.
  static let ofEveryFinding: [RuleID: Cure] = [
    "MV007": .repair, "MV008": .repair, "MV011": .repair, "MV017": .repair,
    "MV018": .repair, "MV020": .merge, "MV022": .tagValue("--field-of-view DEGREES"),
    "MV023": .tagValue("--baseline MM"), "MV028": .tagValue("--field-of-view DEGREES"),
    "MV029": .tagValue("--disparity FRACTION"), "MV035": .repair, "MV041": .tagValue("--packing KIND"),
    "MV051": .repair, "MV052": .repair, "MV056": .repair, "MV061": .repair, "MV062": .repair,
    "MV064": .repair, "MV066": .fragment, "MV069": .fragment, "MV070": .fragment, "MV071": .fragment,
    "MV072": .fragment, "MV089": .repair, "MV091": .repair, "MV092": .tagValue("--baseline MM"),
    "MV094": .restore, "MV101": .restore,
  ]

  /// The rules of which some findings can be fixed, or in more than one way.
  private static let ofSomeFindings: [RuleID: [Cure]] = [
    "MV004": [.repair], "MV005": [.repair, .restore], "MV006": [.repair, .restore], "MV009": [.repair],
    "MV010": [.repair],
    "MV012": [.strip], "MV013": [.repair], "MV014": [.repair, .restore],
    "MV015": [.repair, .restore, .strip], "MV016": [.tag(""), .merge], "MV024": [.tag("")],
    "MV026": [.tag(""), .tagValue("--field-of-view DEGREES")],
    "MV027": [.tag(""), .tagValue("--baseline MM")], "MV031": [.tag("")], "MV033": [.repair],
    "MV034": [.repair], "MV036": [.repair], "MV037": [.repair], "MV038": [.repair],
    "MV039": [.tagValue("--projection KIND"), .tagValue("--packing KIND")], "MV040": [.tag("")],
    "MV042": [.tag("")], "MV044": [.tag("")], "MV053": [.repair], "MV054": [.repair], "MV057": [.repair],
    "MV058": [.repair], "MV060": [.merge], "MV065": [.repair], "MV068": [.repair, .restore],
    "MV074": [.repair], "MV075": [.tag("")], "MV077": [.tag("")], "MV083": [.repair], "MV084": [.repair],
    "MV086": [.repair], "MV090": [.repair], "MV093": [.tag("")], "MV096": [.repair], "MV097": [.repair],
    "MV122": [.repair], "MV123": [.repair], "MV124": [.repair], "MV125": [.repair], "MV126": [.repair],
  ]

  /// Returns what may fix a finding of a rule; empty if it takes re-encoding, a choice, or information from the
  /// maker.
  package static func all(of rule: RuleID) -> [Cure] {
    ofEveryFinding[rule].map { [$0] } ?? ofSomeFindings[rule] ?? []
  }
}

extension CheckReport {
  /// The rules whose findings prevent samples from being rewritten: they are missing, contradict the tables, or
  /// cannot be read.
  private static let blocking: Set<RuleID> = ["MV055", "MV058", "MV082", "MV102"]
  /// The rules whose findings a repair fixes in boxes alone, whatever the samples are.
  private static let ofBoxes: Set<RuleID> = [
    "MV004", "MV008", "MV009", "MV011", "MV033", "MV034", "MV035", "MV036", "MV037", "MV038", "MV058",
    "MV061", "MV062", "MV064", "MV065", "MV083", "MV084", "MV086", "MV091", "MV096", "MV097", "MV122",
    "MV124", "MV125", "MV126",
  ]

  /// Returns what fixes a finding in this movie, in view of its other findings; `nil` if nothing does.
  package func cure(of finding: Finding) -> Cure? {
    guard let cure = finding.cure, cure == .repair || cure == .restore else { return finding.cure }
    let others = findings.filter { $0 != finding }
    // Samples that are hidden by a limit or by damage cannot be rewritten.
    if !Self.ofBoxes.contains(finding.rule.id),
      others.contains(where: { Self.blocking.contains($0.rule.id) && $0.cure == nil })
    {
      return nil
    }
    // If one finding needs the original, the repair of all of them does.
    return others.contains { $0.cure == .restore } ? .restore : cure
  }
}
