// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let externalMedia = Rule(
    "MV086", .error, "The samples stand in another file",
    source: "RFC 8216, 3.3; ISO/IEC 14496-12, 8.7.2", for: [.spatial, .stereo, .immersive, .hls],
    why: "The data reference of the track names another file. HLS forbids it, and elsewhere the movie plays "
      + "only where that file is found; what is told of the samples here is read from the wrong file.",
    mend: "Make the movie self-contained: save it again with its media. If the samples are here, write the "
      + "entry of dref with flag 1 and no location."
  ) { (context: RuleContext, findings: inout FindingSink) in
    for track in context.movie.tracks {
      guard let description = track.formatDescriptions.first,
        let reference = track.externalReference(of: description), reference.namesAnotherFile
      else { continue }
      findings.trackID = track.id
      findings.add(
        "the data reference '\(reference.type)' names another file",
        path: "\(track.path)/mdia/minf/dinf/dref/\(reference.type)", offset: reference.offset,
        found: "flags 0",
        wanted: "flags 1")
    }
    findings.trackID = nil
  }
}
