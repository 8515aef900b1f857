// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// Which parts of a track's media are presented at which times: maps composition times to presentation times.
///
/// Presentation times are in units of the media's timescale, exact, and rounded once (halves up) if a time in the
/// movie's timescale falls between two units. ISO/IEC 14496-12, 8.6.6
public struct EditList: Sendable, Hashable {
  /// A part of the presentation.
  public struct Edit: Sendable, Hashable {
    /// What is presented.
    public enum Content: Sendable, Hashable {
      /// Nothing.
      case empty
      /// The picture composed at this time, held for the whole edit.
      case dwell(at: Int64)
      /// The media from this time on, at a rate in units of 1/65536.
      case media(from: Int64, rate: Int32)
    }

    /// What is presented.
    public let content: Content
    /// The presentation time at which it begins.
    public let start: Int64
    /// The presentation time at which it ends; `nil` for the end of the media.
    public let end: Int64?
    /// The part of the media that it presents; `nil` if it presents nothing. The upper bound is `Int64.max` if the
    /// edit lasts to the end of the media.
    public let mediaRange: Range<Int64>?
    /// The exact time at which it begins: whole units, and a remainder in 1/`movieTimescale` of a unit.
    let wholeStart: Int64
    let startRest: UInt64
  }

  /// A sample as presented by an edit.
  public struct Presentation: Sendable, Hashable {
    /// The edit that presents it.
    public var edit: Int
    /// The presentation time; before the start of the edit for a sample that is trimmed at its beginning.
    public var time: Int64
    /// How much is trimmed at its beginning, in media time.
    public var trimmedStart: Int64
    /// How much is trimmed at its end, in media time.
    public var trimmedEnd: Int64
  }

  /// The edits, in presentation order; empty if the media is presented unchanged.
  public let edits: [Edit]
  /// The number of units of movie time in a second.
  public let movieTimescale: UInt32
  /// The number of units of media time in a second.
  public let mediaTimescale: UInt32
  /// Irregularities of the list.
  public let diagnostics: DiagnosticList
  /// The edits that present media, ordered by where they begin in it, each with the latest end of all edits up to
  /// it.
  private let byMedia: [MediaSpan]
  let firstEdits: FirstEdits
  /// The part of the media that is presented, if there is only one part at the normal rate, and how much later.
  let onlyRange: Range<Int64>
  let onlyShift: Int64?

  private struct MediaSpan: Sendable, Hashable {
    var range: Range<Int64>
    var edit: Int
    var latestEnd: Int64
  }

  /// Makes a list that presents the media unchanged.
  public init(mediaTimescale: UInt32 = 1) {
    self.init(entries: [], movieTimescale: mediaTimescale, mediaTimescale: mediaTimescale)
  }

  /// Reads an edit list.
  ///
  /// - Parameters:
  ///   - entries: the edits in the order of the box.
  ///   - movieTimescale: how many units of movie time make a second.
  ///   - mediaTimescale: how many units of media time make a second.
  ///   - isFragmented: whether movie fragments may follow: a last edit without duration then lasts to their end.
  ///   - path: the path of the box, for diagnostics.
  ///   - offset: the file offset of the box, for diagnostics.
  public init(
    entries: some Collection<EditListBox.Entry>, movieTimescale: UInt32, mediaTimescale: UInt32,
    isFragmented: Bool = false, path: String = "", offset: Int? = nil
  ) {
    var list = DiagnosticList()
    if !entries.isEmpty, movieTimescale == 0 || mediaTimescale == 0 {
      list.append(
        .error, "zero-timescale", path: path, offset: offset, "a timescale is 0 and is treated as 1")
    }
    let movieUnits = UInt64(Swift.max(1, movieTimescale))
    let mediaUnits = UInt64(Swift.max(1, mediaTimescale))
    let isAllZero = entries.allSatisfy { $0.editDuration == 0 }
    if isAllZero, !entries.isEmpty, !isFragmented {
      list.append(
        .note, "edit-without-duration", path: path, offset: offset,
        "the edits have no duration: the last one is treated as lasting to the end of the media")
    }
    var edits: [Edit] = []
    edits.reserveCapacity(entries.count)
    var movieTime: UInt64 = 0
    for entry in entries {
      let index = edits.count
      let isOpen = entry.editDuration == 0 && index == entries.count - 1 && (isFragmented || isAllZero)
      let nextTime = movieTime.addingReportingOverflow(entry.editDuration)
      let ending = nextTime.overflow ? .max : nextTime.partialValue
      let content = Self.content(of: entry, index: index, path: path, offset: offset, &list)
      let start = scaled(movieTime, mediaUnits, over: movieUnits)
      let end = scaled(ending, mediaUnits, over: movieUnits)
      let length = rounded(scaled(entry.editDuration, mediaUnits, over: movieUnits), over: movieUnits)
      edits.append(
        Edit(
          content: content, start: rounded(start, over: movieUnits),
          end: isOpen ? nil : rounded(end, over: movieUnits),
          mediaRange: Self.mediaRange(content, length: isOpen ? nil : length),
          wholeStart: start.whole, startRest: start.rest))
      movieTime = ending
    }
    self.edits = edits
    self.movieTimescale = UInt32(movieUnits)
    self.mediaTimescale = UInt32(mediaUnits)
    byMedia = Self.spans(of: edits)
    firstEdits = FirstEdits(
      edits.indices.compactMap { index in edits[index].mediaRange.map { ($0, index) } })
    onlyRange = byMedia.first?.range ?? 0..<0
    if byMedia.count == 1, case .media(let from, 1 << 16) = edits[byMedia[0].edit].content {
      let (shift, overflow) = edits[byMedia[0].edit].start.subtractingReportingOverflow(from)
      onlyShift = overflow ? nil : shift
    } else {
      onlyShift = nil
    }
    if Self.isDense(byMedia) {
      list.append(
        .warning, "limit-exceeded", path: path, offset: offset,
        "more than \(Self.maximumVisits) edits overlap at the same time: some are ignored there")
    }
    diagnostics = list
  }

