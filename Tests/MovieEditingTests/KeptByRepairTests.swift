// swift-multiview · SPDX-License-Identifier: Apache-2.0

import FileAccess
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// What a repair that writes samples anew leaves as it is: times, edits, and boxes that it does not know.
@Suite struct KeptByRepairTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func spatial() throws -> MovieFile { try MovieFile(path: Fixtures.path("spatial.mov")) }

  /// Repairs a movie to a file, and returns its report and the boxes of the file.
  private func repaired(
    _ file: [UInt8], donor: MovieFile? = nil
  ) throws -> (report: RepairReport, movie: MovieFile, boxes: [PlainBox]) {
    var repairer = try MovieRepairer(MovieFile(bytes: file))
    repairer.donor = donor
    let path = folder.path + "/repaired"
    let planned = try repairer.plannedReport()
    let report = try repairer.write(to: path, options: .replacing)
    #expect(planned.steps == report.steps && planned.changes == report.changes)
    return (report, try MovieFile(path: path), PlainBox.boxes((contents(path) ?? [])[...]))
  }

  private static func trak(_ boxes: [PlainBox], _ number: Int = 0) -> PlainBox? {
    boxes.first { $0.type == "moov" }?.children.filter { $0.type == "trak" }.dropFirst(number).first
  }

  /// A clip whose samples have the second layer before the first, as some tools write them.
  private func misordered(_ movie: MovieFile) throws -> BrokenClip {
    var clip = try BrokenClip(movie)
    for index in clip.movie.samples[0].indices {
      let units = clip.movie.samples[0][index].units
      clip.movie.samples[0][index].units =
        units.filter { BrokenClip.layer($0) > 0 } + units.filter { BrokenClip.layer($0) == 0 }
    }
    return clip
  }

  /// A pause in a recording is one long sample, anywhere in it.
  @Test(arguments: 0..<4) func aPauseStaysWhereItIs(pause: Int) throws {
    var clip = try misordered(spatial())
    clip.movie.samples[0][pause].duration = 300
    for index in clip.movie.samples[0].indices { clip.movie.samples[0][index].offset = 0 }
    let list =
      [0, 0, 0, 0, 0, 0, 0, 1] + PlainBox.bytes(700, 4) + PlainBox.bytes(2, 4) + PlainBox.bytes(1 << 16, 4)
    clip.movie.editTrack { trak in
      trak.children.removeAll { $0.type == "edts" }
      trak.children.insert(PlainBox("edts", [], [PlainBox("elst", list)]), at: 1)
      trak.patch("tkhd", at: 20, 700)
      trak.patch("mdia/mdhd", at: 16, 303)
      trak.edit("mdia/minf/stbl") { $0.children.append(PlainBox("abcd", [1, 2, 3])) }
    }
    let file = clip.encoded
    let old = try #require(Self.trak(PlainBox.boxes(file[...])))
    let (report, movie, boxes) = try repaired(file)
    #expect(report.steps.contains { $0.rule?.id == "MV052" })
    let new = try #require(Self.trak(boxes))
    for path in ["tkhd", "edts", "mdia/mdhd"]
      + ["stts", "ctts", "stss", "sdtp", "abcd"].map({ "mdia/minf/stbl/" + $0 })
    {
      #expect(new[path] == old[path], "\(path)")
    }
    #expect(new["mdia/minf/stbl/stts"] != nil && new["mdia/minf/stbl/abcd"] != nil)
    // The pictures are those that were there, in the order of their layers.
    func pictures(_ movie: MovieFile) throws -> [[[UInt8]]] {
      try RemadeMovie(movie).samples[0].map { $0.units.filter { BrokenClip.type($0) < 32 } }
    }
    #expect(try pictures(movie) == pictures(spatial()))
    #expect(!report.steps.contains { $0.name == "edit list" || $0.name == "picture duration" })
  }

  @Test func whatIsAfterTheMediaStaysThere() throws {
    var clip = try misordered(spatial())
    clip.movie.others = [PlainBox("uuid", [UInt8](repeating: 7, count: 24))]
    let tail: [UInt8] = [0, 0, 0, 0, 1, 2, 3]
    let (_, movie, boxes) = try repaired(clip.encoded + tail)
    let types = boxes.map(\.type).filter { $0 != "free" && $0 != "wide" }
    #expect(types.firstIndex(of: "mdat") ?? 9 < types.firstIndex(of: "uuid") ?? 0, "\(types)")
    #expect(boxes.first { $0.type == "uuid" }?.fields == [UInt8](repeating: 7, count: 24))
    let size = Int(movie.source.size ?? 0)
    #expect(try movie.source.read(at: UInt64(size - 7), count: 7).array == tail)
  }

  /// Sizes of parts of samples would be wrong: the table goes, and that is said.
  @Test func tablesOfPartsAreReported() throws {
    var clip = try misordered(spatial())
    clip.movie.editTrack { trak in
      trak.edit("mdia/minf/stbl") { $0.children.append(PlainBox("subs", [0, 0, 0, 0, 0, 0, 0, 0])) }
    }
    let (report, _, boxes) = try repaired(clip.encoded)
    #expect(report.steps.contains { $0.place.hasSuffix("/subs") && $0.new == "removed" })
    #expect(Self.trak(boxes)?["mdia/minf/stbl/subs"] == nil)
  }

  /// AAC of a QuickTime movie has a form that players expect there.
  @Test func soundKeepsItsForm() throws {
    var options = MuxOptions()
    options.frameRate = FrameRate(30)
    var muxer = StreamMuxer(source: MemoryBytes(Fixtures.bytes("two-views.hevc")), options: options)
    muxer.soundSource = try MovieFile(path: Fixtures.path("metadata-keys.mov"))
    let file = try misordered(muxer.draftMovie().movie).encoded
    let (report, _, boxes) = try repaired(file)
    #expect(report.steps.contains { $0.rule?.id == "MV052" })
    let old = Self.trak(PlainBox.boxes(file[...]), 1)?["mdia/minf/stbl/stsd"]
    #expect(old != nil && Self.trak(boxes, 1)?["mdia/minf/stbl/stsd"] == old)
  }

  /// The segments of a stream stay segments: their pictures at which decoding can begin, their brands and their index.
  @Test func aStreamKeepsItsSegments() throws {
    let path = Fixtures.path("cmaf-hevc-sidx.mp4")
    let old = PlainBox.boxes((contents(path) ?? [])[...])
    let (report, movie, boxes) = try repaired(contents(path) ?? [])
    func count(_ type: String, _ boxes: [PlainBox]) -> Int { boxes.count { $0.type == type } }
    #expect(count("moof", old) == 4 && count("moof", boxes) == 4)
    #expect(boxes.first { $0.type == "ftyp" } == old.first { $0.type == "ftyp" })
    #expect(count("sidx", boxes) == 1)
    let before = try MovieFile(path: path)
    for (mine, other) in zip(movie.tracks, before.tracks) {
      #expect(try mine.samples().map(\.isSync) == other.samples().map(\.isSync))
    }
    // What is not there any more is said.
    #expect(count("mfra", old) == 1 && count("mfra", boxes) == 0)
    #expect(report.steps.contains { $0.place == "mfra" && $0.new == "removed" })
    #expect(report.steps.contains { $0.place == "sidx" && $0.old == "2" && $0.new == "1" })
  }

  // MARK: Restored from the original

  /// The tags are written later than it is asked which message is missing: the eyes must not be exchanged until the next
  /// repair.
  @Test func theMessageOnTheEyesComesBackWithTheTags() throws {
    var start = try BrokenClip(spatial())
    // The message is in the record alone.
    for index in start.movie.samples[0].indices {
      start.movie.samples[0][index].units.removeAll { BrokenClip.type($0) == 39 }
    }
    var editor = try MovieEditor(MovieFile(bytes: start.encoded))
    editor.tracks[0].entries[0].swapEyes(inMessage: true)
    let original = try editor.plannedMovie()
    #expect(original.tracks[0].layers.map(\.eye) == [.right, .left])
    var clip = try BrokenClip(original)
    clip.loseOfEntry(["vexu", "hfov"])
    clip.setArrays("hvcC", clip.arrays("hvcC").filter { $0.head & 63 != 39 })
    let (report, movie, _) = try repaired(clip.encoded, donor: original)
    #expect(movie.tracks[0].layers.map(\.eye) == [.right, .left])
    #expect(report.steps.contains { $0.rule?.id == "MV046" })
    var again = try MovieRepairer(movie)
    again.donor = original
    #expect(try again.plannedReport().steps.isEmpty)
  }

  /// A movie with keys whose values have types, languages and sizes that are rare.
  private func withKeys() throws -> (file: [UInt8], meta: PlainBox) {
    func data(_ type: UInt64, _ language: UInt64, _ value: [UInt8]) -> PlainBox {
      PlainBox("data", PlainBox.bytes(type, 4) + [0, 0] + PlainBox.bytes(language, 2) + value)
    }
    let items: [(key: String, values: [PlainBox])] = [
      ("k.title", [data(1, 0x15C7, Array("Hello".utf8)), data(1, 0x1941, Array("Bonjour".utf8))]),
      ("k.art", [data(13, 0, [0xFF, 0xD8] + [UInt8](repeating: 0x6A, count: 80_002))]),
      ("k.rate", [data(23, 0, [0x41, 0xF4, 0, 0])]), ("k.small", [data(65, 0, [0xFE])]),
      ("k.point", [data(70, 0, [0x3F, 0x80, 0, 0, 0x40, 0, 0, 0])]),
    ]
    var keys = [0, 0, 0, 0] + PlainBox.bytes(UInt64(items.count), 4)
    for item in items {
      keys += PlainBox.bytes(UInt64(item.key.utf8.count + 8), 4) + Array("mdta".utf8) + Array(item.key.utf8)
    }
    let list = items.enumerated().map { index, item in
      PlainBox("\u{0}\u{0}\u{0}" + String(UnicodeScalar(UInt8(index + 1))), [], item.values)
    }
    let handler = [UInt8](repeating: 0, count: 8) + Array("mdta".utf8) + [UInt8](repeating: 0, count: 14)
    let meta = PlainBox(
      "meta", [], [PlainBox("hdlr", handler), PlainBox("keys", keys), PlainBox("ilst", [], list)])
    var clip = try BrokenClip(spatial())
    clip.loseKeys()
    clip.movie.moov.children.append(meta)
    return (clip.encoded, meta)
  }

  @Test func keysComeBackAsTheyWere() throws {
    let (original, meta) = try withKeys()
    var clip = try BrokenClip(spatial())
    clip.loseKeys()
    let donor = try MovieFile(bytes: original)
    let (report, _, boxes) = try repaired(clip.encoded, donor: donor)
    let found = boxes.first { $0.type == "moov" }?.children.first { $0.type == "meta" }
    #expect(found?.bytes == meta.bytes)
    #expect(report.steps.filter { $0.place == "moov/meta" }.count == 5)
    // Beside a key of its own, with their numbers after it.
    var own = try MovieEditor(MovieFile(bytes: clip.encoded))
    own.metadata["own.key"] = .text("mine")
    own.metadata["k.rate"] = .text("kept")
    var repairer = try MovieRepairer(own.plannedMovie())
    repairer.donor = donor
    let made = try repairer.draftMovie().movie
    func values(_ movie: MovieFile) -> [String: [[UInt8]]] {
      var values: [String: [[UInt8]]] = [:]
      for item in movie.metadata.items {
        let bytes =
          (try? movie.source.read(UInt64(item.dataRange.lowerBound)..<UInt64(item.dataRange.upperBound)))?
          .array
        values[item.key.rawValue, default: []].append(
          [UInt8(item.dataType?.rawValue ?? 0), UInt8(item.language >> 8), UInt8(item.language & 255)]
            + (bytes ?? []))
      }
      return values
    }
    var wanted = values(donor)
    #expect(wanted["k.title"]?.count == 2 && wanted["k.art"]?.first?.count == 80_007)
    wanted["k.rate"] = [[1, 0, 0] + Array("kept".utf8)]
    wanted["own.key"] = [[1, 0, 0] + Array("mine".utf8)]
    #expect(values(made) == wanted)
  }

  @Test func aLongTextIsAKeyLikeOthers() throws {
    var editor = try MovieEditor(path: Fixtures.path("spatial.mov"))
    let text = String(repeating: "x", count: 70_000)
    editor.metadata["a.b"] = .text(text)
    let path = folder.path + "/long"
    try editor.write(to: path)
    let item = try #require(try MovieFile(path: path).metadata.items.first { $0.key == "a.b" })
    #expect(item.dataRange.count == 70_000)
  }

  /// Zeros at the end of units, which some importers leave there, are no difference between pictures.
  @Test func zerosAfterUnitsDoNotHideTheOriginal() throws {
    let original = try MovieFile(bytes: withKeys().file)
    var clip = try BrokenClip(spatial())
    clip.loseKeys()
    for index in clip.movie.samples[0].indices {
      clip.movie.samples[0][index].units = clip.movie.samples[0][index].units.map { $0 + [0] }
    }
    let (_, movie, _) = try repaired(clip.encoded, donor: original)
    #expect(movie.metadata.items.contains { $0.key == "k.title" })
    // Other pictures are another movie.
    clip.movie.samples[0][1].units = clip.movie.samples[0][1].units.map { $0.dropLast(2) + [0x55] }
    #expect(
      try !repaired(clip.encoded, donor: original).movie.metadata.items.contains { $0.key == "k.title" })
  }

  @Test func nothingOutsideAChosenTrackIsRestored() throws {
    let original = try MovieFile(bytes: withKeys().file)
    var clip = try BrokenClip(spatial())
    clip.loseKeys()
    clip.loseDates()
    var repairer = try MovieRepairer(MovieFile(bytes: clip.encoded))
    repairer.donor = original
    #expect(try repairer.plannedReport().steps.contains { $0.place == "moov/meta" })
    repairer.trackIDs = [1]
    #expect(try repairer.plannedReport().steps.isEmpty)
  }

  /// Durations of edits are in the timescale of the movie, which is another one in the copy of a remuxer.
  @Test func editsComeBackInTheTimescaleOfTheMovie() throws {
    func edits(_ duration: UInt64) -> PlainBox {
      let list =
        [0, 0, 0, 0, 0, 0, 0, 1] + PlainBox.bytes(duration, 4) + PlainBox.bytes(1, 4)
        + PlainBox.bytes(1 << 16, 4)
      return PlainBox("edts", [], [PlainBox("elst", list)])
    }
    var clip = try BrokenClip(spatial())
    clip.movie.editTrack { trak in
      trak.children.removeAll { $0.type == "edts" }
      trak.children.insert(edits(60), at: 1)
      trak.patch("tkhd", at: 20, 60)
    }
    clip.movie.moov.patch("mvhd", at: 12, 600)
    let original = try MovieFile(bytes: clip.encoded)
    clip.movie.editTrack { $0.children.removeAll { $0.type == "edts" } }
    clip.movie.moov.patch("mvhd", at: 12, 1_000)
    let (report, _, boxes) = try repaired(clip.encoded, donor: original)
    #expect(report.steps.contains { $0.name == "edit list" })
    #expect(Self.trak(boxes)?["edts"]?.bytes == edits(100).bytes)
  }

  @Test func metadataOfATrackComeBack() throws {
    let meta = try withKeys().meta
    var clip = try BrokenClip(spatial())
    let broken = clip.encoded
    clip.movie.editTrack { $0.children.append(meta) }
    let (report, _, boxes) = try repaired(broken, donor: MovieFile(bytes: clip.encoded))
    #expect(report.steps.contains { $0.place.hasSuffix("trak/meta") || $0.place.hasSuffix("trak[0]/meta") })
    #expect(Self.trak(boxes)?["meta"]?.bytes == meta.bytes)
  }

  // MARK: Samples and tables

  /// Some remuxers begin a sample with the second picture of the sample before.
  @Test func aPictureInTheNextSampleBelongsToItsAccessUnit() throws {
    var clip = try BrokenClip(spatial())
    let sound = clip.movie.samples[0].map(\.units)
    let moved = sound[0].filter { BrokenClip.layer($0) > 0 && BrokenClip.type($0) < 32 }
    #expect(!moved.isEmpty)
    clip.movie.samples[0][0].units = sound[0].filter { !moved.contains($0) }
    clip.movie.samples[0][1].units = moved + sound[1]
    clip.loseOfEntry(["lhvC", "vexu", "hfov"])
    let (report, movie, _) = try repaired(clip.encoded, donor: spatial())
    #expect(report.steps.contains { $0.rule?.id == "MV052" && $0.old == "1" })
    func pictures(_ units: [[[UInt8]]]) -> [[[UInt8]]] {
      units.map { $0.filter { BrokenClip.type($0) < 32 } }
    }
    #expect(pictures(try RemadeMovie(movie).samples[0].map(\.units)) == pictures(sound))
  }

  /// The timescale of a lost movie header is that in which the durations and edits of its tracks are.
  @Test func theTimescaleOfALostHeaderFollowsFromTheTracks() throws {
    var clip = try BrokenClip(spatial())
    let frames = clip.movie.samples[0].reduce(0) { $0 + UInt64($1.duration) }
    clip.movie.editTrack { trak in
      let duration = frames * 600 / 30
      let list =
        [0, 0, 0, 0, 0, 0, 0, 1] + PlainBox.bytes(duration, 4) + [0, 0, 0, 0] + PlainBox.bytes(1 << 16, 4)
      trak.children.removeAll { $0.type == "edts" }
      trak.children.insert(PlainBox("edts", [], [PlainBox("elst", list)]), at: 1)
      trak.patch("tkhd", at: 20, duration)
    }
    clip.movie.moov.children.removeAll { $0.type == "mvhd" }
    let old = try #require(Self.trak(PlainBox.boxes(clip.encoded[...])))
    let (report, movie, boxes) = try repaired(clip.encoded)
    #expect(report.steps.map(\.place) == ["moov/mvhd"])
    #expect(movie.tree?.movieHeader?.timescale == 600)
    #expect(Self.trak(boxes)?["tkhd"] == old["tkhd"] && Self.trak(boxes)?["edts"] == old["edts"])
    // Where they contradict all timescales, nobody knows what the edits mean.
    clip.movie.editTrack { $0.patch("tkhd", at: 20, 3_000) }
    let unknown = try MovieRepairer(MovieFile(bytes: clip.encoded)).plannedReport()
    #expect(
      !unknown.steps.contains { $0.place == "moov/mvhd" } && unknown.left.contains { $0.rule.id == "MV083" })
  }
}
