// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `iloc`: where the bytes of each item are.
public struct ItemLocationBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["iloc"], name: "item location", in: [.box("meta")], "ISO/IEC 14496-12, 8.11.3",
    "Where the bytes of each item are.", versions: 0...2)

  /// A range of bytes of an item.
  public struct Extent: Hashable, Sendable {
    /// Which reference of the item the offset counts in, for items built from others.
    public var itemReferenceIndex: UInt64?
    /// The offset of the first byte, relative to the base offset.
    public var offset: UInt64 = 0
    /// The number of bytes; 0 means up to the end.
    public var length: UInt64 = 0
    /// Makes an extent.
    public init(offset: UInt64 = 0, length: UInt64 = 0, itemReferenceIndex: UInt64? = nil) {
      self.offset = offset
      self.length = length
      self.itemReferenceIndex = itemReferenceIndex
    }
  }

  /// An item.
  public struct Item: Hashable, Sendable {
    /// The ID of the item.
    public var itemID: UInt32 = 0
    /// Twelve bits of versions 1 and 2 that should be 0.
    public var reserved: UInt16 = 0
    /// What offsets are relative to, in versions 1 and 2.
    public var constructionMethod = ConstructionMethod.file
    /// The file that contains the bytes: 0 for this one, others as a 1-based index into `dref`.
    public var dataReferenceIndex: UInt16 = 0
    /// The offset that those of all extents are relative to.
    public var baseOffset: UInt64 = 0
    /// The extents.
    public var extents: [Extent] = []
    /// The number of extents that take no bits here: offset and length have no width, so that each is the whole
    /// source.
    public var bareExtentCount: UInt16 = 0
    /// Makes an item without extents.
    public init() {}
  }

  /// What the offsets of an item are relative to.
  public struct ConstructionMethod: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// From the start of the file.
    public static let file = ConstructionMethod(rawValue: 0)
    /// From the start of the `idat` box's data.
    public static let itemData = ConstructionMethod(rawValue: 1)
    /// From the start of another item.
    public static let item = ConstructionMethod(rawValue: 2)
    static let format = FieldFormat.named { $0 == 0 ? "file" : $0 == 1 ? "idat" : $0 == 2 ? "item" : nil }
  }

  public var version: UInt8 = 0
  public var flags: UInt32 = 0
  /// How many bytes an extent's offset takes: 0, 4 or 8.
  public var offsetSize: UInt8 = 4
  /// How many bytes an extent's length takes: 0, 4 or 8.
  public var lengthSize: UInt8 = 4
  /// How many bytes a base offset takes: 0, 4 or 8.
  public var baseOffsetSize: UInt8 = 0
  /// How many bytes an extent's reference index takes in versions 1 and 2: 0, 4 or 8.
  public var indexSize: UInt8 = 0
  /// Four bits of version 0 that should be 0.
  public var reserved: UInt8 = 0
  /// The items.
  public var items: [Item] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...2)
    try c.u("offset_size", &offsetSize, 4, in: 0...8)
    try c.u("length_size", &lengthSize, 4, in: 0...8)
    try c.u("base_offset_size", &baseOffsetSize, 4, in: 0...8)
    if version == 0 {
      try c.reserved("reserved", &reserved, bits: 4, expecting: 0)
    } else {
      try c.u("index_size", &indexSize, 4, in: 0...8)
    }
    let isLong = version == 2, isConstructed = version != 0
    let offsetBits = Int(offsetSize) * 8, lengthBits = Int(lengthSize) * 8
    let baseBits = Int(baseOffsetSize) * 8, indexBits = isConstructed ? Int(indexSize) * 8 : 0
    let extentBits = offsetBits + lengthBits + indexBits
    var count = UInt32(clamping: items.count)
    try c.u("item_count", &count, isLong ? 32 : 16)
    let itemBits = (isLong ? 64 : 48) + (isConstructed ? 16 : 0) + baseBits
    try c.array("items", &items, count: count, minimumBits: itemBits, new: Item()) {
      c, item throws(ParseError) in
      c.beginStructure("item")
      try c.u("item_ID", &item.itemID, isLong ? 32 : 16)
      if isConstructed {
        try c.reserved("reserved", &item.reserved, bits: 12, expecting: 0)
        try c.code("construction_method", &item.constructionMethod, bits: 4, ConstructionMethod.format)
      }
      try c.u16("data_reference_index", &item.dataReferenceIndex)
      if baseBits > 0 { try c.u("base_offset", &item.baseOffset, baseBits) }
      if extentBits == 0 {
        try c.u16("extent_count", &item.bareExtentCount)
      } else {
        var extents = UInt16(clamping: item.extents.count)
        try c.u16("extent_count", &extents)
        try c.array("extents", &item.extents, count: extents, minimumBits: extentBits, new: Extent()) {
          c, extent throws(ParseError) in
          c.beginStructure("extent")
          try c.u("item_reference_index", &extent.itemReferenceIndex, indexBits, if: indexBits > 0)
          if offsetBits > 0 { try c.u("extent_offset", &extent.offset, offsetBits) }
          if lengthBits > 0 { try c.u("extent_length", &extent.length, lengthBits) }
          c.endScope()
        }
      }
      c.endScope()
    }
  }
}
