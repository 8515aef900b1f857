// swift-multiview · SPDX-License-Identifier: Apache-2.0

import BoxCatalogue
import ByteCoding
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import HEVC

/// Parameter sets of which a bit tells much, and many of them.
@Suite struct HostileParameterSetTests {
  /// 1023 output layer sets that take no bits each, and sizes for them that take four.
  private static func smallVideo(schedules: Int = 0) throws -> (set: VideoParameterSet, bytes: ByteView) {
    var vps = VideoParameterSet.crowded
    var video = try #require(vps.vpsExtension)
    if schedules > 0 {
      var hrd = HRDParameters()
      hrd.common = HRDCommon()
      hrd.subLayers = [.init()]
      var partitions = BSPHRDParameters()
      partitions.hrds = [hrd]
      var schedule = BSPHRDParameters.Schedule()
      schedule.partitions = [.init()]
      var divided = BSPHRDParameters.OutputLayerSet()
      divided.schedules = [Array(repeating: Array(repeating: schedule, count: schedules), count: 7)]
      partitions.outputLayerSets = Array(repeating: divided, count: 1023)
      var vui = VPSVUI()
      vui.videoSignalInfos = [.init()]
      vui.tilesNotInUseFlag = true
      vui.wppNotInUseFlag = true
      vui.bspHRD = partitions
      video.vui = vui
    }
    vps.vpsExtension = video
    return (vps, ByteView(try vps.encoded()))
  }

  @Test(arguments: [0, 1]) func tablesOfEntriesOfABit(schedules: Int) throws {
    let (set, bytes) = try Self.smallVideo(schedules: schedules)
    #expect(bytes.count <= 3_000)
    var kept: [VideoParameterSet] = []
    let cost = spent { kept.append(bytes.decode(VideoParameterSet()).value) }
    #expect(cost.peak <= 500 * bytes.count, "\(cost.peak) of \(bytes.count)")
    #expect(cost.allocations <= 50_000, "\(cost.allocations)")
    let read = try #require(kept.last)
    #expect(try read.encoded() == bytes.array)
    #expect(read.vpsExtension?.dpbSize.outputLayerSets == set.vpsExtension?.dpbSize.outputLayerSets)
    #expect(read.vpsExtension?.vui?.bspHRD?.outputLayerSets == set.vpsExtension?.vui?.bspHRD?.outputLayerSets)
  }

  /// A partition takes a bit, and a set of 40 kB has room for 229,000.
  @Test func partitionsWithoutEnd() throws {
    #expect(throws: ParseError.self) { try Self.smallVideo(schedules: 32) }
    let (_, bytes) = try Self.smallVideo(schedules: 2)
    var text = bytes.array
    let cost = spent { for _ in 0..<10 { _ = ByteView(text).decode(VideoParameterSet()) } }
    #expect(cost.peak <= 4_000_000, "\(cost.peak)")
    // What follows the first bits is all ones: 32 schedules wherever there is a number of them.
    for index in (text.count / 2)..<text.count { text[index] = 0x08 }
    let damaged = spent { _ = ByteView(text).decode(VideoParameterSet()) }
    #expect(damaged.peak <= 4_000_000, "\(damaged.peak)")
  }

