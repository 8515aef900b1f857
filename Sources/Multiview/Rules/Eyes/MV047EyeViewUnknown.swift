// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let eyeViewUnknown = Rule(
    "MV047", .error, "An eye is given a view that does not exist",
    source: "ISO/IEC 23008-2, G.14.2.3 and F.7.4.3.1.1", for: [.spatial, .stereo, .hls, .iso],
    why: "left_view_id and right_view_id have to be among view_id_val of the VPS. Otherwise no layer is "
      + "for that eye.",
    mend: "Make the message name the view identifiers of the VPS extension."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for item in track.analysis.eyes.contradictions where item.code == "eye-view-missing" {
      findings.add(item.message, at: track.place(of: "hvcC"))
    }
  }
}
