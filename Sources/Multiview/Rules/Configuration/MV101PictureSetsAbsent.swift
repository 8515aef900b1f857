// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

extension Rule {
  static let pictureSetsAbsent = Rule(
    "MV101", .error, "Pictures name parameter sets that are not there",
    source: "ISO/IEC 23008-2, 7.4.2.4.2 and 7.4.7.1; ISO/IEC 14496-15, 8.4.3",
    for: [.spatial, .stereo, .immersive, .hls, .iso],
    why: "Each picture names a PPS, and that an SPS. Where one of them is missing the picture cannot be "
      + "decoded.",
    mend: "Put the parameter sets that the pictures were coded with into hvcC, or in front of the stream: "
      + "encode or mux again from the source."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    // They may stand in a track that this one builds on.
    let withoutSets = track.census.withoutSets
    guard !withoutSets.isEmpty, ["sbas", "tbas", "scal"].allSatisfy({ track.track.references($0).isEmpty })
    else { return }
    for (layer, gap) in withoutSets.sorted(by: { $0.key < $1.key }) {
      // Of a record that has none of a kind another rule tells; so it is with other layers of a movie.
      guard layer == 0 ? !track.lacksBaseSets : track.track.isRawStream else { continue }
      findings.add(
        "\(gap.count) pictures of layer \(layer), the first in sample \(gap.sample): \(gap.detail)",
        path: track.path, offset: gap.offset, sample: gap.sample, found: gap.detail,
        wanted: "SPS and PPS of layer \(layer)")
    }
  }
}
