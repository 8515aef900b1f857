// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let layeredRecordFirst = Rule(
    "MV008", .warning, "lhvC stands before hvcC",
    source: "order seen in all files of AVFoundation",
    .observed, for: [.spatial, .stereo],
    why: "The standard leaves the order open, but readers that walk the sample entry once configure the "
      + "base layer first and drop an lhvC that comes too early.",
    mend: "Write hvcC first, lhvC directly behind it."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let children = track.description?.box.children,
      let base = children.firstIndex(where: { $0.type == "hvcC" }),
      let layered = children.firstIndex(where: { $0.type == "lhvC" }), layered < base
    else { return }
    findings.add(
      "lhvC stands before hvcC", at: track.place(of: "lhvC"), found: "lhvC, hvcC", wanted: "hvcC, lhvC")
  }
}
