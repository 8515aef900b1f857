// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `iref`: how items refer to one another.
///
/// It contains a box for each item and kind of reference.
public struct ItemReferenceBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["iref"], name: "item reference", in: [.box("meta")], "ISO/IEC 14496-12, 8.11.12",
    "How items refer to one another.", versions: 0...1, childrenFollow: true)

  public var version: UInt8 = 0
  public var flags: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
  }
}

/// A reference from one item to others; the type of the box is the kind of reference.
///
/// The version of the enclosing `iref` determines whether identifiers take 16 or 32 bits.
public struct SingleItemReferenceBox: BoxPayload {
  public static let info = BoxInfo(
    [], name: "single item reference", in: [.box("iref")], "ISO/IEC 14496-12, 8.11.12",
    "A reference from one item to others; the type of the box is the kind of reference.")

  /// Whether identifiers take 32 bits. Not in the box, but determined by the enclosing box, or by the size.
  public var hasLongIdentifiers = false
  /// The item that refers.
  public var fromItemID: UInt32 = 0
  /// The items it refers to.
  public var toItemIDs: [UInt32] = []

  public init() {}

  public mutating func prepare(for context: BoxContext, payload: ByteView) {
    // The version determines this, unless only the other form fits the size.
    let fitsShort = payload.bigEndian(at: 2, width: 2).map { Int($0) * 2 + 4 } == payload.count
    let fitsLong = payload.bigEndian(at: 4, width: 2).map { Int($0) * 4 + 6 } == payload.count
    hasLongIdentifiers = fitsShort == fitsLong ? context.parentVersion != 0 : fitsLong
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    let bits = hasLongIdentifiers ? 32 : 16
    try c.u("from_item_ID", &fromItemID, bits)
    try c.array("to_item_ID", &toItemIDs, countedBy: "reference_count", UInt16.self, bits: bits)
  }
}

/// Items or tracks that belong together; the type of the box is the kind of group.
public struct EntityToGroupBox: VersionedFullBox {
  public static let info = BoxInfo(
    [], name: "entity to group", in: [.box("grpl")], "ISO/IEC 14496-12, 8.18.3",
    "Items or tracks that belong together; the type of the box is the kind of group.", versions: 0...255)

  public var version: UInt8 = 0
  public var flags: UInt32 = 0
  /// The number that identifies the group.
  public var groupID: UInt32 = 1
  /// The IDs of its members. In the group `ster`, the left view is first.
  public var entityIDs: [UInt32] = []
  /// Further data that this kind of group has.
  public var data = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...255)
    try c.u32("group_id", &groupID)
    try c.array("entity_id", &entityIDs, countedBy: "num_entities_in_group", UInt32.self, bits: 32)
    try c.leftovers(&data)
  }
}
