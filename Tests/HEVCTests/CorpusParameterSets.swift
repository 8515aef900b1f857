// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import TestSupport
import Testing

/// Every parameter set of every raw stream at hand.
@Suite struct CorpusParameterSets {
  static let streams: [String] = {
    guard Corpus.folder != nil else { return [] }
    return ["mvhevc", "lhevc", "third-party", "made", "apple"].flatMap { Corpus.files($0) }
      .filter { name in [".hevc", ".265", ".bit", ".h265", ".hvc"].contains { name.hasSuffix($0) } }
  }()

  static func check(_ name: String, _ units: [StreamNALUnit]) -> (sets: Int, refused: [String]) {
    var sets = 0
    var refused: [String] = []
    var seen = Set<[UInt8]>()
    for unit in units where (32...34).contains(unit.type) && seen.insert(unit.bytes).inserted {
      let rbsp = unit.rbsp
      let outcome = DamagedParameterSets.outcome(unit.type, unit.layerID, rbsp)
      if let encoded = outcome.encoded {
        #expect(encoded == rbsp.array, "\(name): type \(unit.type) of layer \(unit.layerID)")
        sets += 1
      } else {
        refused.append("type \(unit.type) of layer \(unit.layerID): \(outcome.error.map { "\($0)" } ?? "")")
      }
    }
    return (sets, refused)
  }

  /// The end of a parameter set.
  static func trailing(_ unit: StreamNALUnit) -> RBSPTrailingBits {
    switch unit.type {
    case 32: return unit.rbsp.decode(VideoParameterSet()).value.trailing
    case 33:
      var sps = SequenceParameterSet()
      sps.nuhLayerID = unit.layerID
      return unit.rbsp.decode(sps).value.trailing
    default: return unit.rbsp.decode(PictureParameterSet()).value.trailing
    }
  }

  /// A structure that is read rightly ends where its writer ended it.
  @Test(.enabled(if: Corpus.isPresent), arguments: streams)
  func setsEndOnTheirStopBit(_ name: String) {
    for unit in StreamNALUnit.all(in: Corpus.bytes(name).array) where (32...34).contains(unit.type) {
      // The encoder of this stream writes vui_hrd_parameters_present_flag although
      // vui_timing_info_present_flag is clear (E.2.1): the structure ends a bit late.
      let isFaulty = name.hasSuffix("a320_opt_sps.hevc") && unit.type == 33 && unit.layerID == 0
      #expect(
        Self.trailing(unit).isConforming != isFaulty, "type \(unit.type) of layer \(unit.layerID)")
    }
  }

  @Test(.enabled(if: Corpus.isPresent), arguments: streams)
  func setsEqualThemselves(_ name: String) {
    let (sets, refused) = Self.check(name, StreamNALUnit.all(in: Corpus.bytes(name).array))
    #expect(refused.isEmpty, "\(name): \(refused)")
    print("\(name): \(sets) different parameter sets written back to the same bytes")
  }

  @Test(arguments: Fixtures.media.filter { $0.hasSuffix(".hevc") })
  func setsOfFixturesEqualThemselves(_ name: String) {
    let (sets, refused) = Self.check(name, StreamNALUnit.all(in: Fixtures.bytes(name).array))
    #expect(sets >= 5 && refused.isEmpty, "\(name): \(refused)")
  }
}

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
