// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `avll`: a layer of an AVC stream, and its rates.
public struct AVCLayerEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["avll"], name: "AVC layer", "ISO/IEC 14496-15, 5.4.9.2", "A layer of an AVC stream, and its rates.")

  /// The layer; 0 is the base layer.
  public var layerNumber: UInt8 = 0
  /// Seven bits that should be 0.
  public var reserved: UInt8 = 0
  /// Whether the rates are accurate.
  public var isAccurate = false
  /// The average bit rate, in units of 1000 bits per second.
  public var averageBitRate: UInt16 = 0
  /// The average number of pictures per 256 seconds.
  public var averageFrameRate: UInt16 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u8("layerNumber", &layerNumber)
    try c.reserved("reserved", &reserved, bits: 7, expecting: 0)
    try c.flag("accurateStatisticsFlag", &isAccurate)
    try c.u16("avgBitRate", &averageBitRate)
    try c.u16("avgFrameRate", &averageFrameRate, .scaled(256, " Hz"))
  }
}

/// `avss`: a sub-sequence of an AVC stream, and what it depends on.
public struct AVCSubSequenceEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["avss"], name: "AVC sub sequence", "ISO/IEC 14496-15, 5.4.9.3",
    "A sub-sequence of an AVC stream, and what it depends on.")

  /// The rates of a sub-sequence.
  public struct Rate: FieldLayout {
    /// Seven bits that should be 0.
    public var reserved: UInt8 = 0
    /// Whether the rates are accurate.
    public var isAccurate = false
    /// The average bit rate, in units of 1000 bits per second.
    public var averageBitRate: UInt16 = 0
    /// The average number of pictures per 256 seconds.
    public var averageFrameRate: UInt16 = 0
    /// Makes rates with default values.
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.reserved("reserved", &reserved, bits: 7, expecting: 0)
      try c.flag("accurateStatisticsFlag", &isAccurate)
      try c.u16("avgBitRate", &averageBitRate)
      try c.u16("avgFrameRate", &averageFrameRate, .scaled(256, " Hz"))
    }
  }

  /// A sub-sequence that this one depends on.
  public struct Dependency: PackedRecord {
    /// Where it is relative to this one: 0 before, 1 after.
    public var direction: UInt8 = 0
    /// Its layer.
    public var layerNumber: UInt8 = 0
    /// Its identifier.
    public var subSequenceIdentifier: UInt16 = 0
    @inlinable
    public static var stride: Int { 4 }
    @inlinable
    public init() {}
    @inlinable
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u8("subSeqDirectionFlag", &direction)
      try c.u8("layerNumber", &layerNumber)
      try c.u16("subSequenceIdentifier", &subSequenceIdentifier)
    }
  }

  /// The identifier in its layer.
  public var subSequenceIdentifier: UInt16 = 0
  /// The layer.
  public var layerNumber: UInt8 = 0
  /// Six bits that should be 0.
  public var reserved: UInt8 = 0
  /// The duration, in units of 1/90000 second; `nil` if not given.
  public var duration: UInt32?
  /// The rates; `nil` if not given.
  public var rate: Rate?
  /// The sub-sequences that it depends on.
  public var dependencies: [Dependency] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u16("subSequenceIdentifer", &subSequenceIdentifier)
    try c.u8("layerNumber", &layerNumber)
    var hasDuration = duration != nil, hasRate = rate != nil
    try c.flag("durationFlag", &hasDuration)
    try c.flag("avgRateFlag", &hasRate)
    try c.reserved("reserved", &reserved, bits: 6, expecting: 0)
    try c.u("duration", &duration, 32, if: hasDuration)
    try c.group("rate", &rate, if: hasRate)
    try c.array("dependency", &dependencies, countedBy: "numReferences", UInt8.self, minimumBits: 32)
  }
}

/// `dtrt`: how decoding times change if only some tiers are decoded.
public struct DecodeRetimingEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["dtrt"], name: "decode retiming", "ISO/IEC 14496-15, A.6",
    "How decoding times change if only some tiers are decoded.")

  /// The change for one tier.
  public struct Tier: PackedRecord {
    /// The ID of the tier.
    public var tierID: UInt16 = 0
    /// The change, in units of the media's timescale.
    public var delta: Int16 = 0
    @inlinable
    public static var stride: Int { 4 }
    @inlinable
    public init() {}
    @inlinable
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u16("tierID", &tierID)
      try c.i16("delta", &delta)
    }
  }

  /// The tiers.
  public var tiers: [Tier] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.array("tiers", &tiers, countedBy: "tierCount", UInt8.self, minimumBits: 32)
  }
}

