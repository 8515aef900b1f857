// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let eyesShareView = Rule(
    "MV087", .error, "Both eyes are given the same view",
    source: "ISO/IEC 23008-2, G.14.2.3", for: [.spatial, .stereo],
    why: "The message on 3D reference displays decides which view an eye sees. With one view for both the "
      + "picture is flat, and the other layer is decoded for nothing.",
    mend: "Let left_view_id and right_view_id name the two views: the view_id_val of the VPS extension."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.claimsBothEyes, track.isMultiview else { return }
    for item in track.analysis.eyes.contradictions where item.code == "eyes-share-view" {
      findings.add(item.message, at: track.place(of: "hvcC"))
    }
  }
}
