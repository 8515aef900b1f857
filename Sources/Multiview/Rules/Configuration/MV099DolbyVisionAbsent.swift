// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let dolbyVisionAbsent = Rule(
    "MV099", .warning, "The entry is one of Dolby Vision, and nothing configures it",
    source:
      "Dolby Vision Streams within the ISO Base Media File Format, 3.1; HLS authoring specification for "
      + "Apple devices, 1.10", for: [.spatial, .stereo, .immersive, .hls],
    why:
      "dvh1 and dvhe promise Dolby Vision, and profile and level stand in dvcC, dvvC or dvwC. Without the box "
      + "a player cannot choose its decoder, and CODECS cannot be written.",
    mend:
      "Add the configuration box, or name the entry hvc1 where the base layer looks right without Dolby Vision."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    let records: [FourCC] = ["dvcC", "dvvC", "dvwC"]
    guard let description = track.description, ["dvh1", "dvhe"].contains(description.codec),
      records.allSatisfy({ description.box.first($0) == nil })
    else { return }
    findings.add(
      "the entry is '\(description.codec)', and has none of dvcC, dvvC and dvwC", at: track.place,
      found: "\(description.codec)", wanted: "dvvC or dvwC")
  }
}
