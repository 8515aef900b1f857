// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF

/// The items of two files: images, and what belongs to them.
enum ItemComparison {
  /// The boxes that say what items there are, and where.
  static let types: Set<FourCC> = ["pitm", "iinf", "iloc", "iref", "iprp", "idat", "grpl", "ipro"]

  static func compare(
    _ first: MovieFile, _ second: MovieFile, _ levels: Set<MovieComparison.Level>,
    _ found: inout FoundDifferences
  ) throws(SourceError) {
    guard first.items != nil || second.items != nil else { return }
    let left = first.items ?? ItemCollection(), right = second.items ?? ItemCollection()
    let ids = Set(left.items.map(\.id)).union(right.items.map(\.id)).sorted()
    for id in ids {
      let (old, new) = (left[id], right[id])
      let name = "item \(id)"
      guard let old, let new else {
        if levels.contains(.tags) { found.add(.tracks, name, old.map(text), new.map(text)) }
        continue
      }
      if levels.contains(.tags) { found.add(.tracks, name, text(old), text(new)) }
      if levels.contains(.samples) {
        found.add(.samples, name, try first.contents(ofItem: id), try second.contents(ofItem: id))
      }
      if levels.contains(.boxes) { compareProperties(id, first, second, &found) }
    }
    guard levels.contains(.tags) else { return }
    func number(_ id: UInt32?) -> String? { id.map { "item \($0)" } }
    found.add(.tracks, "primary item", number(left.primaryItemID), number(right.primaryItemID))
    compare(left.references.map(text), right.references.map(text), "reference", &found)
    compare(left.groups.map(text), right.groups.map(text), "group", &found)
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

  private static func compare(
    _ left: [String], _ right: [String], _ subject: String, _ found: inout FoundDifferences
  ) {
    for text in left where !right.contains(text) { found.add(.tracks, subject, text, nil) }
    for text in right where !left.contains(text) { found.add(.tracks, subject, nil, text) }
  }

  private static func compareProperties(
    _ id: UInt32, _ first: MovieFile, _ second: MovieFile, _ found: inout FoundDifferences
  ) {
    func properties(_ movie: MovieFile) -> [String] {
      guard let tree = movie.tree, let meta = tree.first("meta") else { return [] }
      return ItemProperties(meta, in: tree).properties(ofItem: id).map { box in
        "\(box.type) of \(box.size) bytes (\(ContentHash(tree.whole(box).body)))"
      }
    }
    let (left, right) = (properties(first), properties(second))
    for text in left where !right.contains(text) {
      found.add(.structure, "property of item \(id)", text, nil)
    }
    for text in right where !left.contains(text) {
      found.add(.structure, "property of item \(id)", nil, text)
    }
  }
}

extension MovieFile {
  /// What the bytes of an item are known by.
  fileprivate func contents(ofItem id: UInt32) throws(SourceError) -> String? {
    guard let tree, let meta = tree.first("meta") else { return nil }
    let bytes = ItemLocations(meta, in: tree, of: self)[id]
    if let obstacle = bytes.obstacle { return obstacle }
    let content = try bytes.read()
    return "\(content.count) bytes (\(ContentHash(ByteView(content))))"
  }
}
