// swift-multiview · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Multiview

/// What is erased from documents and pictures inside a movie, and what stays.
@Suite struct ErasedFieldsTests {
  private typealias Entry = (tag: Int, type: Int, value: [UInt8])

  /// A TIFF file of little-endian order whose values follow its directories: the first one, and that of GPS.
  private func tiff(_ entries: [Entry], gps: [Entry] = []) -> [UInt8] {
    func number(_ value: Int, _ width: Int) -> [UInt8] { PlacedMovie.number(value, width, true) }
    func directory(_ entries: [Entry], at start: Int) -> [UInt8] {
      var fields = number(entries.count, 2), values: [UInt8] = []
      for entry in entries {
        let place = start + 2 + entries.count * 12 + 4 + values.count
        fields += number(entry.tag, 2) + number(entry.type, 2)
        // A pointer to another directory is the value itself.
        if entry.type == 4 {
          fields += number(1, 4) + entry.value
        } else {
          fields += number(entry.value.count / (entry.type == 5 ? 8 : 1), 4) + number(place, 4)
          values += entry.value
        }
      }
      return fields + number(0, 4) + values
    }
    var all = entries
    if !gps.isEmpty {
      let end = directory(entries + [(0x8825, 4, number(0, 4))], at: 8).count
      all.append((0x8825, 4, number(8 + end, 4)))
    }
    let first = directory(all, at: 8)
    return Array("II*\0".utf8) + number(8, 4) + first
      + (gps.isEmpty ? [] : directory(gps, at: 8 + first.count))
  }

  private func erased(
    _ bytes: [UInt8], _ kinds: Set<PersonalDataKind>, _ content: PersonalDataForm.Content
  ) -> (bytes: [UInt8], names: [String]) {
    var document = ErasableBytes(bytes, kinds)
    document.erase(content)
    #expect(document.bytes.count == bytes.count)
    return (document.bytes, document.erased.map(\.name))
  }

  private func holds(_ bytes: [UInt8], _ text: String) -> Bool {
    PlacedMovie.contains(bytes, Array(text.utf8))
  }

  /// Text in UTF-8 has a type of its own since Exif 3.0.
  @Test func textInUTF8IsErased() {
    let file = tiff([(0x013B, 129, Array("Jane Doe\0".utf8)), (0x010E, 129, Array("a title\0".utf8))])
    let found = erased(file, [.name], .exif)
    #expect(found.names == ["Exif Artist"] && !holds(found.bytes, "Jane") && holds(found.bytes, "a title"))
  }

