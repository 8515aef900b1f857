// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `minp`: VVC pictures whose subpictures have different NAL unit types.
public struct VVCMixedNALUnitTypesEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["minp"], name: "VVC mixed NAL unit types", "ISO/IEC 14496-15, 11.4.13",
    "VVC pictures whose subpictures have different NAL unit types.")

  /// A pair of tracks that form such a picture.
  public struct Pair: PackedRecord {
    /// One track.
    public var first: UInt16 = 0
    /// The other.
    public var second: UInt16 = 0
    @inlinable
    public static var stride: Int { 4 }
    @inlinable
    public init() {}
    @inlinable
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u16("mix_subp_track_idx1", &first)
      try c.u16("mix_subp_track_idx2", &second)
    }
  }

  /// The pairs.
  public var pairs: [Pair] = []
  /// The position of the flag in the picture parameter set.
  public var flagBitPosition: UInt16 = 0
  /// The picture parameter set.
  public var ppsID: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.array("pairs", &pairs, countedBy: "num_mix_nalu_pic_idx", UInt16.self, minimumBits: 32)
    try c.u("pps_mix_nalu_types_in_pic_bit_pos", &flagBitPosition, 10)
    try c.u("pps_id", &ppsID, 6)
  }
}

/// `spid`: the subpictures in a track.
public struct VVCSubpictureIDEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["spid"], name: "VVC subpicture ID", "ISO/IEC 14496-15, 11.4.6", "The subpictures in a track.")

  /// A subpicture.
  public struct Subpicture: Hashable, Sendable {
    /// The identifier; `nil` if it is that of the previous one plus 1.
    public var subpictureID: UInt16?
    /// The group of its rectangular region; `nil` if it is not one.
    public var groupID: UInt16?
    /// Makes a subpicture.
    public init(subpictureID: UInt16? = nil, groupID: UInt16? = nil) {
      self.subpictureID = subpictureID
      self.groupID = groupID
    }
  }

  /// Whether each subpicture is a rectangular region.
  public var isRectangularRegion = false
  /// Two bits that should be 0.
  public var reserved: UInt8 = 0
  /// Whether only the first identifier is given.
  public var isContinuous = false
  /// The subpictures that are partly or fully coded here; at least one.
  public var subpictures: [Subpicture] = [Subpicture(subpictureID: 0)]
  /// How many further subpictures take no bits here, because only the first identifier is given and there are no
  /// regions.
  public var impliedSubpictureCount: UInt16 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("rect_region_flag", &isRectangularRegion)
    try c.reserved("reserved", &reserved, bits: 2, expecting: 0)
    try c.flag("continuous_id_flag", &isContinuous)
    let isContinuous = isContinuous, isRegion = isRectangularRegion
    let isImplied = isContinuous && !isRegion
    var countMinus1 = UInt16(
      clamping: subpictures.count &- 1 &+ (isImplied ? Int(impliedSubpictureCount) : 0))
    try c.u("num_subpics_minus1", &countMinus1, 12)
    // Elements that take no bits are counted, not created: four bytes could ask for 4096 of them.
    impliedSubpictureCount = isImplied ? countMinus1 : 0
    let written = isImplied ? 1 : Int(countMinus1) + 1
    var isFirst = true
    try c.array("subpictures", &subpictures, count: written, minimumBits: 16, new: Subpicture()) {
      c, subpicture throws(ParseError) in
      c.beginStructure("subpicture")
      try c.u("subpic_id", &subpicture.subpictureID, 16, if: isFirst || !isContinuous)
      try c.u("groupID", &subpicture.groupID, 16, if: isRegion)
      c.endScope()
      isFirst = false
    }
  }
}

