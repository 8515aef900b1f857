// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// What a decoder of the base layer needs before the first sample: the contents of `hvcC`.
/// ISO/IEC 14496-15, 8.3.3.1
public struct DecoderConfigurationRecord: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 14496-15, 8.3.3.1"

  /// The version: 1; very old files have 0.
  public var configurationVersion: UInt8 = 1
  /// The profile space: 0 in everything the standard defines. `general_profile_space`
  public var generalProfileSpace: UInt8 = 0
  /// `false` is the Main tier, `true` the High tier. `general_tier_flag`
  public var generalTierFlag = false
  /// The profile. `general_profile_idc`
  public var generalProfileIdc = ProfileIdc.main
  /// The profiles that the stream also conforms to, flag 0 in the most significant bit
  /// (`general_profile_compatibility_flags`).
  public var generalProfileCompatibilityFlags: UInt32 = 0
  /// 48 bits of constraint flags (`general_constraint_indicator_flags`).
  public var generalConstraintIndicatorFlags: UInt64 = 0
  /// The level, as 30 times its number (`general_level_idc`).
  public var generalLevelIdc = Level(rawValue: 0)
  /// How small the independently decodable areas of a picture are at most; 0 for no limit
  /// (`min_spatial_segmentation_idc`).
  public var minSpatialSegmentationIdc: UInt16 = 0
  /// How pictures can be decoded in parallel: 0 unknown or mixed, 1 by slices, 2 by tiles, 3 as wavefronts.
  public var parallelismType: UInt8 = 0
  /// The chroma format: 0 for monochrome, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4 (`chroma_format_idc`).
  public var chromaFormat: UInt8 = 1
  /// The bits of a luma sample, less 8 (`bit_depth_luma_minus8`).
  public var bitDepthLumaMinus8: UInt8 = 0
  /// The bits of a chroma sample, less 8 (`bit_depth_chroma_minus8`).
  public var bitDepthChromaMinus8: UInt8 = 0
  /// The average number of pictures per 256 seconds; 0 is unspecified.
  public var avgFrameRate: UInt16 = 0
  /// Whether the picture rate is constant: 0 unknown, 1 yes, 2 in each temporal layer too.
  public var constantFrameRate: UInt8 = 0
  /// The number of temporal layers; 0 is unknown.
  public var numTemporalLayers: UInt8 = 1
  /// Whether a decoder may switch to a higher temporal layer at any picture.
  public var temporalIDNested = true
  /// How many bytes the length before each NAL unit takes, less 1.
  public var lengthSizeMinusOne: UInt8 = 3
  /// The parameter sets and SEI messages.
  public var arrays: [NALUnitArray] = []
  @usableFromInline var reserved1: UInt8 = 0xF
  @usableFromInline var reserved2: UInt8 = 0x3F
  @usableFromInline var reserved3: UInt8 = 0x3F
  @usableFromInline var reserved4: UInt8 = 0x1F
  @usableFromInline var reserved5: UInt8 = 0x1F

  public init() {}

  @inlinable
  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u8("configurationVersion", &configurationVersion, in: 0...1)
    try c.u("general_profile_space", &generalProfileSpace, 2)
    try c.flag("general_tier_flag", &generalTierFlag)
    try c.code(
      "general_profile_idc", &generalProfileIdc, bits: 5,
      .named { ProfileIdc(rawValue: UInt8(clamping: $0)).name })
    try c.u32("general_profile_compatibility_flags", &generalProfileCompatibilityFlags, in: nil, .hexadecimal)
    try c.u("general_constraint_indicator_flags", &generalConstraintIndicatorFlags, 48, in: nil, .hexadecimal)
    try c.code(
      "general_level_idc", &generalLevelIdc, bits: 8,
      .named { Level(rawValue: UInt8(clamping: $0)).name.map { "level \($0)" } })
    try c.reserved("reserved", &reserved1, bits: 4, expecting: 0xF)
    try c.u("min_spatial_segmentation_idc", &minSpatialSegmentationIdc, 12)
    try c.reserved("reserved_2", &reserved2, bits: 6, expecting: 0x3F)
    try c.u("parallelismType", &parallelismType, 2, in: nil, NALUnitArray.parallelism)
    try c.reserved("reserved_3", &reserved3, bits: 6, expecting: 0x3F)
    try c.u("chroma_format_idc", &chromaFormat, 2, in: nil, .named(PictureFormat.chromaFormatName))
    try c.reserved("reserved_4", &reserved4, bits: 5, expecting: 0x1F)
    try c.u("bit_depth_luma_minus8", &bitDepthLumaMinus8, 3)
    try c.reserved("reserved_5", &reserved5, bits: 5, expecting: 0x1F)
    try c.u("bit_depth_chroma_minus8", &bitDepthChromaMinus8, 3)
    try c.u16("avgFrameRate", &avgFrameRate, in: nil, .scaled(256, " pictures/s"))
    try c.u("constantFrameRate", &constantFrameRate, 2)
    try c.u("numTemporalLayers", &numTemporalLayers, 3)
    try c.flag("temporalIdNested", &temporalIDNested)
    try c.u("lengthSizeMinusOne", &lengthSizeMinusOne, 2)
    try c.array("arrays", &arrays, countedBy: "numOfArrays", UInt8.self, minimumBits: 24)
  }
}

