// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// The samples of one track that a part of the presentation needs, and the edits that present it.
///
/// Times of the movie are in the timescale of the composition, times of the media in that of the track.
struct TrackCut {
  /// What an edit presents.
  enum Content {
    case nothing
    /// The media from a media time on, in the span with that index.
    case media(span: Int, from: Int64)
    /// The picture at a media time, held.
    case dwell(span: Int, at: Int64)
  }

  struct Edit {
    var content: Content
    /// The duration, in the timescale of the composition.
    var duration: Int64
    /// The rate of the media, in units of 1/65536.
    var rate = Self.normalRate

    static let normalRate: Int32 = 1 << 16
  }

  /// Consecutive samples in decoding order.
  struct Span: Sendable {
    var samples: Range<Int>
    /// The decoding time at which it begins, in media time.
    var start: Int64
    /// The composition time up to which it must have media.
    var end: Int64
    /// The time from which edits present it.
    var shownStart = Int64.max
    /// The time up to which edits present it: after its end if an edit of the movie extends beyond the media.
    var shownEnd: Int64
    /// The range of media times that its samples are cut to, if they do not depend on each other.
    var clip: Range<Int64>?
  }

  let track: Track
  /// The movie of the track.
  let movie: MovieFile
  private(set) var edits: [Edit] = []
  private(set) var spans: [Span] = []
  /// Whether its first picture needs samples that the track does not have.
  let lacksStart: Bool

  /// The index of the part of the new movie's media that has its bytes.
  var part = 0
  /// The duration of the empty time before it, in the timescale of the new movie.
  var before: Int64 = 0
  /// The duration in the presentation, in the timescale of the new movie.
  var duration: Int64 = 0
  /// The bytes that are taken of each sample; `nil` for all bytes.
  var kept: KeptUnits?
  /// The indices of samples that are no longer sync samples.
  var notSync: Set<Int> = []
  /// The new number of each of its sample entries; empty if they do not change.
  var descriptions: [UInt32] = []

  /// The samples that are taken, in their order.
  var taken: [Range<Int>] { spans.flatMap(taken) }

  /// The samples that are taken of a span.
  func taken(of span: Span) -> [Range<Int>] { kept?.present(of: span.samples) ?? [span.samples] }

  /// The ranges of the movie's bytes that are taken of a sample.
  func ranges(of sample: Sample) -> ArraySlice<Range<UInt64>> {
    kept?.parts(of: sample.index) ?? [sample.range]
  }

  /// Gives a sample the bytes, the flags and the sample entry that it has in the new track.
  func renew(_ sample: inout Sample, _ layout: MediaLayout) {
    if !notSync.isEmpty, notSync.contains(sample.index) { sample.flags.rawValue |= 0x1_0000 }
    if !descriptions.isEmpty {
      let index = Int(sample.descriptionIndex) - 1
      sample.descriptionIndex = descriptions.indices.contains(index) ? descriptions[index] : 0
    }
    if let kept {
      let parts = kept.parts(of: sample.index)
      sample.size = UInt32(clamping: parts.reduce(UInt64(0)) { $0 &+ ($1.upperBound - $1.lowerBound) })
      sample.offset = kept.anchor(of: parts)?.lowerBound ?? 0
      if parts.count > 1, let place = layout.place(ofComposed: sample.index, at: sample.offset) {
        sample.offset = place
        return
      }
    }
    if sample.size > 0, let piece = layout.piece(containing: sample.offset) {
      sample.offset = piece.new &+ (sample.offset &- piece.old.lowerBound)
    }
  }

  /// Whether anything is presented.
  var isEmpty: Bool { spans.isEmpty }

