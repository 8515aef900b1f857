// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

/// Samples that have another description than the first.
@Suite struct SampleDescriptionTests {
  /// A movie whose samples all have a second description: the first, changed.
  private static func movie(
    type: FourCC = "hvc1", more: [UInt8] = [], _ change: (inout Box) throws -> Void = { _ in }
  ) throws -> EditedMovie {
    var movie = EditedMovie()
    var second = try #require(movie.tree["moov/trak/mdia/minf/stbl/stsd/hvc1"])
    try change(&second)
    try movie.append(box(type, Array(second.encoded().dropFirst(8)) + more), to: "\(EditedMovie.tables)/stsd")
    movie.edit("\(EditedMovie.tables)/stsd", SampleDescriptionBox.self) { $0.entryCount = 2 }
    Self.useTheSecond(&movie, EditedMovie.tables)
    return movie
  }

  /// Makes all samples have the second description.
  private static func useTheSecond(_ movie: inout EditedMovie, _ tables: String) {
    movie.edit("\(tables)/stsc", SampleToChunkBox.self) { table in
      table.entries = .of(
        table.entries.map { entry in
          var entry = entry
          entry.sampleDescriptionIndex = 2
          return entry
        })
    }
  }

  @Test func theSameSaidTwice() throws {
    let once = try EditedMovie().opened().check()
    let twice = try Self.movie().opened().check()
    #expect(twice.verdicts == once.verdicts && once.verdict(.spatial)?.outcome == .pass)
  }

  /// What is said of the movie goes by the description that the samples have.
  @Test func anotherThatLacksTheSecondView() throws {
    let movie = try Self.movie { $0.children.removeAll { $0.type == "lhvC" } }.opened()
    var alone = EditedMovie()
    alone.remove("\(EditedMovie.entry)/lhvC")
    #expect(try movie.check().verdicts == alone.opened().check().verdicts)
    #expect(try movie.tracks[0].layers == alone.opened().tracks[0].layers)
    #expect(movie.check().verdict(.spatial)?.outcome == .fail)
  }