/// What the enhancement layers of a track need in addition to the base layer: the contents of `lhvC`.
/// ISO/IEC 14496-15, 9.5.3.1
public struct LayeredConfigurationRecord: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 14496-15, 9.5.3.1"

  /// The version: 1; some writers leave it 0.
  public var configurationVersion: UInt8 = 1
  /// How small the independently decodable areas of a picture are at most; 0 for no limit
  /// (`min_spatial_segmentation_idc`).
  public var minSpatialSegmentationIdc: UInt16 = 0
  /// How pictures can be decoded in parallel: 0 unknown or mixed, 1 by slices, 2 by tiles, 3 as wavefronts.
  public var parallelismType: UInt8 = 0
  /// The number of temporal layers; 0 is unknown.
  public var numTemporalLayers: UInt8 = 1
  /// Whether a decoder may switch to a higher temporal layer at any picture.
  public var temporalIDNested = true
  /// How many bytes the length before each NAL unit takes, less 1.
  public var lengthSizeMinusOne: UInt8 = 3
  /// The parameter sets and SEI messages.
  public var arrays: [NALUnitArray] = []
  @usableFromInline var reserved1: UInt8 = 0xF
  @usableFromInline var reserved2: UInt8 = 0x3F
  @usableFromInline var reserved3: UInt8 = 0x3

  public init() {}

  @inlinable
  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u8("configurationVersion", &configurationVersion, in: 0...1)
    try c.reserved("reserved", &reserved1, bits: 4, expecting: 0xF)
    try c.u("min_spatial_segmentation_idc", &minSpatialSegmentationIdc, 12)
    try c.reserved("reserved_2", &reserved2, bits: 6, expecting: 0x3F)
    try c.u("parallelismType", &parallelismType, 2, in: nil, NALUnitArray.parallelism)
    try c.reserved("reserved_3", &reserved3, bits: 2, expecting: 0x3)
    try c.u("numTemporalLayers", &numTemporalLayers, 3)
    try c.flag("temporalIdNested", &temporalIDNested)
    try c.u("lengthSizeMinusOne", &lengthSizeMinusOne, 2)
    try c.array("arrays", &arrays, countedBy: "numOfArrays", UInt8.self, minimumBits: 24)
  }
}

extension NALUnitArray {
  @usableFromInline static let parallelism: FieldFormat = .named {
    switch $0 {
    case 0: "unknown or mixed"
    case 1: "slices"
    case 2: "tiles"
    case 3: "wavefronts"
    default: nil
    }
  }
}

extension DecoderConfigurationRecord {
  /// How many bytes the length before each NAL unit takes.
  public var lengthSize: Int { Int(lengthSizeMinusOne) + 1 }
  /// All NAL units of the record, in order.
  public var nalUnits: [NALUnit] { arrays.nalUnits }

  /// Sets profile, tier, level and constraints to those of a parameter set.
  package mutating func setProfile(_ general: ProfileTier, level: Level) {
    generalProfileSpace = general.profileSpace
    generalTierFlag = general.tierFlag
    generalProfileIdc = general.profileIdc
    generalProfileCompatibilityFlags = general.compatibilityFlags
    generalConstraintIndicatorFlags = general.constraintFlags
    generalLevelIdc = level
  }
}

extension LayeredConfigurationRecord {
  /// How many bytes the length before each NAL unit takes.
  public var lengthSize: Int { Int(lengthSizeMinusOne) + 1 }
  /// All NAL units of the record, in order.
  public var nalUnits: [NALUnit] { arrays.nalUnits }
}