/// `scif`: a tier of a scalable stream. In the group that defines the tier, boxes that describe it follow.
public struct ScalableGroupEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["scif"], name: "scalable group", "ISO/IEC 14496-15, 6.7.2", "A tier of a scalable stream.")

  /// The number of the group.
  public var groupID: UInt8 = 0
  /// The group that defines the tier; boxes follow if it is this one.
  public var primaryGroupID: UInt8 = 0
  /// Whether the samples of the tier are instantaneous decoding refreshes.
  public var isTierIDR = false
  /// Whether no layer is predicted from another.
  public var noInterLayerPrediction = false
  /// Whether pictures are predicted from base pictures.
  public var usesReferenceBasePicture = false
  /// Whether base representations are stored.
  public var storesBaseRepresentation = false
  /// Whether it is a point at which the temporal layer can be changed.
  public var isTemporalSwitchingPoint = false
  /// Three bits that should be 0.
  public var reserved: UInt8 = 0
  /// The distance to the next such point.
  public var switchingDistance: UInt8 = 0
  /// The boxes that describe the tier.
  public var boxes: [EnclosedBox] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u8("groupID", &groupID)
    try c.u8("primary_groupID", &primaryGroupID)
    try c.flag("is_tier_IDR", &isTierIDR)
    try c.flag("noInterLayerPredFlag", &noInterLayerPrediction)
    try c.flag("useRefBasePicFlag", &usesReferenceBasePicture)
    try c.flag("storeBaseRepFlag", &storesBaseRepresentation)
    try c.flag("is_tl_switching_point", &isTemporalSwitchingPoint)
    try c.reserved("reserved", &reserved, bits: 3, expecting: 0)
    try c.u8("tl_switching_distance", &switchingDistance)
    try c.arrayWhileBitsLeft(
      "boxes", &boxes, minimumBits: 64, new: EnclosedBox("free", inEntryOf: "scif"))
  }
}

/// `mvif`: a tier of a multiview AVC stream. In the group that defines the tier, boxes that describe it follow.
public struct MultiviewGroupEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["mvif"], name: "multiview group", "ISO/IEC 14496-15, 7.7.2", "A tier of a multiview AVC stream.")

  /// The number of the group.
  public var groupID: UInt8 = 0
  /// The group that defines the tier; boxes follow if it is this one.
  public var primaryGroupID: UInt8 = 0
  /// Four bits that should be 0.
  public var reserved: UInt8 = 0
  /// Whether it is a point at which the temporal layer can be changed.
  public var isTemporalSwitchingPoint = false
  /// Three bits that should be 0.
  public var reservedBits: UInt8 = 0
  /// The distance to the next such point.
  public var switchingDistance: UInt8 = 0
  /// The boxes that describe the tier.
  public var boxes: [EnclosedBox] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u8("groupID", &groupID)
    try c.u8("primary_groupID", &primaryGroupID)
    try c.reserved("reserved", &reserved, bits: 4, expecting: 0)
    try c.flag("is_tl_switching_point", &isTemporalSwitchingPoint)
    try c.reserved("reserved2", &reservedBits, bits: 3, expecting: 0)
    try c.u8("tl_switching_distance", &switchingDistance)
    try c.arrayWhileBitsLeft(
      "boxes", &boxes, minimumBits: 64, new: EnclosedBox("free", inEntryOf: "mvif"))
  }
}

/// `vipr`: the priorities of the views.
public struct ViewPriorityEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["vipr"], name: "view priority", "ISO/IEC 14496-15, 7.7.3", "The priorities of the views.")

  /// A view.
  public struct View: PackedRecord {
    /// Six bits that should be 0.
    public var reserved: UInt8 = 0
    /// The ID of the view.
    public var viewID: UInt16 = 0
    /// The priority; lower values are more important.
    public var contentPriorityID: UInt32 = 0
    @inlinable
    public static var stride: Int { 6 }
    @inlinable
    public init() {}
    @inlinable
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.reserved("reserved", &reserved, bits: 6, expecting: 0)
      try c.u("view_id", &viewID, 10)
      try c.u32("content_priority_id", &contentPriorityID)
    }
  }

  /// The size of the box that contains the views.
  public var boxSize: UInt32 = 14
  /// The type of that box.
  public var boxType: FourCC = "vipr"
  /// The views.
  public var views: [View] = [View()]

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("size", &boxSize)
    try c.fourCC("type", &boxType)
    try c.arrayToEnd("views", &views, elementBits: 48)
  }
}
