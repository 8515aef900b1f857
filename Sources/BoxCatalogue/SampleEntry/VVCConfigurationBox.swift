// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `vvcC`: the profile and the parameter sets of a VVC stream.
public struct VVCConfigurationBox: FullBox {
  public static let info = BoxInfo(
    ["vvcC"], name: "VVC configuration", in: [.visualSampleEntry, .box("ipco")], "ISO/IEC 14496-15, 11.2.4",
    "The profile and the parameter sets of a VVC stream.", versions: 0...0)

  /// The profile, tier and level (`VvcPTLRecord`).
  public struct ProfileTierLevel: FieldLayout {
    /// The profile.
    public var generalProfileIdc: UInt8 = 1
    /// Whether the tier is High.
    public var isHighTier = false
    /// The level, as 16 times its number.
    public var generalLevelIdc: UInt8 = 51
    /// Whether pictures are frames.
    public var isFrameOnly = true
    /// Whether there may be several layers.
    public var isMultilayerEnabled = false
    /// The constraints; two bits less than whole bytes.
    public var generalConstraintInfo = BitString()
    /// The levels of the sub-layers below the highest, highest first; `nil` for those not given.
    public var sublayerLevels: [UInt8?] = []
    /// The sub-profiles.
    public var generalSubProfiles: [UInt32] = []
    var reserved1: UInt8 = 0
    var reserved2: UInt8 = 0
    /// The number of sub-layers according to the enclosing record.
    package var sublayerCount = 1

    public init() {
      generalConstraintInfo.bytes = [0]
      generalConstraintInfo.bitCount = 6
    }

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.reserved("reserved", &reserved1, bits: 2, expecting: 0)
      var constraintBytes = UInt8(clamping: (generalConstraintInfo.bitCount + 2) / 8)
      try c.u("num_bytes_constraint_info", &constraintBytes, 6, in: 1...63)
      try c.u("general_profile_idc", &generalProfileIdc, 7)
      try c.flag("general_tier_flag", &isHighTier)
      try c.u8("general_level_idc", &generalLevelIdc)
      try c.flag("ptl_frame_only_constraint_flag", &isFrameOnly)
      try c.flag("ptl_multilayer_enabled_flag", &isMultilayerEnabled)
      try c.bitString("general_constraint_info", &generalConstraintInfo, count: 8 * Int(constraintBytes) - 2)
      try sublayers(&c)
      var count = UInt8(clamping: generalSubProfiles.count)
      try c.u8("ptl_num_sub_profiles", &count)
      try c.array(
        "general_sub_profile_idc", &generalSubProfiles, count: count, bits: 32, in: nil, .hexadecimal)
    }

    private mutating func sublayers(_ c: inout some Coder) throws(ParseError) {
      guard sublayerCount > 1 else { return }
      var present = sublayerLevels.map { $0 != nil }
      try c.array("ptl_sublayer_level_present_flag", &present, count: sublayerCount - 1)
      try c.reserved("ptl_reserved_zero_bits", &reserved2, bits: 9 - sublayerCount, expecting: 0)
      var levels = sublayerLevels.compactMap { $0 }
      try c.array("sublayer_level_idc", &levels, count: present.count { $0 }, bits: 8)
      var next = levels.makeIterator()
      sublayerLevels = present.map { $0 ? next.next() : nil }
    }
  }

  /// Properties of the stream, if profile, tier and level are given.
  public struct Stream: FieldLayout {
    /// The output layer set.
    public var olsIdx: UInt16 = 0
    /// The number of sub-layers.
    public var numSublayers: UInt8 = 1
    /// Whether the picture rate is constant: 0 unknown, 1 yes, 2 in each temporal layer too.
    public var constantFrameRate: UInt8 = 0
    /// The chroma format: 0 monochrome, 1 4:2:0, 2 4:2:2, 3 4:4:4.
    public var chromaFormatIdc: UInt8 = 1
    /// The bits of a sample, less 8.
    public var bitDepthMinus8: UInt8 = 0
    /// The profile, tier and level.
    public var profileTierLevel = ProfileTierLevel()
    /// The size of the largest picture in luma samples.
    public var maxPictureWidth: UInt16 = 0, maxPictureHeight: UInt16 = 0
    /// The average number of frames per 256 seconds; 0 is unknown.
    public var avgFrameRate: UInt16 = 0
    var reserved: UInt8 = 0x1F

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u("ols_idx", &olsIdx, 9)
      try c.u("num_sublayers", &numSublayers, 3)
      try c.u("constant_frame_rate", &constantFrameRate, 2)
      try c.u("chroma_format_idc", &chromaFormatIdc, 2)
      try c.u("bit_depth_minus8", &bitDepthMinus8, 3)
      try c.reserved("reserved", &reserved, bits: 5, expecting: 0x1F)
      profileTierLevel.sublayerCount = Int(numSublayers)
      try c.group("native_ptl", &profileTierLevel)
      try c.u16("max_picture_width", &maxPictureWidth)
      try c.u16("max_picture_height", &maxPictureHeight)
      try c.u16("avg_frame_rate", &avgFrameRate, in: nil, .scaled(256, " frames/s"))
    }
  }

  /// NAL units of one type.
  public struct NALUnitArray: FieldLayout {
    /// Whether all units of the type are in the record, and none in samples.
    public var isComplete = true
    /// The type: 12 OPI, 13 DCI, 14 VPS, 15 SPS, 16 PPS, 17 APS, 23 and 24 SEI.
    public var nalUnitType: UInt8 = 15
    /// The NAL units.
    public var nalUnits: [ByteView] = []
    var reserved: UInt8 = 0

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.flag("array_completeness", &isComplete)
      try c.reserved("reserved", &reserved, bits: 2, expecting: 0)
      try c.u("NAL_unit_type", &nalUnitType, 5)
      // There is only one DCI and one OPI, so they are not counted.
      var count: UInt16 = 1
      if nalUnitType != 12, nalUnitType != 13 {
        count = UInt16(clamping: nalUnits.count)
        try c.u16("num_nalus", &count)
      }
      try c.nalUnits("nalUnits", &nalUnits, count: Int(count))
    }
  }

  public var flags: UInt32 = 0
  /// How many bytes the length of a NAL unit takes, less 1.
  public var lengthSizeMinusOne: UInt8 = 3
  /// Properties of the stream; `nil` if not given.
  public var stream: Stream?
  /// Parameter sets and similar NAL units, by type.
  public var arrays: [NALUnitArray] = []
  var reserved: UInt8 = 0x1F

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.reserved("reserved", &reserved, bits: 5, expecting: 0x1F)
    try c.u("LengthSizeMinusOne", &lengthSizeMinusOne, 2)
    var isStreamKnown = stream != nil
    try c.flag("ptl_present_flag", &isStreamKnown)
    try c.group("stream", &stream, if: isStreamKnown)
    try c.array("arrays", &arrays, countedBy: "num_of_arrays", UInt8.self, minimumBits: 24)
  }
}
