// swift-multiview · SPDX-License-Identifier: Apache-2.0

// The fields of Exif, as TIFF keeps them: directories of entries of 12 bytes. TIFF 6.0, section 2; CIPA DC-008

extension ErasableBytes {
  /// The fields that tell something, by the directory that has them and their tag.
  private static let fields: [UInt16: (kind: PersonalDataKind, name: String)] = [
    0x013B: (.name, "Artist"), 0x8298: (.name, "Copyright"), 0xA430: (.name, "CameraOwnerName"),
    0x9C9D: (.name, "XPAuthor"), 0xA436: (.name, "ImageTitle"), 0xA437: (.name, "Photographer"),
    0xA438: (.name, "ImageEditor"),
    0x010F: (.device, "Make"), 0x0110: (.device, "Model"), 0x0131: (.device, "Software"),
    0x013C: (.device, "HostComputer"), 0xA420: (.device, "ImageUniqueID"),
    0xA431: (.device, "BodySerialNumber"), 0xA433: (.device, "LensMake"), 0xA434: (.device, "LensModel"),
    0xA435: (.device, "LensSerialNumber"), 0xA439: (.device, "CameraFirmware"),
    0xA43A: (.device, "RAWDevelopingSoftware"), 0xA43B: (.device, "ImageEditingSoftware"),
    0xA43C: (.device, "MetadataEditingSoftware"), 0x000B: (.device, "ProcessingSoftware"),
    0xC614: (.device, "UniqueCameraModel"), 0xC62F: (.device, "CameraSerialNumber"),
    0xC7A1: (.device, "CameraLabel"),
    0x0132: (.date, "DateTime"), 0x9003: (.date, "DateTimeOriginal"), 0x9004: (.date, "DateTimeDigitized"),
    0x9010: (.date, "OffsetTime"), 0x9011: (.date, "OffsetTimeOriginal"),
    0x9012: (.date, "OffsetTimeDigitized"), 0x9290: (.date, "SubSecTime"),
    0x9291: (.date, "SubSecTimeOriginal"), 0x9292: (.date, "SubSecTimeDigitized"),
    0xC71B: (.date, "PreviewDateTime"),
  ]
  private static let exif: UInt16 = 0x8769
  private static let gps: UInt16 = 0x8825
  private static let makerNote: UInt16 = 0x927C
  private static let xmp: UInt16 = 0x02BC
  /// Records of IPTC: bare, and in the resources of Photoshop.
  private static let iptc: Set<UInt16> = [0x83BB, 0x8649]
  /// The offsets of further directories, for other sizes of the picture. TIFF Technical Note 1
  private static let children: UInt16 = 0x014A
  private static let thumbnail: (offset: UInt16, length: UInt16) = (0x0201, 0x0202)
  private static let gpsDates: [UInt16: String] = [0x0007: "GPSTimeStamp", 0x001D: "GPSDateStamp"]
  /// How many bytes a value of each type has.
  private static let sizes: [Int] = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
  /// Text in UTF-8. CIPA DC-008-2023, 4.6.2
  private static let utf8 = 129

  /// How many directories are read; files have four.
  private static let maximumDirectories = 16

  private struct TIFF {
    let range: Range<Int>
    let isLittle: Bool
  }

  private struct Entry {
    let place: Int
    let tag: UInt16
    let type: Int
    let count: Int
    /// Where the value is.
    let value: Range<Int>
  }

  /// Erases fields of a TIFF file in a range.
  mutating func eraseTIFF(_ range: Range<Int>) {
    guard range.count >= 8, range.upperBound <= bytes.count else { return }
    let tiff = TIFF(range: range, isLittle: bytes[range.lowerBound] == UInt8(ascii: "I"))
    // Directories may form a cycle.
    var visited: Set<Int> = []
    var next = number(range.lowerBound + 4, 4, tiff)
    while next >= 8, visited.count < Self.maximumDirectories, visited.insert(next).inserted {
      guard let end = eraseDirectory(range.lowerBound + next, tiff, &visited) else { return }
      next = end
    }
  }

