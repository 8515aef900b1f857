// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let sampleFraming = Rule(
    "MV053", .error, "Samples are not made of NAL units with lengths",
    source: "ISO/IEC 14496-15, 4.3.2 and 8.3.2", for: [.spatial, .stereo, .immersive, .hls, .iso],
    why: "Each NAL unit stands behind its length, and together they fill the sample. Start codes of a byte "
      + "stream left in, a wrong lengthSizeMinusOne or damaged data make every picture behind "
      + "undecodable.",
    mend: "Mux again from the elementary stream. If only lengthSizeMinusOne is wrong, correct it in hvcC "
      + "and lhvC."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    let census = track.census
    guard let found = census.unframed ?? census.startCodes else { return }
    let hint = census.startCodes == nil ? "" : "; they begin with start codes"
    findings.add(
      "\(found.count) of \(census.lookedAt) samples, the first is sample \(found.sample): \(found.detail)\(hint)",
      path: track.path, offset: found.offset, sample: found.sample)
  }
}
