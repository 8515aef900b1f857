// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let referenceToNoTrack = Rule(
    "MV097", .error, "A reference leads to a track that is not there",
    source: "ISO/IEC 14496-12, 8.3.3; ISO/IEC 14496-15, 9.6 and A.3", for: [.spatial, .stereo, .hls, .iso],
    why:
      "A layer that builds on another track, or takes units from it, cannot be decoded without it. Programs "
      + "that copy one track of several leave such references. Of other kinds only what they told is lost.",
    mend: "Copy the track with those it depends on, or take the reference away where nothing depends on it."
  ) { (context: RuleContext, findings: inout FindingSink) in
    let known = Set(context.movie.tracks.map(\.id))
    for track in context.movie.tracks {
      let boxes = track.box?.first("tref")?.children ?? []
      for ((type, ids), box) in zip(track.references, boxes) {
        let missing = ids.filter { !known.contains($0) }
        guard !missing.isEmpty else { continue }
        let isNeeded = type == "sbas" || type == "scal"
        let list = missing.listed { String($0) }
        findings.trackID = track.id
        findings.add(
          "\(type) names track \(list), which is not there",
          path: "\(track.path)/tref/\(type)", offset: box.offset,
          found: list, wanted: "a track of the movie",
          severity: isNeeded ? .error : .note, targets: isNeeded ? nil : [.iso])
      }
    }
    findings.trackID = nil
  }
}
