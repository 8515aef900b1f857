// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let misplacedBox = Rule(
    "MV034", .error, "A stereo box stands where readers do not look for it",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8",
    for: [.spatial, .stereo, .immersive],
    why: "Readers find these boxes by their place. hfov belongs beside vexu and not into it; blin into "
      + "cams, dadj into cmfy, prji into proj, pkin into pack.",
    mend: "Move the box to its place. mvdump explain with the type tells where that is."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for item in track.stereo.diagnostics where item.code == "misplaced-box" { findings.add(item) }
  }
}
