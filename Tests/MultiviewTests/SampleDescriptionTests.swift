// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF
import Multiview
import TestSupport
import Testing

/// Samples that have another description than the first.
@Suite struct SampleDescriptionTests {
  /// A movie whose samples all have a second description: the first, changed.
  private static func movie(
    type: FourCC = "hvc1", more: [UInt8] = [], _ change: (inout Box) -> Void = { _ in }
  ) throws -> EditedMovie {
    var movie = EditedMovie()
    var second = try #require(movie.tree["moov/trak/mdia/minf/stbl/stsd/hvc1"])
    change(&second)
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

  @Test func anotherThatLacksTheSecondView() throws {
    let movie = try Self.movie { $0.children.removeAll { $0.type == "lhvC" } }.opened()
    let report = movie.check()
    #expect(report.verdict(.spatial)?.outcome == .unknown)
    #expect(report.verdict(.iso)?.outcome == .unknown)
    let told = report.findings.filter { $0.rule == "MV100" }.map(\.message)
    #expect(told.count == 1 && told.first?.contains("have sample description 2") == true, "\(told)")
  }

  /// Pictures are not judged by the parameter sets of another description.
  @Test func anotherPictureParameterSet() throws {
    let movie = try Self.movie { entry in
      for index in entry.children.indices {
        entry.children[index].edit(HEVCConfigurationBox.self) { box in
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
    // The first has another set than the samples name, which have the second.
    var swapped = movie
    swapped.edit("\(EditedMovie.tables)/stsd") { stsd in
      let first = stsd.children[0]
      stsd.children[0] = stsd.children[1]
      stsd.children[1] = first
    }
    let report = try swapped.opened().check()
    #expect(!report.findings.contains { $0.rule == "MV101" }, "\(report.findings.map(\.rule))")
    #expect(report.verdict(.stereo)?.outcome == .unknown)
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
    let report = try movie.opened().check()
    #expect(report.verdict(.spatial)?.outcome == plain.verdict(.spatial)?.outcome)
    #expect(!report.findings.contains { $0.rule == "MV100" })
  }

  @Test func lengthsOfAnotherSize() throws {
    var movie = try Self.movie { entry in
      for index in entry.children.indices {
        entry.children[index].edit(HEVCConfigurationBox.self) { $0.record.lengthSizeMinusOne = 1 }
        entry.children[index].edit(LHEVCConfigurationBox.self) { $0.record.lengthSizeMinusOne = 1 }
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
    #expect(report.verdict(.spatial)?.outcome == .unknown)
    #expect(!report.findings.contains { ["MV053", "MV082"].contains($0.rule) })
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
