// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import ISOBMFF

extension TrackFragmentRandomAccessBox: ExampleProviding {
  package static var examples: [TrackFragmentRandomAccessBox] {
    var short = TrackFragmentRandomAccessBox()
    short.entries = .of(
      [Entry(time: 0, moofOffset: 1_200), Entry(time: 90_000, moofOffset: 52_000)], as: Widths())
    var wide = TrackFragmentRandomAccessBox()
    wide.trackID = 2
    wide.entries = .of(
      [
        Entry(
          time: 0x1_0000_0000, moofOffset: 0x2_0000_0000, trafNumber: 2, trunNumber: 300, sampleDelta: 70_000)
      ],
      as: Widths(isWide: true, trafNumber: 0, trunNumber: 1, sampleNumber: 3))
    return [TrackFragmentRandomAccessBox(), short, wide]
  }
}

extension MovieFragmentRandomAccessOffsetBox: ExampleProviding {
  package static var examples: [MovieFragmentRandomAccessOffsetBox] {
    var sample = MovieFragmentRandomAccessOffsetBox()
    sample.parentSize = 67
    return [sample]
  }
}

extension SubsegmentIndexBox: ExampleProviding {
  package static var examples: [SubsegmentIndexBox] {
    var sample = SubsegmentIndexBox()
    var first = Subsegment()
    first.ranges = .of([Range(level: 1, rangeSize: 5_000), Range(level: 2, rangeSize: 45_000)])
    sample.subsegments = [first, Subsegment()]
    return [sample]
  }
}

extension SegmentIndexBox: ExampleProviding {
  package static var examples: [SegmentIndexBox] {
    var short = SegmentIndexBox()
    short.timescale = 90_000
    short.references = .of([
      Reference(size: 50_000, duration: 180_000, startsWithSAP: true, sapType: 1),
      Reference(size: 48_000, duration: 180_000),
    ])
    var wide = short
    wide.version = 1
    wide.earliestPresentationTime = 0x1_0000_0000
    wide.firstOffset = 64
    var nested = Reference(size: 200, duration: 360_000)
    nested.isIndex = true
    nested.sapDeltaTime = 3_000
    wide.references = .of([nested])
    return [short, wide]
  }
}

extension MovieFragmentHeaderBox: ExampleProviding {
  package static var examples: [MovieFragmentHeaderBox] {
    var sample = MovieFragmentHeaderBox()
    sample.sequenceNumber = 17
    return [sample]
  }
}

extension TrackFragmentHeaderBox: ExampleProviding {
  package static var examples: [TrackFragmentHeaderBox] {
    var bare = TrackFragmentHeaderBox()
    bare.flags = 0x01_0000
    var relative = TrackFragmentHeaderBox()
    relative.flags = 0x02_0000
    relative.trackID = 2
    relative.defaultSampleDuration = 1_024
    relative.defaultSampleFlags = .sync
    var full = TrackFragmentHeaderBox()
    full.baseDataOffset = 0x1_0000_0000
    full.sampleDescriptionIndex = 2
    full.defaultSampleDuration = 0
    full.defaultSampleSize = 512
    full.defaultSampleFlags = .nonSync
    return [bare, relative, full]
  }
}

extension TrackFragmentDecodeTimeBox: ExampleProviding {
  package static var examples: [TrackFragmentDecodeTimeBox] {
    var short = TrackFragmentDecodeTimeBox()
    short.baseMediaDecodeTime = 9_000
    var wide = short
    wide.version = 1
    wide.baseMediaDecodeTime = 0x2_0000_0000
    return [short, wide]
  }
}

extension TrackRunBox: ExampleProviding {
  package static var examples: [TrackRunBox] {
    var defaults = TrackRunBox()
    defaults.rows = FormattedTable(ByteView(), count: 30, as: [])
    var video = TrackRunBox()
    video.version = 1
    video.dataOffset = 1_024
    video.firstSampleFlags = .sync
    video.rows = .of(
      [
        Row(duration: 1_001, size: 4_931, offset: 0), Row(duration: 1_001, size: 120, offset: 3_003),
        Row(duration: 1_001, size: 77, offset: -1_001),
      ], as: [.duration, .size, .compositionTimeOffset])
    var flagged = TrackRunBox()
    flagged.dataOffset = -8
    flagged.rows = .of([Row(size: 9, flags: .sync), Row(size: 8, flags: .nonSync)], as: [.size, .flags])
    return [defaults, video, flagged]
  }
}
