// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension EditList {
  /// When an edit presents a composition time, whether or not the edit extends that far.
  package func presentationTime(of time: Int64, in edit: Edit) -> Int64 {
    switch edit.content {
    case .empty, .dwell: return edit.start
    case .media(let from, let rate):
      let (ahead, overflow) = time.subtractingReportingOverflow(from)
      if overflow { return time < from ? .min : .max }
      guard rate != 1 << 16 else { return clampedSum(edit.start, ahead) }
      // ahead / rate: whole units, and a remainder that is added to that of the edit's start before both are
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
  /// A sample counts as presented if any part of it is: one that begins before the edit is trimmed at its
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

  /// The first time at which a sample is presented; `nil` if it never is.
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

  /// The composition time that is presented at `time`; `nil` before and after the presentation, and in empty
  /// edits. It is the latest one whose presentation time is not after `time`.
  public func compositionTime(atPresentationTime time: Int64) -> Int64? {
    guard !edits.isEmpty else { return time }
    guard let index = lastEdit(startingAtOrBefore: time) else { return nil }
    let edit = edits[index]
    if let end = edit.end, time >= end { return nil }
    return compositionTime(atPresentationTime: time, in: edit)
  }

  /// The last edit that begins at or before `time`, including edits without duration.
  func lastEdit(startingAtOrBefore time: Int64) -> Int? {
    let after = edits.partitionIndex { $0.start <= time }
    return after > 0 ? after - 1 : nil
  }

  /// The latest composition time that an edit presents at or before `time`, which is not before the start of the
  /// edit.
  func compositionTime(atPresentationTime time: Int64, in edit: Edit) -> Int64? {
    switch edit.content {
    case .empty: return nil
    case .dwell(let media): return media
    case .media(let from, let rate):
      let ahead = time &- edit.start
      guard rate != 1 << 16 else { return clampedSum(from, ahead) }
      // Presentation times are rounded: the result is the last time that the other direction does not map to a
      // later one.
      let (whole, _) = scaled(UInt64(clamping: ahead) &+ 1, UInt64(rate), over: 1 << 16)
      let high = clampedSum(from, clampedSum(whole, 1))
      var (low, span) = (from, UInt64(bitPattern: high &- from))
      while span > 0 {
        let half = span - span / 2
        if presentationTime(of: low &+ Int64(clamping: half), in: edit) <= time {
          low &+= Int64(clamping: half)
        }
        span /= 2
      }
      return low
    }
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

/// `value · 2^fractionBits / divisor`, rounded down, and the remainder.
private func divided(_ value: Int64, by divisor: UInt64, fractionBits: UInt64) -> (whole: Int64, rest: UInt64)
{
  let (whole, rest) = scaled(value.magnitude, 1 << fractionBits, over: divisor)
  guard value < 0 else { return (whole, rest) }
  return rest == 0 ? (-whole, 0) : (-whole - 1, divisor - rest)
}

/// The sum, or the nearest representable number.
func clampedSum(_ left: Int64, _ right: Int64) -> Int64 {
  let (sum, overflow) = left.addingReportingOverflow(right)
  return overflow ? (right < 0 ? .min : .max) : sum
}
