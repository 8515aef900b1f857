// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let disparityAbsent = Rule(
    "MV024", .error, "dadj is absent",
    source: "Apple, Creating spatial photos and videos with spatial metadata; FormatDescriptionUtilities in "
      + "the source of WebKit",
    .observed, for: [.spatial],
    why: "The cameras are described, but how far the views are to be shifted is not. WebKit takes video "
      + "for spatial only where hfov, blin and dadj are all there; otherwise it is 3D, shown flat in its "
      + "frame, and does not appear among the spatial videos of Photos.",
    mend: "Add cmfy with dadj to eyes, in ten-thousandths of the width of the picture: 200 for an iPhone; 0 "
      + "if no shift is wanted."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.isSpatialCandidate, !track.cameraValues.isEmpty, track.stereo.disparityAdjustment == nil
    else { return }
    findings.add(
      "there is no dadj; there is \(track.cameraValues.joined(separator: " and "))",
      at: track.stereo.$eyes ?? track.place, wanted: "vexu/eyes/cmfy/dadj")
  }
}
