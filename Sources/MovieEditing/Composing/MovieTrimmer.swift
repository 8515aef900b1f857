// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
public import Multiview

/// Keeps one or several parts of a movie, without re-encoding.
///
/// ```swift
/// var trimmer = try MovieTrimmer(movie)
/// trimmer.start = MoviePosition("1.5")
/// trimmer.end = .picture(240)
/// try trimmer.write(to: "part.mov")
/// ```
///
/// All tracks get the same duration. If a part begins between two samples at which decoding can begin, the samples
/// from the preceding one on are kept, and the edit list hides those that are not in the part. The first sample of an
/// open group of pictures becomes a sync sample if a part begins with its group, because decoding always begins there.
public struct MovieTrimmer: MovieConversion {
  /// A part of the presentation.
  public struct Part: Hashable, Sendable {
    /// Where it begins; `nil` for the beginning of the movie.
    public var start: MoviePosition?
    /// Where it ends, which is not included; `nil` for the end of the movie.
    public var end: MoviePosition?

    /// Makes a part from one position to another.
    public init(from start: MoviePosition? = nil, to end: MoviePosition? = nil) {
      (self.start, self.end) = (start, end)
    }

    /// Reads two positions with a hyphen between them, as in `1.5-4.25`, `#10-#20`, `-4` and `1:30-`; `nil` for
    /// anything else.
    public init?(_ text: some StringProtocol) {
      let ends = text.split(separator: "-", omittingEmptySubsequences: false)
      guard ends.count == 2, !ends.allSatisfy(\.isEmpty) else { return nil }
      func position(_ text: some StringProtocol) -> MoviePosition? { MoviePosition(String(text)) }
      (start, end) = (position(ends[0]), position(ends[1]))
      guard ends[0].isEmpty == (start == nil), ends[1].isEmpty == (end == nil) else { return nil }
    }
  }

  /// The original movie.
  public let movie: MovieFile
  /// The parts that are kept, one after the other in this order.
  public var parts = [Part()]
  /// The beginning of the first part; `nil` for the beginning of the movie.
  public var start: MoviePosition? {
    get { parts.first?.start }
    set { if parts.isEmpty { parts = [Part(from: newValue)] } else { parts[0].start = newValue } }
  }
  /// The end of the first part, which is not included; `nil` for the end of the movie.
  public var end: MoviePosition? {
    get { parts.first?.end }
    set { if parts.isEmpty { parts = [Part(to: newValue)] } else { parts[0].end = newValue } }
  }
  /// Whether the part is extended to sync samples, or samples that begin open groups of pictures, on both sides, so that
  /// the file has no pictures that are not presented, except those of an open group that need the group before it.
  public var snapsToSyncSamples = false
  /// Whether to keep the key that pairs the movie with a photo (`com.apple.quicktime.content.identifier`). By
  /// default it is removed, because the part is another movie.
  public var keepsContentIdentifier = false

  /// Makes a trimmer that keeps the whole movie until ``start`` or ``end`` is set.
  ///
  /// - Throws: ``EditError`` if the movie cannot be cut.
  public init(_ movie: MovieFile) throws(EditError) {
    try movie.checkComposable()
    self.movie = movie
  }

  /// The original movie, as the only one.
  public var movies: [MovieFile] { [movie] }

  /// Plans the part, with boxes in the order of the original movie.
  public func plan() throws(EditError) -> ConversionPlan<CutReport> {
    var scale = try timescale()
    var ranges: [Range<Int64>] = []
    for part in parts {
      let range = try range(of: part, timescale: scale)
      // Parts that were extended to sync samples may meet.
      if snapsToSyncSamples, let last = ranges.last, range.lowerBound >= last.lowerBound,
        range.lowerBound <= last.upperBound
      {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        ranges.append(range)
      }
    }
    guard !ranges.isEmpty else { throw EditError(.nothingToDo, "no part is kept") }
    // The timescale of the movie is kept if it is fine enough.
    let units = Int64(scale / movie.movieTimescale)
    if units > 1, ranges.allSatisfy({ $0.lowerBound % units == 0 && $0.upperBound % units == 0 }) {
      scale = movie.movieTimescale
      ranges = ranges.map { $0.lowerBound / units..<$0.upperBound / units }
    }
    let whole = try movie.presentationEnd(timescale: scale)
    let isWhole = ranges.count == 1 && ranges[0].lowerBound == 0 && ranges[0].upperBound >= whole
    var parts = try composition(of: ranges, scale)
    parts.isWholeMovie = isWhole
    var (editor, report, _) = try parts.planned()
    report.ranges = ranges.map {
      MediaTime(value: $0.lowerBound, timescale: scale)..<MediaTime(value: $0.upperBound, timescale: scale)
    }
    report.range = report.ranges.first ?? report.range
    if !keepsContentIdentifier, !isWhole {
      report.leaveOutContentIdentifier(of: &editor, reason: "it pairs the whole movie with a photo")
    }
    report.addHiddenPictures()
    return ConversionPlan(editor, report, of: movies, like: movie, written: \.written)
  }

