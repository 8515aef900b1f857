// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
import ISOBMFF

/// The items of a file: images, and data that belong to them. ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12
public struct ItemCollection: Sendable, Hashable {
  /// One item.
  public struct Item: Sendable, Hashable {
    /// The item ID.
    public var id: UInt32
    /// The item type: `hvc1` for an image, `grid` for one derived from others, `Exif` for metadata; `nil` for
    /// items of the first versions, which have none.
    public var type: FourCC?
    /// The name; empty if there is none.
    public var name = ""
    /// Whether the item is not meant to be shown by itself.
    public var isHidden = false
    /// The number of bytes of its extents; `nil` if one extends to the end of its source.
    public var byteCount: UInt64?
    /// The width in pixels, before rotation (`ispe`); `nil` if not specified.
    public var width: UInt32?
    /// The height in pixels, before rotation (`ispe`); `nil` if not specified.
    public var height: UInt32?
    /// The type of auxiliary image, as a URN (`auxC`); `nil` for other items.
    public var auxiliaryType: String?
    /// Whether the item has enhancement layers (`lhvC`).
    public var hasLayers = false
    /// The types of its properties, in order.
    public var properties: [FourCC] = []
  }

  /// A reference of an item to others.
  public struct Reference: Sendable, Hashable {
    /// The kind of reference: `thmb` for a thumbnail of, `auxl` for auxiliary to, `dimg` for derived from,
    /// `cdsc` for describes.
    public var type: FourCC
    /// The item that refers.
    public var from: UInt32
    /// The items that are referred to.
    public var to: [UInt32]
  }

  /// Items that belong together.
  public struct Group: Sendable, Hashable {
    /// The kind of group: `ster` for a stereo pair, `altr` for alternatives.
    public var type: FourCC
    /// The group ID.
    public var id: UInt32
    /// The items of the group; of a stereo pair, the left view first.
    public var members: [UInt32]
  }

  /// The items in the order of the file.
  public var items: [Item] = []
  /// The primary item; `nil` if there is none.
  public var primaryItemID: UInt32?
  /// The references between items.
  public var references: [Reference] = []
  /// The groups of items.
  public var groups: [Group] = []

  /// Makes a collection without items.
  public init() {}

  /// Reads the `meta` box of a file; `nil` for one without items.
  init?(_ meta: Box, in tree: BoxTree) {
    guard let info = meta.first("iinf") else { return nil }
    let locations = tree.first(ItemLocationBox.self, in: meta)?.items ?? []
    var sizes: [UInt32: UInt64?] = [:]
    for location in locations { sizes[location.itemID] = location.byteCount }
    items = info.all("infe").compactMap { box in
      // One that ends before its number tells nothing.
      guard box.size - box.headerSize >= 6 else { return nil }
      return tree.whole(box).payload(ItemInfoEntryBox.self).map { entry in
        var item = Item(id: entry.itemID, type: entry.version >= 2 ? entry.itemType : nil)
        item.name = entry.itemName.text
        item.isHidden = entry.flags & 1 != 0
        item.byteCount = sizes[entry.itemID] ?? nil
        return item
      }
    }
    primaryItemID = meta.first(PrimaryItemBox.self)?.itemID
    for box in meta.first("iref")?.children ?? [] {
      guard let reference = tree.whole(box).payload(SingleItemReferenceBox.self) else { continue }
      references.append(
        Reference(type: box.type, from: reference.fromItemID, to: reference.toItemIDs))
    }
    for box in meta.first("grpl")?.children ?? [] {
      guard let group = tree.whole(box).payload(EntityToGroupBox.self) else { continue }
      groups.append(Group(type: box.type, id: group.groupID, members: group.entityIDs))
    }
    assign(ItemProperties(meta, in: tree))
  }

  /// Gives each item its properties.
  private mutating func assign(_ properties: ItemProperties) {
    let all = properties.all.map(ItemProperty.init)
    var places: [UInt32: Int] = [:]
    for (index, item) in items.enumerated() where places[item.id] == nil { places[item.id] = index }
    properties.forEach { item, index in
      if let place = places[item] { items[place].take(all[index]) }
    }
  }

  /// The item with an ID; `nil` if there is none.
  public subscript(id: UInt32) -> Item? { items.first { $0.id == id } }

  /// Returns the items that an item refers to with references of a kind.
  public func references(_ type: FourCC, from id: UInt32) -> [UInt32] {
    references.filter { $0.type == type && $0.from == id }.flatMap(\.to)
  }

  /// The stereo pairs: the item for the left eye and the one for the right. Of a group of alternatives it is the first.
  public var stereoPairs: [(left: UInt32, right: UInt32)] {
    let image = imageOfMember
    return groups.filter(\.isStereoPair).map { (image($0.members[0]), image($0.members[1])) }
  }

  /// Returns the item that a member of a group stands for: itself, or the first of a group of alternatives (`altr`).
  var imageOfMember: (UInt32) -> UInt32 {
    let known = Set(items.map(\.id))
    let alternatives = Dictionary(
      groups.compactMap { group in
        group.type == "altr" ? group.members.first.map { (group.id, $0) } : nil
      }, uniquingKeysWith: { first, _ in first })
    return { known.contains($0) ? $0 : alternatives[$0] ?? $0 }
  }
}

extension ItemCollection.Group {
  /// Whether its first two members are the images for the left and the right eye: `ster`, and `stem`, whose third member is
  /// for displays of one image. ISO/IEC 23008-12, 6.8.5, and Amd 1:2025
  package var isStereoPair: Bool { isStereo && members.count >= 2 }

  /// Whether it is meant to be such a group.
  var isStereo: Bool { type == "ster" || type == "stem" }
}

/// The values of a property, read once: any number of items may share it.
private struct ItemProperty {
  let type: FourCC
  let size: ImageSpatialExtentsProperty?
  let auxiliaryType: String?

  init(_ box: Box) {
    type = box.type
    size = type == "ispe" ? box.payload(ImageSpatialExtentsProperty.self) : nil
    auxiliaryType = type == "auxC" ? box.payload(AuxiliaryTypeProperty.self)?.auxType.text : nil
  }
}

extension ItemCollection.Item {
  fileprivate mutating func take(_ property: ItemProperty) {
    properties.append(property.type)
    switch property.type {
    case "ispe": (width, height) = (property.size?.width, property.size?.height)
    case "auxC": auxiliaryType = property.auxiliaryType
    case "lhvC": hasLayers = true
    default: break
    }
  }
}

extension ItemCollection.Item {
  /// Whether it is the alpha plane of another image. ISO/IEC 23008-12, B.2.4.1
  package var isAlpha: Bool {
    auxiliaryType.map { $0.hasSuffix("auxid:1") || $0.hasSuffix("auxiliary:alpha") } ?? false
  }

  /// Whether it is the depth map of another image.
  package var isDepth: Bool {
    auxiliaryType.map { $0.hasSuffix("auxid:2") || $0.hasSuffix("auxiliary:depth") } ?? false
  }
}

extension ItemLocationBox.Item {
  /// How many bytes the extents have; `nil` if one reaches to the end of its source.
  fileprivate var byteCount: UInt64? {
    guard bareExtentCount == 0, !extents.isEmpty else { return nil }
    var sum: UInt64 = 0
    for extent in extents {
      guard extent.length > 0 else { return nil }
      sum &+= extent.length
    }
    return sum
  }
}

extension MovieFile {
  /// The items of the file, such as the images of HEIF; `nil` for a file without items.
  public var items: ItemCollection? {
    guard let tree, let meta = tree.first("meta") else { return nil }
    return ItemCollection(meta, in: tree)
  }
}
