// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FileAccess
import HEVC
import ISOBMFF
import MVDumpCommand
import TestSupport
import Testing

@testable import Multiview

/// Movies made so that reading their samples takes long or much. What is bounded are counts, not times.
@Suite struct HostileSampleTests {
  static let unit: [UInt8] = Raw.u32(3) + [0x02, 0x01, 0x80]

  // MARK: Samples without bytes

  @Test func aHugeTableOfUniformSizes() throws {
    var track = HostileTrack()
    track.uniformSamples(0xFFFF_FFFF, size: 1, offset: 32, compositionOffset: -3)
    var movie = HostileMovie(tracks: [track, track, track], media: [0])
    movie.tracks[1].id = 2
    movie.tracks[2].id = 3
    let opened = try movie.opened()
    let limit = Limits.standard.maximumUniformSamples
    let counts = try opened.tracks.map { try $0.samples().count }
    #expect(counts == [limit, 0, 0])
    let memory = try spent {
      let samples = try opened.tracks[0].samples()
      #expect(samples.index(atCompositionRank: 6) == 7 && samples.index(atCompositionRank: 7) == 0)
      #expect(TimingSummary(samples).sampleCount == limit)
    }
    #expect(memory.peak <= 48 * limit)
    let list = try opened.tracks[0].samples().table.diagnostics()
    #expect(list.contains { $0.code == "limit-exceeded" && $0.message.contains("maximumUniformSamples") })
  }

  /// An edit list of 60 bytes that presents 400 000 samples without tables four times.
  @Test func presentationsWithoutNumber() {
    var track = HostileTrack()
    track.handler = "soun"
    track.description = Raw.fullBox(
      "stsd", Raw.u32(1), Raw.box("sowt", Raw.u32(0), Raw.u16(0, 1), Array(repeating: 0, count: 20)))
    track.uniformSamples(400_000, size: 1, offset: 32)
    track.edits = Raw.box(
      "edts", Raw.fullBox("elst", Raw.u32(4), Raw.words((0..<4).flatMap { _ in [400_000, 0, 0x1_0000] })))
    let bytes = ByteView(HostileMovie(tracks: [track], media: [0]).bytes)
    let output = OutputChannel(), errors = OutputChannel()
    let surroundings = Surroundings(
      output: output, errors: errors, environment: { _ in nil },
      openStandardInput: { _ in MemoryBytes(bytes) })
    let code = MVDump.run(["samples", "--presented", "--csv", "--samples", "7", "-"], in: surroundings)
    #expect(code == .unreadable)
    // Of the first pass, and of part of the second.
    let rows = output.buffer.text.split(separator: "\n").map { $0.split(separator: ",") }
    #expect(rows.map { $0[5] } == ["pts", "7", "400007"])
    #expect(errors.buffer.text.contains("524288 presentations (maximumUniformSamples)"))
  }

  @Test func uniformSamplesThatAreThereAreListed() throws {
    var limits = Limits()
    limits.maximumUniformSamples = 10
    var track = HostileTrack()
    track.uniformSamples(1_000, size: 1, offset: 32)
    let opened = try HostileMovie(tracks: [track], media: [UInt8](repeating: 0, count: 1_000)).opened(limits)
    #expect(try opened.tracks[0].samples().count == 1_000)
  }

  @Test func runsThatTakeNoBytes() throws {
    var movie = HostileMovie(tracks: [HostileTrack()])
    movie.more = Raw.box("mvex", Raw.fullBox("trex", Raw.u32(1, 1, 1, 1, 0)))
    let run = Raw.fullBox("trun", Raw.u32(1_000)) + Raw.fullBox("trun", Raw.u32(0x1000_0000))
    for _ in 0..<2_000 {
      movie.fragments += Raw.box("moof", Raw.box("traf", Raw.fullBox("tfhd", Raw.u32(1)), run))
    }
    let opened = try movie.opened()
    let samples = try opened.tracks[0].samples()
    // Each short run is taken as long as there is room, no long one.
    let limit = Limits.standard.maximumUniformSamples
    #expect(samples.count <= limit && samples.count > limit - 1_000)
    #expect(samples.reduce(0) { count, _ in count + 1 } == samples.count)
  }

  // MARK: Samples upon one another

  @Test func overlappingSamples() throws {
    var track = HostileTrack()
    let media = [[UInt8]](repeating: Self.unit, count: 1_000).flatMap { $0 }
    track.samples(
      sizes: [Int](repeating: media.count, count: 20_000),
      offsets: [Int](repeating: HostileMovie.mediaOffset, count: 20_000))
    let movie = HostileMovie(tracks: [track], media: media)
    let opened = try movie.opened()
    var units = 0, samples = 0
    var last: ParseError?
    let isWhole = try opened.tracks[0].forEachAccessUnit { places, _ in
      units += places.units.count
      samples += 1
      last = places.error
      return true
    }
    #expect(!isWhole && samples < 20_000)
    #expect(units <= movie.bytes.count)
    guard case .limitExceeded? = last?.code else {
      return #expect(Bool(false), "\(String(describing: last))")
    }
  }

