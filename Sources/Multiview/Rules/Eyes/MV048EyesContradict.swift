// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let eyesContradict = Rule(
    "MV048", .warning, "Statements about the eyes contradict one another",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8; ISO/IEC 23008-2, G.14.2.3",
    for: [.spatial, .stereo],
    why: "Left and right are told by the SEI message, by stri and by hero. Where they cannot all be true, "
      + "players that go by different ones swap the eyes, which hurts.",
    mend: "mvdump eyes shows the chain of evidence. Correct the statement that is wrong; the SEI message is "
      + "the one that names layers."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for item in track.analysis.eyes.contradictions
    where track.views.count > 1 && item.severity > .note && item.code != "eye-view-missing"
      && item.code != "stri-one-eye" && item.code != "eyes-share-view"
    {
      let isHero = item.code == "hero-absent" || item.code == "hero-reserved"
      let place = isHero ? track.stereo.$heroEye : track.stereo.$viewInformation
      findings.add(item.message, at: place ?? track.place(of: "hvcC"))
    }
  }
}
