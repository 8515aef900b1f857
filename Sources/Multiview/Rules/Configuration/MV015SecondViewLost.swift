// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let secondViewLost = Rule(
    "MV015", .error, "Two eyes are claimed, but the second layer has no lhvC",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8; Apple HEVC Stereo Video "
      + "Interoperability Profile", for: [.spatial, .stereo, .hls],
    why: "vexu promises an eye that cannot be decoded: the layer is described by the VPS, but its SPS and "
      + "PPS are gone. A remux by a program that keeps vexu and drops lhvC leaves this.",
    mend: "Go back to the original and mux it with a program that keeps lhvC. If the original is gone, the "
      + "second view is lost: take vexu away."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.claimsBothEyes, track.isHEVC, !track.hasLayeredConfiguration, !track.isFramePacked,
      !track.hasViewElsewhere, track.describesSecondView || track.carriesSecondView
    else { return }
    findings.add(
      "stri claims both eyes; the sample entry has no lhvC", at: track.stereo.$viewInformation,
      found: "no lhvC", wanted: "lhvC")
  }
}
