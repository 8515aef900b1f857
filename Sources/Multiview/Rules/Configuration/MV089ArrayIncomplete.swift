// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF

extension Rule {
  static let arrayIncomplete = Rule(
    "MV089", .warning, "The entry promises all parameter sets, an array says that there may be more",
    source: "ISO/IEC 14496-15, 8.3.3.1.3 and 8.4.3", for: [.spatial, .stereo, .immersive, .hls, .iso],
    why:
      "With hvc1 array_completeness has to be 1 for parameter sets. A player that believes the 0 looks for "
      + "sets in the samples, or takes the track for hev1.",
    mend:
      "Set array_completeness to 1, if no sample holds parameter sets; otherwise move them into the records."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let description = track.description, ["hvc1", "dvh1"].contains(description.codec) else { return }
    let records: [(FourCC, [NALUnitArray])] = [
      ("hvcC", description.hevcConfiguration?.arrays ?? []),
      ("lhvC", description.layeredConfiguration?.arrays ?? []),
    ]
    for (type, arrays) in records {
      let open = arrays.filter { !$0.arrayCompleteness && $0.nalUnitType.isParameterSet && !$0.units.isEmpty }
      guard !open.isEmpty else { continue }
      findings.add(
        "\(type) does not call its \(open.map(\.nalUnitType.name).joined(separator: ", ")) complete",
        at: track.place(of: type), found: "array_completeness 0", wanted: "1")
    }
  }
}
