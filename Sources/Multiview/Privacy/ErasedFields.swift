// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A field that was erased from a document inside a box: Exif, XMP, a picture.
struct ErasedField {
  let kind: PersonalDataKind
  let name: String
  var value: String?
  var location: GeographicLocation?
}

/// Bytes in which fields are erased without changing their number, so that nothing around them moves.
struct ErasableBytes {
  var bytes: [UInt8]
  let kinds: Set<PersonalDataKind>
  private(set) var erased: [ErasedField] = []
  /// How many bytes may still be passed: fields of Exif may share their values, and thumbnails may nest.
  private var left: Int

  init(_ bytes: [UInt8], _ kinds: Set<PersonalDataKind>) {
    (self.bytes, self.kinds) = (bytes, kinds)
    left = 65_536 + bytes.count * 16
  }

  /// Pays for passing so many bytes; `false` if that is more than any camera's file takes.
  mutating func mayPass(_ count: Int) -> Bool {
    left = max(-1, left - count - 12)
    return left >= 0
  }

  mutating func add(_ field: ErasedField) { erased.append(field) }

  /// Sets a range to one value.
  mutating func fill(_ range: Range<Int>, with byte: UInt8 = 0) {
    for index in range.clamped(to: bytes.indices) { bytes[index] = byte }
  }

  /// Sets a range to zeros and spaces: what is left is text of the same length.
  mutating func blank(_ range: Range<Int>) { fill(range, with: 0x20) }

  /// Returns whether bytes are at a position.
  func has(_ text: String, at position: Int) -> Bool {
    let wanted = text.utf8
    guard position >= 0, wanted.count <= bytes.count, position <= bytes.count - wanted.count else {
      return false
    }
    return bytes[position..<(position + wanted.count)].elementsEqual(wanted)
  }

  /// Erases what a document of this form tells.
  mutating func erase(_ content: PersonalDataForm.Content) {
    switch content {
    case .exif: eraseExif()
    case .xml: eraseXML(bytes.indices)
    case .picture: erasePicture(bytes.indices)
    case .canon: eraseBoxesOfCanon()
    case .opaque: eraseAll(bytes.indices)
    default: break
    }
    // What was not reached may tell anything.
    if left < 0 { eraseAll(bytes.indices, "unreadable fields") }
  }

  /// An Exif item has an offset before its TIFF header, and some boxes a mark. ISO/IEC 23008-12, A.2.1
  private mutating func eraseExif() {
    func isHeader(_ position: Int) -> Bool {
      has("II*\u{0}", at: position) || has("MM\u{0}*", at: position)
    }
    let offset = bytes.count < 12 ? 0 : 4 + bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
    let start =
      isHeader(offset) ? offset : (0..<min(64, max(0, bytes.count - 7))).first(where: isHeader)
    if let start { eraseTIFF(start..<bytes.count) }
  }

  // MARK: Pictures

  private mutating func erasePicture(_ range: Range<Int>) {
    // Thumbnails of user data have a few bytes in front.
    let starts = range.prefix(32)
    guard
      let start = starts.first(where: {
        $0 + 3 <= range.upperBound && bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD8 && bytes[$0 + 2] == 0xFF
      })
    else {
      if let png = starts.first(where: { has("PNG\r\n\u{1A}\n", at: $0) }) { erasePNG(png + 7) }
      return
    }
    eraseJPEG(start..<range.upperBound)
  }

  /// Erases what the boxes of Canon tell: the version of the program, thumbnails, and the directories of Exif, each of which
  /// is a file of TIFF.
  private mutating func eraseBoxesOfCanon() {
    var position = 0
    while position + 8 <= bytes.count {
      let size = bytes[position..<(position + 4)].reduce(0) { $0 << 8 | Int($1) }
      guard size >= 8, size <= bytes.count - position else { return }
      let body = (position + 8)..<(position + size)
      switch String(decoding: bytes[(position + 4)..<(position + 8)], as: UTF8.self) {
      case "CNCV" where kinds.contains(.device) && !isBlank(body):
        add(
          ErasedField(
            kind: .device, name: "Canon CNCV", value: String(decoding: bytes[body].prefix(256), as: UTF8.self)
          ))
        blank(body)
      case "CMT1", "CMT2": eraseTIFF(body)
      case "CMT3":
        // Notes of the maker.
        guard let told = PersonalDataKind.allCases.first(where: kinds.contains), !isBlank(body) else { break }
        add(ErasedField(kind: told, name: "Canon CMT3"))
        fill(body)
      case "CMT4": eraseGPSFile(body)
      case "THMB", "PRVW": erasePicture(body)
      default: break
      }
      position += size
    }
  }

