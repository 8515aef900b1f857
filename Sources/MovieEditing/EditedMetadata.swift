// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
public import ISOBMFF
public import Multiview

/// The metadata of a movie by key, with pending changes: the items of the `moov/meta` that has `keys`.
public struct EditedMetadata: Sendable {
  /// The values in the movie.
  private let original: [(key: MetadataKey, value: MetadataItem.Value)]
  /// The changes; a value of `nil` removes the key.
  private(set) var edits: [(key: MetadataKey, value: MetadataItem.Value?)] = []

  /// Items of another movie, with all their boxes as they are there.
  private(set) var copied: [CopiedKey] = []
  /// All keys of another movie, which are ``copied``, in the box that they are in there: it is taken if this movie has none.
  private var copiedBox: Box?

  /// A key of another movie.
  struct CopiedKey: Sendable {
    let key: MetadataKey
    /// The first of its values.
    let value: MetadataItem.Value
    let items: [Box]
  }

  init(_ movie: MovieFile) {
    original = movie.metadata.items.compactMap { item in
      item.keySpace == .quickTimeMetadata && item.place.path.hasPrefix("moov/meta")
        ? (item.key, item.value) : nil
    }
  }

  /// The keys and values in the movie, without the changes.
  var items: [(key: MetadataKey, value: MetadataItem.Value)] { original }

  /// The value of a key with changes applied, the first if there are several; `nil` if absent. Setting a value
  /// replaces all values of the key; setting `nil` removes them.
  public subscript(key: MetadataKey) -> MetadataItem.Value? {
    get {
      if let edit = edits.first(where: { $0.key == key }) { return edit.value }
      return original.first { $0.key == key }?.value
    }
    set {
      edits.removeAll { $0.key == key }
      let values = original.filter { $0.key == key }
      if newValue != values.first?.value || values.count > 1 { edits.append((key, newValue)) }
    }
  }

  /// Returns whether a key is one of those that cameras write for spatial captures.
  static func isSpatial(_ key: MetadataKey) -> Bool {
    key.rawValue.hasPrefix("com.apple.quicktime.spatial.")
  }

  mutating func removeSpatialKeys() {
    for key in (original.map(\.key) + edits.map(\.key)).filter(Self.isSpatial) { self[key] = nil }
  }

  mutating func copySpatialKeys(from movie: MovieFile) {
    removeSpatialKeys()
    for item in movie.metadata.items where item.keySpace == .quickTimeMetadata && Self.isSpatial(item.key) {
      self[item.key] = item.value
    }
  }

  var changes: [TagChange] {
    edits.map { edit in
      TagChange(
        name: edit.key.rawValue, old: original.first { $0.key == edit.key }.map { $0.value.description },
        new: edit.value?.description)
    } + copied.map { TagChange(name: $0.key.rawValue, old: nil, new: $0.value.description) }
  }

  /// Takes keys that this movie lacks from another one, with all their values, types and languages.
  mutating func copyMissingKeys(from movie: MovieFile) {
    guard let tree = movie.tree, let moov = tree.first("moov"),
      let meta = Self.place(in: moov).map({ tree.whole(moov.children[$0]) })
    else { return }
    let other = EditedMetadata(movie), table = MetadataTable(meta)
    var isKnown = Set(original.map(\.key))
    for item in other.items where isKnown.insert(item.key).inserted {
      let items = table.items(of: item.key).map { tree.whole($0) }
      // What was set to one of these values has all of them then.
      edits.removeAll { $0.key == item.key }
      if !items.isEmpty { copied.append(CopiedKey(key: item.key, value: item.value, items: items)) }
    }
    if original.isEmpty, meta.hasOnlyItems, !copied.isEmpty { copiedBox = meta }
  }

  /// The first key whose items in a movie are not those that are to be written; `nil` if all are.
  func firstDifference(in movie: MovieFile) -> MetadataKey? {
    guard !edits.isEmpty || !copied.isEmpty else { return nil }
    var found: MetadataTable?
    if let tree = movie.tree, let moov = tree.first("moov"), let place = Self.place(in: moov) {
      found = MetadataTable(tree.whole(moov.children[place]))
    }
    func contents(_ items: [Box]) -> [[UInt8]]? {
      // What precedes the contents is the size, and the number of the key.
      do { return try items.map { Array(try (movie.tree?.whole($0) ?? $0).encoded().dropFirst(8)) } } catch {
        return nil
      }
    }
    for edit in edits {
      let wanted: [Box]
      do { wanted = try edit.value.map { value throws(ParseError) in [try Self.item(value)] } ?? [] } catch {
        return edit.key
      }
      guard let new = contents(found?.items(of: edit.key) ?? []), new == contents(wanted) else {
        return edit.key
      }
    }
    return copied.first { key in
      let new = contents(found?.items(of: key.key) ?? [])
      return new == nil || new != contents(key.items)
    }?.key
  }

