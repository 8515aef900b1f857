// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Moving through a track, for cursors. Indices outside the track are treated as its nearest end.
extension TrackSamples {
  /// A step along a timeline.
  public struct TimeStep: Sendable, Hashable {
    /// The sample that was reached.
    public var index: Int
    /// The distance from the start of the step, in media time.
    public var moved: Int64
    /// Whether the step ended at the first or last sample because there was none further on.
    public var wasPinned: Bool
  }

  private func clamped(_ index: Int) -> Int { Swift.min(Swift.max(index, 0), Swift.max(0, count - 1)) }

  /// Moves forward by `steps` samples in decoding order (or back, if negative), as far as there are any.
  public func index(inDecodeOrder steps: Int, from index: Int) -> (index: Int, stepped: Int) {
    let index = clamped(index)
    let target = clamped(
      index.addingReportingOverflow(steps).overflow ? (steps < 0 ? 0 : .max) : index + steps)
    return (target, target - index)
  }

  /// The last sample that is composed at or before `time`; `nil` if there is none.
  public func index(atCompositionTime time: Int64) -> Int? {
    let order = compositionOrder
    return order.sample(at: order.count(atOrBefore: time, self) - 1)
  }

  /// The sample at `rank` in composition order. Samples that are never composed have no rank.
  public func index(atCompositionRank rank: Int) -> Int? { compositionOrder.sample(at: rank) }

  /// The first and the last in decoding order of the samples with some ranks in composition order; `nil` if there
  /// are none.
  package func bounds(ofCompositionRanks ranks: Range<Int>) -> ClosedRange<Int>? {
    compositionOrder.bounds(of: ranks)
  }

  /// The rank of a sample in composition order, counted from 0; for one that is never composed, that of the next
  /// one.
  public func compositionRank(of index: Int) -> Int { compositionOrder.rank(of: clamped(index), self) }

  /// Moves forward by a decoding time (or back, if negative), to the last sample at or before the resulting time.
  public func step(byDecodeTime time: Int64, from index: Int) -> TimeStep {
    let index = clamped(index)
    guard let from = sample(at: index) else { return TimeStep(index: 0, moved: 0, wasPinned: true) }
    let target = clampedSum(from.decodeTime, time)
    let found = self.index(atDecodeTime: target) ?? 0
    let reached = sample(at: found) ?? from
    let isBehind =
      found == count - 1 && target >= clampedSum(reached.decodeTime, Swift.max(1, reached.duration))
    return TimeStep(
      index: found, moved: reached.decodeTime &- from.decodeTime,
      wasPinned: isBehind || target < reached.decodeTime)
  }

  /// Whether a sample that precedes `index` in decoding order is composed later than `other`.
  public func hasEarlierDecodedSample(before index: Int, composedAfter other: Int) -> Bool {
    guard let latest = compositionExtremes.latest(before: clamped(index), self) else { return false }
    return latest > compositionTime(at: clamped(other))
  }

  /// Whether a sample that follows `index` in decoding order is composed earlier than `other`.
  public func hasLaterDecodedSample(after index: Int, composedBefore other: Int) -> Bool {
    guard let earliest = compositionExtremes.earliest(after: clamped(index), self) else { return false }
    return earliest < compositionTime(at: clamped(other))
  }

  /// The nearest sync sample at or before `index`; `nil` if there is none.
  public func syncSample(atOrBefore index: Int) -> Int? {
    let index = Swift.min(index, count - 1)
    if index >= tableCount, let found = fragments.syncSample(atOrBefore: index - tableCount) {
      return tableCount + found
    }
    let inTable = Swift.min(index, tableCount - 1)
    return inTable >= 0 ? table.syncSample(atOrBefore: inTable) : nil
  }

  /// The nearest partial sync sample (`stps`) at or before `index`; `nil` if there is none.
  package func partialSyncSample(atOrBefore index: Int) -> Int? {
    table.stored.partialSync?.last(atOrBefore: Swift.min(index, tableCount - 1))
  }
}

extension SampleNumbers {
  /// The last sample of the list at or before `index`; `nil` if there is none.
  func last(atOrBefore index: Int) -> Int? {
    let position = position(of: index &+ 1)
    guard position > 0 else { return nil }
    let found = sample(position - 1)
    return found >= 0 ? found : nil
  }
}

extension SampleTable {
  /// The nearest sync sample at or before `index`; `nil` if there is none.
  func syncSample(atOrBefore index: Int) -> Int? {
    guard let sync = stored.sync else { return index }
    return sync.last(atOrBefore: index)
  }

  /// The chunk that contains the sample at `index`; `nil` outside.
  public func chunk(containing index: Int) -> Chunk? {
    let stored = stored
    guard index < stored.count, let position = stored.chunks.position(of: index) else { return nil }
    let first = index &- (position.samplesPerChunk &- position.left)
    let last = Swift.min(first &+ position.samplesPerChunk, stored.count)
    return Chunk(
      index: position.chunk, samples: Swift.max(0, first)..<Swift.max(0, last),
      offset: stored.chunks.offset(of: position.chunk), byteCount: stored.sizes.sum(first..<last),
      descriptionIndex: position.descriptionIndex)
  }

  /// A chunk: samples that are stored contiguously in the file.
  public struct Chunk: Sendable, Hashable {
    /// The number of the chunk, counted from 0.
    public var index: Int
    /// The samples in it.
    public var samples: Range<Int>
    /// The offset of its first byte in the file.
    public var offset: UInt64
    /// The number of bytes in it.
    public var byteCount: UInt64
    /// The sample entry that describes its samples, counted from 1.
    public var descriptionIndex: UInt32
  }
}
