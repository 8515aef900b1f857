// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let packedEyes = Rule(
    "MV077", .error, "The picture is packed from two views, and stri does not claim both eyes",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8", for: [.spatial, .stereo],
    why: "pkin tells how two views stand in a picture; for whom they are stri tells. Without both eyes in it "
      + "the picture is shown as it is coded, the two views beside or above one another.",
    mend: "Write eyes with stri for both eyes: the byte is 3, or 11 with the order reversed."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let packing = track.stereo.packing, packing.isFramePacked, !track.claimsBothEyes,
      !track.isMultiview,
      !track.stereo.unreadableBoxes.contains("stri")
    else { return }
    findings.add(
      "pkin is \(packing), and "
        + (track.stereo.viewInformation == nil ? "there is no stri" : "stri does not claim both eyes"),
      at: track.stereo.$viewInformation ?? track.stereo.$packing,
      found: track.stereo.viewInformation.map { "\($0.flagBits)" }, wanted: "3")
  }
}
