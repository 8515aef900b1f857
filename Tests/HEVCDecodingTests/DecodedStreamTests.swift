// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import HEVCCoding
import HEVCDecoding
import TestSupport
import Testing

/// Whole streams, decoded: order, sizes and the MD5 of every plane of every layer are those of reference decoders.
///
/// Small streams only, because decoding without optimisation takes its time; `.ci/pictures` compares all of them.
@Suite struct DecodedStreamTests {
  /// The pictures of a stream, as lines of a truth file, with what could not be decoded.
  static func decode(_ stream: ByteView, layers: LayerIDSet? = nil) -> (
    pictures: [DecodedPicture], failures: [HEVCDecoder.Failure]
  ) {
    var options = HEVCDecoder.Options()
    options.layers = layers
    let decoder = HEVCDecoder(options)
    var pictures: [DecodedPicture] = []
    let units = AnnexBNALUnits(stream).compactMap { try? $0.get() }
    for (index, unit) in AccessUnitGrouper.group(units).enumerated() {
      pictures += decoder.decode(unit.units, tag: index)
    }
    pictures += decoder.finish()
    return (pictures, decoder.takeFailures())
  }

  static func truth(_ picture: DecodedPicture) -> PictureTruth {
    let format = picture.format, window = format.conformanceWindow ?? ConformanceWindow()
    let crop = [
      Int(window.leftOffset) * format.subWidthC, Int(window.rightOffset) * format.subWidthC,
      Int(window.topOffset) * format.subHeightC, Int(window.bottomOffset) * format.subHeightC,
    ]
    let size = picture.size
    return PictureTruth(
      format: "\(picture.layerID) \(picture.orderCount) \(size.width) \(size.height) \(format.bitDepthLuma) "
        + "\(format.bitDepthChroma) \(format.chromaFormatIdc) \(crop.map(String.init).joined(separator: ","))",
      hashes: (0..<3).map { component in
        picture.md5(ofPlane: component).map { ByteView($0).hexadecimalText() } ?? "-"
      })
  }

  /// The small streams of the package: at least one for each tool.
  @Test(arguments: PictureTruth.fixtures.keys.sorted()) func sameAsRecorded(_ name: String) throws {
    let truth = try #require(PictureTruth.fixtures[name])
    let found = Self.decode(Fixtures.bytes("pictures/\(name).bit"))
    #expect(found.pictures.map(Self.truth) == truth && !truth.isEmpty)
    #expect(found.failures == [])
    #expect(found.pictures.allSatisfy { $0.problems.isEmpty && $0.hash != .mismatch })
  }

