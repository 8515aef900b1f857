// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

/// The same question has the same answer, whatever was asked before.
@Suite struct SameAnswerTests {
  /// A movie with three tracks of the same samples.
  private static func movie() throws -> [UInt8] {
    var movie = EditedMovie()
    let track = try #require(movie.tree["moov/trak"]).encoded()
    for id in 2...3 { try movie.repeatTrack(track, id: id) }
    return try movie.encoded()
  }

  private static func opened(_ bytes: [UInt8], _ limits: Limits) throws -> MovieFile {
    try MovieFile(source: MemoryBytes(bytes), limits: limits)
  }

  @Test func whatFirstSamplesSayOfLayers() throws {
    let bytes = try Self.movie()
    for overlap in 1...40 {
      var limits = Limits()
      limits.maximumSampleOverlap = overlap
      var answers: Set<String> = []
      for order in [[0, 1, 2], [2, 1, 0], [1], [1, 1, 0]] {
        let movie = try Self.opened(bytes, limits)
        var answer = ""
        for index in order {
          let analysis = movie.tracks[index].layerAnalysis
          let text = "\(analysis.units.count) \(String(describing: analysis.firstSampleGap?.code))"
          if index == 1 { answer = text }
        }
        answers.insert(answer)
      }
      #expect(answers.count == 1, "\(overlap): \(answers)")
    }
  }

  @Test func whatIsWalkedOver() throws {
    // Samples upon one another: each track goes through the file many times.
    var movie = EditedMovie()
    movie.edit("\(EditedMovie.tables)/stsc", SampleToChunkBox.self) { table in
      var run = SampleToChunkBox.Entry()
      (run.firstChunk, run.samplesPerChunk, run.sampleDescriptionIndex) = (1, 1, 1)
      table.entries = .of([run])
    }
    let samples = try #require(try EditedMovie().opened().tracks.first?.samples())
    let size = try #require(samples.sample(at: 0)?.size)
    movie.edit("\(EditedMovie.tables)/stsz", SampleSizeBox.self) { table in
      (table.sampleSize, table.sampleCount) = (size, 40)
      table.entries = .of([])
    }
    movie.edit("\(EditedMovie.tables)/stts", TimeToSampleBox.self) { $0.entries = .of([RuleCase.run(40, 1)]) }
    movie.edit("\(EditedMovie.tables)/stco", ChunkOffsetBox.self) { table in
      let first = table.entries.first?.value ?? 0
      table.entries = .of([UInt32Record](repeating: UInt32Record(first), count: 40))
    }
    let track = try #require(movie.tree["moov/trak"]).encoded()
    try movie.repeatTrack(track, id: 2)
    let bytes = try movie.encoded()
    var ends: Set<Bool> = []
    for overlap in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024] {
      var limits = Limits()
      limits.maximumSampleOverlap = overlap
      var answers: Set<String> = []
      for order in [[0, 1], [1, 0], [1], [0, 0, 1, 1]] {
        let movie = try Self.opened(bytes, limits)
        for index in order {
          var units = 0
          let isWhole = try movie.tracks[index].forEachAccessUnit { places, _ in
            units += places.units.count
            return true
          }
          if index == 1 { answers.insert("\(isWhole) \(units)") }
          ends.insert(isWhole)
        }
      }
      #expect(answers.count == 1, "\(overlap): \(answers)")
    }
    #expect(ends == [true, false])
  }
}

extension EditedMovie {
  /// Adds a track of the samples of the first one.
  fileprivate mutating func repeatTrack(_ track: [UInt8], id: Int) throws {
    try append(track, to: "moov")
    let tables = "moov/trak[\(id - 1)]/mdia/minf/stbl"
    edit("moov/trak[\(id - 1)]/tkhd", TrackHeaderBox.self) { $0.trackID = UInt32(id) }
    // The places of the first one have moved with the media data.
    let places = try #require(tree["moov/trak[0]/mdia/minf/stbl/stco"]?.payload(ChunkOffsetBox.self))
    edit("\(tables)/stco", ChunkOffsetBox.self) { $0.entries = places.entries }
  }
}
