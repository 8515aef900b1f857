// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
import ISOBMFF

/// The items of a file: images, mostly, and what belongs to them. ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12
public struct ItemCollection: Sendable, Hashable {
  /// One item.
  public struct Item: Sendable, Hashable {
    /// The number by which the file knows the item.
    public var id: UInt32
    /// What it is: `hvc1` is an image, `grid` one made of others, `Exif` metadata. `nil` for items of the first versions.
    public var type: FourCC?
    /// Its name; empty without.
    public var name = ""
    /// Whether it is present for other items only.
    public var isHidden = false
    /// How many bytes its extents have; `nil` where one reaches to the end of its source.
    public var byteCount: UInt64?
    /// Its width in pixels, before it is turned. (`ispe`)
    public var width: UInt32?
    /// Its height in pixels, before it is turned. (`ispe`)
    public var height: UInt32?
    /// What kind of auxiliary image it is, as a name. (`auxC`)
    public var auxiliaryType: String?
    /// Whether it has enhancement layers. (`lhvC`)
    public var hasLayers = false
    /// The types of its properties, in order.
    public var properties: [FourCC] = []

    /// Makes an item.
    public init(
      id: UInt32, type: FourCC? = nil, name: String = "", isHidden: Bool = false, byteCount: UInt64? = nil,
      width: UInt32? = nil, height: UInt32? = nil, auxiliaryType: String? = nil, hasLayers: Bool = false,
      properties: [FourCC] = []
    ) {
      self.id = id
      self.type = type
      self.name = name
      self.isHidden = isHidden
      self.byteCount = byteCount
      self.width = width
      self.height = height
      self.auxiliaryType = auxiliaryType
      self.hasLayers = hasLayers
      self.properties = properties
    }
  }

  /// A reference of an item to others.
  public struct Reference: Sendable, Hashable {
    /// What kind it is: `thmb` is a thumbnail of, `auxl` auxiliary of, `dimg` derived from, `cdsc` describes.
    public var type: FourCC
    /// The item that refers.
    public var from: UInt32
    /// The items it refers to.
    public var to: [UInt32]

    /// Makes a reference.
    public init(type: FourCC, from: UInt32, to: [UInt32]) {
      self.type = type
      self.from = from
      self.to = to
    }
  }

  /// Items that belong together.
  public struct Group: Sendable, Hashable {
    /// What kind it is: `ster` is a stereo pair, `altr` alternatives.
    public var type: FourCC
    /// The number of the group.
    public var id: UInt32
    /// Its members; of a stereo pair the left view first.
    public var members: [UInt32]

    /// Makes a group.
    public init(type: FourCC, id: UInt32, members: [UInt32]) {
      self.type = type
      self.id = id
      self.members = members
    }
  }

  /// The items in the order of the file.
  public var items: [Item] = []
  /// The item to show first; `nil` where none is named.
  public var primaryItemID: UInt32?
  /// How items refer to one another.
  public var references: [Reference] = []
  /// What belongs together.
  public var groups: [Group] = []

  /// No items.
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

  /// The item with that number.
  public subscript(id: UInt32) -> Item? { items.first { $0.id == id } }

  /// The references of a kind that an item has.
  public func references(_ type: FourCC, from id: UInt32) -> [UInt32] {
    references.filter { $0.type == type && $0.from == id }.flatMap(\.to)
  }

  /// The stereo pairs: the item for the left eye and the one for the right.
  public var stereoPairs: [(left: UInt32, right: UInt32)] {
    groups.filter { $0.type == "ster" && $0.members.count >= 2 }.map { ($0.members[0], $0.members[1]) }
  }
}

/// What a property says, read once: any number of items may have it.
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
  /// Whether it says how opaque another image is. ISO/IEC 23008-12, B.2.4.1
  package var isAlpha: Bool {
    auxiliaryType.map { $0.hasSuffix("auxid:1") || $0.hasSuffix("auxiliary:alpha") } ?? false
  }

  /// Whether it says how far away another image is.
  package var isDepth: Bool {
    auxiliaryType.map { $0.hasSuffix("auxid:2") || $0.hasSuffix("auxiliary:depth") } ?? false
  }
}

extension ItemLocationBox.Item {
  /// How many bytes the extents have; `nil` where one reaches to the end of its source.
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
  /// The items of the file, such as the images of HEIF; `nil` for a file without.
  public var items: ItemCollection? {
    guard let tree, let meta = tree.first("meta") else { return nil }
    return ItemCollection(meta, in: tree)
  }
}
