// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// Movies that become fragmented, and ordinary again.
@Suite struct FragmentTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// What a movie says of a sample, without its place.
  private func rows(_ track: Track) throws -> [[Int64]] {
    try track.samples().map {
      [
        $0.decodeTime, $0.compositionOffset, $0.duration, Int64($0.size), Int64($0.flags.rawValue),
        Int64($0.descriptionIndex),
      ]
    }
  }

  /// Which groups each sample is in, in a reading of its own: descriptions as bytes, from tables and from fragments.
  private func groups(_ track: Track, of movie: MovieFile) throws -> [FourCC: [ByteView?]] {
    let tree = try #require(movie.tree)
    let table = try #require(track.box?["mdia/minf/stbl"])
    var found: [FourCC: [ByteView?]] = [:]
    var counted = 0
    func descriptions(_ boxes: [Box]) -> [FourCC: SampleGroupDescriptionBox] {
      Dictionary(
        boxes.compactMap { tree.whole($0).payload(SampleGroupDescriptionBox.self) }.map {
          ($0.groupingType, $0)
        }
      ) { first, _ in first }
    }
    let common = descriptions(table.children)
    func add(_ boxes: [Box], from first: Int) {
      for box in boxes {
        guard let runs = tree.whole(box).payload(SampleToGroupBox.self) else { continue }
        var list = found[runs.groupingType] ?? []
        while list.count < first { list.append(nil) }
        for run in runs.entries {
          let index = Int(run.groupDescriptionIndex) - 1
          let entries = common[runs.groupingType]?.entries ?? []
          let value = entries.indices.contains(index) ? entries[index] : nil
          for _ in 0..<run.sampleCount {
            list.append(try? value.map { ByteView(try Self.bytes($0)) })
          }
        }
        found[runs.groupingType] = list
      }
    }
    add(table.children, from: 0)
    for fragment in tree.boxes where fragment.type == "moof" {
      for traf in fragment.children where traf.first(TrackFragmentHeaderBox.self)?.trackID == track.id {
        add(traf.children, from: counted)
        for run in traf.all("trun") { counted += run.payload(TrackRunBox.self)?.rows.count ?? 0 }
      }
    }
    return found.mapValues { list in
      var list = list
      while let last = list.last, last == nil { list.removeLast() }
      return list
    }.filter { !$0.value.isEmpty }
  }

  private static func bytes(_ entry: some Any) throws -> [UInt8] { Array("\(entry)".utf8) }

  private func comparePresentation(
    _ movie: MovieFile, _ other: MovieFile, within tolerance: Double, _ name: String
  ) throws {
    #expect(movie.tracks.count == other.tracks.count, "\(name)")
    for (old, new) in zip(movie.tracks, other.tracks) {
      let difference = try ShownSamples(new, of: other).difference(
        ShownSamples(old, of: movie), within: tolerance)
      #expect(difference == nil, "\(name): track \(old.id)")
    }
  }

  /// Fragments a movie and flattens it again; all that a viewer sees and every byte of every sample must be the same.
  private func check(_ movie: MovieFile, _ name: String) throws {
    var fragmenter = try MovieFragmenter(movie)
    fragmenter.duration = MediaTime(value: 1, timescale: 2)
    fragmenter.writesIndex = true
    let report = try fragmenter.plannedReport()
    let fragmented = try fragmenter.plannedMovie()
    #expect(fragmented.container.isFragmented && report.fragments > 0)
    for (old, new) in zip(movie.tracks, fragmented.tracks) {
      #expect(try rows(old) == rows(new), "\(name): track \(old.id)")
      if !movie.container.isFragmented {
        #expect(try groups(old, of: movie) == groups(new, of: fragmented), "\(name): track \(old.id)")
      }
      for (before, after) in zip(old.formatDescriptions, new.formatDescriptions) {
        #expect(before.box.bytes.array == after.box.bytes.array, "\(name): sample entry of track \(old.id)")
      }
      #expect(
        old.box?["edts"]?.bytes.array == new.box?["edts"]?.bytes.array, "\(name): edits of track \(old.id)")
    }
    try comparePresentation(movie, fragmented, within: 1e-9, name)
    let comparison = try MovieComparison(movie, fragmented)
    let lost = comparison.differences.filter { (found: MovieDifference) in
      found.kind != .structure && found.kind != .bytes
    }
    #expect(lost.isEmpty, "\(name): \(lost)")
    let flat = try MovieFlattener(fragmented).plannedMovie()
    #expect(!flat.container.isFragmented, "\(name)")
    let gaps = movie.container.isFragmented
    try comparePresentation(movie, flat, within: gaps ? 0.002 : 1e-9, name)
    guard !gaps else { return }
    for (old, new) in zip(movie.tracks, flat.tracks) {
      // A last sample that lasts no time is shown for a unit.
      if try old.samples().contains(where: { $0.duration == 0 }) { continue }
      #expect(try rows(old) == rows(new), "\(name): track \(old.id)")
      #expect(try groups(old, of: movie) == groups(new, of: flat), "\(name): track \(old.id)")
    }
    let before = Set(movie.check().findings.filter { $0.severity == .error }.map(\.rule.id))
    for made in [fragmented, flat] {
      let after = Set(made.check().findings.filter { $0.severity == .error }.map(\.rule.id))
      #expect(after.subtracting(before).isEmpty, "\(name): \(after.subtracting(before))")
    }
  }

  @Test(arguments: [
    "spatial.mov", "stereo-no-hfov.mov", "hdr10.mp4", "half-equirect-180.mov", "two-tracks-lhv1.mp4",
    "two-tracks-hvc2.mp4", "timecode.mov", "metadata-keys.mov", "edit-list-trim.mp4",
    "two-views-fragmented.mp4", "cmaf-hevc-sidx.mp4",
  ]) func fixturesComeBack(name: String) throws {
    try check(MovieFile(path: Fixtures.path(name)), name)
  }

  @Test(.enabled(if: Corpus.isPresent)) func moviesOfTheCorpusComeBack() throws {
    let corpus = try #require(Corpus.folder)
    var (count, fragmented, refused) = (0, 0, [String]())
    for name in CorpusEditingTests.movies {
      guard let movie = try? MovieFile(path: corpus + "/" + name), movie.tree?.first("moov") != nil,
        movie.tracks.contains(where: { $0.sampleCount > 0 }), (movie.source.size ?? 0) < 8 << 20
      else { continue }
      do {
        try check(movie, name)
        count += 1
        if movie.container.isFragmented { fragmented += 1 }
      } catch let error as EditError { refused.append("\(name): \(error)") }
    }
    for line in refused { print("refused: \(line)") }
    print("\(count) movies fragmented and flattened, \(fragmented) of which had fragments before")
    #expect(count > 60 && fragmented > 3)
  }

  @Test func fragmentsAreAsCMAFHasThem() throws {
    var fragmenter = try MovieFragmenter(MovieFile(path: Fixtures.path("spatial.mov")))
    fragmenter.duration = MediaTime(value: 1, timescale: 10)
    fragmenter.writesSegmentTypes = true
    fragmenter.writesIndex = true
    let path = folder.path + "/f.mov"
    try fragmenter.write(to: path)
    let tree = try BoxTree(FileBytes(path: path))
    #expect(tree.boxes.prefix(4).map(\.type) == ["ftyp", "moov", "sidx", "styp"])
    let table = try #require(tree["moov/trak/mdia/minf/stbl"])
    #expect(table.first(TimeToSampleBox.self)?.entries.isEmpty == true && table.first("stss") == nil)
    // The defaults follow the last track (RFC 8216, 3.3), and metadata, which may be long, follows the defaults.
    let parts = try #require(tree.first("moov")).children.map(\.type)
    let extends = try #require(parts.firstIndex(of: "mvex")), last = try #require(parts.lastIndex(of: "trak"))
    #expect(last < extends && parts.count { $0 == "mvex" } == 1, "\(parts)")
    #expect(parts[..<extends].allSatisfy { $0 != "udta" && $0 != "meta" }, "\(parts)")
    #expect(parts.contains("udta"), "\(parts)")
    #expect(tree["moov/mvhd"]?.payload(MovieHeaderBox.self)?.duration == 0)
    var position = 0
    for (index, box) in tree.boxes.enumerated() where box.type == "moof" {
      let data = tree.boxes[index + 1]
      #expect(data.type == "mdat")
      for traf in box.all("traf") {
        let header = try #require(traf.first(TrackFragmentHeaderBox.self))
        #expect(header.isDefaultBaseMoof && header.baseDataOffset == nil && traf.first("tfdt") != nil)
        let run = try #require(traf.first(TrackRunBox.self))
        #expect(run.dataOffset.map(Int.init) == box.size + data.headerSize)
      }
      position += 1
    }
    let index = try #require(tree.first("sidx")?.payload(SegmentIndexBox.self))
    #expect(index.references.count == position && index.firstOffset == 0)
    let starts =
      tree.boxes.filter { $0.type == "styp" }.map(\.offset) + [tree.boxes.last?.fileRange.upperBound ?? 0]
    #expect(zip(starts, starts.dropFirst()).map { UInt32($1 - $0) } == index.references.map(\.referencedSize))
  }

  @Test func whatCannotBeFragmentedIsRefusedOrReported() throws {
    let movie = try MovieFile(path: Fixtures.path("spatial.mov"))
    var tree = try #require(movie.tree)
    let second = try PackedTable([UInt32Record(2)])
    try tree.edit("moov/trak/mdia/minf/stbl/stss", SyncSampleBox.self) { $0.entries = second }
    let unsynced = try MovieFile(source: MemoryBytes(try tree.encoded()))
    #expect(try MovieFragmenter(unsynced).plannedReport().notices == [.startsWithoutSync(trackID: 1)])
    // A table that takes pictures for ones that need no others.
    var all = try #require(movie.tree)
    let every = try PackedTable((1...4).map { UInt32Record($0) })
    try all.edit("moov/trak/mdia/minf/stbl/stss", SyncSampleBox.self) { $0.entries = every }
    var short = try MovieFragmenter(MovieFile(source: MemoryBytes(try all.encoded())))
    short.duration = MediaTime(value: 1, timescale: 30)
    let report = try short.plannedReport()
    #expect(report.fragments == 4 && report.notices == [.layersMissing(trackID: 1, fragment: 2)])
    // A table that promises bytes which the file does not have.
    var lying = try #require(movie.tree)
    try lying.edit("moov/trak/mdia/minf/stbl/stsz", SampleSizeBox.self) { $0.sampleSize = 1 << 30 }
    let liar = try MovieFile(source: MemoryBytes(try lying.encoded()))
    let lie = #expect(throws: EditError.self) { try MovieFragmenter(liar).plannedReport() }
    #expect(lie?.reason.contains("after the end of the file") == true, "\(String(describing: lie))")
    #expect(throws: EditError.self) {
      _ = try MovieFlattener(MovieFile(path: Fixtures.path("three-views.hevc")))
    }
  }

  // MARK: Parts of samples

  /// Which samples have parts of which sizes: the second, third and sixth, two each.
  private static func parts(_ rows: [(delta: UInt64, size: UInt64)]) -> PlainBox {
    let entries = rows.flatMap { row -> [UInt8] in
      let part = PlainBox.bytes(row.size, 2) + [0, 0] + PlainBox.bytes(7, 4)
      return PlainBox.bytes(row.delta, 4) + [0, 2] + part + part
    }
    return PlainBox("subs", [0, 0, 0, 1] + PlainBox.bytes(UInt64(rows.count), 4) + entries)
  }

  /// The sizes of the first parts, by the number of the sample, in a reading of its own.
  private func parts(_ track: Track, of movie: MovieFile) throws -> [Int: UInt32] {
    var found: [Int: UInt32] = [:]
    func add(_ box: Box?, from first: Int) throws {
      guard let box else { return }
      var number = first - 1
      for entry in try #require(box.payload(SubSampleInformationBox.self)).entries {
        number += Int(entry.sampleDelta)
        found[number] = entry.subsamples.first?.size
        #expect(entry.subsamples.count == 2 && entry.subsamples[1].codecSpecificParameters == 7)
      }
    }
    try add(track.box?["mdia/minf/stbl/subs"], from: 0)
    var count = 0
    for fragment in movie.tree?.boxes ?? [] where fragment.type == "moof" {
      for traf in fragment.children where traf.first(TrackFragmentHeaderBox.self)?.trackID == track.id {
        try add(traf.first("subs"), from: count)
        for run in traf.all("trun") { count += run.payload(TrackRunBox.self)?.rows.count ?? 0 }
      }
    }
    return found
  }

  @Test func partsOfSamplesStayWithTheirSamples() throws {
    var remade = try RemadeMovie(MovieFile(path: Fixtures.path("metadata-keys.mov")))
    remade.samples = [Array(remade.samples[0].prefix(6))]
    remade.dropOtherTracks()
    for index in [0, 2, 4] { remade.samples[0][index].isSync = true }
    let rows: [(UInt64, UInt64)] = [(2, 20), (1, 30), (3, 60)]
    remade.editTrack { trak in
      trak.edit("mdia/minf/stbl") { $0.children.append(Self.parts(rows)) }
    }
    let wanted: [Int: UInt32] = [1: 20, 2: 30, 5: 60]
    let movie = try MovieFile(bytes: remade.encoded())
    #expect(try parts(movie.tracks[0], of: movie) == wanted)
    for milliseconds in [1, 70, 100, 1_000] as [Int64] {
      var fragmenter = try MovieFragmenter(movie)
      fragmenter.duration = MediaTime(value: milliseconds, timescale: 1_000)
      let fragmented = try fragmenter.plannedMovie()
      #expect(fragmented.tracks[0].box?["mdia/minf/stbl/subs"] == nil)
      #expect(try parts(fragmented.tracks[0], of: fragmented) == wanted, "\(milliseconds) ms")
      // Fragments of fragments, and tables of those.
      let other = try MovieFragmenter(fragmented).plannedMovie()
      #expect(try parts(other.tracks[0], of: other) == wanted)
      let flat = try MovieFlattener(fragmented).plannedMovie()
      #expect(try parts(flat.tracks[0], of: flat) == wanted)
      #expect(flat.tree?.first("moof") == nil)
    }
  }

  /// What else is in fragments has no place in others, and is named.
  @Test func boxesOfFragmentsThatAreLeftOutAreNamed() throws {
    var boxes = PlainBox.boxes(
      try RemadeMovie(MovieFile(path: Fixtures.path("spatial.mov"))).fragmented(samplesEach: 2)[...])
    let place = try #require(boxes.firstIndex { $0.type == "moof" })
    boxes[place].edit("traf") { $0.children.append(PlainBox("uuid", [UInt8](repeating: 7, count: 20))) }
    boxes[place].children.append(PlainBox("udta"))
    // The offsets of the run count from the beginning of the fragment.
    boxes[place].patch("traf/trun", at: 8, 8 + UInt64(boxes[place].bytes.count))
    boxes.insert(PlainBox("prft", [UInt8](repeating: 0, count: 20)), at: place)
    let movie = try MovieFile(bytes: boxes.flatMap(\.bytes))
    let notice = FragmentReport.Notice.boxesLeftOut(["prft", "udta", "uuid"])
    #expect(try MovieFragmenter(movie).plannedReport().notices == [notice])
    #expect(try MovieFlattener(movie).plannedReport().notices == [notice])
    #expect(notice.message == "boxes that apply only to the original are left out: prft, udta, uuid")
  }

  /// Whatever is in the boxes of a movie, it is fragmented, flattened and streamed, or refused.
  @Test(arguments: ["spatial.mov", "two-views-fragmented.mp4", "edit-list-trim.mp4"])
  func damagedMoviesAreDoneOrRefused(name: String) throws {
    let good = Fixtures.bytes(name).array
    let tree = BoxTree(ByteView(good), registry: .standard)
    let places = tree.boxes.filter { $0.type == "moov" || $0.type == "moof" }.flatMap { Array($0.fileRange) }
    var state: UInt64 = 0x2545_F491_4F6C_DD1D
    func random(_ count: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(count))
    }
    var done = 0
    for _ in 0..<150 {
      var bytes = good
      for _ in 0...random(3) {
        let value = [0, 1, 0x7F, 0x80, 0xFF, UInt8(random(256))][random(6)]
        bytes[places[random(places.count)]] = value
      }
      guard let movie = try? MovieFile(source: MemoryBytes(ByteView(bytes))) else { continue }
      if (try? MovieFragmenter(movie).plannedReport()) != nil { done += 1 }
      if (try? MovieFlattener(movie).plannedReport()) != nil { done += 1 }
      if (try? MoviePackager([movie]).plannedReport()) != nil { done += 1 }
    }
    print("\(done) of 450 plans for damaged movies were made (\(name))")
    #expect(done > 100)
  }
}
