// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import Multiview
import TestSupport
import Testing

/// Layers that are no views: they are listed, and no eye sees them.
@Suite struct LayerKindTests {
  /// The fixture whose second layer is alpha, with another meaning of that layer.
  private static func movie(_ change: (inout VPSExtension) -> Void) throws -> MovieFile {
    let units = try AnnexBNALUnits(Fixtures.bytes("alpha-layer.hevc")).map { result in
      let unit = try result.get()
      guard unit.type == .videoParameterSet else { return unit }
      var vps = try VideoParameterSet(rbsp: unit.rbsp)
      var part = try #require(vps.vpsExtension)
      change(&part)
      vps.vpsExtension = part
      return try NALUnit(unit.header, vps)
    }
    return try MovieFile(bytes: AnnexBNALUnits.join(units))
  }

  private func expect(_ movie: MovieFile, role: String, auxID: Int, isDepth: Bool) throws {
    let track = try #require(movie.tracks.first)
    #expect(track.layers.map(\.layerID) == [0, 1])
    #expect(track.layers.map(\.role) == ["view", role])
    #expect(track.layers[1].auxiliaryID == auxID && track.layers[1].isDepth == isDepth)
    #expect(!track.layers[1].isTexture && track.layers[1].eye == nil && track.layers[0].eye == nil)
    #expect(track.eyeAssignment.eyes.isEmpty)
    #expect(!track.mediaCharacteristics.contains(.containsStereoMultiviewVideo))
  }

  @Test func alpha() throws { try expect(Self.movie { _ in }, role: "alpha", auxID: 1, isDepth: false) }

  /// AuxId 2. F.7.4.3.1.1
  @Test func auxiliaryDepth() throws {
    let movie = try Self.movie {
      $0.scalabilityMask = 0x1000
      $0.dimensionIDLenMinus1 = [1]
      $0.layers[0].dimensionIDs[0] = 2
    }
    try expect(movie, role: "depth", auxID: 2, isDepth: false)
  }

  /// DepthLayerFlag, the first of the scalability dimensions. I.7.4.3.1.1
  @Test func depthOfThreeDimensionalVideo() throws {
    let movie = try Self.movie {
      $0.scalabilityMask = 0x8000
      $0.dimensionIDLenMinus1 = [0]
      $0.layers[0].dimensionIDs[0] = 1
    }
    try expect(movie, role: "depth", auxID: 0, isDepth: true)
  }

  @Test func threeViews() throws {
    let movie = try MovieFile(path: Fixtures.path("three-views.hevc"))
    let layers = try #require(movie.tracks.first).layers
    #expect(layers.map(\.layerID) == [0, 1, 2])
    #expect(layers.allSatisfy { $0.isTexture && $0.role == "view" && $0.isInSamples == true })
    #expect(layers.map(\.viewOrderIndex) == [0, 1, 2])
  }

  @Test(.enabled(if: Corpus.isPresent), arguments: ["htm_2view_nuh6.bit", "htm_2view_nuh6_mp4ff.mp4"])
  func layerSix(_ name: String) throws {
    let movie = try MovieFile(path: try #require(Corpus.folder) + "/lhevc/" + name)
    let layers = try #require(movie.tracks.first).layers
    #expect(layers.map(\.layerID) == [0, 6])
    #expect(layers.map(\.isTexture) == [true, true])
    #expect(layers[1].directReferences == [0] && layers[1].viewOrderIndex == 1)
  }
}
