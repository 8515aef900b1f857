// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF

extension Rule {
  static let entrySize = Rule(
    "MV064", .warning, "The sample entry has another size than the pictures",
    source: "ISO/IEC 14496-15, 8.4.2; ISO/IEC 14496-12, 12.1.3",
    for: [.spatial, .stereo, .immersive, .hls, .iso],
    why: "Players lay out by width and height of the sample entry before they decode: with those of the "
      + "coded picture instead of the cropped one a border is shown, or the picture is squeezed.",
    mend: "Write the size inside the conformance window of the SPS into the sample entry."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let visual = track.description?.visual, let size = track.baseSPS?.croppedSize, visual.width > 0,
      visual.height > 0, track.carriesBaseLayer
    else { return }
    let found = PictureSize(width: Int(visual.width), height: Int(visual.height))
    guard found != size else { return }
    findings.add(
      "the sample entry says \(found), the SPS \(size)", at: track.place, found: "\(found)", wanted: "\(size)"
    )
  }
}
