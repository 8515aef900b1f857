// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

extension Rule {
  static let layerInSomeSamples = Rule(
    "MV013", .error, "Some samples lack a layer that others have",
    source: "ISO/IEC 14496-15, 9.6; Apple HEVC Stereo Video Interoperability Profile",
    for: [.spatial, .stereo, .hls],
    why: "Each sample has to hold a picture of each layer, else one eye freezes or the decoder loses the "
      + "reference it predicts from.",
    mend: "Mux again from the elementary stream, so that each access unit becomes one sample. Trimming "
      + "tools that do not know layers cause this."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.carriesSecondView, !track.hasViewElsewhere, track.description?.isEnhancementOnly != true
    else { return }
    let census = track.census
    for layer in track.views.map(\.layerID) {
      guard let gap = census.withoutLayer[layer] else { continue }
      findings.add(
        "\(gap.count) of \(census.lookedAt) samples lack layer \(layer), the first is sample \(gap.sample)",
        path: track.path, offset: gap.offset, sample: gap.sample, found: gap.detail, wanted: "layer \(layer)")
    }
  }
}
