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
    movie.edit("\(EditedMovie.tables)/stsc", SampleToChunkBox.self) { table in
      table.entries = .of(
        table.entries.map { entry in
          var entry = entry
          entry.sampleDescriptionIndex = 2
          return entry
        })
    }
    return movie
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
    let report = movie.check()
    #expect(report.verdict(.spatial)?.outcome == .unknown)
    #expect(!report.findings.contains { $0.rule == "MV053" })
  }
}
