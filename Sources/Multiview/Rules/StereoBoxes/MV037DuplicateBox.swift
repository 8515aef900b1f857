// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let duplicateBox = Rule(
    "MV037", .warning, "A stereo box is there twice",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8",
    for: [.spatial, .stereo, .immersive],
    why: "Of two boxes of a type some readers take the first and some the last: the movie is not the same "
      + "everywhere.",
    mend: "Remove the one that is wrong."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for item in track.stereo.diagnostics where item.code == "duplicate-box" { findings.add(item) }
  }
}
