// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

extension Rule {
  static let viewsNotSignalled = Rule(
    "MV016", .error, "Two views are coded, and nothing says that they are for two eyes",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8; HLS authoring specification for "
      + "Apple devices, 16.2", for: [.spatial, .stereo, .hls],
    why: "Without vexu/eyes/stri Apple platforms show the base layer alone: the movie is flat, although "
      + "the second view is there.",
    mend: "Add vexu with eyes and stri for both eyes to the sample entry; for spatial video also cams/blin, "
      + "cmfy/dadj and hfov."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.description != nil, track.stereo.eyes != true, !track.isFramePacked, track.isHEVC,
      track.carriesSecondView || track.describesSecondView && track.hasViewElsewhere,
      track.description?.isEnhancementOnly == false
    else { return }
    let what =
      track.carriesSecondView
      ? "the track carries \(track.views.count) views" : "another track has a second view"
    findings.add(
      "\(what); there is no \(track.stereo.videoExtendedUsage == true ? "eyes in vexu" : "vexu")",
      at: track.stereo.$videoExtendedUsage ?? track.place, wanted: "vexu/eyes/stri")
  }
}
