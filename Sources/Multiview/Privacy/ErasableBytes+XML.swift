// swift-multiview · SPDX-License-Identifier: Apache-2.0

// XMP, and other metadata as XML: elements and attributes that tell something become spaces.

extension ErasableBytes {
  private static let names: [PersonalDataKind: Set<String>] = [
    .location: [
      "city", "state", "country", "countrycode", "countryname", "location", "locationcreated",
      "locationshown", "sublocation", "provincestate", "worldregion", "locationname", "landmark", "address",
      "shotlocation", "lrftargetlat", "lrftargetlon", "lrftargetalt", "lrftargetabsalt", "rtkstdlat",
      "rtkstdlon", "rtkstdhgt", "lat", "lon", "lng", "captureposition",
    ],
    .name: [
      "creator", "author", "authors", "artist", "ownername", "owner", "rights", "captionwriter",
      "personinimage", "creatorcontactinfo", "credit", "regions", "authorsposition", "cameraownername",
      "contributor", "publisher", "copyright", "composer", "director", "directorphotography", "engineer",
      "client", "imagecreator", "imagecreatorname", "copyrightowner", "copyrightownername", "licensor",
      "licensorname", "personinimagewdetails", "attributionname", "filepath", "posixprojectpath",
      "uncprojectpath", "people", "person", "personality", "personinimagename", "persondisplayname",
      "creatoridentity", "manager", "rawfilename", "preservedfilename",
    ],
    .device: [
      "make", "model", "software", "creatortool", "serialnumber", "serialno", "bodyserialnumber",
      "lensserialnumber", "lens", "lensinfo", "lensid", "lensmodel", "lensmake", "hostcomputer", "device",
      "manufacturer", "modelname", "imageuniqueid", "cameraserialnumber", "softwareagent", "cameramodel",
      "dronemodel", "droneserialnumber", "firmware", "productname", "cameralabel", "rigname",
      "lensmanufacturer",
      "lensmodelname", "lensprofilename", "stitchingsoftware", "capturesoftware", "uniquecameraid",
      "uniquecameramodel", "producer",
    ],
    .date: [
      "createdate", "modifydate", "metadatadate", "datetimeoriginal", "datetimedigitized", "datecreated",
      "creationdate", "lastupdate", "date", "when", "datetime", "shotdate", "releasedate", "firstphotodate",
      "lastphotodate", "offsettime", "offsettimeoriginal", "offsettimedigitized", "subsectime",
      "subsectimeoriginal", "subsectimedigitized", "timestamp",
    ],
  ]
  /// Names that tell something only with this prefix.
  private static let prefixedNames: [String: PersonalDataKind] = [
    "geo:long": .location, "geo:alt": .location, "mwg-rs:name": .name, "dcterms:created": .date,
    "dcterms:modified": .date,
  ]

  /// Returns what a name with its prefix tells.
  func kind(of name: ArraySlice<UInt8>) -> PersonalDataKind? {
    let local = name.split(separator: UInt8(ascii: ":")).last ?? []
    let text = String(decoding: local, as: UTF8.self).lowercased()
    let isPlace =
      text.hasPrefix("gps") || text.hasPrefix("latitude") || text.hasPrefix("longitude")
      || text.hasSuffix("latitude") || text.hasSuffix("longitude") || text.hasSuffix("altitude")
    let isDate = text == "gpsdatestamp" || text == "gpstimestamp" || text.hasSuffix("moddate")
    if isDate, kinds.contains(.date) { return .date }
    let found =
      isPlace
      ? PersonalDataKind.location
      : Self.names.first { $0.value.contains(text) }?.key
        ?? Self.prefixedNames[String(decoding: name, as: UTF8.self).lowercased()]
    return found.flatMap { kinds.contains($0) ? $0 : nil }
  }

  /// Erases elements and attributes of a document. One that cannot be read is erased as a whole.
  mutating func eraseXML(_ range: Range<Int>) {
    // A byte in two is 0 in UTF-16.
    if bytes[range].prefix(64).count(where: { $0 == 0 }) >= 16 { return eraseAll(range) }
    var position = range.lowerBound
    var values: [ErasedField] = []
    var comments: [Range<Int>] = []
    while let open = bytes[position..<range.upperBound].firstIndex(of: UInt8(ascii: "<")) {
      guard open + 1 < range.upperBound else { break }
      if bytes[open + 1] == UInt8(ascii: "?") || bytes[open + 1] == UInt8(ascii: "!") {
        let isComment = has("<!--", at: open)
        guard let end = end(of: isComment ? "-->" : ">", from: open, to: range.upperBound) else {
          return eraseAll(range)
        }
        if isComment { comments.append(open..<end) }
        position = end
        continue
      }
      guard let close = endOfTag(open, range.upperBound) else { return eraseAll(range) }
      position = close
      guard bytes[open + 1] != UInt8(ascii: "/") else { continue }
      let name = nameRange(from: open + 1, to: close)
      let attributes = attributes(from: name.upperBound, to: close)
      // Some documents have a name and a value as attributes: <Item name="Latitude" value="…"/>.
      let named = attributes.first { bytes[$0.name].elementsEqual("name".utf8) }
      if let kind = kind(of: bytes[name]) ?? named.flatMap({ kind(of: bytes[$0.value]) }) {
        let isEmpty = bytes[close - 2] == UInt8(ascii: "/")
        guard let end = isEmpty ? close : endOfElement(bytes[name], from: close, to: range.upperBound) else {
          return eraseAll(range)
        }
        let inner = isEmpty ? "" : Self.plainText(bytes[close..<end])
        let text = attributes.map { String(decoding: bytes[$0.value], as: UTF8.self) } + [inner]
        values.append(
          field(kind, name, text.filter { !$0.isEmpty }.joined(separator: " ")))
        blank(open..<end)
        position = end
        continue
      }
      for attribute in attributes {
        guard let kind = kind(of: bytes[attribute.name]) else { continue }
        values.append(
          field(kind, attribute.name, String(decoding: bytes[attribute.value], as: UTF8.self)))
        blank(attribute.name.lowerBound..<(attribute.value.upperBound + 1))
      }
    }
    // A comment may repeat what a field tells.
    if !values.isEmpty { for comment in comments { blank(comment) } }
    addPlace(of: &values)
    for value in values { add(value) }
  }

