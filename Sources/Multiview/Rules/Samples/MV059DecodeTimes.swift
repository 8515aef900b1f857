// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let decodeTimes = Rule(
    "MV059", .error, "Decode times run backwards",
    source: "ISO/IEC 14496-12, 8.6.1.2 and 8.8.12", for: [.spatial, .stereo, .immersive, .hls, .iso],
    why: "Samples stand in the order of decoding, and their times may not go back. Players drop what comes "
      + "too late, or stop.",
    mend: "Correct the deltas of stts, or tfdt of the fragments: deltas are not negative."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for item in track.tableDiagnostics
    where item.code == "negative-sample-delta" || item.code == "time-overflow" {
      findings.add(item)
    }
    guard track.movie.tree?.first("moof") != nil, let back = track.backwardStep else { return }
    findings.add(
      "sample \(back.sample) is decoded at \(back.time), the one before at \(back.previous)",
      path: track.path,
      offset: nil, sample: back.sample, found: "\(back.time)", wanted: "at least \(back.previous)")
  }
}
