// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import TestSupport
import Testing

/// The samples of real movies: what is in them, in which order pictures are shown, and what they refer to.
@Suite(.enabled(if: Corpus.isPresent)) struct SampleTests {
  @Test func unitsAndPicturesEqualAnotherToolsListing() throws {
    var records = 0, samples = 0, units = 0, orderCounts = 0, sliceTypes = 0
    for name in MP4BoxListing.names {
      let listing = try #require(MP4BoxListing(name))
      let track = try #require(CorpusVideo(name)?.tracks.first { $0.id == listing.trackID }, "\(name)")
      #expect(track.problems.isEmpty, "\(name): \(track.problems)")
      // It lists the units of records by kind.
      #expect(Self.sorted(track.records.map(Self.listed)) == Self.sorted(listing.records.map(\.identity)))
      try #require(track.samples.count == listing.samples.count, "\(name)")
      var reader = PictureReader()
      for unit in track.records { reader.add(unit) }
      for (found, listed) in zip(track.samples, listing.samples) {
        #expect(found.map(Self.listed) == listed.map(\.identity), "\(name)")
        for (unit, listed) in zip(found, listed) {
          // It knows slices of the base layer only, and some muxers lose the parameter sets of the others.
          if unit.type.isVideoCodingLayer, unit.layerID > 0 { continue }
          guard let picture = reader.add(unit) else { continue }
          if let slice = listed.slice, let own = picture.header.slice {
            #expect(own.sliceType.description == slice, "\(name)")
            sliceTypes += 1
          }
          if let expected = listed.orderCount, !Self.hasStrangeOrderCounts(name) {
            #expect(picture.orderCount == expected, "\(name)")
            orderCounts += 1
          }
        }
        units += found.count
      }
      records += track.records.count
      samples += listing.samples.count
    }
    print(
      "\(MP4BoxListing.names.count) movies: \(units) NAL units of \(samples) samples and \(records) of records,",
      "\(orderCounts) order counts and \(sliceTypes) slice types of base layers equal MP4Box's")
    #expect(MP4BoxListing.names.count >= 61)
  }

  /// Whether MP4Box is wrong about the base layer's order counts: it takes pictures of layers other than 0 and 1 for
  /// pictures of the base layer. The reference decoder's trace has those of the same streams.
  private static func hasStrangeOrderCounts(_ name: String) -> Bool {
    name.contains("nuh6") || name.contains("3view")
  }

  private static func listed(_ unit: NALUnit) -> [Int] {
    [Int(unit.type.rawValue), Int(unit.layerID), unit.bytes.count]
  }

  private static func sorted(_ units: [[Int]]) -> [[Int]] {
    units.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Reads the pictures of a stream in the order of decoding.
  struct PictureReader {
    struct Picture {
      var header: SliceSegmentHeader
      var orderCount: Int?
    }

    var store = ParameterSetStore()
    private var counter = PictureOrderCounter()
    private var previous: SliceSegmentHeader?

    @discardableResult
    mutating func add(_ unit: NALUnit) -> Picture? {
      store.insert(unit)
      if unit.type == .endOfSequence { counter.endOfSequence(layerID: unit.layerID) }
      guard let segment = store.sliceSegment(unit, after: previous) else { return nil }
      #expect(segment.error == nil)
      #expect(segment.header.endsProperly)
      previous = segment.header
      return Picture(header: segment.header, orderCount: counter.orderCount(of: segment.header))
    }
  }

  @Test func picturesOfAnAccessUnitShareTheirOrderCount() throws {
    var accessUnits = 0, pictures = 0
    for name in CorpusStreams.names {
      var reader = PictureReader()
      for accessUnit in AccessUnitGrouper.group(try CorpusStreams.units(name)) {
        var counts: Set<Int> = []
        for unit in accessUnit.units {
          guard let picture = reader.add(unit), unit.startsPicture else { continue }
          counts.insert(try #require(picture.orderCount))
          pictures += 1
        }
        #expect(counts.count <= 1, "\(name)")
        accessUnits += 1
      }
    }
    print("\(pictures) pictures of \(accessUnits) access units share their order counts")
    #expect(accessUnits > 1_000 && pictures > accessUnits)
  }

  /// How many pictures another decoder put out of each layer is how many there are.
  @Test func picturesOfLayersAreAsManyAsDecodedOnes() throws {
    var compared = 0, pictures = 0
    var unfit: [String] = []
    for name in Corpus.files(with: "framemd5.view0.txt") {
      guard let track = CorpusVideo(name)?.tracks.first(where: { !$0.samples.isEmpty }) else {
        unfit.append("\(name): images, no track")
        continue
      }
      var counts: [UInt8: Int] = [:]
      for sample in track.samples {
        for picture in AccessUnit(sample).pictures { counts[picture.layerID, default: 0] += 1 }
      }
      for (view, layer) in counts.keys.sorted().prefix(2).enumerated() {
        guard let text = Corpus.truth(name, "framemd5.view\(view).txt") else { continue }
        let decoded = text.split(separator: "\n").count { !$0.hasPrefix("#") }
        if counts[layer] != decoded, let fault = Self.fault(name, view: view) {
          unfit.append(
            "\(name): layer \(layer) has \(counts[layer, default: 0]), decoded \(decoded): \(fault)")
          continue
        }
        #expect(counts[layer] == decoded, "\(name), layer \(layer)")
        compared += 1
        pictures += decoded
      }
    }
    print("\(pictures) pictures in \(compared) layers are as many as were decoded; not compared:")
    for line in unfit { print(" ", line) }
    #expect(compared > 80)
  }

  /// Why what was decoded of a view says nothing of how many pictures there are.
  private static func fault(_ name: String, view: Int) -> String? {
    if name.contains("_mp4ff.") { return "its muxer writes no ctts, so that the decoder drops pictures" }
    if name.hasSuffix("_ffmpeg.mov") { return "copied without lhvC and with shifted times" }
    guard view == 1 else { return nil }
    if name.contains("3view") { return "the decoder takes two views only" }
    let misread = [
      "a320_opengop", "a320_mdcv_cll", "c322_confwin_rh", "d256_300f", "b640_intra", "_ffmpeg.hevc",
    ]
    return misread.contains { name.contains($0) }
      ? "parameter sets between the layers of an access unit, which that decoder does not understand" : nil
  }

  /// Access units of byte streams are found whole, whatever is between the layers.
  @Test func accessUnitsOfStreamsAreWhole() throws {
    var accessUnits = 0
    for name in CorpusStreams.names {
      let groups = AccessUnitGrouper.group(try CorpusStreams.units(name))
      for group in groups {
        // One encoder writes a delimiter in front of the picture of each layer.
        let issues = group.issues.filter { $0.kind != .secondDelimiter }
        #expect(issues.isEmpty, "\(name): \(issues)")
      }
      accessUnits += groups.count
    }
    print("\(accessUnits) access units of \(CorpusStreams.names.count) streams are in order")
    #expect(accessUnits > 1_000)
  }

  /// Samples of a movie are access units: the same units in a row give the same groups again, whatever is between
  /// the layers.
  @Test func samplesAreAccessUnits() throws {
    var compared = 0, restored = 0
    for name in Corpus.files(with: "ffprobe.packets.csv") where !CorpusStreams.names.contains(name) {
      guard let tracks = CorpusVideo(name)?.tracks, tracks.count == 1 else { continue }
      let samples = tracks[0].samples
      let isWhole = samples.allSatisfy { AccessUnit($0).picture(layerID: 0) != nil }
      compared += 1
      // One muxer cuts samples between the layers of an access unit.
      guard isWhole else {
        print("\(name): samples without a picture of the base layer")
        continue
      }
      let groups = AccessUnitGrouper.group(samples.flatMap { $0 })
      #expect(groups.map(\.units) == samples, "\(name)")
      restored += 1
    }
    print("samples of \(restored) of \(compared) movies are found again as access units")
    #expect(restored > 40)
  }

  @Test func theCameraOrder() throws {
    let track = try #require(CorpusVideo("apple/iphone15promax.mov")?.tracks.first)
    let first = AccessUnit(try #require(track.samples.first))
    #expect(first.units.map { $0.type.rawValue } == [39, 20, 39, 21])
    #expect(first.units.map(\.layerID) == [0, 0, 0, 1])
    #expect(first.issues.isEmpty)
    #expect(first.pictures.map(\.type) == [.refreshWithoutLeading, .cleanRandomAccess])
  }

  // MARK: References

  /// A reference as people write it: the order count, or `V` and the layer.
  static func text(_ pictures: [ReferencePicture], in layerID: UInt8) -> [String] {
    pictures.map { $0.layerID == layerID ? "\($0.orderCount)" : "V\($0.layerID)" }
  }

  @Test func aMovieByVideoToolbox() throws {
    let track = try #require(CorpusVideo("apple/stereo_spatial.mp4")?.tracks.first)
    var reader = PictureReader()
    for unit in track.records { reader.add(unit) }
    var types: [[SliceType]] = [[], []], counts: [[Int?]] = [[], []]
    var lists: [Int: (l0: [String], l1: [String])] = [:]
    for sample in track.samples {
      for unit in sample {
        guard let picture = reader.add(unit), let slice = picture.header.slice else { continue }
        let layer = Int(unit.layerID)
        types[layer].append(slice.sliceType)
        counts[layer].append(picture.orderCount)
        guard layer == 1, let count = picture.orderCount else { continue }
        let both = slice.referencePictureLists(orderCount: count)
        #expect((both.l0 + both.l1).allSatisfy { $0.isLongTerm == ($0.layerID == 0) })
        lists[count] = (Self.text(both.l0, in: 1), Self.text(both.l1, in: 1))
      }
    }
    let order: [Int?] = [0, 4, 2, 1, 3, 8, 6, 5, 7, 9]
    #expect(counts == [order, order])
    #expect(types[0] == [.i, .p, .b, .b, .b, .p, .b, .b, .b, .p])
    #expect(types[1] == [.p] + [SliceType](repeating: .b, count: 9))
    // As the reference decoder printed them.
    #expect(lists[0]?.l0 == ["V0"] && lists[0]?.l1 == [])
    #expect(lists[4]?.l0 == ["V0"] && lists[4]?.l1 == ["0"])
    #expect(lists[8]?.l0 == ["V0"] && lists[8]?.l1 == ["4"])
    #expect(lists[9]?.l0 == ["V0"] && lists[9]?.l1 == ["8"])
    for count in [1, 2, 3, 5, 6, 7] {
      let list = try #require(lists[count])
      #expect((list.l0 + list.l1).allSatisfy { !$0.hasPrefix("V") })
    }
  }

  @Test func aStreamByX265() throws {
    var reader = PictureReader()
    var lists: [Int: (l0: [String], l1: [String])] = [:]
    for unit in try CorpusStreams.units("mvhevc/a320_default.hevc") {
      guard let picture = reader.add(unit), unit.layerID == 1, let count = picture.orderCount else {
        continue
      }
      let both = try #require(picture.header.slice).referencePictureLists(orderCount: count)
      lists[count] = lists[count] ?? (Self.text(both.l0, in: 1), Self.text(both.l1, in: 1))
    }
    // As the reference decoder printed them.
    #expect(lists[0]?.l0 == ["V0"] && lists[0]?.l1 == [])
    #expect(lists[3]?.l0 == ["0", "V0"] && lists[3]?.l1 == ["5", "0"])
    #expect(lists[4]?.l0 == ["3", "0", "V0"] && lists[4]?.l1 == ["5", "3"])
  }

  // MARK: Writing, and where slices are

  @Test func headersAreWrittenBackToTheBit() throws {
    var headers = 0, parts = 0
    for name in CorpusStreams.names {
      var reader = PictureReader()
      var previous: SliceSegmentHeader?
      for unit in try CorpusStreams.units(name) {
        reader.add(unit)
        guard let segment = reader.store.sliceSegment(unit, after: previous) else { continue }
        previous = segment.header
        let offset = try #require(segment.dataOffset)
        let rbsp = unit.bytes.prefix(offset).suffix(from: 2).removingEmulationPrevention()
        #expect(try segment.header.encoded() == rbsp.array, "\(name)")
        headers += 1
        // Each part of the coded blocks ends where the next one begins, within the unit.
        let substreams = segment.substreams
        #expect(substreams.count == segment.header.entryPointOffsetMinus1.count + 1, "\(name)")
        #expect(substreams.allSatisfy { !$0.isEmpty }, "\(name)")
        parts += substreams.count
      }
    }
    print("\(headers) slice headers are written back to the bit; their slices have \(parts) parts")
    #expect(headers > 2_000 && parts > headers)
  }
}
