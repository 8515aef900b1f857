// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

extension Rule {
  static let packedWithoutPacking = Rule(
    "MV041", .error, "Two eyes are claimed, one view is coded, and no packing is named",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8", for: [.spatial, .stereo],
    why: "Either the picture holds both views and nothing says how, so that both eyes see the two halves "
      + "side by side; or the second layer was lost in an encoding that knows one.",
    mend: "If the picture holds both views, add pack with pkin: side or over. If it holds one, take vexu "
      + "away."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.claimsBothEyes, !track.isFramePacked, !track.hasViewElsewhere,
      !track.describesSecondView, !track.carriesSecondView,
      track.analysis.layers.allSatisfy(\.isTexture), !track.isHEVC || track.baseSPS != nil
    else { return }
    findings.add(
      "stri claims both eyes; one view is coded, and there is no pkin", at: track.stereo.$viewInformation,
      wanted: "pack/pkin, or a second layer")
  }
}