  private static func content(
    of entry: EditListBox.Entry, index: Int, path: String, offset: Int?, _ list: inout DiagnosticList
  ) -> Edit.Content {
    if entry.mediaTime == -1 { return .empty }
    if entry.mediaTime < -1 {
      list.append(
        .warning, "negative-media-time", path: path, offset: offset,
        "edit \(index) begins at media time \(entry.mediaTime)")
    }
    let rate = Int32(entry.mediaRateInteger) << 16 | Int32(UInt16(bitPattern: entry.mediaRateFraction))
    if rate == 0 { return .dwell(at: entry.mediaTime) }
    if rate < 0 {
      list.append(
        .warning, "negative-edit-rate", path: path, offset: offset,
        "edit \(index) runs backwards: its rate is treated as 1")
      return .media(from: entry.mediaTime, rate: 1 << 16)
    }
    return .media(from: entry.mediaTime, rate: rate)
  }

  private static func mediaRange(_ content: Edit.Content, length: Int64?) -> Range<Int64>? {
    switch content {
    case .empty: return nil
    case .dwell(let time): return length == 0 || time == .max ? nil : time..<(time + 1)
    case .media(let from, let rate):
      guard let length else { return from..<Int64.max }
      let media =
        rate == 1 << 16 ? length : rounded(scaled(UInt64(length), UInt64(rate), over: 1 << 16), over: 1 << 16)
      let (end, overflow) = from.addingReportingOverflow(media)
      return media > 0 ? from..<(overflow ? .max : end) : nil
    }
  }

  private static func spans(of edits: [Edit]) -> [MediaSpan] {
    var spans: [MediaSpan] = []
    for (index, edit) in edits.enumerated() {
      guard let range = edit.mediaRange else { continue }
      spans.append(MediaSpan(range: range, edit: index, latestEnd: range.upperBound))
    }
    spans.sort { ($0.range.lowerBound, $0.edit) < ($1.range.lowerBound, $1.edit) }
    for index in spans.indices.dropFirst() {
      spans[index].latestEnd = Swift.max(spans[index].latestEnd, spans[index - 1].latestEnd)
    }
    return spans
  }

  /// How many edits are examined for one sample. Only a file made to be slow has this many at the same time.
  static let maximumVisits = 2_048

  /// Whether some edit may not be found, because too many begin before a time and extend beyond it.
  private static func isDense(_ spans: [MediaSpan]) -> Bool {
    guard spans.count > maximumVisits else { return false }
    return (maximumVisits..<spans.count).contains {
      spans[$0 - maximumVisits].latestEnd > spans[$0].range.lowerBound
    }
  }

  /// The last time of a sample. A sample without duration is presented where its beginning is.
  static func lastTime(_ time: Int64, _ duration: Int64) -> Int64 {
    duration > 0 ? clampedSum(time, duration - 1) : time
  }

  /// Calls `body` with every edit that presents a part of the sample, in no particular order.
  func forEachEdit(_ time: Int64, _ duration: Int64, _ body: (Int) -> Void) {
    let last = Self.lastTime(time, duration)
    var low = byMedia.partitionIndex { $0.range.lowerBound <= last }
    let lowest = Swift.max(0, low - Self.maximumVisits)
    while low > lowest, byMedia[low - 1].latestEnd > time {
      low -= 1
      if byMedia[low].range.upperBound > time { body(byMedia[low].edit) }
    }
  }

  /// Whether the media is presented unchanged.
  public var isIdentity: Bool { edits.isEmpty }

  /// The duration of the presentation in media time; `nil` if that depends on the media.
  public var duration: Int64? { edits.last?.end }
}

/// `value · factor / divisor`, rounded down, and the remainder. Results that are too large are clipped to the
/// largest number.
func scaled(_ value: UInt64, _ factor: UInt64, over divisor: UInt64) -> (whole: Int64, rest: UInt64) {
  guard let (whole, rest) = value.scaled(by: factor, over: divisor), whole < UInt64(Int64.max) else {
    return (.max, 0)
  }
  return (Int64(whole), rest)
}

/// A number with a remainder of `rest` over `divisor`, rounded, halves up.
func rounded(_ number: (whole: Int64, rest: UInt64), over divisor: UInt64) -> Int64 {
  number.rest > 0 && number.rest >= divisor - number.rest ? clampedSum(number.whole, 1) : number.whole
}
