// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let referenceDisplaysAbsent = Rule(
    "MV046", .warning, "Nothing in the bitstream says which view is for which eye",
    source: "Apple HEVC Stereo Video Interoperability Profile, Annex A; GPAC pull request 2864",
    .observed, for: [.spatial, .stereo],
    why: "The SEI message on 3D reference displays (176) names the views of the eyes. Without it the first "
      + "view is taken for the left eye, rightly or not; Vision Pro is reported to want the message.",
    mend: "Encode with the message, or add it to the SEI array of hvcC: left_view_id and right_view_id are "
      + "view_id_val of the VPS."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.isMultiview, track.claimsBothEyes, !track.hasReferenceDisplays,
      track.analysis.firstSampleGap == nil, track.analysis.damagedEyeMessage == nil
    else { return }
    findings.add(
      "there is no 3D reference displays message, neither in hvcC nor in the first sample",
      at: track.place(of: "hvcC"), wanted: "SEI 176")
  }
}
