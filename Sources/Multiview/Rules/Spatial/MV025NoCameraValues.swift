// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let noCameraValues = Rule(
    "MV025", .note, "Stereo, with nothing of the cameras: 3D and not spatial",
    source: "Apple, Creating spatial photos and videos with spatial metadata; FormatDescriptionUtilities in "
      + "the source of WebKit", for: [.spatial],
    why: "Without hfov, blin and dadj the movie is a 3D movie. That is right for films; what a camera took "
      + "would be shown as spatial video with them.",
    mend: "If the cameras are known, add hfov, cams/blin and cmfy/dadj. If not, leave them out: invented "
      + "values look wrong."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.isSpatialCandidate, track.cameraValues.isEmpty else { return }
    findings.add(
      "none of hfov, blin and dadj is there", at: track.stereo.$eyes ?? track.place,
      wanted: "hfov, blin, dadj")
  }
}
