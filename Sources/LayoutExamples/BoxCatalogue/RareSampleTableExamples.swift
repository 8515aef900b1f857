// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import BoxCatalogue
import ByteCoding
import ISOBMFF

extension PaddingBitsBox: ExampleProviding {
  package static var examples: [PaddingBitsBox] {
    var sample = PaddingBitsBox()
    sample.entries = .of([Entry(3), Entry(0), Entry(7)], as: FixedFormat())
    return [PaddingBitsBox(), sample]
  }
}

extension DegradationPriorityBox: ExampleProviding {
  package static var examples: [DegradationPriorityBox] {
    var sample = DegradationPriorityBox()
    sample.priorities = .of([UInt16Record(1), UInt16Record(500)])
    return [DegradationPriorityBox(), sample]
  }
}

extension SubSampleInformationBox: ExampleProviding {
  package static var examples: [SubSampleInformationBox] {
    var short = SubSampleInformationBox()
    short.entries = [
      Entry(
        sampleDelta: 1, subsamples: [SubSample(size: 300), SubSample(size: 100, priority: 1, discardable: 1)]),
      Entry(sampleDelta: 1),
    ]
    var wide = SubSampleInformationBox()
    wide.version = 1
    wide.flags = 2
    wide.entries = [Entry(sampleDelta: 4, subsamples: [SubSample(size: 70_000, codecSpecificParameters: 9)])]
    return [short, wide]
  }
}
