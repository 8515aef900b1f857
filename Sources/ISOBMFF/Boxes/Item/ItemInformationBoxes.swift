// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `iinf`: what the items are.
///
/// It contains an `infe` for each item.
public struct ItemInfoBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["iinf"], name: "item info", in: [.box("meta")], "ISO/IEC 14496-12, 8.11.6", "What the items are.",
    versions: 0...2, childrenFollow: true)

  public var version: UInt8 = 0
  public var flags: UInt32 = 0
  /// The number of items according to the box.
  public var entryCount: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    // No edition defines version 2; some files have it, with the layout of version 1.
    try c.fullBox(&version, &flags, versions: 0...2)
    try c.u("entry_count", &entryCount, version == 0 ? 16 : 32)
  }
}

/// `infe`: what an item is: its type, its name, and whether it is hidden.
public struct ItemInfoEntryBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["infe"], name: "item info entry", in: [.box("iinf")], "ISO/IEC 14496-12, 8.11.6",
    "What an item is: its type, its name, and whether it is hidden.", versions: 0...3)

  public var version: UInt8 = 2
  /// 1 means that the item is hidden.
  public var flags: UInt32 = 0
  /// The ID of the item.
  public var itemID: UInt32 = 0
  /// The entry of `ipro` that protects the item, counted from 1; 0 means none.
  public var itemProtectionIndex: UInt16 = 0
  /// The type of the item, in versions 2 and 3.
  public var itemType: FourCC = "hvc1"
  /// Its name.
  public var itemName = TerminatedString()
  /// Its media type, in versions 0 and 1, and for items of type `mime`.
  public var contentType = TerminatedString()
  /// How its content is encoded, such as `gzip`; `nil` if absent.
  public var contentEncoding: TerminatedString?
  /// The URI that identifies its type, for items of type `uri `.
  public var itemURIType = TerminatedString()
  /// The type of the extension, in version 1; otherwise `nil`.
  public var extensionType: FourCC?
  /// The extension of type `fdel`; `nil` if absent.
  public var fileDelivery: FileDeliveryItemExtension?
  /// An extension of any other type.
  public var otherExtension = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...3)
    try c.u("item_ID", &itemID, version == 3 ? 32 : 16)
    try c.u16("item_protection_index", &itemProtectionIndex)
    if version >= 2 { try c.fourCC("item_type", &itemType) }
    try c.terminatedString("item_name", &itemName)
    if version < 2 || itemType == "mime" {
      try c.terminatedString("content_type", &contentType)
      try c.trailingString("content_encoding", &contentEncoding)
    } else if itemType == "uri " {
      try c.terminatedString("item_uri_type", &itemURIType)
    }
    if version == 1 {
      var hasExtension = extensionType != nil
      c.presence(&hasExtension, whenBitsLeft: 32)
      try c.fourCC("extension_type", &extensionType, if: hasExtension)
      try c.group("extension", &fileDelivery, if: extensionType == "fdel")
      if hasExtension, extensionType != "fdel" { try c.leftovers(&otherExtension) }
    }
  }
}

/// What file delivery over broadcast needs to know about an item. ISO/IEC 14496-12, 8.11.6 (`fdel`)
public struct FileDeliveryItemExtension: FieldLayout {
  /// Where the item was transferred from.
  public var contentLocation = TerminatedString()
  /// Its MD5 sum, in Base64.
  public var contentMD5 = TerminatedString()
  /// Its length in bytes.
  public var contentLength: UInt64 = 0
  /// Its length in bytes during transfer.
  public var transferLength: UInt64 = 0
  /// The file groups to which it belongs.
  public var groupIDs: [UInt32] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.terminatedString("content_location", &contentLocation)
    try c.terminatedString("content_MD5", &contentMD5)
    try c.u64("content_length", &contentLength)
    try c.u64("transfer_length", &transferLength)
    try c.array("group_id", &groupIDs, countedBy: "entry_count", UInt8.self, bits: 32)
  }
}

/// `pitm`: the item to show first.
public struct PrimaryItemBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["pitm"], name: "primary item", in: [.box("meta")], "ISO/IEC 14496-12, 8.11.4", "The item to show first.",
    versions: 0...1)

  public var version: UInt8 = 0
  public var flags: UInt32 = 0
  /// The ID of the item.
  public var itemID: UInt32 = 1

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    try c.u("item_ID", &itemID, version == 0 ? 16 : 32)
  }
}

/// `ipro`: how items are protected.
///
/// It contains a `sinf` for each kind of protection.
public struct ItemProtectionBox: FullBox {
  public static let info = BoxInfo(
    ["ipro"], name: "item protection", in: [.box("meta")], "ISO/IEC 14496-12, 8.11.5",
    "How items are protected.", versions: 0...0, childrenFollow: true)

  public var flags: UInt32 = 0
  /// The number of protections according to the box.
  public var protectionCount: UInt16 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u16("protection_count", &protectionCount)
  }
}

/// `idat`: the bytes of small items.
public struct ItemDataBox: BoxPayload {
  public static let info = BoxInfo(
    ["idat"], name: "item data", in: [.box("meta")], "ISO/IEC 14496-12, 8.11.11", "The bytes of small items.")

  /// The bytes.
  public var data = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.remainder("data", &data) }
}

extension ItemInfoBox {
  public func counting(_ children: [Box]) -> Self? {
    var counting = self
    counting.entryCount = children.counted(["infe"])
    return counting
  }
}

extension ItemProtectionBox {
  public func counting(_ children: [Box]) -> Self? {
    var counting = self
    counting.protectionCount = UInt16(clamping: children.counted())
    return counting
  }
}
