// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import Foundation
import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

@Suite struct PrivacyTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A movie that tells its place in every form.
  private func placed(_ name: String = "placed.mov") throws -> String {
    try folder.write(name, PlacedMovie.movie(from: Fixtures.bytes("spatial.mov").array))
  }

  /// What other tools say of a file; empty without them.
  private func otherTools(_ path: String) -> [String: String] {
    var said: [String: String] = [:]
    for (tool, arguments) in [
      ("/usr/bin/exiftool", ["-ee3", "-G3", "-a", "-u", "-U", "-n", "-api", "RequestAll=3", path]),
      ("/usr/bin/mediainfo", ["--Full", path]),
      ("/usr/bin/ffprobe", ["-v", "quiet", "-show_format", "-show_streams", path]),
    ] {
      guard FileManager.default.isExecutableFile(atPath: tool), let output = run(tool, arguments) else {
        print("skipped: \(tool) is not there")
        continue
      }
      said[tool] = String(decoding: output, as: UTF8.self)
    }
    return said
  }

  private func tellsPlace(_ text: String) -> Bool {
    ["37.33", "122.00", PlacedMovie.name, "GPSLat", "GPS Lat"].contains { text.contains($0) }
  }

  private func expectNothing(_ path: String, _ context: String) throws {
    let bytes = try #require(contents(path))
    #expect(PlacedMovie.found(in: bytes) == [], "\(context)")
    for (tool, text) in otherTools(path) { #expect(!tellsPlace(text), "\(context): \(tool): \(text)") }
    let json = try #require(mvdump("info", "--json", path).json)
    #expect(json["locations"]?.elements.isEmpty == true, "\(context)")
    #expect(!mvdump("info", path).output.contains("location"), "\(context)")
    #expect(!tellsPlace(mvdump("tree", path).output), "\(context)")
  }

  /// Most fragments have tables alone, and are not searched: one that has more is.
  @Test(arguments: ["moof", "traf"]) func aPlaceInAFragment(place: String) throws {
    func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
      let code = type.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
      return [0, 0, 0, UInt8(8 + content.count)] + code + content
    }
    let text = Array("+37.3318-122.0312/".utf8)
    let told = box("udta", box("©xyz", [0, UInt8(text.count), 0x15, 0xC7] + text))
    func fragment(_ more: [UInt8]) -> [UInt8] {
      let traf = box("traf", box("tfhd", [0, 2, 0, 0, 0, 0, 0, 1]) + (place == "traf" ? more : []))
      return box("moof", box("mfhd", [0, 0, 0, 0, 0, 0, 0, 1]) + traf + (place == "moof" ? more : []))
    }
    let movie = Fixtures.bytes("spatial.mov").array
    let plain = try MovieFile(bytes: movie + fragment([]) + fragment([]))
    let telling = try MovieFile(bytes: movie + fragment([]) + fragment(told))
    #expect(telling.personalData.count == plain.personalData.count + 1)
    #expect(telling.personalData.contains { $0.place.path.hasPrefix("moof[1]") })
  }

  @Test func everyFormIsShown() throws {
    let path = try placed()
    #expect(PlacedMovie.found(in: try #require(contents(path))).count >= 17)
    for (tool, text) in otherTools(path) { #expect(tellsPlace(text), "\(tool): \(text)") }
    let run = mvdump("info", "--json", path)
    let json = try #require(run.json)
    #expect(JSONSchema(named: "info")?.problems(json) == [])
    let forms = Set(json["locations"]?.elements.compactMap { $0["form"]?.text } ?? [])
    for form in [
      "com.apple.quicktime.location.ISO6709", "com.apple.quicktime.location.name", "©xyz", "loci", "Exif GPS",
      "XMP exif:GPSLatitude", "XMP exif:GPSLongitude", "XMP photoshop:City", "com.apple.iTunes.LOCATION",
      "maker notes, GPMF", "com.apple.quicktime.location.ISO6709, in free space", "XMP",
    ] { #expect(forms.contains(form), "\(form): \(forms.sorted())") }
    let latitudes = json["locations"]?.elements.filter { $0["location"]?["latitude"] != nil }.count ?? 0
    #expect(latitudes >= 6)
    let text = mvdump("info", path).output
    #expect(
      text.contains("location  37.3349, -122.009, 20.0 m (com.apple.quicktime.location.ISO6709)"), "\(text)")
  }

  @Test func nothingIsLeftInANewFile() throws {
    let path = try placed(), output = folder.path + "/new.mov"
    let run = mvedit("tag", "--json", "--remove", "location", "-o", output, path)
    #expect(run.code == .success, "\(run.errors)")
    let json = try #require(run.json)
    #expect(JSONSchema(named: "tag")?.problems(json) == [])
    #expect((json["changes"]?.elements.count ?? 0) >= 17)
    try expectNothing(output, "new file")
    // What is not a place is still there.
    let bytes = try #require(contents(output))
    for kept in ["kept title", "kept maker", "kept name", "XMP_"] {
      #expect(PlacedMovie.contains(bytes, Array(kept.utf8)), "\(kept)")
    }
    #expect(mvdump("diff", "--level", "samples", path, output).code == .success)
    #expect(MovieRules.newBreaches(bytes, since: contents(path) ?? []) == [])
    let metadata = try MovieFile(path: output).metadata
    #expect(metadata["com.apple.quicktime.title"]?.stringValue == "kept title")
    #expect(metadata["com.apple.quicktime.make"]?.stringValue == "kept maker")
  }

  @Test func nothingIsLeftInPlace() throws {
    let path = try placed()
    let samples = try TagSamples(path)
    let run = mvedit("tag", "--remove", "location", "--in-place", path)
    #expect(run.code == .success, "\(run.errors)")
    try expectNothing(path, "in place")
    #expect(try TagSamples(path) == samples)
    let undo = mvedit("tag", "--undo", path)
    #expect(undo.code == .no && undo.errors.contains("no former movie box"), "\(undo.errors)")
    try expectNothing(path, "after --undo")
  }

  /// Bytes of all samples, by the library.
  private struct TagSamples: Equatable {
    let bytes: [[UInt8]]
    init(_ path: String) throws {
      let movie = try MovieFile(path: path)
      bytes = try movie.tracks.flatMap { track in
        try track.samples().map { try movie.source.read($0.range).array }
      }
    }
  }

  @Test func aPhotoTellsNoPlaceEither() throws {
    let motion = PlacedMovie.movie(from: Fixtures.bytes("spatial.mov").array)
    let photo = PlacedMovie.photo(motion: motion)
    let path = try folder.write("photo.heic", photo)
    let shown = mvdump("info", "--json", path)
    let places = shown.json?["locations"]?.elements.compactMap { $0["path"]?.text } ?? []
    #expect(
      places.contains { $0.hasPrefix("meta/item 2") } && places.contains { $0.hasPrefix("mpvd/moov") },
      "\(places)")
    let output = folder.path + "/new.heic"
    let run = mvedit("tag", "--remove", "location", "-o", output, path)
    #expect(run.code == .success, "\(run.errors)")
    let bytes = try #require(contents(output))
    #expect(PlacedMovie.found(in: bytes) == [])
    // Nothing moves, and the movie in it is still one.
    #expect(bytes.count == photo.count)
    let inner = Array(bytes.suffix(motion.count))
    #expect(try MovieFile(bytes: inner).tracks.count == 1)
    #expect(mvdump("check", output).code == mvdump("check", path).code)
    for (tool, text) in otherTools(output) { #expect(!tellsPlace(text), "\(tool)") }
    let inPlace = mvedit("tag", "--remove", "location", "--in-place", path)
    #expect(inPlace.code == .success, "\(inPlace.errors)")
    #expect(contents(path) == bytes)
  }

  /// Items of iTunes beside those with keys, ID3, notes of drones, user data of media.
  @Test func placesBesideOthersAreRemoved() throws {
    let text = "+47.2096+008.5561/"
    func told(_ type: String) -> [UInt8] {
      let code = type.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
      let count = text.utf8.count
      return [0, 0, 0, UInt8(12 + count)] + code + [0, UInt8(count), 0x15, 0xC7] + Array(text.utf8)
    }
    func box(_ type: String, _ body: [UInt8]) -> [UInt8] { PlacedMovie.box(type, body) }
    let item =
      [0, 0, 0, 38, 0xA9] + Array("xyz".utf8)
      + box("data", [0, 0, 0, 1, 0, 0, 0, 0] + Array(text.utf8.prefix(14)))
    let key = "com.apple.quicktime.title"
    let meta = box(
      "meta",
      box("hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array("mdta".utf8) + [UInt8](repeating: 0, count: 13))
        + box(
          "keys", [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, UInt8(8 + key.utf8.count)] + Array(("mdta" + key).utf8))
        + box("ilst", box("\0\0\0\u{1}", box("data", [0, 0, 0, 1, 0, 0, 0, 0] + Array("kept".utf8))) + item))
    let notes = box(
      "meta",
      [0, 0, 0, 0]
        + box("hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array("ID32".utf8) + [UInt8](repeating: 0, count: 13))
        + box("ID32", [0, 0, 0, 0, 0x15, 0xC7] + Array(text.utf8)))
    let movie = PlacedMovie.moved(Fixtures.bytes("spatial.mov").array) { moov in
      moov.children += PlainBox.boxes(meta[...]) + [PlainBox("udta", told("©gps"))]
      moov.children += PlainBox.boxes(notes[...])
      let trak = moov.children.firstIndex { $0.type == "trak" } ?? 0
      let mdia = moov.children[trak].children.firstIndex { $0.type == "mdia" } ?? 0
      moov.children[trak].children[mdia].children += [PlainBox("udta", told("©xyz"))]
    }.flatMap(\.bytes)
    let source = try folder.write("beside.mov", movie), output = folder.path + "/removed.mov"
    #expect(PlacedMovie.contains(movie, Array("+47.2096".utf8)))
    let run = mvedit("tag", "--remove", "location,names", "-o", output, source)
    #expect(run.code == .success, "\(run.errors)")
    let bytes = try #require(contents(output))
    #expect(!PlacedMovie.contains(bytes, Array("+47.2096".utf8)))
    #expect(PlacedMovie.contains(bytes, Array("kept".utf8)))
  }

  @Test func namesDevicesAndDatesAreRemovedOnRequest() throws {
    let path = try placed(), output = folder.path + "/anonymous.mov"
    let run = mvedit("tag", "--remove", "personal,dates", "-o", output, path)
    #expect(run.code == .success, "\(run.errors)")
    let bytes = try #require(contents(output))
    for gone in ["kept maker", "NMEA secret"] {
      #expect(!PlacedMovie.contains(bytes, Array(gone.utf8)), "\(gone)")
    }
    #expect(PlacedMovie.contains(bytes, Array("kept title".utf8)))
    let movie = try MovieFile(path: output)
    #expect(movie.personalData([.name, .device, .date]).isEmpty)
    #expect(movie.creationSecondsSince1970 == nil)
    #expect(!movie.personalData([.location]).isEmpty)
  }

  @Test func aRemovalOfNothingIsReported() throws {
    let path = Fixtures.path("spatial.mov"), output = folder.path + "/out.mov"
    for name in ["location", "com.example.key", "projection", "foo", "timed-location", "basline"] {
      let run = mvedit("tag", "--remove", name, "-o", output, path)
      #expect(run.code == .no && run.errors.split(separator: "\n").count == 1, "\(name): \(run.errors)")
      #expect(contents(output) == nil)
    }
    #expect(mvedit("tag", "--remove", "basline", "-n", path).errors.contains("did you mean 'baseline'"))
    // What else is asked for is done.
    let run = mvedit("tag", "--remove", "foo", "--key", "a.b=c", "-o", output, path)
    #expect(run.code == .no && contents(output) != nil, "\(run.errors)")
    // A key without a dot can be removed as it can be written.
    #expect(mvedit("tag", "--key", "foo=bar", "-o", output, "-f", path).code == .success)
    #expect(mvedit("tag", "--remove", "foo", "--in-place", output).code == .success)
    #expect(!mvdump("info", "--json", output).output.contains("bar"))
  }

  /// A removed key stays in the boxes that a change in place has marked free, unless it is overwritten.
  @Test func aFormerLocationIsNotCopied() throws {
    let folder = self.folder
    let path = try folder.write("key.mov", Fixtures.bytes("spatial.mov").array)
    let key = "com.apple.quicktime.location.ISO6709"
    #expect(mvedit("tag", "--key", "\(key)=\(PlacedMovie.text)", "--in-place", path).code == .success)
    #expect(mvedit("tag", "--key", "a.b=c", "--in-place", path).code == .success)
    let copy = try copied(path, to: folder, as: "copy.mov")
    let new = folder.path + "/new.mov"
    #expect(mvedit("tag", "--remove", key, "-o", new, path).code == .success)
    #expect(PlacedMovie.found(in: try #require(contents(new))) == [])
    #expect(mvedit("tag", "--undo", new).code == .no)
    #expect(mvedit("tag", "--remove", key, "--in-place", path).code == .success)
    #expect(PlacedMovie.found(in: try #require(contents(path))) == [])
    #expect(mvedit("tag", "--undo", path).code == .no)
    // Any other change in place says that the old bytes stay.
    let run = mvedit("tag", "--key", "a.b=d", "--in-place", copy)
    #expect(run.code == .success && run.errors.contains("--undo"), "\(run.errors)")
  }

  /// Every command that writes a new file leaves out what free space holds.
  @Test func noCommandCopiesFreeSpace() throws {
    let secret = Array("a former secret".utf8)
    var boxes = PlacedMovie.moved(Fixtures.bytes("spatial.mov").array) { moov in
      moov.children.append(PlainBox("free", secret))
      moov.children.append(PlainBox("udta", [], [PlainBox("skip", secret)]))
    }
    boxes.append(PlainBox("free", secret))
    boxes.append(PlainBox("skip", secret))
    let path = try folder.write("free.mov", boxes.flatMap(\.bytes))
    let lines: [[String]] = [
      ["tag", "--key", "a.b=c"], ["tag", "--faststart"], ["repair"], ["strip"], ["fragment"], ["flatten"],
      ["split"], ["join", path], ["trim", "--from", "#0", "--to", "#3"],
    ]
    for line in lines {
      let output = folder.path + "/\(line[0]).mov"
      let run = mvedit(line + ["-f", "-o", output, path])
      #expect(run.code == .success, "\(line): \(run.errors)")
      #expect(!PlacedMovie.contains(try #require(contents(output)), secret), "\(line)")
      guard ["tag", "repair", "strip"].contains(line[0]) else { continue }
      #expect(mvedit(line + ["-f", "--keep-free", "-o", output, path]).code == .success)
      #expect(PlacedMovie.contains(try #require(contents(output)), secret), "\(line)")
    }
    let package = folder.path + "/package"
    #expect(mvedit("package", "-o", package, path).code == .success)
    for file in filesBelow(package) {
      #expect(!PlacedMovie.contains(try #require(contents(package + "/" + file)), secret), "\(file)")
    }
  }

  /// What is in a box whose size is wrong is not said to be removed.
  @Test func damagedBoxesAreNamed() throws {
    var bytes = try #require(contents(try placed()))
    let place = try #require(bytes.indices.last { bytes[$0...].starts(with: Array("tkhd".utf8)) })
    // The size of the track, which is the box around it.
    bytes[place - 12] = 0x7F
    let path = try folder.write("damaged.mov", bytes), output = folder.path + "/out.mov"
    for arguments in [["-o", output], ["-n"]] {
      let run = mvedit(["tag", "--remove", "dates"] + arguments + [path])
      #expect(run.code == .no && run.errors.contains("damaged"), "\(run.errors)")
    }
    #expect(contents(output) == nil && contents(path) == bytes)
  }

  @Test func packageSaysWhatItPublishes() throws {
    let run = mvedit("package", "--dry-run", try placed())
    #expect(run.code == .success && run.output.contains("--remove location"), "\(run.output)\(run.errors)")
    #expect(run.output.contains("com.apple.quicktime.location.ISO6709"), "\(run.output)")
    let plain = mvedit("package", "--dry-run", Fixtures.path("spatial.mov"))
    #expect(!plain.output.contains("location"), "\(plain.output)")
  }

  /// Movies of cameras, in which the place is in one form or another.
  @Test(
    .enabled(if: Corpus.isPresent),
    arguments: [
      ("found/2/ipad.mov", "52.4597"), ("found/2/location-survives-remove.mp4", "52.4597"),
      ("found/2/inplace-location-left.mov", "52.4597"), ("found/2/xyz-not-removable.mp4", "33.9951"),
      ("found/2/loci-not-shown.mp4", ""), ("third-party/metadata-extractor/mov__with-gps.mov", "32.0929"),
    ])
  func camerasPlacesAreRemoved(_ name: String, _ text: String) throws {
    let original = try #require(Corpus.folder) + "/" + name
    let path = try copied(original, to: folder, as: "camera.mov")
    let output = folder.path + "/camera-out.mov"
    #expect(mvdump("info", path).output.contains("location  "))
    // What is appended would be taken for the samples that a file lacks that was cut off.
    let isWhole = mvdump("check", path).output.contains("MV058") == false
    for arguments in [["-o", output], ["--in-place"]] {
      let run = mvedit(["tag", "--remove", "location"] + arguments + [path])
      guard isWhole || arguments.count == 2 else {
        #expect(run.code == .no && run.errors.contains("beyond the end"), "\(name): \(run.errors)")
        continue
      }
      #expect(run.code == .success, "\(name): \(run.errors)")
      let result = arguments[0] == "-o" ? output : path
      let bytes = try #require(contents(result))
      if !text.isEmpty { #expect(!PlacedMovie.contains(bytes, Array(text.utf8)), "\(name)") }
      #expect(try MovieFile(path: result).location == nil)
      for (tool, said) in otherTools(result) {
        #expect(!said.contains("GPS"), "\(name), \(tool)")
        if !text.isEmpty { #expect(!said.contains(text), "\(name), \(tool)") }
      }
      #expect(mvdump("diff", "--level", "samples", original, result).code == .success)
    }
  }
}
