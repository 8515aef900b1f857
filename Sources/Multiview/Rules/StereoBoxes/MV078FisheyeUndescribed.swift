// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let fisheyeUndescribed = Rule(
    "MV078", .error, "The projection is a fisheye, and nothing describes it",
    source: "Apple, Immersive Media Support: aime-data; CMTag projections",
    .inferred, for: [.immersive],
    why: "fish stands for the lenses of Apple Immersive Video, and how they see is told by the metadata item "
      + "com.apple.quicktime.aime-data. Without it there is nothing to compute the picture from.",
    mend:
      "Add aime-data to the metadata of the movie; or describe the lenses by lnsc and write prim; or write "
      + "hequ where the picture was converted to it."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.stereo.projection == .fisheye, !track.track.classificationFacts.hasImmersiveVenue else {
      return
    }
    findings.add(
      "prji is fish; the movie has no aime-data", at: track.stereo.$projection, found: "fish",
      wanted: "com.apple.quicktime.aime-data")
  }
}
