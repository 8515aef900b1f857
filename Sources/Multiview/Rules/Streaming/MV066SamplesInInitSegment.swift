// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let samplesInInitSegment = Rule(
    "MV066", .warning, "The movie box of a fragmented movie lists samples of its own",
    source: "ISO/IEC 23000-19, 7.3.1; RFC 8216, 3.3", for: [.hls],
    why: "An init segment is there for the sample descriptions. What it lists beyond is not part of any "
      + "segment, and players of HLS do not show it.",
    mend: "Fragment the movie from its first sample on."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.movie.container.isFragmented, let table = track.track.box?["mdia/minf/stbl"],
      let count = table.first(TimeToSampleBox.self)?.entries.count, count > 0
    else { return }
    findings.add(
      "stts of moov has \(count) rows", at: track.place(below: "mdia/minf/stbl/stts"), found: "\(count)",
      wanted: "0")
  }
}
