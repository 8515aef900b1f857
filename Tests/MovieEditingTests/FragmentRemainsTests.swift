// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// What is beside the samples of fragments when they become others, or tables: it is right there, or it is left out
/// and named.
@Suite struct FragmentRemainsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A movie of four sync samples without edits.
  private func remade(_ name: String = "spatial.mov") throws -> RemadeMovie {
    var remade = try RemadeMovie(MovieFile(path: Fixtures.path(name)))
    remade.editTracks { _, trak in trak.children.removeAll { $0.type == "edts" } }
    for track in remade.samples.indices {
      for index in remade.samples[track].indices {
        remade.samples[track][index].isSync = true
        remade.samples[track][index].offset = 0
      }
    }
    return remade
  }

  private func edited(_ movie: RemadeMovie, _ change: (inout [PlainBox]) -> Void) throws -> MovieFile {
    var boxes = PlainBox.boxes(movie.fragmented(samplesEach: 1)[...])
    change(&boxes)
    return try MovieFile(bytes: boxes.flatMap(\.bytes))
  }

  private func trimmed(_ movie: MovieFile) throws -> MovieTrimmer {
    var trimmer = try MovieTrimmer(movie)
    trimmer.start = .picture(1)
    return trimmer
  }

  // MARK: Tracks that are removed

  /// The levels of a subsegment index go with the index of their track, and so do levels that name it.
  @Test func indexesOfRemovedTracksGo() {
    func index(_ track: UInt8) -> PlainBox {
      PlainBox("sidx", [0, 0, 0, 0, 0, 0, 0, track, 0, 0, 0, 30] + [UInt8](repeating: 0, count: 12))
    }
    func levels(_ track: UInt8) -> PlainBox { PlainBox("leva", [0, 0, 0, 0, 1, 0, 0, 0, track, 2]) }
    let subsegments = PlainBox("ssix", [UInt8](repeating: 0, count: 8))
    let boxes = [
      PlainBox("moov", [], [PlainBox("mvex", [], [levels(1), levels(2)])]), index(2), subsegments, index(1),
      subsegments,
    ]
    var tree = BoxTree(ByteView(boxes.flatMap(\.bytes)), registry: .standard)
    let isChanged = tree.removeFragments(ofTracks: [2])
    #expect(isChanged)
    #expect(tree.boxes.map(\.type) == ["moov", "sidx", "ssix"])
    #expect(tree.boxes[1].payload(SegmentIndexBox.self)?.referenceID == 1)
    #expect(tree["moov/mvex"]?.children.map { $0.body.array.suffix(2) } == [[1, 2]])
  }

  // MARK: The order of fragments

  /// A shell puts segment10 before segment2. Each fragment is a `moof` and an `mdat` after the two first boxes.
  @Test func fragmentsOutOfOrderAreRefused() throws {
    let good = try edited(remade()) { _ in }
    #expect(try MovieFlattener(good).plannedReport().notices.isEmpty)
    let swapped = try edited(remade()) { boxes in
      let second = boxes[4...5]
      boxes.removeSubrange(4...5)
      boxes.append(contentsOf: second)
    }
    let repeated = try edited(remade()) { boxes in boxes.insert(contentsOf: boxes[4...5], at: 6) }
    for (movie, place) in [(swapped, 4), (repeated, 3)] {
      let makers: [() throws -> Void] = [
        { _ = try MovieFlattener(movie).plannedReport() }, { _ = try MovieFragmenter(movie).plannedReport() },
        { _ = try MoviePackager([movie]).plannedReport() }, { _ = try trimmed(movie).plannedReport() },
      ]
      for make in makers {
        let error = #expect(throws: EditError.self) { try make() }
        #expect(
          error?.isRefusal == true && error?.reason.contains("fragment \(place) begins at") == true,
          "\(error?.reason ?? "")")
      }
    }
  }

  /// Rounding makes fragments overlap by less than a sample.
  @Test func roundedTimesAreAccepted() throws {
    var fine = try remade()
    for index in fine.samples[0].indices { fine.samples[0][index].duration = 20 }
    fine.editTrack { trak in trak.patch("mdia/mdhd", at: 12, 600, width: 4) }
    let movie = try edited(fine) { boxes in
      guard let fields = boxes[4]["traf/tfdt"]?.fields else { return }
      let time = PlainBox.number(fields[4..<12])
      boxes[4].patch("traf/tfdt", at: 4, time - 1, width: 8)
    }
    #expect(try MovieFlattener(movie).plannedReport().notices.isEmpty)
  }

  @Test func missingFragmentsAreNamed() throws {
    let movie = try edited(remade()) { boxes in boxes.removeSubrange(4...5) }
    let notices = try MovieFlattener(movie).plannedReport().notices
    let length = try #require(try remade().samples[0].first).duration
    let wanted = MediaTime(value: Int64(length), timescale: movie.tracks[0].timescale)
    #expect(notices == [.fragmentMissing(after: 1, duration: wanted)] || length == 0, "\(notices)")
  }

  /// Samsung's cameras append their own data, which are found from the end of the file.
  @Test func trailersStayAtTheEnd() throws {
    let trailer = PlainBox("sefd", Array("SEFH0123456789SEFT".utf8))
    let movie = try edited(remade()) { boxes in boxes.append(trailer) }
    for made in [try MovieFlattener(movie).plannedMovie(), try trimmed(movie).plannedMovie()] {
      let size = try #require(made.source.size)
      let count = trailer.bytes.count
      #expect(try made.source.read(at: size - UInt64(count), count: count).array == trailer.bytes)
    }
  }

  // MARK: Brands

  /// Tables are not what CMAF and DASH promise.
  @Test func brandsOfFragmentsGoWithThem() throws {
    func brands(_ name: String) throws -> MovieFile {
      var movie = try remade(name)
      movie.fileType = Array("dash".utf8) + [0, 0, 2, 0] + Array("iso6cmfcdashmp41".utf8)
      return try MovieFile(bytes: movie.fragmented(samplesEach: 2))
    }
    let movie = try brands("spatial.mov")
    for (name, made) in [
      ("trim", try trimmed(movie).plannedMovie()), ("join", try MovieJoiner([movie, movie]).plannedMovie()),
      ("strip", try MovieStripper(movie).plannedMovie()), ("split", try MovieSplitter(movie).plannedMovie()),
      ("merge", try MovieMerger(brands("two-tracks-lhv1.mp4")).plannedMovie()),
      ("flatten", try MovieFlattener(movie).plannedMovie()),
    ] {
      let type = try #require(made.tree?.first("ftyp")?.payload(FileTypeBox.self))
      // The version was one of the brand.
      #expect(type.minorVersion == 0, "\(name)")
      #expect(type.majorBrand == "iso6" && type.compatibleBrands == ["iso6", "mp41"], "\(name): \(type)")
    }
  }

  // MARK: Event messages

  private func message(_ version: UInt8, _ time: UInt64, _ id: UInt64, scale: UInt32) -> PlainBox {
    let text = Array("urn:e\0\0".utf8)
    let numbers =
      PlainBox.bytes(UInt64(scale), 4) + PlainBox.bytes(time, version == 0 ? 4 : 8) + PlainBox.bytes(9, 4)
      + PlainBox.bytes(id, 4)
    return PlainBox("emsg", [version, 0, 0, 0] + (version == 0 ? text + numbers : numbers + text))
  }

  /// The numbers of the messages before each fragment, and of those after the last one.
  private func messages(_ boxes: [Box]) -> [[UInt32]] {
    var found: [[UInt32]] = [[]]
    for box in boxes {
      if let id = box.payload(EventMessageBox.self)?.id { found[found.count - 1].append(id) }
      if box.type == "moof" { found.append([]) }
    }
    return found
  }

  @Test func eventMessagesPrecedeTheirFragment() throws {
    var movie = try remade()
    let plain = try MovieFile(bytes: movie.encoded())
    let track = plain.tracks[0], scale = track.timescale
    let times = try track.samples().map { UInt64($0.decodeTime) }
    movie.others += [
      message(1, times[3] + 1, 1, scale: scale), message(1, times[3] * 9, 2, scale: scale),
      message(1, times[2], 3, scale: scale), message(1, 0, 4, scale: scale), message(0, 1, 5, scale: scale),
      message(1, times[3] + 1, 6, scale: scale),
    ]
    let wanted: [[UInt32]] = [[4], [], [3], [1, 6, 2], []]
    for bytes in [movie.encoded(), movie.fragmented(samplesEach: 2) + movie.others.flatMap(\.bytes)] {
      let old = try MovieFile(bytes: bytes)
      var fragmenter = try MovieFragmenter(old)
      fragmenter.duration = MediaTime(value: 1, timescale: 1_000)
      (fragmenter.writesIndex, fragmenter.writesSegmentTypes) = (true, true)
      let report = try fragmenter.plannedReport()
      #expect(report.notices.contains(.boxesLeftOut(["emsg"])), "\(report.notices)")
      let boxes = try #require(fragmenter.plannedMovie().tree).boxes
      #expect(messages(boxes) == wanted)
      #expect(boxes.prefix(4).map(\.type) == ["ftyp", "moov", "sidx", "styp"])
      let starts = boxes.filter { $0.type == "styp" }.map(\.offset) + [boxes.last?.fileRange.upperBound ?? 0]
      let index = try #require(boxes.first { $0.type == "sidx" }?.payload(SegmentIndexBox.self))
      #expect(
        zip(starts, starts.dropFirst()).map { UInt32($1 - $0) } == index.references.map(\.referencedSize))
      // An edit that begins later presents everything earlier.
      movie.editTrack { trak in
        let edit = PlainBox.bytes(0, 4) + PlainBox.bytes(times[1], 4) + [0, 1, 0, 0]
        trak.children.append(PlainBox("edts", [], [PlainBox("elst", [0, 0, 0, 0, 0, 0, 0, 1] + edit)]))
      }
      var later = try MovieFragmenter(MovieFile(bytes: movie.encoded()))
      later.duration = MediaTime(value: 1, timescale: 1_000)
      movie.editTrack { trak in trak.children.removeAll { $0.type == "edts" } }
      let moved = try #require(later.plannedMovie().tree).boxes
      #expect(messages(moved) == [[], [4], [], [3, 1, 6, 2], []])
    }
  }

  @Test func eventMessagesAreStreamedWithThePictures() throws {
    var movie = try remade()
    let scale = try MovieFile(bytes: movie.encoded()).tracks[0].timescale
    let time = UInt64(movie.samples[0][0].duration) * 2
    movie.others.append(message(1, time, 7, scale: scale))
    movie.others.append(message(0, time, 8, scale: scale))
    var packager = try MoviePackager([MovieFile(bytes: movie.encoded())])
    packager.duration = MediaTime(value: 1, timescale: 1_000)
    let path = folder.path + "/stream"
    let report = try packager.write(to: path)
    #expect(report.notices.contains { $0.message.hasSuffix("left out: emsg") }, "\(report.notices)")
    for rendition in report.renditions {
      let files = try (1...rendition.segments).map { number in
        try FileBytes(path: path + "/\(rendition.name)/segment\(number).m4s")
      }
      let found = try files.map { try BoxTree($0).boxes.map(\.type) }
      #expect(found.map { $0.contains("emsg") } == [false, false, true, false], "\(rendition.name)")
      #expect(found[2].prefix(3) == ["styp", "emsg", "moof"])
    }
  }

  @Test func eventMessagesStayWhereTimesDo() throws {
    let movie = try edited(remade()) { boxes in
      let place = boxes.firstIndex { $0.type == "moof" } ?? 0
      boxes.insert(message(1, 1, 1, scale: 1_000), at: place)
      boxes.insert(message(0, 1, 2, scale: 1_000), at: place)
    }
    func kept(_ made: MovieFile) -> [UInt32] { messages(made.tree?.boxes ?? []).flatMap { $0 } }
    let lost = "boxes that apply only to the original are left out: emsg"
    let flattener = try MovieFlattener(movie)
    #expect(try kept(flattener.plannedMovie()) == [1])
    #expect(try flattener.plannedReport().notices.map(\.message) == [lost])
    #expect(try kept(MovieStripper(movie).plannedMovie()) == [1])
    #expect(try MovieStripper(movie).plannedReport().leftOut == [lost])
    #expect(try kept(MovieSplitter(movie).plannedMovie()) == [1])
    #expect(try MovieSplitter(movie).plannedReport().leftOut == [lost])
    #expect(try kept(trimmed(movie).plannedMovie()).isEmpty)
    #expect(try trimmed(movie).plannedReport().notices.contains { $0.message == lost })
    let joiner = try MovieJoiner([movie, movie])
    #expect(try kept(joiner.plannedMovie()).isEmpty)
    #expect(try joiner.plannedReport().notices.contains { $0.message == lost })
    // Without the time before the first sample, everything is earlier.
    var late = try remade()
    late.others.append(message(1, 1, 1, scale: 1_000))
    var skipping = try MovieFlattener(
      MovieFile(bytes: late.fragmented(samplesEach: 2, startTimes: [90_000]) + late.others[0].bytes))
    #expect(try kept(skipping.plannedMovie()) == [1])
    skipping.skipsStart = true
    #expect(try kept(skipping.plannedMovie()).isEmpty)
    #expect(try skipping.plannedReport().notices.map(\.message) == [lost])
  }

  // MARK: Other boxes

  @Test func boxesAndFlagsOfFragmentsAreNamed() throws {
    let movie = try edited(remade()) { boxes in
      for place in boxes.indices.reversed() where boxes[place].type == "moof" {
        boxes[place].edit("traf") { $0.children.append(PlainBox("uuid", [UInt8](repeating: 7, count: 20))) }
        boxes[place].patch("traf/trun", at: 8, 8 + UInt64(boxes[place].bytes.count))
        // Priority 5 of the sample.
        boxes[place].patch("traf/trun", at: 20, 5)
        boxes.insert(PlainBox("prft", [0, 0, 0, 0, 0, 0, 0, 1] + PlainBox.bytes(0, 12)), at: place)
      }
    }
    #expect(try movie.tracks[0].samples().allSatisfy { $0.flags.degradationPriority == 5 })
    let lost = [
      "boxes that apply only to the original are left out: prft, uuid",
      "track 1: the degradation priorities and padding bits of its samples are left out",
    ]
    func expect(_ messages: [String], _ name: String) {
      #expect(messages.filter { $0.contains("left out") } == lost, "\(name): \(messages)")
    }
    expect(try MovieFlattener(movie).plannedReport().notices.map(\.message), "flatten")
    expect(try trimmed(movie).plannedReport().notices.map(\.message), "trim")
    expect(try MovieJoiner([movie, movie]).plannedReport().notices.map(\.message), "join")
    expect(try MovieStripper(movie).plannedReport().leftOut, "strip")
    // Both tracks have samples of the one.
    let split = try MovieSplitter(movie).plannedReport().leftOut
    #expect(split.first == lost[0] && split.count == 3, "\(split)")
    #expect(try MovieFragmenter(movie).plannedReport().notices.map(\.message).contains(lost[0]))
    #expect(try !MovieFragmenter(movie).plannedReport().notices.map(\.message).contains(lost[1]))
  }

  /// A fragment can say that nothing follows for a time.
  @Test(arguments: [false, true]) func theLastFragmentMayBeEmpty(isDuration: Bool) throws {
    let movie = try edited(remade()) { boxes in
      let header: [UInt8] =
        isDuration ? [0, 3, 0, 8, 0, 0, 0, 1, 0, 0, 4, 0] : [0, 2, 0, 0, 0, 0, 0, 1]
      let time = PlainBox("tfdt", [1, 0, 0, 0] + PlainBox.bytes(100_000, 8))
      boxes.append(
        PlainBox(
          "moof", [],
          [
            PlainBox("mfhd", [0, 0, 0, 0, 0, 0, 0, 9]),
            PlainBox("traf", [], [PlainBox("tfhd", header), time]),
          ]))
    }
    let samples = try movie.tracks[0].samples()
    try #require(samples.endTime >= 100_000 && samples.count == 4)
    let made = try MovieFragmenter(movie).plannedMovie()
    #expect(made.tracks[0].sampleCount == 4)
    #expect(try MoviePackager([movie]).write(to: folder.path + "/empty").renditions.count == 2)
    #expect(try MovieFlattener(movie).plannedMovie().tracks[0].sampleCount == 4)
  }

  /// The span of composition times is that of the samples it is written for. ISO/IEC 14496-12, 8.6.1.4
  @Test func compositionSpansAreThoseOfTheFragments() throws {
    var movie = try remade()
    let length = Int32(movie.samples[0][0].duration)
    movie.samples[0][1].offset = -length
    movie.samples[0][0].offset = length
    let span = PlainBox(
      "cslg",
      [0, 0, 0, 0]
        + [length, -length, length, 0, 4 * length].flatMap {
          PlainBox.bytes(UInt64(UInt32(bitPattern: $0)), 4)
        })
    func spans(_ made: MovieFile) -> (inTable: Bool, inProperties: [UInt32]) {
      let extends = made.tree?["moov/mvex"]?.all("trep") ?? []
      return (
        made.tracks[0].box?["mdia/minf/stbl/cslg"] != nil,
        extends.compactMap { $0.payload(TrackExtensionPropertiesBox.self)?.trackID }
      )
    }
    var ordinary = movie
    ordinary.editTrack { trak in trak.edit("mdia/minf/stbl") { $0.children.append(span) } }
    let fragmented = try edited(movie) { boxes in
      let place = boxes.firstIndex { $0.type == "moov" } ?? 0
      boxes[place].edit("mvex") { extends in
        for id in [1, 9] as [UInt8] {
          extends.children.append(PlainBox("trep", [0, 0, 0, 0, 0, 0, 0, id] + span.bytes))
        }
      }
    }
    for isEdit in [false, true] {
      let all: [(MovieFile, [UInt32])] = [
        (try MovieFile(bytes: ordinary.encoded()), []), (fragmented, isEdit ? [] : [1]),
      ]
      for (old, wanted) in all {
        var fragmenter = try MovieFragmenter(old)
        fragmenter.writesEditsForOffsets = isEdit
        let made = try fragmenter.plannedMovie()
        let least = try made.tracks[0].samples().map(\.compositionOffset).min()
        #expect(least == (isEdit ? 0 : -Int64(length)))
        let found = spans(made)
        #expect(!found.inTable && found.inProperties == wanted, "\(isEdit): \(found)")
      }
    }
  }
}
