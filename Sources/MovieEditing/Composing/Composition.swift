// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
public import Multiview

/// A movie made from parts of others, as a value. Only boxes and sample tables are read before `write(to:)`,
/// and nothing is re-encoded.
///
/// ```swift
/// var composition = try Composition(movie)
/// composition.removeTimeRange(MediaTime(value: 2, timescale: 1)..<MediaTime(value: 3, timescale: 1))
/// try composition.insertTimeRange(.zero..<other.duration, of: other, at: composition.duration)
/// try composition.write(to: "both.mov")
/// ```
///
/// Metadata, dates and other properties of the whole movie come from the movie that was inserted first.
///
/// AVFoundation: `AVMutableComposition`
public struct Composition: Sendable {
  /// The tracks, in the order in which they were added. Of several with the same ID, later ones get another ID in
  /// the new movie.
  public var tracks: [CompositionTrack] = []
  /// The parts of the presentations of whole movies, for what depends on their times, such as chapters.
  private(set) var presentations = SegmentList()
  /// The movie that was inserted first; `nil` for an empty composition.
  private(set) var base: MovieFile?
  /// Whether it is a whole movie, from beginning to end.
  var isWholeMovie = false
  /// The movies that were inserted as a whole, in order.
  private var inserted: [MovieFile] = []
  /// The notices on tracks that were left out or added.
  private(set) var notices: [CutReport.Notice] = []
  /// The movies whose tables are in memory.
  let open = OpenMovies()

  /// Makes an empty composition.
  public init() {}

  /// The movies in the order of their insertion; one that was inserted several times is listed as often. Movies of
  /// single tracks follow.
  public var movies: [MovieFile] {
    var movies = inserted
    var known: Set<ObjectIdentifier> = []
    for track in tracks {
      for source in [track.model] + track.segments.compactMap(\.source)
      where known.insert(ObjectIdentifier(source)).inserted {
        if !movies.contains(where: { $0.isSame(as: source.movie) }) { movies.append(source.movie) }
      }
    }
    return movies
  }

  /// Makes a composition of the whole presentation of a movie.
  ///
  /// - Throws: ``EditError`` if the movie presents nothing or cannot be composed.
  public init(_ movie: MovieFile) throws(EditError) {
    try movie.checkComposable()
    let scale = movie.movieTimescale
    let end = MediaTime(value: try movie.presentationEnd(timescale: scale), timescale: scale)
    guard end > .zero else { throw EditError(.nothingToDo, "the movie presents nothing") }
    try insertTimeRange(.zero..<end, of: movie, at: .zero)
  }

  /// The duration of the longest track.
  public var duration: MediaTime { tracks.map(\.duration).max() ?? .zero }

  /// Inserts a part of the presentation of a movie, with all its tracks. In all tracks, later segments move by
  /// its duration.
  ///
  /// A track of the movie continues the first track of the same media type, codec and language that no other
  /// one continues; for video, the language may differ. Other tracks are added. Video of another codec is
  /// refused, because it cannot continue a track.
  ///
  /// - Throws: ``EditError`` if the part is empty, its times cannot be represented, or the movie cannot be
  ///   composed. The composition is then unchanged.
  public mutating func insertTimeRange(
    _ range: Range<MediaTime>, of movie: MovieFile, at time: MediaTime
  ) throws(EditError) {
    try insertTimeRange(range, of: movie, at: time, holdsPictures: false)
  }

  /// The same; with `holdsPictures`, the last picture of a track stays up to the end of the part, if the pictures
  /// end before.
  mutating func insertTimeRange(
    _ range: Range<MediaTime>, of movie: MovieFile, at time: MediaTime, holdsPictures: Bool
  ) throws(EditError) {
    try movie.checkComposable()
    var changed = self
    try changed.insert(range, of: movie, at: time, holdsPictures)
    self = changed
  }

  /// Inserts an empty range into all tracks. Later segments move by its duration.
  public mutating func insertEmptyTimeRange(_ range: Range<MediaTime>) {
    let length = range.upperBound - range.lowerBound
    for index in tracks.indices where range.lowerBound < tracks[index].duration {
      tracks[index].insertEmptyTimeRange(range)
    }
    presentations.insert([], lasting: length, at: range.lowerBound)
  }

  /// Removes a range from all tracks. Later segments move to its beginning.
  public mutating func removeTimeRange(_ range: Range<MediaTime>) {
    for index in tracks.indices { tracks[index].removeTimeRange(range) }
    presentations.remove(range)
  }

