// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

extension Rule {
  static let sliceUnreadable = Rule(
    "MV102", .warning, "Headers of slices cannot be read",
    source: "ISO/IEC 23008-2, 7.3.6.1", for: [.spatial, .stereo, .immersive, .hls, .iso],
    why: "The parameter sets are there, and yet what they say does not go with the bits of the picture: it "
      + "is cut short or damaged, or was coded with other sets. A decoder drops it, or shows rubbish.",
    mend: "Make the file again from its source. mvdump nal shows which slices have no type and no order "
      + "count."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    // Where parameter sets are absent or damaged, that is told.
    let unreadable = track.census.unreadableHeaders
    guard !unreadable.isEmpty, !track.lacksBaseSets,
      !track.analysis.diagnostics.contains(where: { $0.severity == .error })
    else { return }
    for (layer, gap) in unreadable.sorted(by: { $0.key < $1.key }) {
      findings.add(
        "\(gap.count) pictures of layer \(layer), the first in sample \(gap.sample)",
        path: track.path, offset: gap.offset, sample: gap.sample, found: gap.detail)
    }
  }
}
