// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let lensesAbsent = Rule(
    "MV045", .error, "The projection is parametric, and no lens is described",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8; FormatDescriptionUtilities in the "
      + "source of WebKit",
    .observed, for: [.immersive],
    why: "prim means: as the lenses say. Without lnsc there is nothing to compute the picture from.",
    mend: "Add lnsc with a lens for each view, or write another projection."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.stereo.projection == .parametricImmersive, track.stereo.lensCollection != true else { return }
    findings.add("prji is prim; there is no lnsc", at: track.stereo.$projection, wanted: "vexu/lnsc")
  }
}
