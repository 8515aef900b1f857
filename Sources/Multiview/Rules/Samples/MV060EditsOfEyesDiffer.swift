// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let editsOfEyesDiffer = Rule(
    "MV060", .error, "The tracks of the two views have different edit lists",
    source: "ISO/IEC 14496-12, 8.6.6", for: [.spatial, .stereo, .iso],
    why: "The samples of the tracks belong together by their decode times, and edits shift when they are "
      + "shown: with different ones the eyes see different moments.",
    mend: "Give both tracks the same elst."
  ) { (context: RuleContext, findings: inout FindingSink) in
    for (first, second) in context.eyeTracks {
      let lists = [first, second].map(\.track.edits)
      guard !lists[0].tellsTheSame(as: lists[1]) else { continue }
      findings.trackID = second.track.id
      findings.add(
        "track \(first.track.id) and track \(second.track.id) are shifted differently",
        at: second.place(below: "edts/elst"), found: lists[1].entriesText,
        wanted: lists[0].entriesText)
    }
    findings.trackID = nil
  }
}
