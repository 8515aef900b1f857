// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `oinf`: the operating points of a layered stream.
public struct OperatingPointsInformationEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["oinf"], name: "operating points information", "ISO/IEC 14496-15, 9.6.2",
    "The operating points of a layered stream.")

  /// The operating points.
  public var record = OperatingPointsRecord()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try record.layout(&c) }
}

/// `linf`: the layers that a track carries.
public struct LayerInformationEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["linf"], name: "layer information", "ISO/IEC 14496-15, 9.6.3", "The layers that a track carries.")

  /// A layer.
  public struct Layer: PackedRecord {
    /// Two bits that should be 0.
    public var reserved: UInt8 = 0
    /// Whether all its pictures are random access points; reserved in early editions.
    public var hasOnlyIRAPPictures = false
    /// Whether the track carries the layer completely; reserved in early editions.
    public var isComplete = false
    /// The ID of the layer.
    public var layerID: UInt8 = 0
    /// The lowest temporal sub-layer in the track.
    public var minimumTemporalID: UInt8 = 0
    /// The highest temporal sub-layer in the track.
    public var maximumTemporalID: UInt8 = 0
    /// A bit that should be 0.
    public var reservedBit: UInt8 = 0
    /// The temporal sub-layers in the track, one bit each.
    public var subLayerPresence: UInt8 = 1
    @inlinable
    public static var stride: Int { 3 }
    @inlinable
    public init() {}
    @inlinable
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.reserved("reserved", &reserved, bits: 2, expecting: 0)
      try c.flag("irap_gdr_pics_in_layer_only_flag", &hasOnlyIRAPPictures)
      try c.flag("completeness_flag", &isComplete)
      try c.u("layer_id", &layerID, 6)
      try c.u("min_TemporalId", &minimumTemporalID, 3)
      try c.u("max_TemporalId", &maximumTemporalID, 3)
      try c.reserved("reserved2", &reservedBit, bits: 1, expecting: 0)
      try c.u("sub_layer_presence_flags", &subLayerPresence, 7, .hexadecimal)
    }
  }

  /// Two bits that should be 0.
  public var reserved: UInt8 = 0
  /// The layers.
  public var layers: [Layer] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.reserved("reserved", &reserved, bits: 2, expecting: 0)
    var count = UInt8(clamping: layers.count)
    try c.u("num_layers_in_track", &count, 6)
    try c.array("layers", &layers, count: count, minimumBits: 24)
  }
}

/// `tscl`: a temporal layer: its profile, level and rates.
public struct TemporalLayerEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["tscl"], name: "temporal layer", "ISO/IEC 14496-15, 8.4.5",
    "A temporal layer: its profile, level and rates.")

  /// The layer; it is described together with all lower ones.
  public var temporalLayerID: UInt8 = 0
  /// The profile space, which determines the meaning of the profile.
  public var profileSpace: UInt8 = 0
  /// Whether the tier is High.
  public var isHighTier = false
  /// The profile.
  public var profileIDC: UInt8 = 1
  /// The profiles that it is compatible with.
  public var compatibilityFlags: UInt32 = 0
  /// 48 bits of constraint flags.
  public var constraintFlags: UInt64 = 0
  /// The level, as thirty times its number.
  public var levelIDC: UInt8 = 0
  /// The highest bit rate, in units of 1000 bits per second.
  public var maximumBitRate: UInt16 = 0
  /// The average bit rate, in units of 1000 bits per second.
  public var averageBitRate: UInt16 = 0
  /// Whether the picture rate is constant.
  public var constantFrameRate: UInt8 = 0
  /// The average number of pictures per 256 seconds.
  public var averageFrameRate: UInt16 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u8("temporalLayerId", &temporalLayerID)
    try c.u("tlprofile_space", &profileSpace, 2)
    try c.flag("tltier_flag", &isHighTier)
    try c.u("tlprofile_idc", &profileIDC, 5)
    try c.u32("tlprofile_compatibility_flags", &compatibilityFlags, .hexadecimal)
    try c.u("tlconstraint_indicator_flags", &constraintFlags, 48, .hexadecimal)
    try c.u8("tllevel_idc", &levelIDC, .scaled(30, ""))
    try c.u16("tlMaxBitRate", &maximumBitRate)
    try c.u16("tlAvgBitRate", &averageBitRate)
    try c.u8("tlConstantFrameRate", &constantFrameRate)
    try c.u16("tlAvgFrameRate", &averageFrameRate, .scaled(256, " Hz"))
  }
}

/// `lbli`: the picture of an external base layer that belongs to the sample.
public struct ExternalBaseLayerEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["lbli"], name: "external base layer", "ISO/IEC 14496-15, 9.6.4",
    "The picture of an external base layer that belongs to the sample.")

  /// A bit that should be 1.
  public var reserved: UInt8 = 1
  /// Whether that picture is a random access point.
  public var isIRAP = false
  /// The type of its NAL units.
  public var nalUnitType: UInt8 = 0
  /// The sample of the base track, relative to the one at the same time.
  public var sampleOffset: Int8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.reserved("reserved", &reserved, bits: 1, expecting: 1)
    try c.flag("bl_irap_pic_flag", &isIRAP)
    try c.u("bl_irap_nal_unit_type", &nalUnitType, 6)
    try c.signed("sample_offset", &sampleOffset, bits: 8, in: nil, .decimal)
  }
}

/// `opth`: how much decoding times differ if only some operating points are decoded.
public struct OperatingPointDecodeTimeHintEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["opth"], name: "operating point decode time hint", "ISO/IEC 14496-15, 9.6.5",
    "How much decoding times differ if only some operating points are decoded.")

  /// The difference, in units of the media's timescale.
  public var deltaTime: Int32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.i32("delta_time", &deltaTime)
  }
}
