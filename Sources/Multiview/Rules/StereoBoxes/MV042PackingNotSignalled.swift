// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let packingNotSignalled = Rule(
    "MV042", .warning, "The picture holds two views, but only others than Apple are told",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8; ISO/IEC 23008-2, D.2.16; Spherical "
      + "Video V2", for: [.stereo],
    why: "The bitstream, or a box of Google, says that the picture holds two views. Apple platforms read "
      + "vexu only and show the two halves side by side.",
    mend: "Add vexu with eyes/stri for both eyes and pack/pkin: side or over."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.stereo.eyes != true, let packing = StereoPacking(track) else { return }
    findings.add(
      "\(packing.source) says that the picture holds two views, \(packing.packing)",
      at: packing.place ?? track.place,
      found: "no pkin", wanted: packing.packing.rawValue.description)
  }
}
