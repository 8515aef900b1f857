// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `profile_tier_level( profilePresentFlag, maxNumSubLayersMinus1 )`: what a decoder must be able to do.
public struct ProfileTierLevel: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, 7.3.3"

  /// A temporal sub-layer below the highest one.
  public struct SubLayer: Hashable, Sendable {
    /// The profile and tier, where `sub_layer_profile_present_flag` is set.
    public var profile: ProfileTier?
    /// `sub_layer_level_idc`, where `sub_layer_level_present_flag` is set.
    public var levelIdc: Level?

    /// A sub-layer like the next higher one.
    public init() {}
  }

  /// `profilePresentFlag`: whether the profile is here, or is that of an earlier structure. Set before
  /// coding.
  public var profilePresentFlag = true
  /// `maxNumSubLayersMinus1`. Set before coding.
  public var maxNumSubLayersMinus1: UInt8 = 0

  /// The profile and tier, where they are present.
  public var general: ProfileTier?
  /// `general_level_idc`
  public var generalLevelIdc = Level(rawValue: 0)
  /// The sub-layers 0 to `maxNumSubLayersMinus1` - 1.
  public var subLayers: [SubLayer] = []
  /// `reserved_zero_2bits` after the presence flags, as one number.
  public var reservedBits: UInt16 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    // The fields of the profile read as fields of this structure, as in the specification.
    if profilePresentFlag {
      var present = general ?? ProfileTier()
      defer { general = present }
      try present.layout(&c)
    } else {
      general = nil
    }
    try c.code("general_level_idc", &generalLevelIdc, bits: 8, .level)
    guard maxNumSubLayersMinus1 > 0 else {
      subLayers = []
      return
    }
    let count = Int(maxNumSubLayersMinus1)
    try c.elements(
      "sub_layers", &subLayers, at: 0..<count, minimumBits: 2, new: SubLayer()
    ) { c, _, subLayer throws(ParseError) in
      c.beginStructure("sub_layer")
      var profilePresent = subLayer.profile != nil
      var levelPresent = subLayer.levelIdc != nil
      try c.flag("sub_layer_profile_present_flag", &profilePresent)
      try c.flag("sub_layer_level_present_flag", &levelPresent)
      // What the flags announce is coded below: remember it by an empty value.
      subLayer.profile = profilePresent ? subLayer.profile ?? ProfileTier() : nil
      subLayer.levelIdc = levelPresent ? subLayer.levelIdc ?? Level(rawValue: 0) : nil
      c.endScope()
    }
    if count < 8 {
      try c.reserved("reserved_zero_2bits", &reservedBits, bits: 2 * (8 - count), expecting: 0)
    }
    c.beginArray("sub_layer_levels", count: count)
    for index in subLayers.indices {
      c.beginStructure("sub_layer")
      if var profile = subLayers[index].profile {
        profile.isSubLayer = true
        defer { subLayers[index].profile = profile }
        try profile.layout(&c)
      }
      if var level = subLayers[index].levelIdc {
        try c.code("sub_layer_level_idc", &level, bits: 8, .level)
        subLayers[index].levelIdc = level
      }
      c.endScope()
    }
    c.endScope()
  }
}

extension ProfileTierLevel {
  /// `general_profile_idc`; `nil` where the profile is that of an earlier structure.
  public var generalProfileIdc: ProfileIdc? { general?.profileIdc }
  /// `general_tier_flag`; `nil` where the profile is that of an earlier structure.
  public var generalTierFlag: Bool? { general?.tierFlag }
  /// `general_profile_compatibility_flag`, flag 0 in the most significant bit.
  public var generalProfileCompatibilityFlags: UInt32? { general?.compatibilityFlags }
  /// The 48 bits of constraint flags that begin with `general_progressive_source_flag`.
  public var generalConstraintFlags: UInt64? { general?.constraintFlags }
}
