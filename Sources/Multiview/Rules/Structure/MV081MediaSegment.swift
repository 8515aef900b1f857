// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let mediaSegment = Rule(
    "MV081", .note, "The file is a media segment, a part of a movie",
    source: "ISO/IEC 14496-12, 8.16; RFC 8216, 3.3", for: [.spatial, .stereo, .immersive, .hls],
    why: "What its samples are stands in the init segment, with hvcC, lhvC and vexu. Of the segment alone "
      + "nothing can be predicted.",
    mend: "Check the init segment, or both as one file: cat init.mp4 segment.m4s > movie.mp4."
  ) { (context: RuleContext, findings: inout FindingSink) in
    guard context.isMediaSegment, let first = context.movie.tree?.boxes.first else { return }
    findings.add(
      "there are fragments, and no moov", path: "\(first.type)", offset: first.offset,
      wanted: "an init segment")
  }
}
