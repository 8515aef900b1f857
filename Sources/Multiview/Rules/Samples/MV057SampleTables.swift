// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let sampleTables = Rule(
    "MV057", .error, "The sample tables disagree",
    source: "ISO/IEC 14496-12, 8.6.1 and 8.7", for: [.spatial, .stereo, .immersive, .hls, .iso],
    why: "Times, sizes and places of samples stand in tables that have to know the same number of samples. "
      + "Readers stop at the shortest, or refuse the track.",
    mend: "Write the tables anew by muxing again."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for item in track.tableDiagnostics where item.severity == .error && Rule.tableCodes.contains(item.code) {
      findings.add(item)
    }
  }
}

extension Rule {
  fileprivate static let tableCodes: Set<Diagnostic.Code> = [
    "missing-sample-table", "sample-count-mismatch", "chunk-run-order", "chunk-out-of-range",
    "sample-description-out-of-range",
  ]
}