  /// Makes the cut of some segments of a track.
  ///
  /// - Parameters:
  ///   - track: the track.
  ///   - movie: the movie of the track.
  ///   - segments: the segments, in presentation order.
  ///   - timescale: the timescale in which the durations of all segments are integers.
  init(
    _ track: Track, of movie: MovieFile, _ segments: ArraySlice<CompositionSegment>, timescale: UInt32
  ) throws(EditError) {
    (self.track, self.movie) = (track, movie)
    var needed: NeededSamples
    do { needed = NeededSamples(track, try track.samples()) } catch { throw EditError(.unreadable, error) }
    var presented: [NeededSamples.Segment] = []
    for segment in segments {
      let duration = segment.duration.converted(to: timescale).value
      guard duration > 0 else { continue }
      switch segment.content {
      case .empty: presented.append(.init(duration: duration))
      case .held(let time):
        let time = time.converted(to: track.timescale).value
        guard time.magnitude < Self.bound else { throw Self.beyond(track) }
        presented.append(.init(duration: duration, media: time..<(time &+ 1), isHeld: true))
      case .media(let from):
        let from = from.converted(to: track.timescale).value
        let length = segment.mediaDuration.converted(to: track.timescale).value
        guard from.magnitude < Self.bound, length < Self.bound else { throw Self.beyond(track) }
        presented.append(
          .init(
            duration: duration, media: length > 0 ? from..<(from + length) : nil, rate: segment.mediaRate,
            hasRest: MediaTime(value: length, timescale: track.timescale) < segment.mediaDuration))
      }
    }
    presented = presented.flatMap { needed.found($0, timescale) }
    lacksStart = needed.lacksStart
    if needed.holdByThemselves {
      // These samples are copied for every edit that presents them.
      let count = presented.reduce(0) { $0 + $1.samples.count }
      guard count <= max(Self.mostCopies, 64 * track.sampleCount) else {
        throw .refused(
          "the \(presented.count) edits of track \(track.id) present its \(track.sampleCount) samples \(count) times, each of which would be "
            + "a sample of its own",
          advice: "Cut a shorter part.")
      }
    }
    makeSpans(presented, needed)
  }

  /// Makes the cut of a whole track: every sample, and every edit.
  init(whole track: Track, of movie: MovieFile, timescale: UInt32) throws(EditError) {
    (self.track, self.movie) = (track, movie)
    lacksStart = false
    let samples: TrackSamples
    do { samples = try track.samples() } catch { throw EditError(.unreadable, error) }
    guard samples.count > 0 else { return }
    let end = samples.compositionEnd
    spans = [Span(samples: 0..<samples.count, start: samples.startTime, end: end, shownEnd: end)]
    for entry in try Self.entries(of: track, samples, in: movie, timescale) {
      let edit = Edit(content: entry.content, duration: entry.end &- entry.start, rate: entry.rate)
      edits += Self.divided(edit, where: samples, begin: track.timescale, timescale)
    }
  }

  /// Returns an edit, or two if the media begin late and it begins before them: an empty one, and the rest. In the
  /// new track, decoding begins at 0, so that earlier times are not media times.
  ///
  /// - Parameters:
  ///   - edit: the edit.
  ///   - samples: the samples of the track.
  ///   - units: the timescale of the media.
  ///   - timescale: the timescale of the composition.
  private static func divided(
    _ edit: Edit, where samples: TrackSamples, begin units: UInt32, _ timescale: UInt32
  ) -> [Edit] {
    guard samples.startTime != 0, let index = samples.index(atCompositionRank: 0) else { return [edit] }
    let first = samples.compositionTime(at: index)
    switch edit.content {
    case .media(let span, let from) where first > from:
      let (length, overflow) = first.subtractingReportingOverflow(from)
      guard !overflow, length < 1 << 60, let wait = ticks(of: length, units, timescale, rate: edit.rate),
        wait > 0
      else { return [edit] }
      guard wait < edit.duration else { return [Edit(content: .nothing, duration: edit.duration)] }
      let rest = Edit(
        content: .media(span: span, from: first), duration: edit.duration - wait, rate: edit.rate)
      return [Edit(content: .nothing, duration: wait), rest]
    case .dwell(_, let time) where first > time: return [Edit(content: .nothing, duration: edit.duration)]
    default: return [edit]
    }
  }

  /// Returns the duration of media in whole units of the composition's timescale.
  private static func ticks(
    of length: Int64, _ units: UInt32, _ timescale: UInt32, rate: Int32
  ) -> Int64? {
    let time = MediaTime(value: length, timescale: units)
    var ticks = time.converted(to: timescale)
    if ticks > time { ticks.value -= 1 }
    guard rate != Edit.normalRate else { return ticks.value }
    guard rate > 0 else { return nil }
    return ticks.value.multipliedReportingOverflow(by: 1 << 16).partialValue / Int64(rate)
  }

