// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import ISOBMFF

extension SampleToGroupBox: ExampleProviding {
  package static var examples: [SampleToGroupBox] {
    var plain = SampleToGroupBox()
    plain.entries = .of([
      Entry(sampleCount: 9, groupDescriptionIndex: 1), Entry(sampleCount: 1, groupDescriptionIndex: 0),
    ])
    var parameter = plain
    parameter.version = 1
    parameter.groupingTypeParameter = 7
    return [SampleToGroupBox(), plain, parameter]
  }
}

extension CompactSampleToGroupBox: ExampleProviding {
  package static var examples: [CompactSampleToGroupBox] {
    var small = CompactSampleToGroupBox()
    small.patterns = [Pattern(length: 2, sampleCount: 10), Pattern(length: 1, sampleCount: 3)]
    small.indices = [1, 2, 0]
    var wide = CompactSampleToGroupBox()
    wide.flags = 0xFE
    wide.groupingTypeParameter = 1
    wide.patterns = [Pattern(length: 1, sampleCount: 100_000)]
    wide.indices = [0x8001]
    var bytes = CompactSampleToGroupBox()
    bytes.flags = 0x15
    bytes.patterns = [Pattern(length: 3, sampleCount: 200)]
    bytes.indices = [1, 0, 2]
    return [CompactSampleToGroupBox(), small, wide, bytes]
  }
}
