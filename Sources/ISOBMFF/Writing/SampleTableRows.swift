// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// A table whose rows are derived from the samples of a track.
enum SampleTableKind: Int, CaseIterable, Sendable {
  case timeToSample, compositionOffset, syncSample, dependency, sampleToChunk, sampleSize, chunkOffset,
    partialSync
}

/// Receives rows of sample tables as they are completed.
protocol SampleRowSink {
  /// Receives a row: of the three numbers, as many as a row of that table has.
  mutating func add(_ kind: SampleTableKind, _ first: UInt64, _ second: UInt32, _ third: UInt32)
  /// Receives rows of a table with one number a row: equal ones, or consecutive numbers of samples.
  mutating func add(_ kind: SampleTableKind, _ first: UInt64, rows count: Int)
}

extension SampleTableKind {
  /// How much more a row has than the one before it, for uniform samples in one of the tables with a row for each.
  var stepOfRows: UInt64 { self == .syncSample || self == .partialSync ? 1 : 0 }
}

/// Makes rows of sample tables from samples in order, without storing them: a complete row goes to a sink, and an
/// incomplete one takes only a few bytes, so that the state can be copied and continued elsewhere.
struct SampleTableRows: Sendable {
  /// The number of samples so far.
  private(set) var count = 0
  private var times: (samples: UInt32, delta: UInt32) = (0, 0)
  private var offsets: (samples: UInt32, offset: Int32) = (0, 0)
  /// The chunk to which samples are being added.
  private var chunk: (samples: UInt32, description: UInt32, end: UInt64) = (0, 0, 0)
  private var chunkCount: UInt32 = 0
  /// The last row of `stsc`.
  private var lastRun: (samples: UInt32, description: UInt32) = (0, 0)

  /// Adds samples, in decoding order.
  ///
  /// - Parameters:
  ///   - times: their duration and composition offset, which have 32 bits in the tables.
  ///   - beginsChunk: whether they begin a chunk even if they directly follow the previous sample.
  @inline(__always)
  mutating func append(
    _ samples: UniformSamples, _ times: SampleTimes, beginsChunk: Bool = false,
    to sink: inout some SampleRowSink
  ) {
    let (sample, added) = (samples.first, UInt32(truncatingIfNeeded: samples.count))
    if count > 0, self.times.delta == times.delta {
      self.times.samples &+= added
    } else {
      if count > 0 { finishTimes(&sink) }
      self.times = (added, times.delta)
    }
    if count > 0, offsets.offset == times.offset {
      offsets.samples &+= added
    } else {
      if count > 0 { finishOffsets(&sink) }
      offsets = (added, times.offset)
    }
    let number = UInt64(count &+ 1)
    count &+= samples.count
    sink.add(.sampleSize, UInt64(sample.size), rows: samples.count)
    if sample.isSync { sink.add(.syncSample, number, rows: samples.count) }
    if sample.isPartialSync { sink.add(.partialSync, number, rows: samples.count) }
    sink.add(.dependency, UInt64(sample.flags.dependency), rows: samples.count)
    if beginsChunk || chunk.samples == 0 || sample.offset != chunk.end
      || sample.descriptionIndex != chunk.description
    {
      finishChunk(&sink)
      chunkCount &+= 1
      sink.add(.chunkOffset, sample.offset, 0, 0)
      chunk = (0, sample.descriptionIndex, sample.offset)
    }
    chunk.samples &+= added
    chunk.end = sample.offset &+ samples.byteCount
  }

  /// Completes the last rows.
  mutating func finish(to sink: inout some SampleRowSink) {
    guard count > 0 else { return }
    finishTimes(&sink)
    finishOffsets(&sink)
    finishChunk(&sink)
    (times.samples, offsets.samples, chunk.samples) = (0, 0, 0)
  }

  /// Adds to the composition offset of the incomplete row.
  mutating func shiftCompositionOffset(by shift: Int64) { offsets.offset = offsets.offset.shifted(by: shift) }

  private func finishTimes(_ sink: inout some SampleRowSink) {
    sink.add(.timeToSample, UInt64(times.samples), times.delta, 0)
  }

  private func finishOffsets(_ sink: inout some SampleRowSink) {
    sink.add(.compositionOffset, UInt64(offsets.samples), UInt32(bitPattern: offsets.offset), 0)
  }

  private mutating func finishChunk(_ sink: inout some SampleRowSink) {
    guard chunk.samples > 0, lastRun != (chunk.samples, chunk.description) else { return }
    lastRun = (chunk.samples, chunk.description)
    sink.add(.sampleToChunk, UInt64(chunkCount), chunk.samples, chunk.description)
  }
}

/// The times of uniform samples in the form of the tables.
struct SampleTimes: Sendable {
  let delta: UInt32
  let offset: Int32

  /// - Parameter number: the number of samples before them.
  init(_ samples: UniformSamples, number: Int) throws(ParseError) {
    let sample = samples.first
    guard let delta = UInt32(exactly: sample.duration),
      let offset = Int32(exactly: sample.compositionOffset)
    else {
      throw ParseError(
        .invalid("the duration or composition offset of sample \(number) exceeds 32 bits"),
        offset: 0, path: "stbl")
    }
    let last = number &+ (samples.count &- 1)
    guard last < UInt32.max else {
      throw ParseError(
        .limitExceeded(limit: "samples of a track", value: UInt64(clamping: last)), offset: 0, path: "stbl")
    }
    (self.delta, self.offset) = (delta, offset)
  }
}