  /// Thousands of fields that share the bytes of a file would each take as long as the file: then all of it is erased.
  @Test func fieldsThatShareTheirBytesEndTheReading() {
    let count = 2_000, text = [UInt8](repeating: UInt8(ascii: "x"), count: 20_000)
    var file = Array("II*\0".utf8) + PlacedMovie.number(8, 4, true) + PlacedMovie.number(count, 2, true)
    for _ in 0..<count {
      file += PlacedMovie.number(0x02BC, 2, true) + PlacedMovie.number(2, 2, true)
      file += PlacedMovie.number(text.count, 4, true) + PlacedMovie.number(14 + count * 12, 4, true)
    }
    file += PlacedMovie.number(0, 4, true) + text
    let found = erased(file, [.location, .name], .exif)
    #expect(
      found.bytes.allSatisfy { $0 == 0x20 } && found.names == ["unreadable fields", "unreadable fields"])
    // A file with as many fields of its own is read.
    let many = tiff(
      (0..<200).map { _ in (0x013B, 2, Array("Jane Doe\0".utf8)) } + [(0x010E, 2, Array("kept!\0".utf8))])
    #expect(erased(many, [.name], .exif).names.count == 200)
    #expect(holds(erased(many, [.name], .exif).bytes, "kept!"))
  }

  @Test func datesOfPositionsAreDates() {
    let file = tiff(
      [(0x010F, 2, Array("Maker\0".utf8))],
      gps: [(0x001D, 2, Array("2021:07:19\0".utf8)), (0x0012, 2, Array("WGS-84\0".utf8))])
    let found = erased(file, [.date], .exif)
    #expect(found.names == ["Exif GPSDateStamp"] && !holds(found.bytes, "2021"))
    #expect(holds(found.bytes, "WGS-84") && holds(found.bytes, "Maker"))
  }

  /// The header is where the item says, however far away.
  @Test func aLateHeaderIsFound() {
    let file = tiff([(0x013B, 2, Array("Jane Doe\0".utf8))])
    let item = [0, 0, 0, 100] + [UInt8](repeating: 7, count: 100) + file
    #expect(erased(item, [.name], .exif).names == ["Exif Artist"])
  }

  /// IPTC is also in two fields of Exif: its records alone, and in the resources of Photoshop.
  @Test(arguments: [0x83BB, 0x8649]) func recordsOfIPTCInExif(_ tag: Int) {
    func record(_ number: UInt8, _ text: String) -> [UInt8] {
      [0x1C, 2, number] + PlacedMovie.number(text.utf8.count, 2) + Array(text.utf8)
    }
    // 2:80 is the by-line, 2:90 the city, 2:05 the title. IIM 4.2
    let records = record(80, "Jane Doe") + record(90, "Zurich") + record(5, "a title")
    let resource = Array("8BIM".utf8) + [4, 4, 0, 0] + PlacedMovie.number(records.count, 4) + records
    let file = tiff([(tag, 7, tag == 0x8649 ? resource : records)])
    let found = erased(file, [.name, .location], .exif)
    #expect(found.names == ["IPTC 2:80", "IPTC 2:90"])
    #expect(!holds(found.bytes, "Jane") && !holds(found.bytes, "Zurich") && holds(found.bytes, "a title"))
    #expect(holds(erased(file, [.date], .exif).bytes, "Jane"))
  }

  /// Directories of other sizes of the picture: one in the entry itself, two at the place that the entry gives.
  @Test(arguments: [1, 2]) func furtherDirectories(_ count: Int) {
    func number(_ value: Int, _ width: Int) -> [UInt8] { PlacedMovie.number(value, width, true) }
    var file = Array("II*\0".utf8) + number(8, 4) + number(1, 2) + number(0x014A, 2) + number(4, 2)
    file += number(count, 4) + number(count == 1 ? 100 : 40, 4) + number(0, 4)
    file += [UInt8](repeating: 0, count: 40 - file.count) + number(100, 4) + number(200, 4)
    for (start, name) in [(100, "Jane Doe"), (200, "John Roe")].prefix(count) {
      file += [UInt8](repeating: 0, count: start - file.count)
      file += number(2, 2) + number(0x013B, 2) + number(2, 2) + number(9, 4) + number(start + 50, 4)
      // CameraLabel of DNG
      file += number(0xC7A1, 2) + number(2, 2) + number(9, 4) + number(start + 60, 4) + number(0, 4)
      file += [UInt8](repeating: 0, count: start + 50 - file.count) + Array("\(name)\0\0".utf8)
      file += Array("a camera\0".utf8)
    }
    let found = erased(file, [.name, .device], .exif)
    #expect(found.names == (0..<count).flatMap { _ in ["Exif Artist", "Exif CameraLabel"] })
    for gone in ["Jane", "John", "a camera"] { #expect(!holds(found.bytes, gone), "\(gone)") }
  }

  /// A comment may repeat what a field tells. It stays if nothing is erased.
  @Test func commentsGoWithTheFields() {
    let text =
      "<a><!-- taken in Zurich --><photoshop:City>Zurich</photoshop:City><dc:title>kept</dc:title></a>"
    let found = erased(Array(text.utf8), [.location], .xml)
    #expect(
      found.names == ["XMP photoshop:City"] && !holds(found.bytes, "Zurich") && holds(found.bytes, "kept"))
    #expect(holds(erased(Array(text.utf8), [.device], .xml).bytes, "taken in Zurich"))
    // What follows a comment without an end may be anything.
    let open = erased(Array("<a/><!-- <photoshop:City>Zurich</photoshop:City>".utf8), [.location], .xml)
    #expect(open.names == ["XMP"] && !holds(open.bytes, "Zurich"))
  }

  /// XMP that is too large for one segment of a JPEG continues in others, in the middle of an element.
  @Test func documentsInSeveralSegments() {
    let text =
      "<x><dc:title>kept</dc:title><photoshop:City>Zurich, by the lake</photoshop:City><y>also kept</y></x>"
    let cut = 52
    func segment(_ part: Substring, at offset: Int) -> [UInt8] {
      let head = Array("http://ns.adobe.com/xmp/extension/\0".utf8) + [UInt8](repeating: 0x41, count: 32)
      let body =
        head + PlacedMovie.number(text.utf8.count, 4) + PlacedMovie.number(offset, 4) + Array(part.utf8)
      return [0xFF, 0xE1] + PlacedMovie.number(body.count + 2, 2) + body
    }
    let parts = [segment(text.prefix(cut), at: 0), segment(text.dropFirst(cut), at: cut)]
    #expect(text.dropFirst(cut).hasPrefix("by the lake"))
    for order in [parts, Array(parts.reversed())] {
      let segments: [UInt8] = Array(order.joined())
      let picture: [UInt8] = [0xFF, 0xD8] + segments + [0xFF, 0xD9]
      let found = erased(picture, [.location], .picture)
      #expect(found.names == ["XMP photoshop:City"])
      #expect(!holds(found.bytes, "Zurich") && !holds(found.bytes, "lake"))
      #expect(holds(found.bytes, "kept") && holds(found.bytes, "also kept"))
    }
    // Without its beginning it cannot be read.
    let end: [UInt8] = [0xFF, 0xD8] + parts[1] + [0xFF, 0xD9]
    let rest = erased(end, [.location], .picture)
    #expect(rest.names == ["XMP"] && !holds(rest.bytes, "lake"))
  }

  /// The boxes of Canon: a version, the directories of Exif and GPS as files of their own, maker notes, a thumbnail.
  @Test func boxesOfCanon() {
    let exif = tiff([(0x010F, 2, Array("Canon\0".utf8)), (0x013B, 2, Array("Jane Doe\0".utf8))])
    let gps = tiff([(0x001D, 2, Array("2021:07:19\0".utf8)), (0x0012, 2, Array("WGS-84\0".utf8))])
    let picture =
      [0xFF, 0xD8, 0xFF, 0xE1] + PlacedMovie.number(exif.count + 8, 2) + Array("Exif\0\0".utf8) + exif + [
        0xFF, 0xD9,
      ]
    let boxes =
      PlacedMovie.box("CNCV", Array("CanonCRM0001".utf8)) + PlacedMovie.box("CMT1", exif)
      + PlacedMovie.box("CMT3", Array("a serial number".utf8)) + PlacedMovie.box("CMT4", gps)
      + PlacedMovie.box("THMB", PlacedMovie.number(0, 12) + picture)
      + PlacedMovie.box("CTBO", Array("kept".utf8))
    let all = erased(boxes, Set(PersonalDataKind.allCases), .canon)
    #expect(
      all.names == [
        "Canon CNCV", "Exif Make", "Exif Artist", "Canon CMT3", "Exif GPS", "Exif Make", "Exif Artist",
      ])
    for gone in ["Canon", "Jane", "serial", "2021", "WGS"] { #expect(!holds(all.bytes, gone), "\(gone)") }
    #expect(holds(all.bytes, "kept"))
    #expect(erased(all.bytes, Set(PersonalDataKind.allCases), .canon).names == [])
    let names = erased(boxes, [.name], .canon)
    #expect(names.names == ["Exif Artist", "Canon CMT3", "Exif Artist"] && holds(names.bytes, "CanonCRM"))
    #expect(erased(boxes, [.date], .canon).names == ["Canon CMT3", "Exif GPSDateStamp"])
  }

  /// Texts of a PNG picture are what their keywords say.
  @Test func textsOfPictures() {
    func chunk(_ type: String, _ keyword: String, _ text: String, _ more: [UInt8] = []) -> [UInt8] {
      let body = Array(keyword.utf8) + [0] + more + Array(text.utf8)
      return PlacedMovie.number(body.count, 4) + Array(type.utf8) + body + [0, 0, 0, 0]
    }
    let picture =
      Array("\u{89}PNG\r\n\u{1A}\n".unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
      + chunk("iTXt", "Comment", "if a < b then keep it", [0, 0, 0, 0]) + chunk("tEXt", "Author", "Jane Doe")
      + chunk("zTXt", "Raw profile type exif", "compressed", [0]) + chunk("tEXt", "Title", "a title")
      + chunk("tEXt", "Model", "a camera")
    let found = erased(picture, [.name], .picture)
    #expect(found.names == ["PNG Author", "PNG Raw profile type exif"])
    #expect(!holds(found.bytes, "Jane") && !holds(found.bytes, "compressed"))
    #expect(holds(found.bytes, "if a < b then keep it") && holds(found.bytes, "a title"))
    #expect(erased(picture, [.location], .picture).names == ["PNG Raw profile type exif"])
    #expect(!holds(erased(picture, [.device], .picture).bytes, "a camera"))
  }

  /// A second picture in a JPEG file has its own Exif.
  @Test func everyPictureOfAFileIsErased() {
    func picture(_ name: String) -> [UInt8] {
      let exif = Array("Exif\0\0".utf8) + tiff([(0x013B, 2, Array((name + "\0").utf8))])
      return [0xFF, 0xD8, 0xFF, 0xE1] + PlacedMovie.number(exif.count + 2, 2) + exif
        + [0xFF, 0xDA, 0, 4, 0, 0, 1, 2, 3, 0xFF, 0xD9]
    }
    let found = erased(picture("Jane Doe") + picture("John Roe"), [.name], .picture)
    #expect(found.names.count == 2 && !holds(found.bytes, "Jane") && !holds(found.bytes, "John"))
  }

  @Test(arguments: [
    ("tiff:Copyright", PersonalDataKind.name), ("plus:ImageCreatorName", .name), ("stRef:filePath", .name),
    ("drone-dji:DroneSerialNumber", .device), ("xmpDM:cameraModel", .device),
    ("drone-dji:LRFTargetLat", .location), ("exif:GPSDateStamp", .date), ("xmpDM:shotDate", .date),
    ("xmpDM:videoModDate", .date), ("GPano:StitchingSoftware", .device), ("GPano:CaptureSoftware", .device),
    ("MicrosoftPhoto:LensManufacturer", .device), ("xmpDM:cameraLabel", .device),
    ("crs:LensProfileName", .device), ("drone-dji:ProductName", .device), ("Camera:RigName", .device),
    ("mediapro:People", .name), ("prism:person", .name), ("getty:Personality", .name),
    ("photomechanic:CreatorIdentity", .name), ("MPReg:PersonDisplayName", .name), ("mwg-rs:Name", .name),
    ("Iptc4xmpExt:PersonInImageName", .name), ("geo:lat", .location), ("geo:long", .location),
    ("dcterms:created", .date), ("dcterms:modified", .date), ("GIMP:TimeStamp", .date),
    ("GSpherical:Timestamp", .date), ("xmpMM:Manager", .name), ("crs:RawFileName", .name),
    ("xmpMM:PreservedFileName", .name), ("pdf:Producer", .device), ("dji:CapturePosition", .location),
  ])
  func namesOfXMP(_ name: String, _ kind: PersonalDataKind) {
    let text = "<rdf:Description \(name)=\"gone\" dc:title=\"kept\"><\(name)>away</\(name)></rdf:Description>"
    let found = erased(Array(text.utf8), [kind], .xml)
    #expect(found.names == ["XMP \(name)", "XMP \(name)"])
    #expect(!holds(found.bytes, "gone") && !holds(found.bytes, "away") && holds(found.bytes, "kept"))
    let others = Set(PersonalDataKind.allCases).subtracting([kind, .location])
    #expect(holds(erased(Array(text.utf8), others, .xml).bytes, "gone"))
  }

  /// Names that look like these, and tell nothing: an alternative, a length, a name of anything.
  @Test(arguments: ["rdf:Alt", "x:long", "xmpDM:name", "stEvt:created", "dc:format", "xmpDM:cameraMove"])
  func namesThatStay(_ name: String) {
    let text = "<rdf:Description \(name)=\"kept\"><\(name)>also kept</\(name)></rdf:Description>"
    #expect(erased(Array(text.utf8), Set(PersonalDataKind.allCases), .xml).bytes == Array(text.utf8))
  }
}
