// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

extension Rule {
  static let layerNotInSamples = Rule(
    "MV012", .error, "lhvC is there, but no sample holds the second layer",
    source: "ISO/IEC 14496-15, 9.6; Apple HEVC Stereo Video Interoperability Profile",
    for: [.spatial, .stereo, .iso],
    why: "The configuration promises a second view and the samples never deliver it: the decoder waits for "
      + "it, or shows one eye.",
    mend: "Mux again from a stream that has both layers; or take lhvC and vexu away, and the movie is "
      + "honest 2D."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.hasLayeredConfiguration, track.description?.isEnhancementOnly == false,
      !track.hasViewElsewhere
    else { return }
    let census = track.census
    guard census.lookedAt > 0, census.layers[0] != nil, census.layers.keys.allSatisfy({ $0 == 0 }) else {
      return
    }
    findings.add(
      "none of \(census.lookedAt) samples holds a picture of a layer above 0", at: track.place(of: "lhvC"),
      found: "layer 0", wanted: "layers 0 and 1")
  }
}
