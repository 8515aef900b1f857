// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import TestSupport
import Testing

@Suite struct NALUnitTests {
  @Test(arguments: [
    (0x4001, 32, 0), (0x4201, 33, 0), (0x4401, 34, 0), (0x4E01, 39, 0), (0x2601, 19, 0), (0x2801, 20, 0),
    (0x2A01, 21, 0), (0x0201, 1, 0), (0x4209, 33, 1), (0x4409, 34, 1), (0x0209, 1, 1), (0x2A09, 21, 1),
    (0x03F9, 1, 63),
  ])
  func headers(word: Int, type: UInt8, layer: UInt8) throws {
    let unit = try #require(NALUnit(ByteView([UInt8(word >> 8), UInt8(word & 255)])))
    #expect(unit.type.rawValue == type)
    #expect(unit.layerID == layer)
    #expect(unit.temporalID == 0)
    #expect(unit.header.isValid == (layer < 63))
    #expect(try unit.bytes.decoded(NALUnitHeader()) == unit.header)
    #expect(try unit.header.encoded() == unit.bytes.array)
  }

  @Test func damagedHeaders() throws {
    #expect(NALUnit(ByteView([0x40])) == nil)
    #expect(NALUnit(ByteView()) == nil)
    let forbidden = try #require(NALUnit(ByteView([0xC0, 0x01])))
    #expect(!forbidden.header.isValid)
    #expect(try forbidden.header.encoded() == [0xC0, 0x01])
    let noTemporalID = try #require(NALUnit(ByteView([0x40, 0x00])))
    #expect(!noTemporalID.header.isValid)
    #expect(noTemporalID.temporalID == 0)
  }

  @Test func classesOfTypes() {
    func set(_ predicate: (NALUnitType) -> Bool) -> [UInt8] {
      (0...63).filter { predicate(NALUnitType(rawValue: $0)) }
    }
    #expect(set(\.isVideoCodingLayer) == Array(0...31))
    #expect(set(\.isRandomAccessPoint) == Array(16...23))
    #expect(set(\.isRefresh) == [19, 20])
    #expect(set(\.isBrokenLink) == [16, 17, 18])
    #expect(set(\.isSkippedLeading) == [8, 9])
    #expect(set(\.isDecodableLeading) == [6, 7])
    #expect(set(\.isSubLayerNonReference) == [0, 2, 4, 6, 8, 10, 12, 14])
    #expect(set(\.isSliceSegment) == Array(0...9) + Array(16...21))
    #expect(set(\.mayBeginAccessUnit) == Array(32...35) + [39] + Array(41...44) + Array(48...55))
    #expect(set(\.followsFirstSlice) == [38, 40] + Array(45...47) + Array(56...63))
    #expect(Set((0...63).map { NALUnitType(rawValue: $0).name }).count == 64)
    #expect(NALUnitType(rawValue: 31).name == "RSV_VCL31")
    #expect(NALUnitType(rawValue: 41).name == "RSV_NVCL41")
    #expect(NALUnitType(rawValue: 63).name == "UNSPEC63")
    #expect(NALUnitType(rawValue: 200).name == "invalid")
  }

  @Test func unitsFromContentTakeEmulationPrevention() throws {
    let unit = try NALUnit(NALUnitHeader(type: .prefixSEI), rbsp: [0, 0, 1, 0x80, 0, 0])
    #expect(unit.bytes.array == [0x4E, 0x01, 0, 0, 3, 1, 0x80, 0, 0, 3])
    #expect(unit.rbsp.array == [0, 0, 1, 0x80, 0, 0])
    #expect(unit.rbsp(prefix: 4).array == [0, 0, 1])
  }

  /// Three units of known bytes.
  static let three = [
    NALUnit(ByteView([0x40, 0x01, 0x0C])), NALUnit(ByteView([0x4A, 0x01])),
    NALUnit(ByteView([0x28, 0x09, 0x80, 7])),
  ].compactMap { $0 }

