// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCCoding

/// How deeply the coding tree units of a picture are divided, by blocks of 8x8: what the picture of the other view at the same time
/// shows is divided much alike.
struct Divisions: Sendable {
  private let columns: Int
  private let rows: Int
  private let depths: [UInt8]

  /// Those of the picture whose decisions are in tables.
  init(_ values: SliceValues, _ tables: PictureTables) {
    columns = (values.width + 7) >> 3
    rows = (values.height + 7) >> 3
    var depths: [UInt8] = []
    depths.reserveCapacity(columns * rows)
    for row in 0..<rows {
      for column in 0..<columns {
        depths.append(tables.info[2 * row * tables.stride + 2 * column] >> BlockInfo.depthShift & 3)
      }
    }
    self.depths = depths
  }

  init(columns: Int, rows: Int, depths: [UInt8]) {
    (self.columns, self.rows, self.depths) = (columns, rows, depths)
  }

  /// The greatest depth in a block, and half a block of 8x8 to both sides of it.
  func deepest(_ x: Int, _ y: Int, _ size: Int) -> Int {
    func clamped(_ place: Int, _ count: Int) -> Int { max(0, min(count &- 1, place &>> 3)) }
    var deepest: UInt8 = 0
    for row in clamped(y, rows)...clamped(y &+ size &- 1, rows) {
      for column in clamped(x &- 4, columns)...clamped(x &+ size &+ 3, columns) {
        deepest = max(deepest, depths[row &* columns &+ column])
      }
    }
    return Int(deepest)
  }
}
