// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// When samples are presented, through the edit list. All answers come from one timeline.
extension TrackSamples {
  /// A sample where it is presented.
  public struct Presentation: Sendable, Hashable {
    /// The place in the order of presentation, counted from 0.
    public var position: Int
    /// The sample that is presented.
    public var sample: Int
    /// The edit that presents it, counted from 0; `nil` without an edit list.
    public var edit: Int?
    /// When the sample begins. Before ``range`` where its beginning is cut away, which may be before 0.
    public var time: Int64
    /// When it can be seen: from where it begins, or its edit does, until the next sample or the end of the edit. Empty where
    /// an edit runs so fast that no unit of time is left for it.
    public var range: Range<Int64>
  }

  /// How often samples are presented. One that two edits show counts twice, one that none shows does not count.
  public var presentationCount: Int { timeline.count }

  /// How many samples are presented at least once.
  package var presentedSampleCount: Int { timeline.presentedSamples }

  /// What is presented at a place in the order of presentation, counted from 0; `nil` outside.
  public func presentation(at position: Int) -> Presentation? { timeline.presentation(at: position, self) }

  /// What can be seen at `time`; `nil` where nothing is shown: before the first sample, after the last one, and in empty
  /// edits.
  public func presentation(atTime time: Int64) -> Presentation? {
    guard let found = presentation(atOrBefore: time), found.range.contains(time) else { return nil }
    return found
  }

  /// The last that can be seen at or before `time`; `nil` before all.
  public func presentation(atOrBefore time: Int64) -> Presentation? {
    position(atOrBefore: time).flatMap { presentation(at: $0) }
  }

  /// Every presentation of the sample at `index`, in order; none where the edit list leaves it out. Where more than 2048
  /// edits reach over one time, some may be left out.
  public func presentations(of index: Int) -> [Presentation] {
    guard index >= 0, index < count else { return [] }
    return timeline.positions(of: index, self).compactMap { presentation(at: $0) }
  }

  /// The first presentation of the sample at `index`; `nil` where the edit list leaves it out.
  public func firstPresentation(of index: Int) -> Presentation? {
    firstPosition(of: index).flatMap { presentation(at: $0) }
  }

  /// The sample that can be seen at `time`; `nil` where nothing is shown.
  public func index(atPresentationTime time: Int64) -> Int? { presentation(atTime: time)?.sample }

  /// When a sample is first presented; `nil` where it never is. One that begins before what is presented of it has a time
  /// before that, which may be negative.
  public func presentationTime(of sample: Sample) -> Int64? {
    guard !sample.isNeverComposed else { return nil }
    let time = sample.compositionTime
    if edits.isIdentity { return time }
    if let shift = edits.onlyShift {
      if time >= edits.onlyRange.upperBound { return nil }
      if time >= edits.onlyRange.lowerBound { return clampedSum(time, shift) }
    }
    guard let edit = timeline.firstEdit(showing: sample.index, composedAt: time, edits) else { return nil }
    return edits.presentationTime(of: time, in: edits.edits[edit])
  }

  /// The place of the first presentation of a sample.
  package func firstPosition(of index: Int) -> Int? {
    index >= 0 && index < count ? timeline.firstPosition(of: index, self) : nil
  }

  /// The place of the last presentation that can be seen at or before `time`; `nil` before all.
  package func position(atOrBefore time: Int64) -> Int? { timeline.position(atOrBefore: time, self) }

  /// The sample at a place of the presentation, and when it begins there.
  package func presentedSample(at position: Int) -> (index: Int, time: Int64)? {
    timeline.sample(at: position, self)
  }

  // MARK: Steps

  /// A place in the presentation that was reached from another; the place is `nil` where nothing is presented, or nothing in
  /// that direction.
  package struct PresentationStep {
    package var position: Int?
    package var stepped = 0
  }

  /// `steps` presentations on (or back), as far as there are any. From a sample that is not presented, the first one on is the
  /// first that is composed later.
  package func step(inPresentationOrder steps: Int, from position: Int?, sample: Int) -> PresentationStep {
    let last = presentationCount - 1
    guard last >= 0 else { return PresentationStep() }
    if let position {
      let (wanted, overflow) = position.addingReportingOverflow(steps)
      let target = overflow ? (steps < 0 ? 0 : last) : Swift.min(Swift.max(wanted, 0), last)
      return PresentationStep(position: target, stepped: target - position)
    }
    let next = timeline.position(after: sample, self)
    guard steps > 0 ? next <= last : next > 0 && steps < 0 else { return PresentationStep() }
    let start = steps > 0 ? next - 1 : next
    let (wanted, overflow) = start.addingReportingOverflow(steps)
    let target = overflow ? (steps < 0 ? 0 : last) : Swift.min(Swift.max(wanted, 0), last)
    return PresentationStep(position: target, stepped: target - start)
  }

  /// On (or back) by a time, to the last presentation that can be seen at or before the time that is reached. From a sample
  /// that is not presented, the way begins where the next one can be seen.
  ///
  /// - Returns: `nil` where nothing is presented.
  package func step(
    byPresentationTime time: Int64, from position: Int?, sample: Int
  ) -> (position: Int, moved: Int64, wasPinned: Bool)? {
    guard let first = presentation(at: 0), let last = presentation(at: presentationCount - 1) else {
      return nil
    }
    let start =
      presentation(at: position ?? timeline.position(after: sample, self))?.range.lowerBound
      ?? last.range.upperBound
    let target = clampedSum(start, time)
    let reached = presentation(atOrBefore: target) ?? first
    let end = Swift.max(last.range.upperBound, clampedSum(last.range.lowerBound, 1))
    return (
      reached.position, reached.range.lowerBound &- start,
      target < reached.range.lowerBound || target >= end
    )
  }
}
