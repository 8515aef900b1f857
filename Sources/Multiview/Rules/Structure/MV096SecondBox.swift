// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Rule {
  static let secondBox = Rule(
    "MV096", .warning, "A box that may be there once is there twice",
    source: "ISO/IEC 14496-12, 6.2.3 (table 1)", for: [.iso],
    why: "Of two movie boxes, or two headers of a track, some readers take the first and some the last: the "
      + "movie is not the same everywhere.",
    mend: "Remove the one that is wrong."
  ) { (context: RuleContext, findings: inout FindingSink) in
    guard let tree = context.movie.tree else { return }
    func ask(_ boxes: [Box], _ types: Set<FourCC>, _ path: String) {
      BoxPath.forEachSibling(boxes) { box, name, number in
        if number == 1, types.contains(box.type) {
          findings.add(
            "there is a second '\(box.type)'", path: path + name, offset: box.offset, wanted: "one")
        }
        if let inner = Rule.singleTypes[box.type] { ask(box.children, inner, path + name + "/") }
      }
    }
    ask(tree.boxes, ["moov"], "")
  }
}

extension Rule {
  /// The boxes that may be there once, by what they stand in.
  fileprivate static let singleTypes: [FourCC: Set<FourCC>] = [
    "moov": ["mvhd", "mvex"], "trak": ["tkhd", "mdia"], "mdia": ["mdhd", "hdlr", "minf"],
    "minf": ["dinf", "stbl"], "stbl": ["stsd", "stts", "stsz", "stsc", "stco"],
  ]
}
