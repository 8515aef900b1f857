// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let setsBetweenLayers = Rule(
    "MV051", .warning, "Parameter sets stand between the layers of a sample",
    source: "ISO/IEC 23008-2, F.7.4.2.4.4; FFmpeg loses the second layer of such streams",
    .observed, for: [.spatial, .stereo],
    why: "Parameter sets of the second layer in front of its pictures split the access unit for decoders "
      + "that take them for the start of a new one: the second view is lost.",
    mend: "Move the sets into lhvC and take them out of the samples; with x265 encode with "
      + "--no-repeat-headers."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.isMultiview || track.carriesSecondView, let found = track.census.setsBetweenLayers else {
      return
    }
    findings.add(
      "in \(found.count) samples, the first is sample \(found.sample): \(found.detail)", path: track.path,
      offset: found.offset, sample: found.sample, found: found.detail)
  }
}
