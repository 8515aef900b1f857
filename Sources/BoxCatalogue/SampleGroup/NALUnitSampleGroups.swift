// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `trif`: a rectangular region of the pictures, or a set of NAL units that is not a region.
public struct RectangularRegionEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["trif"], name: "rectangular region", "ISO/IEC 14496-15, 10.3",
    "A rectangular region of the pictures, or a set of NAL units that is not a region.")

  /// The position of a region in the picture.
  public struct Offset: FieldLayout {
    /// The distance from the left, in luma samples.
    public var horizontal: UInt16 = 0
    /// The distance from the top, in luma samples.
    public var vertical: UInt16 = 0
    /// Makes a position at the top left.
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u16("horizontal_offset", &horizontal)
      try c.u16("vertical_offset", &vertical)
    }
  }

  /// A region.
  public struct Region: FieldLayout {
    /// What the region depends on: 0 unknown, 1 regions at the same position, 2 nothing.
    public var independentIDC: UInt8 = 0
    /// Whether in-loop filters do not cross its border.
    public var isFilteringDisabled = false
    /// The position of the region; `nil` if it is the whole picture.
    public var offset: Offset?
    /// Two bits that should be 0.
    public var reserved: UInt8 = 0
    /// The width in luma samples.
    public var width: UInt16 = 0
    /// The height in luma samples.
    public var height: UInt16 = 0
    /// The regions that it depends on; `nil` if they are not listed.
    public var dependencies: [UInt16]?
    /// Makes a region that is the whole picture.
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      var isFullPicture = offset == nil, hasList = dependencies != nil
      try c.u("independent_idc", &independentIDC, 2)
      try c.flag("full_picture", &isFullPicture)
      try c.flag("filtering_disabled", &isFilteringDisabled)
      try c.flag("has_dependency_list", &hasList)
      try c.reserved("reserved", &reserved, bits: 2, expecting: 0)
      try c.group("offset", &offset, if: !isFullPicture)
      try c.u16("region_width", &width)
      try c.u16("region_height", &height)
      if hasList {
        var list = dependencies ?? []
        try c.array(
          "dependencyRectRegionGroupID", &list, countedBy: "dependency_rect_region_count", UInt16.self,
          bits: 16)
        dependencies = list
      }
    }
  }

  /// The number by which other groups refer to the region.
  public var groupID: UInt16 = 1
  /// Seven bits that should be 0, if it is not a rectangle.
  public var reserved: UInt8 = 0
  /// The rectangle; `nil` if it is not one.
  public var region: Region?

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u16("groupID", &groupID)
    var isRectangle = region != nil
    try c.flag("rect_region_flag", &isRectangle)
    if !isRectangle { try c.reserved("reserved", &reserved, bits: 7, expecting: 0) }
    try c.group("region", &region, if: isRectangle)
  }
}

/// `nalm`: the groups to which the NAL units of a sample belong.
public struct NALUnitMapEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["nalm"], name: "NAL unit map", "ISO/IEC 14496-15, 10.3.4",
    "The groups to which the NAL units of a sample belong.")

  /// One NAL unit, or a run of them.
  public struct Entry: Hashable, Sendable {
    /// The first NAL unit of the run, counted from 1; `nil` if every NAL unit is listed.
    public var startNumber: UInt16?
    /// The number of the group.
    public var groupID: UInt16 = 0
    /// Makes an entry.
    public init(groupID: UInt16 = 0, startNumber: UInt16? = nil) {
      self.groupID = groupID
      self.startNumber = startNumber
    }
  }

  /// Six bits that should be 0.
  public var reserved: UInt8 = 0
  /// Whether counts and numbers take 16 bits instead of 8.
  public var isLarge = false
  /// Whether the entries are runs.
  public var isRunLength = false
  /// The entries.
  public var entries: [Entry] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.reserved("reserved", &reserved, bits: 6, expecting: 0)
    try c.flag("large_size", &isLarge)
    try c.flag("rle", &isRunLength)
    let bits = isLarge ? 16 : 8, isRunLength = isRunLength
    var count = UInt16(clamping: entries.count)
    try c.u("entry_count", &count, bits)
    try c.array("entries", &entries, count: count, minimumBits: isRunLength ? bits + 16 : 16, new: Entry()) {
      c, entry throws(ParseError) in
      c.beginStructure("entry")
      try c.u("NALU_start_number", &entry.startNumber, bits, if: isRunLength)
      try c.u16("groupID", &entry.groupID)
      c.endScope()
    }
  }
}

