// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

extension Rule {
  static let streamingLimits = Rule(
    "MV067", .warning, "More than HLS allows on Apple devices",
    source: "HLS authoring specification for Apple devices, 1.5 to 1.9 and 16", for: [.hls],
    why: "Devices are promised HEVC of at most Main 10, level 5.1, high tier, and 60 pictures a second (90 "
      + "for immersive video). More may be refused.",
    mend: "Encode a variant within the limits."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let record = track.description?.hevcConfiguration else { return }
    let place = track.place(of: "hvcC")
    if record.generalLevelIdc.rawValue > 153 {
      findings.add(
        "the level is \(record.generalLevelIdc.rawValue)", at: place,
        found: "\(record.generalLevelIdc.rawValue)",
        wanted: "at most 153")
    }
    if record.generalProfileIdc.rawValue > 2 {
      findings.add(
        "the profile of the base layer is \(record.generalProfileIdc.rawValue)", at: place,
        found: "\(record.generalProfileIdc.rawValue)", wanted: "1 or 2")
    }
    let limit = track.isProjectionAttempt ? 90.5 : 60.5
    if let rate = track.pictureRate, rate > limit {
      findings.add(
        "there are \(PlaylistAttributes.thousandths(rate)) pictures a second", at: track.place,
        found: PlaylistAttributes.thousandths(rate),
        wanted: track.isProjectionAttempt ? "at most 90" : "at most 60")
    }
  }
}
