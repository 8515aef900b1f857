// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

extension Rule {
  static let layerSetsAbsent = Rule(
    "MV094", .error, "lhvC lacks parameter sets of the second layer",
    source: "ISO/IEC 14496-15, 8.4.3 and 9.5.3; ISO/IEC 23008-2, 7.4.7.1",
    for: [.spatial, .stereo, .hls, .iso],
    why:
      "The pictures of the layer name a PPS, and that an SPS, that are nowhere to be found. The layer cannot "
      + "be decoded: the movie is flat, or is refused.",
    mend:
      "Put SPS and PPS of the layer into lhvC: mux again from the elementary stream with a program that knows "
      + "layers, for instance MP4Box."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.hasLayeredConfiguration, !track.hasViewElsewhere,
      track.description?.isEnhancementOnly == false
    else { return }
    let named = track.census.withoutSets.filter { $0.key > 0 }.sorted { $0.key < $1.key }
    for (layer, gap) in named {
      findings.add(
        "\(gap.count) pictures of layer \(layer) name parameter sets that are not there",
        at: track.place(of: "lhvC"),
        sample: gap.sample, found: gap.detail, wanted: "SPS and PPS of layer \(layer)")
    }
    // Without pictures to ask: nothing of any layer that the VPS describes.
    if named.isEmpty, track.describesSecondView,
      !track.analysis.layers.contains(where: { $0.layerID > 0 && $0.hasParameterSets })
    {
      findings.add(
        "lhvC has no SPS of a second view", at: track.place(of: "lhvC"),
        wanted: "SPS and PPS of the second layer")
    }
  }
}
