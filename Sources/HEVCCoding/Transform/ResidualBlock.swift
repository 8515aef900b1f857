// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// What is known about a transform block once its coefficients are decoded.
@usableFromInline
package struct ResidualBlock {
  /// cIdx
  @usableFromInline package var component: Int
  /// Log2 of nTbS.
  @usableFromInline package var log2Size: Int
  /// `transform_skip_flag`
  @usableFromInline package var isSkipped = false
  /// cu_transquant_bypass_flag
  @usableFromInline package var isBypassed: Bool
  /// Whether samples are differences to the one on their left.
  @usableFromInline package var isHorizontalRDPCM = false
  /// Whether samples are differences to the one above them.
  @usableFromInline package var isVerticalRDPCM = false
  /// Whether the transform is the one for small luma blocks. 8.6.4.2
  @usableFromInline package var isSine: Bool
  /// Whether the coefficients of a 4x4 block are rotated by 180 degrees.
  @usableFromInline package var isRotated: Bool
  /// All coefficients after this column are 0.
  @usableFromInline package var lastColumn = 0
  /// All coefficients below this row are 0.
  @usableFromInline package var lastRow = 0

  @inlinable
  package init(component: Int, log2Size: Int, isBypassed: Bool, isSine: Bool, isRotated: Bool) {
    self.component = component
    self.log2Size = log2Size
    self.isBypassed = isBypassed
    self.isSine = isSine
    self.isRotated = isRotated
  }
}
