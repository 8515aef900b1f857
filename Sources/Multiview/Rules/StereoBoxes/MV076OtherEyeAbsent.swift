// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let otherEyeAbsent = Rule(
    "MV076", .error, "stri does not claim both eyes, and no other track has the missing one",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8", for: [.spatial, .stereo],
    why: "A track that is for one eye is half of a movie: the other eye needs a track whose stri claims it. "
      + "Where it is missing, or both tracks claim the same eye, the movie is shown flat.",
    mend:
      "Let stri of one track claim the left eye (1), that of the other the right (2). If there is but one "
      + "view, take vexu away."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let eyes = track.stereo.stereoView, !track.claimsBothEyes, track.report.stereoKind == .none,
      !track.isMultiview, !track.isFramePacked, !track.hasViewElsewhere,
      !eyes.isEmpty || track.stereo.baseline != nil || track.stereo.disparityAdjustment != nil
    else { return }
    let isShared = track.shared.isClaimed(eyes, otherThanBy: track.track.id)
    findings.add(
      eyes.isEmpty
        ? "stri claims no eye, and the cameras of two are described"
        : "stri claims only \(eyes)" + (isShared ? ", and so does another track" : ""),
      at: track.stereo.$viewInformation, found: "\(track.stereo.viewInformation?.flagBits ?? 0)",
      wanted: "tracks with 1 and 2")
  }
}
