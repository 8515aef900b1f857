// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let lensesUnused = Rule(
    "MV079", .warning, "Lenses are described, and the projection is flat",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8",
    .inferred, for: [.immersive],
    why:
      "lnsc belongs to the parametric projection. Where prji is absent, or is rect, the picture is taken for "
      + "flat, whatever the lenses are.",
    mend:
      "Write proj with prji: prim if the picture is to be seen through the lenses. Otherwise take lnsc away."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.stereo.lensCollection == true, track.isKnownFlat else { return }
    findings.add(
      "there is lnsc, and " + (track.stereo.projection == nil ? "no prji" : "prji is rect"),
      at: track.stereo.$lensCollection, found: track.stereo.projection.map { "\($0.rawValue)" },
      wanted: "prim")
  }
}
