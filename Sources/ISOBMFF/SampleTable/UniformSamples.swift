// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Consecutive samples of a track that follow one another in time and in the file, and are otherwise the same, such as
/// those of uncompressed sound.
///
/// Unless there is only one, neither the time at which they end nor their last byte exceeds the range of its type.
package struct UniformSamples: Sendable {
  /// The first sample.
  package private(set) var first: Sample
  /// The number of samples, at least 1.
  package private(set) var count: Int

  /// One sample.
  @inline(__always)
  package init(_ sample: Sample) { (first, count) = (sample, 1) }

  /// Makes samples like the first one, or that one alone if the end of them all would be out of range.
  package init(_ first: Sample, count: Int) {
    self.first = first
    let (duration, isTooLong) = first.duration.multipliedReportingOverflow(by: Int64(count))
    let (size, isTooLarge) = UInt64(first.size).multipliedReportingOverflow(by: UInt64(count))
    let isInRange =
      !isTooLong && !isTooLarge && !first.decodeTime.addingReportingOverflow(duration).overflow
      && !first.offset.addingReportingOverflow(size).overflow
    self.count = isInRange ? max(1, count) : 1
  }

  /// The sample at a position, counted from 0.
  package subscript(position: Int) -> Sample {
    var sample = first
    sample.index &+= position
    sample.decodeTime &+= Int64(position) &* sample.duration
    sample.offset &+= UInt64(position) &* UInt64(sample.size)
    return sample
  }

  /// The decoding time at which the last one ends.
  package var endTime: Int64 { first.decodeTime &+ Int64(count) &* first.duration }

  /// The number of their bytes.
  package var byteCount: UInt64 { UInt64(count) &* UInt64(first.size) }

  /// The range of their bytes in the file.
  package var range: Range<UInt64> {
    count == 1 ? first.range : first.offset..<(first.offset &+ byteCount)
  }

  /// The positions of some of them: of those whose index in the track is a multiple of `step`.
  ///
  /// - Parameter last: whether that of the last one is returned, too.
  package func positions(every step: Int, orLast last: Bool) -> [Int] {
    let first = (step - self.first.index % step) % step
    let regular = stride(from: first, to: count, by: step)
    return last && (count - 1 - first) % step != 0 ? regular + [count - 1] : Array(regular)
  }

  /// The composition time at which the one ends that ends last.
  package var compositionEnd: Int64 {
    let last = self[count &- 1]
    return max(
      first.compositionTime &+ first.duration, last.compositionTime &+ last.duration)
  }

  /// The earliest composition time of all of them.
  package var compositionStart: Int64 { min(first.compositionTime, self[count &- 1].compositionTime) }

  /// The number of samples that are composed before a time.
  func count(composedBefore time: Int64) -> Int {
    count(before: first.isNeverComposed ? time : clampedSum(time, 0 &- first.compositionOffset))
  }

  /// The number of samples that end in composition at or before a time.
  package func count(composedUntil time: Int64) -> Int {
    time == .max ? count : count(composedBefore: clampedSum(time + 1, 0 &- first.duration))
  }

  /// The number of samples that are decoded before a time.
  package func count(before time: Int64) -> Int {
    guard first.decodeTime < time else { return 0 }
    let (ahead, overflow) = time.subtractingReportingOverflow(first.decodeTime)
    guard !overflow, first.duration > 0 else { return count }
    let others = (ahead - 1) / first.duration
    return others >= Int64(count) ? count : Int(others) + 1
  }

  /// The same samples after others in the track.
  func renumbered(by number: Int) -> UniformSamples {
    var moved = self
    moved.first.index &+= number
    return moved
  }

  /// The same samples, composed later, unless they are never composed.
  package func composed(later shift: Int64) -> UniformSamples {
    guard !first.isNeverComposed else { return self }
    var moved = self
    moved.first.compositionOffset &+= shift
    return moved
  }

  /// Whether they are partial sync samples.
  package var isPartialSync: Bool {
    get { first.isPartialSync }
    set { first.isPartialSync = newValue }
  }

  /// The first ones of them, at least 1.
  package func prefix(_ number: Int) -> UniformSamples { split(first: max(1, number)).taken }

  /// The first ones, and those after them, if any.
  ///
  /// - Parameter number: how many there are of the first ones, at least 1.
  package func split(first number: Int) -> (taken: UniformSamples, rest: UniformSamples?) {
    guard number < count else { return (self, nil) }
    var (taken, rest) = (self, self)
    taken.count = number
    (rest.first, rest.count) = (self[number], count - number)
    return (taken, rest)
  }

  /// The same samples at another place in the file; `nil` if their end would be out of range there.
  package func placed(at offset: UInt64) -> UniformSamples? {
    var first = first
    first.offset = offset
    let moved = UniformSamples(first, count: count)
    return moved.count == count ? moved : nil
  }

  /// Adds the samples that follow, if they continue these in time. Where they are in the file does not matter, so that
  /// afterwards only that of the first one is known.
  ///
  /// - Parameter other: the samples that are decoded next.
  /// - Returns: whether they were added.
  package mutating func append(_ other: UniformSamples) -> Bool {
    guard other.first.decodeTime == endTime, other.first.hasSameValues(as: first) else { return false }
    count &+= other.count
    return true
  }
}

/// The samples of a track that are yet to be written or compared, in decoding order.
package struct SampleQueue: Sendable {
  private var iterator: TrackSamples.Iterator
  /// The next samples, as far as they are uniform; `nil` after the last one.
  package private(set) var upcoming: UniformSamples?

  /// Makes a queue of all samples from a number on.
  package init(_ samples: TrackSamples, from index: Int = 0) {
    iterator = samples.makeIterator(at: index)
    upcoming = iterator.nextUniform()
  }

  /// The next sample; `nil` after the last one.
  package var next: Sample? { upcoming?.first }

  /// Takes the next samples, as far as they are uniform and decoded before a time; `nil` if there are none.
  package mutating func take(before time: Int64) -> UniformSamples? {
    guard let count = upcoming?.count(before: time), count > 0 else { return nil }
    return take(atMost: count)
  }

  /// Takes the next samples, as far as they are uniform; `nil` if there are none.
  ///
  /// - Parameter count: how many are taken at most, at least 1.
  package mutating func take(atMost count: Int) -> UniformSamples? {
    guard let (taken, rest) = upcoming?.split(first: count) else { return nil }
    upcoming = rest ?? iterator.nextUniform()
    return taken
  }
}

extension Sample {
  /// Whether it differs from another one at most in its index, its time and its place.
  package func hasSameValues(as other: Sample) -> Bool {
    duration == other.duration && size == other.size && compositionOffset == other.compositionOffset
      && flags == other.flags && descriptionIndex == other.descriptionIndex
      && isPartialSync == other.isPartialSync
  }
}
