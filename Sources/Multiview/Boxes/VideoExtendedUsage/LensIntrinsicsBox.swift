// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `lnin`: the focal lengths and the principal point of a lens, as binary fixed-point numbers.
public struct LensIntrinsicsBox: FullBox {
  public static let info = BoxInfo(
    ["lnin"], name: "lens intrinsics", in: [.box("lens")],
    "Apple Spatial and Immersive Media – Format additions, 1.9.8",
    "The focal lengths and the principal point of a lens, as binary fixed-point numbers.", versions: 0...0)

  /// 0x1: the vertical focal length and the skew are present. 0x2: the projection offset is present.
  public var flags: UInt32 = 0
  /// The numerators are divided by 2 to this power.
  public var denominatorShiftOperand: Int16 = 0
  /// The numerator of the skew is divided by 2 to this power.
  public var skewDenominatorShiftOperand: Int16 = 0
  /// The horizontal focal length.
  public var focalLengthX: Int32 = 0
  /// The principal point, horizontally.
  public var principalPointX: Int32 = 0
  /// The principal point, vertically.
  public var principalPointY: Int32 = 0
  /// The vertical focal length; `nil` if it equals the horizontal one.
  public var focalLengthY: Int32?
  /// The skew; `nil` if there is none.
  public var skewFactor: Int32?
  /// The shift of the projection centre along the optical axis.
  public var projectionOffset: Binary32?

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.i16("denominator_shift_operand", &denominatorShiftOperand)
    try c.i16("skew_denominator_shift_operand", &skewDenominatorShiftOperand)
    try c.i32("focal_length_x", &focalLengthX)
    try c.i32("principal_point_x", &principalPointX)
    try c.i32("principal_point_y", &principalPointY)
    try c.i("focal_length_y", &focalLengthY, 32, if: flags & 0x1 != 0)
    try c.i("skew_factor", &skewFactor, 32, if: flags & 0x1 != 0)
    try c.binary32("projection_offset", &projectionOffset, if: flags & 0x2 != 0)
  }
}
