// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let orderCountsDiffer = Rule(
    "MV055", .error, "The layers of a sample are pictures of different times",
    source: "ISO/IEC 23008-2, F.8.3.1", for: [.spatial, .stereo, .hls, .iso],
    why: "All pictures of an access unit have the same order count. Where they differ the eyes see "
      + "different moments, and prediction between the layers takes the wrong picture.",
    mend: "Mux again: the samples of the layers were joined with an offset."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let found = track.census.unequalOrderCounts else { return }
    findings.add(
      "in \(found.count) samples, the first is sample \(found.sample): \(found.detail)", path: track.path,
      offset: found.offset, sample: found.sample, found: found.detail)
  }
}