  /// However many sets a movie has, few are kept as they are when they are read.
  @Test func setsOfManyDescriptions() throws {
    let tree = BoxTree(Fixtures.bytes("spatial.mov"), registry: .standard)
    let entry = try #require(tree["moov/trak[0]/mdia/minf/stbl/stsd"]?.children.first)
    var (set, entries) = (try Self.smallVideo(schedules: 1).set, [UInt8]())
    let count = 400
    for number in 1...count {
      var own = entry
      let index = try #require(own.children.firstIndex { $0.type == "hvcC" })
      var timing = VPSTiming()
      (timing.numUnitsInTick, timing.timeScale) = (UInt32(number), 60)
      set.timing = timing
      let unit = try NALUnit(NALUnitHeader(type: .videoParameterSet), set)
      try own.children[index].edit(HEVCConfigurationBox.self) { box in
        for place in box.record.arrays.indices
        where box.record.arrays[place].nalUnitType == .videoParameterSet {
          box.record.arrays[place].units = [unit.bytes]
        }
      }
      entries += try own.encoded()
    }
    var track = HostileTrack()
    track.samples(sizes: Array(repeating: 4, count: count), offsets: Array(repeating: 32, count: count))
    track.description = Raw.fullBox("stsd", Raw.u32(count), entries)
    track.tables =
      Raw.fullBox("stts", Raw.u32(1, count, 100))
      + Raw.fullBox("stsc", Raw.u32(count), (1...count).flatMap { Raw.u32($0, 1, $0) })
      + Raw.fullBox("stsz", Raw.u32(4, count))
      + Raw.fullBox("stco", Raw.u32(count), Raw.words(Array(repeating: 32, count: count)))
    let movie = HostileMovie(tracks: [track], media: [0, 0, 0, 0]).bytes
    #expect(movie.count > 1_000_000)
    var analyses: [LayerAnalysis] = []
    let cost = try spent {
      let opened = try MovieFile(bytes: movie)
      analyses = opened.tracks[0].variants.map(\.layerAnalysis)
      _ = opened.check()
    }
    #expect(analyses.count == count)
    #expect(analyses.last?.vps?.timing?.numUnitsInTick == UInt32(count))
    #expect(analyses.last?.structure?.outputLayerSets.count == 1_024)
    #expect(cost.peak <= 128 << 20, "\(cost.peak) of \(movie.count)")
  }

  /// 1024 models of buffers, each in six bits but for the first.
  @Test func buffersOfSixBits() throws {
    var hrd = VPSTiming.HRD()
    hrd.parameters.common = HRDCommon()
    var subLayer = HRDSubLayer()
    (subLayer.fixedPicRateGeneralFlag, subLayer.elementalDurationInTcMinus1, subLayer.cpbCntMinus1) = (
      true, 0, 0
    )
    hrd.parameters.subLayers = [subLayer]
    var later = hrd
    (later.parameters.commonInfPresentFlag, later.parameters.common) = (false, nil)
    later.parameters.inheritedCommon = HRDCommon()
    var vps = VideoParameterSet()
    vps.layerIDIncludedFlags = Array(repeating: .init(), count: 1023)
    vps.subLayerOrdering = [.init()]
    var timing = VPSTiming()
    timing.hrds = [hrd] + Array(repeating: later, count: 1023)
    vps.timing = timing
    let bytes = ByteView(try vps.encoded())
    #expect(bytes.count <= 1000)
    var kept: [VideoParameterSet] = []
    let cost = spent { kept.append(bytes.decode(VideoParameterSet()).value) }
    #expect(cost.peak <= 300 * bytes.count, "\(cost.peak) of \(bytes.count)")
    let read = try #require(kept.last)
    #expect(try read.encoded() == bytes.array)
    #expect(read.timing?.hrds == timing.hrds)
  }

  @Test func layersOfSetsOfNoBits() throws {
    let (set, bytes) = try Self.smallVideo()
    var kept: [LayerStructure] = []
    kept.reserveCapacity(200)
    let cost = spent { for _ in 0..<200 { kept.append(set.layerStructure) } }
    #expect(cost.peak <= 200 * 10 * bytes.count)
    #expect(kept.last?.outputLayerSets.count == 1024 && kept.last?.layerSets.count == 1024)
  }

  // MARK: Looking up

  private static func unit(_ type: NALUnitType, layer: UInt8, _ content: some FieldLayout) throws -> NALUnit {
    try NALUnit(NALUnitHeader(type: type, layerID: layer), content)
  }

  private static var pictures: PictureFormat {
    var format = PictureFormat()
    (format.picWidthInLumaSamples, format.picHeightInLumaSamples) = (64, 64)
    return format
  }

  /// Video parameter sets of every layer and id, as many as may hold at a time, all of which know layer 62.
  private static func manyVideos() throws -> ParameterSetStore {
    var store = ParameterSetStore()
    for layer: UInt8 in 0..<62 {
      for id: UInt8 in 0..<16 {
        var vps = VideoParameterSet()
        vps.vpsVideoParameterSetID = id
        vps.vpsMaxLayersMinus1 = 1
        var video = VPSExtension()
        video.vpsNuhLayerIDPresentFlag = true
        var described = VPSExtension.Layer()
        described.layerIDInNuh = 62
        video.layers = [described]
        var format = RepFormat()
        format.sampleFormat = .init()
        video.repFormats = [format]
        vps.vpsExtension = video
        store.insert(try unit(.videoParameterSet, layer: layer, vps))
      }
    }
    return store
  }

