// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// A movie that tells where it was made in every known form, and the bytes to search for: written by hand, without
/// the library.
public enum PlacedMovie {
  /// The place: 37.3349° north, 122.009° west, 20 m, which is 37° 20′ 5.64″ and 122° 0′ 32.4″.
  public static let text = "+37.3349-122.0090+020.000/"
  /// The name of the place.
  public static let name = "Cupertino"

  /// What must not be in a file any more, each with its name.
  public static let needles: [(name: String, bytes: [UInt8])] = {
    var needles: [(name: String, bytes: [UInt8])] = []
    for word in ["37.3349", "122.0090", "37,20.094", "122,0.54", name, "NMEA secret"] {
      needles.append(("\(word) in UTF-8", Array(word.utf8)))
      needles.append(("\(word) in UTF-16, big-endian", utf16(word)))
      needles.append(("\(word) in UTF-16, little-endian", utf16(word, isLittle: true)))
    }
    needles.append(("latitude of loci", fixed(37.3349)))
    needles.append(("longitude of loci", fixed(-122.009)))
    for little in [false, true] {
      needles.append(("seconds of Exif", number(564, 4, little) + number(100, 4, little)))
      needles.append(("seconds of Exif", number(3_240, 4, little) + number(100, 4, little)))
    }
    return needles
  }()

  /// Returns the names of the needles that are in some bytes.
  public static func found(in bytes: [UInt8]) -> [String] {
    needles.filter { contains(bytes, $0.bytes) }.map(\.name)
  }

  /// Returns whether bytes are among others.
  public static func contains(_ bytes: [UInt8], _ wanted: [UInt8]) -> Bool {
    guard let first = wanted.first, bytes.count >= wanted.count else { return false }
    var rest = bytes[...]
    while let place = rest.firstIndex(of: first) {
      if bytes[place...].starts(with: wanted) { return true }
      rest = bytes[(place + 1)...]
    }
    return false
  }

  // MARK: Parts

  /// Returns a number in some bytes.
  public static func number(_ value: Int, _ width: Int, _ isLittle: Bool = false) -> [UInt8] {
    let bytes = (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isLittle ? bytes.reversed() : bytes
  }

  /// Returns a number as fixed-point with 16 bits of fraction.
  public static func fixed(_ value: Double) -> [UInt8] { number(Int((value * 65_536).rounded()), 4) }

  /// Returns text in UTF-16.
  public static func utf16(_ text: String, isLittle: Bool = false) -> [UInt8] {
    text.utf16.flatMap { number(Int($0), 2, isLittle) }
  }

  /// Returns a box.
  public static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
    number(body.count + 8, 4) + type.unicodeScalars.map { UInt8($0.value) } + body
  }

  private static func userText(_ bytes: [UInt8], language: Int) -> [UInt8] {
    number(bytes.count, 2) + number(language, 2) + bytes
  }

  /// `©xyz` in three encodings: packed language, UTF-16 with a byte order mark, Macintosh language.
  public static var userData: [UInt8] {
    box(
      "©xyz",
      userText(Array(text.utf8), language: 0x15C7)
        + userText([0xFE, 0xFF] + utf16(text), language: 0x55C4)
        + userText([0xFF, 0xFE] + utf16(text, isLittle: true), language: 0x55C4)
        + userText(Array(text.utf8), language: 0))
  }

  /// `loci` with the name of the place.
  public static var locationInformation: [UInt8] {
    box(
      "loci",
      number(0, 4) + number(0x15C7, 2) + Array(name.utf8) + [0, 0] + fixed(-122.009) + fixed(37.3349)
        + fixed(20) + Array("earth".utf8) + [0, 0])
  }

  private static func handler(_ type: String) -> [UInt8] {
    box("hdlr", number(0, 8) + Array(type.utf8) + number(0, 13))
  }

  private static func data(_ type: Int, _ value: [UInt8]) -> [UInt8] {
    box("data", number(type, 4) + number(0, 4) + value)
  }

