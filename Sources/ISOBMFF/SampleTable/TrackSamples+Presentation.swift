// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// When samples are presented according to the edit list. Everything is derived from one timeline.
extension TrackSamples {
  /// A sample as it is presented.
  public struct Presentation: Sendable, Hashable {
    /// The position in presentation order, counted from 0.
    public var position: Int
    /// The sample that is presented.
    public var sample: Int
    /// The edit that presents it, counted from 0; `nil` without an edit list.
    public var edit: Int?
    /// When the sample begins. Earlier than ``range`` if its beginning is trimmed, and possibly negative.
    public var time: Int64
    /// When the sample is visible: from its beginning or that of its edit, until the next sample or the end of the
    /// edit. Empty if an edit is so fast that the sample gets no unit of time.
    public var range: Range<Int64>
  }

  /// The number of presentations. A sample that two edits present counts twice, one that none presents does not
  /// count.
  public var presentationCount: Int { timeline.count }

  /// The presentation at a position in presentation order, counted from 0; `nil` outside.
  public func presentation(at position: Int) -> Presentation? { timeline.presentation(at: position, self) }

  /// The presentation visible at `time`; `nil` if nothing is: before the first sample, after the last one, and in
  /// empty edits.
  public func presentation(atTime time: Int64) -> Presentation? {
    guard let found = presentation(atOrBefore: time), found.range.contains(time) else { return nil }
    return found
  }

  /// The last presentation visible at or before `time`; `nil` before the first.
  public func presentation(atOrBefore time: Int64) -> Presentation? {
    position(atOrBefore: time).flatMap { presentation(at: $0) }
  }

  /// Every presentation of the sample at `index`, in order; empty if the edit list omits it. If more than 2048
  /// edits overlap, some presentations may be missing.
  public func presentations(of index: Int) -> [Presentation] {
    guard index >= 0, index < count else { return [] }
    return timeline.positions(of: index, self).compactMap { presentation(at: $0) }
  }

  /// The first presentation of the sample at `index`; `nil` if the edit list omits it.
  public func firstPresentation(of index: Int) -> Presentation? {
    firstPosition(of: index).flatMap { presentation(at: $0) }
  }

  /// The sample visible at `time`; `nil` if none is.
  public func index(atPresentationTime time: Int64) -> Int? { presentation(atTime: time)?.sample }

  /// When a sample is first presented; `nil` if it never is. If its beginning is trimmed, the time is earlier than
  /// that of the visible part, and possibly negative.
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

  /// Whether the presentation times of samples that are composed at or after a time depend on nothing but their own times.
  package func isShifted(from time: Int64) -> Bool {
    edits.isIdentity || (edits.onlyShift != nil && time >= edits.onlyRange.lowerBound)
  }

  /// The position of the first presentation of a sample.
  package func firstPosition(of index: Int) -> Int? {
    index >= 0 && index < count ? timeline.firstPosition(of: index, self) : nil
  }

  /// The position of the last presentation visible at or before `time`; `nil` before the first.
  package func position(atOrBefore time: Int64) -> Int? { timeline.position(atOrBefore: time, self) }

  /// The sample at a position in the presentation, and when it begins there.
  package func presentedSample(at position: Int) -> (index: Int, time: Int64)? {
    timeline.sample(at: position, self)
  }

  // MARK: Steps

  /// The result of a step from one position in the presentation to another; the position is `nil` if nothing is
  /// presented, or nothing in that direction.
  package struct PresentationStep {
    package var position: Int?
    package var stepped = 0
  }

  /// Moves forward by `steps` presentations (or back, if negative), as far as there are any. From a sample that is
  /// not presented, one step forward leads to the first one composed later.
  package func step(inPresentationOrder steps: Int, from position: Int?, sample: Int) -> PresentationStep {
    let last = presentationCount - 1
    guard last >= 0 else { return PresentationStep() }
    var start = position ?? 0
    if position == nil {
      let next = timeline.position(after: sample, self)
      guard steps > 0 ? next <= last : next > 0 && steps < 0 else { return PresentationStep() }
      start = steps > 0 ? next - 1 : next
    }
    let (wanted, overflow) = start.addingReportingOverflow(steps)
    let target = overflow ? (steps < 0 ? 0 : last) : Swift.min(Swift.max(wanted, 0), last)
    return PresentationStep(position: target, stepped: target - start)
  }

  /// Moves forward by a time (or back, if negative), to the last presentation visible at or before the resulting
  /// time. From a sample that is not presented, the time counts from where the next one becomes visible.
  ///
  /// - Returns: `nil` if nothing is presented.
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
