// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import ISOBMFF

extension SampleAuxiliaryInformationSizesBox: ExampleProviding {
  package static var examples: [SampleAuxiliaryInformationSizesBox] {
    var equal = SampleAuxiliaryInformationSizesBox()
    equal.sampleCount = 10
    var each = SampleAuxiliaryInformationSizesBox()
    each.flags = 1
    each.auxInfoType = "cenc"
    each.auxInfoTypeParameter = 0
    each.defaultSampleInfoSize = 0
    each.sampleCount = 3
    each.sampleInfoSizes = ByteView([16, 22, 16])
    return [equal, each]
  }
}

extension SampleAuxiliaryInformationOffsetsBox: ExampleProviding {
  package static var examples: [SampleAuxiliaryInformationOffsetsBox] {
    var short = SampleAuxiliaryInformationOffsetsBox()
    short.offsets = [1_234]
    var wide = short
    wide.version = 1
    wide.flags = 1
    wide.auxInfoType = "cbcs"
    wide.auxInfoTypeParameter = 0
    wide.offsets = [0x1_0000_0000, 0x1_0000_0100]
    return [short, wide]
  }
}