  /// A `meta` of QuickTime with a title, a place, its name and its accuracy.
  public static func keys(isFullBox: Bool = false) -> [UInt8] {
    let values: [(String, String)] = [
      ("com.apple.quicktime.location.ISO6709", text), ("com.apple.quicktime.title", "kept title"),
      ("com.apple.quicktime.location.name", name), ("com.apple.quicktime.make", "kept maker"),
      ("com.apple.quicktime.location.accuracy.horizontal", "4.5"),
    ]
    let keys = values.flatMap { number($0.0.utf8.count + 8, 4) + Array("mdta".utf8) + Array($0.0.utf8) }
    let items = values.enumerated().flatMap { index, value in
      number(data(1, Array(value.1.utf8)).count + 8, 4) + number(index + 1, 4) + data(1, Array(value.1.utf8))
    }
    return box(
      "meta",
      (isFullBox ? number(0, 4) : []) + handler("mdta")
        + box("keys", number(0, 4) + number(values.count, 4) + keys)
        + box("ilst", items))
  }

  /// The list of iTunes with a place, a long name and a cover.
  public static var list: [UInt8] {
    let long = box(
      "----",
      box("mean", number(0, 4) + Array("com.apple.iTunes".utf8))
        + box("name", number(0, 4) + Array("LOCATION".utf8))
        + data(1, Array(name.utf8)))
    return box(
      "meta",
      number(0, 4) + handler("mdir")
        + box(
          "ilst",
          box("©nam", data(1, Array("kept name".utf8))) + box("©xyz", data(1, Array(text.utf8))) + long
            + box("covr", data(13, picture))))
  }

