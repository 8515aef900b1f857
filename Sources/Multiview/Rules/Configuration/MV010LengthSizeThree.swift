// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF

extension Rule {
  static let lengthSizeThree = Rule(
    "MV010", .error, "NAL unit lengths of three bytes",
    source: "ISO/IEC 14496-15, 8.3.3.1.2", for: [.spatial, .stereo, .immersive, .hls, .iso],
    why: "Lengths have one, two or four bytes. The value 2 of lengthSizeMinusOne is not allowed, and "
      + "readers reject the record.",
    mend: "Write the samples with lengths of four bytes, and say so in hvcC and lhvC."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    let widths: [(FourCC, Int?)] = [
      ("hvcC", track.description?.hevcConfiguration?.lengthSize),
      ("lhvC", track.description?.layeredConfiguration?.lengthSize),
    ]
    for (type, width) in widths where width == 3 {
      findings.add(
        "\(type) says lengths of 3 bytes", at: track.place(of: type), found: "3", wanted: "1, 2 or 4")
    }
  }
}
