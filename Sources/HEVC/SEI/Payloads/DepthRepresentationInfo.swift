// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `depth_representation_info` (177): what the samples of a depth layer mean. ISO/IEC 23008-2, G.14.2.4
public struct DepthRepresentationInfo: SEIPayload {
  public static let payloadType = SEIPayloadType(177)
  public static let specification: StaticString = "ISO/IEC 23008-2, G.14.2.4"
  public static let summary: StaticString = "What the samples of a depth layer mean."

  /// A distance or a disparity, as a floating-point number.
  public struct Element: FieldLayout {
    /// Whether it is negative (`da_sign_flag`).
    public var isNegative = false
    /// The exponent; 127 is reserved (`da_exponent`).
    public var exponent: UInt8 = 0
    /// The number of bits of the mantissa, less 1 (`da_mantissa_len_minus1`).
    public var mantissaLengthMinus1: UInt8 = 0
    /// The mantissa (`da_mantissa`).
    public var mantissa: UInt32 = 0

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.flag("da_sign_flag", &isNegative)
      try c.u("da_exponent", &exponent, 7)
      try c.u("da_mantissa_len_minus1", &mantissaLengthMinus1, 5)
      try c.u("da_mantissa", &mantissa, Int(mantissaLengthMinus1) + 1)
    }

    /// The value of the number.
    public var value: Double {
      let length = Int(mantissaLengthMinus1) + 1
      let fraction = Double(sign: .plus, exponent: -length, significand: Double(mantissa))
      let magnitude =
        exponent == 0
        ? Double(sign: .plus, exponent: -30, significand: fraction)
        : Double(sign: .plus, exponent: Int(exponent) - 31, significand: 1 + fraction)
      return isNegative ? -magnitude : magnitude
    }
  }

  /// Whether the distance of the nearest point is given (`z_near_flag`).
  public var hasNear = false
  /// Whether the distance of the farthest point is given (`z_far_flag`).
  public var hasFar = false
  /// Whether the smallest disparity is given (`d_min_flag`).
  public var hasMinimumDisparity = false
  /// Whether the largest disparity is given (`d_max_flag`).
  public var hasMaximumDisparity = false
  /// Whether samples are distances or disparities, and on which scale (`depth_representation_type`).
  public var type: UInt32 = 0
  /// The view to which disparities refer; `nil` if absent (`disparity_ref_view_id`).
  public var disparityReferenceViewID: UInt32?
  /// The distance of the nearest point; `nil` if not given.
  public var near: Element?
  /// The distance of the farthest point; `nil` if not given.
  public var far: Element?
  /// The smallest disparity; `nil` if not given.
  public var minimumDisparity: Element?
  /// The largest disparity; `nil` if not given.
  public var maximumDisparity: Element?
  /// The number of points of the nonlinear mapping, less 1; `nil` if absent
  /// (`depth_nonlinear_representation_num_minus1`).
  public var modelCountMinus1: UInt32?
  /// The points of the nonlinear mapping (`depth_nonlinear_representation_model`).
  public var model: [UInt32] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("z_near_flag", &hasNear)
    try c.flag("z_far_flag", &hasFar)
    try c.flag("d_min_flag", &hasMinimumDisparity)
    try c.flag("d_max_flag", &hasMaximumDisparity)
    try c.ue("depth_representation_type", &type, in: 0...15)
    try c.ue(
      "disparity_ref_view_id", &disparityReferenceViewID, if: hasMinimumDisparity || hasMaximumDisparity,
      in: 0...0xFFFF)
    try c.group("z_near", &near, if: hasNear)
    try c.group("z_far", &far, if: hasFar)
    try c.group("d_min", &minimumDisparity, if: hasMinimumDisparity)
    try c.group("d_max", &maximumDisparity, if: hasMaximumDisparity)
    try c.ue("depth_nonlinear_representation_num_minus1", &modelCountMinus1, if: type == 3, in: 0...62)
    try c.array(
      "depth_nonlinear_representation_model", &model,
      count: modelCountMinus1.map { Int(clamping: $0) + 1 } ?? 0, expGolombIn: 0...65_535)
  }
}
