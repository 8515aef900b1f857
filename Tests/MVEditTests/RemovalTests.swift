// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import ISOBMFF
import Multiview
import TestSupport
import Testing

/// What `mvedit tag --remove` removes, and what it says of the rest.
@Suite struct RemovalTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func holds(_ path: String, _ text: String) throws -> Bool {
    PlacedMovie.contains(try #require(contents(path)), Array(text.utf8))
  }

  private func box(_ type: String, _ body: [UInt8]) -> [UInt8] { PlacedMovie.box(type, body) }
  private func number(_ value: Int, _ width: Int) -> [UInt8] { PlacedMovie.number(value, width) }

  /// A photo with one item of a media type, and with free space among its properties.
  private func photo(_ contentType: String, encoding: String, _ item: [UInt8]) -> [UInt8] {
    func meta(_ start: Int) -> [UInt8] {
      let entry =
        number(2 << 24, 4) + number(1, 2) + number(0, 2) + Array("mime\0\(contentType)\0\(encoding)\0".utf8)
      let place = number(1, 2) + number(0, 2) + number(1, 2) + number(start, 4) + number(item.count, 4)
      return box(
        "meta",
        number(0, 4) + box("hdlr", number(0, 8) + Array("pict".utf8) + number(0, 13))
          + box("pitm", number(0, 4) + number(1, 2))
          + box("iinf", number(0, 4) + number(1, 2) + box("infe", entry))
          + box("iloc", number(0, 4) + [0x44, 0x00] + number(1, 2) + place)
          + box("iprp", box("ipco", box("free", Array("a former secret".utf8)))))
    }
    let head = box("ftyp", Array("heic".utf8) + number(0, 4) + Array("mif1heic".utf8))
    return head + meta(head.count + meta(0).count + 8) + box("mdat", item)
  }

  private static let city = "<x><photoshop:City>Zurich</photoshop:City><dc:title>kept</dc:title></x>"

  /// Compressed XMP is not read: it is erased as a whole. ISO/IEC 14496-12, 8.11.6.3 (content_encoding)
  @Test(arguments: [
    ("application/rdf+xml", "deflate", false), ("application/rdf+xml", "zlib", false),
    ("application/xml", "", true), ("application/rdf+xml", "identity", true),
  ])
  func itemsOfXML(_ type: String, _ encoding: String, _ isRead: Bool) throws {
    let path = try folder.write("photo.heic", photo(type, encoding: encoding, Array(Self.city.utf8)))
    let output = folder.path + "/out.heic"
    let run = mvedit("tag", "--remove", "location", "-o", output, path)
    #expect(run.code == .success, "\(run.errors)")
    #expect(try !holds(output, "Zurich") && holds(output, "kept") == isRead)
    #expect(try !holds(output, "a former secret"))
    #expect(try #require(contents(output)).count == contents(path)?.count)
    #expect(mvedit("tag", "--remove", "location", "-n", output).code == .no)
  }

  /// Free space among boxes that are often changed.
  @Test func freeSpaceInListsAndFragments() throws {
    let free = box("free", Array("a former secret".utf8))
    let list = box("\u{A9}nam", box("data", number(1, 4) + number(0, 4) + Array("a name".utf8))) + free
    let meta = box(
      "meta",
      number(0, 4) + box("hdlr", number(0, 8) + Array("mdir".utf8) + number(0, 13)) + box("ilst", list))
    let tagged = PlacedMovie.moved(Fixtures.bytes("spatial.mov").array) { moov in
      moov.children.append(PlainBox("udta", meta))
    }.flatMap(\.bytes)
    let header = box("tfhd", number(2 << 16, 4) + number(1, 4))
    let fragment = box(
      "moof", box("mfhd", number(0, 4) + number(99, 4)) + free + box("traf", header + free))
    let fragmented =
      Fixtures.bytes("two-views-fragmented.mp4").array + fragment
      + box("mfra", free + box("mfro", number(0, 4) + number(24 + free.count, 4)))
    for (name, bytes) in [("tagged.mov", tagged), ("fragmented.mp4", fragmented)] {
      let path = try folder.write(name, bytes), output = folder.path + "/out-" + name
      let run = mvedit("tag", "--key", "a.b=c", "-o", output, path)
      #expect(run.code == .success, "\(run.errors)")
      #expect(try holds(path, "a former secret") && !holds(output, "a former secret"), "\(name)")
    }
  }

