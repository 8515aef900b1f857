// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let entryCount = Rule(
    "MV091", .warning, "A box promises more entries than it has",
    source: "ISO/IEC 14496-12, 8.5.2 and 8.7.2", for: [.iso],
    why:
      "Readers that go by entry_count look for a sample description, or a data reference, behind the end of "
      + "the box.",
    mend: "Write the number of entries that are there."
  ) { (context: RuleContext, findings: inout FindingSink) in
    for track in context.movie.tracks {
      findings.trackID = track.id
      let lists: [(path: String, count: UInt32?)] = [
        (
          "mdia/minf/stbl/stsd",
          track.box?["mdia/minf/stbl/stsd"]?.payload(SampleDescriptionBox.self)?.entryCount
        ),
        (
          "mdia/minf/dinf/dref", track.box?["mdia/minf/dinf/dref"]?.payload(DataReferenceBox.self)?.entryCount
        ),
      ]
      for (path, count) in lists {
        guard let count, let box = BoxPath(path).flatMap({ track.box?[$0] }),
          count > UInt32(clamping: box.children.count)
        else { continue }
        findings.add(
          "entry_count is \(count), \(box.children.count) are there", path: "\(track.path)/\(path)",
          offset: box.offset, found: "\(count)", wanted: "\(box.children.count)")
      }
    }
    findings.trackID = nil
  }
}
