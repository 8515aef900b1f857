// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import ISOBMFF
import Multiview

/// The items of a HEIF file for people: what is shown, what belongs to it, and stereo pairs.
struct ItemsText {
  /// How many items are listed; photos of phones have dozens of tiles.
  private static let maximumRows = 12

  let items: ItemCollection
  let photos: [StereoPhoto]
  let invocation: Invocation

  func write() {
    let out = invocation.out, style = invocation.style
    out.append("\n" + style.name(Quantity.count(items.items.count, "item")) + "  " + counts + "\n")
    let shown = rows
    var table = Columns(["item", "type", "role", "size", "data", "name"], right: [0, 4])
    for item in shown.prefix(Self.maximumRows) {
      table.add([
        "\(item.id)", item.type?.description.trimmed ?? "?", role(of: item),
        item.width.map { Quantity.size($0, item.height ?? 0) } ?? "",
        item.byteCount.map { Quantity.bytes($0) } ?? "", ValueText.printable(item.name.shortened),
      ])
    }
    out.append(table.text(indentation: 2, style))
    if shown.count > Self.maximumRows {
      out.append(style.faint("  \(shown.count - Self.maximumRows) more: mvdump info --json lists all\n"))
    }
    for photo in photos {
      let words = (["left eye item \(photo.left)", "right eye item \(photo.right)"] + cameras(photo))
        .joined(separator: ", ")
      out.append("  " + style.good((photo.isSpatial ? "spatial photo: " : "stereo pair: ") + words) + "\n")
      if !photo.isSpatial {
        out.append("  not spatial: lacks \(photo.lacking.joined(separator: ", "))\n")
      }
    }
  }

  /// The text on the cameras of a pair.
  private func cameras(_ photo: StereoPhoto) -> [String] {
    var words: [String] = []
    if let angle = photo.leftCamera.horizontalFieldOfView {
      words.append(Quantity.decimal(angle, 1) + "° field of view")
    }
    if let baseline = photo.baseline { words.append(Quantity.decimal(baseline / 1_000, 2) + " mm baseline") }
    if let disparity = photo.disparityAdjustment {
      words.append(Quantity.percent(Double(disparity) / 10_000) + " disparity")
    }
    return words
  }

  /// `48 hvc1, 1 grid`
  private var counts: String {
    var counts: [String: Int] = [:]
    for item in items.items { counts[item.type?.description.trimmed ?? "without a type", default: 0] += 1 }
    let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return sorted.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
  }

  /// The items, without the parts of an image made of others.
  private var rows: [ItemCollection.Item] {
    let parts = Set(items.references.filter { $0.type == "dimg" && $0.to.count > 1 }.flatMap(\.to))
    return items.items.filter { !parts.contains($0.id) || $0.id == items.primaryItemID }
  }

  private func role(of item: ItemCollection.Item) -> String {
    var words: [String] = []
    if item.id == items.primaryItemID { words.append("primary image") }
    lazy var auxiliaryName = auxiliaryName(item)
    let references = items.references.lazy.filter { $0.from == item.id }
    for reference in references.prefix(Self.maximumRows) {
      let rest = reference.to.dropFirst(Self.maximumRows).count
      let list =
        reference.to.prefix(Self.maximumRows).map(String.init).joined(separator: ", ")
        + (rest > 0 ? " and \(rest) more" : "")
      switch reference.type {
      case "thmb": words.append("thumbnail of \(list)")
      case "auxl": words.append("\(auxiliaryName) of \(list)")
      case "dimg":
        words.append(reference.to.count > 1 ? "made of \(reference.to.count) images" : "derived from \(list)")
      case "cdsc": words.append("describes \(list)")
      case "base": words.append("needs \(list)")
      default: words.append("\(reference.type.description.trimmed) → \(list)")
      }
    }
    if references.dropFirst(Self.maximumRows).first != nil { words.append("and more") }
    for pair in items.stereoPairs where item.id == pair.left || item.id == pair.right {
      words.append(item.id == pair.left ? "left eye" : "right eye")
    }
    if item.hasLayers { words.append("enhancement layers") }
    if item.isHidden { words.append("hidden") }
    return words.joined(separator: ", ")
  }

  /// `urn:mpeg:hevc:2015:auxid:2` is a depth map; others go by the end of their name.
  private func auxiliaryName(_ item: ItemCollection.Item) -> String {
    guard let type = item.auxiliaryType else { return "auxiliary image" }
    if item.isAlpha { return "alpha" }
    if item.isDepth { return "depth" }
    let end = type.utf8.split(separator: UInt8(ascii: ":")).last.map { String(Substring($0)) } ?? type
    return ValueText.printable(end.shortened)
  }
}
