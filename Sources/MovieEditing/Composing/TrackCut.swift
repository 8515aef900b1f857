// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// What a part of the presentation takes of one track: the samples that decoding it needs, and the edits that present it.
///
/// Times of the movie are in ticks of the composition's timescale, times of the media in those of the track.
struct TrackCut {
  /// What an edit presents.
  enum Content {
    case nothing
    /// The media from this time on, which is in the run of that number.
    case media(run: Int, from: Int64)
    /// The picture at this time, held.
    case dwell(run: Int, at: Int64)
  }

  struct Edit {
    var content: Content
    /// In ticks.
    var duration: Int64
    /// How fast the media goes by, in 1/65536.
    var rate = Self.normalRate

    static let normalRate: Int32 = 1 << 16
  }

  /// Samples that follow each other in the order of decoding.
  struct Run {
    var samples: Range<Int>
    /// The media time at which it begins, in decoding.
    var start: Int64
    /// Up to where its media must reach, in composition.
    var end: Int64
    /// Up to where edits present it: later than its end where an edit of the movie reaches beyond the media.
    var shownEnd: Int64
    /// The media that its samples are cut to, where each sample holds by itself.
    var clip: Range<Int64>?
  }

  let track: Track
  private(set) var edits: [Edit] = []
  private(set) var runs: [Run] = []
  /// Whether its first picture needs samples that the track does not have.
  let lacksStart: Bool

  /// Which bytes are taken for each of its samples; `nil` for all of it.
  var kept: KeptUnits?
  /// Samples that are sync samples no more.
  var notSync: Set<Int> = []

  /// The samples that are taken, in their order.
  var taken: [Range<Int>] {
    runs.flatMap { run in kept?.present(of: run.samples) ?? [run.samples] }
  }

  /// Whether anything is presented.
  var isEmpty: Bool { runs.isEmpty }

  /// - Parameters:
  ///   - segments: what is taken of the track, in the order in which it is presented.
  ///   - timescale: the ticks in which the lengths of all of them are whole.
  init(
    _ track: Track, of movie: MovieFile, _ segments: ArraySlice<CompositionSegment>, timescale: UInt32
  ) throws(EditError) {
    self.track = track
    var needed: NeededSamples
    do { needed = NeededSamples(track, try track.samples()) } catch { throw EditError(.unreadable, error) }
    var slices: [NeededSamples.Slice] = []
    for segment in segments {
      let duration = segment.duration.converted(to: timescale).value
      guard duration > 0 else { continue }
      switch segment.content {
      case .empty: slices.append(.init(duration: duration))
      case .held(let time):
        let time = time.converted(to: track.timescale).value
        guard time.magnitude < Self.bound else { throw Self.beyond(track) }
        slices.append(.init(duration: duration, media: time..<(time &+ 1), isHeld: true))
      case .media(let from):
        let from = from.converted(to: track.timescale).value
        let length = segment.mediaDuration.converted(to: track.timescale).value
        guard from.magnitude < Self.bound, length < Self.bound else { throw Self.beyond(track) }
        slices.append(
          .init(
            duration: duration, media: length > 0 ? from..<(from + length) : nil, rate: segment.mediaRate))
      }
    }
    slices = slices.flatMap { needed.found($0, timescale) }
    lacksStart = needed.lacksStart
    if needed.holdByThemselves {
      // They are copied for every edit that presents them.
      let count = slices.reduce(0) { $0 + $1.samples.count }
      guard count <= max(Self.mostCopies, 64 * track.sampleCount) else {
        throw .refused(
          "the \(slices.count) edits of track \(track.id) present its \(track.sampleCount) samples \(count) times, each of which would be "
            + "a sample of its own",
          advice: "Cut a shorter part.")
      }
    }
    makeRuns(slices, needed)
  }

  /// All of a track: every sample, and every edit.
  init(whole track: Track, of movie: MovieFile, timescale: UInt32) throws(EditError) {
    self.track = track
    lacksStart = false
    let samples: TrackSamples
    do { samples = try track.samples() } catch { throw EditError(.unreadable, error) }
    guard samples.count > 0 else { return }
    let end = samples.compositionEnd
    runs = [Run(samples: 0..<samples.count, start: samples.startTime, end: end, shownEnd: end)]
    for entry in try Self.entries(of: track, samples, in: movie, timescale) {
      let edit = Edit(content: entry.content, duration: entry.end &- entry.start, rate: entry.rate)
      edits += Self.divided(edit, where: samples, begin: track.timescale, timescale)
    }
  }

