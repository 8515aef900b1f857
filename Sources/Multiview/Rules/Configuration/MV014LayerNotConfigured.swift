// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

extension Rule {
  static let layerNotConfigured = Rule(
    "MV014", .error, "Samples hold a second layer, but there is no lhvC",
    source: "ISO/IEC 14496-15, 9.5.3; reports of streams copied by programs that know one layer",
    .observed, for: [.spatial, .stereo, .hls],
    why: "Without lhvC players ignore the second layer, or show its pictures as further frames of the "
      + "first: the movie is flat, or stutters.",
    mend: "Mux again with a program that writes lhvC, for instance MP4Box. Adding vexu alone does not help."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.description != nil, !track.hasLayeredConfiguration, !track.isFramePacked else { return }
    let census = track.census
    for layer in track.analysis.layers where layer.isTexture && layer.layerID > 0 {
      guard let first = census.layers[layer.layerID]?.first else { continue }
      findings.add(
        "samples hold pictures of layer \(layer.layerID)", path: track.path, offset: first.offset,
        sample: first.sample, wanted: "lhvC")
    }
  }
}
