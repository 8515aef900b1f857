// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// The sample tables and the edit list of a track that is made from parts of others.
struct TrackComposer {
  /// The timescale of its media.
  let timescale: UInt32
  private var cuts: [InsertedCut] = []
  /// The layouts of the bytes of all parts.
  private let layouts: [MediaLayout]
  private var spans: [ComposedSpan] = []
  /// The edits, with media times from the first decoding time on.
  private var edits: [TrackCut.Edit] = []
  /// The decoding time at which the last sample so far ends.
  private(set) var decodeEndTime: Int64 = 0
  /// The time at which the last sample ends in composition, or the edits that present it.
  private var reached: Int64 = 0
  /// The number of samples.
  private(set) var count = 0
  /// The number of samples that are presented; known when the tables are made.
  private(set) var presentedCount = 0
  /// The number of samples that end before all that is presented; known when the tables are made.
  private(set) var hiddenBefore = 0
  /// A value that is added to all composition offsets.
  private var shift: Int64 = 0
  /// New samples, which are not in any source.
  private(set) var own: [WritePlan.Piece] = []
  /// The number of bytes of the new samples.
  private(set) var ownCount: UInt64 = 0
  /// The offset of the new samples.
  private let ownStart: UInt64
  /// Whether the next sample must begin with a broken link.
  private var followsSplice = false
  let open: OpenMovies

  init(
    timescale: UInt32, layouts: [MediaLayout] = [], ownStart: UInt64 = 0, open: OpenMovies = OpenMovies()
  ) {
    self.timescale = timescale
    self.layouts = layouts
    self.ownStart = ownStart
    self.open = open
  }

  /// Adds a cut of a track.
  ///
  /// - Parameters:
  ///   - inserted: the cut.
  ///   - splice: what is needed after its last sample.
  mutating func append(_ inserted: InsertedCut, before splice: Splice = .plain) throws(EditError) {
    let cut = inserted.cut
    guard cut.track.timescale > 0, timescale % cut.track.timescale == 0 else {
      throw .refused("the times of track \(cut.track.id) are not whole in the timescale \(timescale)")
    }
    cuts.append(inserted)
    let units = Int64(timescale / cut.track.timescale)
    /// The new time of media time 0 of each span.
    var shifts: [Int64] = []
    for (index, span) in cut.spans.enumerated() {
      shifts.append(try append(span, units))
      var splice = splice
      if index + 1 < cut.spans.count {
        open.use(inserted.movie)
        splice = try Splice(before: cut.spans[index + 1].samples.lowerBound, of: cut.track)
      }
      if splice == .end { try endSequence() }
      followsSplice = splice == .brokenLink
    }
    for var edit in cut.edits {
      switch edit.content {
      case .nothing: break
      case .media(let span, let time): edit.content = .media(span: 0, from: time &* units &+ shifts[span])
      case .dwell(let span, let time): edit.content = .dwell(span: 0, at: time &* units &+ shifts[span])
      }
      edits.append(edit)
    }
  }

  /// Adds a span of the last cut, and returns the new time of its media time 0.
  private mutating func append(_ span: TrackCut.Span, _ units: Int64) throws(EditError) -> Int64 {
    let inserted = cuts[cuts.count - 1]
    let samples: TrackSamples
    do { samples = try open.samples(of: inserted.cut.track, in: inserted.movie) } catch {
      throw EditError(.unreadable, error)
    }
    var start = span.start
    var firstPlace: UInt64?
    if span.clip != nil, inserted.cut.track.mediaType == .timecode {
      let timecode: [UInt8]?
      (timecode, start) = try Timecode.moved(span, inserted.cut, samples, inserted.movie)
      if let timecode { firstPlace = addOwn([.bytes(ByteView(timecode))]).lowerBound }
    }
    if followsSplice, let first = samples.sample(at: span.samples.lowerBound) {
      firstPlace = addOwn(try Splice.brokenLink(first, of: inserted.cut.track, in: inserted.movie)).lowerBound
    }
    // Preceding samples must not be composed in the time of this span.
    var earliest = Int64.max
    samples.forEachCompositionTime(span.samples) { time in
      if let time { earliest = min(earliest, max(time, span.clip == nil ? .min : start) &- start) }
    }
    if earliest < .max, span.shownStart < .max { earliest = min(earliest, span.shownStart &- start) }
    if earliest < .max, count > 0 {
      let wanted = decodeEndTime &+ earliest &* units
      if wanted < reached { lengthenLast(by: reached &- wanted) }
    }
    let shift = decodeEndTime &- start &* units
    var composed = ComposedSpan(
      cut: cuts.count - 1, old: span, units: units, start: start, firstPlace: firstPlace)
    let members = SpanSamples(
      composed, of: inserted, layouts[inserted.part], samples, at: span.samples.lowerBound)
    while let element = try members.next() {
      var sample = element.sample
      let isLast = sample.index == span.samples.upperBound - 1
      if !sample.isNeverComposed {
        let time = sample.decodeTime &* units &+ shift &+ sample.compositionOffset
        if isLast {
          // A sample that was shown until the next one is shown for the same time without it.
          let wanted = span.end &* units &+ shift
          if max(reached, time &+ sample.duration) < wanted { sample.duration = wanted &- time }
        }
        reached = max(reached, time &+ sample.duration)
      }
      if isLast { composed.lastDuration = sample.duration }
      decodeEndTime &+= sample.duration
      if !element.isLeftOut { count += 1 }
    }
    spans.append(composed)
    reached = max(reached, span.shownEnd &* units &+ shift)
    return shift
  }

  /// Prolongs the last sample, so that later samples are composed later by the same time.
  private mutating func lengthenLast(by gap: Int64) {
    guard let last = spans.indices.last else { return }
    spans[last].lastDuration? &+= gap
    decodeEndTime &+= gap
  }

