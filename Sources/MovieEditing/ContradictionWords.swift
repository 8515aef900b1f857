// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Multiview

/// The reason why a value of a tag is refused, with the names of options instead of the codes of boxes.
struct ContradictionWords {
  /// What is wrong, without the location.
  let reason: String
  /// What to give instead; empty if there is no advice.
  let advice: String

  /// Makes the words for a finding: its own message, followed by the identifier of its rule, if there are none for
  /// the rule.
  init(_ finding: Finding) {
    guard let words = Self.words[finding.rule.id] else {
      reason = finding.message + " (\(finding.rule.id))"
      advice = ""
      return
    }
    reason = words.reason + " (\(finding.rule.id): \(finding.message))"
    advice = words.advice
  }

  private static let words: [RuleID: (reason: String, advice: String)] = [
    "MV012": ("the second layer that the other movie configures is not in the samples", ""),
    "MV013": ("some samples lack the second layer that the other movie configures", ""),
    "MV026": (
      "no picture has a field of view of 0", "Give the degrees of the lens, or --remove field-of-view."
    ),
    "MV027": ("two lenses are not 0 apart", "Give the baseline in millimetres, or --remove baseline."),
    "MV028": (
      "the field of view is out of range",
      "It is in degrees: from 1 to less than 180 for flat pictures, and up to 360 for others."
    ),
    "MV029": (
      "the disparity is out of range", "It is a fraction of the width, from -1 to 1: 0.02 is 2 %."
    ),
    "MV031": (
      "the track has a layer for each eye, and the tags would not name both eyes", "Use --eyes left,right."
    ),
    "MV040": ("the second layer is no picture for an eye", ""),
    "MV041": (
      "the tags would say that there are two eyes, and each picture holds one view, as far as the movie says",
      "Name the packing (--packing side or over), or one eye (--eyes left)."
    ),
    "MV075": (
      "the track has a layer for each eye, and the packing would say that each picture holds both",
      "Leave --packing out."
    ),
    "MV077": (
      "the packing would say that each picture holds two views, and the tags do not name both eyes",
      "Add --eyes left,right."
    ),
    "MV092": ("no camera has such a baseline", "It is in millimetres."),
    "MV093": (
      "more than two views would be promised, and there are two", "Leave --additional-views out."
    ),
  ]
}
