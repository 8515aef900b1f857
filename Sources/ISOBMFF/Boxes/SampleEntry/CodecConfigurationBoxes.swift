// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `av1C`: the profile and the headers of an AV1 stream.
public struct AV1CodecConfigurationBox: BoxPayload {
  public static let info = BoxInfo(
    ["av1C"], name: "AV1 codec configuration", in: [.visualSampleEntry, .box("ipco")],
    "AV1 Codec ISO Media File Format Binding, 2.3", "The profile and the headers of an AV1 stream.")

  /// The version of the record.
  public var version: UInt8 = 1
  /// The profile.
  public var seqProfile: UInt8 = 0
  /// The level of the first operating point.
  public var seqLevelIdx0: UInt8 = 0
  /// The tier of the first operating point.
  public var seqTier0: UInt8 = 0
  /// Whether samples have more than 8 bits.
  public var isHighBitdepth = false
  /// Whether samples have 12 bits.
  public var isTwelveBit = false
  /// Whether there is no chroma.
  public var isMonochrome = false
  /// Whether chroma has half the width.
  public var chromaSubsamplingX = true
  /// Whether chroma has half the height.
  public var chromaSubsamplingY = true
  /// The position of chroma samples: 0 unknown, 1 vertically between luma samples, 2 at the top left luma sample.
  public var chromaSamplePosition: UInt8 = 0
  /// How many pictures must be decoded before the first is shown, less 1; `nil` if not given.
  public var initialPresentationDelayMinusOne: UInt8?
  /// The sequence header and metadata, as OBUs.
  public var configOBUs = ByteView()
  var marker: UInt8 = 1
  var reserved1: UInt8 = 0
  var reserved2: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.reserved("marker", &marker, bits: 1, expecting: 1)
    try c.u("version", &version, 7)
    try c.u("seq_profile", &seqProfile, 3)
    try c.u("seq_level_idx_0", &seqLevelIdx0, 5)
    try c.u("seq_tier_0", &seqTier0, 1)
    try c.flag("high_bitdepth", &isHighBitdepth)
    try c.flag("twelve_bit", &isTwelveBit)
    try c.flag("monochrome", &isMonochrome)
    try c.flag("chroma_subsampling_x", &chromaSubsamplingX)
    try c.flag("chroma_subsampling_y", &chromaSubsamplingY)
    try c.u("chroma_sample_position", &chromaSamplePosition, 2)
    try c.reserved("reserved", &reserved1, bits: 3, expecting: 0)
    var hasDelay = initialPresentationDelayMinusOne != nil
    try c.flag("initial_presentation_delay_present", &hasDelay)
    try c.u("initial_presentation_delay_minus_one", &initialPresentationDelayMinusOne, 4, if: hasDelay)
    if !hasDelay { try c.reserved("reserved_2", &reserved2, bits: 4, expecting: 0) }
    try c.remainder("configOBUs", &configOBUs)
  }
}