  @Test func samplesOfManyTracksUponOneAnother() throws {
    let media = [[UInt8]](repeating: Self.unit, count: 1_000).flatMap { $0 }
    var movie = HostileMovie(media: media)
    for id in 1...100 {
      var track = HostileTrack(id: id)
      track.samples(
        sizes: [Int](repeating: media.count, count: 50),
        offsets: [Int](repeating: HostileMovie.mediaOffset, count: 50))
      movie.tracks.append(track)
    }
    let opened = try movie.opened()
    // Twice: what has been gone through once may be gone through again, and as far by each.
    for _ in 0..<2 {
      var units = [Int](repeating: 0, count: opened.tracks.count)
      for track in opened.tracks {
        try track.forEachAccessUnit { places, _ in
          units[track.index] += places.units.count
          return true
        }
      }
      #expect(Set(units).count == 1)
      let all = units.reduce(0, +)
      #expect(all > 1_000 && all <= 8 * movie.bytes.count)
    }
  }

  @Test func oneTrackOfManyIsWalkedWhole() throws {
    let media = [[UInt8]](repeating: Self.unit, count: 30_000).flatMap { $0 }
    var movie = HostileMovie(tracks: [HostileTrack()], media: media)
    movie.tracks[0].samples(sizes: [media.count], offsets: [HostileMovie.mediaOffset])
    for id in 2...100 {
      movie.tracks.append(HostileTrack(id: id, description: Raw.fullBox("stsd", Raw.u32(0))))
    }
    var units = 0
    let isWhole = try movie.opened().tracks[0].forEachAccessUnit { places, _ in
      units += places.units.count
      return places.error == nil
    }
    #expect(isWhole && units == 30_000)
  }

  @Test func overlappingSamplesAreNotExtractedForEver() throws {
    var track = HostileTrack()
    let media = Raw.u32(50_000) + [0x02, 0x01, 0x80] + [UInt8](repeating: 1, count: 49_997)
    track.samples(
      sizes: [Int](repeating: media.count, count: 5_000),
      offsets: [Int](repeating: HostileMovie.mediaOffset, count: 5_000))
    let movie = HostileMovie(tracks: [track], media: media)
    var written = 0
    let summary = try movie.opened().tracks[0].extract(layers: [0]) { piece in
      written += piece.count
      return true
    }
    #expect(written <= Limits.standard.maximumSampleOverlap * movie.bytes.count + 100_000)
    guard case .limitExceeded? = summary.error?.code else {
      return #expect(Bool(false), "\(String(describing: summary.error))")
    }
  }

  @Test func samplesThatDoNotOverlapAreAllWalked() throws {
    // The shortest units there are, in one sample and in many.
    let media = [[UInt8]](repeating: Raw.u32(2) + [0x02, 0x01], count: 5_000).flatMap { $0 }
    var one = HostileTrack(), many = HostileTrack()
    one.samples(sizes: [media.count], offsets: [HostileMovie.mediaOffset])
    many.samples(
      sizes: [Int](repeating: 6, count: 5_000), offsets: (0..<5_000).map { HostileMovie.mediaOffset + 6 * $0 }
    )
    for track in [one, many] {
      var units = 0
      let isWhole = try HostileMovie(tracks: [track], media: media).opened().tracks[0].forEachAccessUnit {
        places, _ in
        units += places.units.count
        return true
      }
      #expect(isWhole && units == 5_000)
    }
  }

  @Test func floodsOfEmptyUnits() throws {
    let media = [UInt8](repeating: 0, count: 100_000)
    var track = HostileTrack()
    track.samples(sizes: [media.count], offsets: [HostileMovie.mediaOffset])
    let opened = try HostileMovie(tracks: [track], media: media).opened()
    var units = 0
    try opened.tracks[0].forEachAccessUnit { places, _ in
      units += places.units.count
      return true
    }
    #expect(units == 0)
    // One error says that there were such units.
    #expect(LengthPrefixedNALUnits(ByteView(media), lengthSize: 1).reduce(0) { count, _ in count + 1 } == 1)
    let startCodes = [[UInt8]](repeating: [0, 0, 1], count: 50_000).flatMap { $0 }
    let found = AnnexBNALUnits(ByteView(startCodes)).filter { if case .success = $0 { true } else { false } }
    #expect(found.isEmpty)
  }

