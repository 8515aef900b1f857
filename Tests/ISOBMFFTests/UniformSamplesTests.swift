// swift-multiview · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ISOBMFF

/// Uniform samples are those that iterating over single ones gives.
@Suite struct UniformSamplesTests {
  /// Each of the uniform samples of a track, from an index on.
  static func each(of samples: TrackSamples, from index: Int = 0) -> [Sample] {
    var iterator = samples.makeIterator(at: index)
    var all: [Sample] = []
    while let uniform = iterator.nextUniform() { all += (0..<uniform.count).map { uniform[$0] } }
    return all
  }

  /// Puts samples together where all but time and place are the same, and these continue.
  static func together(_ samples: [Sample]) -> [UniformSamples] {
    var groups: [(first: Sample, count: Int)] = []
    for sample in samples {
      if let last = groups.last {
        var next = last.first
        next.index += last.count
        next.decodeTime += Int64(last.count) * next.duration
        next.offset += UInt64(last.count) * UInt64(next.size)
        if next == sample {
          groups[groups.count - 1].count += 1
          continue
        }
      }
      groups.append((sample, 1))
    }
    return groups.map { UniformSamples($0.first, count: $0.count) }
  }

  /// Sound of three chunks: a track whose samples nothing but time and place tells apart.
  static func sound(_ samplesPerChunk: [UInt32], duration: UInt32 = 1) -> TrackSamples {
    var builder = SampleTableBuilder()
    var offset: UInt64 = 100
    for count in samplesPerChunk {
      builder.endChunk()
      for _ in 0..<count {
        try? builder.append(size: 4, offset: offset, duration: Int64(duration))
        offset += 4
      }
      offset += 1_000
    }
    let boxes = (try? builder.boxes()) ?? []
    var contents = SampleTableContents()
    for box in boxes {
      contents.timeToSample = box.payload(TimeToSampleBox.self) ?? contents.timeToSample
      contents.sampleSize = box.payload(SampleSizeBox.self) ?? contents.sampleSize
      contents.sampleToChunk = box.payload(SampleToChunkBox.self) ?? contents.sampleToChunk
      contents.chunkOffset = box.payload(ChunkOffsetBox.self) ?? contents.chunkOffset
    }
    return TrackSamples(table: SampleTable(contents))
  }

  @Test func aChunkOfSoundIsOneStep() {
    let samples = Self.sound([7, 1, 20])
    var iterator = samples.makeIterator(at: 2)
    var steps: [ClosedRange<Int>] = []
    while let uniform = iterator.nextUniform() {
      steps.append(uniform.first.index...uniform.first.index + uniform.count - 1)
    }
    #expect(steps == [2...6, 7...7, 8...27])
    #expect(Self.each(of: samples) == Array(samples))
  }

  @Test(arguments: [1, 3, 0] as [UInt32]) func aQueueGivesWhatIsDecodedBeforeATime(duration: UInt32) {
    let samples = Self.sound([7, 1, 20, 2], duration: duration)
    for first in 0...92 as ClosedRange<Int64> {
      var queue = SampleQueue(samples)
      var taken: [[Sample]] = []
      for end in [first, first + 5, .max] {
        var some: [Sample] = []
        while let uniform = queue.take(before: end) { some += (0..<uniform.count).map { uniform[$0] } }
        taken.append(some)
      }
      let all = Array(samples)
      #expect(taken[0] == all.filter { $0.decodeTime < first })
      #expect(taken[1] == all.filter { $0.decodeTime >= first && $0.decodeTime < first + 5 })
      #expect(taken[2] == all.filter { $0.decodeTime >= first + 5 })
      #expect(queue.next == nil)
    }
  }

  @Test func placesAreSpreadOverAllSamples() {
    for parts in [[30], [7, 1, 20, 2], [1, 1, 28]] as [[UInt32]] {
      for step in 1...33 {
        var iterator = Self.sound(parts).makeIterator(at: 0)
        var found: [Int] = []
        while let uniform = iterator.nextUniform() {
          let isLast = uniform.first.index + uniform.count == 30
          found += uniform.positions(every: step, orLast: isLast).map { uniform[$0].index }
        }
        #expect(found == (0..<30).filter { $0 % step == 0 || $0 == 29 })
      }
    }
  }

  /// Times and places beyond the range of their types: such samples come one at a time.
  @Test func endsThatAreOutOfRangeAreNotPutTogether() {
    var sample = Sample(
      index: 0, decodeTime: .max - 10, compositionOffset: 0, duration: 4, offset: 0, size: 4, flags: .sync,
      descriptionIndex: 1)
    #expect(UniformSamples(sample, count: 2).count == 2)
    #expect(UniformSamples(sample, count: 3).count == 1)
    sample.decodeTime = 0
    sample.offset = .max - 10
    #expect(UniformSamples(sample, count: 2).count == 2)
    #expect(UniformSamples(sample, count: 3).count == 1)
    #expect(UniformSamples(sample, count: 2).placed(at: .max - 7) == nil)
    sample.duration = .max
    #expect(UniformSamples(sample, count: 2).count == 1)
  }

  /// Durations that go back, as broken writers have them: all samples after the first are earlier.
  @Test func timesThatRunBackwardsAreBeforeWhateverTheFirstIsBefore() {
    let sample = Sample(
      index: 0, decodeTime: 100, compositionOffset: 0, duration: -4, offset: 0, size: 4, flags: .sync,
      descriptionIndex: 1)
    let uniform = UniformSamples(sample, count: 5)
    #expect(uniform.count(before: 100) == 0)
    #expect(uniform.count(before: 101) == 5)
    #expect(uniform.endTime == 80)
  }
}
