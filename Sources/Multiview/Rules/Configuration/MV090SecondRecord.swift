// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let secondRecord = Rule(
    "MV090", .warning, "A configuration record is there twice",
    source: "ISO/IEC 14496-15, 8.4.3 and 9.5.3", for: [.spatial, .stereo, .immersive, .hls, .iso],
    why:
      "Of two records some readers take the first and some the last: they decode with other parameter sets.",
    mend: "Remove the one that is wrong."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let description = track.description else { return }
    for type: FourCC in ["hvcC", "lhvC"] {
      let records = description.box.all(type)
      guard records.count > 1 else { continue }
      findings.add(
        "there are \(records.count) \(type)", path: "\(description.path)/\(type)[1]",
        offset: records[1].offset,
        found: "\(records.count)", wanted: "1")
    }
  }
}