  /// Erases fields of the segments of a JPEG picture before its scan. ITU-T T.81, B.2
  mutating func eraseJPEG(_ range: Range<Int>) {
    guard mayPass(range.count) else { return }
    var parts: [PartOfXMP] = []
    eraseSegments(range, &parts)
    eraseParts(parts)
  }

  /// A part of a document of XMP that is too large for one segment. XMP Specification Part 3, 1.1.3.1
  private struct PartOfXMP {
    /// The digest of the whole document, which names it.
    let id: [UInt8]
    /// Where the part begins in the document.
    let offset: Int
    let range: Range<Int>

    static let mark = "http://ns.adobe.com/xmp/extension/\u{0}"
    /// The digest, the size of the document, and the offset.
    static let headerSize = mark.utf8.count + 32 + 4 + 4
  }

  /// Erases fields of documents in parts: an element may begin in one and end in another.
  private mutating func eraseParts(_ parts: [PartOfXMP]) {
    for document in Dictionary(grouping: parts, by: \.id).values {
      let parts = document.sorted { ($0.offset, $0.range.lowerBound) < ($1.offset, $1.range.lowerBound) }
      var whole = ErasableBytes(parts.flatMap { bytes[$0.range] }, kinds)
      // The beginning is missing if it is not a tag.
      if whole.bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") {
        whole.eraseXML(whole.bytes.indices)
      } else {
        whole.eraseAll(whole.bytes.indices)
      }
      guard !whole.erased.isEmpty else { continue }
      for field in whole.erased { add(field) }
      var start = 0
      for part in parts {
        bytes.replaceSubrange(part.range, with: whole.bytes[start..<(start + part.range.count)])
        start += part.range.count
      }
    }
  }

  private mutating func eraseSegments(_ range: Range<Int>, _ parts: inout [PartOfXMP]) {
    var position = range.lowerBound + 2
    while position + 4 <= range.upperBound, bytes[position] == 0xFF {
      let marker = bytes[position + 1]
      if marker == 0xFF {
        position += 1
        continue
      }
      if marker == 0xDA || marker == 0xD9 {
        // Other pictures may follow, as in CIPA DC-007.
        guard let next = nextJPEG(position + 2..<range.upperBound) else { return }
        position = next + 2
        continue
      }
      let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
      let end = position + 2 + length
      guard length >= 2, end <= range.upperBound else { return }
      let body = position + 4
      if marker == 0xE1 {
        if has("Exif\u{0}\u{0}", at: body), body + 14 <= end {
          eraseTIFF((body + 6)..<end)
        } else if has(PartOfXMP.mark, at: body), body + PartOfXMP.headerSize <= end {
          let part = (body + PartOfXMP.headerSize)..<end
          let offset = bytes[(part.lowerBound - 4)..<part.lowerBound].reduce(0) { $0 << 8 | Int($1) }
          let id = Array(bytes[(body + PartOfXMP.mark.utf8.count)..<(part.lowerBound - 8)])
          parts.append(PartOfXMP(id: id, offset: offset, range: part))
        } else if let text = bytes[body..<end].firstIndex(of: UInt8(ascii: "<")) {
          eraseXML(text..<end)
        }
      } else if marker == 0xED {
        eraseIPTC(body..<end)
      }
      position = end
    }
  }

  /// Where the next picture begins that has segments of applications.
  private func nextJPEG(_ range: Range<Int>) -> Int? {
    var position = range.lowerBound
    while let mark = bytes[position..<range.upperBound].firstIndex(of: 0xFF), mark + 4 <= range.upperBound {
      if bytes[mark + 1] == 0xD8, bytes[mark + 2] == 0xFF, 0xE0...0xEF ~= bytes[mark + 3] { return mark }
      position = mark + 1
    }
    return nil
  }

  /// Erases the records of IPTC in the resources of Photoshop. IIM 4.2
  mutating func eraseIPTC(_ range: Range<Int>) {
    let fields: [UInt8: PersonalDataKind] = [
      26: .location, 27: .location, 90: .location, 92: .location, 95: .location, 100: .location,
      101: .location, 80: .name, 85: .name, 110: .name, 116: .name, 118: .name, 122: .name, 55: .date,
      60: .date, 62: .date, 63: .date,
    ]
    var position = range.lowerBound
    while position + 5 <= range.upperBound {
      guard bytes[position] == 0x1C, bytes[position + 1] == 2 else {
        position += 1
        continue
      }
      let length = Int(bytes[position + 3]) << 8 | Int(bytes[position + 4])
      let value = (position + 5)..<(position + 5 + length)
      guard length < 0x8000, value.upperBound <= range.upperBound else { return }
      if let kind = fields[bytes[position + 2]], kinds.contains(kind), !isBlank(value) {
        add(
          ErasedField(
            kind: kind, name: "IPTC 2:\(bytes[position + 2])",
            value: String(decoding: bytes[value], as: UTF8.self)))
        blank(value)
      }
      position = value.upperBound
    }
  }

  private func isBlank(_ range: Range<Int>) -> Bool { bytes[range].allSatisfy { $0 == 0x20 || $0 == 0 } }

  /// Erases the fields of the chunks of a PNG picture, and gives them their new checksums.
  private mutating func erasePNG(_ start: Int) {
    var position = start
    while position + 12 <= bytes.count {
      let length = bytes[position..<(position + 4)].reduce(0) { $0 << 8 | Int($1) }
      let body = (position + 8)..<(position + 8 + length)
      guard body.upperBound + 4 <= bytes.count else { return }
      let before = erased.count
      if has("eXIf", at: position + 4), length >= 8 {
        eraseTIFF(body)
      } else if ["tEXt", "zTXt", "iTXt"].contains(where: { has($0, at: position + 4) }) {
        eraseText(body)
      }
      if erased.count > before {
        let sum = Self.checksum(bytes[(position + 4)..<body.upperBound])
        for index in 0..<4 {
          bytes[body.upperBound + index] = UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * index))
        }
      }
      position = body.upperBound + 4
    }
  }

  /// Erases the text of a chunk of a PNG picture by its keyword. ISO/IEC 15948, 11.3.4
  private mutating func eraseText(_ chunk: Range<Int>) {
    guard let end = bytes[chunk].firstIndex(of: 0), end + 1 < chunk.upperBound else { return }
    let keyword = String(decoding: bytes[chunk.lowerBound..<end], as: UTF8.self)
    let isInternational = has("iTXt", at: chunk.lowerBound - 4)
    let isCompressed = has("zTXt", at: chunk.lowerBound - 4) || isInternational && bytes[end + 1] == 1
    let text = end + 1..<chunk.upperBound
    if keyword == "XML:com.adobe.xmp", !isCompressed {
      if let start = bytes[text].firstIndex(of: UInt8(ascii: "<")) { eraseXML(start..<text.upperBound) }
      return
    }
    let told: PersonalDataKind? =
      switch keyword {
      case "Author", "Artist", "Copyright": .name
      case "Software", "Source", "Make", "Model": .device
      case "Creation Time", "date:create", "date:modify", "date:timestamp": .date
      // These are not decompressed: they may tell anything.
      case "XML:com.adobe.xmp", "Raw profile type exif", "Raw profile type APP1", "Raw profile type xmp",
        "Raw profile type iptc", "Raw profile type 8bim":
        PersonalDataKind.allCases.first(where: kinds.contains)
      case _ where keyword.hasPrefix("exif:"): kind(of: bytes[chunk.lowerBound..<end])
      default: nil
      }
    guard let told, kinds.contains(told), !isBlank(text) else { return }
    add(ErasedField(kind: told, name: "PNG \(keyword)"))
    // A text that was compressed cannot be decompressed then, and readers skip it.
    if isCompressed || isInternational { fill(text) } else { blank(text) }
  }

  /// The checksum of a chunk. ISO/IEC 15948, Annex D
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
    }
    return ~sum
  }
}
