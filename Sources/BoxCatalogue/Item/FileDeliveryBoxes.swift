// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `fiin`: how items are delivered as files over broadcast.
public struct FileDeliveryItemInformationBox: FullBox {
  public static let info = BoxInfo(
    ["fiin"], name: "file delivery item information", in: [.box("meta")], "ISO/IEC 14496-12, 8.13.2",
    "How items are delivered as files over broadcast.", versions: 0...0, childrenFollow: true)

  public var flags: UInt32 = 0
  /// The number of partitions according to the box.
  public var entryCount: UInt16 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u16("entry_count", &entryCount)
  }
}

/// `fpar`: the blocks into which a file is divided for protection against losses.
public struct FilePartitionBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["fpar"], name: "file partition", in: [.box("paen")], "ISO/IEC 14496-12, 8.13.3",
    "The blocks into which a file is divided for protection against losses.", versions: 0...1)

  /// Blocks of the same size.
  public struct Entry: PackedRecord {
    /// The number of blocks.
    public var blockCount: UInt16 = 0
    /// The size of each block in bytes.
    public var blockSize: UInt32 = 0
    @inlinable
    public static var stride: Int { 6 }
    @inlinable
    public init() {}
    @inlinable
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u16("block_count", &blockCount)
      try c.u32("block_size", &blockSize)
    }
  }

  public var version: UInt8 = 0
  public var flags: UInt32 = 0
  /// The ID of the item.
  public var itemID: UInt32 = 0
  /// The size of a packet's payload in bytes.
  public var packetPayloadSize: UInt16 = 0
  /// A byte that should be 0.
  public var reserved: UInt8 = 0
  /// The error correction scheme.
  public var encodingID: UInt8 = 0
  /// The variant of the scheme.
  public var instanceID: UInt16 = 0
  /// The maximum number of symbols in a source block.
  public var maximumSourceBlockLength: UInt16 = 0
  /// The size of a symbol in bytes.
  public var encodingSymbolLength: UInt16 = 0
  /// The maximum number of symbols in a block.
  public var maximumEncodingSymbols: UInt16 = 0
  /// Further parameters of the scheme, in Base64.
  public var schemeSpecificInfo = TerminatedString()
  /// The blocks.
  public var entries: [Entry] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    try c.u("item_ID", &itemID, version == 0 ? 16 : 32)
    try c.u16("packet_payload_size", &packetPayloadSize)
    try c.reserved("reserved", &reserved, bits: 8, expecting: 0)
    try c.u8("FEC_encoding_ID", &encodingID)
    try c.u16("FEC_instance_ID", &instanceID)
    try c.u16("max_source_block_length", &maximumSourceBlockLength)
    try c.u16("encoding_symbol_length", &encodingSymbolLength)
    try c.u16("max_number_of_encoding_symbols", &maximumEncodingSymbols)
    try c.terminatedString("scheme_specific_info", &schemeSpecificInfo)
    var count = UInt32(clamping: entries.count)
    try c.u("entry_count", &count, version == 0 ? 16 : 32)
    try c.array("entries", &entries, count: count, minimumBits: 48)
  }
}

/// `fecr` and `fire`: the items that contain the symbols of a file, and the number of symbols in each.
public struct FileReservoirBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["fecr", "fire"], name: "file reservoir", in: [.box("paen")], "ISO/IEC 14496-12, 8.13.4, 8.13.7",
    "The items that contain the symbols of a file, and the number of symbols in each.", versions: 0...1)

  /// An item.
  public struct Entry: Hashable, Sendable {
    /// The ID of the item.
    public var itemID: UInt32 = 0
    /// The number of symbols in the item.
    public var symbolCount: UInt32 = 0
    /// Makes an entry.
    public init(itemID: UInt32 = 0, symbolCount: UInt32 = 0) {
      self.itemID = itemID
      self.symbolCount = symbolCount
    }
  }

  public var version: UInt8 = 0
  public var flags: UInt32 = 0
  /// The items.
  public var entries: [Entry] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    let bits = version == 0 ? 16 : 32
    var count = UInt32(clamping: entries.count)
    try c.u("entry_count", &count, bits)
    try c.array("entries", &entries, count: count, minimumBits: bits + 32, new: Entry()) {
      c, entry throws(ParseError) in
      c.beginStructure("entry")
      try c.u("item_ID", &entry.itemID, bits)
      try c.u32("symbol_count", &entry.symbolCount)
      c.endScope()
    }
  }
}

/// `segr`: which groups of files are delivered together, and by which tracks.
public struct FileDeliverySessionGroupBox: BoxPayload {
  public static let info = BoxInfo(
    ["segr"], name: "file delivery session group", in: [.box("fiin")], "ISO/IEC 14496-12, 8.13.5",
    "Which groups of files are delivered together, and by which tracks.")

  /// A session.
  public struct Session: FieldLayout {
    /// The file groups.
    public var groupIDs: [UInt32] = []
    /// The hint tracks.
    public var hintTrackIDs: [UInt32] = []
    /// Makes an empty session.
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      var groups = UInt8(clamping: groupIDs.count)
      try c.u8("entry_count", &groups)
      try c.array("group_ID", &groupIDs, count: groups, bits: 32)
      var tracks = UInt16(clamping: hintTrackIDs.count)
      try c.u16("num_channels_in_session_group", &tracks)
      try c.array("hint_track_ID", &hintTrackIDs, count: tracks, bits: 32)
    }
  }

  /// The sessions.
  public var sessions: [Session] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.array("sessions", &sessions, countedBy: "num_session_groups", UInt16.self, minimumBits: 24)
  }
}

/// `gitn`: the names of groups of files.
public struct GroupIDToNameBox: FullBox {
  public static let info = BoxInfo(
    ["gitn"], name: "group ID to name", in: [.box("fiin")], "ISO/IEC 14496-12, 8.13.6",
    "The names of groups of files.", versions: 0...0)

  /// A group.
  public struct Entry: FieldLayout {
    /// The number of the group.
    public var groupID: UInt32 = 0
    /// Its name.
    public var name = TerminatedString()
    /// Makes an entry without a name.
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u32("group_ID", &groupID)
      try c.terminatedString("group_name", &name)
    }
  }

  public var flags: UInt32 = 0
  /// The groups.
  public var entries: [Entry] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.array("entries", &entries, countedBy: "entry_count", UInt16.self, minimumBits: 32)
  }
}

extension FileDeliveryItemInformationBox {
  public func counting(_ children: [Box]) -> Self? {
    var counting = self
    counting.entryCount = UInt16(clamping: children.counted(["paen"]))
    return counting
  }
}
