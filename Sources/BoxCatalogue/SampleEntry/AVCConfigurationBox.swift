// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `avcC`: the profile and the parameter sets of an AVC stream.
public struct AVCConfigurationBox: BoxPayload {
  public static let info = BoxInfo(
    ["avcC"], name: "AVC configuration", in: [.visualSampleEntry, .box("ipco")], "ISO/IEC 14496-15, 5.3.3.1",
    "The profile and the parameter sets of an AVC stream.")

  /// The fields that profiles beyond Main and Extended add.
  public struct HighProfile: FieldLayout {
    /// The chroma format: 0 monochrome, 1 4:2:0, 2 4:2:2, 3 4:4:4.
    public var chromaFormat: UInt8 = 1
    /// The bits of a luma sample, less 8.
    public var bitDepthLumaMinus8: UInt8 = 0
    /// The bits of a chroma sample, less 8.
    public var bitDepthChromaMinus8: UInt8 = 0
    /// The sequence parameter set extensions.
    public var sequenceParameterSetExtensions: [ByteView] = []
    var reserved1: UInt8 = 0x3F
    var reserved2: UInt8 = 0x1F
    var reserved3: UInt8 = 0x1F

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.reserved("reserved", &reserved1, bits: 6, expecting: 0x3F)
      try c.u("chroma_format", &chromaFormat, 2)
      try c.reserved("reserved_2", &reserved2, bits: 5, expecting: 0x1F)
      try c.u("bit_depth_luma_minus8", &bitDepthLumaMinus8, 3)
      try c.reserved("reserved_3", &reserved3, bits: 5, expecting: 0x1F)
      try c.u("bit_depth_chroma_minus8", &bitDepthChromaMinus8, 3)
      var count = UInt8(clamping: sequenceParameterSetExtensions.count)
      try c.u8("numOfSequenceParameterSetExt", &count)
      try c.nalUnits("sequenceParameterSetExtensions", &sequenceParameterSetExtensions, count: Int(count))
    }
  }

  /// The version of the record.
  public var configurationVersion: UInt8 = 1
  /// The profile.
  public var profileIndication: UInt8 = 66
  /// The constraint flags of the sequence parameter set.
  public var profileCompatibility: UInt8 = 0
  /// The level, as ten times its number.
  public var levelIndication: UInt8 = 30
  /// How many bytes the length of a NAL unit takes, less 1.
  public var lengthSizeMinusOne: UInt8 = 3
  /// The sequence parameter sets.
  public var sequenceParameterSets: [ByteView] = []
  /// The picture parameter sets.
  public var pictureParameterSets: [ByteView] = []
  /// The fields that profiles beyond Main and Extended add; `nil` if absent, as many writers omit them.
  public var highProfile: HighProfile?
  var reserved1: UInt8 = 0x3F
  var reserved2: UInt8 = 7

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u8("configurationVersion", &configurationVersion)
    try c.u8("AVCProfileIndication", &profileIndication)
    try c.u8("profile_compatibility", &profileCompatibility, in: nil, .hexadecimal)
    try c.u8("AVCLevelIndication", &levelIndication)
    try c.reserved("reserved", &reserved1, bits: 6, expecting: 0x3F)
    try c.u("lengthSizeMinusOne", &lengthSizeMinusOne, 2)
    try c.reserved("reserved_2", &reserved2, bits: 3, expecting: 7)
    var sequences = UInt8(clamping: sequenceParameterSets.count)
    try c.u("numOfSequenceParameterSets", &sequences, 5)
    try c.nalUnits("sequenceParameterSets", &sequenceParameterSets, count: Int(sequences))
    var pictures = UInt8(clamping: pictureParameterSets.count)
    try c.u8("numOfPictureParameterSets", &pictures)
    try c.nalUnits("pictureParameterSets", &pictureParameterSets, count: Int(pictures))
    var isHigh = highProfile != nil
    c.presence(&isHigh, whenBitsLeft: 32)
    // Baseline, Main and Extended end here; bytes that follow are not part of the record.
    let mayBeHigh = ![66, 77, 88].contains(profileIndication)
    try c.group("high_profile", &highProfile, if: isHigh && mayBeHigh)
  }
}

extension FieldCoder where Self: ~Escapable {
  /// `count` NAL units, each preceded by its length in 16 bits.
  mutating func nalUnits(
    _ name: StaticString, _ units: inout [ByteView], count: Int
  ) throws(ParseError) {
    try array(name, &units, count: count, minimumBits: 16, new: ByteView()) { c, unit throws(ParseError) in
      c.beginStructure("nalUnit")
      var length = UInt16(clamping: unit.count)
      try c.u16("nalUnitLength", &length)
      try c.bytes("nalUnit", &unit, count: Int(length))
      c.endScope()
    }
  }
}
