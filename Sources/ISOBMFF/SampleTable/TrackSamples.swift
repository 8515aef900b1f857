// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// All samples of a track: those of the `moov`, followed by those of the movie fragments, with the edit list that
/// presents them.
///
/// Copies share derived data. Times are in units of the media's timescale.
public struct TrackSamples: Sendable {
  /// The samples that the `moov` lists.
  public let table: SampleTable
  /// The samples that movie fragments list.
  public let fragments: FragmentedSamples
  /// When the samples are presented.
  public let edits: EditList
  /// The number of samples.
  public let count: Int
  let tableCount: Int
  private let order = Lazy<CompositionOrder>()
  private let extremes = Lazy<CompositionExtremes>()
  private let timelineOnce = Lazy<PresentationTimeline>()
  private let compositionEndOnce = Lazy<Int64>()

  /// Combines the samples of a track.
  public init(
    table: SampleTable = SampleTable(), fragments: FragmentedSamples? = nil, edits: EditList = EditList()
  ) {
    self.table = table
    self.fragments = fragments ?? FragmentedSamples()
    self.edits = edits
    tableCount = table.count
    count = tableCount + self.fragments.count
  }

  /// The decoding time after the last sample.
  public var endTime: Int64 { fragments.isEmpty ? table.endTime : fragments.endTime }

  /// The decoding time of the first sample; 0 if there are no samples.
  public var startTime: Int64 { sample(at: 0)?.decodeTime ?? 0 }

  /// The sample at `index`; `nil` outside.
  public func sample(at index: Int) -> Sample? {
    guard index >= tableCount else { return table.sample(at: index) }
    guard var sample = fragments.sample(at: index - tableCount) else { return nil }
    sample.index = index
    return sample
  }

  /// The samples from `index` on, in decoding order.
  public func makeIterator(at index: Int) -> Iterator { Iterator(self, at: index) }

  /// Calls `body` with the samples in `range`, in decoding order, as far as tables and fragments tell that they are
  /// uniform without a look at each.
  package func forEachUniform<E: Error>(
    in range: Range<Int>, _ body: (UniformSamples) throws(E) -> Void
  ) throws(E) {
    var left = range.count
    var iterator = makeIterator(at: range.lowerBound)
    while left > 0, let samples = iterator.nextUniform()?.prefix(left) {
      try body(samples)
      left &-= samples.count
    }
  }

  /// The last sample that is decoded at or before `time`; `nil` if there is none.
  public func index(atDecodeTime time: Int64) -> Int? {
    if let found = fragments.index(atDecodeTime: time) { return tableCount + found }
    return table.index(atDecodeTime: time)
  }

  /// The composition time of the sample at `index`; 0 outside.
  public func compositionTime(at index: Int) -> Int64 {
    index < tableCount ? table.compositionTime(at: index) : fragments.compositionTime(at: index - tableCount)
  }

  /// Calls `body` with the composition times of the samples in `range`, in decoding order, and with `nil` for one
  /// that is never composed. Indices outside the track are ignored.
  public func forEachCompositionTime(_ range: Range<Int>, _ body: (Int64?) -> Void) {
    let range = range.clamped(to: 0..<count)
    if range.lowerBound < tableCount { table.forEachCompositionTime(range, body) }
    if range.upperBound > tableCount {
      let first = Swift.max(0, range.lowerBound - tableCount)
      fragments.forEachCompositionTime(first..<range.upperBound - tableCount, body)
    }
  }

  /// The samples in composition order. Computed on first use; takes four bytes per sample, or none if it is
  /// decoding order.
  var compositionOrder: CompositionOrder { order.value { CompositionOrder(self) } }

  /// The latest composition time before, and the earliest after, every 256th sample.
  var compositionExtremes: CompositionExtremes { extremes.value { CompositionExtremes(self) } }

  /// The presentation order. Computed on first use.
  var timeline: PresentationTimeline { timelineOnce.value { PresentationTimeline(self) } }

  /// The composition time at which the sample that ends last ends; if the last one has no duration, one unit later
  /// than its beginning. 0 if no sample is composed.
  package var compositionEnd: Int64 {
    compositionEndOnce.value {
      if fragments.isEmpty, table.isInCompositionOrder, tableCount > 0 {
        return Swift.max(table.endTime, clampedSum(table.compositionTime(at: tableCount - 1), 1))
      }
      var end: Int64?
      forEachUniform(in: 0..<count) { samples in
        guard !samples.first.isNeverComposed else { return }
        for sample in [samples.first, samples[samples.count - 1]] {
          end = Swift.max(end ?? .min, clampedSum(sample.compositionTime, Swift.max(1, sample.duration)))
        }
      }
      return end ?? 0
    }
  }

  /// The composition time of the sample at `index`; `nil` if it is never composed.
  func timeIfComposed(at index: Int) -> Int64? {
    var time: Int64?
    forEachCompositionTime(index..<index + 1) { time = $0 }
    return time
  }
}

extension TrackSamples: Sequence {
  public func makeIterator() -> Iterator { makeIterator(at: 0) }
  public var underestimatedCount: Int { count }

  /// Iterates over the samples in decoding order, at a constant cost per sample.
  public struct Iterator: IteratorProtocol, Sendable {
    private var table: SampleTable.Iterator
    private var fragments: FragmentedSamples.Iterator
    private let tableCount: Int
    private var left: Int

    init(_ samples: TrackSamples, at index: Int) {
      tableCount = samples.tableCount
      let index = Swift.max(0, index)
      left = Swift.max(0, tableCount - index)
      table = samples.table.makeIterator(at: index)
      fragments = samples.fragments.makeIterator(at: Swift.max(0, index - tableCount))
    }

    public mutating func next() -> Sample? {
      if left > 0 {
        left &-= 1
        return table.next()
      }
      guard var sample = fragments.next() else { return nil }
      sample.index &+= tableCount
      return sample
    }

    /// Returns the next sample, with those after it that are uniform, as far as tables and fragments tell without
    /// a look at each.
    package mutating func nextUniform() -> UniformSamples? {
      if left > 0 {
        let samples = table.nextUniform()
        left &-= samples?.count ?? left
        return samples
      }
      return fragments.nextUniform()?.renumbered(by: tableCount)
    }
  }
}
