// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import TestSupport
import Testing

/// Bytes written by hand from ISO/IEC 23001-7 and 14496-12.
@Suite struct ProtectionBoxTests {
  private let key = "000102030405060708090A0B0C0D0E0F"

  @Test func defaultsOfATrack() throws {
    let counter = try payload(
      "tenc", in: .box("schi"), "00000000 0000 01 08 \(key)", as: TrackEncryptionBox.self)
    #expect(counter.isProtected == 1 && counter.perSampleIVSize == 8 && counter.keyID == ByteView(0..<16))
    #expect(counter.constantIV == nil)
    let pattern = try payload(
      "tenc", in: .box("schi"), "01000000 00 19 01 00 \(key) 08 0102030405060708", as: TrackEncryptionBox.self
    )
    #expect(pattern.cryptByteBlock == 1 && pattern.skipByteBlock == 9)
    #expect(pattern.constantIV == ByteView(1...8))
    // Not protected: no constant vector, although there is none for each sample.
    #expect(
      try payload("tenc", in: .box("schi"), "00000000 0000 00 00 \(key)", as: TrackEncryptionBox.self)
        .constantIV == nil)
    let damaged = try decode("tenc", in: .box("schi"), ByteView(hex: "01000000 00 19 01 00 \(key) 08 0102"))
    #expect(damaged.error?.field == "default_constant_IV")
  }

  @Test func samplesAndTheirParts() throws {
    let box = try payload(
      "senc", in: .box("traf"),
      "00000002 00000002 0102030405060708 0002 0010 00000040 0005 00000100 1112131415161718 0000",
      as: SampleEncryptionBox.self)
    let samples = try #require(box.samples(initializationVectorSize: 8))
    #expect(
      samples.map(\.initializationVector.array) == [
        [1, 2, 3, 4, 5, 6, 7, 8], [17, 18, 19, 20, 21, 22, 23, 24],
      ])
    #expect(samples.first?.subsamples?.map(\.bytesOfClearData) == [16, 5])
    #expect(samples.first?.subsamples?.map(\.bytesOfProtectedData) == [64, 256])
    #expect(samples.last?.subsamples?.isEmpty == true)
    // Another size does not fit these bytes.
    #expect(box.samples(initializationVectorSize: 16) == nil)
    #expect(box.samples(initializationVectorSize: -1) == nil)
    let whole = try payload(
      "senc", in: .box("traf"), "00000000 00000001 0102030405060708", as: SampleEncryptionBox.self)
    #expect(whole.samples(initializationVectorSize: 8)?.map(\.subsamples) == [nil])
    // A count that lies.
    let lie = try payload(
      "senc", in: .box("traf"), "00000000 FFFFFFFF 01020304", as: SampleEncryptionBox.self)
    #expect(
      lie.samples(initializationVectorSize: 8) == nil && lie.samples(initializationVectorSize: 0) == nil)
  }

  @Test func systemsAndTheirKeys() throws {
    let system = "EDEF8BA979D64ACEA3C827DCD51D21ED"
    let old = try payload(
      "pssh", in: .box("moov"), "00000000 \(system) 00000002 0801", as: ProtectionSystemSpecificHeaderBox.self
    )
    #expect(old.data.array == [8, 1] && old.keyIDs.isEmpty)
    let new = try payload(
      "pssh", in: .box("moof"), "01000000 \(system) 00000001 \(key) 00000000",
      as: ProtectionSystemSpecificHeaderBox.self)
    #expect(new.keyIDs == [ByteView(0..<16)])
  }

  @Test func auxiliaryInformation() throws {
    let sizes = try payload(
      "saiz", in: .box("traf"), "00000001 63656E63 00000000 00 00000003 10 16 10",
      as: SampleAuxiliaryInformationSizesBox.self)
    #expect(sizes.auxInfoType == "cenc" && sizes.size(ofSample: 1) == 22 && sizes.size(ofSample: 3) == nil)
    let equal = try payload(
      "saiz", in: .box("traf"), "00000000 08 FFFFFFFF", as: SampleAuxiliaryInformationSizesBox.self)
    #expect(equal.size(ofSample: 5_000) == 8)
    let offsets = try payload(
      "saio", in: .box("stbl"), "01000000 00000001 0000000100000000",
      as: SampleAuxiliaryInformationOffsetsBox.self)
    #expect(offsets.offsets == [1 << 32])
    let short = try payload(
      "saio", in: .box("stbl"), "00000000 00000002 00000001 00000002",
      as: SampleAuxiliaryInformationOffsetsBox.self)
    #expect(short.offsets == [1, 2])
  }
}
