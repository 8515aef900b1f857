// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import FileAccess

/// The samples of a new track, in decoding order: spans of the samples of other tracks, one after the other.
///
/// Samples are made on demand, from the tables and the fragments of those tracks. Only the spans are in
/// memory.
package struct SampleList: Sendable {
  /// A track that samples are taken from.
  package final class Source: Sendable {
    private let load: @Sendable () throws(SourceError) -> TrackSamples
    fileprivate let change: @Sendable (UniformSamples) -> UniformSamples
    /// The number of units of the new track's times in a unit of this one's.
    fileprivate let units: Int64

    /// Makes a source of samples.
    ///
    /// - Parameters:
    ///   - units: the number of units of the new track's times in a unit of this one's.
    ///   - samples: returns its samples. It is called for each span, so that they need not stay in memory.
    ///   - change: gives samples the bytes, the flags and the sample entry that they have in the new track, and
    ///     returns as many of the first ones, at least one, as are uniform afterwards.
    package init(
      units: Int64 = 1, _ samples: @escaping @Sendable () throws(SourceError) -> TrackSamples,
      change: @escaping @Sendable (UniformSamples) -> UniformSamples = { $0 }
    ) {
      (self.units, load, self.change) = (units, samples, change)
    }

    /// The samples of the track.
    package func samples() throws(SourceError) -> TrackSamples { try load() }
  }

  /// Consecutive samples of a track.
  package struct Span: Sendable {
    /// The track.
    package let source: Source
    /// The indices of the samples in that track.
    package fileprivate(set) var samples: Range<Int>
    /// The decoding time in that track at which the span begins.
    package let start: Int64
    /// The times of that track to which samples are cut; `nil` if they are not.
    package let clip: Range<Int64>?
    /// The range of the bytes of its only sample, if these are not in the source.
    package fileprivate(set) var bytes: Range<UInt64>?
    /// The index of its first sample in the list.
    fileprivate var first = 0
    /// The time in the list of time 0 of its track.
    fileprivate var shift: Int64 = 0
    /// The duration of its last sample; `nil` for that which the sample has in its source.
    fileprivate var lastDuration: Int64?

    /// Makes a span.
    ///
    /// - Parameters:
    ///   - source: the track.
    ///   - samples: the indices of the samples in that track.
    ///   - start: the decoding time in that track at which the span begins.
    ///   - clip: the times of that track to which samples are cut; `nil` if they are not.
    ///   - bytes: the range of the bytes of its only sample, if these are not in the source.
    package init(
      of source: Source, _ samples: Range<Int>, from start: Int64, clip: Range<Int64>? = nil,
      bytes: Range<UInt64>? = nil
    ) {
      (self.source, self.samples, self.start, self.clip, self.bytes) = (source, samples, start, clip, bytes)
    }

    /// How many of the first of its samples last as long as they do in the track, or 1.
    fileprivate func countBetweenClips(_ samples: UniformSamples) -> Int {
      guard let clip else { return samples.count }
      guard samples.first.decodeTime >= start else { return 1 }
      return max(1, samples.count(before: clampedSum(clip.upperBound, 1 &- samples.first.duration)))
    }

    /// Returns samples as they are in the list, or as many of the first ones as are uniform there.
    ///
    /// - Parameters:
    ///   - old: the samples as they are in the track.
    ///   - end: the decoding time in the track at which the first of them ends.
    fileprivate func renewed(_ old: UniformSamples, until end: Int64) -> UniformSamples {
      var sample = old.first
      var end = end
      if let clip {
        sample.decodeTime = max(sample.decodeTime, start)
        end = max(sample.decodeTime, min(end, clip.upperBound))
      }
      sample.duration = (end &- sample.decodeTime) &* source.units
      sample.decodeTime = sample.decodeTime &* source.units &+ shift
      if !sample.isNeverComposed { sample.compositionOffset = sample.compositionOffset &* source.units }
      let changed = source.change(UniformSamples(sample, count: old.count))
      sample = changed.first
      if let bytes { (sample.offset, sample.size) = (bytes.lowerBound, UInt32(clamping: bytes.count)) }
      sample.index = first &+ (old.first.index &- samples.lowerBound)
      return UniformSamples(sample, count: changed.count)
    }
  }

  private var spans: [Span] = []
  /// The number of samples.
  package private(set) var count = 0
  /// The decoding time after the last sample.
  package private(set) var endTime: Int64 = 0
  /// What is added to the composition offsets of all samples.
  package var compositionShift: Int64 = 0
  /// What is added to the offsets of all samples in the file.
  package var mediaStart: UInt64 = 0

  /// Makes a list without samples.
  package init() {}

  /// Adds a span, which begins where the last one ends.
  ///
  /// - Parameters:
  ///   - new: the span.
  ///   - end: the decoding time in its track up to which its last sample lasts; `nil` for that sample's own end.
  ///   - body: called with the samples as they are in the list, the last one alone.
  /// - Returns: the time in the list of time 0 of the track.
  @discardableResult
  package mutating func append(
    _ new: Span, until end: Int64? = nil, forEach body: (UniformSamples) -> Void = { _ in }
  ) throws(SourceError) -> Int64 {
    var span = new
    span.first = count
    span.shift = endTime &- span.start &* span.source.units
    let all = try span.source.samples()
    let last = all.sample(at: span.samples.upperBound - 1)
    var members = SpanSamples(span, all, lastUntil: end ?? last.map { $0.decodeTime &+ $0.duration })
    while let samples = members.next() {
      body(samples)
      endTime &+= samples.endTime &- samples.first.decodeTime
      if samples.first.index &+ 1 == count &+ span.samples.count {
        span.lastDuration = samples.first.duration
      }
    }
    guard span.lastDuration != nil else { throw Self.changed }
    count &+= span.samples.count
    spans.append(span)
    return span.shift
  }

  /// Prolongs the last sample: what is added later begins later by as much.
  package mutating func prolongLast(by duration: Int64) {
    guard let last = spans.indices.last else { return }
    spans[last].lastDuration? &+= duration
    endTime &+= duration
  }

  /// Gives the last sample other bytes.
  package mutating func setBytes(ofLast bytes: Range<UInt64>) {
    guard var last = spans.popLast() else { return }
    if last.samples.count > 1 {
      var others = last
      others.samples = others.samples.dropLast()
      others.lastDuration = nil
      spans.append(others)
      last.first &+= others.samples.count
      last.samples = others.samples.upperBound..<last.samples.upperBound
    }
    last.bytes = bytes
    spans.append(last)
  }

  static var changed: SourceError {
    SourceError(
      .other("changed while it was being read"), advice: "Try again when no other program is writing to it.")
  }

  // MARK: Samples

  /// The samples from an index on.
  package func makeIterator(at index: Int = 0) -> Iterator { Iterator(self, at: index) }

  /// Iterates over the samples.
  package struct Iterator {
    private let list: SampleList
    private var nextSpan: Int
    private var members: SpanSamples?
    /// The index of the next sample.
    private var index: Int

    fileprivate init(_ list: SampleList, at index: Int) {
      (self.list, self.index) = (list, index)
      nextSpan = max(0, list.spans.partitionIndex { $0.first <= index } - 1)
    }

    /// Returns the next sample, with those after it that are uniform as far as its track tells without a look at
    /// each; `nil` after the last one.
    package mutating func next() throws(SourceError) -> UniformSamples? {
      while true {
        if let samples = members?.next() {
          index &+= samples.count
          return samples
        }
        guard nextSpan < list.spans.count else { return nil }
        let span = list.spans[nextSpan]
        nextSpan += 1
        members = SpanSamples(
          span, try span.source.samples(), at: index &- span.first, composedLater: list.compositionShift,
          movedBy: list.mediaStart)
      }
    }
  }
}

