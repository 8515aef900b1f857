// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let misplacedBox = Rule(
    "MV034", .error, "A stereo box stands where readers do not look for it",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8",
    for: [.spatial, .stereo, .immersive],
    why: "Readers find these boxes by their place. vexu and hfov belong into the sample entry, beside one "
      + "another; eyes, proj and pack into vexu; blin into cams, dadj into cmfy, prji into proj, pkin into pack.",
    mend: "Move the box to its place. mvdump explain with the type tells where that is."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for item in track.stereo.diagnostics where item.code == "misplaced-box" {
      findings.add(aboutStereoBox: item)
    }
    track.forEachBoxOutside { box, path in
      let need = StereoBoxNeed(path: "\(box.type)")
      findings.add(
        "'\(box.type)' stands where readers will not find it", path: "\(path)/\(box.type)",
        offset: box.offset,
        severity: need.severity, targets: need.targets)
    }
  }
}

extension TrackFacts {
  /// Boxes of the family that stand around the sample entry, or in it where `vexu` should be around them.
  fileprivate func forEachBoxOutside(_ body: (Box, _ pathAround: String) -> Void) {
    let inExtension: Set<FourCC> = [
      "eyes", "stri", "hero", "cams", "blin", "cmfy", "dadj", "proj", "prji", "pack", "pkin",
    ]
    for box in description?.box.children ?? [] where inExtension.contains(box.type) { body(box, path) }
    for steps in ["", "/mdia", "/mdia/minf", "/mdia/minf/stbl"] {
      let surrounding = steps.isEmpty ? track.box : BoxPath(steps).flatMap { track.box?[$0] }
      for box in surrounding?.children ?? [] where ["vexu", "hfov", "eyes"].contains(box.type) {
        body(box, "\(track.path)\(steps)")
      }
    }
  }
}
