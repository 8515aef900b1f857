// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let googleDisagrees = Rule(
    "MV043", .warning, "The boxes of Google say something else than vexu",
    source: "Spherical Video V2; Apple, Spatial and Immersive Media – Format additions 1.9.8",
    for: [.stereo, .immersive],
    why: "Players that go by st3d and sv3d show another picture than those that go by vexu.",
    mend: "Make both say the same, or remove the wrong ones."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let entry = track.description?.box, track.stereo.videoExtendedUsage == true else { return }
    if let box = entry.first("st3d"), let mode = box.payload(Stereoscopic3DBox.self)?.stereoMode {
      let said: ViewPacking = mode == 1 ? .overUnder : mode == 2 ? .sideBySide : .none
      let packing = track.isFramePacked ? track.stereo.packing ?? .none : .none
      if mode <= 2, said != packing {
        findings.add(
          "st3d says \(said), vexu \(packing)", path: "\(track.path)/st3d", offset: box.offset,
          found: "\(mode)",
          wanted: packing.description)
      }
    }
    if let box = entry.first("sv3d"), track.stereo.isRectilinear,
      let kind = box.first("proj")?.children.first(where: { $0.type != "prhd" })
    {
      findings.add(
        "sv3d says a sphere, vexu a flat picture", path: "\(track.path)/sv3d", offset: box.offset,
        found: "\(kind.type)",
        wanted: "the projection of prji")
    }
  }
}