extension Int32 {
  /// A composition offset that is increased by `shift`, unless its samples are never composed.
  func shifted(by shift: Int64) -> Int32 { self == .min ? self : Int32(clamping: Int64(self) &+ shift) }
}

extension SampleFlags {
  /// How the sample depends on others, in the form of a row of `sdtp`.
  var dependency: UInt8 { UInt8(truncatingIfNeeded: rawValue &>> 20) }
}

/// A summary of the samples, which determines the tables they need, and in which form.
struct SampleTableSummary: Sendable {
  private(set) var count = 0
  /// The decoding time after the last sample.
  private(set) var endTime: Int64 = 0
  /// The size of all samples in bytes; `nil` if they differ.
  private(set) var commonSize: UInt32? = 0
  private(set) var syncCount = 0
  private(set) var partialSyncCount = 0
  private(set) var hasDependencies = false
  /// Whether a sample is never composed.
  private var hasUncomposed = false
  private(set) var greatestPlace: UInt64 = 0
  private(set) var offsetRange: ClosedRange<Int32> = 0...0
  private var compositionRange: (first: Int64, end: Int64)?

  @inline(__always)
  mutating func add(_ samples: UniformSamples, _ times: SampleTimes) {
    let (sample, duration) = (samples.first, Int64(samples.count) &* Int64(times.delta))
    // A sample that is never composed has the lowest offset, and is left out of the range.
    if times.offset == .min {
      hasUncomposed = true
    } else {
      let first = endTime &+ Int64(times.offset)
      let end = first &+ duration
      if let known = compositionRange {
        offsetRange =
          min(offsetRange.lowerBound, times.offset)...max(offsetRange.upperBound, times.offset)
        compositionRange = (min(known.first, first), max(known.end, end))
      } else {
        offsetRange = times.offset...times.offset
        compositionRange = (first, end)
      }
    }
    endTime &+= duration
    if count == 0 { commonSize = sample.size } else if commonSize != sample.size { commonSize = nil }
    if sample.isSync { syncCount &+= samples.count }
    if sample.isPartialSync { partialSyncCount &+= samples.count }
    if sample.flags.dependency != 0 { hasDependencies = true }
    greatestPlace = max(greatestPlace, samples[samples.count &- 1].offset)
    count &+= samples.count
  }

  /// Increases all composition offsets by `shift`.
  mutating func shiftCompositionOffsets(by shift: Int64) throws(ParseError) {
    let (least, greatest) = (
      Int64(offsetRange.lowerBound) &+ shift, Int64(offsetRange.upperBound) &+ shift
    )
    guard let least = Int32(exactly: least), let greatest = Int32(exactly: greatest) else {
      throw ParseError(
        .invalid("a composition offset exceeds 32 bits when it is shifted"), offset: 0,
        path: "stbl/ctts")
    }
    offsetRange = least...greatest
    compositionRange = compositionRange.map { ($0.first &+ shift, $0.end &+ shift) }
  }

  private var hasCompositionOffsets: Bool { offsetRange != 0...0 || hasUncomposed }
  /// Whether a composition offset is negative, or the lowest possible.
  var hasNegativeOffsets: Bool { offsetRange.lowerBound < 0 || hasUncomposed }

  /// The size of all samples, if the table of sizes needs no rows; otherwise 0.
  var writtenSize: UInt32 { commonSize ?? 0 }

  /// The tables with information, in the order used by Apple's writers, with QuickTime's own at the end.
  var kinds: [SampleTableKind] {
    SampleTableKind.allCases.filter { kind in
      switch kind {
      case .compositionOffset: hasCompositionOffsets
      case .syncSample: syncCount < count
      case .dependency: hasDependencies
      case .partialSync: partialSyncCount > 0
      case .timeToSample, .sampleToChunk, .sampleSize, .chunkOffset: true
      }
    }
  }

  /// Whether chunk offsets need 64 bits. ISO/IEC 14496-12, 8.7.5
  var needsWidePlaces: Bool { greatestPlace > UInt64(UInt32.max) }

  /// The range of composition times. ISO/IEC 14496-12, 8.6.1.4
  var compositionSpan: CompositionToDecodeBox {
    var span = CompositionToDecodeBox()
    let (start, end) = compositionRange.map { ($0.first, $0.end) } ?? (0, 0)
    span.compositionToDTSShift = max(0, -Int64(offsetRange.lowerBound))
    span.leastDecodeToDisplayDelta = Int64(offsetRange.lowerBound)
    span.greatestDecodeToDisplayDelta = Int64(offsetRange.upperBound)
    span.compositionStartTime = start
    span.compositionEndTime = end
    let values = [span.compositionToDTSShift, start, end]
    span.version = values.allSatisfy { Int32(exactly: $0) != nil } ? 0 : 1
    return span
  }
}
