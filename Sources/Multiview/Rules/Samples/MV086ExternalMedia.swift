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
      guard let entry = track.formatDescriptions.first?.box,
        let index = entry.body.bigEndian(at: 6, width: 2), index > 0,
        let references = track.box?["mdia/minf/dinf/dref"]?.children, index <= UInt64(references.count)
      else { continue }
      let reference = references[Int(clamping: index) - 1]
      guard Rule.namesFile(reference) else { continue }
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

extension Rule {
  /// Whether a data reference is one to a file, and to another than this.
  fileprivate static func namesFile(_ reference: Box) -> Bool {
    let types: Set<FourCC> = ["url ", "urn ", "alis", "rsrc"]
    guard types.contains(reference.type), let header = reference.body.bigEndian(at: 0, width: 4) else {
      return false
    }
    return header & 1 == 0
  }
}
