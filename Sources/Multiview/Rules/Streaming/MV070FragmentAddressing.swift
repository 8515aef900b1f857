// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let fragmentAddressing = Rule(
    "MV070", .error, "Fragments do not place their samples relative to themselves",
    source: "RFC 8216, 3.3; ISO/IEC 14496-12, 8.8.7", for: [.hls],
    why: "A segment is loaded by itself. Offsets that count from the beginning of the file, or from the "
      + "data of another track, lead nowhere in it; Media Source Extensions refuse it, too.",
    mend: "Leave base_data_offset out of tfhd and set default-base-is-moof (0x020000), with data_offset "
      + "of trun counted from moof. FFmpeg does so with -movflags cmaf."
  ) { (context: RuleContext, findings: inout FindingSink) in
    let faults = context.fragmentFaults { _, header, isFirst in
      if let base = header.baseDataOffset { return "base_data_offset \(base)" }
      // Where nothing is said the first fragment counts from its moof all the same.
      return isFirst || header.isDefaultBaseMoof ? nil : "no default-base-is-moof"
    }
    for fault in faults {
      findings.trackID = fault.trackID
      let isAbsolute = fault.found.hasPrefix("base_data_offset")
      let origin = isAbsolute ? "the beginning of the file" : "the data of the track before"
      findings.add(
        "\(fault.subject) \(fault.count == 1 ? "counts" : "count") from \(origin)",
        path: fault.path + "/tfhd",
        offset: fault.headerOffset, found: fault.found, wanted: "default-base-is-moof")
    }
    findings.trackID = nil
  }
}
