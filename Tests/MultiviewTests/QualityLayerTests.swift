// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import Multiview
import TestSupport
import Testing

/// Layers that show the same view, and layers whose parameter sets are not there: neither makes a second eye.
@Suite struct QualityLayerTests {
  /// A fixture of two views with the units changed, as a raw stream.
  static func stream(_ change: (NALUnit) throws -> NALUnit?) throws -> MovieFile {
    var bytes: [UInt8] = []
    for unit in AnnexBNALUnits(Fixtures.bytes("two-views.hevc")) {
      guard let changed = try change(try unit.get()) else { continue }
      bytes += [0, 0, 0, 1] + changed.bytes.array
    }
    return try MovieFile(bytes: bytes)
  }

  /// ISO/IEC 23008-2, F.7.4.3.1.1: by the scalability mask the second layer differs in DependencyId, and so in no view.
  @Test func aLayerOfQualityIsNoView() throws {
    let movie = try Self.stream { unit in
      if unit.type == .prefixSEI { return nil }
      guard unit.type == .videoParameterSet else { return unit }
      var (vps, _, error) = unit.rbsp.decode(VideoParameterSet())
      #expect(error == nil && vps.vpsExtension?.scalabilityMask == 0x4000)
      vps.vpsExtension?.scalabilityMask = 0x2000
      vps.vpsExtension?.viewIDVal.removeLast()
      return try NALUnit(unit.header, vps)
    }
    let track = try #require(movie.tracks.first)
    #expect(track.layers.map(\.role) == ["view", "enhancement"])
    #expect(track.layers.map(\.viewOrderIndex) == [0, 0])
    #expect(track.layers.map(\.eye) == [nil, nil])
    #expect(track.classificationFacts.hasSecondView == false)
    #expect(track.classificationReport.isUnsignalledMultiview == false)
    #expect(movie.classification == .mono && track.tagCollections.isEmpty)
  }

  /// Its slices name a picture parameter set that is nowhere.
  @Test func aLayerWithoutPictureParameterSet() throws {
    let movie = try Self.stream { $0.type == .pictureParameterSet && $0.header.layerID == 1 ? nil : $0 }
    let track = try #require(movie.tracks.first)
    #expect(track.layers.map(\.hasParameterSets) == [true, false])
    #expect(track.classificationFacts.hasSecondViewInParameterSets == false)
    #expect(BadInputTests.codes(movie.allDiagnostics).contains("layer-not-configured"))
  }

  /// Sets of a lower layer hold for those above it. ISO/IEC 23008-2, F.7.4.1.4.1
  @Test(arguments: [false, true]) func aLayerThatUsesSetsOfTheBaseLayer(hasOwnPictureSet: Bool) throws {
    let movie = try Self.stream { unit in
      guard unit.header.layerID == 1 else { return unit }
      if unit.type == .sequenceParameterSet { return nil }
      guard unit.type == .pictureParameterSet else { return unit }
      var set = unit.rbsp.decode(PictureParameterSet()).value
      set.ppsSeqParameterSetID = 0
      let header = hasOwnPictureSet ? unit.header : NALUnitHeader(type: unit.type, layerID: 0)
      return try NALUnit(header, set)
    }
    let track = try #require(movie.tracks.first)
    #expect(track.layers.map(\.hasParameterSets) == [true, true])
    #expect(track.layers.map(\.croppedSize)[0] == track.layers.map(\.croppedSize)[1])
    #expect(track.classificationFacts.hasSecondViewInParameterSets == true)
    #expect(!BadInputTests.codes(movie.allDiagnostics).contains("layer-not-configured"))
  }

  /// Without those of the base layer, no decoder makes anything of the second.
  @Test(arguments: [NALUnitType.videoParameterSet, .sequenceParameterSet])
  func aBaseLayerWithoutParameterSets(type: NALUnitType) throws {
    let movie = try Self.stream { $0.type == type && $0.header.layerID == 0 ? nil : $0 }
    let facts = try #require(movie.tracks.first).classificationFacts
    #expect(facts.hasSecondViewInParameterSets == false)
  }
}
