// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import TestSupport
import Testing

@Suite struct SiblingNamesTests {
  /// Some of the children have the steps that they have among all of them.
  @Test(arguments: 0..<20 as Range<UInt64>) func someAreNamedAsAllAre(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let types: [FourCC] = ["trak", "udta", "free", "uuid"]
    let boxes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
      Box(types[Int.random(in: 0..<Int(seed % 4 + 1), using: &generator)])
    }
    var names: [String] = []
    BoxPath.forEachSibling(boxes) { _, name, _ in names.append(name) }
    #expect(names.count == boxes.count)
    for wanted in [["trak"], ["free", "udta"], types, []] {
      var found: [String] = []
      BoxPath.forEachSibling(boxes, where: { wanted.contains($0[$1].type) }) { index, name in
        #expect(name == names[index])
        found.append(name)
      }
      #expect(found == names.indices.filter { wanted.contains(boxes[$0].type) }.map { names[$0] })
    }
  }
}
