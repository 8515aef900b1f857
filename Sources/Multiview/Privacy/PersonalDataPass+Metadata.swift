// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF

extension PersonalDataPass {
  /// Visits a `meta`: the items of an `ilst`, the items of HEIF, and boxes beside them.
  mutating func visitMeta(_ meta: Box, _ path: String) -> Outcome {
    var box = meta
    var isChanged = false
    if let lists = filteredLists(&box, path) { isChanged = lists }
    scanItems(meta, path)
    for child in box.children {
      guard let form = PersonalDataForm.ofMeta[child.type] else { continue }
      guard form.content == .opaque else {
        eraseInside(form, child, "\(path)/\(child.type)")
        continue
      }
      guard let kind = asked(form) else { continue }
      note(kind, "\(form.name ?? ""), \(child.type)", child, "\(path)/\(child.type)", isCertain: false)
      guard removes else { continue }
      box.children.removeAll { $0.type == child.type }
      isChanged = true
    }
    guard isChanged else { return .keep }
    // A `meta` in which only its handler is left is no longer needed.
    let isEmpty = box.children.allSatisfy { child in
      ["hdlr", "free", "skip"].contains(child.type)
        || (["ilst", "keys"].contains(child.type) && child.children.isEmpty
          && (child.payload(MetadataKeysBox.self)?.keys.isEmpty ?? true))
    }
    return isEmpty ? .drop : .replace(box)
  }

  /// Removes items from the lists of a `meta`, and their keys. Returns whether anything was removed; `nil` if there
  /// is no list.
  private mutating func filteredLists(_ meta: inout Box, _ path: String) -> Bool? {
    guard let tree = movie.tree else { return nil }
    let keysBox = tree.first(MetadataKeysBox.self, in: meta)
    // Once for each key: any number of items can have one.
    let forms = keysBox?.keys.map { form(of: $0) }
    var goneKeys: Set<Int> = []
    for (index, form) in (forms ?? []).enumerated() where form != nil { goneKeys.insert(index + 1) }
    var isChanged = false
    for place in meta.children.indices where meta.children[place].type == "ilst" {
      var kept: [Box] = []
      var hasLess = false
      BoxPath.forEachSibling(meta.children[place].children) { item, name, _ in
        let itemPath = "\(path)/ilst/\(name)"
        if visitItem(item, itemPath, keysBox, forms) {
          hasLess = true
        } else {
          kept.append(item)
        }
      }
      guard removes, hasLess || !goneKeys.isEmpty else { continue }
      isChanged = true
      meta.children[place].children = kept.map { renumbered($0, keysBox, goneKeys) }
    }
    if removes, var keys = keysBox, !goneKeys.isEmpty,
      let place = meta.children.firstIndex(where: { $0.type == "keys" })
    {
      isChanged = true
      keys.keys = keys.keys.enumerated().filter { !goneKeys.contains($0.offset + 1) }.map(\.element)
      meta.children[place].replacePayload(keys)
    }
    return isChanged
  }

  /// Gives an item the number that its key has after others were removed.
  private func renumbered(_ item: Box, _ keys: MetadataKeysBox?, _ gone: Set<Int>) -> Box {
    let number = Int(clamping: item.type.rawValue)
    guard let keys, number >= 1, number <= keys.keys.count else { return item }
    let before = gone.count { $0 < number }
    guard before > 0 else { return item }
    return Box(
      FourCC(UInt32(clamping: number - before)), nil, children: item.children, in: .box("ilst"),
      registry: .standard)
  }

  private typealias AskedForm = (form: PersonalDataForm, kind: PersonalDataKind)

  private func form(of key: MetadataKeysBox.Key) -> AskedForm? {
    // A key may be the type of a box in user data.
    guard key.namespace == "udta", let type = key.value.fourCC(at: 0) else { return form(ofKey: key.text) }
    guard let form = PersonalDataForm.ofUserData[type], let kind = asked(form) else { return nil }
    return (form, kind)
  }

  private func form(ofKey name: String) -> AskedForm? {
    guard let form = PersonalDataForm.ofKey(name), let kind = asked(form) else { return nil }
    return (form, kind)
  }

  /// Visits an item of an `ilst`; returns whether it is to be removed. `forms` are those of the keys.
  private mutating func visitItem(
    _ item: Box, _ path: String, _ keys: MetadataKeysBox?, _ forms: [AskedForm?]?
  ) -> Bool {
    let value = item.children.lazy.compactMap { $0.payload(MetadataValueBox.self)?.content.stringValue }.first
    var name = keys?.key(for: item.type)?.text
    let number = Int(clamping: item.type.rawValue) &- 1
    var form = forms.flatMap { $0.indices.contains(number) ? $0[number] : nil }
    if item.type == "----" {
      let types: [FourCC] = ["mean", "name"]
      name = types.compactMap { type in
        item.children.first { $0.type == type }?.payload(MetadataNameBox.self)?.text
      }.joined(separator: ".")
      form = name.flatMap { self.form(ofKey: $0) }
    }
    if let name {
      guard let kind = form?.kind else {
        if name.lowercased().hasSuffix("artwork") { erasePictures(item, path, "artwork") }
        return false
      }
      note(
        kind, name, item, path, value: value, location: value.flatMap { GeographicLocation(iso6709: $0) })
      return removes
    }
    // Some programs put items of iTunes beside those with keys.
    guard let form = PersonalDataForm.ofItem[item.type], let kind = asked(form) else {
      return false
    }
    if form.content == .picture {
      erasePictures(item, path, form.name ?? "")
      return false
    }
    note(
      kind, "\(item.type)", item, path, value: value,
      location: value.flatMap { GeographicLocation(iso6709: $0) })
    return removes
  }