  @Test func picturesWhoseSetsAreNotThere() throws {
    var store = try Self.manyVideos()
    var found = 0
    let cost = spent {
      for id: UInt32 in 0..<64 {
        for _ in 0..<16 {
          if store.sliceParameters(pictureParameterSet: id, layerID: 62) != nil { found += 1 }
          if store.pictureParameterSet(id, layerID: 62) != nil { found += 1 }
        }
      }
    }
    #expect(found == 0)
    #expect(cost.allocations <= 500, "\(cost.allocations)")
    #expect(cost.peak <= 20_000, "\(cost.peak)")
  }

  /// A video parameter set of 63 layers, of which each refers to all below it.
  private static func allDependent(pocLsb: Bool) throws -> NALUnit {
    var vps = VideoParameterSet()
    vps.vpsMaxLayersMinus1 = 62
    vps.vpsMaxLayerID = 62
    vps.subLayerOrdering = [.init()]
    var video = VPSExtension()
    video.layers = (1...62).map { index in
      var layer = VPSExtension.Layer()
      layer.layerIDInNuh = UInt8(index)
      layer.directDependencyFlags = LayerIDSet(below: UInt8(index))
      return layer
    }
    video.directDependencyTypes = Array(repeating: 0, count: 62 * 63 / 2)
    video.vpsPocLsbAlignedFlag = pocLsb
    var format = RepFormat()
    format.sampleFormat = .init()
    video.repFormats = [format]
    vps.vpsExtension = video
    return try unit(.videoParameterSet, layer: 0, vps)
  }

  private static func sequence(_ pictures: [ShortTermReferencePictureSet] = []) throws -> NALUnit {
    var sps = SequenceParameterSet()
    sps.pictureFormat = Self.pictures
    sps.subLayerOrdering = [.init()]
    sps.shortTermRefPicSets = pictures
    return try unit(.sequenceParameterSet, layer: 0, sps)
  }

  private static func picture(weighted: Bool) throws -> NALUnit {
    var pps = PictureParameterSet()
    pps.weightedPredFlag = weighted
    return try unit(.pictureParameterSet, layer: 0, pps)
  }

  @Test func setsThatChangeForEachPicture() throws {
    var one = ShortTermReferencePictureSet()
    one.numNegativePics = 1
    let videos = try [false, true].map { try Self.allDependent(pocLsb: $0) }
    let sequences = try [Self.sequence(), Self.sequence([one])]
    let pictures = try [false, true].map { try Self.picture(weighted: $0) }
    // Whatever has changed, what holds is what a store says that knew nothing before.
    var store = ParameterSetStore()
    var seen: Set<SliceParameters> = []
    for step in 0..<24 {
      let units = [videos[step >> 2 & 1], sequences[step >> 1 & 1], pictures[step & 1]]
      var fresh = ParameterSetStore()
      for unit in units {
        store.insert(unit)
        fresh.insert(unit)
      }
      for layer: UInt8 in [0, 1, 62] {
        let known = store.sliceParameters(pictureParameterSet: 0, layerID: layer)
        let found = try #require(known)
        #expect(found == fresh.sliceParameters(pictureParameterSet: 0, layerID: layer))
        #expect(found.video.referenceLayers.count == Int(layer))
        seen.insert(found)
      }
    }
    #expect(seen.count == 24)
    // What 63 layers mean is not worked out anew because a picture parameter set has changed.
    let cost = spent {
      for step in 0..<100 {
        store.insert(pictures[step & 1])
        _ = store.sliceParameters(pictureParameterSet: 0, layerID: 62)
      }
    }
    #expect(cost.allocations <= 100 * 100, "\(cost.allocations)")
  }

