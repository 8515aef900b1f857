// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import TestSupport
import Testing

@Suite struct ConfigurationRecordTests {
  @Test func theLayeredRecordOfARealMovie() throws {
    // A movie written by AVAssetWriter begins its lhvC with these bytes; the arrays here are shortened.
    let bytes = ByteView(hex: "01 f000 fc cb 02  a1 0001 0003 42090e  a2 0001 0002 4409")
    let record = try bytes.decoded(LayeredConfigurationRecord())
    #expect(record.minSpatialSegmentationIdc == 0 && record.parallelismType == 0)
    #expect(record.numTemporalLayers == 1 && !record.temporalIDNested && record.lengthSize == 4)
    #expect(record.arrays.map(\.nalUnitType) == [.sequenceParameterSet, .pictureParameterSet])
    #expect(record.arrays.allSatisfy { $0.arrayCompleteness })
    #expect(record.nalUnits.map(\.layerID) == [1, 1])
    #expect(try record.encoded() == bytes.array)
  }

  @Test func theFieldsOfTheBaseRecord() throws {
    let bytes = ByteView(hex: "01 22 20000000 b00000000000 7b f123 fd fe fa fb 1e00 4f 00")
    let record = try bytes.decoded(DecoderConfigurationRecord())
    #expect(
      record.generalProfileSpace == 0 && record.generalTierFlag && record.generalProfileIdc.rawValue == 2)
    #expect(record.generalProfileCompatibilityFlags == 0x2000_0000)
    #expect(record.generalConstraintIndicatorFlags == 0xB000_0000_0000)
    #expect(record.generalLevelIdc.rawValue == 123)
    #expect(record.minSpatialSegmentationIdc == 0x123 && record.parallelismType == 1)
    #expect(record.chromaFormat == 2 && record.bitDepthLumaMinus8 == 2 && record.bitDepthChromaMinus8 == 3)
    #expect(record.avgFrameRate == 7_680)
    #expect(record.constantFrameRate == 1 && record.numTemporalLayers == 1 && record.temporalIDNested)
    #expect(record.lengthSize == 4 && record.arrays.isEmpty)
    #expect(try record.encoded() == bytes.array)
  }

  @Test func everyTruncationIsAnError() {
    let bytes = ByteView(hex: "01 f000 fc cb 02  a1 0001 0003 42090e  a2 0001 0002 4409")
    for count in 0..<bytes.count {
      #expect(bytes.prefix(count).decode(LayeredConfigurationRecord()).error != nil)
    }
  }
}
