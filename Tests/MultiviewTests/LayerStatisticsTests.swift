// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Multiview
import TestSupport
import Testing

@Suite struct LayerStatisticsTests {
  private func statistics(_ name: String) throws -> (LayerStatistics, Track) {
    let movie = try MovieFile(bytes: Fixtures.bytes(name).array)
    let track = try #require(movie.tracks.first)
    return (try track.layerStatistics(), track)
  }

  /// The encoder of this fixture codes an I picture and three P pictures; the second view refers to the first always.
  @Test(arguments: ["two-views.hevc", "spatial.mov"]) func countsKinds(name: String) throws {
    let (statistics, _) = try statistics(name)
    #expect(statistics.sampleCount == 4 && statistics.layers.map(\.layerID) == [0, 1])
    let base = statistics.layers[0], second = statistics.layers[1]
    #expect((base.intraPictures, base.predictedPictures, base.bipredictedPictures) == (1, 3, 0))
    #expect((second.intraPictures, second.predictedPictures, second.bipredictedPictures) == (0, 4, 0))
    #expect(base.interLayerPictures == 0 && second.interLayerPictures == 4)
    #expect(base.randomAccessPictures == 1 && base.samples == 4)
  }

  @Test(arguments: Fixtures.media) func sumsAgree(name: String) throws {
    let movie = try MovieFile(bytes: Fixtures.bytes(name).array)
    for track in movie.tracks where track.isHEVC {
      let statistics = try track.layerStatistics()
      var bytes: [UInt8: Int] = [:]
      try track.forEachAccessUnit { places, _ in
        bytes.merge(places.bytesByLayer, uniquingKeysWith: +)
        return true
      }
      for layer in statistics.layers {
        #expect(layer.bytes == bytes[layer.layerID], "\(name)")
        #expect(layer.curve.parts.reduce(0, +) == layer.bytes && layer.curve.parts.count <= 64, "\(name)")
        let kinds = layer.intraPictures + layer.predictedPictures + layer.bipredictedPictures
        #expect(kinds <= layer.pictures && layer.interLayerPictures <= kinds, "\(name)")
      }
      let shares = statistics.layers.map { statistics.share(of: $0) }.reduce(0, +)
      #expect(abs(shares - 1) < 1e-9, "\(name)")
    }
  }

  /// Order counts known from the middle are those known from the start.
  @Test func orderCountsDoNotDependOnTheStart() throws {
    let movie = try MovieFile(bytes: Fixtures.bytes("cmaf-hevc-sidx.mp4").array)
    let track = try #require(movie.tracks.first)
    func counts(from start: Int) throws -> [Int: Int?] {
      var reader = PictureReader(track)
      var counts: [Int: Int?] = [:]
      try track.forEachAccessUnit(start..<Int.max) { places, walker in
        for unit in places.units {
          if let slice = try? reader.read(unit, walker) { counts[places.index] = slice.orderCount }
        }
        return true
      }
      return counts
    }
    let all = try counts(from: 0)
    #expect(all.count == track.sampleCount)
    for index in stride(from: 1, to: track.sampleCount, by: 17) {
      let start = try track.orderCountStart(before: index)
      #expect(start <= index)
      let some = try counts(from: start)
      #expect(some[index] == all[index])
    }
  }
}
