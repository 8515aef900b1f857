// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let trackNumbers = Rule(
    "MV084", .error, "A track has the number 0, or that of another track",
    source: "ISO/IEC 14496-12, 8.3.2.3", for: [.spatial, .stereo, .immersive, .hls, .iso],
    why: "References and fragments name tracks by track_ID. With 0 or a number that is there twice they lead "
      + "to the wrong track or to none, and players refuse the movie.",
    mend: "Give each track a number of its own, from 1 on, and correct tref, trex and tfhd."
  ) { (context: RuleContext, findings: inout FindingSink) in
    var known: Set<UInt32> = []
    BoxPath.forEachSibling(context.movie.tree?.first("moov")?.children ?? []) { track, name, _ in
      guard track.type == "trak", let header = track.first("tkhd"),
        let id = header.payload(TrackHeaderBox.self)?.trackID
      else { return }
      let isNew = known.insert(id).inserted
      guard id == 0 || !isNew else { return }
      findings.trackID = id
      findings.add(
        id == 0 ? "track_ID is 0" : "another track has track_ID \(id), too", path: "moov/\(name)/tkhd",
        offset: header.offset, found: "\(id)", wanted: "a number of its own")
    }
    findings.trackID = nil
  }
}
