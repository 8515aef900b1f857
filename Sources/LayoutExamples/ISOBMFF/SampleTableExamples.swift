// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import ISOBMFF

extension SampleToChunkBox: ExampleProviding {
  package static var examples: [SampleToChunkBox] {
    var sample = SampleToChunkBox()
    sample.entries = .of([
      Entry(firstChunk: 1, samplesPerChunk: 30),
      Entry(firstChunk: 4, samplesPerChunk: 10, sampleDescriptionIndex: 2),
    ])
    return [SampleToChunkBox(), sample]
  }
}

extension ChunkOffsetBox: ExampleProviding {
  package static var examples: [ChunkOffsetBox] {
    var sample = ChunkOffsetBox()
    sample.entries = .of([UInt32Record(48), UInt32Record(0xFFFF_FFFF)])
    return [ChunkOffsetBox(), sample]
  }
}

extension ChunkLargeOffsetBox: ExampleProviding {
  package static var examples: [ChunkLargeOffsetBox] {
    var sample = ChunkLargeOffsetBox()
    sample.entries = .of([UInt64Record(48), UInt64Record(0x12_3456_789A)])
    return [sample]
  }
}

extension CompositionOffsetBox: ExampleProviding {
  package static var examples: [CompositionOffsetBox] {
    var unsigned = CompositionOffsetBox()
    unsigned.entries = .of([
      Entry(sampleCount: 1, sampleOffset: 40), Entry(sampleCount: 1, sampleOffset: 100),
    ])
    var signed = CompositionOffsetBox()
    signed.version = 1
    signed.entries = .of([
      Entry(sampleCount: 1, sampleOffset: 0), Entry(sampleCount: 1, sampleOffset: 60),
      Entry(sampleCount: 2, sampleOffset: -40),
    ])
    return [unsigned, signed]
  }
}

extension CompositionToDecodeBox: ExampleProviding {
  package static var examples: [CompositionToDecodeBox] {
    var short = CompositionToDecodeBox()
    short.compositionToDTSShift = 40
    short.leastDecodeToDisplayDelta = -40
    short.greatestDecodeToDisplayDelta = 60
    short.compositionEndTime = 200
    var wide = short
    wide.version = 1
    wide.compositionEndTime = 0x1_0000_0000
    return [short, wide]
  }
}

extension SampleDescriptionBox: ExampleProviding {
  package static var examples: [SampleDescriptionBox] {
    var sample = SampleDescriptionBox()
    sample.entryCount = 1
    var second = sample
    second.version = 1
    second.entryCount = 2
    return [sample, second]
  }
}

extension SampleSizeBox: ExampleProviding {
  package static var examples: [SampleSizeBox] {
    [
      SampleSizeBox(), SampleSizeBox(sampleSize: 4, sampleCount: 48_000),
      SampleSizeBox([4_931, 120, 0, 77]),
    ]
  }
}

extension CompactSampleSizeBox: ExampleProviding {
  package static var examples: [CompactSampleSizeBox] {
    var nibbles = CompactSampleSizeBox()
    nibbles.entries = .of([Entry(1), Entry(15), Entry(7)], as: 4)
    var bytes = CompactSampleSizeBox()
    bytes.entries = .of([Entry(200), Entry(3)], as: 8)
    var words = CompactSampleSizeBox()
    words.entries = .of([Entry(1_000), Entry(65_535)], as: 16)
    return [nibbles, bytes, words]
  }
}

extension SyncSampleBox: ExampleProviding {
  package static var examples: [SyncSampleBox] {
    var sample = SyncSampleBox()
    sample.entries = .of([UInt32Record(1), UInt32Record(31), UInt32Record(61)])
    return [SyncSampleBox(), sample]
  }
}

extension PartialSyncSampleBox: ExampleProviding {
  package static var examples: [PartialSyncSampleBox] {
    var sample = PartialSyncSampleBox()
    sample.entries = .of([UInt32Record(13), UInt32Record(25)])
    return [sample]
  }
}

extension ShadowSyncSampleBox: ExampleProviding {
  package static var examples: [ShadowSyncSampleBox] {
    var sample = ShadowSyncSampleBox()
    sample.entries = .of([Entry(shadowedSampleNumber: 5, syncSampleNumber: 6)])
    return [sample]
  }
}

extension SampleDependencyTypeBox: ExampleProviding {
  package static var examples: [SampleDependencyTypeBox] {
    var sample = SampleDependencyTypeBox()
    sample.entries = .of([
      Entry(dependsOn: 2), Entry(dependsOn: 1),
      Entry(isLeading: 3, dependsOn: 1, isDependedOn: 2, hasRedundancy: 2),
    ])
    return [SampleDependencyTypeBox(), sample]
  }
}

extension TimeToSampleBox: ExampleProviding {
  package static var examples: [TimeToSampleBox] {
    var sample = TimeToSampleBox()
    sample.entries = .of([
      Entry(sampleCount: 9, sampleDelta: 20), Entry(sampleCount: 1, sampleDelta: 40),
    ])
    return [TimeToSampleBox(), sample]
  }
}
