// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let requiredBoxUnknown = Rule(
    "MV032", .warning, "must names a box that is not known",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8",
    for: [.spatial, .stereo, .immersive],
    why: "must lists what a reader has to understand to take the signalling for what it means. One that "
      + "does not know the box has to leave vexu aside: the movie is flat.",
    mend: "Take the name out of must unless the box is really needed, or the whole of must if the list is "
      + "empty then."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for type in track.stereo.unknownRequiredBoxTypes {
      findings.add(
        "must asks for '\(type)'", at: track.stereo.$requiredBoxTypes, found: "\(type)",
        wanted: "a known type")
    }
  }
}