  /// A video parameter set may take a hundred times its bytes: those that the standard knows none of are few.
  @Test func videosOfManyLayers() throws {
    var store = ParameterSetStore()
    func change(layer: UInt8, id: UInt8, timing: Bool = false) throws -> ParameterSetStore.Change {
      var vps = VideoParameterSet()
      vps.vpsVideoParameterSetID = id
      vps.vpsMaxLayerID = timing ? 1 : 0
      vps.subLayerOrdering = [.init()]
      return store.insert(try Self.unit(.videoParameterSet, layer: layer, vps))
    }
    for layer: UInt8 in 1...16 { #expect(try change(layer: layer, id: 3) == .added) }
    for layer: UInt8 in 17...62 {
      guard case .refused = try change(layer: layer, id: 3) else {
        Issue.record("layer \(layer)")
        continue
      }
    }
    // One that is there may be replaced, and the base layer has its own.
    #expect(try change(layer: 16, id: 3, timing: true) == .replaced)
    for id: UInt8 in 0..<16 { #expect(try change(layer: 0, id: id) == .added) }
    #expect(store.videoParameterSets.count == 32)
  }

  @Test func picturesWithoutNumber() throws {
    var store = ParameterSetStore()
    for layer: UInt8 in 0..<40 {
      for id: UInt32 in 0..<64 {
        var pps = PictureParameterSet()
        pps.ppsPicParameterSetID = id
        store.insert(try Self.unit(.pictureParameterSet, layer: layer, pps))
      }
    }
    #expect(store.pictureParameterSets.count == 1_024)
    // One that is there may come again, and another in its place.
    var other = PictureParameterSet()
    other.ppsPicParameterSetID = 63
    #expect(store.insert(try Self.unit(.pictureParameterSet, layer: 15, other)) == .same)
    other.initQpMinus26 = 3
    #expect(store.insert(try Self.unit(.pictureParameterSet, layer: 15, other)) == .replaced)
    #expect(store.pictureParameterSet(63, layerID: 15)?.content.initQpMinus26 == 3)
    #expect(store.pictureParameterSets.count == 1_024)
    #expect(store.pictureParameterSet(63, layerID: 15)?.unit.layerID == 15)
    #expect(store.pictureParameterSet(63, layerID: 39)?.unit.layerID == 15)
  }

  @Test func aSetIsFoundWithoutSorting() throws {
    var store = ParameterSetStore()
    var units: [NALUnit] = []
    for layer: UInt8 in 0..<62 {
      for id: UInt32 in 0..<16 {
        var sps = SequenceParameterSet()
        sps.nuhLayerID = layer
        sps.spsSeqParameterSetID = id
        sps.pictureFormat = Self.pictures
        sps.subLayerOrdering = [.init()]
        let unit = try Self.unit(.sequenceParameterSet, layer: layer, sps)
        store.insert(unit)
        units.append(unit)
      }
    }
    var found = 0
    let cost = spent {
      for unit in units where store.sequenceParameterSet(of: unit)?.unit == unit { found += 1 }
    }
    #expect(found == units.count)
    #expect(cost.allocations <= 100 * units.count, "\(cost.allocations)")
    #expect(cost.peak <= 20_000, "\(cost.peak)")
  }

  @Test func slicesWithSetsOfTheirOwn() throws {
    var sps = SequenceParameterSet()
    sps.pictureFormat = Self.pictures
    sps.subLayerOrdering = [.init()]
    sps.shortTermRefPicSets = Array(repeating: .init(), count: 64)
    var store = ParameterSetStore()
    store.insert(try Self.unit(.sequenceParameterSet, layer: 0, sps))
    store.insert(try Self.unit(.pictureParameterSet, layer: 0, PictureParameterSet()))
    // First of its picture, PPS 0, an I slice of order count 0 with a set of its own, of no pictures.
    let slice = try #require(NALUnit(ByteView([0x02, 0x01, 0xD8, 0x1E, 0x00, 0x00, 0x80])))
    let first = store.sliceSegment(slice)
    #expect(first?.header.slice?.stRefPicSet != nil)
    let cost = spent { for _ in 0..<100 { _ = store.sliceSegment(slice) } }
    #expect(cost.peak <= 4_096, "\(cost.peak)")
  }
}
