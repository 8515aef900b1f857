// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let streamingSampleEntry = Rule(
    "MV068", .warning, "The sample entry is none that HLS prefers for HEVC",
    source: "HLS authoring specification for Apple devices, 1.10", for: [.hls],
    why: "The authoring rules ask for hvc1 or dvh1 rather than hev1 or dvhe, and Safari is reported to "
      + "refuse the others.",
    mend: "Put all parameter sets into hvcC and lhvC, take them out of the samples, and name the entry "
      + "hvc1."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let description = track.description, track.isHEVC, !description.isEnhancementOnly,
      description.codec != "hvc1", description.codec != "dvh1"
    else { return }
    findings.add(
      "the sample entry is '\(description.codec)'", at: track.place, found: "\(description.codec)",
      wanted: "hvc1")
  }
}
