// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF
import MovieCases
import TestSupport
import Testing

@testable import Multiview

@Suite struct SampleCensusTests {
  /// In how many samples a layer is missing, and in which first, against a plain count.
  @Test(arguments: 1...20 as ClosedRange<UInt64>) func layersThatAreMissing(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let layers: [UInt8] = [0, 1, 2, 5, 62]
    var samples: [(layers: Set<UInt8>, isSound: Bool)] = []
    for _ in 0..<30 {
      // Some seeds give layers that are always there, or never.
      let present = layers.filter { UInt64($0) % 3 >= seed % 3 || random.next() % 4 > 0 }
      samples.append((Set(present), random.next() % 6 > 0))
    }
    let sound = samples.enumerated().filter(\.element.isSound)
    var movie = EditedMovie()
    movie.edit("\(EditedMovie.tables)/stts", TimeToSampleBox.self) {
      $0.entries = .of([RuleCase.run(UInt32(samples.count), 1_000)])
    }
    try movie.place(
      samples.map { sample in
        let units = sample.layers.sorted().flatMap { layer -> [UInt8] in
          [0, 0, 0, 3, 2 | layer >> 5, (layer & 31) << 3 | 1, 0x80]
        }
        return sample.isSound ? units : units + [0, 0, 0, 9, 0x46]
      })
    let track = try #require(try movie.opened().tracks.first)
    let census = SampleCensus(track, track.layerAnalysis, maximumSamples: .max)
    #expect(census.lookedAt == samples.count)
    for layer in layers where samples.contains(where: { $0.layers.contains(layer) }) {
      let without = sound.filter { !$0.element.layers.contains(layer) }
      let found = census.withoutLayer[layer]
      #expect(found?.count ?? 0 == without.count, "layer \(layer)")
      #expect(found?.sample == without.first?.offset, "layer \(layer)")
    }
  }
}
