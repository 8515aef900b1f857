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

    /// Whether nothing is presented.
    var isEmpty: Bool { if case .nothing = content { true } else { false } }
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
  /// The indices of samples that become sync samples: those that begin an open group of pictures, of which nothing is
  /// presented that needs the group before it, because nothing precedes them in the new track that it could use.
  private var newSync: Set<Int> = []
  /// The new number of each of its sample entries; empty if they do not change.
  var descriptions: [UInt32] = []

  /// The spans of the samples that are kept, in their order.
  var keptSpans: [Range<Int>] { spans.flatMap(keptSpans) }

  /// The samples that are kept of a span.
  func keptSpans(of span: Span) -> [Range<Int>] { kept?.present(of: span.samples) ?? [span.samples] }

  /// The ranges of the movie's bytes that are taken of a sample.
  func ranges(of sample: Sample) -> ArraySlice<Range<UInt64>> {
    kept?.pieces(of: sample.index) ?? [sample.range]
  }

  /// Gives samples the bytes, the flags and the sample entry that they have in the new track, and returns as many of
  /// the first ones as are uniform then.
  func renewed(_ samples: UniformSamples, _ layout: MediaLayout) -> UniformSamples {
    var first = samples.first
    renew(&first, layout)
    let areAlike = kept == nil && notSync.isEmpty && newSync.isEmpty
    return UniformSamples(first, count: areAlike ? samples.count : 1)
  }

  private func renew(_ sample: inout Sample, _ layout: MediaLayout) {
    if !notSync.isEmpty, notSync.contains(sample.index) { sample.flags.rawValue |= 0x1_0000 }
    if !newSync.isEmpty, newSync.contains(sample.index) {
      sample.flags.rawValue &= ~0x1_0000
      sample.isPartialSync = false
    }
    if !descriptions.isEmpty {
      let index = Int(sample.descriptionIndex) - 1
      sample.descriptionIndex = descriptions.indices.contains(index) ? descriptions[index] : 0
    }
    if let kept {
      let pieces = kept.pieces(of: sample.index)
      sample.size = UInt32(clamping: pieces.reduce(UInt64(0)) { $0 &+ ($1.upperBound - $1.lowerBound) })
      sample.offset = kept.anchor(of: pieces)?.lowerBound ?? 0
      if pieces.count > 1, let place = layout.place(ofComposed: sample.index, at: sample.offset) {
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
  ///   - followsOthers: whether samples precede it in the new track.
  init(
    _ track: Track, of movie: MovieFile, _ segments: ArraySlice<CompositionSegment>, timescale: UInt32,
    followsOthers: Bool = false
  ) throws(EditError) {
    (self.track, self.movie) = (track, movie)
    var needed = try reading(NeededSamples(track, track.samples()))
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
        throw EditError(
          .exceedsLimit,
          "the \(presented.count) edits of track \(track.id) would turn its \(track.sampleCount) samples into \(count)",
          advice: "Cut a shorter part.")
      }
    }
    try makeSpans(presented, needed, followsOthers: followsOthers)
    let samples = try reading(track.samples())
    for span in spans where !needed.holdByThemselves {
      if let first = samples.sample(at: span.samples.lowerBound), track.isOpenAccessPoint(first) {
        newSync.insert(first.index)
      }
    }
  }

  /// Makes the cut of a whole track: every sample, and every edit.
  init(whole track: Track, of movie: MovieFile, timescale: UInt32) throws(EditError) {
    (self.track, self.movie) = (track, movie)
    lacksStart = false
    let samples = try reading(track.samples())
    guard samples.count > 0 else { return }
    let end = samples.compositionEnd
    spans = [Span(samples: 0..<samples.count, start: samples.startTime, end: end, shownEnd: end)]
    edits = try Self.edits(of: track, samples, in: movie, timescale).flatMap {
      Self.divided($0, where: samples, begin: track.timescale, timescale)
    }
  }

  /// The duration of the empty edits at the beginning, in the timescale of the composition.
  var wait: Int64 {
    edits.prefix(while: \.isEmpty).reduce(0) { $0 &+ $1.duration }
  }

  /// Removes time from the empty edits at the beginning, so that everything is presented earlier.
  mutating func skip(_ wait: Int64) {
    var left = wait
    while left > 0, let first = edits.first, first.isEmpty {
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

  static func beyond(_ track: Track) -> EditError {
    EditError(.exceedsLimit, "the times of an edit of track \(track.id) are too large to be cut")
  }

  // MARK: Samples

  /// Joins the samples of all segments, so that each occurs once; independent samples are cut to their segments.
  private mutating func makeSpans(
    _ segments: [NeededSamples.Segment], _ needed: NeededSamples, followsOthers: Bool
  ) throws(EditError) {
    for var segment in segments.sorted(by: { $0.samples.lowerBound < $1.samples.lowerBound })
    where !needed.holdByThemselves {
      guard let media = segment.media else { continue }
      let first = segment.samples.lowerBound
      if followsOthers || !spans.isEmpty, first > spans.last?.samples.upperBound ?? -1 {
        // Readers of several edits begin each at the sync sample before it, so that these are no longer such.
        let start = try needed.restart(
          atOrBefore: first, from: spans.last?.samples.lowerBound, passing: &notSync)
        segment.samples = start..<segment.samples.upperBound
      }
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
