// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import ISOBMFF

/// The properties of the items of a file: all are in one list, and each item names some of them, in the order in which they are
/// applied. ISO/IEC 14496-12, 8.11.14
package struct ItemProperties {
  /// All of them, in the order of the file.
  package let all: [Box]
  private let associations: [ItemPropertyAssociationBox.Entry]
  /// The indices of the associations of each item.
  private let places: [UInt32: [Int]]

  /// Reads the `meta` box of a file.
  package init(_ meta: Box, in tree: BoxTree) {
    let properties = meta.first("iprp")
    let all = properties?.first("ipco")?.children ?? []
    self.all = all
    associations = (properties?.all("ipma") ?? []).flatMap {
      tree.whole($0).payload(ItemPropertyAssociationBox.self)?.entries ?? []
    }
    places = Dictionary(grouping: associations.indices, by: { [associations] in associations[$0].itemID })
  }

  /// Hands each item with each of its properties, by its place in ``all``, to `body`.
  func forEach(_ body: (_ item: UInt32, _ property: Int) -> Void) {
    for entry in associations { forEach(of: entry) { body(entry.itemID, $0) } }
  }

  /// Hands the places of the properties of an item to `body`.
  func forEach(ofItem id: UInt32, _ body: (_ property: Int) -> Void) {
    for place in places[id] ?? [] { forEach(of: associations[place], body) }
  }

  private func forEach(of entry: ItemPropertyAssociationBox.Entry, _ body: (_ property: Int) -> Void) {
    for association in entry.associations {
      // Properties are counted from 1; 0 is none.
      let index = Int(association.propertyIndex) - 1
      if all.indices.contains(index) { body(index) }
    }
  }

  /// The properties of an item.
  package func properties(ofItem id: UInt32) -> [Box] {
    var found: [Box] = []
    forEach(ofItem: id) { found.append(all[$0]) }
    return found
  }
}
