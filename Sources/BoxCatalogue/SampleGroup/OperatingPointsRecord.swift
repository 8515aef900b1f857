// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// The operating points of a layered stream: which layers are output together, and what a decoder needs for them.
/// ISO/IEC 14496-15, 9.6.2 (`OperatingPointsRecord`)
public struct OperatingPointsRecord: FieldLayout {
  /// A profile, tier and level.
  public struct ProfileTierLevel: FieldLayout {
    /// The profile space, which determines the meaning of the profile.
    public var profileSpace: UInt8 = 0
    /// Whether the tier is High.
    public var isHighTier = false
    /// The profile.
    public var profileIDC: UInt8 = 1
    /// The profiles that the stream is compatible with; bit 31 is profile 0.
    public var compatibilityFlags: UInt32 = 0x6000_0000
    /// 48 bits of constraint flags.
    public var constraintFlags: UInt64 = 0
    /// The level, as thirty times its number.
    public var levelIDC: UInt8 = 0
    /// Makes a structure with default values.
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u("general_profile_space", &profileSpace, 2)
      try c.flag("general_tier_flag", &isHighTier)
      try c.u("general_profile_idc", &profileIDC, 5)
      try c.u32("general_profile_compatibility_flags", &compatibilityFlags, .hexadecimal)
      try c.u("general_constraint_indicator_flags", &constraintFlags, 48, .hexadecimal)
      try c.u8("general_level_idc", &levelIDC, .scaled(30, ""))
    }
  }

  /// A layer of an operating point.
  public struct Layer: FieldLayout {
    /// The number of its profile, tier and level, counted from 1; 0 for those in the configuration of the base
    /// layer.
    public var ptlIndex: UInt8 = 0
    /// The ID of the layer.
    public var layerID: UInt8 = 0
    /// Whether it is output.
    public var isOutputLayer = false
    /// Whether it is output if a higher layer cannot be.
    public var isAlternateOutputLayer = false
    /// Makes a layer with default values.
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u8("ptl_idx", &ptlIndex)
      try c.u("layer_id", &layerID, 6)
      try c.flag("is_outputlayer", &isOutputLayer)
      try c.flag("is_alternate_outputlayer", &isAlternateOutputLayer)
    }
  }

  /// The picture rate.
  public struct FrameRate: FieldLayout {
    /// The average number of pictures per 256 seconds.
    public var averageFrameRate: UInt16 = 0
    /// Six bits that should be 0.
    public var reserved: UInt8 = 0
    /// Whether the rate is constant: 0 unknown, 1 yes, 2 in each temporal layer too.
    public var constantFrameRate: UInt8 = 0
    /// Makes a rate with default values.
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u16("avgFrameRate", &averageFrameRate, .scaled(256, " Hz"))
      try c.reserved("reserved", &reserved, bits: 6, expecting: 0)
      try c.u("constantFrameRate", &constantFrameRate, 2)
    }
  }

  /// The bit rates.
  public struct BitRate: FieldLayout {
    /// The highest bit rate over any second.
    public var maximum: UInt32 = 0
    /// The average bit rate.
    public var average: UInt32 = 0
    /// Makes rates with default values.
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u32("maxBitRate", &maximum)
      try c.u32("avgBitRate", &average)
    }
  }

  /// An operating point.
  public struct OperatingPoint: FieldLayout {
    /// The index of the output layer set in the VPS.
    public var outputLayerSetIndex: UInt16 = 0
    /// The highest temporal sub-layer.
    public var maximumTemporalID: UInt8 = 0
    /// The layers.
    public var layers: [Layer] = []
    /// The smallest width of any layer's pictures, in luma samples.
    public var minimumPictureWidth: UInt16 = 0
    /// The smallest height of any layer's pictures, in luma samples.
    public var minimumPictureHeight: UInt16 = 0
    /// The largest width of any layer's pictures, in luma samples.
    public var maximumPictureWidth: UInt16 = 0
    /// The largest height of any layer's pictures, in luma samples.
    public var maximumPictureHeight: UInt16 = 0
    /// The highest chroma format of any layer.
    public var maximumChromaFormat: UInt8 = 1
    /// The highest bit depth of any layer, less 8.
    public var maximumBitDepthMinus8: UInt8 = 0
    /// A bit that should be 0.
    public var reserved: UInt8 = 0
    /// The picture rate; `nil` if not given.
    public var frameRate: FrameRate?
    /// The bit rates; `nil` if not given.
    public var bitRate: BitRate?
    /// Makes an operating point with default values.
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u16("output_layer_set_idx", &outputLayerSetIndex)
      try c.u8("max_temporal_id", &maximumTemporalID)
      try c.array("layers", &layers, countedBy: "layer_count", UInt8.self, minimumBits: 16)
      try c.u16("minPicWidth", &minimumPictureWidth)
      try c.u16("minPicHeight", &minimumPictureHeight)
      try c.u16("maxPicWidth", &maximumPictureWidth)
      try c.u16("maxPicHeight", &maximumPictureHeight)
      try c.u("maxChromaFormat", &maximumChromaFormat, 2)
      try c.u("maxBitDepthMinus8", &maximumBitDepthMinus8, 3)
      try c.reserved("reserved", &reserved, bits: 1, expecting: 0)
      var hasFrameRate = frameRate != nil, hasBitRate = bitRate != nil
      try c.flag("frame_rate_info_flag", &hasFrameRate)
      try c.flag("bit_rate_info_flag", &hasBitRate)
      try c.group("frame_rate", &frameRate, if: hasFrameRate)
      try c.group("bit_rate", &bitRate, if: hasBitRate)
    }
  }

  /// A layer and what it depends on.
  public struct Dependency: Hashable, Sendable {
    /// The ID of the layer.
    public var layerID: UInt8 = 0
    /// The layers that it directly depends on.
    public var dependsOn: [UInt8] = []
    /// Its identifier in each dimension of the scalability mask, in the order of the bits.
    public var dimensionIdentifiers: [UInt8] = []
    /// Makes a dependency with default values.
    public init() {}
  }

  /// The scalability dimensions; bit 1 is the view order.
  public var scalabilityMask: UInt16 = 0
  /// Two bits that should be 0.
  public var reserved: UInt8 = 0
  /// The profiles, tiers and levels.
  public var profileTierLevels: [ProfileTierLevel] = []
  /// The operating points.
  public var operatingPoints: [OperatingPoint] = []
  /// The layers and what they depend on.
  public var dependencies: [Dependency] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u16("scalability_mask", &scalabilityMask, .hexadecimal)
    try c.reserved("reserved", &reserved, bits: 2, expecting: 0)
    var profileCount = UInt8(clamping: profileTierLevels.count)
    try c.u("num_profile_tier_level", &profileCount, 6)
    try c.array("profile_tier_levels", &profileTierLevels, count: profileCount, minimumBits: 96)
    var pointCount = UInt16(clamping: operatingPoints.count)
    try c.u16("num_operating_points", &pointCount)
    try c.array("operating_points", &operatingPoints, count: pointCount, minimumBits: 104)
    var layerCount = UInt8(clamping: dependencies.count)
    try c.u8("max_layer_count", &layerCount)
    let dimensions = scalabilityMask.nonzeroBitCount
    try c.array(
      "dependencies", &dependencies, count: layerCount, minimumBits: 16 + 8 * dimensions, new: Dependency()
    ) { c, dependency throws(ParseError) in
      c.beginStructure("dependency")
      try c.u8("dependent_layerID", &dependency.layerID)
      var count = UInt8(clamping: dependency.dependsOn.count)
      try c.u8("num_layers_dependent_on", &count)
      try c.array("dependent_on_layerID", &dependency.dependsOn, count: count, bits: 8)
      try c.array("dimension_identifier", &dependency.dimensionIdentifiers, count: dimensions, bits: 8)
      c.endScope()
    }
  }
}
