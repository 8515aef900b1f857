// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
public import ISOBMFF
public import Multiview

/// The metadata of a movie by key, with pending changes: the items of each `meta` in `moov` or `moov/udta` that has `keys`.
public struct EditedMetadata: Sendable {
  /// The values in the movie, and whether each is in `moov/meta`.
  private let original: [(key: MetadataKey, value: MetadataItem.Value, isInMeta: Bool)]
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
    guard let tree = movie.tree, let moov = tree.first("moov") else {
      original = []
      return
    }
    let keys = Set(KeyTables(moov, in: tree).tables.flatMap { $0.table.texts })
    original = movie.metadata.items.compactMap { item in
      // The number of an item whose key is missing is not a key.
      guard item.keySpace == .quickTimeMetadata, keys.contains(item.key.rawValue) else { return nil }
      let isInMeta = item.place.path.hasPrefix("moov/meta")
      guard isInMeta || item.place.path.hasPrefix("moov/udta") else { return nil }
      return (item.key, item.value, isInMeta)
    }
  }

  /// The keys and values in `moov/meta` of the movie, without the changes.
  var items: [(key: MetadataKey, value: MetadataItem.Value)] {
    original.filter(\.isInMeta).map { ($0.key, $0.value) }
  }

  /// All keys in the movie.
  package var keys: [MetadataKey] { original.map(\.key) }

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
    guard let tree = movie.tree, let moov = tree.first("moov") else { return }
    let found = KeyTables(moov, in: tree).tables.filter { $0.place.userData == nil }
    let other = EditedMetadata(movie)
    var isKnown = Set(original.map(\.key))
    for item in other.items where isKnown.insert(item.key).inserted {
      let items = found.flatMap { $0.table.items(of: item.key) }.map { tree.whole($0) }
      // What was set to one of these values has all of them then.
      edits.removeAll { $0.key == item.key }
      if !items.isEmpty { copied.append(CopiedKey(key: item.key, value: item.value, items: items)) }
    }
    guard original.isEmpty, !copied.isEmpty, found.count == 1, let place = found.first?.place.meta else {
      return
    }
    let meta = tree.whole(moov.children[place])
    if meta.hasOnlyItems { copiedBox = meta }
  }

  /// The first key whose items in a movie are not those that are to be written; `nil` if all are.
  func firstDifference(in movie: MovieFile) -> MetadataKey? {
    guard !edits.isEmpty || !copied.isEmpty else { return nil }
    let moov = movie.tree?.first("moov")
    let found = movie.tree.flatMap { tree in moov.map { KeyTables($0, in: tree) } }
    // What readers find counts, however many boxes of keys there are.
    let left = EditedMetadata(movie)
    if let edit = edits.first(where: { $0.value == nil && left[$0.key] != nil }) { return edit.key }
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
  /// Refuses keys for which a `moov` has no place: it can have only one `meta`. ISO/IEC 14496-12, 8.11.1
  func checkPlace(in moov: Box) throws(EditError) {
    guard !edits.isEmpty || !copied.isEmpty, KeyTables(moov).tables.isEmpty, let other = moov.first("meta")
    else { return }
    let kind = other.first(HandlerBox.self).map { " (\($0.handlerType))" } ?? ""
    throw .refused(
      "keys cannot be added: moov/meta holds other metadata\(kind), and a movie can have only one meta",
      advice: "See what it holds\(.showBox(path: "moov/meta")). Tags of tracks do not need keys.")
  }

  /// Writes the changes to a `moov`. Keys stay where they are, and new ones join them. If there are none, a `meta` is added
  /// without version and flags, whatever the brand: cameras write it so in MP4, too, and the form of MP4, with version and flags,
  /// hides the keys from readers that know it from cameras.
  func write(to moov: inout Box) throws(ParseError) {
    guard !edits.isEmpty || !copied.isEmpty else { return }
    var found = KeyTables(moov)
    if found.tables.isEmpty {
      if let copiedBox {
        moov.children.append(copiedBox)
        guard !edits.isEmpty else { return }
      } else {
        guard !copied.isEmpty || edits.contains(where: { $0.value != nil }) else { return }
        moov.children.append(Self.newMeta())
      }
      found = KeyTables(moov)
    }
    for edit in edits {
      found.set(edit.key, try edit.value.map { value throws(ParseError) in try Self.item(value) })
    }
    for key in copied where found.items(of: key.key).isEmpty && !edits.contains(where: { $0.key == key.key })
    {
      found.append(key.key, key.items)
    }
    found.write(to: &moov)
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

/// The tables of keys in a `moov`: cameras write one in `moov/meta`, and FFmpeg in `moov/udta/meta`. Damaged movies have more.
private struct KeyTables {
  /// Where a `meta` is among its siblings.
  struct Place {
    /// The `udta` that it is in; `nil` for `moov` itself.
    var userData: Int?
    var meta: Int
  }
  /// The tables in the order in which readers prefer them: those in `moov/meta` first.
  private(set) var tables: [(place: Place, table: MetadataTable)] = []

  init(_ moov: Box, in tree: BoxTree? = nil) {
    func add(_ boxes: [Box], _ userData: Int?) {
      for index in boxes.indices where Self.hasKeys(boxes[index]) {
        let meta = tree?.whole(boxes[index]) ?? boxes[index]
        tables.append((Place(userData: userData, meta: index), MetadataTable(meta)))
      }
    }
    add(moov.children, nil)
    for index in moov.children.indices where moov.children[index].type == "udta" {
      add(moov.children[index].children, index)
    }
  }

  private static func hasKeys(_ box: Box) -> Bool {
    box.type == "meta" && (box.first("keys") != nil || box.first(HandlerBox.self)?.handlerType == "mdta")
  }

  /// The boxes of the values of a key.
  func items(of key: MetadataKey) -> [Box] { tables.flatMap { $0.table.items(of: key) } }

  /// Replaces all items of a key with one, in the table that has it; for `nil`, removes the key from all tables.
  mutating func set(_ key: MetadataKey, _ value: Box?) {
    let home =
      tables.firstIndex { !$0.table.items(of: key).isEmpty }
      ?? tables.firstIndex { !$0.table.indices(of: key).isEmpty } ?? 0
    for index in tables.indices { tables[index].table.set(key, index == home ? value : nil) }
  }

  /// Adds a key with items of another movie.
  mutating func append(_ key: MetadataKey, _ new: [Box]) {
    guard !tables.isEmpty else { return }
    tables[0].table.append(key, new)
  }

  /// Writes the tables that have changed. A `meta` in which no key is left is removed, unless it holds more.
  func write(to moov: inout Box) {
    // From the last box to the first, because places count those before them.
    let changed = tables.filter(\.table.isChanged).sorted {
      ($0.place.userData ?? $0.place.meta, $0.place.meta) > (
        $1.place.userData ?? $1.place.meta, $1.place.meta
      )
    }
    for (place, table) in changed {
      guard let userData = place.userData else {
        Self.write(table, to: &moov, at: place.meta)
        continue
      }
      var box = moov.children[userData]
      Self.write(table, to: &box, at: place.meta)
      if box.children.isEmpty { moov.children.remove(at: userData) } else { moov.children[userData] = box }
    }
  }

  private static func write(_ table: MetadataTable, to parent: inout Box, at place: Int) {
    var meta = parent.children[place]
    if table.items.isEmpty, table.keys.isEmpty {
      meta.children.removeAll { $0.type == "keys" || $0.type == "ilst" }
      if meta.children.allSatisfy({ $0.type == "hdlr" }) {
        parent.children.remove(at: place)
        return
      }
    } else {
      table.write(to: &meta)
    }
    parent.children[place] = meta
  }
}

/// The `keys` and the lists (`ilst`) of a `meta`, whose items refer to their key by index.
private struct MetadataTable {
  private(set) var keys: [MetadataKeysBox.Key]
  /// The items, each with the list it is in and with the index of its key, both counted from 0; `nil` for an item without a
  /// key.
  private(set) var items: [(list: Int, key: Int?, box: Box)] = []
  private(set) var isChanged = false
  private var keysBox: MetadataKeysBox

  init(_ meta: Box) {
    keysBox = meta.first(MetadataKeysBox.self) ?? MetadataKeysBox()
    let count = keysBox.keys.count
    keys = keysBox.keys
    for (list, box) in meta.children.filter({ $0.type == "ilst" }).enumerated() {
      items += box.children.map { item in
        let index = Int(clamping: item.type.rawValue) &- 1
        return (list, (0..<count).contains(index) ? index : nil, item)
      }
    }
  }

  /// The names of the keys.
  var texts: [String] { keys.filter { $0.namespace == "mdta" }.map(\.text) }

  /// The indices of a key: a table may name it more than once.
  func indices(of key: MetadataKey) -> Set<Int> {
    Set(keys.indices.filter { keys[$0].namespace == "mdta" && keys[$0].text == key.rawValue })
  }

  /// The boxes of the values of a key.
  func items(of key: MetadataKey) -> [Box] {
    let indices = indices(of: key)
    return items.filter { $0.key.map(indices.contains) == true }.map(\.box)
  }

  /// Replaces all items of a key with one; for `nil`, removes the key.
  mutating func set(_ key: MetadataKey, _ value: Box?) {
    var gone = indices(of: key)
    guard value != nil || !gone.isEmpty else { return }
    isChanged = true
    if let value {
      let first = items.firstIndex { $0.key.map(gone.contains) == true }
      let kept = first.flatMap { items[$0].key } ?? gone.min() ?? addKey(key)
      let new = (list: first.map { items[$0].list } ?? 0, key: Int?.some(kept), box: value)
      items.removeAll { $0.key == kept }
      items.insert(new, at: min(first ?? items.count, items.count))
      gone.remove(kept)
    }
    remove(gone)
  }

  private mutating func addKey(_ key: MetadataKey) -> Int {
    keys.append(MetadataKeysBox.Key(key.rawValue))
    return keys.count - 1
  }

  /// Removes keys with their items; what follows them gets new numbers.
  private mutating func remove(_ gone: Set<Int>) {
    guard !gone.isEmpty else { return }
    var numbers: [Int] = [], next = 0
    for index in keys.indices {
      numbers.append(next)
      if !gone.contains(index) { next += 1 }
    }
    items.removeAll { $0.key.map(gone.contains) == true }
    for index in items.indices { items[index].key = items[index].key.map { numbers[$0] } }
    keys = keys.indices.filter { !gone.contains($0) }.map { keys[$0] }
  }

  /// Adds a key with items of another movie.
  mutating func append(_ key: MetadataKey, _ new: [Box]) {
    isChanged = true
    let index = indices(of: key).min() ?? addKey(key)
    for item in new { items.append((0, index, item)) }
  }

  func write(to meta: inout Box) {
    var table = keysBox
    table.keys = keys
    if let index = meta.children.firstIndex(where: { $0.type == "keys" }) {
      meta.children[index].replacePayload(table)
    } else {
      let place = (meta.children.lastIndex { $0.type == "hdlr" } ?? -1) + 1
      meta.children.insert(Box("keys", table, in: .box("meta"), registry: .standard), at: place)
    }
    if meta.first("ilst") == nil {
      let place = (meta.children.lastIndex { $0.type == "keys" } ?? -1) + 1
      meta.children.insert(Box("ilst", nil, children: [], in: .box("meta"), registry: .standard), at: place)
    }
    let lists = Dictionary(grouping: items, by: \.list)
    for (list, place) in meta.children.indices.filter({ meta.children[$0].type == "ilst" }).enumerated() {
      meta.children[place].children = (lists[list] ?? []).map(Self.numbered)
    }
  }

  /// The box of an item, with the number of its key as its type.
  private static func numbered(_ item: (list: Int, key: Int?, box: Box)) -> Box {
    guard let key = item.key else { return item.box }
    let type = FourCC(UInt32(clamping: key + 1))
    guard item.box.type != type else { return item.box }
    return Box(type, nil, children: item.box.children, in: .box("ilst"), registry: .standard)
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
