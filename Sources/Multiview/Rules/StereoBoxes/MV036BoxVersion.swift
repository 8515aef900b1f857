// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let boxVersion = Rule(
    "MV036", .error, "A stereo box has a version that is not known",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8",
    for: [.spatial, .stereo, .immersive],
    why: "All boxes of the family have version 0. Readers leave one of another version aside, or reject "
      + "the track: FFmpeg does so with prji.",
    mend: "Write version 0."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for item in track.stereo.diagnostics where item.code == "unsupported-version" {
      findings.add(aboutStereoBox: item, wanted: "version 0")
    }
  }
}