  /// The first description in the table, which no sample has, decides nothing: codec, size, colour and tags are those of the
  /// second.
  @Test func aFirstDescriptionOfNoSample() throws {
    var movie = try Self.movie()
    movie.edit(EditedMovie.entry) { entry in
      entry.children.removeAll { ["lhvC", "vexu", "hfov", "colr"].contains($0.type) }
    }
    movie.edit(EditedMovie.entry, VisualSampleEntry.self) { ($0.width, $0.height) = (16, 16) }
    movie.edit("\(EditedMovie.entry)/hvcC", HEVCConfigurationBox.self) {
      $0.record.generalLevelIdc = .init(rawValue: 186)
    }
    let opened = try movie.opened(), plain = try EditedMovie().opened()
    let track = try #require(opened.tracks.first), expected = try #require(plain.tracks.first)
    #expect(
      track.formatDescriptions.map { $0.visual?.width } == [16, expected.mainDescription?.visual?.width])
    #expect(track.codecString == expected.codecString && track.colour == expected.colour)
    #expect(MovieSummary(opened).tracks == MovieSummary(plain).tracks)
    #expect(opened.playlistAttributes == plain.playlistAttributes && opened.playlistAttributes != nil)
  }

  /// A movie whose first description has parameter sets that the samples do not name. They have the second, from the sample
  /// with that number on.
  private static func otherSets(from sample: Int) throws -> EditedMovie {
    var movie = try Self.movie { entry in
      for index in entry.children.indices where entry.children[index].type == "hvcC" {
        try entry.children[index].edit(HEVCConfigurationBox.self) { box in
          for array in box.record.arrays.indices
          where box.record.arrays[array].nalUnitType == .pictureParameterSet {
            box.record.arrays[array].units = box.record.arrays[array].nalUnits.compactMap { unit in
              var set = unit.rbsp.decode(PictureParameterSet()).value
              set.ppsPicParameterSetID = 7
              return try? NALUnit(unit.header, set).bytes
            }
          }
        }
      }
    }
    movie.edit("\(EditedMovie.tables)/stsd") { stsd in
      let first = stsd.children[0]
      stsd.children[0] = stsd.children[1]
      stsd.children[1] = first
    }
    let samples = try #require(try EditedMovie().opened().tracks.first?.samples())
    movie.edit("\(EditedMovie.tables)/stco", ChunkOffsetBox.self) { table in
      // Appending the second description has moved the media already; what is changed now is followed in writing.
      let moved = Int(table.entries.first?.value ?? 0) - Int(samples.sample(at: 0)?.offset ?? 0)
      table.entries = .of(samples.map { UInt32Record(UInt32(Int($0.offset) + moved)) })
    }
    movie.edit("\(EditedMovie.tables)/stsc", SampleToChunkBox.self) { table in
      func run(_ first: Int, _ description: UInt32) -> SampleToChunkBox.Entry {
        var entry = SampleToChunkBox.Entry()
        (entry.firstChunk, entry.samplesPerChunk, entry.sampleDescriptionIndex) = (
          UInt32(first), 1, description
        )
        return entry
      }
      table.entries = .of(sample == 0 ? [run(1, 2)] : [run(1, 1), run(sample + 1, 2)])
    }
    return movie
  }

  /// The movie as its own tree writes it: offsets are right already.
  private static func opened(_ movie: EditedMovie) throws -> MovieFile {
    try MovieFile(bytes: try movie.tree.encoded())
  }

  /// Pictures are not judged by the parameter sets of another description.
  @Test func anotherPictureParameterSet() throws {
    let movie = try Self.opened(try Self.otherSets(from: 0))
    let report = movie.check()
    #expect(!report.findings.contains { $0.rule.id == "MV101" }, "\(report.findings.map(\.rule.id))")
    #expect(try report.verdicts == EditedMovie().opened().check().verdicts)
  }

  @Test func aDecoderGetsTheSetsOfTheSample() throws {
    let plain = try #require(try EditedMovie().opened().tracks.first)
    for start in [0, 2] {
      let track = try #require(try Self.opened(try Self.otherSets(from: start)).tracks.first)
      let count = try track.samples().count
      #expect(count > 2)
      for index in start..<count {
        var (cursor, other) = (
          try #require(try track.makeSampleCursorAtFirstSampleInDecodeOrder()),
          try #require(try plain.makeSampleCursorAtFirstSampleInDecodeOrder())
        )
        cursor.stepInDecodeOrder(byCount: Int64(index))
        other.stepInDecodeOrder(byCount: Int64(index))
        let groups = try track.taggedNALUnits(at: cursor), expected = try plain.taggedNALUnits(at: other)
        #expect(groups.map(\.layerID) == expected.map(\.layerID))
        #expect(groups.map(\.tags) == expected.map(\.tags))
        for (group, wanted) in zip(groups, expected) {
          #expect(try group.annexB(withParameterSets: true) == wanted.annexB(withParameterSets: true))
        }
      }
    }
  }

  @Test func whatIsExtractedHasTheSetsOfItsSamples() throws {
    func extracted(_ track: Track) throws -> [UInt8] {
      var bytes: [UInt8] = []
      let summary = try track.extract(layers: [0, 1]) {
        bytes += $0
        return true
      }
      #expect(summary.error == nil && summary.layers == [0, 1])
      return bytes
    }
    let plain = try extracted(try #require(try EditedMovie().opened().tracks.first))
    let whole = try extracted(try #require(try Self.opened(try Self.otherSets(from: 0)).tracks.first))
    #expect(whole == plain)
    // Where the description changes on the way, its sets come with the first of its samples.
    let mixed = try extracted(try #require(try Self.opened(try Self.otherSets(from: 2)).tracks.first))
    func units(_ bytes: [UInt8]) -> [NALUnit] {
      AnnexBNALUnits(ByteView(bytes)).compactMap { try? $0.get() }
    }
    let sets = units(plain).prefix { !$0.type.isVideoCodingLayer }.filter(\.type.isParameterSet)
    let second = units(mixed).drop { !$0.type.isVideoCodingLayer }
    #expect(!sets.isEmpty && sets.allSatisfy { set in second.contains { $0.bytes == set.bytes } })
  }

  @Test func rulesLookAtAllDescriptionsThatSamplesHave() throws {
    // The first description is right for no sample that has it.
    let report = try Self.opened(try Self.otherSets(from: 2)).check()
    #expect(report.findings.contains { $0.rule.id == "MV101" })
    // Twice the same is said once.
    #expect(Set(report.findings).count == report.findings.count)
    // A record of the second alone: the samples of the first are sound.
    var movie = try Self.otherSets(from: 2)
    movie.edit("\(EditedMovie.tables)/stsd") { stsd in
      let second = stsd.children[1]
      stsd.children[1] = stsd.children[0]
      stsd.children[0] = second
    }
    let other = try Self.opened(movie).check()
    #expect(other.findings.contains { $0.rule.id == "MV101" }, "\(other.findings.map(\.rule.id))")
    // As many samples as are looked at count from the first that has the description.
    var options = CheckOptions()
    options.maximumSamples = 2
    let short = try Self.opened(movie).check(options)
    #expect(short.findings.contains { $0.rule.id == "MV101" }, "\(short.findings.map(\.rule.id))")
  }

  /// What hides tags of one track is repaired first for that track alone.
  @Test func tagsHiddenInAnotherTrack() throws {
    var movie = EditedMovie()
    let track = try #require(movie.tree["moov/trak"])
    movie.remove("\(EditedMovie.entry)/hfov")
    try movie.append(box("hfov", u32(70_000)), to: "\(EditedMovie.entry)/vexu")
    try movie.append(track.encoded(), to: "moov")
    movie.edit("moov/trak[1]/tkhd", TrackHeaderBox.self) { $0.trackID = 9 }
    let chunks = try #require(movie.tree["moov/trak[0]/mdia/minf/stbl/stco"]?.payload(ChunkOffsetBox.self))
    movie.edit("moov/trak[1]/mdia/minf/stbl/stco", ChunkOffsetBox.self) { $0 = chunks }
    movie.edit("moov/trak[1]/mdia/minf/stbl/stsd/hvc1/vexu/eyes/cams/blin", CameraBaselineBox.self) {
      $0.baseline.rawValue = 64_000_000
    }
    let report = try movie.opened().check()
    let hidden = try #require(report.findings.first { $0.rule.id == "MV034" })
    let wrong = try #require(report.findings.first { $0.rule.id == "MV092" })
    #expect(hidden.trackID == 1 && wrong.trackID == 9)
    #expect(report.cure(of: hidden) == .repair && report.cure(of: wrong) == .askForTag(.baseline))
  }

  /// Dolby Vision has types of its own.
  @Test(arguments: [("hev1", "hvc1"), ("dvhe", "dvh1")]) func entryTypesWithSets(type: String, wanted: String)
    throws
  {
    let report = try Self.movie(type: try #require(FourCC(type))).opened().check()
    #expect(report.findings.first { $0.rule.id == "MV005" }?.wanted == wanted)
  }

  /// A finding about the box of an entry itself names it, too.
  @Test func theEntryOfAFinding() throws {
    let report = try Self.movie(type: "hev1").opened().check()
    let found = try #require(report.findings.first { $0.rule.id == "MV005" })
    #expect(found.entry == 2 && found.path.hasSuffix("/hev1"), "\(found.path)")
  }

  @Test func whatSaysNothingMakesNoDifference() throws {
    let plain = try EditedMovie().opened().check()
    let report = try Self.movie(more: box("free", [1, 2, 3])).opened().check()
    #expect(report.verdicts == plain.verdicts)
  }

  /// Another track of its own does not keep the movie from being judged.
  @Test func otherTracks() throws {
    let plain = try EditedMovie().opened().check()
    var movie = EditedMovie()
    let other = try Self.movie { $0.children.removeAll { $0.type == "lhvC" || $0.type == "vexu" } }
    let track = try #require(other.tree["moov/trak"])
    try movie.append(track.encoded(), to: "moov")
    movie.edit("moov/trak[1]/tkhd", TrackHeaderBox.self) { $0.trackID = 9 }
    // Both tracks have the same samples.
    let chunks = try #require(
      movie.tree["moov/trak[0]/mdia/minf/stbl/stco"]?.payload(ChunkOffsetBox.self))
    movie.edit("moov/trak[1]/mdia/minf/stbl/stco", ChunkOffsetBox.self) { $0 = chunks }
    let report = try movie.opened().check()
    // The samples of the other track have two layers, and a description without lhvC and vexu: that is said of that track.
    #expect(plain.verdict(.spatial)?.outcome == .pass && report.verdict(.spatial)?.outcome == .fail)
    let errors = report.findings.filter { $0.severity == .error }
    #expect(!errors.isEmpty && errors.allSatisfy { $0.trackID == 9 }, "\(errors)")
    #expect(!report.findings.contains { $0.rule.id == "MV100" })
  }

  @Test func lengthsOfAnotherSize() throws {
    var movie = try Self.movie { entry in
      for index in entry.children.indices {
        switch entry.children[index].type {
        case "hvcC":
          try entry.children[index].edit(HEVCConfigurationBox.self) { $0.record.lengthSizeMinusOne = 1 }
        case "lhvC":
          try entry.children[index].edit(LHEVCConfigurationBox.self) { $0.record.lengthSizeMinusOne = 1 }
        default: break
        }
      }
    }
    let track = try #require(try EditedMovie().opened().tracks.first)
    var samples: [[UInt8]] = []
    try track.forEachAccessUnit { places, walker in
      let units = places.units.compactMap { place in try? walker.unit(place)?.bytes.array }
      samples.append(units.flatMap { Array(u32(UInt32($0.count)).suffix(2)) + $0 })
      return true
    }
    try movie.place(samples)
    movie.edit("\(EditedMovie.tables)/stsc", SampleToChunkBox.self) { table in
      var entry = SampleToChunkBox.Entry()
      (entry.firstChunk, entry.samplesPerChunk, entry.sampleDescriptionIndex) = (1, UInt32(samples.count), 2)
      table.entries = .of([entry])
    }
    var errors = 0
    var counts: [Int] = []
    try movie.opened().tracks.first?.forEachAccessUnit { places, _ in
      if places.error != nil { errors += 1 }
      counts.append(places.units.count)
      return true
    }
    let opened = try #require(try movie.opened().tracks.first)
    #expect(opened.layerAnalysis.firstSampleGap == nil && opened.layerAnalysis.knowsFirstSample)
    #expect(errors == 0 && counts.count == samples.count && counts.allSatisfy { $0 > 1 })
  }

  @Test func encryptedOnes() throws {
    let movie = try Self.movie(type: "encv", more: box("sinf", box("frma", code("hvc1")))).opened()
    let track = try #require(movie.tracks.first)
    var errors: [ParseError] = []
    try track.forEachAccessUnit { unit, _ in
      if let error = unit.error { errors.append(error) }
      #expect(unit.units.isEmpty)
      return true
    }
    let count = try track.samples().count
    #expect(errors.count == count && errors.first?.reason == "the key of sample description 2 is missing")
    var bytes = 0
    let summary = try track.extract(layers: [0]) {
      bytes += $0.count
      return true
    }
    #expect(summary.samples == 0 && summary.damagedSamples == count)
    #expect(!track.layerAnalysis.units.contains { $0.source == .sample(0) })
    let report = movie.check()
    // As if the encrypted description were the only one: no sample has the other.
    var alone = EditedMovie()
    let entry = try #require(alone.tree["moov/trak/mdia/minf/stbl/stsd/hvc1"])
    alone.replace(
      EditedMovie.entry,
      with: try box("encv", Array(entry.encoded().dropFirst(8)) + box("sinf", box("frma", code("hvc1")))))
    let expected = try alone.opened().check().verdict(.spatial)
    #expect(report.verdict(.spatial)?.outcome == expected?.outcome, "\(report.findings)")
    #expect(!report.findings.contains { ["MV053", "MV082"].contains($0.rule.id) })
  }

  @Test func encryptedOnesOfAJoinedTrack() throws {
    var movie = EditedMovie("two-tracks-lhv1.mp4")
    let tables = "moov/trak[0]/mdia/minf/stbl"
    let first = try #require(movie.tree["moov/trak[0]/mdia/minf/stbl/stsd/hvc1"])
    try movie.append(
      box("encv", Array(first.encoded().dropFirst(8)) + box("sinf", box("frma", code("hvc1")))),
      to: "\(tables)/stsd")
    movie.edit("\(tables)/stsd", SampleDescriptionBox.self) { $0.entryCount = 2 }
    Self.useTheSecond(&movie, tables)
    let joined = try #require(try movie.opened().tracks.first?.joined)
    let summary = try joined.extract(layers: [0, 1]) { _ in true }
    #expect(summary.error?.reason == "the key of sample description 2 is missing")
    #expect(summary.damagedSamples == 4)
  }
}