  /// An edit, or two where it begins before all media: nothing, and what is presented then. In the new track, decoding begins with 0:
  /// such a time is not one of its media.
  ///
  /// - Parameters:
  ///   - units: those of the media in a second.
  ///   - timescale: the ticks in a second.
  private static func divided(
    _ edit: Edit, where samples: TrackSamples, begin units: UInt32, _ timescale: UInt32
  ) -> [Edit] {
    guard let index = samples.index(atCompositionRank: 0) else { return [edit] }
    let first = samples.compositionTime(at: index)
    switch edit.content {
    case .media(let run, let from) where first > from:
      let (length, overflow) = first.subtractingReportingOverflow(from)
      guard !overflow, length < 1 << 60, let wait = ticks(of: length, units, timescale, rate: edit.rate),
        wait > 0
      else { return [edit] }
      guard wait < edit.duration else { return [Edit(content: .nothing, duration: edit.duration)] }
      let rest = Edit(
        content: .media(run: run, from: first), duration: edit.duration - wait, rate: edit.rate)
      return [Edit(content: .nothing, duration: wait), rest]
    case .dwell(_, let time) where first > time: return [Edit(content: .nothing, duration: edit.duration)]
    default: return [edit]
    }
  }

  /// How many whole ticks some units of media last.
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

  /// How long nothing is presented at first, in ticks.
  var wait: Int64 {
    edits.prefix { if case .nothing = $0.content { true } else { false } }.reduce(0) { $0 &+ $1.duration }
  }

  /// Presents everything earlier, by a part of the time in which nothing is presented at first.
  mutating func skip(_ wait: Int64) {
    var left = wait
    while left > 0, let first = edits.first, case .nothing = first.content {
      let step = min(left, first.duration)
      left -= step
      if step == first.duration { edits.removeFirst() } else { edits[0].duration -= step }
    }
  }

  // MARK: Edits

  /// So many samples may be presented again and again by edits, however few there are.
  private static let mostCopies = 1 << 16

  /// Times are below this: sums of a few of them have room.
  static let bound: UInt64 = 1 << 60

  private static func beyond(_ track: Track) -> EditError {
    .refused("an edit of track \(track.id) lies beyond all times that can be cut")
  }

  /// An edit of a movie as it is.
  struct Entry {
    var start: Int64
    var end: Int64
    var content: Content
    var rate = Edit.normalRate
  }

