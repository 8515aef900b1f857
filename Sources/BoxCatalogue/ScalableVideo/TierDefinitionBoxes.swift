// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `ldep`: the tiers that a tier depends on.
public struct TierDependencyBox: BoxPayload {
  public static let info = BoxInfo(
    ["ldep"], name: "tier dependency", in: [.box("scif"), .box("mvif")], "ISO/IEC 14496-15, 6.7.2",
    "The tiers that a tier depends on.")

  /// The IDs of the tiers.
  public var tierIDs: [UInt16] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.array("dependencyTierId", &tierIDs, countedBy: "entry_count", UInt16.self, bits: 16)
  }
}

/// `svdr`: the layers in a tier of a scalable AVC stream.
public struct SVCDependencyRangeBox: BoxPayload {
  public static let info = BoxInfo(
    ["svdr"], name: "SVC dependency range", in: [.box("scif")], "ISO/IEC 14496-15, 6.7.2",
    "The layers in a tier of a scalable AVC stream.")

  /// A layer, as in the NAL unit headers of the stream.
  public struct Layer: Hashable, Sendable {
    /// The layer of spatial resolution.
    public var dependencyID: UInt8 = 0
    /// The layer of picture rate.
    public var temporalID: UInt8 = 0
    /// The layer of quality.
    public var qualityID: UInt8 = 0
    var reserved: UInt8 = 0

    /// Makes a layer.
    public init(dependencyID: UInt8 = 0, temporalID: UInt8 = 0, qualityID: UInt8 = 0) {
      self.dependencyID = dependencyID
      self.temporalID = temporalID
      self.qualityID = qualityID
    }
  }

  /// The lowest layer, and the highest.
  public var minimum = Layer(), maximum = Layer()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u("min_dependency_id", &minimum.dependencyID, 3)
    try c.u("min_temporal_id", &minimum.temporalID, 3)
    try c.reserved("reserved", &minimum.reserved, bits: 6, expecting: 0)
    try c.u("min_quality_id", &minimum.qualityID, 4)
    try c.u("max_dependency_id", &maximum.dependencyID, 3)
    try c.u("max_temporal_id", &maximum.temporalID, 3)
    try c.reserved("reserved2", &maximum.reserved, bits: 6, expecting: 0)
    try c.u("max_quality_id", &maximum.qualityID, 4)
  }
}

/// `svip`: the parameter sets that a tier needs, by index in the configuration record.
public struct InitialParameterSetBox: BoxPayload {
  public static let info = BoxInfo(
    ["svip"], name: "initial parameter set", in: [.box("scif"), .box("mvif")], "ISO/IEC 14496-15, 6.7.2",
    "The parameter sets that a tier needs, by index in the configuration record.")

  /// The sequence parameter sets.
  public var spsIndices: [UInt8] = []
  /// The picture parameter sets.
  public var ppsIndices: [UInt8] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.array("SPS_index", &spsIndices, countedBy: "sps_id_count", UInt8.self, bits: 8)
    try c.array("PPS_index", &ppsIndices, countedBy: "pps_id_count", UInt8.self, bits: 8)
  }
}

/// `svpr`: the priorities of the NAL units in a tier.
public struct PriorityRangeBox: BoxPayload {
  public static let info = BoxInfo(
    ["svpr"], name: "priority range", in: [.box("scif"), .box("mvif")], "ISO/IEC 14496-15, 6.7.2",
    "The priorities of the NAL units in a tier.")

  /// The most important priority, and the least important one.
  public var minimumPriorityID: UInt8 = 0, maximumPriorityID: UInt8 = 0
  var reserved1: UInt8 = 0
  var reserved2: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.reserved("reserved1", &reserved1, bits: 2, expecting: 0)
    try c.u("min_priorityId", &minimumPriorityID, 6)
    try c.reserved("reserved2", &reserved2, bits: 2, expecting: 0)
    try c.u("max_priorityId", &maximumPriorityID, 6)
  }
}

/// `tran`: formats that a tier can be converted to without decoding it.
public struct TranscodingInfoBox: BoxPayload {
  public static let info = BoxInfo(
    ["tran"], name: "transcoding info", in: [.box("scif")], "ISO/IEC 14496-15, 6.7.2",
    "Formats that a tier can be converted to without decoding it.")

  /// A possible result of the conversion.
  public struct Result: FieldLayout {
    /// The profile and level as in a sequence parameter set, in three bytes.
    public var profileLevelIDC: UInt32 = 0
    /// The highest and the average bit rate, in bits per second.
    public var maximumBitrate: UInt32 = 0, averageBitrate: UInt32 = 0

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u24("profile_level_idc", &profileLevelIDC, .hexadecimal)
      try c.u32("max_bitrate", &maximumBitrate)
      try c.u32("avg_bitrate", &averageBitrate)
    }
  }

  /// The method of conversion.
  public var conversionIDC: UInt8 = 0
  /// The result with variable-length entropy coding; `nil` if not given.
  public var cavlc: Result?
  /// The result with arithmetic entropy coding; `nil` if not given.
  public var cabac: Result?
  var reserved: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.reserved("reserved", &reserved, bits: 4, expecting: 0)
    try c.u("conversion_idc", &conversionIDC, 2)
    var hasCAVLC = cavlc != nil, hasCABAC = cabac != nil
    try c.flag("cavlc_info_present_flag", &hasCAVLC)
    try c.flag("cabac_info_present_flag", &hasCABAC)
    try c.group("cavlc", &cavlc, if: hasCAVLC)
    try c.group("cabac", &cabac, if: hasCABAC)
  }
}
