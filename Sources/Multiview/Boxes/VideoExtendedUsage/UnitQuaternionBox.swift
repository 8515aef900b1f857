// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `uqua`: the rotation of a lens, as the imaginary part of a unit quaternion.
public struct UnitQuaternionBox: FullBox {
  public static let info = BoxInfo(
    ["uqua"], name: "unit quaternion", in: [.box("cxfm")],
    "Apple Spatial and Immersive Media – Format additions, 1.9.8",
    "The rotation of a lens, as the imaginary part of a unit quaternion.", versions: 0...0)

  /// The flags of the full box; none are defined.
  public var flags: UInt32 = 0
  /// The first imaginary component.
  public var x: Binary32 = 0
  /// The second imaginary component.
  public var y: Binary32 = 0
  /// The third imaginary component.
  public var z: Binary32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.binary32("x", &x)
    try c.binary32("y", &y)
    try c.binary32("z", &z)
  }
}
