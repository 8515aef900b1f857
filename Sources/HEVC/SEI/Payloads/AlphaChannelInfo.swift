// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `alpha_channel_info` (165): how to use the alpha planes of an auxiliary layer. ISO/IEC 23008-2, F.14.2.7
public struct AlphaChannelInfo: SEIPayload {
  public static let payloadType = SEIPayloadType(165)
  public static let specification: StaticString = "ISO/IEC 23008-2, F.14.2.7"
  public static let summary: StaticString = "How to use the alpha planes of an auxiliary layer."

  /// How to use the alpha planes.
  public struct Use: FieldLayout {
    /// Whether colours are multiplied by alpha: 0 to be multiplied, 1 already multiplied, 2 unspecified
    /// (`alpha_channel_use_idc`).
    public var use: UInt8 = 0
    /// The bits of an alpha sample, less 8 (`alpha_channel_bit_depth_minus8`).
    public var bitDepthMinus8: UInt8 = 0
    /// The sample value that is transparent (`alpha_transparent_value`).
    public var transparentValue: UInt32 = 0
    /// The sample value that is opaque (`alpha_opaque_value`).
    public var opaqueValue: UInt32 = 255
    /// Whether samples above the lower of these two values are incremented by 1 before use
    /// (`alpha_channel_incr_flag`).
    public var increments = false
    /// Whether samples are clipped before use (`alpha_channel_clip_flag`).
    public var clips = false
    /// How samples are clipped; `nil` if absent (`alpha_channel_clip_type_flag`).
    public var clipType: Bool?

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u("alpha_channel_use_idc", &use, 3)
      try c.u("alpha_channel_bit_depth_minus8", &bitDepthMinus8, 3)
      try c.u("alpha_transparent_value", &transparentValue, Int(bitDepthMinus8) + 9)
      try c.u("alpha_opaque_value", &opaqueValue, Int(bitDepthMinus8) + 9)
      try c.flag("alpha_channel_incr_flag", &increments)
      try c.flag("alpha_channel_clip_flag", &clips)
      try c.flag("alpha_channel_clip_type_flag", &clipType, if: clips)
    }
  }

  /// Whether the message ends an earlier one (`alpha_channel_cancel_flag`).
  public var cancels = false
  /// How to use the planes; `nil` if the message ends an earlier one.
  public var use: Use? = Use()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("alpha_channel_cancel_flag", &cancels)
    try c.group("use", &use, if: !cancels)
  }
}
