// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let packedLayers = Rule(
    "MV075", .warning, "The layers are the two views, and pkin says that each picture holds two",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8",
    .inferred, for: [.spatial, .stereo],
    why: "Views are packed into one picture, or coded as layers. With both a player may cut the pictures of "
      + "each eye in half.",
    mend: "Take pack away, unless every layer really is two views beside or above one another."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.isMultiview, track.claimsBothEyes, let packing = track.stereo.packing, packing.isFramePacked
    else { return }
    findings.add(
      "the track has \(track.views.count) views as layers, and pkin is \(packing)", at: track.stereo.$packing,
      found: "\(packing.rawValue)", wanted: "no pack")
  }
}
