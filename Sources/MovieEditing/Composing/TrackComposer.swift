// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// The samples and the edits of a track that is made from parts of others.
struct TrackComposer {
  /// How long chunks last at most, in seconds.
  private static let chunkSeconds: Int64 = 1

  /// The timescale of its media.
  let timescale: UInt32
  /// The samples.
  private(set) var samples = SampleList()
  /// The edits, with media times from the first decoding time on.
  private var edits: [TrackCut.Edit] = []
  /// The time at which the last sample ends in composition, or the edits that present it.
  private var reached: Int64 = 0
  /// The number of samples that are presented; known when the tables are made.
  private(set) var presentedCount = 0
  /// The number of samples that end before all that is presented; known when the tables are made.
  private(set) var hiddenBefore = 0
  /// Bytes of samples that are not in any source.
  private(set) var own: [WritePlan.Piece] = []
  /// The range of these bytes in the media data.
  private(set) var ownRange: Range<UInt64>
  /// Whether the next sample must begin with a broken link.
  private var followsSplice = false
  let open: OpenMovies

  init(timescale: UInt32, ownStart: UInt64 = 0, open: OpenMovies = OpenMovies()) {
    self.timescale = timescale
    self.open = open
    ownRange = ownStart..<ownStart
  }

  /// Adds a cut of a track.
  ///
  /// - Parameters:
  ///   - cut: the cut.
  ///   - layout: where its bytes are in the media data.
  ///   - splice: what is needed after its last sample.
  mutating func append(
    _ cut: TrackCut, _ layout: MediaLayout, before splice: Splice = .plain
  ) throws(EditError) {
    guard cut.track.timescale > 0, timescale % cut.track.timescale == 0 else {
      throw EditError(
        .exceedsLimit,
        "the times of track \(cut.track.id) are not whole numbers in the timescale \(timescale)")
    }
    let units = Int64(timescale / cut.track.timescale)
    let source = SampleList.Source(units: units) { [open] () throws(SourceError) in
      try open.samples(of: cut.track, in: cut.movie)
    } change: {
      cut.renewed($0, layout)
    }
    /// The new time of media time 0 of each span.
    var shifts: [Int64] = []
    for (index, span) in cut.spans.enumerated() {
      let isBroken = followsSplice && span.samples.count == 1
      shifts.append(try append(span, of: cut, source, units))
      var splice = splice
      if index + 1 < cut.spans.count {
        open.use(cut.movie)
        splice = try Splice(before: cut.spans[index + 1].samples.lowerBound, of: cut.track)
      }
      if splice == .end { try endSequence(after: span, of: cut, isBroken: isBroken) }
      followsSplice = splice == .brokenLink
    }
    appendNothing(cut.before)
    for var edit in cut.edits {
      switch edit.content {
      case .nothing: break
      case .media(let span, let time): edit.content = .media(span: 0, from: time &* units &+ shifts[span])
      case .dwell(let span, let time): edit.content = .dwell(span: 0, at: time &* units &+ shifts[span])
      }
      edits.append(edit)
    }
    // All tracks have the same duration in every part, so that the next one begins at the same time in all of them.
    appendNothing(cut.duration &- cut.edits.reduce(0) { $0 &+ $1.duration })
  }

