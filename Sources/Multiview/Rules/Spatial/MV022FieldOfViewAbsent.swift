// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let fieldOfViewAbsent = Rule(
    "MV022", .error, "hfov is absent",
    source: "Apple, Creating spatial photos and videos with spatial metadata; FormatDescriptionUtilities in "
      + "the source of WebKit", for: [.spatial],
    why: "The cameras are described, but the field of view of the camera is not. WebKit takes video for "
      + "spatial only where hfov, blin and dadj are all there; otherwise it is 3D, shown flat in its "
      + "frame, and does not appear among the spatial videos of Photos.",
    mend: "Add hfov beside vexu, with the horizontal field of view of one eye in thousandths of a degree: "
      + "63400 for the cameras of an iPhone. Do not write 0."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.isSpatialCandidate, !track.cameraValues.isEmpty, track.stereo.horizontalFieldOfView == nil
    else { return }
    findings.add(
      "there is no hfov; there is \(track.cameraValues.joined(separator: " and "))",
      at: track.place, wanted: "hfov")
  }
}