  /// A place in memory takes eight times what the smallest unit takes in the file.
  @Test func floodsOfSmallestUnits() throws {
    let most = 1 << 16
    for count in [most, most + 1, 3 * most] {
      let media = [[UInt8]](repeating: [0, 0, 0, 2, 2, 1], count: count).flatMap { $0 }
      var track = HostileTrack()
      track.samples(sizes: [media.count], offsets: [HostileMovie.mediaOffset])
      let opened = try HostileMovie(tracks: [track], media: media).opened().tracks[0]
      var found = 0
      var error: ParseError?
      try opened.forEachAccessUnit { places, _ in
        found += places.units.count
        error = error ?? places.error
        return true
      }
      #expect(found == most)
      // What is left out is said, with its place; a sample that just has room is whole.
      let offset = HostileMovie.mediaOffset + 6 * most + 4
      #expect((error == nil) == (count == most) && (error == nil || error?.offset == offset))
      #expect(error.map { "\($0)".contains("65536 NAL units of a sample") } ?? true)
    }
    // Units without payload that follow the last one that counts take no place.
    var media = [[UInt8]](repeating: [0, 0, 0, 2, 2, 1], count: most).flatMap { $0 }
    media += [0, 0, 0, 0, 0, 0, 0, 1, 2]
    var track = HostileTrack()
    track.samples(sizes: [media.count], offsets: [HostileMovie.mediaOffset])
    try HostileMovie(tracks: [track], media: media).opened().tracks[0].forEachAccessUnit { places, _ in
      #expect(places.units.count == most && places.error == nil)
      return true
    }
  }

  // MARK: What many tracks share

