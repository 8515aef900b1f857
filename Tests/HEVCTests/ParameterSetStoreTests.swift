// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import TestSupport
import Testing

@Suite struct ParameterSetStoreTests {
  static func pps(_ id: UInt32, sps: UInt32 = 0, layer: UInt8 = 0, qp: Int32 = 0) throws -> NALUnit {
    var set = PictureParameterSet()
    set.ppsPicParameterSetID = id
    set.ppsSeqParameterSetID = sps
    set.initQpMinus26 = qp
    return try NALUnit(NALUnitHeader(type: .pictureParameterSet, layerID: layer), set)
  }

  @Test func updatesFollowTheStream() throws {
    var store = ParameterSetStore()
    #expect(store.insert(try Self.pps(3), source: "record") == .added)
    #expect(store.insert(try Self.pps(3), source: "sample 1") == .same)
    #expect(store.pictureParameterSet(3, layerID: 0)?.source == "record")
    #expect(store.insert(try Self.pps(3, qp: 4), source: "sample 2") == .replaced)
    let entry = try #require(store.pictureParameterSet(3, layerID: 0))
    #expect(entry.source == "sample 2" && entry.content.initQpMinus26 == 4 && entry.error == nil)
    #expect(entry.unit == (try Self.pps(3, qp: 4)))
    #expect(store.insert(try #require(NALUnit(ByteView([0x4E, 1, 0x80])))) == .ignored)
    #expect(store.pictureParameterSets.count == 1)
    #expect(store.pictureParameterSet(4, layerID: 0) == nil)
  }

  @Test func layersSeeTheirOwnSetsAndThoseBelow() throws {
    var store = ParameterSetStore()
    store.insert(try Self.pps(0, qp: 1))
    #expect(store.pictureParameterSet(0, layerID: 2)?.content.initQpMinus26 == 1)
    store.insert(try Self.pps(0, layer: 1, qp: 2))
    #expect(store.pictureParameterSet(0, layerID: 0)?.content.initQpMinus26 == 1)
    #expect(store.pictureParameterSet(0, layerID: 1)?.content.initQpMinus26 == 2)
    #expect(store.pictureParameterSet(0, layerID: 2)?.content.initQpMinus26 == 2)
    // A set of a higher layer is none of a lower one's.
    store.insert(try Self.pps(7, layer: 3))
    #expect(store.pictureParameterSet(7, layerID: 1) == nil)
    #expect(store.pictureParameterSets.map(\.unit.layerID) == [0, 1, 3])
  }

  /// The buffers that messages are about may be described in the video parameter set alone. ISO/IEC 23008-2, E.3.2
  @Test func timingOfTheVideo() throws {
    var vps = VideoParameterSet(), timing = VPSTiming(), hrd = VPSTiming.HRD(), common = HRDCommon()
    (common.nalHrdParametersPresentFlag, common.auCpbRemovalDelayLengthMinus1) = (true, 7)
    (common.initialCpbRemovalDelayLengthMinus1, common.dpbOutputDelayLengthMinus1) = (15, 9)
    var layer = HRDSubLayer()
    layer.fixedPicRateGeneralFlag = true
    layer.elementalDurationInTcMinus1 = 0
    layer.cpbCntMinus1 = 0
    layer.nal = [HRDSubLayer.Schedule()]
    (hrd.parameters.common, hrd.parameters.subLayers) = (common, [layer])
    timing.hrds = [hrd]
    vps.timing = timing
    var store = ParameterSetStore()
    var sps = plainSequence(width: 64, height: 64)
    sps.subLayerOrdering = [SubLayerOrdering()]
    store.insert(try NALUnit(NALUnitHeader(type: .sequenceParameterSet), sps))
    #expect(store.seiContext(layerID: 0).activeSequence?.timing == nil)
    store.insert(try NALUnit(NALUnitHeader(type: .videoParameterSet), vps))
    let context = store.seiContext(layerID: 0)
    let found = try #require(context.activeSequence?.timing)
    #expect(context.sequences[0]?.timing == found && found.hasNALParameters && !found.hasVCLParameters)
    #expect(found.removalDelayLength == 8 && found.outputDelayLength == 10)
    #expect(found.initialRemovalDelayLength == 16 && found.bufferCount == 1)
  }

  /// Layers 0, 2 and 5, of which 2 depends on the base layer and 5 on none.
  static let independentLayers = ByteView(
    hex: """
      40010c22ffff016000000300b00000030000030078000019c5543f78000028000f0a0028068119622c914241808000002fe200000300
      0017400007e000096f6c814000b429100a0005a14c85a663bce2088b09145a2754ab5c82008400a3c012080a100a8f00482048404a01
      1009a091009a09100973e4b5
      """)

