// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let unknownCode = Rule(
    "MV039", .warning, "The projection or the packing has a code that is not known",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8",
    for: [.spatial, .stereo, .immersive],
    why: "Players that do not know the code show the picture flat, or as it is coded.",
    mend: "Write one of rect, equi, hequ, prim, fish for the projection; side or over for the packing."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    if let projection = track.stereo.projection, !projection.isKnown {
      findings.add(
        "prji is '\(projection.rawValue)'", at: track.stereo.$projection, found: "\(projection.rawValue)",
        wanted: "rect, equi, hequ, prim or fish")
    }
    if let packing = track.stereo.packing, !packing.isKnown {
      findings.add(
        "pkin is '\(packing.rawValue)'", at: track.stereo.$packing, found: "\(packing.rawValue)",
        wanted: "side or over")
    }
  }
}
