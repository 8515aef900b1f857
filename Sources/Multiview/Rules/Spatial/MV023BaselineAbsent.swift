// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let baselineAbsent = Rule(
    "MV023", .error, "blin is absent",
    source: "Apple, Creating spatial photos and videos with spatial metadata; FormatDescriptionUtilities in "
      + "the source of WebKit", for: [.spatial],
    why: "The cameras are described, but the distance between the cameras is not. WebKit takes video for "
      + "spatial only where hfov, blin and dadj are all there; otherwise it is 3D, shown flat in its "
      + "frame, and does not appear among the spatial videos of Photos.",
    mend: "Add cams with blin to eyes, with the distance of the lenses in micrometres: 19240 for an iPhone, "
      + "63000 for most stereo cameras."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.isSpatialCandidate, !track.cameraValues.isEmpty, track.stereo.baseline == nil else { return }
    findings.add(
      "there is no blin; there is \(track.cameraValues.joined(separator: " and "))",
      at: track.stereo.$eyes ?? track.place, wanted: "vexu/eyes/cams/blin")
  }
}