  /// Erases a TIFF file whose directory is that of GPS.
  mutating func eraseGPSFile(_ range: Range<Int>) {
    guard range.count >= 8, range.upperBound <= bytes.count else { return }
    let tiff = TIFF(range: range, isLittle: bytes[range.lowerBound] == UInt8(ascii: "I"))
    let start = range.lowerBound + number(range.lowerBound + 4, 4, tiff)
    guard !entries(start, tiff).isEmpty else { return }
    if kinds.contains(.location) {
      eraseGPS(start, tiff)
    } else if kinds.contains(.date) {
      eraseGPSDates(start, tiff)
    }
  }

  private func number(_ position: Int, _ width: Int, _ tiff: TIFF) -> Int {
    guard position >= tiff.range.lowerBound, position <= tiff.range.upperBound - width else { return 0 }
    let part = bytes[position..<(position + width)]
    return tiff.isLittle
      ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
  }

  private func entries(_ start: Int, _ tiff: TIFF) -> [Entry] {
    guard start >= tiff.range.lowerBound, start <= tiff.range.upperBound - 2 else { return [] }
    let count = min(number(start, 2, tiff), (tiff.range.upperBound - start - 2) / 12)
    return (0..<count).map { index in
      let place = start + 2 + index * 12
      let type = number(place + 2, 2, tiff)
      let elements = number(place + 4, 4, tiff)
      let size = (Self.sizes.indices.contains(type) ? Self.sizes[type] : type == Self.utf8 ? 1 : 0) * elements
      var first = place + 8
      if size > 4 { first = tiff.range.lowerBound + number(place + 8, 4, tiff) }
      let value = first..<(first + size)
      return Entry(
        place: place, tag: UInt16(truncatingIfNeeded: number(place, 2, tiff)), type: type, count: elements,
        value: value.clamped(to: tiff.range))
    }
  }

  /// Erases fields of a directory, and returns the offset of the next one; `nil` if it cannot be read.
  private mutating func eraseDirectory(_ start: Int, _ tiff: TIFF, _ visited: inout Set<Int>) -> Int? {
    let entries = entries(start, tiff)
    guard !entries.isEmpty else { return nil }
    var removed: [Int] = []
    var picture: (offset: Int?, length: Int?) = (nil, nil)
    for (index, entry) in entries.enumerated() {
      guard mayPass(entry.value.count) else { return nil }
      switch entry.tag {
      case Self.exif:
        visit(number(entry.place + 8, 4, tiff), tiff, &visited)
      case Self.children:
        let first = entry.count == 1 ? entry.place + 8 : entry.value.lowerBound
        for index in 0..<min(entry.count, Self.maximumDirectories) {
          visit(number(first + index * 4, 4, tiff), tiff, &visited)
        }
      case Self.gps:
        let directory = tiff.range.lowerBound + number(entry.place + 8, 4, tiff)
        guard kinds.contains(.location) else {
          if kinds.contains(.date) { eraseGPSDates(directory, tiff) }
          continue
        }
        eraseGPS(directory, tiff)
        removed.append(index)
      case Self.makerNote:
        // Apple's notes have no place, and pictures of high dynamic range need them.
        let isApple = has("Apple iOS", at: entry.value.lowerBound)
        let told = PersonalDataKind.allCases.first { kind in
          kinds.contains(kind) && (kind == .device || !isApple)
        }
        guard let told else { continue }
        add(ErasedField(kind: told, name: "Exif MakerNote"))
        fill(entry.value)
        removed.append(index)
      case Self.xmp: eraseXML(entry.value)
      case _ where Self.iptc.contains(entry.tag): eraseIPTC(entry.value)
      case Self.thumbnail.offset: picture.offset = number(entry.place + 8, 4, tiff)
      case Self.thumbnail.length: picture.length = number(entry.place + 8, 4, tiff)
      default:
        guard let field = Self.fields[entry.tag], kinds.contains(field.kind) else { continue }
        add(ErasedField(kind: field.kind, name: "Exif \(field.name)", value: text(entry)))
        fill(entry.value)
        removed.append(index)
      }
    }
    if let offset = picture.offset, let length = picture.length, length > 4 {
      let place = (tiff.range.lowerBound + offset)..<(tiff.range.lowerBound + offset + length)
      if place.upperBound <= tiff.range.upperBound { eraseJPEG(place) }
    }
    let next = number(start + 2 + entries.count * 12, 4, tiff)
    if !removed.isEmpty { remove(removed, of: entries.count, at: start, tiff) }
    return next
  }

