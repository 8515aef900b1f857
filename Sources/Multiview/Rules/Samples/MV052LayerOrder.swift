// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let layerOrder = Rule(
    "MV052", .error, "Layers stand in the wrong order in a sample",
    source: "ISO/IEC 23008-2, F.7.4.2.4.5; ISO/IEC 14496-15, 9.6", for: [.spatial, .stereo, .hls, .iso],
    why: "The second layer is predicted from the first, which has to be decoded before it.",
    mend: "Write the units of a sample in the order of nuh_layer_id."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let found = track.census.layersOutOfOrder else { return }
    findings.add(
      "in \(found.count) samples, the first is sample \(found.sample): \(found.detail)", path: track.path,
      offset: found.offset, sample: found.sample, found: found.detail, wanted: "ascending layers")
  }
}
