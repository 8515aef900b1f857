// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let googleOnly = Rule(
    "MV044", .note, "The projection is told by boxes of Google only",
    source: "Apple, AVURLAssetShouldParseExternalSphericalTagsKey; Spherical Video V2", for: [.immersive],
    why: "Apple platforms pass st3d, sv3d and their uuid over, unless an app asks for the conversion: the "
      + "movie is shown flat.",
    mend: "For Apple platforms add vexu with proj/prji, and hfov."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.stereo.projection == nil, track.isGoogleSpherical else { return }
    let place = track.stereo.googleSphericalBoxes.first { $0.path.hasSuffix("sv3d") } ?? track.place
    findings.add(
      "there is spherical metadata of Google, and no proj in vexu", at: place, wanted: "vexu/proj/prji")
  }
}
