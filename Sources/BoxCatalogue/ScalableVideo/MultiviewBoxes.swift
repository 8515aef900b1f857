// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `mvci`: groups of views of a multiview AVC stream.
public struct MultiviewInformationBox: FullBox {
  public static let info = BoxInfo(
    ["mvci"], name: "multiview information", in: [.box("minf")], "ISO/IEC 14496-15, 7.7.4",
    "Groups of views of a multiview AVC stream.", versions: 0...0, childrenFollow: true)

  public var flags: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.fullBox(&flags) }
}

/// `mvcg`: views of a multiview AVC stream that are meant to be shown together.
public struct MultiviewGroupBox: FullBox {
  public static let info = BoxInfo(
    ["mvcg"], name: "multiview group", in: [.box("mvci")], "ISO/IEC 14496-15, 7.7.5",
    "Views of a multiview AVC stream that are meant to be shown together.", versions: 0...0,
    childrenFollow: true)

  /// A view, a tier, a track or a range of views.
  public struct Entry: FieldLayout {
    /// What the entry is: 0 a track, 1 a tier of a track, 2 a view, 3 a range of views.
    public var entryType: UInt8 = 0
    /// The ID of the track.
    public var trackID: UInt32 = 0
    /// The ID of the tier.
    public var tierID: UInt16 = 0
    /// Six bits that should be 0.
    public var reserved: UInt8 = 0
    /// The view, or the first one.
    public var viewID: UInt16 = 0
    /// The number of views.
    public var viewCount: UInt16 = 0
    /// Makes an entry with default values.
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u8("entry_type", &entryType)
      switch entryType {
      case 0: try c.u32("track_id", &trackID)
      case 1:
        try c.u32("track_id", &trackID)
        try c.u16("tier_id", &tierID)
      case 2:
        try c.reserved("reserved1", &reserved, bits: 6, expecting: 0)
        try c.u("output_view_id", &viewID, 10)
      case 3:
        try c.reserved("reserved2", &reserved, bits: 6, expecting: 0)
        try c.u("start_view_id", &viewID, 10)
        try c.u16("view_count", &viewCount)
      default: break
      }
    }
  }

  public var flags: UInt32 = 0
  /// The number of the group.
  public var groupID: UInt32 = 0
  /// A byte that should be 0.
  public var reserved: UInt8 = 0
  /// The members of the group.
  public var entries: [Entry] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u32("multiview_group_id", &groupID)
    var count = UInt16(clamping: entries.count)
    try c.u16("num_entries", &count)
    try c.reserved("reserved", &reserved, bits: 8, expecting: 0)
    try c.array("entries", &entries, count: count, minimumBits: 8)
  }
}

/// `swtc`: groups of views between which a player can switch.
public struct MultiviewGroupRelationBox: FullBox {
  public static let info = BoxInfo(
    ["swtc"], name: "multiview group relation", in: [.box("mvci")], "ISO/IEC 14496-15, 7.7.6",
    "Groups of views between which a player can switch.", versions: 0...0, childrenFollow: true)

  public var flags: UInt32 = 0
  /// The numbers of the groups.
  public var groupIDs: [UInt32] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.array("multiview_group_id", &groupIDs, countedBy: "num_entries", UInt32.self, bits: 32)
  }
}

/// `mvra`: the properties that the views of a group share, and those in which they differ.
public struct MultiviewRelationAttributeBox: FullBox {
  public static let info = BoxInfo(
    ["mvra"], name: "multiview relation attribute", in: [.box("mvcg"), .box("swtc")],
    "ISO/IEC 14496-15, 7.7.7",
    "The properties that the views of a group share, and those in which they differ.",
    versions: 0...0)

  /// An attribute that they have in common.
  public struct Attribute: PackedRecord {
    /// The attribute.
    public var attribute: FourCC = "dvwc"
    /// Its value.
    public var value: UInt32 = 0
    @inlinable
    public static var stride: Int { 8 }
    @inlinable
    public init() {}
    @inlinable
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.fourCC("common_attribute", &attribute)
      try c.u32("common_value", &value)
    }
  }

  public var flags: UInt32 = 0
  /// Two bytes that should be 0.
  public var reserved1: UInt16 = 0
  /// The attributes that they have in common.
  public var commonAttributes: [Attribute] = []
  /// Two bytes that should be 0.
  public var reserved2: UInt16 = 0
  /// The attributes in which they differ.
  public var differentiatingAttributes: [FourCC] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.reserved("reserved1", &reserved1, bits: 16, expecting: 0)
    var common = UInt16(clamping: commonAttributes.count)
    try c.u16("num_common_attributes", &common)
    try c.array("common_attributes", &commonAttributes, count: common, minimumBits: 64)
    try c.reserved("reserved2", &reserved2, bits: 16, expecting: 0)
    var others = UInt16(clamping: differentiatingAttributes.count)
    try c.u16("num_differentiating_attributes", &others)
    try c.array(
      "differentiating_attribute", &differentiatingAttributes, count: others, minimumBits: 32, new: FourCC(0)
    ) { c, attribute throws(ParseError) in
      try c.fourCC("differentiating_attribute", &attribute)
    }
  }
}