  /// Erases all of a range: as XMP, it is text of the same length.
  mutating func eraseAll(_ range: Range<Int>, _ name: String = "XMP") {
    guard bytes[range].contains(where: { $0 != 0x20 && $0 != 0 }) else { return }
    for kind in PersonalDataKind.allCases where kinds.contains(kind) {
      add(ErasedField(kind: kind, name: name))
    }
    blank(range)
  }

  private func field(_ kind: PersonalDataKind, _ name: Range<Int>, _ value: String) -> ErasedField {
    ErasedField(
      kind: kind, name: "XMP \(String(decoding: bytes[name], as: UTF8.self))",
      value: value.isEmpty ? nil : String(value.prefix(256)))
  }

  /// Gives the first field of a place the coordinates that latitude and longitude tell together.
  private func addPlace(of fields: inout [ErasedField]) {
    func angle(_ suffix: String) -> Double? {
      fields.first { $0.name.lowercased().hasSuffix(suffix) }.flatMap { $0.value.flatMap(Self.angle) }
    }
    guard let latitude = angle("latitude"), let longitude = angle("longitude"),
      let index = fields.firstIndex(where: { $0.name.lowercased().hasSuffix("latitude") })
    else { return }
    fields[index].location = GeographicLocation(latitude: latitude, longitude: longitude)
  }

  /// Reads `52,27.582N`, `52,27,34.9N` or decimal degrees. XMP Specification Part 2, 1.2.7.4
  private static func angle(_ text: String) -> Double? {
    guard let last = text.last else { return nil }
    let isNegative = last == "S" || last == "W"
    let body = "NSEW".contains(last) ? String(text.dropLast()) : text
    let parts = body.split(separator: ",").map { Double($0) ?? .nan }
    guard (1...3).contains(parts.count), parts.allSatisfy({ abs($0) <= 180 }) else { return nil }
    let rest = parts.dropFirst() + [0, 0]
    let degrees = GeographicLocation.angle(parts[0], rest[1], rest[2])
    return isNegative ? -degrees : degrees
  }

  // MARK: Reading tags

  private func end(of mark: String, from start: Int, to end: Int) -> Int? {
    let count = mark.utf8.count
    return (start..<end).first { has(mark, at: $0) }.map { $0 + count }
  }

  /// Returns the position after the `>` of a tag; what is between quotation marks does not end it.
  private func endOfTag(_ open: Int, _ end: Int) -> Int? {
    var quote: UInt8?
    for position in (open + 1)..<end {
      let byte = bytes[position]
      if let mark = quote {
        if byte == mark { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return position + 1
      }
    }
    return nil
  }

  private func nameRange(from start: Int, to end: Int) -> Range<Int> {
    let stop =
      bytes[start..<end].firstIndex {
        $0 <= 0x20 || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "=")
      } ?? end
    return start..<stop
  }

  /// Returns the names and values of the attributes of a tag.
  private func attributes(from start: Int, to end: Int) -> [(name: Range<Int>, value: Range<Int>)] {
    var found: [(name: Range<Int>, value: Range<Int>)] = []
    var position = start
    while position < end {
      guard bytes[position] > 0x20 else {
        position += 1
        continue
      }
      let name = nameRange(from: position, to: end)
      let between = bytes[name.upperBound..<end].prefix { $0 <= 0x20 || $0 == UInt8(ascii: "=") }
      let mark = between.endIndex
      guard !name.isEmpty, mark < end, bytes[mark] == UInt8(ascii: "\"") || bytes[mark] == UInt8(ascii: "'"),
        let close = bytes[(mark + 1)..<end].firstIndex(of: bytes[mark])
      else {
        position = max(position + 1, name.isEmpty ? mark : name.upperBound)
        continue
      }
      found.append((name, (mark + 1)..<close))
      position = close + 1
    }
    return found
  }

  /// Returns the position after the end tag of an element.
  private func endOfElement(_ name: ArraySlice<UInt8>, from start: Int, to end: Int) -> Int? {
    var depth = 1
    var position = start
    while let open = bytes[position..<end].firstIndex(of: UInt8(ascii: "<")) {
      guard let close = endOfTag(open, end) else { return nil }
      let isEnd = bytes[open + 1] == UInt8(ascii: "/")
      if bytes[nameRange(from: open + (isEnd ? 2 : 1), to: close)].elementsEqual(name) {
        if isEnd {
          depth -= 1
        } else if bytes[close - 2] != UInt8(ascii: "/") {
          depth += 1
        }
      }
      position = close
      if depth == 0 { return close }
    }
    return nil
  }

  /// The text between the tags.
  private static func plainText(_ bytes: ArraySlice<UInt8>) -> String {
    var text: [UInt8] = []
    var isInTag = false
    for byte in bytes {
      if byte == UInt8(ascii: "<") { isInTag = true }
      if !isInTag { text.append(byte) }
      if byte == UInt8(ascii: ">") { isInTag = false }
    }
    return String(decoding: text, as: UTF8.self).split { $0.isWhitespace }.joined(separator: " ")
  }
}
