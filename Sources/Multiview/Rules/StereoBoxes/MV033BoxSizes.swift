// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let boxSizes = Rule(
    "MV033", .warning, "A stereo box has another size than some readers insist on",
    source: "FFmpeg, mov_read_vexu and its like; GPAC",
    .observed, for: [.spatial, .stereo, .immersive],
    why: "FFmpeg rejects hero, cams, cmfy and hfov of other sizes, and GPAC reads eyes only where stri has "
      + "13 bytes and comes first. Padding or further boxes in them make the movie unreadable there.",
    mend: "Write stri and hero with 13 bytes, blin and dadj with 16, cams and cmfy with 24, hfov with 12; "
      + "put further boxes elsewhere."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for box in track.description?.box.children ?? [] where box.type == "hfov" || box.type == "vexu" {
      compareSizes(of: box, "\(track.path)/\(box.type)", &findings)
    }
  }
}

extension Rule {
  /// Looks at a box and those in it.
  private static func compareSizes(of box: Box, _ path: String, _ findings: inout FindingSink) {
    if let size = fixedSizes[box.type], box.size != size, box.registration != nil, !box.isLens {
      findings.add(
        "'\(box.type)' has \(box.size) bytes", path: path, offset: box.offset, found: "\(box.size)",
        wanted: "\(size)")
    }
    for child in box.children { compareSizes(of: child, "\(path)/\(child.type)", &findings) }
  }

  fileprivate static let fixedSizes: [FourCC: Int] = [
    "stri": 13, "hero": 13, "blin": 16, "dadj": 16, "cams": 24, "cmfy": 24, "hfov": 12, "prji": 16,
    "pkin": 16,
  ]
}

extension Box {
  /// Whether a camera system is described by its lenses too, which makes it longer by right.
  fileprivate var isLens: Bool { type == "cams" && first("lnsc") != nil }
}
