// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

extension Rule {
  static let lengthSizesDiffer = Rule(
    "MV009", .error, "hvcC and lhvC count NAL unit lengths in different widths",
    source: "ISO/IEC 14496-15, 9.5.3.1.2", for: [.spatial, .stereo, .hls, .iso],
    why: "A sample has one width of lengths for all its layers. A reader that goes by the wrong record "
      + "cuts NAL units in the wrong places and decodes nothing.",
    mend: "Set lengthSizeMinusOne of lhvC to that of hvcC, if the samples are written so."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let base = track.description?.hevcConfiguration,
      let layered = track.description?.layeredConfiguration,
      base.lengthSize != layered.lengthSize
    else { return }
    findings.add(
      "lengths have \(base.lengthSize) bytes by hvcC and \(layered.lengthSize) by lhvC",
      at: track.place(of: "lhvC"), found: "\(layered.lengthSize)", wanted: "\(base.lengthSize)")
  }
}
