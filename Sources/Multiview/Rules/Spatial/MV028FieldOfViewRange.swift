// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let fieldOfViewRange = Rule(
    "MV028", .error, "hfov is out of range",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8",
    .inferred, for: [.spatial, .immersive],
    why: "No picture is wider than the full circle, and a flat one is less than half of it. Values in "
      + "degrees or in radians instead of thousandths of a degree are the usual cause.",
    mend: "Write thousandths of a degree: 63.4° is 63400."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let value = track.stereo.horizontalFieldOfView, value.rawValue > 0 else { return }
    let place = track.stereo.$horizontalFieldOfView
    if value.rawValue > 360_000 {
      findings.add("hfov is \(value.rawValue)", at: place, found: "\(value.rawValue)", wanted: "1 to 360000")
    } else if track.isKnownFlat, value.rawValue >= 180_000 {
      findings.add(
        "hfov is \(value.rawValue), and the picture is flat", at: place, found: "\(value.rawValue)",
        wanted: "less than 180000")
    } else if value.rawValue < 1_000 {
      findings.add(
        "hfov is \(value.rawValue): less than one degree", at: place, found: "\(value.rawValue)",
        wanted: "thousandths of a degree")
    }
  }
}
