// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A colour by its CIE 1931 coordinates, in the units of the enclosing box or message: 0.00002 in video coding,
/// 1/65536 in the box of VP9.
public struct Chromaticity: Hashable, Sendable {
  /// The coordinate x.
  public var x: UInt16 = 0
  /// The coordinate y.
  public var y: UInt16 = 0

  /// A colour whose coordinates are 0.
  public init() {}

  /// Makes a colour.
  public init(x: UInt16, y: UInt16) {
    self.x = x
    self.y = y
  }
}
