// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import TestSupport
import Testing

/// Bytes written by hand from ISO/IEC 14496-12 and 14496-15.
@Suite struct SampleGroupTests {
  private func sgpd(_ hex: String, location: SourceLocation = #_sourceLocation) throws
    -> SampleGroupDescriptionBox
  {
    try payload("sgpd", in: .box("stbl"), hex, as: SampleGroupDescriptionBox.self, location: location)
  }

  private func distances(_ box: SampleGroupDescriptionBox) -> [Int16] {
    box.entries.compactMap { ($0.content as? RollRecoveryEntry)?.rollDistance }
  }

  @Test func descriptionsOfEveryVersion() throws {
    let version0 = try sgpd("00000000 726F6C6C 00000002 FFFF 0002")
    #expect(distances(version0) == [-1, 2])
    let version1 = try sgpd("01000000 726F6C6C 00000002 00000002 FFFF 0002")
    #expect(distances(version1) == [-1, 2] && version1.defaultLength == 2)
    let lengths = try sgpd("01000000 726F6C6C 00000000 00000002 00000002 FFFF 00000002 0002")
    #expect(distances(lengths) == [-1, 2])
    let version2 = try sgpd("02000000 726F6C6C 00000002 00000001 00000001 FFFF")
    #expect(distances(version2) == [-1] && version2.defaultGroupDescriptionIndex == 1)
    #expect(version2.fields == .standard)
    let version3 = try sgpd("03000001 726F6C6C 00000002 00000001 00000001 FFFF")
    #expect(distances(version3) == [-1] && version3.flags == 1)
  }

  @Test func versionTwoWithoutALength() throws {
    // Some writers drop the length in version 2. Only that reading uses up these bytes.
    let box = try sgpd("02000000 726F6C6C 00000001 00000001 FFFF")
    #expect(box.fields == .withoutDefaultLength)
    #expect(box.defaultGroupDescriptionIndex == 1 && distances(box) == [-1])
  }

  @Test func manyEntriesOfVersionTwo() throws {
    let entries = String(repeating: "FFFF", count: 300)
    let without = try sgpd("02000000 726F6C6C 00000001 0000012C \(entries)")
    #expect(without.fields == .withoutDefaultLength && distances(without).count == 300)
    let with = try sgpd("02000000 726F6C6C 00000002 00000001 0000012C \(entries)")
    #expect(with.fields == .standard && with.defaultLength == 2 && distances(with).count == 300)
    let own = String(repeating: "00000002 FFFE", count: 300)
    let each = try sgpd("02000000 726F6C6C 00000000 00000001 0000012C \(own)")
    #expect(each.fields == .standard && each.defaultLength == 0)
    #expect(distances(each) == [Int16](repeating: -2, count: 300))
    // Of lengths that differ, and of a type that is not known.
    let key = "000102030405060708090A0B0C0D0E0F"
    let mixed = String(repeating: "00 00 00 00 \(key) 00 19 01 00 \(key) 04 AABBCCDD", count: 150)
    let keys = try sgpd("02000000 73656967 00000001 0000012C \(mixed)")
    #expect(keys.fields == .withoutDefaultLength && keys.entries.count == 300)
    let unknown = try sgpd("02000000 61626364 00000001 0000012C \(entries)")
    #expect(unknown.fields == .withoutDefaultLength && unknown.undividedEntryCount == 300)
    #expect(unknown.undivided?.count == 600)
    // What fits neither way is read as the standard has it.
    let neither = try decode(
      "sgpd", in: .box("stbl"), ByteView(hex: "02000000 726F6C6C 00000001 0000012C 00"))
    #expect(neither.error != nil)
    #expect((neither.payload as? SampleGroupDescriptionBox)?.fields == .standard)
  }

  @Test func whatIsNotKnownIsKept() throws {
    let version1 = try sgpd("01000000 61626364 00000002 00000002 0102 0304")
    #expect(
      version1.entries.map { ($0.content as? UnknownSampleGroupEntry)?.data.array } == [[1, 2], [3, 4]])
    // Without lengths nothing says where an entry ends.
    let version0 = try sgpd("00000000 61626364 00000002 0102 0304")
    #expect(version0.entries.isEmpty && version0.undivided?.array == [1, 2, 3, 4])
    #expect(version0.undividedEntryCount == 2)
    // More bytes than the entry is known to have.
    let longer = try sgpd("01000000 726F6C6C 00000004 00000001 FFFF 0708")
    #expect(distances(longer) == [-1] && longer.entries.first?.rest.array == [7, 8])
  }