/// `spor`: the order in which subpicture tracks form a picture.
public struct VVCSubpictureOrderEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["spor"], name: "VVC subpicture order", "ISO/IEC 14496-15, 11.4.7",
    "The order in which subpicture tracks form a picture.")

  /// Whether instructions for rewriting identifiers follow.
  public var hasRewritingInformation = false
  /// The tracks, as indices into the track references.
  public var trackReferenceIndices: [UInt16] = []
  /// The instructions for rewriting identifiers, as bytes.
  public var rewritingInformation = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("subpic_id_info_flag", &hasRewritingInformation)
    var count = UInt16(clamping: trackReferenceIndices.count)
    try c.u("num_subpic_ref_idx", &count, 15)
    try c.array("subp_track_ref_idx", &trackReferenceIndices, count: count, bits: 16)
    if hasRewritingInformation { try c.remainder("subpic_id_rewriting_info", &rewritingInformation) }
  }
}

/// `spli`: the level of a subpicture sequence.
public struct SubpictureLevelEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["spli"], name: "subpicture level", "ISO/IEC 14496-15, 11.4.8", "The level of a subpicture sequence.")

  /// The level.
  public var levelIDC: UInt8 = 51

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.u8("level_idc", &levelIDC) }
}

/// `sulm`: the groups to which the subpictures belong.
public struct VVCSubpictureLayoutMapEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["sulm"], name: "VVC subpicture layout map", "ISO/IEC 14496-15, 11.4.9",
    "The groups to which the subpictures belong.")

  /// The sample group that describes the groups: `trif` or `spid`.
  public var groupInformation: FourCC = "spid"
  /// The groups; at least one.
  public var groupIDs: [UInt16] = [0]

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fourCC("groupID_info_4cc", &groupInformation)
    var countMinus1 = UInt16(clamping: groupIDs.count &- 1)
    try c.u16("entry_count_minus1", &countMinus1)
    try c.array("groupID", &groupIDs, count: Int(countMinus1) + 1, bits: 16)
  }
}

/// `rror`: the order in which the tracks of rectangular regions form a picture.
public struct RectangularRegionOrderEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["rror"], name: "rectangular region order", "ISO/IEC 14496-15, 11.4.11",
    "The order in which the tracks of rectangular regions form a picture.")

  /// Regions any one of which can be used.
  public struct AlternateSet: FieldLayout {
    /// The set.
    public var setID: UInt16 = 0
    /// Its regions.
    public var groupIDs: [UInt16] = []
    /// Makes an empty set.
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      var count = UInt16(clamping: groupIDs.count)
      try c.u16("num_regions_in_set", &count)
      try c.u16("alternate_region_set_id", &setID)
      try c.array("groupID", &groupIDs, count: count, bits: 16)
    }
  }

  /// Whether instructions for rewriting identifiers follow.
  public var hasRewritingInformation = false
  /// Seven bits that should be 0.
  public var reserved: UInt8 = 0
  /// The sets.
  public var alternateSets: [AlternateSet] = []
  /// The regions or sets, in order.
  public var regionIDs: [UInt16] = []
  /// The instructions for rewriting identifiers, as bytes.
  public var rewritingInformation = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("subpic_id_info_flag", &hasRewritingInformation)
    try c.reserved("reserved", &reserved, bits: 7, expecting: 0)
    var sets = UInt16(clamping: alternateSets.count)
    try c.u16("num_alternate_region_set", &sets)
    try c.array("alternate_region_sets", &alternateSets, count: sets, minimumBits: 32)
    // The loop in the standard runs to this number, not to one more.
    var regions = UInt16(clamping: regionIDs.count)
    try c.u16("num_regions_minus1", &regions)
    try c.array("region_id", &regionIDs, count: regions, bits: 16)
    if hasRewritingInformation { try c.remainder("subpic_id_rewriting_info", &rewritingInformation) }
  }
}

/// `vopi`: the operating points of a VVC stream.
public struct VVCOperatingPointsEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["vopi"], name: "VVC operating points", "ISO/IEC 14496-15, 11.4.5",
    "The operating points of a VVC stream.")

  /// The record, as bytes.
  public var record = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.remainder("oinf", &record) }
}