  /// Returns the value of a key for a text: an integer if the key has one already, or is known to take one.
  package func value(of text: String, for key: MetadataKey) -> MetadataItem.Value {
    let isNumber =
      switch self[key] {
      case .integer, .unsigned: true
      case nil: key == .spatialAggressorsSeen || key == .spatialLowMotion
      default: false
      }
    if isNumber, let number = Int64(text) { return .integer(number) }
    return .text(text)
  }
}

extension EditedMetadata {
  /// The place among the boxes of a `moov` of the `meta` whose items have keys.
  private static func place(in moov: Box) -> Int? {
    moov.children.firstIndex { child in
      child.type == "meta"
        && (child.first("keys") != nil || child.first(HandlerBox.self)?.handlerType == "mdta")
    }
  }

  /// Refuses keys for which a `moov` has no place: it can have only one `meta`. ISO/IEC 14496-12, 8.11.1
  func checkPlace(in moov: Box) throws(EditError) {
    guard !edits.isEmpty || !copied.isEmpty, Self.place(in: moov) == nil, let other = moov.first("meta")
    else { return }
    let kind = other.first(HandlerBox.self).map { " (\($0.handlerType))" } ?? ""
    throw .refused(
      "keys cannot be added: moov/meta holds other metadata\(kind), and a movie can have only one meta",
      advice: "See what it holds\(.showBox(path: "moov/meta")). Tags of tracks do not need keys.")
  }

  /// Writes the changes to a `moov`. A missing `meta` is added without version and flags, whatever the brand: cameras write
  /// it so in MP4, too, and the form of MP4, with version and flags, hides the keys from readers that know it from cameras.
  func write(to moov: inout Box) throws(ParseError) {
    guard !edits.isEmpty || !copied.isEmpty else { return }
    if let copiedBox, Self.place(in: moov) == nil {
      moov.children.append(copiedBox)
      guard !edits.isEmpty else { return }
    }
    let index = Self.place(in: moov)
    var meta = index.map { moov.children[$0] } ?? Self.newMeta()
    var table = MetadataTable(meta)
    for edit in edits {
      table.set(edit.key, try edit.value.map { value throws(ParseError) in try Self.item(value) })
    }
    for key in copied where table.items(of: key.key).isEmpty && !edits.contains(where: { $0.key == key.key })
    {
      table.append(key.key, key.items)
    }
    guard !table.items.isEmpty || !table.keys.isEmpty else {
      // No key is left: removes the boxes of keys, and a `meta` with nothing else.
      meta.children.removeAll { $0.type == "keys" || $0.type == "ilst" }
      if let index {
        if meta.children.allSatisfy({ $0.type == "hdlr" }) {
          moov.children.remove(at: index)
        } else {
          moov.children[index] = meta
        }
      }
      return
    }
    table.write(to: &meta)
    if let index { moov.children[index] = meta } else { moov.children.append(meta) }
  }

  private static func newMeta() -> Box {
    var form = MetaBox()
    form.isFullBox = false
    var handler = HandlerBox("mdta", name: "")
    // Apple's writers put two zero bytes in place of the name.
    handler.name.bytes = ByteView([0])
    return Box(
      "meta", form, children: [Box("hdlr", handler, in: .box("meta"), registry: .standard)], in: .box("moov"),
      registry: .standard)
  }

  /// Returns the item of a value, without the number of its key.
  private static func item(_ value: MetadataItem.Value) throws(ParseError) -> Box {
    Box(FourCC(0), nil, children: [try box(value)], in: .box("ilst"), registry: .standard)
  }

  /// Returns the box of a value.
  private static func box(_ value: MetadataItem.Value) throws(ParseError) -> Box {
    func big(_ value: UInt64, _ width: Int) -> ByteView {
      ByteView((0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) })
    }
    let payload: MetadataValueBox
    switch value {
    case .text(let text): payload = MetadataValueBox(.utf8, ByteView(text.utf8))
    case .integer(let number):
      payload = MetadataValueBox(
        .signedInteger, big(UInt64(bitPattern: number), Int32(exactly: number) == nil ? 8 : 4))
    case .unsigned(let number):
      payload = MetadataValueBox(.unsignedInteger, big(number, UInt32(exactly: number) == nil ? 8 : 4))
    case .number(let number): payload = MetadataValueBox(.float64, big(number.bitPattern, 8))
    case .bytes(let bytes): payload = MetadataValueBox(.binary, bytes)
    case .numbers:
      throw ParseError(
        .invalid("several numbers cannot be written as one value of a key"), offset: 0, path: "ilst")
    }
    return Box("data", payload, in: .metadataItem, registry: .standard)
  }
}

