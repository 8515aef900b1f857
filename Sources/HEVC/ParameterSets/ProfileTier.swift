// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// The 88 bits of `profile_tier_level()` that specify a profile and a tier. ISO/IEC 23008-2, 7.3.3
public struct ProfileTier: FieldLayout {
  /// Whether the fields are those of a sub-layer, which determines their names.
  public var isSubLayer = false

  /// The profile space: 0 in everything the standard defines (`general_profile_space`).
  public var profileSpace: UInt8 = 0
  /// The tier: `false` for Main, `true` for High (`general_tier_flag`).
  public var tierFlag = false
  /// The family of the profile (`general_profile_idc`).
  public var profileIdc = ProfileIdc.main
  /// The profiles that the stream also conforms to; flag 0 is the most significant bit
  /// (`general_profile_compatibility_flag`).
  public var compatibilityFlags: UInt32 = 0
  /// The 48 bits from `general_progressive_source_flag` to `general_inbld_flag`, the first of them the most
  /// significant.
  public var constraintFlags: UInt64 = 0

  public init() {}

  /// Whether a stream with this profile can be decoded as `profile`: by its number, or by a compatibility flag.
  public func conforms(to profile: ProfileIdc) -> Bool {
    profileIdc == profile || isCompatible(with: profile.rawValue)
  }

  /// Whether the stream also conforms to profile `j` (`general_profile_compatibility_flag[j]`).
  public func isCompatible(with j: UInt8) -> Bool {
    j < 32 && compatibilityFlags &>> (31 - UInt32(j)) & 1 == 1
  }

  /// Whether any of these profiles is specified, by number or by a compatibility flag.
  private func names(_ profiles: ClosedRange<UInt8>) -> Bool {
    for profile in profiles where conforms(to: ProfileIdc(rawValue: profile)) { return true }
    return false
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    let sub = isSubLayer
    try c.u(sub ? "sub_layer_profile_space" : "general_profile_space", &profileSpace, 2)
    try c.flag(sub ? "sub_layer_tier_flag" : "general_tier_flag", &tierFlag)
    try c.code(
      sub ? "sub_layer_profile_idc" : "general_profile_idc", &profileIdc, bits: 5,
      .named { ProfileIdc(rawValue: UInt8(clamping: $0)).name })
    try c.flags(
      sub ? "sub_layer_profile_compatibility_flag" : "general_profile_compatibility_flag",
      fromTopOf: &compatibilityFlags)
    try source(&c)
    try constraints(&c)
  }

  private mutating func source(_ c: inout some Coder) throws(ParseError) {
    let sub = isSubLayer
    try c.flag(
      sub ? "sub_layer_progressive_source_flag" : "general_progressive_source_flag", inBit: 47,
      of: &constraintFlags)
    try c.flag(
      sub ? "sub_layer_interlaced_source_flag" : "general_interlaced_source_flag", inBit: 46,
      of: &constraintFlags)
    try c.flag(
      sub ? "sub_layer_non_packed_constraint_flag" : "general_non_packed_constraint_flag", inBit: 45,
      of: &constraintFlags)
    try c.flag(
      sub ? "sub_layer_frame_only_constraint_flag" : "general_frame_only_constraint_flag", inBit: 44,
      of: &constraintFlags)
  }

