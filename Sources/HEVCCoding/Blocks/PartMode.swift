// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// PartMode. Table 7-10
package enum PartMode: BitwiseCopyable, Sendable {
  /// PART_2Nx2N
  case whole
  /// PART_2NxN
  case halvesOneAbove
  /// PART_Nx2N
  case halvesSideBySide
  /// PART_NxN
  case quarters
  /// PART_2NxnU
  case upperQuarter
  /// PART_2NxnD
  case lowerQuarter
  /// PART_nLx2N
  case leftQuarter
  /// PART_nRx2N
  case rightQuarter

  /// Whether the two parts are side by side.
  package var isVertical: Bool { self == .halvesSideBySide || self == .leftQuarter || self == .rightQuarter }
  /// Whether one of the two parts is above the other.
  package var isHorizontal: Bool { self == .halvesOneAbove || self == .upperQuarter || self == .lowerQuarter }
}