  @Test func layersPreferWhatTheyDependOn() throws {
    var store = ParameterSetStore()
    store.insert(try #require(NALUnit(Self.independentLayers)))
    try #require(store.videoParameterSet(0)?.error == nil)
    store.insert(try Self.pps(0, layer: 0, qp: 1))
    store.insert(try Self.pps(0, layer: 1, qp: 2))
    // Layer 1 does not exist for layer 2, which depends on the base layer; layer 5 takes what is there.
    #expect(store.pictureParameterSet(0, layerID: 2)?.content.initQpMinus26 == 1)
    #expect(store.pictureParameterSet(0, layerID: 5)?.content.initQpMinus26 == 2)
  }

  @Test func damagedSetsNeverDriveOutSoundOnes() throws {
    var store = ParameterSetStore()
    let sound = try Self.pps(0, qp: 1)
    let cut = try #require(NALUnit(sound.bytes.prefix(4)))
    #expect(store.insert(cut) == .added)
    #expect(store.pictureParameterSet(0, layerID: 0)?.error != nil)
    #expect(store.insert(sound) == .replaced)
    guard case .refused = store.insert(cut) else {
      Issue.record("a damaged set took the place of a sound one")
      return
    }
    #expect(store.pictureParameterSet(0, layerID: 0)?.unit == sound)
  }

  @Test func slicesWithoutTheirSets() throws {
    var store = ParameterSetStore()
    // first_slice_segment_in_pic_flag, no_output_of_prior_pics_flag, slice_pic_parameter_set_id 1
    let slice = try #require(NALUnit(ByteView([0x28, 0x01, 0b1001_0100], fileOffset: 40)))
    var found = store.sliceSegment(slice)
    var segment = try #require(found)
    #expect(segment.error?.code == .missing("picture parameter set 1"))
    #expect(segment.header.firstSliceSegmentInPicFlag && segment.header.slicePicParameterSetID == 1)
    #expect(segment.header.slice == nil && segment.dataOffset == nil && segment.substreams.isEmpty)
    // The picture parameter set alone does not help either.
    store.insert(try Self.pps(1, sps: 9))
    found = store.sliceSegment(slice)
    segment = try #require(found)
    #expect(segment.error != nil)
    #expect(store.sliceSegment(try Self.pps(1)) == nil)
  }

  @Test func depthLayersAreRefused() throws {
    let pps = PictureParameterSet()
    var threeDimensional = SequenceParameterSet()
    threeDimensional.extensions = SPSExtensions()
    threeDimensional.extensions?.threeDimensional = SPS3DExtension()
    for layer: UInt8 in [0, 1] {
      let initial = SliceSegmentHeader(
        in: NALUnitHeader(type: .refreshWithoutLeading, layerID: layer),
        SliceParameters(layerID: layer, pps: pps, sps: threeDimensional))
      let error = ByteView([0b1010_1110, 0x80, 0, 0, 0, 0]).decode(initial).error
      #expect((error?.code == .invalid("belongs to a layer of 3D-HEVC")) == (layer == 1))
    }
  }

  // MARK: Damage

  /// Streams in which any bit may be wrong are read to their end.
  @Test(arguments: ["two-views.hevc", "three-views.hevc", "alpha-layer.hevc"])
  func damagedStreams(_ name: String) throws {
    let units = AnnexBNALUnits(Fixtures.bytes(name)).compactMap { try? $0.get() }
    var generator = SeededGenerator(seed: 265)
    var read = 0, refused = 0
    for _ in 0..<40 {
      var store = ParameterSetStore()
      var counter = PictureOrderCounter()
      var previous: SliceSegmentHeader?
      for unit in units {
        var bytes = unit.bytes.prefix(400).array
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
          let index = Int.random(in: 2..<bytes.count, using: &generator)
          bytes[index] = UInt8.random(in: 0...255, using: &generator)
        }
        if Bool.random(using: &generator) {
          bytes.removeLast(Int.random(in: 0..<(bytes.count - 1), using: &generator))
        }
        guard let damaged = NALUnit(ByteView(bytes)) else { continue }
        store.insert(damaged)
        for message in damaged.type.isSEI ? damaged.seiMessages().messages : [] {
          _ = message.content(in: store.seiContext(layerID: damaged.layerID))
        }
        guard let segment = store.sliceSegment(damaged, after: previous) else { continue }
        previous = segment.header
        _ = segment.substreams
        if let slice = segment.header.slice, let count = counter.orderCount(of: segment.header) {
          _ = slice.referencePictureLists(orderCount: count)
        }
        if segment.error == nil { read += 1 } else { refused += 1 }
      }
    }
    #expect(read > 0 && refused > 0)
  }

  @Test func everyTruncationOfASlice() throws {
    let units = AnnexBNALUnits(Fixtures.bytes("two-views.hevc")).compactMap { try? $0.get() }
    var store = ParameterSetStore()
    for unit in units {
      store.insert(unit)
      guard let whole = store.sliceSegment(unit), let offset = whole.dataOffset else { continue }
      for count in 2..<offset {
        let cut = try #require(NALUnit(unit.bytes.prefix(count)))
        let found = store.sliceSegment(cut)
        let segment = try #require(found)
        let error = try #require(segment.error)
        #expect(error.offset >= unit.bytes.fileOffset && error.offset <= unit.bytes.fileOffset + count)
      }
    }
  }
}