  /// Changes the duration of a range in all tracks, so that it is presented faster or slower.
  ///
  /// - Throws: ``EditError`` if the rate cannot be represented exactly in units of 1/65536, as in edit lists.
  ///   The composition is then unchanged.
  public mutating func scaleTimeRange(
    _ range: Range<MediaTime>, toDuration duration: MediaTime
  ) throws(EditError) {
    try Self.check(range, duration)
    var changed = self
    for index in changed.tracks.indices {
      try changed.tracks[index].list.scale(range, to: duration)
    }
    try changed.presentations.scale(range, to: duration)
    self = changed
  }

  static func check(_ range: Range<MediaTime>, _ duration: MediaTime) throws(EditError) {
    guard range.lowerBound >= .zero, !range.isEmpty, duration > .zero else {
      throw EditError(.outOfRange, "a part without a duration has no speed")
    }
  }

  // MARK: Inserting

  private mutating func insert(
    _ range: Range<MediaTime>, of movie: MovieFile, at time: MediaTime, _ holdsPictures: Bool
  ) throws(EditError) {
    guard range.lowerBound >= .zero, !range.isEmpty, time >= .zero else {
      throw EditError(.outOfRange, "a part must be longer than 0, and begin at 0 or later")
    }
    open.use(movie)
    try Self.check(range, isIn: movie.tracks, of: movie)
    let insertion = CompositionInsertion()
    let length = range.upperBound - range.lowerBound
    let isFirst = tracks.isEmpty
    var taken: Set<Int> = []
    // Video that continues a track has it before other video, such as a thumbnail, could take it.
    func continues(_ track: Track) -> Bool {
      !isFirst && track.mediaType == .video && tracks.contains { $0.canContinue(with: track) }
    }
    for track in movie.tracks.filter(continues) + movie.tracks.filter({ !continues($0) }) {
      func leaveOut(_ reason: String) {
        notices.append(.trackLeftOut(trackID: track.id, mediaType: track.mediaType, reason: reason))
      }
      guard track.mediaType != .hint else {
        leaveOut("it refers to samples by their old numbers")
        continue
      }
      guard track.sampleCount > 0 else {
        if isFirst { leaveOut("it has no samples") }
        continue
      }
      try ComposedTrack.check(track, of: movie)
      let source = CompositionSource(movie, track, insertion)
      var segments = try Self.segments(of: source, range)
      if holdsPictures { try Self.hold(&segments, upTo: length, in: track) }
      guard segments.contains(where: { !$0.isEmpty }) else {
        if isFirst { leaveOut("it has no samples in this part") }
        continue
      }
      let index = try place(for: source, notIn: taken, isFirst: isFirst)
      taken.insert(index)
      tracks[index].list.insert(segments, lasting: length, at: time)
    }
    for index in tracks.indices where !taken.contains(index) && tracks[index].duration > time {
      tracks[index].list.insert([], lasting: length, at: time)
    }
    var whole = CompositionSegment(
      .media(from: range.lowerBound), .zero..<length, of: CompositionSource(movie, nil, insertion))
    whole.mediaRate = TrackCut.Edit.normalRate
    presentations.insert([whole], lasting: length, at: time)
    if base == nil { base = movie }
    inserted.append(movie)
  }

  /// Refuses a range in which a movie presents nothing because it has ended.
  static func check(
    _ range: Range<MediaTime>, isIn tracks: [Track], of movie: MovieFile
  ) throws(EditError) {
    let scale = movie.movieTimescale
    let end = MediaTime(value: try movie.presentationEnd(of: tracks, timescale: scale), timescale: scale)
    guard range.lowerBound < end else {
      throw EditError(
        .outOfRange,
        "the part begins at \(range.lowerBound.words), and \(movie.source.name ?? "the movie") ends at \(end.words)",
        advice: "Begin earlier.")
    }
  }

  /// Lets the last picture stay up to a time, unless pictures that are not presented follow it.
  private static func hold(
    _ segments: inout [CompositionSegment], upTo end: MediaTime, in track: Track
  ) throws(EditError) {
    guard track.mediaType.isVisual, let last = segments.indices.last,
      segments[last].timeRange.upperBound < end,
      segments[last].mediaRate == TrackCut.Edit.normalRate, let media = segments[last].sourceRange
    else { return }
    let samples = try reading(track.samples())
    func composed(before time: MediaTime) -> Int? {
      samples.index(atCompositionTime: time.converted(to: track.timescale).value - 1)
    }
    let longer = media.upperBound + (end - segments[last].timeRange.upperBound)
    guard composed(before: longer) == composed(before: media.upperBound) else { return }
    segments[last].timeRange = .upTo(end, from: segments[last].timeRange.lowerBound)
  }

