// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A prediction block: where it is, and which part of its coding unit.
package struct PredictionBlock {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int
  /// partIdx
  package var part: Int

  @inlinable
  package init(x: Int, y: Int, width: Int, height: Int, part: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
    self.part = part
  }
}
