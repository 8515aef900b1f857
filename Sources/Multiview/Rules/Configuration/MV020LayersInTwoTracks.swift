// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

extension Rule {
  static let layersInTwoTracks = Rule(
    "MV020", .error, "The layers stand in two tracks",
    source: "Apple HEVC Stereo Video Interoperability Profile; files of Apple",
    .observed, for: [.spatial, .stereo],
    why: "Apple platforms take two views from one track only, both layers in each sample. Of a movie with "
      + "the second layer in a track of its own the first track is shown, flat.",
    mend: "Merge the tracks: each sample holds the units of layer 0, then those of layer 1; hvc1 with hvcC, "
      + "lhvC and vexu."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.isHEVC, track.hasViewElsewhere, !track.isMultiview else { return }
    let isSecond = track.description?.isEnhancementOnly == true || track.views.allSatisfy { $0.layerID > 0 }
    guard !isSecond || track.views.isEmpty else { return }
    findings.add(
      "the second layer of this stream is in another track", at: track.place, found: "two tracks",
      wanted: "one track")
  }
}
