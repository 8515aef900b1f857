// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let movieExtendsFirst = Rule(
    "MV072", .warning, "mvex stands in front of a track",
    source: "RFC 8216, 3.3", for: [.hls],
    why: "HLS asks for mvex behind the last trak. A parser that goes through moov once meets the defaults of "
      + "tracks that it does not know yet. Many do not mind.",
    mend: "Write mvex as the last box of moov, behind all tracks."
  ) { (context: RuleContext, findings: inout FindingSink) in
    guard let moov = context.movie.tree?.first("moov"),
      let defaults = moov.children.firstIndex(where: { $0.type == "mvex" }),
      let track = moov.children.lastIndex(where: { $0.type == "trak" }), defaults < track
    else { return }
    findings.add(
      "mvex stands in front of a trak", path: "moov/mvex", offset: moov.children[defaults].offset,
      found: "mvex, trak", wanted: "trak, mvex")
  }
}
