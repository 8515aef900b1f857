// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `profile_tier_level( profilePresentFlag, maxNumSubLayersMinus1 )`: what a decoder must be capable of.
public struct ProfileTierLevel: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, 7.3.3"

  /// A temporal sub-layer below the highest one.
  public struct SubLayer: Hashable, Sendable {
    /// The profile and tier; `nil` if `sub_layer_profile_present_flag` is 0.
    public var profile: ProfileTier?
    /// The level; `nil` if `sub_layer_level_present_flag` is 0 (`sub_layer_level_idc`).
    public var levelIdc: Level?

    /// Makes a sub-layer like the next higher one.
    public init() {}
  }

  /// Whether the profile is present, rather than that of an earlier structure being used (`profilePresentFlag`).
  /// Set before coding.
  public var profilePresentFlag = true
  /// The number of temporal sub-layers, less 1 (`maxNumSubLayersMinus1`). Set before coding.
  public var maxNumSubLayersMinus1: UInt8 = 0

  /// The profile and tier; `nil` if absent.
  public var general: ProfileTier?
  /// The level of the stream with all its sub-layers (`general_level_idc`).
  public var generalLevelIdc = Level(rawValue: 0)
  /// The sub-layers 0 to `maxNumSubLayersMinus1` - 1.
  public var subLayers: [SubLayer] = []
  /// `reserved_zero_2bits` after the presence flags, as one number.
  public var reservedBits: UInt16 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    // The fields of the profile are read as fields of this structure, as in the specification.
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
      // The parts that the flags announce are coded below: an empty value records that they are present.
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
  /// The family of the profile; `nil` if the profile is that of an earlier structure (`general_profile_idc`).
  public var generalProfileIdc: ProfileIdc? { general?.profileIdc }
  /// The tier, `true` for High; `nil` if the profile is that of an earlier structure (`general_tier_flag`).
  public var generalTierFlag: Bool? { general?.tierFlag }
  /// The profiles that the stream also conforms to, flag 0 in the most significant bit; `nil` if the profile is
  /// that of an earlier structure (`general_profile_compatibility_flag`).
  public var generalProfileCompatibilityFlags: UInt32? { general?.compatibilityFlags }
  /// The 48 bits of constraint flags that begin with `general_progressive_source_flag`; `nil` if the profile is
  /// that of an earlier structure.
  public var generalConstraintFlags: UInt64? { general?.constraintFlags }
}
