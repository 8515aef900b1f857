// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// What a NAL unit contains. ISO/IEC 23008-2, table 7-1
@frozen
public struct NALUnitType: RawRepresentable, Hashable, Sendable {
  /// The number, 0 to 63.
  public var rawValue: UInt8

  /// Makes a type from its number.
  @inlinable
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A trailing picture that no picture of its sub-layer refers to. `TRAIL_N`
  public static let trailingNonReference = NALUnitType(rawValue: 0)
  /// A trailing picture. `TRAIL_R`
  public static let trailing = NALUnitType(rawValue: 1)
  /// A temporal sub-layer access picture that no picture of its sub-layer refers to. `TSA_N`
  public static let temporalAccessNonReference = NALUnitType(rawValue: 2)
  /// A temporal sub-layer access picture. `TSA_R`
  public static let temporalAccess = NALUnitType(rawValue: 3)
  /// A step-wise temporal sub-layer access picture that no picture of its sub-layer refers to. `STSA_N`
  public static let stepwiseAccessNonReference = NALUnitType(rawValue: 4)
  /// A step-wise temporal sub-layer access picture. `STSA_R`
  public static let stepwiseAccess = NALUnitType(rawValue: 5)
  /// A random access decodable leading picture that no picture of its sub-layer refers to. `RADL_N`
  public static let decodableLeadingNonReference = NALUnitType(rawValue: 6)
  /// A random access decodable leading picture. `RADL_R`
  public static let decodableLeading = NALUnitType(rawValue: 7)
  /// A random access skipped leading picture that no picture of its sub-layer refers to. `RASL_N`
  public static let skippedLeadingNonReference = NALUnitType(rawValue: 8)
  /// A random access skipped leading picture. `RASL_R`
  public static let skippedLeading = NALUnitType(rawValue: 9)
  /// A broken link access picture that may have leading pictures. `BLA_W_LP`
  public static let brokenLinkWithLeading = NALUnitType(rawValue: 16)
  /// A broken link access picture that may have decodable leading pictures. `BLA_W_RADL`
  public static let brokenLinkWithDecodableLeading = NALUnitType(rawValue: 17)
  /// A broken link access picture without leading pictures. `BLA_N_LP`
  public static let brokenLinkWithoutLeading = NALUnitType(rawValue: 18)
  /// An instantaneous decoding refresh picture that may have decodable leading pictures. `IDR_W_RADL`
  public static let refreshWithDecodableLeading = NALUnitType(rawValue: 19)
  /// An instantaneous decoding refresh picture without leading pictures. `IDR_N_LP`
  public static let refreshWithoutLeading = NALUnitType(rawValue: 20)
  /// A clean random access picture. `CRA_NUT`
  public static let cleanRandomAccess = NALUnitType(rawValue: 21)
  /// A video parameter set. `VPS_NUT`
  public static let videoParameterSet = NALUnitType(rawValue: 32)
  /// A sequence parameter set. `SPS_NUT`
  public static let sequenceParameterSet = NALUnitType(rawValue: 33)
  /// A picture parameter set. `PPS_NUT`
  public static let pictureParameterSet = NALUnitType(rawValue: 34)
  /// An access unit delimiter. `AUD_NUT`
  public static let accessUnitDelimiter = NALUnitType(rawValue: 35)
  /// The end of a sequence. `EOS_NUT`
  public static let endOfSequence = NALUnitType(rawValue: 36)
  /// The end of the bitstream. `EOB_NUT`
  public static let endOfBitstream = NALUnitType(rawValue: 37)
  /// Filler data. `FD_NUT`
  public static let fillerData = NALUnitType(rawValue: 38)
  /// Supplemental enhancement information before the slices of a picture. `PREFIX_SEI_NUT`
  public static let prefixSEI = NALUnitType(rawValue: 39)
  /// Supplemental enhancement information after the first slice of a picture. `SUFFIX_SEI_NUT`
  public static let suffixSEI = NALUnitType(rawValue: 40)
  /// In movie samples, a group of NAL units. ISO/IEC 14496-15, A.2
  public static let aggregator = NALUnitType(rawValue: 48)
  /// In movie samples, a reference to bytes of another track. ISO/IEC 14496-15, A.3
  public static let extractor = NALUnitType(rawValue: 49)
}

extension NALUnitType {
  /// The name in the specification.
  public var name: String {
    Self.names.indices.contains(Int(rawValue)) ? Self.names[Int(rawValue)] : "invalid"
  }

