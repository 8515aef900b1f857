// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let trackExtendsAbsent = Rule(
    "MV065", .error, "A fragmented movie has no trex for a track",
    source: "ISO/IEC 14496-12, 8.8.3", for: [.hls, .iso],
    why: "trex holds what fragments leave out. Without it players refuse the segments of the track.",
    mend: "Add mvex with a trex for each track to moov."
  ) { (context: RuleContext, findings: inout FindingSink) in
    guard let moov = context.movie.tree?.first("moov"), context.isFragmented else { return }
    let known = Set(
      (moov.first("mvex")?.all("trex") ?? []).compactMap { $0.payload(TrackExtendsBox.self)?.trackID })
    for track in context.movie.tracks where !known.contains(track.id) {
      findings.trackID = track.id
      findings.add(
        "track \(track.id) has no trex", path: "moov/mvex", offset: moov.first("mvex")?.offset ?? moov.offset,
        wanted: "trex")
    }
    findings.trackID = nil
  }
}
