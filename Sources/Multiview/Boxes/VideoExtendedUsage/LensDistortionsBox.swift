// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `ldst`: the radial and tangential distortion of a lens.
public struct LensDistortionsBox: FullBox {
  public static let info = BoxInfo(
    ["ldst"], name: "lens distortions", in: [.box("lens")],
    "Apple Spatial and Immersive Media – Format additions, 1.9.8",
    "The radial and tangential distortion of a lens.", versions: 0...0)

  /// 0x1: the limit is present.
  public var flags: UInt32 = 0
  /// The first radial coefficient.
  public var k1: Binary32 = 0
  /// The second radial coefficient.
  public var k2: Binary32 = 0
  /// The first tangential coefficient.
  public var p1: Binary32 = 0
  /// The second tangential coefficient.
  public var p2: Binary32 = 0
  /// The angle from the optical axis up to which the lens was calibrated, in degrees.
  public var calibrationLimitRadialAngle: Binary32?

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.binary32("k1", &k1)
    try c.binary32("k2", &k2)
    try c.binary32("p1", &p1)
    try c.binary32("p2", &p2)
    try c.binary32("calibration_limit_radial_angle", &calibrationLimitRadialAngle, if: flags & 0x1 != 0)
  }
}
