// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let fullBoxHeader = Rule(
    "MV035", .error, "A plain box is written with version and flags",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8",
    for: [.spatial, .stereo, .immersive],
    why: "vexu, eyes, cams, cmfy, proj and pack hold boxes from their ninth byte on. Four bytes of version "
      + "and flags in front of them are read as the size of a box, and nothing in it is found.",
    mend: "Write the container without version and flags."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for item in track.stereo.diagnostics where item.code == "full-box-header" { findings.add(item) }
  }
}
