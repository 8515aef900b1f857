// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF
package import Multiview

extension HEVCConfigurationBox: ExampleProviding {
  package static var examples: [HEVCConfigurationBox] {
    var record = DecoderConfigurationRecord()
    record.generalProfileCompatibilityFlags = 0x6000_0000
    record.generalConstraintIndicatorFlags = 0xB000_0000_0000
    record.generalLevelIdc = Level(rawValue: 60)
    record.arrays = [
      NALUnitArray(.sequenceParameterSet, isComplete: true, [ByteView([0x42, 0x01, 0x01])]),
      NALUnitArray(
        .pictureParameterSet, isComplete: true, [ByteView([0x44, 0x01, 0xC0]), ByteView([0x44, 0x01])]),
    ]
    return [HEVCConfigurationBox(), HEVCConfigurationBox(record)]
  }
}

extension LHEVCConfigurationBox: ExampleProviding {
  package static var examples: [LHEVCConfigurationBox] {
    var record = LayeredConfigurationRecord()
    record.arrays = [NALUnitArray(.sequenceParameterSet, isComplete: true, [ByteView([0x42, 0x09, 0x0E])])]
    return [LHEVCConfigurationBox(), LHEVCConfigurationBox(record)]
  }
}
