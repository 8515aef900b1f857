// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let unevenShift = Rule(
    "MV061", .warning, "Some tracks are shifted by an edit list, the video is not",
    source: "ISO/IEC 14496-12, 8.6.6",
    .inferred, for: [.iso, .hls, .spatial, .stereo, .immersive],
    why: "The first picture is composed late because pictures are reordered. Other tracks of the movie "
      + "have edit lists that take such a delay out, the video has none: sound and picture are apart by "
      + "it.",
    mend: "Give the video an edit whose media_time is its first composition time."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.track.edits.isIdentity, track.shared.someTrackIsShifted,
      let delay = track.firstCompositionTime,
      delay > 0
    else { return }
    findings.add(
      "the first picture is composed at \(delay)/\(track.track.timescale) s, and no edit list takes that out",
      at: track.place(below: "edts/elst"), found: "no elst", wanted: "media_time \(delay)")
  }
}