  /// The decoder knows which pictures the stream does not output: RASL pictures, and those with a flag. 8.3.1
  @Test(arguments: ["outflag_a", "eos_cra"]) func picturesThatAreNotOutput(_ name: String) {
    var options = HEVCDecoder.Options()
    options.outputsPriorPictures = true
    let decoder = HEVCDecoder(options)
    let stream = AnnexBNALUnits(Fixtures.bytes("pictures/\(name).bit")).compactMap { try? $0.get() }
    var shown: Set<Int> = []
    let units = AccessUnitGrouper.group(stream)
    for (index, unit) in units.enumerated() {
      shown.formUnion(decoder.decode(unit.units, tag: index).map(\.tag))
    }
    shown.formUnion(decoder.finish().map(\.tag))
    #expect(shown.count < units.count)
    for tag in units.indices { #expect(decoder.isUnshown(tag: tag) != shown.contains(tag), "\(tag)") }
    decoder.restart()
    #expect(!units.indices.contains { decoder.isUnshown(tag: $0) })
  }

  @Test func fixturesAreThere() { #expect(PictureTruth.fixtures.count >= 40) }

  static let names = ["intra_b", "tiles_nu", "lt_msb", "mv_3view_dep", "res_change"]
    .map { "pictures/\($0).bit" }

  @Test(.enabled(if: Corpus.isPresent), arguments: names) func sameAsReferenceDecoders(_ name: String) throws
  {
    let truth = try #require(PictureTruth.streams[name])
    let found = Self.decode(Corpus.bytes(name))
    #expect(found.pictures.map(Self.truth) == truth)
    #expect(found.failures == [])
    #expect(found.pictures.allSatisfy { $0.problems.isEmpty && $0.hash != .mismatch })
  }

  /// The samples that a picture hands out are those of reference decoders: their sum is the recorded one.
  @Test(arguments: ["uneq_8_10", "crop_d", "rx_400_8", "x265_main12_b", "rx_422_10"])
  func samplesAreHandedOut(_ name: String) throws {
    let truth = try #require(PictureTruth.fixtures[name])
    let found = Self.decode(Fixtures.bytes("pictures/\(name).bit")).pictures
    for (picture, expected) in zip(found, truth) {
      for component in 0..<3 {
        let sum = picture.bytes(ofPlane: component).map { bytes in
          var sum = MD5Probe()
          sum.update(bytes)
          return sum.hexadecimal
        }
        #expect(sum ?? "-" == expected.hashes[component])
      }
      #expect(picture.bytes(ofPlane: 3) == nil && picture.bytes(ofPlane: -1) == nil)
    }
    #expect(found.count == truth.count && !found.isEmpty)
  }

  /// A wrong sample is noticed, by the message that the stream has for it.
  @Test func hashesFindWrongSamples() throws {
    let found = Self.decode(Fixtures.bytes("two-views.hevc"))
    let picture = try #require(found.pictures.first)
    var hash = DecodedPictureHash()
    hash.md5 = (0..<3).map { component in
      var sum = DecodedPictureHash.MD5()
      sum.bytes = ByteView(picture.buffer.md5(component))
      return sum
    }
    #expect(picture.buffer.verdict(hash) == .match)
    picture.buffer.planes[2][0, 0] ^= 1
    #expect(picture.buffer.verdict(hash) == .mismatch)
  }
}

/// Streams that lack something, or are wrong.
@Suite struct DamagedStreamTests {
  private static let units = AnnexBNALUnits(Fixtures.bytes("two-views.hevc")).compactMap { try? $0.get() }

  /// What precedes the damage is exact, what follows is decoded as far as it can be, and the picture says so.
  @Test func aDamagedSlice() throws {
    let whole = DecodedStreamTests.decode(ByteView(AnnexBNALUnits.join(Self.units)))
    let slices = Self.units.indices.filter {
      Self.units[$0].type.isSliceSegment && Self.units[$0].layerID == 0
    }
    var units = Self.units
    let hurt = slices[2]
    let bytes = units[hurt].bytes.array
    units[hurt] = try #require(NALUnit(ByteView(Array(bytes.prefix(bytes.count / 2)))))
    let found = DecodedStreamTests.decode(ByteView(AnnexBNALUnits.join(units)))
    #expect(found.pictures.count == whole.pictures.count)
    let damaged = found.pictures.filter { !$0.problems.isEmpty }
    #expect(damaged.contains { $0.layerID == 0 && $0.tag == 2 })
    for (picture, expected) in zip(found.pictures, whole.pictures) where picture.tag < 2 {
      #expect(DecodedStreamTests.truth(picture) == DecodedStreamTests.truth(expected))
    }
  }

  /// One layer alone is what it is among all.
  @Test func aSingleLayer() {
    let stream = Fixtures.bytes("two-views.hevc")
    let both = DecodedStreamTests.decode(stream).pictures.map(DecodedStreamTests.truth)
    let base = DecodedStreamTests.decode(stream, layers: [0]).pictures.map(DecodedStreamTests.truth)
    #expect(base == both.filter { $0.format.hasPrefix("0 ") } && !base.isEmpty)
  }

  /// No input stops the decoder.
  @Test func flippedBits() {
    let stream = Fixtures.bytes("three-views.hevc").array
    var generator = SeededGenerator(seed: 29)
    for _ in 0..<12 {
      var damaged = Array(stream.prefix(3_000))
      for _ in 0..<6 {
        let place = Int.random(in: damaged.indices, using: &generator)
        damaged[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      }
      let found = DecodedStreamTests.decode(ByteView(damaged))
      #expect(found.pictures.count <= 100)
    }
  }
}

/// Sums of known bytes.
@Suite struct PictureHashTests {
  /// The vectors of RFC 1321, A.5, and lengths around a block.
  @Test func md5() {
    func sum(_ text: String) -> String {
      var sum = MD5Probe()
      sum.update(Array(text.utf8))
      return sum.hexadecimal
    }
    #expect(sum("") == "d41d8cd98f00b204e9800998ecf8427e")
    #expect(sum("abc") == "900150983cd24fb0d6963f7d28e17f72")
    #expect(sum("message digest") == "f96b697d7cb7938d525a2f31aaf161d0")
    #expect(
      sum("12345678901234567890123456789012345678901234567890123456789012345678901234567890")
        == "57edf4a22be3c955ac49da2e2107b67a")
    for length in [55, 56, 63, 64, 65, 127, 128] {
      var pieces = MD5Probe()
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
      for byte in bytes { pieces.update([byte]) }
      var whole = MD5Probe()
      whole.update(bytes)
      #expect(pieces.hexadecimal == whole.hexadecimal)
    }
  }
}

private struct MD5Probe {
  private var sum = MD5()
  mutating func update(_ bytes: [UInt8]) {
    let whole = bytes[...]
    sum.update(whole.span)
  }
  var hexadecimal: String { ByteView(sum.sum()).hexadecimalText() }
}