  /// Erases what pictures in the values of an item tell.
  private mutating func erasePictures(_ item: Box, _ path: String, _ name: String) {
    guard !removes else { return }
    for child in item.children where child.type == "data" {
      eraseInside(PersonalDataForm(.items([]), request.kinds, .picture, name), child, "\(path)/data")
    }
  }

  // MARK: Items of HEIF

  /// Erases what the items of a `meta` tell.
  private mutating func scanItems(_ meta: Box, _ path: String) {
    guard !removes, let tree = movie.tree, let info = meta.first("iinf") else { return }
    var locations: ItemLocations?
    for box in info.children where box.type == "infe" {
      guard let entry = tree.whole(box).payload(ItemInfoEntryBox.self), entry.version >= 2,
        let form = PersonalDataForm.ofMetaItem(entry.itemType, contentType: entry.contentType.text),
        asked(form) != nil
      else { continue }
      // What is compressed is not read: it may tell anything.
      let encoding = entry.contentEncoding?.text ?? ""
      let isRead = encoding.isEmpty || encoding.lowercased() == "identity"
      let places = locations ?? ItemLocations(meta, in: tree, of: movie)
      locations = places
      let item = places[entry.itemID]
      guard item.obstacle == nil else { continue }
      guard maySearch(item.byteCount) else { return }
      let itemPath = "\(path)/item \(entry.itemID)"
      do {
        let whole = PersonalDataForm(form.home, form.kinds, .opaque, form.name)
        erase(isRead ? form : whole, try item.read(), at: item.pieces) { pass, field in
          pass.note(
            field.kind, isRead ? field.name : "\(form.name ?? ""), \(encoding)", box, itemPath,
            value: field.value, location: field.location, isCertain: isRead)
        }
      } catch { isComplete = false }
    }
  }

  // MARK: Samples

  /// Finds tracks whose samples tell something. If samples are to be erased, makes the patches for that.
  mutating func scanSamples() {
    for track in movie.tracks {
      guard let description = track.mainDescription else { continue }
      let place = BoxPlace(path: track.path, offset: track.box?.offset ?? 0)
      if let tables = track.timedMetadataTables {
        let named = tables.map { table in
          table.keys.filter { key in key.name.flatMap { form(ofKey: $0.rawValue) } != nil }
        }
        let entries = track.sampleTableBox?.first("stsd")?.children.count ?? 0
        if tables.count < entries
          || tables.contains(where: { $0.diagnostics.contains { $0.code == "limit-exceeded" } })
        {
          isComplete = false
        }
        guard let name = named.joined().first?.name?.rawValue, let kind = form(ofKey: name)?.kind
        else { continue }
        let numbers = named.map { Set($0.map(\.localID)) }
        let isWhole = zip(numbers, tables).allSatisfy { !$0.isEmpty && $0 == Set($1.keys.map(\.localID)) }
        noteSamples(
          PersonalDatum(
            kind: kind, form: name, sampleCount: track.sampleCount, trackID: track.id, place: place),
          keys: isWhole ? nil : numbers)
        guard request.includesSamples else { continue }
        if isWhole { eraseSamples(of: track) } else { eraseValues(of: track, numbers) }
      } else if let form = PersonalDataForm.ofSamples[description.codec], let kind = asked(form) {
        noteSamples(
          PersonalDatum(
            kind: kind, form: "\(form.name ?? ""), \(description.codec)", isCertain: false,
            sampleCount: track.sampleCount, trackID: track.id, place: place), keys: nil)
        if request.includesSamples { eraseSamples(of: track) }
      }
    }
  }

  private mutating func eraseSamples(of track: Track) {
    do {
      for sample in try track.samples() { erase(sample.range) }
    } catch { isComplete = false }
  }

  /// Fills a range of the file with zeros.
  private mutating func erase(_ range: Range<UInt64>) {
    let end = min(range.upperBound, movie.source.size ?? range.upperBound)
    guard range.lowerBound < end else { return }
    guard end - range.lowerBound <= UInt64(movie.limits.maximumSampleBytes), maySearch(end - range.lowerBound)
    else {
      isComplete = false
      return
    }
    addPatch(
      BytePatch(
        offset: range.lowerBound,
        bytes: ByteView([UInt8](repeating: 0, count: Int(clamping: end - range.lowerBound)))))
  }

  /// Fills the values of some keys of each sample entry with zeros, in all samples of a track of timed metadata.
  private mutating func eraseValues(of track: Track, _ keys: [Set<UInt32>]) {
    // Samples of an entry that is not there may have any of the keys.
    let all = keys.reduce(into: Set()) { $0.formUnion($1) }
    do {
      for sample in try track.samples() {
        let entry = Int(sample.descriptionIndex) - 1
        let numbers = keys.indices.contains(entry) ? keys[entry] : all
        guard !numbers.isEmpty else { continue }
        guard sample.size <= UInt64(movie.limits.maximumSampleBytes), maySearch(UInt64(sample.size)) else {
          isComplete = false
          return
        }
        let bytes = try movie.source.read(sample.range)
        let (values, error) = TimedMetadataKeyTable.values(in: bytes)
        for value in values where numbers.contains(value.localID) {
          let range = value.data.fileRange
          erase(UInt64(clamping: range.lowerBound)..<UInt64(clamping: range.upperBound))
        }
        // What cannot be read as values may be any of them.
        guard error != nil else { continue }
        let end = values.last.map { UInt64(clamping: $0.data.fileRange.upperBound) }
        erase((end ?? sample.range.lowerBound)..<sample.range.upperBound)
      }
    } catch { isComplete = false }
  }
}