  /// The meaning of the next 43 bits and the last one depends on the profile; their number does not.
  private mutating func constraints(_ c: inout some Coder) throws(ParseError) {
    let sub = isSubLayer
    // Profiles 12 and 13, which came after the fourth edition, use the flags of profile 6.
    if names(4...13) {
      try rangeExtensionConstraints(&c)
    } else if names(2...2) {
      try c.u(
        sub ? "sub_layer_reserved_zero_7bits" : "general_reserved_zero_7bits", inBits: 37..<44,
        of: &constraintFlags)
      try c.flag(
        sub ? "sub_layer_one_picture_only_constraint_flag" : "general_one_picture_only_constraint_flag",
        inBit: 36, of: &constraintFlags)
      try c.u(
        sub ? "sub_layer_reserved_zero_35bits" : "general_reserved_zero_35bits", inBits: 1..<36,
        of: &constraintFlags)
    } else {
      try c.u(
        sub ? "sub_layer_reserved_zero_43bits" : "general_reserved_zero_43bits", inBits: 1..<44,
        of: &constraintFlags)
    }
    if names(1...5) || names(9...9) || names(11...11) {
      try c.flag(sub ? "sub_layer_inbld_flag" : "general_inbld_flag", inBit: 0, of: &constraintFlags)
    } else {
      try c.u(
        sub ? "sub_layer_reserved_zero_bit" : "general_reserved_zero_bit", inBits: 0..<1,
        of: &constraintFlags)
    }
  }

  private mutating func rangeExtensionConstraints(_ c: inout some Coder) throws(ParseError) {
    let sub = isSubLayer
    try c.flag(
      sub ? "sub_layer_max_12bit_constraint_flag" : "general_max_12bit_constraint_flag", inBit: 43,
      of: &constraintFlags)
    try c.flag(
      sub ? "sub_layer_max_10bit_constraint_flag" : "general_max_10bit_constraint_flag", inBit: 42,
      of: &constraintFlags)
    try c.flag(
      sub ? "sub_layer_max_8bit_constraint_flag" : "general_max_8bit_constraint_flag", inBit: 41,
      of: &constraintFlags)
    try c.flag(
      sub ? "sub_layer_max_422chroma_constraint_flag" : "general_max_422chroma_constraint_flag", inBit: 40,
      of: &constraintFlags)
    try c.flag(
      sub ? "sub_layer_max_420chroma_constraint_flag" : "general_max_420chroma_constraint_flag", inBit: 39,
      of: &constraintFlags)
    try c.flag(
      sub ? "sub_layer_max_monochrome_constraint_flag" : "general_max_monochrome_constraint_flag",
      inBit: 38, of: &constraintFlags)
    try c.flag(
      sub ? "sub_layer_intra_constraint_flag" : "general_intra_constraint_flag", inBit: 37,
      of: &constraintFlags)
    try c.flag(
      sub ? "sub_layer_one_picture_only_constraint_flag" : "general_one_picture_only_constraint_flag",
      inBit: 36, of: &constraintFlags)
    try c.flag(
      sub ? "sub_layer_lower_bit_rate_constraint_flag" : "general_lower_bit_rate_constraint_flag",
      inBit: 35, of: &constraintFlags)
    if names(5...5) || names(9...11) {
      try c.flag(
        sub ? "sub_layer_max_14bit_constraint_flag" : "general_max_14bit_constraint_flag", inBit: 34,
        of: &constraintFlags)
      try c.u(
        sub ? "sub_layer_reserved_zero_33bits" : "general_reserved_zero_33bits", inBits: 1..<34,
        of: &constraintFlags)
    } else {
      try c.u(
        sub ? "sub_layer_reserved_zero_34bits" : "general_reserved_zero_34bits", inBits: 1..<35,
        of: &constraintFlags)
    }
  }
}

extension ProfileTier {
  /// Whether all source pictures are progressive (`general_progressive_source_flag`).
  public var progressiveSourceFlag: Bool { constraint(47) }
  /// Whether all source pictures are interlaced (`general_interlaced_source_flag`).
  public var interlacedSourceFlag: Bool { constraint(46) }
  /// Whether no picture packs several views (`general_non_packed_constraint_flag`).
  public var nonPackedConstraintFlag: Bool { constraint(45) }
  /// Whether all pictures are frames, not fields (`general_frame_only_constraint_flag`).
  public var frameOnlyConstraintFlag: Bool { constraint(44) }

  /// The flag in bit `bit` of ``constraintFlags``.
  func constraint(_ bit: UInt64) -> Bool { constraintFlags &>> bit & 1 == 1 }
}
