// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// The samples of a track as movie fragments list them.
///
/// The rows of the runs are kept as bytes; memory grows with the number of runs, not of samples. Runs of more than
/// 1024 samples whose rows have durations or sizes count as several runs, so that a look-up is a binary search
/// followed by a walk over at most that many rows.
public struct FragmentedSamples: Sendable {
  /// The number of samples.
  public private(set) var count = 0
  /// The decoding time after the last sample.
  public private(set) var endTime: Int64
  private(set) var runs = ContiguousArray<FragmentRun>()

  /// Makes an empty list; the first samples begin at `startTime` unless a fragment says otherwise.
  init(startTime: Int64 = 0) { endTime = startTime }

  /// An empty list.
  package static let none = FragmentedSamples()

  /// Whether there are no samples.
  public var isEmpty: Bool { count == 0 }

  /// Adds a run that begins at `time` and `offset`; returns where it ends. A long one becomes several, short enough for look-ups.
  mutating func append(
    _ run: consuming FragmentRun, time: Int64, offset: UInt64
  ) -> (time: Int64, offset: UInt64) {
    guard run.isLong else { return appendPart(run, time: time, offset: offset) }
    let (rows, rowBytes, total) = (run.rows, Int(run.rowWords) * 4, run.count)
    var end = (time: time, offset: offset)
    for first in stride(from: 0, to: total, by: FragmentRun.maximumRows) {
      run.count = Swift.min(FragmentRun.maximumRows, total - first)
      run.rows = rows.suffix(from: first * rowBytes)
      end = appendPart(copy run, time: end.time, offset: end.offset)
      run.firstFlags = run.defaultFlags
    }
    return end
  }

  private mutating func appendPart(
    _ run: consuming FragmentRun, time: Int64, offset: UInt64
  ) -> (time: Int64, offset: UInt64) {
    run.decodeTime = time
    run.dataOffset = offset
    run.firstSample = count
    let end = (run.decodeTime(run.count), run.offset(run.count))
    guard run.count > 0 else { return end }
    count &+= run.count
    // Many runs grow by more than the usual factor of two, because each growth moves them to new memory.
    if runs.count >= 512, runs.count == runs.capacity { runs.reserveCapacity(8 * runs.count) }
    runs.append(run)
    return end
  }

  mutating func advance(to time: Int64) { endTime = time }

  /// The sample at `index`, counted from the first fragment on; `nil` outside.
  public func sample(at index: Int) -> Sample? {
    var iterator = makeIterator(at: index)
    return iterator.next()
  }

  /// The samples from `index` on, in decoding order.
  public func makeIterator(at index: Int) -> Iterator { Iterator(runs, at: index, count: count) }

  /// The last sample that is decoded at or before `time`; `nil` if there is none.
  public func index(atDecodeTime time: Int64) -> Int? {
    let after = runs.partitionIndex { $0.decodeTime <= time }
    guard after > 0 else { return nil }
    let run = runs[after - 1]
    return run.firstSample &+ run.lastSample(atOrBefore: time)
  }

  /// What the samples add up to. No sample is made for it.
  package var totals: SampleTotals {
    var totals = SampleTotals()
    for run in runs { totals.add(run.totals) }
    return totals
  }

  func compositionTime(at index: Int) -> Int64 {
    let after = runs.partitionIndex { $0.firstSample <= index }
    guard after > 0, index >= 0, index < count else { return 0 }
    return runs[after - 1].compositionTime(at: index &- runs[after - 1].firstSample)
  }

  /// Calls `body` with composition times, and with `nil` for a sample that is never composed.
  func forEachCompositionTime(_ range: Range<Int>, _ body: (Int64?) -> Void) {
    let range = range.clamped(to: 0..<count)
    var next = Swift.max(0, runs.partitionIndex { $0.firstSample <= range.lowerBound } - 1)
    while next < runs.count, runs[next].firstSample < range.upperBound {
      let run = runs[next]
      next &+= 1
      let first = Swift.max(0, range.lowerBound &- run.firstSample)
      var time = run.decodeTime(first)
      for row in first..<Swift.max(first, Swift.min(run.count, range.upperBound &- run.firstSample)) {
        let offset = run.compositionOffset(row)
        body(offset == Sample.neverComposed ? nil : time &+ offset)
        time &+= run.duration(row)
      }
    }
  }

  /// The nearest sync sample at or before `index`; `nil` if there is none.
  func syncSample(atOrBefore index: Int) -> Int? {
    var after = runs.partitionIndex { $0.firstSample <= index }
    while after > 0 {
      after -= 1
      let run = runs[after]
      let last = Swift.min(index &- run.firstSample, run.count &- 1)
      if let row = run.syncRow(atOrBefore: last) { return run.firstSample &+ row }
    }
    return nil
  }

  /// Whether composition order is decoding order because no sample has an offset.
  var isInCompositionOrder: Bool {
    var last = Int64.min
    for run in runs {
      guard run.offsetAt < 0, run.decodeTime >= last else { return false }
      last = run.decodeTime
    }
    return true
  }
}

extension FragmentedSamples: Sequence {
  public func makeIterator() -> Iterator { makeIterator(at: 0) }
  public var underestimatedCount: Int { count }

  /// Iterates over the samples in decoding order, at a constant cost per sample.
  public struct Iterator: IteratorProtocol, Sendable {
    private let runs: ContiguousArray<FragmentRun>
    private var nextRun: Int
    private var run: FragmentRun
    private var row: Int
    private var left: Int
    private var time: Int64
    private var offset: UInt64

    init(_ runs: ContiguousArray<FragmentRun>, at index: Int, count: Int) {
      self.runs = runs
      let index = index < 0 || index >= count ? count : index
      let after = index < count ? runs.partitionIndex { $0.firstSample <= index } : runs.count
      nextRun = after
      guard index < count, after > 0 else {
        run = FragmentRun()
        row = 0
        left = 0
        time = 0
        offset = 0
        return
      }
      run = runs[after - 1]
      row = index &- run.firstSample
      left = run.count &- row
      time = run.decodeTime(row)
      offset = run.offset(row)
    }

    public mutating func next() -> Sample? {
      while left == 0 {
        guard nextRun < runs.count else { return nil }
        run = runs[nextRun]
        nextRun &+= 1
        row = 0
        left = run.count
        time = run.decodeTime
        offset = run.dataOffset
      }
      let size = run.size(row)
      let sample = Sample(
        index: run.firstSample &+ row, decodeTime: time, compositionOffset: run.compositionOffset(row),
        duration: run.duration(row), offset: offset, size: size, flags: run.flags(row),
        descriptionIndex: run.descriptionIndex)
      time &+= sample.duration
      offset &+= UInt64(size)
      row &+= 1
      left &-= 1
      return sample
    }

    /// Returns the next sample with those after it in the run, if only defaults describe them.
    package mutating func nextUniform() -> UniformSamples? {
      guard let first = next() else { return nil }
      guard run.rowWords == 0, left > 0, first.flags == run.flags(row) else { return UniformSamples(first) }
      let samples = UniformSamples(first, count: left &+ 1)
      let passed = samples.count &- 1
      time &+= Int64(passed) &* first.duration
      offset &+= UInt64(passed) &* UInt64(first.size)
      row &+= passed
      left &-= passed
      return samples
    }
  }
}