  private mutating func addOwn(_ pieces: [WritePlan.Piece]) -> Range<UInt64> {
    let start = ownStart &+ ownCount
    own += pieces
    ownCount = pieces.reduce(ownCount) { $0 &+ $1.count }
    return start..<(ownStart &+ ownCount)
  }

  /// Adds an end of sequence to the last sample.
  private mutating func endSequence() throws(EditError) {
    guard let last = spans.indices.last, let inserted = cuts.last else { return }
    let sample: Sample?
    do {
      sample = try open.samples(of: inserted.cut.track, in: inserted.movie)
        .sample(at: spans[last].samples.upperBound - 1)
    } catch { throw EditError(.unreadable, error) }
    guard let sample else { return }
    let end = try Splice.end(of: sample, in: inserted.cut.track)
    guard !end.isEmpty, UInt64(sample.size) &+ UInt64(end.count) <= UInt32.max else { return }
    var bytes: [WritePlan.Piece] = [.range(sample.range, of: inserted.movie.source)]
    if spans[last].samples.count == 1, spans[last].firstPlace != nil {
      bytes = try Splice.brokenLink(sample, of: inserted.cut.track, in: inserted.movie)
      spans[last].firstPlace = nil
    }
    spans[last].lastPlace = addOwn(bytes + [.bytes(ByteView(end))])
  }

  /// Adds time in which nothing is presented.
  mutating func appendNothing(_ duration: Int64) {
    guard duration > 0 else { return }
    edits.append(TrackCut.Edit(content: .nothing, duration: duration))
  }

  // MARK: Boxes

  /// Whether anything is presented.
  var isEmpty: Bool {
    count == 0 || edits.allSatisfy { if case .nothing = $0.content { true } else { false } }
  }

  /// The duration of the edits, in the timescale of the movie.
  var duration: Int64 { shownEdits.reduce(0) { $0 &+ $1.duration } }

  /// The edits without empty ones at the end, which the standard does not allow. ISO/IEC 14496-12, 8.6.6.1
  private var shownEdits: ArraySlice<TrackCut.Edit> {
    let last = edits.lastIndex { if case .nothing = $0.content { false } else { true } }
    return edits[..<(last.map { $0 + 1 } ?? 0)]
  }

  /// Returns the edit list. Composition offsets are increased if an edit would begin before 0.
  ///
  /// - Parameter movie: the timescale of the movie.
  mutating func editList(_ movie: UInt32) -> EditListBox {
    var least: Int64 = 0
    for edit in edits {
      switch edit.content {
      case .nothing: break
      case .media(_, let time), .dwell(_, let time): least = min(least, time)
      }
    }
    shift = -least
    var list = EditListBox()
    for edit in joined(shownEdits, movie) {
      var entry = EditListBox.Entry(editDuration: UInt64(clamping: edit.duration), mediaTime: -1)
      switch edit.content {
      case .nothing:
        if let last = list.entries.indices.last, list.entries[last].mediaTime == -1 {
          list.entries[last].editDuration += entry.editDuration
          continue
        }
      case .media(_, let time):
        entry.mediaTime = time &- least
        entry.mediaRateInteger = Int16(truncatingIfNeeded: edit.rate >> 16)
        entry.mediaRateFraction = Int16(truncatingIfNeeded: edit.rate)
      case .dwell(_, let time):
        entry.mediaTime = time &- least
        entry.mediaRateInteger = 0
      }
      list.entries.append(entry)
    }
    let isWide = list.entries.contains {
      $0.editDuration > UInt64(UInt32.max) || $0.mediaTime > Int64(Int32.max)
    }
    list.version = isWide ? 1 : 0
    return list
  }

  /// Joins edits that present media without a break: each begins where the one before ends, in whole units of the
  /// media.
  private func joined(_ all: ArraySlice<TrackCut.Edit>, _ movie: UInt32) -> [TrackCut.Edit] {
    var edits: [TrackCut.Edit] = []
    for edit in all {
      if let last = edits.indices.last, case .media(_, let start) = edits[last].content,
        case .media(_, let next) = edit.content, next >= start, edit.rate == TrackCut.Edit.normalRate,
        edits[last].rate == edit.rate
      {
        // In units of which both timescales are multiples.
        let media = (next - start).multipliedReportingOverflow(by: Int64(movie))
        let shown = edits[last].duration.multipliedReportingOverflow(by: Int64(timescale))
        if !media.overflow, !shown.overflow,
          (media.partialValue - shown.partialValue).magnitude < UInt64(movie)
        {
          edits[last].duration &+= edit.duration
          continue
        }
      }
      edits.append(edit)
    }
    return edits
  }

  /// Returns the sample tables, without `stsd` and groups. Their rows are computed when they are read.
  ///
  /// - Parameter edits: the edits by which samples are counted as presented.
  mutating func tables(
    _ form: SampleTableForm, _ edits: EditList
  ) throws(EditError) -> [Box] {
    let samples = ComposedSamples(
      cuts: cuts, layouts: layouts, spans: spans, timescale: timescale, shift: shift, open: open)
    var presented = PresentedSamples(edits)
    let start = edits.edits.lazy.compactMap(\.mediaRange?.lowerBound).min() ?? .min
    var before = 0
    do {
      let tables = try ComputedSampleTables(samples) { sample in
        presented.add(sample)
        if !sample.isNeverComposed, sample.compositionTime &+ sample.duration <= start { before += 1 }
      }
      presentedCount = presented.presentedCount
      hiddenBefore = min(before, count - presentedCount)
      return try tables.boxes(form)
    } catch let error as SourceError { throw EditError(.unreadable, error) } catch {
      throw .refused("\(error)")
    }
  }
}
