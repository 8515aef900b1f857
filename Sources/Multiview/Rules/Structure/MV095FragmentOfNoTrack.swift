// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let fragmentOfNoTrack = Rule(
    "MV095", .error, "A fragment is of a track that the movie does not have",
    source: "ISO/IEC 14496-12, 8.8.7; RFC 8216, 3.3", for: [.spatial, .stereo, .immersive, .hls, .iso],
    why:
      "The track_ID of a fragment is that of a track in moov. Samples of another track have no description, "
      + "and players lose them or refuse the movie.",
    mend:
      "Write the track_ID of the track that the samples belong to, or the init segment that has the track."
  ) { (context: RuleContext, findings: inout FindingSink) in
    guard let moov = context.movie.tree?.first("moov") else { return }
    let tracks = moov.children.lazy.filter { $0.type == "trak" }
    let known = Set(tracks.compactMap { $0.first(TrackHeaderBox.self)?.trackID })
    let wanted = known.sorted().prefix(8).map(String.init).joined(separator: ", ")
    for fault in context.fragmentFaults({ _, header, _ in
      known.contains(header.trackID) ? nil : "\(header.trackID)"
    }) {
      findings.add(
        "\(fault.subject), which is not in moov", path: fault.path + "/tfhd", offset: fault.headerOffset,
        found: fault.found, wanted: wanted)
    }
  }
}