  static let names = [
    "TRAIL_N", "TRAIL_R", "TSA_N", "TSA_R", "STSA_N", "STSA_R", "RADL_N", "RADL_R", "RASL_N", "RASL_R",
    "RSV_VCL_N10", "RSV_VCL_R11", "RSV_VCL_N12", "RSV_VCL_R13", "RSV_VCL_N14", "RSV_VCL_R15", "BLA_W_LP",
    "BLA_W_RADL", "BLA_N_LP", "IDR_W_RADL", "IDR_N_LP", "CRA_NUT", "RSV_IRAP_VCL22", "RSV_IRAP_VCL23",
    "RSV_VCL24", "RSV_VCL25", "RSV_VCL26", "RSV_VCL27", "RSV_VCL28", "RSV_VCL29", "RSV_VCL30", "RSV_VCL31",
    "VPS_NUT", "SPS_NUT", "PPS_NUT", "AUD_NUT", "EOS_NUT", "EOB_NUT", "FD_NUT", "PREFIX_SEI_NUT",
    "SUFFIX_SEI_NUT", "RSV_NVCL41", "RSV_NVCL42", "RSV_NVCL43", "RSV_NVCL44", "RSV_NVCL45", "RSV_NVCL46",
    "RSV_NVCL47", "UNSPEC48", "UNSPEC49", "UNSPEC50", "UNSPEC51", "UNSPEC52", "UNSPEC53", "UNSPEC54",
    "UNSPEC55", "UNSPEC56", "UNSPEC57", "UNSPEC58", "UNSPEC59", "UNSPEC60", "UNSPEC61", "UNSPEC62",
    "UNSPEC63",
  ]

  /// The name for a number, for dumps.
  static func name(of raw: Int64) -> String? {
    (0...63).contains(raw) ? NALUnitType(rawValue: UInt8(truncatingIfNeeded: raw)).name : nil
  }
}

extension NALUnitType: CustomStringConvertible {
  /// The name in the specification.
  public var description: String { name }
}

// MARK: - Classes of types. ISO/IEC 23008-2, 7.4.2.2

extension NALUnitType {
  /// Whether it is a slice segment of a coded picture, or reserved for such.
  @inlinable
  public var isVideoCodingLayer: Bool { rawValue < 32 }
  /// Whether decoding can start at such a picture. `IRAP`
  @inlinable
  public var isRandomAccessPoint: Bool { (16...23).contains(rawValue) }
  /// Whether it is an instantaneous decoding refresh picture. `IDR`
  @inlinable
  public var isRefresh: Bool { rawValue == 19 || rawValue == 20 }
  /// Whether it is a broken link access picture. `BLA`
  @inlinable
  public var isBrokenLink: Bool { (16...18).contains(rawValue) }
  /// Whether it is a clean random access picture. `CRA`
  @inlinable
  public var isCleanRandomAccess: Bool { rawValue == 21 }
  /// Whether it is a leading picture that cannot be decoded after a random access. `RASL`
  @inlinable
  public var isSkippedLeading: Bool { rawValue == 8 || rawValue == 9 }
  /// Whether it is a leading picture that can be decoded after a random access. `RADL`
  @inlinable
  public var isDecodableLeading: Bool { rawValue == 6 || rawValue == 7 }
  /// Whether it is a temporal sub-layer access picture, step-wise or not. `TSA`, `STSA`
  @inlinable
  public var isTemporalAccess: Bool { (2...5).contains(rawValue) }
  /// Whether no picture of the same sub-layer refers to it. `SLNR`
  @inlinable
  public var isSubLayerNonReference: Bool { rawValue <= 14 && rawValue & 1 == 0 }
  /// Whether its syntax is that of a slice segment; reserved types have none.
  @inlinable
  public var isSliceSegment: Bool { rawValue <= 9 || (16...21).contains(rawValue) }
  /// Whether it is a video, sequence or picture parameter set.
  @inlinable
  public var isParameterSet: Bool { (32...34).contains(rawValue) }
  /// Whether it is supplemental enhancement information.
  @inlinable
  public var isSEI: Bool { rawValue == 39 || rawValue == 40 }
  /// Whether the specification reserves it for later use.
  public var isReserved: Bool {
    (10...15).contains(rawValue) || (22...31).contains(rawValue) || (41...47).contains(rawValue)
  }
  /// Whether the specification leaves it to applications.
  public var isUnspecified: Bool { (48...63).contains(rawValue) }
  /// Whether a NAL unit of this type in layer 0 begins an access unit if it is the first after the last slice
  /// segment of the previous one. 7.4.2.4.4
  @inlinable
  public var mayBeginAccessUnit: Bool {
    (32...35).contains(rawValue) || rawValue == 39 || (41...44).contains(rawValue)
      || (48...55).contains(rawValue)
  }
  /// Whether a NAL unit of this type follows the first slice segment of its access unit. 7.4.2.4.4
  @inlinable
  public var followsFirstSlice: Bool {
    rawValue == 38 || rawValue == 40 || (45...47).contains(rawValue) || (56...63).contains(rawValue)
  }
}
