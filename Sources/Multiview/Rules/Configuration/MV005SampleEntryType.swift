// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let sampleEntryType = Rule(
    "MV005", .error, "The sample entry is none that Apple players take for HEVC",
    source: "reports from users of QuickTime, Photos and Safari; HLS authoring specification for Apple "
      + "devices, 1.10",
    .observed, for: [.spatial, .stereo, .immersive],
    why: "With hev1, hev2, hvc2 or dvhe QuickTime Player, Photos, Quick Look and Safari refuse the movie: "
      + "they want all parameter sets in the sample entry, which hvc1 and dvh1 promise.",
    mend: "Put all parameter sets into hvcC and lhvC, take them out of the samples, and name the entry "
      + "hvc1. Renaming alone is enough only where the records are complete."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let description = track.description, track.isHEVC, !description.isEnhancementOnly else { return }
    let accepted: Set<FourCC> = ["hvc1", "dvh1"]
    guard !accepted.contains(description.codec) else { return }
    findings.add(
      "the sample entry is '\(description.codec)'", at: track.place, found: "\(description.codec)",
      wanted: "hvc1")
  }
}