  /// The duration of the empty edits at the beginning, in the timescale of the composition.
  var wait: Int64 {
    edits.prefix { if case .nothing = $0.content { true } else { false } }.reduce(0) { $0 &+ $1.duration }
  }

  /// Removes time from the empty edits at the beginning, so that everything is presented earlier.
  mutating func skip(_ wait: Int64) {
    var left = wait
    while left > 0, let first = edits.first, case .nothing = first.content {
      let step = min(left, first.duration)
      left -= step
      if step == first.duration { edits.removeFirst() } else { edits[0].duration -= step }
    }
  }

  // MARK: Edits

  /// The number of copies of samples that is always allowed, even if the track has few samples.
  private static let mostCopies = 1 << 16

  /// The bound of times: sums of a few of them do not overflow.
  static let bound: UInt64 = 1 << 60

  private static func beyond(_ track: Track) -> EditError {
    .refused("the times of an edit of track \(track.id) are too large to be cut")
  }

  /// An edit of the original movie.
  struct Entry {
    var start: Int64
    var end: Int64
    var content: Content
    var rate = Edit.normalRate
  }

  /// Returns the edits of a track, in a timescale; without an edit list, one that presents everything.
  static func entries(
    of track: Track, _ samples: TrackSamples, in movie: MovieFile, _ timescale: UInt32
  ) throws(EditError) -> [Entry] {
    let mediaEnd = MediaTime(value: samples.compositionEnd, timescale: track.timescale)
    func ticks(upTo time: MediaTime) -> Int64 {
      let nearest = time.converted(to: timescale)
      return nearest < time ? nearest.value &+ 1 : nearest.value
    }
    guard track.box?["edts/elst"] != nil else {
      let end = max(0, ticks(upTo: mediaEnd))
      guard end.magnitude < bound else { throw beyond(track) }
      return [Entry(start: 0, end: end, content: .media(span: 0, from: 0))]
    }
    guard let list = track.editListBox else {
      throw .refused("the edit list of track \(track.id) cannot be read")
    }
    let units = timescale / movie.movieTimescale
    let isAllZero = list.entries.allSatisfy { $0.editDuration == 0 }
    var entries: [Entry] = []
    var time: Int64 = 0
    for (index, entry) in list.entries.enumerated() {
      // A last edit with a duration of 0 lasts to the end of the media. ISO/IEC 14496-12, 8.6.6.1
      let isOpen =
        entry.editDuration == 0 && index == list.entries.count - 1
        && (movie.container.isFragmented || isAllZero)
      let (length, overflow) = entry.editDuration.multipliedReportingOverflow(by: UInt64(units))
      guard !overflow, length < bound, time.magnitude < bound else {
        throw .refused("the edits of track \(track.id) are too long to be cut")
      }
      let content: Content
      var duration = Int64(length)
      var rate = Int32(entry.mediaRateInteger) << 16 | Int32(UInt16(bitPattern: entry.mediaRateFraction))
      switch (entry.mediaTime, rate) {
      case (-1, _): (content, rate) = (.nothing, Edit.normalRate)
      case (_, 0): (content, rate) = (.dwell(span: 0, at: entry.mediaTime), Edit.normalRate)
      case (_, 1...):
        content = .media(span: 0, from: entry.mediaTime)
        if isOpen {
          guard rate == Edit.normalRate else {
            throw .refused("an edit of track \(track.id) plays at another speed, but has no duration")
          }
          let rest = mediaEnd - MediaTime(value: entry.mediaTime, timescale: track.timescale)
          duration = max(0, ticks(upTo: rest))
          guard duration.magnitude < bound else { throw beyond(track) }
        }
      default:
        throw .refused(
          "an edit of track \(track.id) plays backwards, and cannot be cut",
          advice: "Cut before or after it.")
      }
      guard entry.mediaTime >= -1 else {
        throw .refused("edit \(index + 1) of track \(track.id) begins before its media")
      }
      entries.append(Entry(start: time, end: time &+ duration, content: content, rate: rate))
      time &+= duration
    }
    return entries
  }

