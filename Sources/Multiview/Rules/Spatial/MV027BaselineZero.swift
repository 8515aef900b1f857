// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let baselineZero = Rule(
    "MV027", .warning, "blin is 0",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8",
    .inferred, for: [.spatial, .stereo],
    why: "Zero is present and counts as present: two cameras in the same place see no depth, and what is "
      + "computed from the distance is nonsense.",
    mend: "Write the distance of the lenses in micrometres, or leave the box out."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.stereo.baseline?.rawValue == 0 else { return }
    findings.add("blin is there and 0", at: track.stereo.$baseline, found: "0", wanted: "more than 0")
  }
}