  @Test func manyTracksWithOneFirstSample() throws {
    // A suffix SEI of 400 kB that 200 tracks take for their first sample.
    let media = Raw.u32(400_000) + [0x50, 0x01] + [UInt8](repeating: 1, count: 399_997) + [0x80]
    var movie = HostileMovie(media: media)
    for id in 1...200 {
      var track = HostileTrack(id: id)
      track.samples(sizes: [media.count], offsets: [HostileMovie.mediaOffset])
      movie.tracks.append(track)
    }
    let opened = try movie.opened()
    let bytes = opened.tracks.map { track in
      track.layerAnalysis.units.reduce(0) { $0 + ($1.source == .sample(0) ? $1.unit.bytes.count : 0) }
    }
    // None has taken anything from another: what is too much for one is too much for each.
    #expect(Set(bytes) == [0])
    #expect(
      opened.tracks.allSatisfy { $0.layerAnalysis.firstSampleGap?.code.diagnosticCode == "limit-exceeded" })
    movie.tracks.removeLast(199)
    #expect(try movie.opened().tracks[0].layerAnalysis.units.contains { $0.unit.bytes.count == 400_000 })
  }

  @Test func tracksWithoutNumberAndContent() throws {
    // Of 120 000 tracks of eight bytes no more is kept than of those that are read.
    var movie = HostileMovie()
    movie.more = [[UInt8]](repeating: Raw.box("trak"), count: 120_000).flatMap { $0 }
    let bytes = movie.bytes
    let cost = try spent {
      let opened = try MovieFile(bytes: bytes)
      #expect(opened.tracks.count == Limits.maximumTracks)
      #expect(opened.diagnostics.contains { $0.code == "limit-exceeded" && $0.message.contains("tracks") })
      _ = opened.tracks.map { ($0.layers.count, $0.classification) }
    }
    #expect(cost.peak <= 64 << 20)
  }

  @Test func firstSamplesOfUnitsWithoutNumber() throws {
    let set = Raw.u32(9) + [0x44, 0x01, 0xC1, 0x72, 0xB0, 0x9C, 0x0A, 0x0C, 0x80]
    let media = [[UInt8]](repeating: set, count: 20_000).flatMap { $0 }
    var movie = HostileMovie(media: media)
    for id in 1...50 {
      var track = HostileTrack(id: id)
      track.samples(sizes: [media.count], offsets: [HostileMovie.mediaOffset])
      movie.tracks.append(track)
    }
    let units = try movie.opened().tracks.map { track in
      track.layerAnalysis.units.filter { $0.source == .sample(0) }.count
    }
    #expect(Set(units) == [16_384 / 50])
  }

  @Test func tracksThatReferInCircles() throws {
    var movie = HostileMovie()
    let ids = Array(1...60)
    for id in ids {
      var track = HostileTrack(id: id)
      track.references = Raw.box("tref", Raw.box("sbas", Raw.words(ids)), Raw.box("scal", Raw.words(ids)))
      movie.tracks.append(track)
    }
    // The enhancement entry makes each look for its base.
    let tree = BoxTree(Fixtures.bytes("two-tracks-lhv1.mp4"), registry: .standard)
    let enhancement = tree["moov/trak[1]/mdia/minf/stbl/stsd"]?.bytes.array ?? []
    for index in stride(from: 0, to: 60, by: 2) { movie.tracks[index].description = enhancement }
    let opened = try movie.opened()
    #expect(opened.tracks.count == 60)
    for track in opened.tracks {
      #expect(track.layers.count <= 64)
      _ = (track.classification, track.eyeAssignment, track.mediaCharacteristics)
    }
  }

  // MARK: Parameter sets

  /// Samples upon one another that have nothing but parameter sets: reading one costs many times what a walk over it does.
  @Test func parameterSetsUponOneAnother() throws {
    let unit = try NALUnit(NALUnitHeader(type: .videoParameterSet), VideoParameterSet.crowded).bytes.array
    let sets = [[UInt8]](repeating: Raw.u32(unit.count) + unit, count: 20).flatMap { $0 }
    var track = HostileTrack()
    track.samples(sizes: Array(repeating: sets.count, count: 50), offsets: Array(repeating: 32, count: 50))
    let opened = try HostileMovie(tracks: [track], media: sets).opened()
    // To walk over slices of that size fifty times is allowed, to read parameter sets so often is not. Everyone who asks
    // hears of it.
    var errors: [ParseError?] = []
    let isWhole = try opened.tracks[0].forEachAccessUnit { unit, _ in
      errors.append(unit.error)
      return true
    }
    #expect(!isWhole && errors.count == 3, "\(errors)")
    #expect("\(errors.last as Any)".contains("maximumSampleOverlap"), "\(errors)")
    let census = SampleCensus(opened.tracks[0], opened.tracks[0].layerAnalysis, maximumSamples: .max)
    #expect(census.beyondLimits?.sample == 2 && census.total == 50)
    var reported: [Int] = []
    _ = try opened.tracks[0].layerStatistics { sample, _ in reported.append(sample) }
    #expect(reported == [2])
  }

  /// One walk over samples beside one another is never too much, be they of nothing but small units that are read.
  @Test(arguments: [1, 2, 4], [0x44, 0x02])
  func smallUnitsBesideOneAnother(lengthSize: Int, type: UInt8) throws {
    for size in [2, 3, 4, 5, 6, 7, 8, 15, 16, 31, 32, 33, 255, 256] {
      let content = [type, 0x01] + [UInt8](repeating: 0xC1, count: size - 2)
      let unit = Array(Raw.u32(size).suffix(lengthSize)) + content
      guard size < 256 || lengthSize > 1 else { continue }
      let media = [[UInt8]](repeating: unit, count: 2_000).flatMap { $0 }
      let budget = WorkBudget(media.count * Limits.standard.maximumSampleOverlap)
      let walker = SampleWalker(MemoryBytes(media), lengthSize: lengthSize, budget: budget)
      #expect(try walker.walk(0..<UInt64(media.count), atMost: 2_000) { _ in } == nil, "\(size)")
    }
  }

  /// Samples upon one another of slices whose headers are long to read.
  @Test func slicesUponOneAnother() throws {
    let slice = [0x02, 0x01] + [UInt8](repeating: 0x55, count: 254)
    let media = [[UInt8]](repeating: Raw.u32(slice.count) + slice, count: 100).flatMap { $0 }
    var track = HostileTrack()
    track.samples(sizes: Array(repeating: media.count, count: 60), offsets: Array(repeating: 32, count: 60))
    let opened = try HostileMovie(tracks: [track], media: media).opened()
    var read = 0
    let isWhole = try opened.tracks[0].forEachAccessUnit { unit, _ in
      read += unit.units.count
      return true
    }
    // Bytes alone would allow all sixty.
    #expect(!isWhole && read > 1_000 && read < 3_000, "\(read)")
  }

  // MARK: Edits

  @Test func overlappingEdits() {
    let entry = EditListBox.Entry(editDuration: 1, mediaTime: 0)
    let edits = EditList(
      entries: [EditListBox.Entry](repeating: entry, count: 20_000), movieTimescale: 1, mediaTimescale: 1_000)
    #expect(edits.edits.count == 20_000)
    #expect(edits.diagnostics.map(\.code) == ["limit-exceeded"])
    #expect(edits.presentations(compositionTime: 0, duration: 1).count <= 2_048)
  }

  @Test func manyEditsInARowAreAllFollowed() {
    let entries = (0..<5_000).map { EditListBox.Entry(editDuration: 1, mediaTime: Int64($0)) }
    let edits = EditList(entries: entries, movieTimescale: 1, mediaTimescale: 1)
    #expect(edits.diagnostics.isEmpty)
    for time in stride(from: Int64(0), to: 5_000, by: 499) {
      #expect(edits.presentationTime(compositionTime: time, duration: 1) == time)
    }
  }
}