  @Test func descriptionsThatAreDamaged() throws {
    func error(_ hex: String) throws -> ParseError? {
      try decode("sgpd", in: .box("stbl"), ByteView(hex: hex)).error
    }
    #expect(try error("04000000 726F6C6C 00000000")?.code == .unsupportedVersion(4))
    #expect(
      try error("01000000 726F6C6C 00000002 FFFFFFFF FFFF")?.code
        == .countExceedsData(count: 0xFFFF_FFFF, availableBits: 16))
    // An entry shorter than its content, and one longer than the box.
    #expect(
      try error("01000000 726F6C6C 00000001 00000002 FFFF")?.code
        == .truncated(neededBits: 16, availableBits: 8))
    #expect(try error("01000000 726F6C6C 00000000 00000001 00000003 FFFF")?.field == "entries[0].entry")
  }

  @Test func operatingPointsOfTwoViews() throws {
    let box = try sgpd(
      """
      01000000 6F696E66 00000000 00000001 0000002D
      0002 01 01 60000000 900000000000 5D
      0001 0001 00 02 01 02 02 06 0780 0438 0780 0438 42 1E00 01
      02 00 00 00 01 01 00 01
      """)
    let record = try #require(box.entries.first?.content as? OperatingPointsInformationEntry).record
    #expect(record.scalabilityMask == 2)
    #expect(record.profileTierLevels.map(\.levelIDC) == [93])
    #expect(record.profileTierLevels.map(\.constraintFlags) == [0x9000_0000_0000])
    let point = try #require(record.operatingPoints.first)
    #expect(point.outputLayerSetIndex == 1)
    #expect(point.layers.map(\.layerID) == [0, 1] && point.layers.map(\.isOutputLayer) == [true, true])
    #expect(point.layers.map(\.ptlIndex) == [1, 2])
    #expect(point.maximumPictureWidth == 1_920 && point.maximumPictureHeight == 1_080)
    #expect(point.maximumChromaFormat == 1 && point.maximumBitDepthMinus8 == 0)
    #expect(point.frameRate?.averageFrameRate == 7_680 && point.frameRate?.constantFrameRate == 1)
    #expect(point.bitRate == nil)
    #expect(record.dependencies.map(\.layerID) == [0, 1])
    #expect(record.dependencies.map(\.dependsOn) == [[], [0]])
    #expect(record.dependencies.map(\.dimensionIdentifiers) == [[0], [1]])
  }

  @Test func layersOfATrack() throws {
    // One layer: complete, layer 1, sub-layers 0 to 2: 00 0 1 000001 000 010 0 0000111.
    let box = try sgpd("01000000 6C696E66 00000004 00000001 01 10 42 07")
    let layer = try #require((box.entries.first?.content as? LayerInformationEntry)?.layers.first)
    #expect(layer.layerID == 1 && layer.isComplete && !layer.hasOnlyIRAPPictures)
    #expect(layer.minimumTemporalID == 0 && layer.maximumTemporalID == 2 && layer.subLayerPresence == 7)
  }

  @Test func syncSamplesAsAppleWritesThem() throws {
    let box = try sgpd("01000000 73796E63 00000001 00000001 15")
    #expect((box.entries.first?.content as? SyncSampleEntry)?.nalUnitType == 21)
  }

  @Test func encryptionOfAGroup() throws {
    let key = "000102030405060708090A0B0C0D0E0F"
    let box = try sgpd("01000000 73656967 00000000 00000001 00000019 00 19 01 00 \(key) 04 AABBCCDD")
    let entry = try #require(box.entries.first?.content as? EncryptionInformationEntry)
    #expect(entry.cryptByteBlock == 1 && entry.skipByteBlock == 9 && entry.isProtected == 1)
    #expect(entry.keyID == ByteView(0..<16) && entry.constantIV?.array == [0xAA, 0xBB, 0xCC, 0xDD])
  }

  @Test func runsOfSamples() throws {
    let plain = try payload(
      "sbgp", in: .box("stbl"), "00000000 726F6C6C 00000002 0000000A 00000001 00000003 00010001",
      as: SampleToGroupBox.self)
    #expect(plain.entries.map(\.sampleCount) == [10, 3])
    #expect(plain.entries.map(\.groupDescriptionIndex) == [1, 0x10001])
    #expect(plain.groupingTypeParameter == nil)
    let parameter = try payload(
      "sbgp", in: .box("stbl"), "01000000 726F6C6C 00000007 00000000", as: SampleToGroupBox.self)
    #expect(parameter.groupingTypeParameter == 7)
    let damaged = try decode(
      "sbgp", in: .box("stbl"), ByteView(hex: "00000000 726F6C6C 00000002 0000000A 00000001"))
    #expect(damaged.error != nil)
  }

  @Test func patternsPackedIntoBits() throws {
    // All widths 4 bits: two patterns (2 over 10, 1 over 3), indices 1 2 0, four bits to fill up.
    let small = try payload(
      "csgp", in: .box("stbl"), "00000000 726F6C6C 00000002 2A 13 12 00", as: CompactSampleToGroupBox.self)
    #expect(small.patterns == [.init(length: 2, sampleCount: 10), .init(length: 1, sampleCount: 3)])
    #expect(small.indices == [1, 2, 0] && small.padding == 0)
    // Lengths of 16 bits, counts of 32, indices of 8, and a parameter: 01 10 11 00 -> 0x40 | 2 << 4 | 3 << 2 | 1.
    let mixed = try payload(
      "csgp", in: .box("stbl"), "0000006D 726F6C6C 00000005 00000001 0003 000186A0 01 00 82",
      as: CompactSampleToGroupBox.self)
    #expect(mixed.groupingTypeParameter == 5)
    #expect(mixed.patterns == [.init(length: 3, sampleCount: 100_000)] && mixed.indices == [1, 0, 0x82])
    // Filling that is not zero is kept.
    #expect(
      try payload(
        "csgp", in: .box("stbl"), "00000000 726F6C6C 00000001 11 1F", as: CompactSampleToGroupBox.self
      )
      .padding == 15)
    let damaged = try decode(
      "csgp", in: .box("stbl"), ByteView(hex: "0000003F 726F6C6C 00000001 FFFFFFFF 00000001 00000001"))
    #expect(damaged.error?.code == .countExceedsData(count: 0xFFFF_FFFF, availableBits: 32))
  }

  @Test func groupingTypesAreClaimedOnce() {
    let types = SampleGroupEntryRegistry.standard.all.flatMap(\.types)
    #expect(types.count == Set(types).count)
    #expect(SampleGroupEntryRegistry.standard["oinf"]?.name == "operating points information")
    for kind in SampleGroupEntryRegistry.standard.all {
      #expect(
        !kind.examples.isEmpty && !kind.specification.isEmpty && kind.summary.hasSuffix("."), "\(kind.name)")
    }
  }
}