  /// Returns the composition of some parts.
  private func composition(of ranges: [Range<Int64>], _ scale: UInt32) throws(EditError) -> Composition {
    func time(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: scale) }
    var composition = Composition()
    let isAscending = zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound }
    if isAscending, let first = ranges.first, let last = ranges.last {
      // Parts of one insertion share the samples that both need.
      try composition.insertTimeRange(
        time(first.lowerBound)..<time(last.upperBound), of: movie, at: .zero)
      for (part, next) in zip(ranges, ranges.dropFirst()).reversed() where part.upperBound < next.lowerBound {
        composition.removeTimeRange(
          time(part.upperBound - first.lowerBound)..<time(next.lowerBound - first.lowerBound))
      }
      return composition
    }
    var end: Int64 = 0
    for range in ranges {
      try composition.insertTimeRange(
        time(range.lowerBound)..<time(range.upperBound), of: movie, at: time(end))
      end &+= range.upperBound - range.lowerBound
    }
    return composition
  }

  /// The timescale in which all times of the parts are integers: that of the movie, or a multiple of it.
  private func timescale() throws(EditError) -> UInt32 {
    let own = movie.movieTimescale
    guard let main = mainTrack,
      snapsToSyncSamples
        || !parts.allSatisfy({ isWhole($0.start, in: own, main) && isWhole($0.end, in: own, main) })
    else { return own }
    return commonTimescale([own, main.timescale]) ?? own
  }

  /// Whether a position is an integer in the timescales of the movie and of the main track.
  private func isWhole(_ position: MoviePosition?, in scale: UInt32, _ main: Track) -> Bool {
    guard let position else { return true }
    guard case .time(let time) = position else { return false }
    return time.converted(to: scale) == time && time.converted(to: main.timescale) == time
  }

  /// The track that times are rounded to: the main video track, otherwise sound, otherwise the first track.
  private var mainTrack: Track? {
    movie.mainVideoTrack ?? movie.tracks.first { $0.mediaType == .audio } ?? movie.tracks.first
  }

  private func range(of part: Part, timescale: UInt32) throws(EditError) -> Range<Int64> {
    let (start, end) = (part.start, part.end)
    let whole = try movie.presentationEnd(timescale: timescale)
    var first = try start.map { position throws(EditError) in try ticks(position, timescale) } ?? 0
    var last =
      try end.map { position throws(EditError) in min(whole, try ticks(position, timescale)) } ?? whole
    func words(_ ticks: Int64) -> String { MediaTime(value: ticks, timescale: timescale).words }
    guard first < whole else {
      throw EditError(
        .outOfRange, "the part begins at \(words(first)), and the movie ends at \(words(whole))",
        advice: "Begin earlier.")
    }
    guard first < last else {
      throw EditError(
        .outOfRange, "the part ends at \(words(last)), and begins at \(words(first))",
        advice: "The end must be later than the beginning.")
    }
    if snapsToSyncSamples, let main = movie.mainVideoTrack {
      (first, last) = try snapped(first, last, whole, main, timescale)
    }
    return first..<last
  }

  /// A position in the timescale; a time is rounded to that of the main track.
  private func ticks(_ position: MoviePosition, _ timescale: UInt32) throws(EditError) -> Int64 {
    switch position {
    case .time(let time):
      let nearest = mainTrack.map { time.converted(to: $0.timescale) } ?? time
      return nearest.converted(to: timescale).value
    case .picture(let number):
      guard let main = movie.mainVideoTrack else {
        throw EditError(
          .missingTrack, "the movie has no video track with pictures to count", advice: "Use times instead.")
      }
      let samples = try Self.samples(of: main)
      if let shown = samples.presentation(at: number) {
        return MediaTime(value: shown.range.lowerBound, timescale: main.timescale).converted(to: timescale)
          .value
      }
      guard number == samples.presentationCount else {
        throw EditError(
          .outOfRange, "there is no picture #\(number): \(samples.presentationCount) are presented",
          advice: "They are counted from #0.")
      }
      return try TrackCut.presentationEnd(of: main, in: movie, timescale: timescale)
    }
  }

  private static func samples(of track: Track) throws(EditError) -> TrackSamples {
    return try reading(track.samples())
  }

  /// The part extended to sync samples: all pictures that are decoded in it are presented.
  private func snapped(
    _ first: Int64, _ last: Int64, _ whole: Int64, _ main: Track, _ timescale: UInt32
  ) throws(EditError) -> (Int64, Int64) {
    let samples = try Self.samples(of: main)
    func ticks(_ time: Int64) -> Int64 {
      MediaTime(value: time, timescale: main.timescale).converted(to: timescale).value
    }
    func media(_ ticks: Int64) -> Int64 {
      MediaTime(value: ticks, timescale: timescale).converted(to: main.timescale).value
    }
    /// The presentation of a sample nearest to a time, in the same edit.
    func shown(_ sample: Int, inEdit edit: Int?) -> TrackSamples.Presentation? {
      samples.presentations(of: sample).first { $0.edit == edit }
    }
    var (low, high) = (first, last)
    if let here = samples.presentation(atTime: media(first)) {
      var sync = main.accessPoint(atOrBefore: here.sample, in: samples)
      while let found = sync, samples.compositionTime(at: found) > samples.compositionTime(at: here.sample) {
        sync = found > 0 ? main.accessPoint(atOrBefore: found - 1, in: samples) : nil
      }
      if let place = sync.flatMap({ shown($0, inEdit: here.edit) }) {
        low = min(low, ticks(place.range.lowerBound))
      }
    }
    if last < whole, let before = samples.presentation(atOrBefore: media(last) - 1) {
      // The first access point from which on everything is presented at the end or later.
      var next: Int? = before.sample + 1
      high = whole
      while let index = next, index < samples.count {
        guard main.accessPoint(atOrBefore: index, in: samples) == index else {
          next = index + 1
          continue
        }
        // Samples that are decoded after it and composed before it belong to it: at most as many as a decoder keeps.
        var earliest = index
        var leading = index + 1
        while leading < min(samples.count, index + 256),
          samples.compositionTime(at: leading) < samples.compositionTime(at: index)
        {
          if samples.compositionTime(at: leading) < samples.compositionTime(at: earliest) {
            earliest = leading
          }
          leading += 1
        }
        if let place = shown(earliest, inEdit: before.edit), ticks(place.range.lowerBound) >= last {
          high = ticks(place.range.lowerBound)
          break
        }
        next = index + 1
      }
    }
    return (low, high)
  }
}

