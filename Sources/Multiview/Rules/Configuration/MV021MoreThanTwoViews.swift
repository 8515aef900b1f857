// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

extension Rule {
  static let moreThanTwoViews = Rule(
    "MV021", .warning, "More than two views",
    source: "Apple HEVC Stereo Video Interoperability Profile",
    .observed, for: [.spatial, .stereo],
    why: "Stereo video of Apple has two layers, one for each eye. Which of more views are shown is open.",
    mend: "Extract the two layers that the eyes are to see into a movie of their own."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    let views = track.views
    guard views.count > 2 else { return }
    findings.add(
      "the track carries \(views.count) views, in layers \(views.map { "\($0.layerID)" }.joined(separator: ", "))",
      at: track.place, found: "\(views.count)", wanted: "2")
  }
}
