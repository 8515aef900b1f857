// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let notLayers = Rule(
    "MV080", .note, "The views are no layers: stereo, and not spatial",
    source: "Apple, Creating spatial photos and videos with spatial metadata; FormatDescriptionUtilities in "
      + "the source of WebKit", for: [.spatial],
    why: "Spatial video is MV-HEVC: two layers of one track. Views that share a picture, or stand in two "
      + "tracks, are shown as stereo at most, also where the cameras are described.",
    mend: "For spatial video encode the views as MV-HEVC. For stereo nothing needs to be done."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    let kind = track.report.stereoKind
    let isPacked = kind == .packed || kind == .none && StereoPacking(track) != nil
    guard isPacked || kind == .twoTrack else { return }
    findings.add(
      isPacked ? "the two views share a picture" : "the two views stand in two tracks",
      at: track.stereo.$packing ?? track.stereo.$viewInformation ?? track.place,
      found: isPacked ? "one layer" : "two tracks", wanted: "two layers")
  }
}
