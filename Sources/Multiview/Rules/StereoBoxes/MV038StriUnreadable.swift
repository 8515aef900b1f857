// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let striUnreadable = Rule(
    "MV038", .error, "A box that stereo boxes need is missing",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8",
    for: [.spatial, .stereo, .immersive],
    why: "eyes without stri, proj without prji and pack without pkin say nothing: readers reject them, or "
      + "show the movie flat.",
    mend: "Write the box that is missing, or take its container away."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for item in track.stereo.diagnostics where item.code == "missing-box" {
      findings.add(item.message, path: item.path, offset: item.offset)
    }
  }
}
