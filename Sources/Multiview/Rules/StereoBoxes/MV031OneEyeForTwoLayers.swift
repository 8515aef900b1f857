// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let oneEyeForTwoLayers = Rule(
    "MV031", .error, "stri does not claim both eyes, and the track has a layer for each",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8; Apple HEVC Stereo Video "
      + "Interoperability Profile", for: [.spatial, .stereo, .hls],
    why: "A track whose stri names one eye, or none, is shown as one view, whatever layers it has.",
    mend: "Set both has_left_eye_view and has_right_eye_view: the byte of stri is 3, or 11 with the order "
      + "reversed."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.isMultiview, let eyes = track.stereo.stereoView, eyes != [.leftEye, .rightEye],
      let bits = track.stereo.viewInformation?.flagBits
    else { return }
    findings.add(
      "stri claims \(eyes.isEmpty ? "no eye" : "only \(eyes)"), the track has \(track.views.count) views",
      at: track.stereo.$viewInformation, found: "\(bits)", wanted: "3")
  }
}
