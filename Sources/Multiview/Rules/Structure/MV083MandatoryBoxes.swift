// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let mandatoryBoxes = Rule(
    "MV083", .error, "A box that every movie has to have is missing",
    source: "ISO/IEC 14496-12, 6.2.3 (table 1)", for: [.spatial, .stereo, .immersive, .hls, .iso],
    why:
      "Without headers, handler, data reference or sample description a player does not know what the track "
      + "is, how long it lasts or where its samples are. It refuses the movie.",
    mend: "Write the movie anew by muxing again: the missing box cannot be guessed by a player."
  ) { (context: RuleContext, findings: inout FindingSink) in
    // A compressed movie header and a reference movie of QuickTime have nothing else in moov.
    guard let moov = context.movie.tree?.first("moov"), moov.first("cmov") == nil, moov.first("rmra") == nil
    else { return }
    func ask(_ box: Box, _ path: String) {
      for type in Rule.mandatoryTypes(in: box) where box.first(type) == nil {
        findings.add("'\(box.type)' has no '\(type)'", path: path, offset: box.offset, wanted: "\(type)")
      }
      BoxPath.forEachSibling(box.children) { child, name, _ in
        if Rule.asked.contains(child.type) { ask(child, "\(path)/\(name)") }
      }
    }
    ask(moov, "moov")
  }
}

extension Rule {
  /// The boxes of which the content is asked for, below one another.
  fileprivate static let asked: Set<FourCC> = ["trak", "mdia", "minf", "dinf", "stbl"]

  /// What has to be in a box. The sample tables are asked for by the rule on them.
  fileprivate static func mandatoryTypes(in box: Box) -> [FourCC] {
    switch box.type {
    case "moov": ["mvhd"]
    case "trak": ["tkhd", "mdia"]
    case "mdia": ["mdhd", "hdlr", "minf"]
    case "minf": ["dinf", "stbl"]
    case "dinf": ["dref"]
    case "stbl": ["stsd"]
    default: []
    }
  }
}
