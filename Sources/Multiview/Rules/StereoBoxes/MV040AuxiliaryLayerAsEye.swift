// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

extension Rule {
  static let auxiliaryLayerAsEye = Rule(
    "MV040", .error, "A layer that is no picture is claimed for an eye",
    source: "ISO/IEC 23008-2, F.7.4.3.1.1 (AuxId); Apple, Spatial and Immersive Media – Format additions "
      + "1.9.8", for: [.spatial, .stereo],
    why: "The second layer is an alpha plane or a depth map. Shown to an eye it is a grey picture.",
    mend: "Take vexu away, or code the second view as a layer whose AuxId is 0."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.claimsBothEyes, !track.isFramePacked, !track.hasViewElsewhere, track.views.count < 2,
      let layer = track.analysis.layers.first(where: { !$0.isTexture })
    else { return }
    findings.add(
      "stri claims both eyes; layer \(layer.layerID) is \(layer.role)", at: track.stereo.$viewInformation,
      found: "AuxId \(layer.auxiliaryID)", wanted: "AuxId 0")
  }
}