  /// Returns the time at which the presentation of a track ends, in a timescale.
  static func presentationEnd(
    of track: Track, in movie: MovieFile, timescale: UInt32
  ) throws(EditError) -> Int64 {
    let samples: TrackSamples
    do { samples = try track.samples() } catch { throw EditError(.unreadable, error) }
    return try entries(of: track, samples, in: movie, timescale).last { entry in
      if case .nothing = entry.content { false } else { true }
    }?.end ?? 0
  }

  // MARK: Samples

  /// Joins the samples of all segments, so that each occurs once; independent samples are cut to their segments.
  private mutating func makeSpans(_ segments: [NeededSamples.Segment], _ needed: NeededSamples) {
    for segment in segments.sorted(by: { $0.samples.lowerBound < $1.samples.lowerBound })
    where !needed.holdByThemselves {
      guard let media = segment.media else { continue }
      if let last = spans.indices.last, segment.samples.lowerBound <= spans[last].samples.upperBound {
        spans[last].samples =
          spans[last].samples.lowerBound..<max(spans[last].samples.upperBound, segment.samples.upperBound)
        spans[last].end = max(spans[last].end, min(media.upperBound, needed.end))
        spans[last].shownStart = min(spans[last].shownStart, media.lowerBound)
        spans[last].shownEnd = max(spans[last].shownEnd, segment.shownEnd)
      } else {
        spans.append(
          Span(
            samples: segment.samples, start: needed.start(of: segment.samples.lowerBound),
            end: min(media.upperBound, needed.end), shownStart: media.lowerBound, shownEnd: segment.shownEnd))
      }
    }
    for segment in segments {
      guard let media = segment.media else {
        edits.append(Edit(content: .nothing, duration: segment.duration))
        continue
      }
      var span = spans.count
      if needed.holdByThemselves {
        spans.append(
          Span(
            samples: segment.samples, start: media.lowerBound,
            end: min(media.upperBound, needed.end), shownEnd: segment.shownEnd, clip: media))
      } else {
        span = max(0, spans.partitionIndex { $0.samples.lowerBound <= segment.samples.lowerBound } - 1)
      }
      edits.append(
        Edit(
          content: segment.isHeld
            ? .dwell(span: span, at: media.lowerBound) : .media(span: span, from: media.lowerBound),
          duration: segment.duration, rate: segment.rate))
    }
  }
}

extension MovieFile {
  /// The timescale of the movie; 0 if it cannot be read.
  var movieTimescale: UInt32 { tree?.first("moov")?.first(MovieHeaderBox.self)?.timescale ?? 0 }

  /// The timescale in which the edits of the whole movie can be written as those of an ordinary movie, in which
  /// an empty edit expresses that fragments begin late. If no timescale expresses all of these exactly, that of
  /// the movie.
  var wholeTimescale: UInt32 {
    guard container.isFragmented else { return movieTimescale }
    var scales = [movieTimescale]
    for track in tracks {
      guard let samples = try? track.samples(), let first = samples.index(atCompositionRank: 0) else {
        continue
      }
      guard samples.startTime != 0 else { continue }
      let from = track.editListBox?.entries.first { $0.mediaTime >= 0 }?.mediaTime ?? 0
      let (wait, overflow) = samples.compositionTime(at: first).subtractingReportingOverflow(from)
      guard !overflow, wait > 0, wait < 1 << 60 else { continue }
      let time = MediaTime(value: wait, timescale: track.timescale)
      if time.converted(to: movieTimescale) != time { scales.append(time.reduced.timescale) }
    }
    return commonTimescale(scales) ?? movieTimescale
  }

  /// Refuses files without times, and movies that cannot be edited.
  func checkComposable() throws(EditError) {
    guard tree != nil else {
      throw .refused(
        "is a raw HEVC stream, which has no times", advice: "Make a movie of it first\(.makeMovie).")
    }
    // The editor refuses files that are not movies that can be edited.
    _ = try MovieEditor(self)
    guard movieTimescale > 0 else {
      throw EditError(.unreadable, "the header of the movie cannot be read (mvhd)")
    }
    for track in tracks where track.sampleCount > 0 {
      guard track.box?["mdia/mdhd"]?.payload(MediaHeaderBox.self)?.timescale != 0 else {
        throw .refused(
          "the media of track \(track.id) have no timescale (0 in mdhd): their times are undefined")
      }
    }
  }
}
