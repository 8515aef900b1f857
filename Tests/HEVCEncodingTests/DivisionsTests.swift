// swift-multiview · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import HEVCEncoding

@Suite struct DivisionsTests {
  /// The deepest of the blocks of 8x8 that a block and four samples beside it touch, wherever it is.
  @Test func deepestOfABlock() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      let columns = Int.random(in: 1...12, using: &random), rows = Int.random(in: 1...9, using: &random)
      let depths = (0..<(columns * rows)).map { _ in UInt8.random(in: 0...3, using: &random) }
      let divisions = Divisions(columns: columns, rows: rows, depths: depths)
      let size = 8 << Int.random(in: 0...3, using: &random)
      let x = Int.random(in: -40...(columns * 8 + 40), using: &random)
      let y = 8 * Int.random(in: 0..<rows, using: &random)
      var expected: UInt8 = 0
      for line in y..<(y + size) {
        for place in (x - 4)..<(x + size + 4) {
          // Outside, what is nearest counts.
          let column = min(max(0, place), columns * 8 - 1) / 8, row = min(line, rows * 8 - 1) / 8
          expected = max(expected, depths[row * columns + column])
        }
      }
      #expect(divisions.deepest(x, y, size) == Int(expected))
    }
  }
}