/// Iterates over the samples of a span, of which the last one is always alone.
private struct SpanSamples {
  private let span: SampleList.Span
  private var iterator: TrackSamples.Iterator
  /// The next samples as they are in the track, and those after them.
  private var (waiting, following): (UniformSamples?, UniformSamples?)
  /// Whether samples last until the next one. In fragments they do, regardless of their durations. ISO/IEC 14496-12,
  /// 8.8.12.1
  private let areHeld: Bool
  /// The decoding time in the track up to which the last sample lasts, if it has no duration of its own in the span.
  private let lastEnd: Int64?
  /// What is added to composition offsets, and to offsets in the file.
  private let (compositionShift, mediaStart): (Int64, UInt64)

  init(
    _ span: SampleList.Span, _ all: TrackSamples, at index: Int = 0, lastUntil end: Int64? = nil,
    composedLater shift: Int64 = 0, movedBy mediaStart: UInt64 = 0
  ) {
    (self.span, lastEnd, compositionShift, self.mediaStart) = (span, end, shift, mediaStart)
    iterator = all.makeIterator(at: span.samples.lowerBound &+ index)
    areHeld = !all.fragments.isEmpty
    waiting = iterator.nextUniform()
    following = iterator.nextUniform()
  }

  /// Returns the next samples as they are in the list.
  mutating func next() -> UniformSamples? {
    guard let all = waiting, all.first.index < span.samples.upperBound else { return nil }
    let others = span.samples.upperBound &- 1 &- all.first.index
    var old = all.prefix(others)
    var end = old.first.decodeTime &+ old.first.duration
    if areHeld, old.count == all.count, let next = following?.first.decodeTime, next != old.endTime {
      if old.count == 1 { end = next } else { old = old.prefix(old.count &- 1) }
    }
    old = old.prefix(span.countBetweenClips(old))
    if others == 0, let lastEnd { end = lastEnd }
    let samples = placed(span.renewed(old, until: end), isLast: others == 0)
    let (_, rest) = all.split(first: samples.count)
    if let rest { waiting = rest } else { (waiting, following) = (following, iterator.nextUniform()) }
    return samples
  }

  /// Returns samples where they are composed and placed in the list, or as many of the first ones as are uniform there.
  private func placed(_ samples: UniformSamples, isLast: Bool) -> UniformSamples {
    var sample = samples.first
    if isLast, let duration = span.lastDuration { sample.duration = duration }
    if !sample.isNeverComposed { sample.compositionOffset &+= compositionShift }
    sample.offset &+= mediaStart
    return UniformSamples(sample, count: samples.count)
  }
}
