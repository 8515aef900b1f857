// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `mstv`: a sub-track that consists of some views of a multiview AVC stream.
public struct SubTrackViewBox: FullBox {
  public static let info = BoxInfo(
    ["mstv"], name: "sub track view", in: [.box("strd")], "ISO/IEC 14496-15, 7.8.2",
    "A sub-track that consists of some views of a multiview AVC stream.", versions: 0...0)

  /// A view, up to a temporal layer.
  public struct View: PackedRecord {
    /// The ID of the view.
    public var viewID: UInt16 = 0
    /// The highest temporal layer.
    public var temporalID: UInt8 = 0
    /// Two bits that should be 0.
    public var reserved: UInt8 = 0
    @inlinable
    public static var stride: Int { 2 }
    @inlinable
    public init() {}
    @inlinable
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u("view_id", &viewID, 10)
      try c.u("temporal_id", &temporalID, 4)
      try c.reserved("reserved", &reserved, bits: 2, expecting: 0)
    }
  }

  public var flags: UInt32 = 0
  /// The views.
  public var views: [View] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.array("views", &views, countedBy: "item_count", UInt16.self, minimumBits: 16)
  }
}

/// `sstl`: a sub-track that consists of some layers of a scalable AVC stream.
public struct SubTrackLayerBox: FullBox {
  public static let info = BoxInfo(
    ["sstl"], name: "sub track layer", in: [.box("strd")], "ISO/IEC 14496-15, 6.8.2",
    "A sub-track that consists of some layers of a scalable AVC stream.", versions: 0...0)

  /// A set of layers.
  public struct Layer: PackedRecord {
    /// The dependency ID, as in the NAL unit header.
    public var dependencyID: UInt8 = 0
    /// The quality ID, as in the NAL unit header.
    public var qualityID: UInt8 = 0
    /// The temporal ID, as in the NAL unit header.
    public var temporalID: UInt8 = 0
    /// The priority ID, as in the NAL unit header.
    public var priorityID: UInt8 = 0
    /// Whether lower or higher dependency IDs are included too.
    public var dependencyIDRange: UInt8 = 0
    /// Whether lower or higher quality IDs are included too.
    public var qualityIDRange: UInt8 = 0
    /// Whether lower or higher temporal IDs are included too.
    public var temporalIDRange: UInt8 = 0
    /// Whether lower or higher priority IDs are included too.
    public var priorityIDRange: UInt8 = 0
    @inlinable
    public static var stride: Int { 3 }
    @inlinable
    public init() {}
    @inlinable
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u("dependency_id", &dependencyID, 3)
      try c.u("quality_id", &qualityID, 4)
      try c.u("temporal_id", &temporalID, 3)
      try c.u("priority_id", &priorityID, 6)
      try c.u("dependency_id_range", &dependencyIDRange, 2)
      try c.u("quality_id_range", &qualityIDRange, 2)
      try c.u("temporal_id_range", &temporalIDRange, 2)
      try c.u("priority_id_range", &priorityIDRange, 2)
    }
  }

  public var flags: UInt32 = 0
  /// The layers.
  public var layers: [Layer] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.array("layers", &layers, countedBy: "item_count", UInt16.self, minimumBits: 24)
  }
}

/// `stmg`: a sub-track that consists of some groups of views.
public struct SubTrackMultiviewGroupBox: FullBox {
  public static let info = BoxInfo(
    ["stmg"], name: "sub track multiview group", in: [.box("strd")], "ISO/IEC 14496-15, 7.8.3",
    "A sub-track that consists of some groups of views.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The numbers of the groups.
  public var groupIDs: [UInt32] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.array("MultiviewGroupId", &groupIDs, countedBy: "item_count", UInt16.self, bits: 32)
  }
}

/// `stti` and `tstb`: a sub-track that consists of some tiers, or of some groups of tiles.
public struct SubTrackTierBox: FullBox {
  public static let info = BoxInfo(
    ["stti", "tstb"], name: "sub track tier", in: [.box("strd")], "ISO/IEC 14496-15, 6.8.3, 10.7.2",
    "A sub-track that consists of some tiers, or of some groups of tiles.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The tiers or the groups of tiles.
  public var groupIDs: [UInt16] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.array("group_id", &groupIDs, countedBy: "item_count", UInt16.self, bits: 16)
  }
}