  /// The edits of a track, in ticks; without a list one that presents all.
  static func entries(
    of track: Track, _ samples: TrackSamples, in movie: MovieFile, _ timescale: UInt32
  ) throws(EditError) -> [Entry] {
    let mediaEnd = MediaTime(value: samples.compositionEnd, timescale: track.timescale)
    func ticks(upTo time: MediaTime) -> Int64 {
      let nearest = time.converted(to: timescale)
      return nearest < time ? nearest.value &+ 1 : nearest.value
    }
    guard let box = track.box?["edts/elst"] else {
      let end = max(0, ticks(upTo: mediaEnd))
      guard end.magnitude < bound else { throw beyond(track) }
      return [Entry(start: 0, end: end, content: .media(run: 0, from: 0))]
    }
    guard let list = movie.tree?.whole(box).payload(EditListBox.self) else {
      throw .refused("the edit list of track \(track.id) cannot be read")
    }
    let units = timescale / movie.movieTimescale
    let isAllZero = list.entries.allSatisfy { $0.editDuration == 0 }
    var entries: [Entry] = []
    var time: Int64 = 0
    for (index, entry) in list.entries.enumerated() {
      // A last edit of no duration lasts to the end of the media. ISO/IEC 14496-12, 8.6.6.1
      let isOpen =
        entry.editDuration == 0 && index == list.entries.count - 1
        && (movie.container.isFragmented || isAllZero)
      let (length, overflow) = entry.editDuration.multipliedReportingOverflow(by: UInt64(units))
      guard !overflow, length < bound, time.magnitude < bound else {
        throw .refused("the edits of track \(track.id) last longer than can be cut")
      }
      let content: Content
      var duration = Int64(length)
      var rate = Int32(entry.mediaRateInteger) << 16 | Int32(UInt16(bitPattern: entry.mediaRateFraction))
      switch (entry.mediaTime, rate) {
      case (-1, _): (content, rate) = (.nothing, Edit.normalRate)
      case (_, 0): (content, rate) = (.dwell(run: 0, at: entry.mediaTime), Edit.normalRate)
      case (_, 1...):
        content = .media(run: 0, from: entry.mediaTime)
        if isOpen {
          guard rate == Edit.normalRate else {
            throw .refused("an edit of track \(track.id) plays at another speed, and it is not said how long")
          }
          let rest = mediaEnd - MediaTime(value: entry.mediaTime, timescale: track.timescale)
          duration = max(0, ticks(upTo: rest))
          guard duration.magnitude < bound else { throw beyond(track) }
        }
      default:
        throw .refused(
          "an edit of track \(track.id) plays backwards, which is not cut",
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

  /// When the presentation of a track ends, in ticks.
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

  /// Joins the samples of all slices, so that each is there once; those that hold by themselves are cut to their slices.
  private mutating func makeRuns(_ slices: [NeededSamples.Slice], _ needed: NeededSamples) {
    for slice in slices.sorted(by: { $0.samples.lowerBound < $1.samples.lowerBound })
    where !needed.holdByThemselves {
      guard let media = slice.media else { continue }
      if let last = runs.indices.last, slice.samples.lowerBound <= runs[last].samples.upperBound {
        runs[last].samples =
          runs[last].samples.lowerBound..<max(runs[last].samples.upperBound, slice.samples.upperBound)
        runs[last].end = max(runs[last].end, min(media.upperBound, needed.end))
        runs[last].shownEnd = max(runs[last].shownEnd, media.upperBound)
      } else {
        runs.append(
          Run(
            samples: slice.samples, start: needed.start(of: slice.samples.lowerBound),
            end: min(media.upperBound, needed.end), shownEnd: media.upperBound))
      }
    }
    for slice in slices {
      guard let media = slice.media else {
        edits.append(Edit(content: .nothing, duration: slice.duration))
        continue
      }
      var run = runs.count
      if needed.holdByThemselves {
        runs.append(
          Run(
            samples: slice.samples, start: media.lowerBound,
            end: min(media.upperBound, needed.end), shownEnd: media.upperBound, clip: media))
      } else {
        run = max(0, runs.partitionIndex { $0.samples.lowerBound <= slice.samples.lowerBound } - 1)
      }
      edits.append(
        Edit(
          content: slice.isHeld
            ? .dwell(run: run, at: media.lowerBound) : .media(run: run, from: media.lowerBound),
          duration: slice.duration, rate: slice.rate))
    }
  }
}

extension MovieFile {
  /// The ticks in which its edits are; 0 where that cannot be read.
  var movieTimescale: UInt32 { tree?.first("moov")?.first(MovieHeaderBox.self)?.timescale ?? 0 }

  /// The ticks in which the edits of all of it can be written as those of an ordinary movie, in which an edit says that the media of
  /// fragments begin late. If no ticks express all of that exactly, those of its own edits.
  var wholeTimescale: UInt32 {
    guard container.isFragmented else { return movieTimescale }
    var scales = [movieTimescale]
    for track in tracks {
      guard let samples = try? track.samples(), let first = samples.index(atCompositionRank: 0) else {
        continue
      }
      let list = track.box?["edts/elst"].flatMap { tree?.whole($0).payload(EditListBox.self) }
      let from = list?.entries.first { $0.mediaTime >= 0 }?.mediaTime ?? 0
      let (wait, overflow) = samples.compositionTime(at: first).subtractingReportingOverflow(from)
      guard !overflow, wait > 0, wait < 1 << 60 else { continue }
      let time = MediaTime(value: wait, timescale: track.timescale)
      if time.converted(to: movieTimescale) != time { scales.append(time.reduced.timescale) }
    }
    return commonTimescale(scales) ?? movieTimescale
  }

  /// Refuses what has no times, or cannot be edited.
  func checkComposable() throws(EditError) {
    guard tree != nil else {
      throw .refused(
        "is a raw HEVC stream, which has no times", advice: "Make a movie of it first: mvedit mux.")
    }
    // An editor says what is not a movie that can be edited.
    _ = try MovieEditor(self)
    guard movieTimescale > 0 else {
      throw EditError(.unreadable, "the header of the movie cannot be read (mvhd)")
    }
    for track in tracks where track.sampleCount > 0 {
      guard track.box?["mdia/mdhd"]?.payload(MediaHeaderBox.self)?.timescale != 0 else {
        throw .refused(
          "the media of track \(track.id) have no timescale (mdhd says 0): their times mean nothing")
      }
    }
  }
}
