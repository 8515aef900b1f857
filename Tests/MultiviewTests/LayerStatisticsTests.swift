// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
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

  /// Damaged: a dependent slice that goes with no first slice of its picture takes nothing over from another picture.
  @Test func nothingIsTakenOverFromAnotherPicture() throws {
    var sets = ParameterSetStore(), changed = ParameterSetStore()
    var units: [NALUnit] = [], slices: [NALUnit] = []
    for case .success(let unit) in AnnexBNALUnits(Fixtures.bytes("two-views.hevc")) where unit.layerID == 0 {
      sets.insert(unit)
      if unit.type == .pictureParameterSet {
        var (pps, _, _) = unit.rbsp.decode(PictureParameterSet())
        pps.dependentSliceSegmentsEnabledFlag = true
        units.append(try NALUnit(unit.header, pps))
        changed.insert(try NALUnit(unit.header, pps))
      } else if unit.type.isParameterSet {
        units.append(unit)
        changed.insert(unit)
      } else if unit.type.isSliceSegment {
        slices.append(unit)
      }
    }
    func slice(_ unit: NALUnit, isFirst: Bool, isDependent: Bool = false) throws -> NALUnit {
      var header = try #require(sets.sliceSegment(unit)?.header)
      header.parameters = changed.sliceParameters(
        pictureParameterSet: header.slicePicParameterSetID, layerID: 0)
      header.firstSliceSegmentInPicFlag = isFirst
      header.sliceSegmentAddress = isFirst ? nil : 3
      header.dependentSliceSegmentFlag = isFirst ? nil : isDependent
      if isDependent { header.own = nil }
      // Of another temporal sub-layer than the first slices: so such a unit does not go with them.
      let unit = NALUnitHeader(type: unit.type, temporalID: isFirst ? 0 : 1)
      return try NALUnit(unit, rbsp: header.encoded())
    }
    let (key, other) = (slices[0], slices[1])
    let stream =
      units + [
        try slice(other, isFirst: true), try slice(other, isFirst: false), try slice(key, isFirst: true),
        try slice(key, isFirst: false, isDependent: true),
      ]
    let track = try #require(try MovieFile(bytes: AnnexBNALUnits.join(stream)).tracks.first)
    let layer = try #require(try track.layerStatistics().layers.first)
    #expect(layer.pictures == 2)
    #expect((layer.intraPictures, layer.predictedPictures, layer.bipredictedPictures) == (1, 1, 0))
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