  @Test(arguments: [1, 2, 3, 4]) func lengthPrefixes(size: Int) throws {
    let bytes = try LengthPrefixedNALUnits.join(Self.three, lengthSize: size)
    #expect(bytes.count == 9 + 3 * size)
    let units = LengthPrefixedNALUnits(ByteView(bytes, fileOffset: 70), lengthSize: size)
    let found = try units.map { try $0.get() }
    #expect(found == Self.three)
    #expect(found.last?.bytes.fileRange == (70 + 3 * size + 5)..<(70 + bytes.count))
    #expect(found.map(\.startsPicture) == [false, false, true])
  }

  @Test func lengthsThatLie() {
    func walk(_ bytes: [UInt8], _ size: Int) -> [Result<NALUnit, ParseError>] {
      Array(LengthPrefixedNALUnits(ByteView(bytes, fileOffset: 10), lengthSize: size))
    }
    // A length beyond the end ends the walk.
    let long = walk([2, 0x4A, 1, 200, 1, 2], 1)
    #expect(long.count == 2)
    #expect(
      throws: ParseError(.truncated(neededBits: 1600, availableBits: 16), offset: 13, field: "NALUnit")
    ) {
      try long[1].get()
    }
    // Less than a length.
    let cut = walk([0, 2, 0x4A, 1, 9], 2)
    #expect(cut.count == 2)
    #expect(throws: ParseError.self) { try cut[1].get() }
    // A unit of one byte is passed over.
    let short = walk([1, 0x4A, 2, 0x4A, 1], 1)
    #expect(short.count == 2)
    #expect((try? short[1].get().type) == .endOfBitstream)
    // Any number of empty units is one error.
    let flood = walk([UInt8](repeating: 0, count: 100_000) + [0, 0, 0, 2, 0x4A, 1], 4)
    #expect(flood.count == 2)
    #expect(
      throws: ParseError(
        .invalidSize(0, reason: "means 25000 empty NAL units in a row"), offset: 10, field: "NALUnitLength")
    ) { try flood[0].get() }
    #expect(walk([], 4).isEmpty)
    #expect(walk([0xFF, 0xFF, 0xFF, 0xFF], 4).count == 1)
  }

  @Test func everyMutationOfASampleEnds() throws {
    let bytes = try LengthPrefixedNALUnits.join(Self.three + Self.three, lengthSize: 2)
    for index in bytes.indices {
      for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
        var damaged = bytes
        damaged[index] = value
        for size in 1...4 {
          let count = LengthPrefixedNALUnits(ByteView(damaged), lengthSize: size).reduce(0) { n, _ in n + 1 }
          #expect(count <= bytes.count)
        }
      }
    }
  }

  @Test func byteStreams() throws {
    let long = AnnexBNALUnits.join(Self.three)
    #expect(long.count == 9 + 3 * 4)
    let short = AnnexBNALUnits.join(Self.three, longStartCodes: false)
    #expect(short.count == 9 + 4 + 3 + 3)
    for bytes in [long, short, [0, 0, 0] + long + [0, 0, 0, 0]] {
      #expect(try AnnexBNALUnits(ByteView(bytes)).map { try $0.get() } == Self.three)
    }
    // A unit keeps its place, and does not keep the zeros after it.
    let units = try AnnexBNALUnits(ByteView([0, 0, 1, 0x4A, 1, 9, 0, 0, 0, 1, 0x4A, 1], fileOffset: 5)).map {
      try $0.get().bytes.fileRange
    }
    #expect(units == [8..<11, 15..<17])
  }

  @Test func damagedByteStreams() {
    #expect(Array(AnnexBNALUnits(ByteView())).isEmpty)
    #expect(Array(AnnexBNALUnits(ByteView([0, 0, 0]))).isEmpty)
    let noCode = Array(AnnexBNALUnits(ByteView([1, 2, 3])))
    #expect(noCode.count == 1)
    #expect(throws: ParseError.self) { try noCode[0].get() }
    let junk = Array(AnnexBNALUnits(ByteView([0, 9, 0, 0, 1, 0x4A, 1])))
    #expect(junk.count == 2)
    // A flood of start codes is one error.
    let codes = (0..<30_000).flatMap { _ in [0, 0, 1] as [UInt8] }
    let flood = codes + [0x4A, 1]
    let found = Array(AnnexBNALUnits(ByteView(flood)))
    #expect(found.count == 2)
    #expect(throws: Never.self) { try found[1].get() }
  }

  /// What the scanner finds in `bytes` when they come in chunks of `size`.
  static func scan(
    _ bytes: [UInt8], chunk size: Int
  ) -> (units: [AnnexBScanner.Unit], scanner: AnnexBScanner) {
    var scanner = AnnexBScanner(offset: 1_000)
    var units: [AnnexBScanner.Unit] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      scanner.scan(ByteView(bytes[start..<min(start + size, bytes.count)])) { units.append($0) }
    }
    scanner.finish { units.append($0) }
    return (units, scanner)
  }

  @Test func chunksOfEverySizeGiveTheSameUnits() {
    var generator = SeededGenerator(seed: 6)
    for round in 0..<60 {
      let bytes = (0..<(round * 5)).map { _ in
        UInt8.random(in: 0...2, using: &generator) == 0
          ? UInt8.random(in: 0...255, using: &generator)
          : UInt8.random(in: 0...3, using: &generator) / 2
      }
      let whole = AnnexBNALUnits(ByteView(bytes, fileOffset: 1_000)).compactMap { try? $0.get() }
      for size in [1, 2, 3, 5, 8, 64, 1_000] {
        let found = Self.scan(bytes, chunk: size).units
        #expect(found.map(\.range) == whole.map(\.bytes.fileRange), "\(bytes) in chunks of \(size)")
        #expect(found.map(\.header) == whole.map(\.header))
        #expect(found.map(\.startsPicture) == whole.map(\.startsPicture))
      }
    }
  }

  @Test func whatTheScannerPassesOverIsCounted() {
    let (units, scanner) = Self.scan([7, 7, 0, 0, 1, 0, 0, 1, 0x4A, 0, 0, 1, 0x4A, 1], chunk: 3)
    #expect(units.map(\.header.type) == [.endOfBitstream])
    #expect(scanner.shortUnits == 2)
    #expect(scanner.hasLeadingBytes)
    #expect(!Self.scan([0, 0, 0], chunk: 1).scanner.hasLeadingBytes)
    #expect(!Self.scan([0, 0, 0, 1, 0x4A, 1], chunk: 1).scanner.hasLeadingBytes)
    #expect(!Self.scan([0, 0, 1, 0x4A, 1], chunk: 9).scanner.hasLeadingBytes)
  }
}