/// `vwdi`: the greatest disparity between neighbouring views.
public struct MultiviewSceneInfoBox: BoxPayload {
  public static let info = BoxInfo(
    ["vwdi"], name: "multiview scene info", in: [.box("mvcg")], "ISO/IEC 14496-15, 7.7.8",
    "The greatest disparity between neighbouring views.")

  /// The greatest disparity between neighbouring views, in luma samples.
  public var maximumDisparity: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u8("max_disparity", &maximumDisparity)
  }
}

/// `vwid`: the views in a track, and the views they depend on.
public struct ViewIdentifierBox: FullBox {
  public static let info = BoxInfo(
    ["vwid"], name: "view identifier", in: [.visualSampleEntry, .box("mvif")], "ISO/IEC 14496-15, 7.6.6",
    "The views in a track, and the views they depend on.", versions: 0...0)

  /// A view that another one depends on.
  public struct Reference: PackedRecord {
    /// Four bits that should be 0.
    public var reserved: UInt8 = 0
    /// Whether texture, depth or both depend on it.
    public var dependentComponent: UInt8 = 0
    /// The ID of the view.
    public var viewID: UInt16 = 0
    @inlinable
    public static var stride: Int { 2 }
    @inlinable
    public init() {}
    @inlinable
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.reserved("reserved5", &reserved, bits: 4, expecting: 0)
      try c.u("dependent_component_idc", &dependentComponent, 2)
      try c.u("ref_view_id", &viewID, 10)
    }
  }

  /// A view.
  public struct View: FieldLayout {
    /// Six bits that should be 0.
    public var reserved1: UInt8 = 0
    /// The ID of the view.
    public var viewID: UInt16 = 0
    /// Six bits that should be 0.
    public var reserved2: UInt8 = 0
    /// Its position in decoding order.
    public var viewOrderIndex: UInt16 = 0
    /// Whether its texture is in the stream.
    public var isTextureInStream = true
    /// Whether its texture is in the track.
    public var isTextureInTrack = true
    /// Whether its depth is in the stream.
    public var isDepthInStream = false
    /// Whether its depth is in the track.
    public var isDepthInTrack = false
    /// The relation to the base view: 0 none, 1 non-base, 2 base, 3 base and of the same stream.
    public var baseViewType: UInt8 = 0
    /// The views that it depends on.
    public var references: [Reference] = []
    /// Makes a view with default values.
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.reserved("reserved1", &reserved1, bits: 6, expecting: 0)
      try c.u("view_id", &viewID, 10)
      try c.reserved("reserved2", &reserved2, bits: 6, expecting: 0)
      try c.u("view_order_index", &viewOrderIndex, 10)
      try c.flag("texture_in_stream", &isTextureInStream)
      try c.flag("texture_in_track", &isTextureInTrack)
      try c.flag("depth_in_stream", &isDepthInStream)
      try c.flag("depth_in_track", &isDepthInTrack)
      try c.u("base_view_type", &baseViewType, 2)
      var count = UInt16(clamping: references.count)
      try c.u("num_ref_views", &count, 10)
      try c.array("references", &references, count: count, minimumBits: 16)
    }
  }

  public var flags: UInt32 = 0
  /// Two bits that should be 0.
  public var reserved: UInt8 = 0
  /// The lowest temporal layer.
  public var minimumTemporalID: UInt8 = 0
  /// The highest temporal layer.
  public var maximumTemporalID: UInt8 = 0
  /// The views.
  public var views: [View] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.reserved("reserved6", &reserved, bits: 2, expecting: 0)
    try c.u("min_temporal_id", &minimumTemporalID, 3)
    try c.u("max_temporal_id", &maximumTemporalID, 3)
    try c.array("views", &views, countedBy: "num_views", UInt16.self, minimumBits: 48)
  }
}