  /// The index of the track that a track of a movie continues, which is added if there is none.
  private mutating func place(
    for source: CompositionSource, notIn taken: Set<Int>, isFirst: Bool
  ) throws(EditError) -> Int {
    guard let track = source.track else { return 0 }
    let free = tracks.indices.filter { !taken.contains($0) && tracks[$0].canContinue(with: track) }
    if !isFirst {
      let match = free.first { tracks[$0].model.track?.language == track.language } ?? free.first
      if let match { return match }
      let other = tracks.indices.first { !taken.contains($0) && tracks[$0].mediaType == .video }
      if track.mediaType == .video, let other {
        throw .refused(
          "its pictures are \(track.codec?.description ?? "of an unknown codec"), but those of the previous movie are "
            + "\(tracks[other].model.track?.codec?.description ?? "of another codec")",
          advice: Self.areOneCodec(track.codec, tracks[other].model.track?.codec)
            ? "Only the types of their sample entries differ: rewrite one of the movies with the type of the other."
            : "Re-encode one of them: tracks cannot mix codecs.")
      }
    }
    // Damaged movies may have several tracks with one ID.
    let isFree = isFirst && track.id > 0 && !tracks.contains { $0.id == track.id }
    let id = isFree ? track.id : Self.freeID(Set(tracks.map(\.id)))
    if !isFirst, track.mediaType == .audio, let other = tracks.first(where: { $0.mediaType == .audio }) {
      let others = other.model.track?.soundName ?? "unknown"
      notices.append(
        .soundApart(
          trackID: id, file: source.movie.source.name ?? "movie \(inserted.count + 1)",
          reason: "it is \(track.soundName), but track \(other.id) is \(others)"))
    }
    tracks.append(CompositionTrack(id: id, model: source, mediaType: track.mediaType))
    return tracks.count - 1
  }

  /// Whether two sample entries are of one codec, and differ in where parameter sets may be.
  private static func areOneCodec(_ first: FourCC?, _ second: FourCC?) -> Bool {
    guard let first, let second else { return false }
    return [["hvc1", "hev1"], ["avc1", "avc3"], ["vvc1", "vvi1"]].contains {
      $0.contains(first) && $0.contains(second)
    }
  }

  /// Returns a track ID that is not used: one more than the highest, if possible.
  static func freeID(_ taken: Set<UInt32>) -> UInt32 {
    if let highest = taken.max(), highest < .max { return highest + 1 }
    return (1...UInt32.max).first { !taken.contains($0) } ?? 1
  }

  /// Returns the segments that a track presents in a range, with times from 0 on.
  static func segments(
    of source: CompositionSource, _ range: Range<MediaTime>
  ) throws(EditError) -> [CompositionSegment] {
    guard let track = source.track else { return [] }
    guard
      let scale = commonTimescale([
        source.movie.movieTimescale, range.lowerBound.reduced.timescale, range.upperBound.reduced.timescale,
      ])
    else {
      throw EditError(
        .exceedsLimit,
        "no timescale can express the times of both the part and the movie as whole numbers",
        advice:
          "Their timescales are \(range.lowerBound.timescale), \(range.upperBound.timescale) and \(source.movie.movieTimescale)."
      )
    }
    let samples = try reading(track.samples())
    var segments: [CompositionSegment] = []
    var end: Int64 = 0
    for edit in try TrackCut.edits(of: track, samples, in: source.movie, scale) {
      func media(_ time: Int64) -> MediaTime { MediaTime(value: time, timescale: track.timescale) }
      let content: CompositionSegment.Content =
        switch edit.content {
        case .nothing: .empty
        case .media(_, let from): .media(from: media(from))
        case .dwell(_, let time): .held(at: media(time))
        }
      let start = MediaTime(value: end, timescale: scale)
      end &+= edit.duration
      var segment = CompositionSegment(
        content, start..<MediaTime(value: end, timescale: scale), of: edit.isEmpty ? nil : source)
      segment.mediaRate = edit.rate
      if let part = segment.part(range) { segments.append(part.moved(by: -range.lowerBound)) }
    }
    return segments
  }
}

extension Track {
  /// The codec and the language of the sound, in words.
  fileprivate var soundName: String {
    [codec?.description ?? "of an unknown codec", language.map { "in \($0)" }].compactMap { $0 }
      .joined(separator: " ")
  }
}
