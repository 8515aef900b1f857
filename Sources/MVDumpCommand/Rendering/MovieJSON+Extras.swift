// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FieldOutput
import Multiview

extension MovieJSON {
  /// The metadata of the movie: names and values; of bytes only how many.
  func write(_ metadata: QuickTimeMetadata) {
    json.key("metadata")
    json.beginArray()
    for var item in metadata.items {
      item.key.rawValue = item.key.rawValue.shortened
      json.beginObject(inline: true)
      json.member("identifier", item.identifier)
      json.member("value", item.stringValue)
      json.member("size", item.dataRange.count)
      json.member("language", item.languageCode)
      json.endObject()
    }
    json.endArray()
  }

  /// The items of HEIF; `null` for a file without.
  func writeItems(_ items: ItemCollection?, _ photos: [StereoPhoto]) {
    json.key("items")
    guard let items else { return json.null() }
    json.beginObject()
    json.member("primary", items.primaryItemID)
    json.key("list")
    json.beginArray()
    for item in items.items { write(item) }
    json.endArray()
    json.key("references")
    json.beginArray()
    for reference in items.references {
      json.beginObject(inline: true)
      json.member("type", reference.type.description)
      json.member("from", reference.from)
      numbers("to", reference.to)
      json.endObject()
    }
    json.endArray()
    json.key("groups")
    json.beginArray()
    for group in items.groups {
      json.beginObject(inline: true)
      json.member("type", group.type.description)
      json.member("id", group.id)
      numbers("members", group.members)
      json.endObject()
    }
    json.endArray()
    json.key("stereoPairs")
    json.beginArray()
    for photo in photos { write(photo) }
    json.endArray()
    json.endObject()
  }

  private func write(_ photo: StereoPhoto) {
    json.beginObject(inline: true)
    json.member("group", photo.group)
    json.member("left", photo.left)
    json.member("right", photo.right)
    json.member("spatial", photo.isSpatial)
    json.member(
      "horizontalFieldOfView", photo.leftCamera.horizontalFieldOfView.map { Int(($0 * 1_000).rounded()) })
    json.member("baseline", photo.baseline.map { Int($0.rounded()) })
    json.member("disparityAdjustment", photo.disparityAdjustment)
    json.endObject()
  }

  private func write(_ item: ItemCollection.Item) {
    json.beginObject(inline: true)
    json.member("id", item.id)
    json.member("type", item.type?.description)
    // Only the item itself has its name; a type is shared by any number of items.
    json.member("name", item.name.shortened(to: 1_024))
    json.member("hidden", item.isHidden)
    json.member("size", item.byteCount)
    json.member("width", item.width)
    json.member("height", item.height)
    json.member("auxiliaryType", item.auxiliaryType?.shortened)
    json.member("layered", item.hasLayers)
    json.endObject()
  }
}