  /// Erases fields of a directory to which another one refers, unless that was done before.
  private mutating func visit(_ offset: Int, _ tiff: TIFF, _ visited: inout Set<Int>) {
    guard visited.count < Self.maximumDirectories, visited.insert(offset).inserted else { return }
    _ = eraseDirectory(tiff.range.lowerBound + offset, tiff, &visited)
  }

  /// Removes entries from a directory: the others, and the offset of the next directory, move up.
  private mutating func remove(_ places: [Int], of count: Int, at start: Int, _ tiff: TIFF) {
    let end = min(start + 2 + count * 12 + 4, tiff.range.upperBound)
    let removed = Set(places)
    var kept: [UInt8] = []
    for index in 0..<count where !removed.contains(index) {
      kept += bytes[(start + 2 + index * 12)..<(start + 14 + index * 12)]
    }
    kept += bytes[(start + 2 + count * 12)..<end]
    let left = UInt16(count - places.count)
    let (low, high) = (UInt8(truncatingIfNeeded: left), UInt8(truncatingIfNeeded: left >> 8))
    let all = (tiff.isLittle ? [low, high] : [high, low]) + kept
    fill(start..<end)
    bytes.replaceSubrange(start..<(start + all.count), with: all)
  }

  private func text(_ entry: Entry) -> String? {
    guard entry.type == 2 || entry.type == Self.utf8, entry.value.count <= 1_024 else { return nil }
    return String(decoding: bytes[entry.value].prefix { $0 != 0 }, as: UTF8.self)
  }

  // MARK: Places

  /// Erases a directory of GPS with all its values.
  private mutating func eraseGPS(_ start: Int, _ tiff: TIFF) {
    let entries = entries(start, tiff)
    func angle(_ tag: UInt16, _ reference: UInt16, _ negative: UInt8) -> Double? {
      guard let entry = entries.first(where: { $0.tag == tag }), entry.type == 5, entry.value.count == 24
      else { return nil }
      let parts = (0..<3).compactMap { rational(entry.value.lowerBound + $0 * 8, tiff) }
      guard parts.count == 3 else { return nil }
      let degrees = GeographicLocation.angle(parts[0], parts[1], parts[2])
      let sign = entries.first { $0.tag == reference }.map { bytes[$0.place + 8] }
      return sign == negative ? -degrees : degrees
    }
    var location: GeographicLocation?
    if let latitude = angle(2, 1, UInt8(ascii: "S")), let longitude = angle(4, 3, UInt8(ascii: "W")) {
      let altitude = entries.first { $0.tag == 6 && $0.type == 5 && $0.value.count == 8 }
        .flatMap { rational($0.value.lowerBound, tiff) }
      let isBelow = entries.first { $0.tag == 5 }.map { bytes[$0.place + 8] } == 1
      location = GeographicLocation(
        latitude: latitude, longitude: longitude, altitude: altitude.map { isBelow ? -$0 : $0 })
    }
    add(ErasedField(kind: .location, name: "Exif GPS", location: location))
    for entry in entries { fill(entry.value) }
    fill(start..<min(start + 2 + entries.count * 12 + 4, tiff.range.upperBound))
  }

  /// Erases the date and the time of a directory of GPS.
  private mutating func eraseGPSDates(_ start: Int, _ tiff: TIFF) {
    let entries = entries(start, tiff)
    let dates = entries.indices.filter { Self.gpsDates[entries[$0].tag] != nil }
    guard !dates.isEmpty else { return }
    for index in dates {
      add(
        ErasedField(
          kind: .date, name: "Exif \(Self.gpsDates[entries[index].tag] ?? "")", value: text(entries[index])))
      fill(entries[index].value)
    }
    remove(dates, of: entries.count, at: start, tiff)
  }

  private func rational(_ position: Int, _ tiff: TIFF) -> Double? {
    let denominator = number(position + 4, 4, tiff)
    return denominator == 0 ? nil : Double(number(position, 4, tiff)) / Double(denominator)
  }
}
