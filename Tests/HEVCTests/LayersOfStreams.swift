// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import TestSupport
import Testing

/// What the video parameter sets of known streams say of their layers.
@Suite struct LayersOfStreams {
  private func structure(_ stream: ByteView) throws -> LayerStructure {
    let unit = try #require(StreamNALUnit.all(in: stream.array).first { $0.type == 32 })
    return try unit.rbsp.decoded(VideoParameterSet()).layerStructure
  }

  @Test func threeViews() throws {
    let layers = try structure(Fixtures.bytes("three-views.hevc"))
    #expect(layers.layers.map(\.id) == [0, 1, 2])
    #expect(layers.layers.map(\.viewOrderIdx) == [0, 1, 2])
    #expect(layers.numViews == 3)
    #expect(layers.layers.map(\.isTexture) == [true, true, true])
  }

  @Test func alphaIsNoEye() throws {
    let layers = try structure(Fixtures.bytes("alpha-layer.hevc"))
    #expect(layers.layers.map(\.id) == [0, 1])
    #expect(layers.layers.map(\.auxID) == [0, 1])
    #expect(layers.layers.map(\.isTexture) == [true, false])
    #expect(layers.numViews == 1)
    #expect(layers.layers[1].directReferenceLayers.isEmpty)
    #expect(layers.numIndependentLayers == 2)
  }

  @Test func twoViews() throws {
    let layers = try structure(Fixtures.bytes("two-views.hevc"))
    #expect(layers.layers.map(\.viewID) == [0, 1])
    #expect(layers.outputLayerSets.last?.outputLayers == [0, 1])
  }

  @Test(.enabled(if: Corpus.isPresent)) func layerSix() throws {
    let layers = try structure(Corpus.bytes("lhevc/htm_2view_nuh6.bit"))
    #expect(layers.layers.map(\.id) == [0, 6])
    #expect(layers.index(of: 6) == 1 && layers.index(of: 1) == nil)
    #expect(layers.layers[1].directReferenceLayers == [0])
    #expect(layers.layerSets.last?.ids == [0, 6])
    #expect(layers.outputLayerSets.last?.necessaryLayers == [0, 6])
  }

  /// The reference encoder's random access configuration lists its reference pictures; the stream codes all
  /// sets but the first by prediction from the one before.
  @Test(.enabled(if: Corpus.isPresent)) func predictedReferencePictureSets() throws {
    let stream = Corpus.bytes("lhevc/htm_2view.bit").array
    let unit = try #require(StreamNALUnit.all(in: stream).first { $0.type == 33 })
    let sets = try SequenceParameterSet(rbsp: unit.rbsp, layerID: unit.layerID).shortTermRefPicSets
    #expect(sets.prefix(8).map { $0.prediction != nil } == [false] + Array(repeating: true, count: 7))
    #expect(
      sets.prefix(8).map(\.deltas.s0) == [
        [-8, -10, -12, -16], [-4, -6], [-2, -4], [-1], [-1, -3], [-2, -4, -6], [-1, -5], [-1, -3, -7],
      ])
    #expect(
      sets.prefix(8).map(\.deltas.s1) == [[], [4], [2, 6], [1, 3, 7], [1, 5], [2], [1, 3], [1]])
  }
}
