// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// The metadata of a movie, a track or a file: the items of a `meta` with `keys` and `ilst`, and of a `udta`.
public struct QuickTimeMetadata: Hashable, Sendable {
  /// The items in the order of the file: `meta` before `udta`.
  public var items: [MetadataItem] = []
  /// The problems of the boxes.
  public var diagnostics = DiagnosticList()

  /// No metadata.
  public init() {}

  /// Reads the `meta` and `udta` boxes directly in `container`: a `moov`, a `trak`, or the top level of a
  /// file.
  ///
  /// - Parameters:
  ///   - boxes: the boxes in the container.
  ///   - path: its path, for the places of items.
  ///   - tree: the tree of the boxes: what is not loaded of their keys is read there.
  public init(_ boxes: [Box], path: String = "", in tree: BoxTree? = nil) {
    // Most tracks have neither, and a movie may have thousands.
    guard boxes.contains(where: { $0.type == "meta" || $0.type == "udta" }) else { return }
    let prefix = path.isEmpty ? "" : path + "/"
    BoxPath.forEachSibling(boxes, where: { $0[$1].type == "meta" }) { index, name in
      readMeta(boxes[index], prefix + name, tree)
    }
    BoxPath.forEachSibling(boxes, where: { $0[$1].type == "udta" }) { index, name in
      readUserData(boxes[index], prefix + name, tree)
    }
  }

  /// Reads the `meta` and `udta` boxes directly in a `moov` or `trak`.
  public init(_ container: Box, path: String? = nil, in tree: BoxTree? = nil) {
    self.init(container.children, path: path ?? "\(container.type)", in: tree)
  }

  /// Adds the items of another place.
  public mutating func append(_ other: QuickTimeMetadata) {
    for item in other.items { take(item) }
    diagnostics.append(other.diagnostics)
  }

  /// The first item with that name, in any space.
  public subscript(key: MetadataKey) -> MetadataItem? { items.first { $0.key == key } }

  /// The items with that name, in any space: several values, or several languages.
  public func all(_ key: MetadataKey) -> [MetadataItem] { items.filter { $0.key == key } }

  // MARK: Reading

  private mutating func readMeta(_ meta: Box, _ path: String, _ tree: BoxTree?) {
    let box = tree?.first(MetadataKeysBox.self, in: meta) ?? meta.first(MetadataKeysBox.self)
    let keys = box.map(Keys.init)
    BoxPath.forEachSibling(meta.children) { list, listName, _ in
      guard list.type == "ilst" else { return }
      BoxPath.forEachSibling(list.children) { item, name, _ in
        readItem(item, "\(path)/\(listName)/\(name)", keys)
      }
    }
  }

  /// The names of keys, made once: any number of items may have one.
  private struct Keys {
    private let spaces: [MetadataKeySpace]
    private let names: [MetadataKey]
    var count: Int { names.count }

    init(_ box: MetadataKeysBox) {
      names = box.keys.map { MetadataKey(rawValue: $0.text) }
      spaces = box.keys.map {
        $0.namespace == "mdta" ? .quickTimeMetadata : MetadataKeySpace(rawValue: "\($0.namespace)")
      }
    }

    /// The key that an item of this type has: the type is an index that counts from 1.
    subscript(type: FourCC) -> (space: MetadataKeySpace, key: MetadataKey)? {
      let index = Int(clamping: type.rawValue) &- 1
      return names.indices.contains(index) ? (spaces[index], names[index]) : nil
    }
  }

  private mutating func readItem(_ item: Box, _ path: String, _ keys: Keys?) {
    var space = MetadataKeySpace.iTunes
    var key = MetadataKey(rawValue: "\(item.type)")
    if let keys {
      if let found = keys[item.type] {
        (space, key) = found
      } else {
        space = .quickTimeMetadata
        key = MetadataKey(rawValue: "#\(item.type.rawValue)")
        diagnostics.append(
          .warning, "unknown-metadata-key", path: path, offset: item.offset,
          "the item has key \(item.type.rawValue), which is not one of the \(keys.count) keys")
      }
    } else if item.type == "----" {
      space = .iTunesLong
      let mean = item.children.first { $0.type == "mean" }?.payload(MetadataNameBox.self)?.text
      let name = item.children.first { $0.type == "name" }?.payload(MetadataNameBox.self)?.text
      key = MetadataKey(rawValue: [mean, name].compactMap { $0 }.joined(separator: "."))
    }
    readValues(of: item, path, space, key)
  }

  /// The values in the `data` boxes of an item: usually one.
  private mutating func readValues(
    of item: Box, _ path: String, _ space: MetadataKeySpace, _ key: MetadataKey
  ) {
    var count = 0
    BoxPath.forEachSibling(item.children) { child, name, _ in
      guard child.type == "data", let decoding = child.decodeLoadedPayload(),
        let data = decoding.payload as? MetadataValueBox
      else { return }
      if let error = decoding.error {
        diagnostics.append(error.inPath("\(path)/\(name)"))
        return
      }
      count += 1
      // Type and locale take 8 bytes; the rest of the box is the value.
      let start = min(child.offset + child.headerSize + 8, child.fileRange.upperBound)
      take(
        MetadataItem(
          keySpace: space, key: key, value: data.content,
          dataType: data.typeSet == 0 ? data.valueType : nil, data: data.value, isLoaded: child.isLoaded,
          dataRange: start..<child.fileRange.upperBound, country: data.country, language: data.language,
          place: BoxPlace(path: path, offset: item.offset)))
    }
    if count == 0 {
      diagnostics.append(
        .warning, "metadata-without-value", path: path, offset: item.offset, "the item has no readable value")
    }
  }

  private mutating func readUserData(_ userData: Box, _ path: String, _ tree: BoxTree?) {
    BoxPath.forEachSibling(userData.children) { box, name, _ in
      let boxPath = "\(path)/\(name)"
      if box.type == "meta" { return readMeta(box, boxPath, tree) }
      let key = MetadataKey(rawValue: "\(box.type)")
      switch box.decodeLoadedPayload()?.payload {
      case let text as UserDataTextBox where text.holdsBoxes:
        readValues(of: box, boxPath, .quickTimeUserData, key)
      case let text as UserDataTextBox:
        for entry in text.entries {
          add(.quickTimeUserData, key, entry.text, entry.bytes, box, boxPath, language: entry.language)
        }
      case let name as UserDataNameBox:
        add(.quickTimeUserData, key, name.name.utf8Text, name.name, box, boxPath)
      case let notice as LocalizedTextBox:
        add(
          .isoUserData, key, notice.notice.text, notice.notice.utf16 ?? notice.notice.utf8.bytes, box,
          boxPath, language: notice.language)
      default: break
      }
    }
  }

  /// How many items are read: a box of eight bytes makes one.
  private static let maximumItems = 8192
  private var isCutShort = false

  private mutating func take(_ item: MetadataItem) {
    if items.count < Self.maximumItems { return items.append(item) }
    guard !isCutShort else { return }
    isCutShort = true
    diagnostics.append(
      .error, "limit-exceeded", path: item.place.path, offset: item.place.offset,
      "more than \(Self.maximumItems) items of metadata: this and the others are left out")
  }

  private mutating func add(
    _ space: MetadataKeySpace, _ key: MetadataKey, _ text: String, _ bytes: ByteView, _ box: Box,
    _ path: String, language: UInt16 = 0
  ) {
    take(
      MetadataItem(
        keySpace: space, key: key, value: .text(text), dataType: nil, data: bytes, isLoaded: box.isLoaded,
        dataRange: bytes.fileRange, language: language, place: BoxPlace(path: path, offset: box.offset)))
  }
}
