// swift-multiview · SPDX-License-Identifier: Apache-2.0

extension EditList {
  /// When a composition time is presented by an edit, whether or not the edit reaches there.
  package func presentationTime(of time: Int64, in edit: Edit) -> Int64 {
    switch edit.content {
    case .empty, .dwell: return edit.start
    case .media(let from, let rate):
      let (ahead, overflow) = time.subtractingReportingOverflow(from)
      if overflow { return time < from ? .min : .max }
      guard rate != 1 << 16 else { return clampedSum(edit.start, ahead) }
      // ahead / rate: whole units, and a rest that joins the rest of the edit's start before both are
      // rounded.
      let (whole, rest) = divided(ahead, by: UInt64(rate), fractionBits: 16)
      let units = UInt64(movieTimescale) * UInt64(rate)  // 2^32 · 2^31 at most
      let (more, left) = (edit.startRest * UInt64(rate) + rest * UInt64(movieTimescale))
        .quotientAndRemainder(dividingBy: units)
      let rounded = Int64(more) + (left >= units - left ? 1 : 0)
      return clampedSum(clampedSum(edit.wholeStart, whole), rounded)
    }
  }

  /// Every time at which a sample is presented, in the order of the edits.
  ///
  /// A sample counts as presented where any part of it is: one that begins before the edit is cut at its
  /// beginning.
  public func presentations(compositionTime: Int64, duration: Int64) -> [Presentation] {
    guard !edits.isEmpty else {
      return [Presentation(edit: 0, time: compositionTime, trimmedStart: 0, trimmedEnd: 0)]
    }
    var found: [Presentation] = []
    forEachEdit(compositionTime, duration) { index in
      found.append(presentation(compositionTime, duration, in: index))
    }
    if found.count > 1 { found.sort { $0.edit < $1.edit } }
    return found
  }

  /// The first time at which a sample is presented, or `nil` where it never is.
  public func presentationTime(compositionTime: Int64, duration: Int64) -> Int64? {
    guard !edits.isEmpty else { return compositionTime }
    let last = Self.lastTime(compositionTime, duration)
    if let onlyShift {
      guard compositionTime < onlyRange.upperBound, last >= onlyRange.lowerBound else { return nil }
      return clampedSum(compositionTime, onlyShift)
    }
    return firstEdits.first(from: compositionTime, through: last).map {
      presentationTime(of: compositionTime, in: edits[$0])
    }
  }

  /// The composition time that is presented at `time`; `nil` before and behind the presentation, and in empty
  /// edits.
  public func compositionTime(atPresentationTime time: Int64) -> Int64? {
    guard !edits.isEmpty else { return time }
    var low = 0, high = edits.count
    while low < high {
      let middle = (low + high) / 2
      if edits[middle].start <= time { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let edit = edits[low - 1]
    if let end = edit.end, time >= end { return nil }
    switch edit.content {
    case .empty: return nil
    case .dwell(let media): return media
    case .media(let from, let rate):
      var ahead = time - edit.start
      if rate != 1 << 16 {
        ahead = rounded(scaled(UInt64(ahead), UInt64(rate), over: 1 << 16), over: 1 << 16)
      }
      return clampedSum(from, ahead)
    }
  }

  /// Calls `body` with every stretch of the presentation that shows a part of the sample; with the first one alone where
  /// no edit may be looked at any more.
  ///
  /// - Parameter visits: how many edits may be looked at; those that were are taken from it.
  func forEachPresentedRange(
    _ time: Int64, _ duration: Int64, visits: inout Int, _ body: (Range<Int64>) -> Void
  ) {
    guard !edits.isEmpty else { return body(time..<clampedSum(time, Swift.max(0, duration))) }
    if visits <= 0 {
      let first = firstEdits.first(from: time, through: Self.lastTime(time, duration))
      if let first { body(presentedRange(time, duration, in: edits[first])) }
      return
    }
    visits -= forEachEdit(time, duration) { body(presentedRange(time, duration, in: edits[$0])) }
  }

  /// The stretch of the presentation in which an edit shows a sample.
  private func presentedRange(_ time: Int64, _ duration: Int64, in edit: Edit) -> Range<Int64> {
    guard case .media = edit.content else {
      return edit.start..<Swift.max(edit.start, edit.end ?? edit.start)
    }
    let start = Swift.max(edit.start, presentationTime(of: time, in: edit))
    let end = presentationTime(of: clampedSum(time, Swift.max(0, duration)), in: edit)
    return start..<Swift.max(start, Swift.min(end, edit.end ?? end))
  }

  private func presentation(_ time: Int64, _ duration: Int64, in index: Int) -> Presentation {
    let edit = edits[index]
    var presentation = Presentation(
      edit: index, time: presentationTime(of: time, in: edit), trimmedStart: 0, trimmedEnd: 0)
    guard case .media = edit.content, let range = edit.mediaRange else { return presentation }
    presentation.trimmedStart = Swift.max(0, clampedSum(range.lowerBound, time == .min ? .max : -time))
    let end = clampedSum(time, Swift.max(0, duration))
    if end > range.upperBound { presentation.trimmedEnd = clampedSum(end, -range.upperBound) }
    return presentation
  }
}

/// `value · 2^fractionBits / divisor`, rounded down, and what is left.
private func divided(_ value: Int64, by divisor: UInt64, fractionBits: UInt64) -> (whole: Int64, rest: UInt64)
{
  let (whole, rest) = scaled(value.magnitude, 1 << fractionBits, over: divisor)
  guard value < 0 else { return (whole, rest) }
  return rest == 0 ? (-whole, 0) : (-whole - 1, divisor - rest)
}

/// The sum, or the nearest number there is.
func clampedSum(_ left: Int64, _ right: Int64) -> Int64 {
  let (sum, overflow) = left.addingReportingOverflow(right)
  return overflow ? (right < 0 ? .min : .max) : sum
}