/// The least common multiple of timescales; `nil` if it has more than 31 bits.
func commonTimescale(_ scales: [UInt32]) -> UInt32? {
  var result: UInt64 = 1
  for scale in scales where scale > 0 {
    result = result / MediaTime.divisor(result, UInt64(scale)) * UInt64(scale)
    guard result <= UInt64(Int32.max) else { return nil }
  }
  return UInt32(result)
}

extension MovieFile {
  /// Whether `moov` precedes the media data.
  var hasMovieFirst: Bool {
    guard let boxes = tree?.boxes, let movie = boxes.firstIndex(where: { $0.type == "moov" }),
      let media = boxes.firstIndex(where: { $0.type == "mdat" || $0.type == "moof" })
    else { return false }
    return movie < media
  }
}

extension MovieEditor {
  /// Makes an editor of the plan of a movie that is made from others.
  init(draft: WritePlan, of movies: [MovieFile]) throws(EditError) {
    let made: MovieFile
    do { made = try MovieFile(source: draft, limits: movies.first?.limits ?? .standard) } catch {
      throw EditError(.failed, because: error, of: "the new movie cannot be read")
    }
    try self.init(draft: made, of: movies)
  }

  /// Makes an editor of a movie that is made from others.
  init(draft: MovieFile, of movies: [MovieFile]) throws(EditError) {
    try self.init(draft)
    donors = movies.map(\.source)
    hasOwnTables = true
  }
}

extension CutReport {
  /// Removes the key that pairs a movie with a photo, and adds a notice, if the movie has it.
  mutating func leaveOutContentIdentifier(of editor: inout MovieEditor, reason: String) {
    guard editor.metadata[.contentIdentifier] != nil else { return }
    editor.metadata[.contentIdentifier] = nil
    notices.append(.keyLeftOut(MetadataKey.contentIdentifier.rawValue, reason: reason))
  }

  /// Adds a notice for each track with pictures or sound that are not presented.
  mutating func addHiddenPictures() {
    for track in tracks where track.hiddenSamples > 0 {
      if track.mediaType.isVisual {
        notices.append(.hiddenPictures(trackID: track.id, count: track.hiddenSamples))
      } else if track.mediaType == .audio {
        notices.append(.hiddenSound(trackID: track.id, count: track.hiddenSamples))
      }
    }
  }
}
