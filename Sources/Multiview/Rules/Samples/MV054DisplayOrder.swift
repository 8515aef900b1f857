// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let displayOrder = Rule(
    "MV054", .error, "Pictures are shown in another order than the stream says",
    source: "ISO/IEC 14496-12, 8.6.1.3; ISO/IEC 23008-2, 8.3.1",
    for: [.iso, .hls, .spatial, .stereo, .immersive],
    why: "Composition times have to follow the order counts of the pictures. Muxers that write no ctts for "
      + "a stream with reordered pictures make them jump back and forth.",
    mend: "Mux again with a program that derives composition times from the stream; ctts is what is "
      + "missing."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let found = track.census.disorder else { return }
    findings.add(
      "\(found.count) pictures are out of order, the first in sample \(found.sample): \(found.detail)",
      at: track.place(below: "mdia/minf/stbl/ctts") ?? track.place, sample: found.sample)
  }
}
