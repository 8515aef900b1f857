// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `lfad`: two polynomials that move the points of the frame.
///
/// They have the form x0 + x1·x + x2·x³, measured from the centre of the frame.
public struct LensFrameAdjustmentBox: FullBox {
  public static let info = BoxInfo(
    ["lfad"], name: "lens frame adjustment", in: [.box("lens")],
    "Apple Spatial and Immersive Media – Format additions, 1.9.8",
    "Two polynomials that move the points of the frame.", versions: 0...0)

  /// The flags of the full box; none are defined.
  public var flags: UInt32 = 0
  /// The constant term, horizontally.
  public var x0: Binary32 = 0
  /// The linear coefficient, horizontally.
  public var x1: Binary32 = 1
  /// The cubic coefficient, horizontally.
  public var x2: Binary32 = 0
  /// The constant term, vertically.
  public var y0: Binary32 = 0
  /// The linear coefficient, vertically.
  public var y1: Binary32 = 1
  /// The cubic coefficient, vertically.
  public var y2: Binary32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.binary32("X0", &x0)
    try c.binary32("X1", &x1)
    try c.binary32("X2", &x2)
    try c.binary32("Y0", &y0)
    try c.binary32("Y1", &y1)
    try c.binary32("Y2", &y2)
  }
}