/// `aud `: the access unit delimiter to insert before the samples.
public struct AccessUnitDelimiterEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["aud "], name: "access unit delimiter", "ISO/IEC 14496-15, 11.4",
    "The access unit delimiter to insert before the samples.")

  /// The NAL unit.
  public var nalUnit: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u24("audNalUnit", &nalUnit, .hexadecimal)
  }
}

/// `eos `: the end of sequence NAL units to insert after the samples.
public struct EndOfSequenceEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["eos "], name: "end of sequence", "ISO/IEC 14496-15, 11.4",
    "The end of sequence NAL units to insert after the samples.")

  /// The NAL units; at least one.
  public var nalUnits: [UInt16] = [0x00A9]

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    var countMinus1 = UInt8(clamping: nalUnits.count &- 1)
    try c.u8("num_eos_nal_unit_minus1", &countMinus1)
    try c.array("eosNalUnit", &nalUnits, count: Int(countMinus1) + 1, bits: 16, .hexadecimal)
  }
}

/// `eob `: the end of bitstream NAL unit to insert after the samples.
public struct EndOfBitstreamEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["eob "], name: "end of bitstream", "ISO/IEC 14496-15, 11.4",
    "The end of bitstream NAL unit to insert after the samples.")

  /// The NAL unit.
  public var nalUnit: UInt16 = 0x00B1

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u16("eobNalUnit", &nalUnit, .hexadecimal)
  }
}

/// `pase` and `dcfi`: a parameter set, or decoding capability information, that the samples need.
public struct ParameterSetEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["pase", "dcfi"], name: "parameter set", "ISO/IEC 14496-15, 11.4",
    "A parameter set, or decoding capability information, that the samples need.")

  /// The NAL unit.
  public var nalUnit = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    var length = UInt16(clamping: nalUnit.count)
    try c.u16("nal_unit_length", &length)
    try c.bytes("nal_unit", &nalUnit, count: Int(length))
  }
}

/// `pss1`: which kinds of parameter sets are in the samples.
public struct ParameterSetPresenceEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["pss1"], name: "parameter set presence", "ISO/IEC 14496-15, 4.16",
    "Which kinds of parameter sets are in the samples.")

  /// Whether there are sequence parameter sets.
  public var hasSPS = false
  /// Whether there are picture parameter sets.
  public var hasPPS = false
  /// Whether there are adaptation parameter sets.
  public var hasAPS = false
  /// Five bits that should be 0.
  public var reserved: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("sps_present", &hasSPS)
    try c.flag("pps_present", &hasPPS)
    try c.flag("aps_present", &hasAPS)
    try c.reserved("reserved", &reserved, bits: 5, expecting: 0)
  }
}

/// `scnm`: the groups to which the NAL units of a sample belong, in AVC and its extensions.
public struct ScalableNALUnitMapEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["scnm"], name: "scalable NAL unit map", "ISO/IEC 14496-15, A.5",
    "The groups to which the NAL units of a sample belong, in AVC and its extensions.")

  /// A byte that should be 0.
  public var reserved: UInt8 = 0
  /// The group of each NAL unit.
  public var groupIDs: [UInt8] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.reserved("reserved", &reserved, bits: 8, expecting: 0)
    try c.array("groupID", &groupIDs, countedBy: "NALU_count", UInt8.self, bits: 8)
  }
}
