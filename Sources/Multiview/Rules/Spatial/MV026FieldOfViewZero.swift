// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let fieldOfViewZero = Rule(
    "MV026", .warning, "hfov is 0",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8",
    .inferred, for: [.spatial, .stereo, .immersive],
    why: "Zero is present and counts as present: the movie is taken for spatial, with a picture of no "
      + "width. No camera has that.",
    mend: "Write the field of view of the camera in thousandths of a degree, or leave the box out."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.stereo.horizontalFieldOfView?.rawValue == 0, track.fullBoxFieldOfView == nil else { return }
    findings.add(
      "hfov is there and 0", at: track.stereo.$horizontalFieldOfView, found: "0", wanted: "1 to 360000")
  }
}