/// `vpcC`: the profile of a VP8 or VP9 stream, and how its colours are interpreted.
public struct VPCodecConfigurationBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["vpcC"], name: "VP codec configuration", in: [.visualSampleEntry, .box("ipco")],
    "VP Codec ISO Media File Format Binding 1.0",
    "The profile of a VP8 or VP9 stream, and how its colours are interpreted.", versions: 0...1)

  /// The version: 1; drafts used a different layout with version 0.
  public var version: UInt8 = 1
  public var flags: UInt32 = 0
  /// The profile.
  public var profile: UInt8 = 0
  /// The level, as ten times its number.
  public var level: UInt8 = 10
  /// The number of bits of a sample.
  public var bitDepth: UInt8 = 8
  /// The chroma format: 0 4:2:0 vertically between luma samples, 1 4:2:0 at luma samples, 2 4:2:2, 3 4:4:4.
  public var chromaSubsampling: UInt8 = 0
  /// Whether component values use the full range.
  public var isFullRange = false
  /// The colour primaries, a code of ISO/IEC 23091-2, in version 1.
  public var colourPrimaries: UInt8 = 2
  /// The transfer function, a code of ISO/IEC 23091-2, in version 1.
  public var transferCharacteristics: UInt8 = 2
  /// The matrix coefficients, a code of ISO/IEC 23091-2, in version 1.
  public var matrixCoefficients: UInt8 = 2
  /// The colour space, in version 0.
  public var colorSpace: UInt8 = 0
  /// The transfer function, in version 0.
  public var transferFunction: UInt8 = 0
  /// Not used by VP8 and VP9.
  public var codecInitializationData = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    try c.u8("profile", &profile)
    try c.u8("level", &level)
    try c.u("bitDepth", &bitDepth, 4)
    if version == 1 {
      try c.u("chromaSubsampling", &chromaSubsampling, 3)
      try c.flag("videoFullRangeFlag", &isFullRange)
      try c.u8("colourPrimaries", &colourPrimaries, in: nil, .named(ColourCodes.primaries))
      try c.u8("transferCharacteristics", &transferCharacteristics, in: nil, .named(ColourCodes.transfer))
      try c.u8("matrixCoefficients", &matrixCoefficients, in: nil, .named(ColourCodes.matrix))
    } else {
      try c.u("colorSpace", &colorSpace, 4)
      try c.u("chromaSubsampling", &chromaSubsampling, 4)
      try c.u("transferFunction", &transferFunction, 3)
      try c.flag("videoFullRangeFlag", &isFullRange)
    }
    var size = UInt16(clamping: codecInitializationData.count)
    try c.u16("codecInitializationDataSize", &size)
    try c.bytes("codecInitializationData", &codecInitializationData, count: Int(size))
  }
}

/// `dvcC`, `dvvC`, `dvwC`: the Dolby Vision profile and the layers that a stream has.
public struct DolbyVisionConfigurationBox: BoxPayload {
  public static let info = BoxInfo(
    ["dvcC", "dvvC", "dvwC"], name: "Dolby Vision configuration", in: [.visualSampleEntry, .box("ipco")],
    "Dolby Vision Streams Within the ISO Base Media File Format, 3.2",
    "The Dolby Vision profile and the layers that a stream has.")

  /// The major version of the record.
  public var versionMajor: UInt8 = 1
  /// The minor version of the record.
  public var versionMinor: UInt8 = 0
  /// The profile.
  public var profile: UInt8 = 8
  /// The level.
  public var level: UInt8 = 1
  /// Whether there are reference processing units.
  public var isRPUPresent = true
  /// Whether there is an enhancement layer.
  public var isEnhancementLayerPresent = false
  /// Whether there is a base layer.
  public var isBaseLayerPresent = true
  /// How the base layer can be shown without Dolby Vision: 1 HDR10, 2 SDR, 4 HLG.
  public var baseLayerSignalCompatibilityID: UInt8 = 0
  /// How the metadata is compressed; 0 means that it is not.
  public var metadataCompression: UInt8 = 0
  var reserved1: UInt32 = 0
  var reserved2: UInt64 = 0
  var reserved3: UInt64 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u8("dv_version_major", &versionMajor)
    try c.u8("dv_version_minor", &versionMinor)
    try c.u("dv_profile", &profile, 7)
    try c.u("dv_level", &level, 6)
    try c.flag("rpu_present_flag", &isRPUPresent)
    try c.flag("el_present_flag", &isEnhancementLayerPresent)
    try c.flag("bl_present_flag", &isBaseLayerPresent)
    try c.u("dv_bl_signal_compatibility_id", &baseLayerSignalCompatibilityID, 4)
    try c.u("dv_md_compression", &metadataCompression, 2)
    try c.reserved("reserved", &reserved1, bits: 26, expecting: 0)
    try c.reserved("reserved_2", &reserved2, bits: 64, expecting: 0)
    try c.reserved("reserved_3", &reserved3, bits: 64, expecting: 0)
  }
}
