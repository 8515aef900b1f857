// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let additionalViews = Rule(
    "MV093", .warning, "stri claims more than two views, and there are two",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8", for: [.spatial, .stereo],
    why:
      "has_additional_views promises views beside those of the eyes. A player that looks for them finds none.",
    mend: "Clear has_additional_views: the byte of stri is 3, or 11 with the order reversed."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.isMultiview, track.views.count == 2, track.stereo.hasAdditionalViews == true,
      !track.hasViewElsewhere, let bits = track.stereo.viewInformation?.flagBits
    else { return }
    findings.add(
      "stri claims additional views, the track has two", at: track.stereo.$viewInformation, found: "\(bits)",
      wanted: "\(bits & ~4)")
  }
}
