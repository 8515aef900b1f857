// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let fragmentDecodeTime = Rule(
    "MV069", .error, "A track fragment does not say its decode time (tfdt)",
    source: "RFC 8216, 3.3; ISO/IEC 14496-12, 8.8.12", for: [.hls],
    why: "A player of HLS begins with any segment. Without tfdt it cannot tell when the samples in it are "
      + "to be shown, and sound and picture cannot be brought together.",
    mend: "Write a tfdt into each traf: fragment the movie with a program that makes CMAF or DASH segments."
  ) { (context: RuleContext, findings: inout FindingSink) in
    let faults = context.fragmentFaults { fragment, _, _ in
      fragment.first("tfdt") == nil ? "no tfdt" : nil
    }
    for fault in faults {
      findings.trackID = fault.trackID
      findings.add(
        "\(fault.subject) \(fault.count == 1 ? "has" : "have") no tfdt", path: fault.path,
        offset: fault.offset, wanted: "tfdt")
    }
    findings.trackID = nil
  }
}
