// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let disparityRange = Rule(
    "MV029", .error, "dadj is out of range",
    source: "Apple, HorizontalDisparityAdjustment: −10000 to 10000", for: [.spatial],
    why: "The shift is a part of the width of the picture, at most the whole of it. Readers that take more "
      + "clip it, or refuse the value.",
    mend: "Write ten-thousandths of the width, signed: 2 % is 200."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let value = track.stereo.disparityAdjustment, !value.isLegal else { return }
    findings.add(
      "dadj is \(value.rawValue)", at: track.stereo.$disparityAdjustment, found: "\(value.rawValue)",
      wanted: "-10000 to 10000")
  }
}
