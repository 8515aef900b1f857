// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let syncSample = Rule(
    "MV056", .warning, "A sync sample is no random access point",
    source: "ISO/IEC 14496-15, 8.4.3", for: [.hls, .iso],
    why: "Players start decoding at sync samples. One whose base layer depends on earlier pictures shows "
      + "garbage after each seek.",
    mend: "Correct stss, or the flags of the fragments: list samples whose base layer is IDR, CRA or BLA "
      + "only."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let found = track.census.syncWithoutAccess else { return }
    findings.add(
      "\(found.count) sync samples, the first is sample \(found.sample): \(found.detail)", path: track.path,
      offset: found.offset, sample: found.sample, found: found.detail, wanted: "IDR, CRA or BLA")
  }
}
