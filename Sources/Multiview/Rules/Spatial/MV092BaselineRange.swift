// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let baselineRange = Rule(
    "MV092", .warning, "blin is more than any camera has",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8",
    .inferred, for: [.spatial],
    why:
      "The distance between the lenses is given in micrometres, and tens of metres are a slip in the unit, "
      + "or a value that was never set. Depth that is computed from it is nonsense.",
    mend: "Write the distance in micrometres: 19.24 mm is 19240."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let value = track.stereo.baseline, value.rawValue > 10_000_000 else { return }
    findings.add(
      "blin is \(value.millimeters) mm", at: track.stereo.$baseline, found: "\(value.rawValue)",
      wanted: "micrometres, below 10000000")
  }
}