  /// The fields of Exif with a maker, and with GPS.
  public static func exif(isLittle: Bool) -> [UInt8] {
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      number(tag, 2, isLittle) + number(type, 2, isLittle) + number(count, 4, isLittle) + value
        + [UInt8](repeating: 0, count: 4 - value.count)
    }
    func offset(_ value: Int) -> [UInt8] { number(value, 4, isLittle) }
    func angle(_ parts: [(Int, Int)]) -> [UInt8] { parts.flatMap { offset($0.0) + offset($0.1) } }
    // The first directory at 8 has 3 entries, that of GPS at 64 has 4; the values follow.
    var bytes = Array((isLittle ? "II" : "MM").utf8) + number(42, 2, isLittle) + offset(8)
    bytes += number(3, 2, isLittle)
    bytes += entry(0x010F, 2, 11, offset(120)) + entry(0x0112, 3, 1, number(6, 2, isLittle))
    bytes += entry(0x8825, 4, 1, offset(64)) + offset(0)
    bytes += [UInt8](repeating: 0, count: 64 - bytes.count)
    bytes += number(4, 2, isLittle) + entry(1, 2, 2, Array("N".utf8)) + entry(2, 5, 3, offset(136))
    bytes += entry(3, 2, 2, Array("W".utf8)) + entry(4, 5, 3, offset(160)) + offset(0)
    bytes += [UInt8](repeating: 0, count: 120 - bytes.count)
    bytes += Array("kept maker".utf8) + number(0, 6)
    bytes += angle([(37, 1), (20, 1), (564, 100)]) + angle([(122, 1), (0, 1), (3_240, 100)])
    return bytes
  }

  /// A packet of XMP with a place as attributes and as elements.
  public static var xmp: String {
    "<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?><x:xmpmeta xmlns:x=\"adobe:ns:meta/\">"
      + "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><rdf:Description rdf:about=\"\" "
      + "xmlns:exif=\"http://ns.adobe.com/exif/1.0/\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" "
      + "xmlns:photoshop=\"http://ns.adobe.com/photoshop/1.0/\" exif:GPSLatitude=\"37,20.094N\" "
      + "photoshop:City='\(name)'><exif:GPSLongitude>122,0.54W</exif:GPSLongitude><dc:title><rdf:Alt>"
      + "<rdf:li xml:lang=\"x-default\">kept title</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF>"
      + "</x:xmpmeta><?xpacket end=\"w\"?>"
  }

  /// The beginning of a JPEG picture with Exif and XMP.
  public static var picture: [UInt8] {
    func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
      [0xFF, marker] + number(body.count + 2, 2) + body
    }
    return [0xFF, 0xD8] + segment(0xE1, Array("Exif\0\0".utf8) + exif(isLittle: true))
      + segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(xmp.utf8)) + [0xFF, 0xD9]
  }

  /// A `uuid` box.
  public static func userType(_ hex: String, _ body: [UInt8]) -> [UInt8] {
    box("uuid", ByteView(hex: hex).array + body)
  }

  /// Returns a movie whose movie box is the last box, and was changed; what followed it stays where it was.
  public static func moved(_ original: [UInt8], _ change: (inout PlainBox) -> Void) -> [PlainBox] {
    var boxes = PlainBox.boxes(original[...])
    guard let place = boxes.firstIndex(where: { $0.type == "moov" }) else { return boxes }
    var moov = boxes[place]
    boxes[place] = PlainBox("free", [UInt8](repeating: 0, count: moov.bytes.count - 8))
    change(&moov)
    return boxes + [moov]
  }

  /// Returns a movie with all these forms, made from another one.
  public static func movie(from original: [UInt8]) -> [UInt8] {
    var boxes = moved(original) { moov in
      moov.children.removeAll { $0.type == "udta" || $0.type == "meta" }
    }
    let moov = boxes.removeLast(), plain = moov.bytes
    func insert(_ bytes: [UInt8], into moov: [UInt8]) -> [UInt8] {
      number(moov.count + bytes.count, 4) + moov[4...] + bytes
    }
    let data =
      userData + locationInformation + list + box("XMP_", Array(xmp.utf8))
      + box("GPMF", Array("NMEA secret".utf8)) + box("free", Array(text.utf8))
      + box("©mak", userText(Array("kept maker".utf8), language: 0x15C7))
    var edited = moov
    if let track = edited.children.firstIndex(where: { $0.type == "trak" }) {
      edited.children[track].trailing = box("udta", userData) + keys()
    }
    let full = insert(keys() + box("udta", data), into: edited.bytes)
    var former = insert(keys(), into: plain)
    former.replaceSubrange(4..<8, with: Array("free".utf8))
    return boxes.flatMap(\.bytes) + former + userType("be7acfcb97a942e89c71999491e3afac", Array(xmp.utf8))
      + userType("be7acfcb97a942e89c71999491e3afac", [0xFE, 0xFF] + utf16(xmp))
      + userType("4a706754696666457869662d3e4a5032", exif(isLittle: false)) + box("skip", Array(text.utf8))
      + full
  }

  /// A photo with Exif and XMP as items, and with the movie of a motion photo.
  public static func photo(motion: [UInt8]) -> [UInt8] {
    let exifItem = number(6, 4) + Array("Exif\0\0".utf8) + exif(isLittle: false)
    let xmpItem = Array(xmp.utf8)
    func entry(_ id: Int, _ type: String, _ rest: [UInt8]) -> [UInt8] {
      box("infe", number(2 << 24, 4) + number(id, 2) + number(0, 2) + Array(type.utf8) + rest)
    }
    func meta(_ start: Int) -> [UInt8] {
      let places = [(1, 0, 4), (2, 4, exifItem.count), (3, 4 + exifItem.count, xmpItem.count)]
      let items = places.flatMap {
        number($0.0, 2) + number(0, 2) + number(1, 2) + number(start + $0.1, 4) + number($0.2, 4)
      }
      return box(
        "meta",
        number(0, 4) + handler("pict") + box("pitm", number(0, 4) + number(1, 2))
          + box(
            "iinf",
            number(0, 4) + number(3, 2) + entry(1, "hvc1", [0]) + entry(2, "Exif", [0])
              + entry(3, "mime", [0] + Array("application/rdf+xml\0".utf8)))
          + box("iloc", number(0, 4) + [0x44, 0x00] + number(3, 2) + items)
          + box("iprp", box("ipco", [])))
    }
    let head = box("ftyp", Array("heic".utf8) + number(0, 4) + Array("mif1heic".utf8))
    let start = head.count + meta(0).count + 8
    return head + meta(start) + box("mdat", number(0x1234_5678, 4) + exifItem + xmpItem) + box("mpvd", motion)
  }
}
