// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import HEVCDecoding
import TestSupport
import Testing

/// The pictures of an access unit belong together, however the caller hands them in.
@Suite struct AccessUnitSplitTests {
  private static let names = ["mv_nuh", "x265_mv_noise", "mv_10bit", "x265_alpha"]

  private static func units(_ name: String) -> [NALUnit] {
    AnnexBNALUnits(Fixtures.bytes("pictures/\(name).bit")).compactMap { try? $0.get() }
  }

  private static func decode(_ pieces: [[NALUnit]]) -> [PictureTruth] {
    let decoder = HEVCDecoder()
    var pictures: [DecodedPicture] = []
    for (index, piece) in pieces.enumerated() { pictures += decoder.decode(piece, tag: index) }
    pictures += decoder.finish()
    #expect(decoder.takeFailures() == [])
    #expect(pictures.flatMap(\.problems) == [])
    #expect(pictures.filter { $0.hash == .mismatch }.map { "\($0.tag) \($0.layerID)" } == [])
    return pictures.map(DecodedStreamTests.truth)
  }

  /// Some muxers make a sample of each layer: what refers to the layer below finds it.
  @Test(arguments: names) func aPictureAtATime(_ name: String) {
    var pieces: [[NALUnit]] = []
    var hasSlice = false
    for unit in Self.units(name) {
      if pieces.isEmpty || unit.type.isSliceSegment && unit.startsPicture && hasSlice {
        pieces.append([])
        hasSlice = false
      }
      pieces[pieces.count - 1].append(unit)
      if unit.type.isSliceSegment { hasSlice = true }
    }
    #expect(Self.decode(pieces) == PictureTruth.fixtures[name])
  }

  /// A message that comes too late is not taken for that of the next picture.
  @Test func messagesThatComeLate() {
    let decoder = HEVCDecoder()
    var pictures: [DecodedPicture] = []
    for unit in Self.units("lt_sps") { pictures += decoder.decode([unit]) }
    pictures += decoder.finish()
    #expect(pictures.map(DecodedStreamTests.truth) == PictureTruth.fixtures["lt_sps"])
    #expect(pictures.allSatisfy { $0.hash == .none })
  }

  /// All at once: access units are told apart by their layers and order counts.
  @Test(arguments: ["mv_nuh", "x265_mv_noise", "lt_sps", "mv_far"]) func allAtOnce(_ name: String) {
    #expect(Self.decode([Self.units(name)]) == PictureTruth.fixtures[name])
  }

  /// A picture of the highest layer completes its access unit: what is due is not held back.
  @Test func picturesComeAtOnce() throws {
    let units = Self.units("mv_nuh")
    let first = try #require(AccessUnitGrouper.group(units).first)
    let decoder = HEVCDecoder()
    _ = decoder.decode(first.units)
    #expect(decoder.finish().map(\.layerID) == [0, 5])
  }
}

/// Decoding may begin at any picture that is made for it.
@Suite struct RandomAccessTests {
  /// A picture by what does not depend on where decoding began: order counts do.
  private struct Key: Hashable {
    let tag: Int
    let layerID: UInt8
    let hashes: [String]

    init(_ picture: DecodedPicture) {
      tag = picture.tag
      layerID = picture.layerID
      hashes = DecodedStreamTests.truth(picture).hashes
    }
  }

  private static func decode(_ units: ArraySlice<[NALUnit]>, _ sets: [NALUnit]) -> [DecodedPicture] {
    let decoder = HEVCDecoder()
    decoder.insert(parameterSets: sets)
    var pictures: [DecodedPicture] = []
    for (index, unit) in zip(units.indices, units) { pictures += decoder.decode(unit, tag: index) }
    return pictures + decoder.finish()
  }

  /// From each such picture of the base layer on: all pictures that all of the stream gives from there on, without the
  /// leading ones that refer to what came before it.
  private static func check(_ stream: ByteView) throws -> Int {
    let all = AnnexBNALUnits(stream).compactMap { try? $0.get() }
    let units = AccessUnitGrouper.group(all).map(\.units)
    let whole = decode(units[...], [])
    var starts = 0
    for start in units.indices.dropFirst() {
      guard units[start].contains(where: { $0.layerID == 0 && $0.type.isRandomAccessPoint }) else { continue }
      starts += 1
      let sets = units[..<start].joined().filter { !$0.type.isSliceSegment && !$0.type.isSEI }
      let found = decode(units[start...], sets.filter { $0.type.rawValue < 35 })
      #expect(found.allSatisfy { $0.problems.isEmpty && $0.hash != .mismatch })
      let next = units.indices.dropFirst(start + 1).first { index in
        units[index].contains { $0.layerID == 0 && $0.type.isRandomAccessPoint }
      }
      let skipped = start..<(next ?? units.endIndex)
      // A higher layer begins where it has such a picture itself.
      var begun: [UInt8: Int] = [:]
      for picture in found { begun[picture.layerID] = min(begun[picture.layerID] ?? .max, picture.tag) }
      let expected = whole.filter { picture in
        picture.tag >= start && picture.tag >= begun[picture.layerID] ?? .max
          && !(skipped.contains(picture.tag) && picture.type.isSkippedLeading)
      }
      #expect(found.map(Key.init) == expected.map(Key.init), "from access unit \(start)")
      #expect(begun[0] == start)
    }
    return starts
  }

  @Test(arguments: ["bla_w_radl", "eos_cra", "x265_alpha", "x265_mv_noise", "mv_10bit", "mv_nuh"])
  func samePicturesFromThereOn(_ name: String) throws {
    _ = try Self.check(Fixtures.bytes("pictures/\(name).bit"))
  }

  @Test(.enabled(if: Corpus.isPresent), arguments: ["cra_open", "mv_cra", "idr_radl"])
  func samePicturesOfTheCorpus(_ name: String) throws {
    #expect(try Self.check(Corpus.bytes("pictures/\(name).bit")) > 0)
  }

  /// A decoder that is restarted is as good as a new one.
  @Test func restarting() {
    let units = AnnexBNALUnits(Fixtures.bytes("pictures/eos_cra.bit")).compactMap { try? $0.get() }
    let decoder = HEVCDecoder()
    _ = decoder.decode(units.prefix(12), tag: 0)
    decoder.restart()
    var pictures: [DecodedPicture] = []
    for (index, unit) in AccessUnitGrouper.group(units).enumerated() {
      pictures += decoder.decode(unit.units, tag: index)
    }
    pictures += decoder.finish()
    #expect(pictures.map(DecodedStreamTests.truth) == PictureTruth.fixtures["eos_cra"])
  }
}