/// The names in code are those that are printed.
@Suite struct NALUnitTypeNameTests {
  @Test func everyPrintedNameIsANameInCode() {
    let types: [(NALUnitType, String)] = [
      (.trailN, "TRAIL_N"), (.trailR, "TRAIL_R"), (.tsaN, "TSA_N"), (.tsaR, "TSA_R"), (.stsaN, "STSA_N"),
      (.stsaR, "STSA_R"), (.radlN, "RADL_N"), (.radlR, "RADL_R"), (.raslN, "RASL_N"), (.raslR, "RASL_R"),
      (.blaWLP, "BLA_W_LP"), (.blaWRADL, "BLA_W_RADL"), (.blaNLP, "BLA_N_LP"), (.idrWRADL, "IDR_W_RADL"),
      (.idrNLP, "IDR_N_LP"), (.craNUT, "CRA_NUT"), (.vpsNUT, "VPS_NUT"), (.spsNUT, "SPS_NUT"),
      (.ppsNUT, "PPS_NUT"), (.audNUT, "AUD_NUT"), (.eosNUT, "EOS_NUT"), (.eobNUT, "EOB_NUT"),
      (.fdNUT, "FD_NUT"), (.prefixSEINUT, "PREFIX_SEI_NUT"), (.suffixSEINUT, "SUFFIX_SEI_NUT"),
    ]
    for (type, name) in types { #expect(type.description == name) }
    // All that the specification names and does not reserve or leave open.
    let named = (UInt8(0)...63).map(NALUnitType.init(rawValue:)).filter {
      !$0.isReserved && !$0.isUnspecified
    }
    #expect(Set(types.map(\.0)) == Set(named))
  }

  @Test func namesAreRead() {
    for number in UInt8(0)...63 {
      let type = NALUnitType(rawValue: number)
      #expect(NALUnitType(name: type.name) == type)
    }
    #expect(NALUnitType(name: "IDR") == nil && NALUnitType(name: "") == nil)
  }
}
