// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Multiview

/// The reason why a value of a tag is refused, in words for somebody who gave a value, not for one who reads boxes.
struct ContradictionWords {
  /// What is wrong, without the location.
  let reason: String
  /// What to give instead; empty if there is no advice.
  let advice: Advice

  /// Makes the words for a finding: its own message, followed by the identifier of its rule, if there are none for
  /// the rule.
  init(_ finding: Finding) {
    guard let words = Self.words[finding.rule] else {
      reason = finding.message + " (\(finding.rule.id))"
      advice = ""
      return
    }
    reason = words.reason + " (\(finding.rule.id): \(finding.message))"
    advice = words.advice
  }

  private static let words: [Rule: (reason: String, advice: Advice)] = [
    .layerNotInSamples: ("the second layer that the other movie configures is not in the samples", ""),
    .layerInSomeSamples: ("some samples lack the second layer that the other movie configures", ""),
    .fieldOfViewZero: (
      "no picture has a field of view of 0",
      "Give the degrees of the lens, or remove the tag\(.remove(.fieldOfView))."
    ),
    .baselineZero: (
      "two lenses cannot be 0 mm apart",
      "Give the baseline in millimetres, or remove the tag\(.remove(.baseline))."
    ),
    .fieldOfViewRange: (
      "the field of view is out of range",
      "It is in degrees: from 1 to less than 180 for flat pictures, and up to 360 for others."
    ),
    .disparityRange: (
      "the disparity is out of range", "It is a fraction of the width, from -1 to 1: 0.02 is 2 %."
    ),
    .oneEyeForTwoLayers: (
      "the track has a layer for each eye, but the tags would not name both eyes",
      "Name both eyes\(.set(.eyes, "left,right"))."
    ),
    .auxiliaryLayerAsEye: ("the second layer is not a picture for an eye", ""),
    .packedWithoutPacking: (
      "the tags would signal two eyes, but according to the movie each picture holds one view",
      "Name the packing\(.set(.packing, "side")), or one eye\(.set(.eyes, "left"))."
    ),
    .packedLayers: (
      "the track has a layer for each eye, but the packing would signal that each picture holds both",
      "Leave the packing\(.set(.packing)) out."
    ),
    .packedEyes: (
      "the packing would signal that each picture holds two views, but the tags do not name both eyes",
      "Name both eyes\(.set(.eyes, "left,right"))."
    ),
    .baselineRange: ("no camera has such a baseline", "It is in millimetres."),
    .additionalViews: (
      "the tags would signal more than two views, but there are two",
      "Leave the views for more\(.set(.additionalViews)) out."
    ),
  ]
}