  /// Makes a movie of timed metadata in which some bytes are others.
  private func timed(_ old: String, _ new: String) throws -> String {
    var bytes = Fixtures.bytes("timed-metadata.mov").array
    #expect(old.utf8.count == new.utf8.count)
    var place = 0
    while let found = bytes.indices.dropFirst(place).first(where: { bytes[$0...].starts(with: old.utf8) }) {
      bytes.replaceSubrange(found..<(found + old.utf8.count), with: Array(new.utf8))
      place = found + 1
    }
    return try folder.write("timed.mov", bytes)
  }

  /// Samples that tell something else than a place: the advice is a command that removes it.
  @Test func devicesInSamples() throws {
    let path = try timed("org.example.temperature", "org.example.cameramodel"),
      output = folder.path + "/out.mov"
    let value: [UInt8] = [0x41, 0xAC, 0, 0]
    #expect(PlacedMovie.contains(try #require(contents(path)), value))
    let said = mvedit("tag", "--remove", "devices", "-n", path)
    #expect(
      said.errors.contains(
        "(org.example.cameramodel): --remove timed-location,devices removes them\n"), "\(said.errors)")
    let run = mvedit("tag", "--remove", "timed-location,devices", "-o", output, path)
    #expect(run.code == .success && run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    #expect(!PlacedMovie.contains(try #require(contents(output)), value))
    #expect(mvedit("tag", "--remove", "timed-location", "-n", path).code == .no)
  }

  /// GoPro's description of the file, in a track of its own.
  @Test func descriptionsOfFilesInSamples() throws {
    let path = try timed("mebx", "fdsc"), output = folder.path + "/out.mov"
    let run = mvedit("tag", "--remove", "timed-location,devices", "-o", output, path)
    #expect(run.code == .success, "\(run.errors)")
    #expect(!PlacedMovie.contains(try #require(contents(output)), [0x41, 0xAC, 0, 0]))
    #expect(try MovieFile(path: output).tracks.isEmpty)
  }

  /// A name that is there cannot be what was meant.
  @Test func hintsAreOtherNames() throws {
    let name = "com.apple.quicktime.title"
    let path = try folder.write("movie.mov", Fixtures.bytes("spatial.mov").array + PlacedMovie.keys())
    let run = mvedit("tag", "--remove", name, "-n", path)
    #expect(run.code == .no && run.errors.contains("has the key '\(name)'"), "\(run.errors)")
    #expect(!run.errors.contains("did you mean '\(name)'"), "\(run.errors)")
    let found = mvedit("tag", "--remove", "title", "-n", Fixtures.path("metadata-keys.mov"))
    #expect(found.code == .success && found.errors.isEmpty, "\(found.errors)")
  }

  /// A new date of creation leaves the date of a camera's user data, and says so.
  @Test func otherDatesAreNamed() throws {
    let text = "2021-07-19"
    let boxes = PlacedMovie.moved(Fixtures.bytes("spatial.mov").array) { moov in
      moov.children.append(
        PlainBox("udta", box("©day", number(text.utf8.count, 2) + number(0, 2) + Array(text.utf8))))
    }
    let path = try folder.write("dated.mov", boxes.flatMap(\.bytes)), output = folder.path + "/out.mov"
    let run = mvedit("tag", "--creation-date", "2024-05-01T12:30:00Z", "-o", output, path)
    #expect(run.code == .success && run.errors.contains("other dates are kept (©day)"), "\(run.errors)")
    let both = mvedit(
      "tag", "--creation-date", "2024-05-01T12:30:00Z", "--remove", "dates", "-f", "-o", output, path)
    #expect(both.code == .success && !both.errors.contains("other dates"), "\(both.errors)")
    #expect(try !holds(output, text))
    #expect(try MovieFile(path: output).creationSecondsSince1970 == 1_714_566_600)
  }

  /// Values of known keys have a form, which readers rely on.
  @Test func valuesOfKnownKeys() throws {
    let movie = Fixtures.path("spatial.mov")
    for key in ["com.apple.quicktime.location.ISO6709", "com.apple.quicktime.creationdate"] {
      let run = mvedit("tag", "--key", "\(key)=garbage", "-n", movie)
      #expect(run.code == .usage && run.errors.contains("not 'garbage'"), "\(run.errors)")
      #expect(mvedit("tag", "--key", "\(key)=garbage", "--force-values", "-n", movie).code == .success)
    }
    for value in ["location.ISO6709=+52.4597+013.3220/", "creationdate=2024-05-01T12:30:00+0200"] {
      #expect(mvedit("tag", "--key", "com.apple.quicktime.\(value)", "-n", movie).code == .success)
    }
  }
}