  /// Adds a span of a cut, and returns the new time of its media time 0.
  private mutating func append(
    _ span: TrackCut.Span, of cut: TrackCut, _ source: SampleList.Source, _ units: Int64
  ) throws(EditError) -> Int64 {
    let old = try samples(of: cut)
    var start = span.start
    var firstBytes: Range<UInt64>?
    if span.clip != nil, cut.track.mediaType == .timecode {
      let timecode: [UInt8]?
      (timecode, start) = try Timecode.moved(span, cut, old)
      if let timecode { firstBytes = addOwn([.bytes(ByteView(timecode))]) }
    }
    if followsSplice, let first = old.sample(at: span.samples.lowerBound) {
      firstBytes = addOwn(try Splice.brokenLink(first, of: cut.track, in: cut.movie))
    }
    // Preceding samples must not be composed in the time of this span.
    var earliest = Int64.max
    old.forEachUniform(in: span.samples) { samples in
      guard !samples.first.isNeverComposed else { return }
      earliest = min(earliest, max(samples.compositionStart, span.clip == nil ? .min : start) &- start)
    }
    if earliest < .max, span.shownStart < .max { earliest = min(earliest, span.shownStart &- start) }
    if earliest < .max, samples.count > 0 {
      let wanted = samples.endTime &+ earliest &* units
      if wanted < reached { samples.prolongLast(by: reached &- wanted) }
    }
    let shift = samples.endTime &- start &* units
    var spans = cut.keptSpans(of: span)
    if let first = spans.first, firstBytes != nil, first.count > 1 {
      spans[0] = first.dropFirst()
      spans.insert(first.prefix(1), at: 0)
    }
    for (index, range) in spans.enumerated() {
      // What is left out is shown by the sample before it.
      let isLast = index == spans.count - 1
      var end: Int64?
      if !isLast {
        end = old.sample(at: spans[index + 1].lowerBound)?.decodeTime
      } else if range.upperBound < span.samples.upperBound {
        end = old.sample(at: span.samples.upperBound - 1).map { $0.decodeTime &+ $0.duration }
      }
      var (reached, hasEntries) = (reached, true)
      var last: Sample?
      let added = SampleList.Span(
        of: source, range, from: start, clip: span.clip, bytes: index == 0 ? firstBytes : nil)
      do {
        try samples.append(added, until: end) { samples in
          last = samples.first
          if samples.first.descriptionIndex == 0 { hasEntries = false }
          if !samples.first.isNeverComposed { reached = max(reached, samples.compositionEnd) }
        }
      } catch { throw EditError(.unreadable, error) }
      // A sample that was shown until the next one is shown for the same time without it.
      let wanted = span.end &* units &+ shift
      if isLast, let last, !last.isNeverComposed, reached < wanted {
        samples.prolongLast(by: wanted &- (last.compositionTime &+ last.duration))
        reached = wanted
      }
      guard hasEntries || cut.descriptions.isEmpty else {
        throw EditError(.damaged, "a sample of track \(cut.track.id) has no sample entry")
      }
      self.reached = reached
      start = end ?? start
    }
    reached = max(reached, span.shownEnd &* units &+ shift)
    return shift
  }

  private func samples(of cut: TrackCut) throws(EditError) -> TrackSamples {
    return try reading(open.samples(of: cut.track, in: cut.movie))
  }

  private mutating func addOwn(_ pieces: [WritePlan.Piece]) -> Range<UInt64> {
    let start = ownRange.upperBound
    own += pieces
    ownRange = ownRange.lowerBound..<pieces.reduce(start) { $0 &+ $1.count }
    return start..<ownRange.upperBound
  }

  /// Adds an end of sequence to the last sample.
  ///
  /// - Parameter isBroken: whether that sample is a broken link.
  private mutating func endSequence(
    after span: TrackCut.Span, of cut: TrackCut, isBroken: Bool
  ) throws(EditError) {
    guard let sample = try samples(of: cut).sample(at: span.samples.upperBound - 1) else { return }
    let end = try Splice.end(of: sample, in: cut.track)
    guard !end.isEmpty, UInt64(sample.size) &+ UInt64(end.count) <= UInt32.max else { return }
    let bytes =
      isBroken
      ? try Splice.brokenLink(sample, of: cut.track, in: cut.movie)
      : [.range(sample.range, of: cut.movie.source)]
    samples.setBytes(ofLast: addOwn(bytes + [.bytes(ByteView(end))]))
  }

  /// Adds time in which nothing is presented.
  private mutating func appendNothing(_ duration: Int64) {
    guard duration > 0 else { return }
    edits.append(TrackCut.Edit(content: .nothing, duration: duration))
  }

  // MARK: Boxes

  /// Whether anything is presented.
  var isEmpty: Bool {
    samples.count == 0 || edits.allSatisfy(\.isEmpty)
  }

  /// The duration of the edits, in the timescale of the movie.
  var duration: Int64 { shownEdits.reduce(0) { $0 &+ $1.duration } }

  /// The edits without empty ones at the end, which the standard does not allow. ISO/IEC 14496-12, 8.6.6.1
  private var shownEdits: ArraySlice<TrackCut.Edit> { edits.withoutEmptyEnd }

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
    samples.compositionShift = -least
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
    list.widen()
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
  /// - Parameters:
  ///   - mediaStart: the offset of the media data.
  ///   - edits: the edits by which samples are counted as presented.
  mutating func tables(
    _ form: SampleTableForm, mediaStart: UInt64, _ edits: EditList
  ) throws(EditError) -> [Box] {
    samples.mediaStart = mediaStart
    var presented = PresentedSamples(edits)
    let start = edits.edits.lazy.compactMap(\.mediaRange?.lowerBound).min() ?? .min
    var before = 0
    do {
      let tables = try ComputedSampleTables(
        samples, chunkDuration: Self.chunkSeconds * Int64(timescale)
      ) { samples in
        presented.add(samples)
        if !samples.first.isNeverComposed { before += samples.count(composedUntil: start) }
      }
      presentedCount = presented.presentedCount
      hiddenBefore = min(before, samples.count - presentedCount)
      return try tables.boxes(form)
    } catch { throw EditError(error, source: .unreadable) }
  }
}
