// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `ipma`: which properties each item has.
public struct ItemPropertyAssociationBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["ipma"], name: "item property association", in: [.box("iprp")], "ISO/IEC 14496-12, 8.11.14",
    "Which properties each item has.", versions: 0...1)

  /// A reference from an item to a property.
  public struct Association: Hashable, Sendable {
    /// Whether a reader that does not support the property must not show the item.
    public var isEssential = false
    /// The property, as a 1-based index into `ipco`; 0 means none.
    public var propertyIndex: UInt16 = 0
    /// Makes an association.
    public init(_ propertyIndex: UInt16 = 0, isEssential: Bool = false) {
      self.propertyIndex = propertyIndex
      self.isEssential = isEssential
    }
  }

  /// An item and its properties.
  public struct Entry: Hashable, Sendable {
    /// The ID of the item.
    public var itemID: UInt32 = 0
    /// Its properties, in the order in which they apply.
    public var associations: [Association] = []
    /// Makes an entry.
    public init(itemID: UInt32 = 0, _ associations: [Association] = []) {
      self.itemID = itemID
      self.associations = associations
    }
  }

  public var version: UInt8 = 0
  /// 1 means that property indices take 15 bits instead of 7.
  public var flags: UInt32 = 0
  /// The items.
  public var entries: [Entry] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    let itemBits = version == 0 ? 16 : 32
    let indexBits = flags & 1 != 0 ? 15 : 7
    var count = UInt32(clamping: entries.count)
    try c.u32("entry_count", &count)
    try c.array("entries", &entries, count: count, minimumBits: itemBits + 8, new: Entry()) {
      c, entry throws(ParseError) in
      c.beginStructure("entry")
      try c.u("item_ID", &entry.itemID, itemBits)
      var count = UInt8(clamping: entry.associations.count)
      try c.u8("association_count", &count)
      try c.array(
        "associations", &entry.associations, count: count, minimumBits: 1 + indexBits, new: Association()
      ) { c, association throws(ParseError) in
        c.beginStructure("association")
        try c.flag("essential", &association.isEssential)
        try c.u("property_index", &association.propertyIndex, indexBits)
        c.endScope()
      }
      c.endScope()
    }
  }
}
