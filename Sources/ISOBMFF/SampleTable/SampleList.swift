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
    fileprivate let change: @Sendable (inout Sample) -> Void
    /// The number of units of the new track's times in a unit of this one's.
    fileprivate let units: Int64

    /// Makes a source of samples.
    ///
    /// - Parameters:
    ///   - units: the number of units of the new track's times in a unit of this one's.
    ///   - samples: returns its samples. It is called for each span, so that they need not stay in memory.
    ///   - change: gives a sample the bytes, the flags and the sample entry that it has in the new track.
    package init(
      units: Int64 = 1, _ samples: @escaping @Sendable () throws(SourceError) -> TrackSamples,
      change: @escaping @Sendable (inout Sample) -> Void = { _ in }
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

    /// Returns a sample as it is in the list.
    ///
    /// - Parameter end: the decoding time in its track at which it ends.
    fileprivate func sample(_ old: Sample, until end: Int64) -> Sample {
      var sample = old
      var end = end
      if let clip {
        sample.decodeTime = max(sample.decodeTime, start)
        end = max(sample.decodeTime, min(end, clip.upperBound))
      }
      sample.duration = (end &- sample.decodeTime) &* source.units
      sample.decodeTime = sample.decodeTime &* source.units &+ shift
      if !sample.isNeverComposed { sample.compositionOffset = sample.compositionOffset &* source.units }
      source.change(&sample)
      if let bytes { (sample.offset, sample.size) = (bytes.lowerBound, UInt32(clamping: bytes.count)) }
      sample.index = first &+ (old.index &- samples.lowerBound)
      return sample
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
  ///   - body: called with each sample as it is in the list. It may change the duration of the last one.
  /// - Returns: the time in the list of time 0 of the track.
  @discardableResult
  package mutating func append(
    _ new: Span, until end: Int64? = nil, forEach body: (inout Sample) -> Void = { _ in }
  ) throws(SourceError) -> Int64 {
    var span = new
    span.first = count
    span.shift = endTime &- span.start &* span.source.units
    let all = try span.source.samples()
    let last = all.sample(at: span.samples.upperBound - 1)
    var members = SpanSamples(span, all, lastUntil: end ?? last.map { $0.decodeTime &+ $0.duration })
    while var sample = members.next() {
      body(&sample)
      endTime &+= sample.duration
      if sample.index &+ 1 == count &+ span.samples.count { span.lastDuration = sample.duration }
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

    /// Returns the next sample; `nil` after the last one.
    package mutating func next() throws(SourceError) -> Sample? {
      while true {
        if var sample = members?.next() {
          if !sample.isNeverComposed { sample.compositionOffset &+= list.compositionShift }
          sample.offset &+= list.mediaStart
          index &+= 1
          return sample
        }
        guard nextSpan < list.spans.count else { return nil }
        let span = list.spans[nextSpan]
        nextSpan += 1
        members = SpanSamples(span, try span.source.samples(), at: index &- span.first)
      }
    }
  }
}

/// Iterates over the samples of a span.
private struct SpanSamples {
  private let span: SampleList.Span
  private var samples: TrackSamples.Iterator
  private var following: Sample?
  /// Whether samples last until the next one. In fragments they do, regardless of their durations. ISO/IEC 14496-12,
  /// 8.8.12.1
  private let areHeld: Bool
  /// The decoding time in the track up to which the last sample lasts, if it has no duration of its own in the span.
  private let lastEnd: Int64?

  init(_ span: SampleList.Span, _ all: TrackSamples, at index: Int = 0, lastUntil end: Int64? = nil) {
    self.span = span
    samples = all.makeIterator(at: span.samples.lowerBound &+ index)
    areHeld = !all.fragments.isEmpty
    following = samples.next()
    lastEnd = end
  }

  /// Returns the next sample as it is in the list.
  mutating func next() -> Sample? {
    guard let old = following, old.index < span.samples.upperBound else { return nil }
    following = samples.next()
    var end = old.decodeTime &+ old.duration
    if areHeld, let following { end = following.decodeTime }
    guard old.index &+ 1 == span.samples.upperBound else { return span.sample(old, until: end) }
    var sample = span.sample(old, until: lastEnd ?? end)
    if let duration = span.lastDuration { sample.duration = duration }
    return sample
  }
}
