// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A prediction block: where it is, and which part of its coding unit.
@usableFromInline
package struct PredictionBlock {
  @usableFromInline package var x: Int
  @usableFromInline package var y: Int
  @usableFromInline package var width: Int
  @usableFromInline package var height: Int
  /// partIdx
  @usableFromInline package var part: Int

  @inlinable
  package init(x: Int, y: Int, width: Int, height: Int, part: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
    self.part = part
  }
}
