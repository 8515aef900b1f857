// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF

/// The items of two files: images, and what belongs to them.
struct ItemComparison {
  /// The boxes that say what items there are, and where.
  static let types: Set<FourCC> = ["pitm", "iinf", "iloc", "iref", "iprp", "idat", "grpl", "ipro"]

  private let first: ComparedItems
  private let second: ComparedItems
  private let budget: ComparisonBudget

  /// `nil` if neither of them has items.
  init?(_ first: MovieFile, _ second: MovieFile, _ budget: ComparisonBudget) {
    guard first.items != nil || second.items != nil else { return nil }
    (self.first, self.second) = (ComparedItems(first), ComparedItems(second))
    self.budget = budget
  }

  func compare(
    _ levels: Set<MovieComparison.Level>, _ found: inout FoundDifferences
  ) throws(SourceError) {
    let ids = Set(first.items.keys).union(second.items.keys).sorted()
    var readsContents = levels.contains(.samples)
    for id in ids {
      let (old, new) = (first.items[id], second.items[id])
      let name = "item \(id)"
      guard let old, let new else {
        if levels.contains(.tags) { found.add(.tracks, name, old.map(Self.text), new.map(Self.text)) }
        continue
      }
      if levels.contains(.tags) { found.add(.tracks, name, Self.text(old), Self.text(new)) }
      if readsContents {
        let contents = (
          try first.contents(ofItem: id, budget.reading), try second.contents(ofItem: id, budget.reading)
        )
        if let refusal = budget.refusal {
          found.noteOmission("from item \(id) on, contents are not compared: \(refusal)")
          readsContents = false
        } else {
          found.add(.samples, name, contents.0, contents.1)
        }
      }
      if levels.contains(.boxes) {
        Self.compare(
          .structure, "property of item \(id)", first.properties(ofItem: id), second.properties(ofItem: id),
          &found)
      }
    }
    guard levels.contains(.tags) else { return }
    let (left, right) = (first.collection, second.collection)
    func number(_ id: UInt32?) -> String? { id.map { "item \($0)" } }
    found.add(.tracks, "primary item", number(left.primaryItemID), number(right.primaryItemID))
    Self.compare(
      .tracks, "reference", left.references.map(Self.text), right.references.map(Self.text), &found)
    Self.compare(.tracks, "group", left.groups.map(Self.text), right.groups.map(Self.text), &found)
  }

  private static func text(_ item: ItemCollection.Item) -> String {
    var parts = [item.type.map { "'\($0)'" } ?? "without a type"]
    if !item.name.isEmpty { parts.append("“\(item.name)”") }
    if let width = item.width, let height = item.height { parts.append("\(width)x\(height)") }
    if let type = item.auxiliaryType { parts.append(type) }
    if item.hasLayers { parts.append("with further layers") }
    if item.isHidden { parts.append("hidden") }
    return parts.joined(separator: ", ")
  }

  private static func text(_ reference: ItemCollection.Reference) -> String {
    "'\(reference.type)' from \(reference.from) to \(reference.to.map(String.init).joined(separator: ", "))"
  }

  private static func text(_ group: ItemCollection.Group) -> String {
    "'\(group.type)' of \(group.members.map(String.init).joined(separator: ", "))"
  }

  /// Records the elements that only one of two lists has, in any order.
  private static func compare(
    _ kind: MovieDifference.Kind, _ subject: String, _ left: [String], _ right: [String],
    _ found: inout FoundDifferences
  ) {
    if left == right { return }
    let old = Set(left), new = Set(right)
    for text in left where !new.contains(text) { found.add(kind, subject, text, nil) }
    for text in right where !old.contains(text) { found.add(kind, subject, nil, text) }
  }
}

/// The items of one file.
private final class ComparedItems {
  let collection: ItemCollection
  /// The items by ID; if several have the same ID, the first.
  let items: [UInt32: ItemCollection.Item]
  private let tree: BoxTree?
  private let properties: ItemProperties?
  private let locations: ItemLocations?
  /// The texts that identify properties, made on request: many items may share a property.
  private var texts: [Int: String] = [:]

  init(_ movie: MovieFile) {
    collection = movie.items ?? ItemCollection()
    items = Dictionary(collection.items.map { ($0.id, $0) }) { first, _ in first }
    tree = movie.tree
    guard let tree, let meta = tree.first("meta") else {
      (properties, locations) = (nil, nil)
      return
    }
    properties = ItemProperties(meta, in: tree)
    locations = ItemLocations(meta, in: tree, of: movie)
  }

  /// The texts that identify the properties of an item, each once.
  func properties(ofItem id: UInt32) -> [String] {
    var seen: Set<Int> = []
    var list: [String] = []
    properties?.forEach(ofItem: id) { index in
      if seen.insert(index).inserted { list.append(text(ofProperty: index)) }
    }
    return list
  }

  private func text(ofProperty index: Int) -> String {
    if let known = texts[index] { return known }
    guard let tree, let box = properties?.all[index] else { return "" }
    let text = "\(box.type) of \(box.size) bytes (\(ContentHash(tree.whole(box).body)))"
    texts[index] = text
    return text
  }

  /// A text that identifies the bytes of an item; `nil` if they are not known, or the budget is exhausted.
  func contents(ofItem id: UInt32, _ budget: WorkBudget) throws(SourceError) -> String? {
    guard let bytes = locations?[id] else { return nil }
    if let obstacle = bytes.obstacle { return obstacle }
    let place = bytes.pieces.first?.lowerBound ?? 0
    guard budget.admits(.bytes(Int(clamping: bytes.byteCount)), at: place) else { return nil }
    let content = try bytes.read()
    return "\(content.count) bytes (\(ContentHash(ByteView(content))))"
  }
}
