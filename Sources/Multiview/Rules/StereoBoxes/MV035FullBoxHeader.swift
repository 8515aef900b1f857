// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let fullBoxHeader = Rule(
    "MV035", .error, "A plain box is written with version and flags",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8",
    for: [.spatial, .stereo, .immersive],
    why: "vexu, eyes, cams, cmfy, proj and pack hold boxes from their ninth byte on. Four bytes of version "
      + "and flags in front of them are read as the size of a box, and nothing in it is found. In hfov they "
      + "are read as the angle.",
    mend: "Write the box without version and flags."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for item in track.stereo.diagnostics where item.code == "full-box-header" {
      findings.add(aboutStereoBox: item)
    }
    if let box = track.fullBoxFieldOfView {
      findings.add(
        "hfov begins with version and flags, which it does not have", path: "\(track.path)/hfov",
        offset: box.offset, found: "\(box.size) bytes", wanted: "12 bytes",
        targets: StereoBoxNeed(path: "hfov").targets)
    }
  }
}

extension TrackFacts {
  /// The box of the field of view, where it is written as a full box: longer by four zeros in front.
  var fullBoxFieldOfView: Box? {
    guard let box = description?.box.first("hfov"), box.body.count == 8,
      box.body.bigEndian(at: 0, width: 4) == 0
    else { return nil }
    return box
  }
}
