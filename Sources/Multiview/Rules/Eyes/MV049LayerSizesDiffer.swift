// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

extension Rule {
  static let layerSizesDiffer = Rule(
    "MV049", .error, "The views have different sizes",
    source: "Apple HEVC Stereo Video Interoperability Profile", for: [.spatial, .stereo, .hls],
    why: "Both eyes see pictures of the same size; decoders for stereo are set up for one.",
    mend: "Encode both views in the same size."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    let sized = track.views.compactMap { view in view.croppedSize.map { (view.layerID, $0) } }
    guard track.claimsBothEyes || track.isMultiview, let first = sized.first else { return }
    for (layer, size) in sized.dropFirst() where size != first.1 {
      findings.add(
        "layer \(first.0) is \(first.1), layer \(layer) is \(size)", at: track.place(of: "lhvC"),
        found: "\(size)",
        wanted: "\(first.1)")
    }
  }
}