/// The `keys` and the `ilst` of a `meta`, whose items refer to their key by index.
private struct MetadataTable {
  var keys: [MetadataKeysBox.Key]
  /// The items, each with the index of its key, counted from 0; `nil` for an item without a key.
  var items: [(key: Int?, box: Box)]
  private var keysBox: MetadataKeysBox

  init(_ meta: Box) {
    keysBox = meta.first(MetadataKeysBox.self) ?? MetadataKeysBox()
    let count = keysBox.keys.count
    keys = keysBox.keys
    items = (meta.first("ilst")?.children ?? []).map { item in
      let index = Int(clamping: item.type.rawValue) &- 1
      return ((0..<count).contains(index) ? index : nil, item)
    }
  }

  /// Replaces all items of a key with one; for `nil`, removes the key.
  mutating func set(_ key: MetadataKey, _ value: Box?) {
    let index = keys.firstIndex { $0.namespace == "mdta" && $0.text == key.rawValue }
    guard let value else {
      guard let index else { return }
      items.removeAll { $0.key == index }
      keys.remove(at: index)
      for item in items.indices {
        if let number = items[item].key, number > index { items[item].key = number - 1 }
      }
      return
    }
    let number = index ?? keys.count
    if index == nil { keys.append(MetadataKeysBox.Key(key.rawValue)) }
    if let first = items.firstIndex(where: { $0.key == number }) {
      items[first].box = value
      let later = items.indices.filter { $0 > first && items[$0].key == number }
      for item in later.reversed() { items.remove(at: item) }
    } else {
      items.append((number, value))
    }
  }

  /// The boxes of the values of a key.
  func items(of key: MetadataKey) -> [Box] {
    guard let index = keys.firstIndex(where: { $0.namespace == "mdta" && $0.text == key.rawValue }) else {
      return []
    }
    return items.filter { $0.key == index }.map(\.box)
  }

  /// Adds a key with items of another movie.
  mutating func append(_ key: MetadataKey, _ new: [Box]) {
    let index = keys.firstIndex { $0.namespace == "mdta" && $0.text == key.rawValue }
    if index == nil { keys.append(MetadataKeysBox.Key(key.rawValue)) }
    for item in new { items.append((index ?? keys.count - 1, item)) }
  }

  func write(to meta: inout Box) {
    var table = keysBox
    table.keys = keys
    let children = items.map { item -> Box in
      guard let key = item.key else { return item.box }
      let type = FourCC(UInt32(clamping: key + 1))
      guard item.box.type != type else { return item.box }
      return Box(type, nil, children: item.box.children, in: .box("ilst"), registry: .standard)
    }
    if let index = meta.children.firstIndex(where: { $0.type == "keys" }) {
      meta.children[index].replacePayload(table)
    } else {
      let place = (meta.children.lastIndex { $0.type == "hdlr" } ?? -1) + 1
      meta.children.insert(Box("keys", table, in: .box("meta"), registry: .standard), at: place)
    }
    if let index = meta.children.firstIndex(where: { $0.type == "ilst" }) {
      meta.children[index].children = children
    } else {
      let place = (meta.children.lastIndex { $0.type == "keys" } ?? -1) + 1
      meta.children.insert(
        Box("ilst", nil, children: children, in: .box("meta"), registry: .standard), at: place)
    }
  }
}

/// A date and time, as text and as the seconds that movies store.
public struct CreationDate: Hashable, Sendable, CustomStringConvertible {
  /// The number of seconds since 1904-01-01 00:00 UTC.
  public let secondsSince1904: UInt64
  /// The date in ISO 8601, as it was given, with its UTC offset if it has one.
  public let description: String

  /// Reads a date such as `2024-05-01T12:30:00Z`, or with `+0200` or `+02:00` in place of `Z`. The time of day
  /// may be missing, and without a UTC offset the date is in UTC. `nil` for anything else, and for dates before
  /// 1904.
  public init?(_ text: String) {
    // Movies store whole seconds: fractions are ignored.
    guard let seconds = Multiview.secondsSince1970(iso8601: text, isInUTC: true)?.rounded(.down),
      seconds >= -MovieFile.boxEpoch
    else { return nil }
    secondsSince1904 = UInt64(seconds + MovieFile.boxEpoch)
    description = text
  }

  /// Makes the date of a movie, in UTC; `nil` if its year has more than four digits.
  init?(secondsSince1904 seconds: UInt64) {
    guard seconds < 255_000_000_000, let text = macintoshDate(seconds) else { return nil }
    secondsSince1904 = seconds
    description = text
  }
}

extension Box {
  /// Whether a `meta` has keys and values, and nothing that may refer to places in its file.
  var hasOnlyItems: Bool {
    children.allSatisfy { ["hdlr", "keys", "ilst", "ctry", "lang"].contains($0.type) }
  }
}
