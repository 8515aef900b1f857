// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let movieBoxPresent = Rule(
    "MV003", .error, "There is no movie box that can be read",
    source: "ISO/IEC 14496-12, 8.2.1", for: [.iso],
    why: "Without moov nothing says what the media data is. Recordings that were interrupted lack it; old "
      + "QuickTime movies may have it compressed, which players no longer read.",
    mend: "Recover the recording with the device that made it, or a tool that rebuilds moov after the "
      + "pattern of another recording of it. A compressed one becomes plain when the movie is muxed anew."
  ) { (context: RuleContext, findings: inout FindingSink) in
    guard let tree = context.movie.tree else { return }
    if let compressed = tree["moov/cmov"] {
      findings.add("moov is compressed", path: "moov/cmov", offset: compressed.offset, wanted: "moov/trak")
    }
    guard tree.first("moov") == nil, !context.isImageFile, !context.isMediaSegment else { return }
    findings.add("the file has no moov", path: "", offset: tree.boxes.first?.offset, wanted: "moov")
  }
}
