// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
public import Multiview

/// Makes an ordinary movie from a fragmented one, with one `moov` and sample tables, without re-encoding.
///
/// ```swift
/// try MovieFlattener(movie).write(to: "movie.mp4")
/// ```
///
/// The properties of samples in fragments are written to tables: times, sync samples, dependencies, groups. If
/// samples begin late, an edit begins with nothing. Indexes of fragments are removed. Everything else is kept.
public struct MovieFlattener: MovieConversion {
  /// The original movie.
  public let movie: MovieFile
  /// Whether the presentation begins with the first sample even if fragments begin late, as in a recording of a
  /// stream that began earlier. Otherwise, nothing is presented until the first sample.
  public var skipsStart = false
  /// The type of the tracks that are kept; `nil` for all tracks.
  private let type: MediaType?

  /// Makes a flattener of all tracks of a movie.
  ///
  /// - Throws: ``EditError`` if the movie cannot be flattened.
  public init(_ movie: MovieFile) throws(EditError) { try self.init(movie, only: nil) }

  /// Makes a flattener of the tracks of one type, from which others are copied.
  init(_ movie: MovieFile, only type: MediaType?) throws(EditError) {
    try movie.checkComposable()
    self.movie = movie
    self.type = type
  }

  /// The original movie, as the only one.
  public var movies: [MovieFile] { [movie] }

  /// Plans the ordinary movie.
  public func plan() throws(EditError) -> ConversionPlan<FragmentReport> {
    var report = FragmentReport()
    report.fragments = movie.tree?.boxes.count { $0.type == "moof" } ?? 0
    for track in tracks {
      report.tracks.append(.init(id: track.id, mediaType: track.mediaType, samples: track.sampleCount))
    }
    guard movie.container.isFragmented else { return result(try MovieEditor(movie), report) }
    guard report.tracks.contains(where: { $0.samples > 0 }) else {
      throw EditError(
        .nothingToDo, "the movie has no samples: it is an init segment",
        advice: "Append its segments in order: cat init.mp4 $(ls segment*.m4s | sort -V) > movie.mp4.")
    }
    let ids = Set(tracks.map(\.id))
    var composer = try MovieComposer(wholeOf: movie) { track, timescale throws(EditError) in
      guard ids.contains(track.id) else { return [] }
      try track.checkFragmentOrder(in: movie)
      try check(track)
      var composed = try ComposedTrack(whole: track, of: movie, timescale: timescale)
      if let durations = try keptEdits(of: track, timescale: timescale) {
        composed.isWhole = true
        composed.change = { (trak: inout Box) throws(ParseError) in try trak.setDurations(durations) }
      }
      return [composed]
    }
    let wait =
      composer.tracks.compactMap { $0.cuts.first }.filter { !$0.isEmpty }.map(\.wait).min() ?? 0
    if skipsStart, wait > 0 {
      for index in composer.tracks.indices { composer.tracks[index].skip(wait) }
      composer.keepsTimes = false
    } else if wait > Int64(composer.timescale) {
      report.notices.append(
        .startsLate(MediaTime(value: wait, timescale: composer.timescale).reduced))
    }
    let order = FragmentOrder(of: movie)
    var missing: (place: Int, length: MediaTime)?
    for track in tracks where missing == nil { missing = try order.gap(in: track) }
    if let missing {
      report.notices.append(.fragmentMissing(after: missing.place, duration: missing.length))
    }
    let draft = try composer.draft()
    report.note(composer.leftOutBoxes)
    report.notices += try composer.tracksWithoutFlags().map { .sampleFlagsLeftOut(trackID: $0) }
    return result(try MovieEditor(draft: draft, of: [movie]), report)
  }

  private var tracks: [Track] { movie.tracks.filter { type == nil || $0.mediaType == type } }

  private func result(
    _ editor: MovieEditor, _ report: FragmentReport
  ) -> ConversionPlan<FragmentReport> {
    ConversionPlan(editor, report, of: movies, like: movie, written: \.written)
  }

  /// Refuses samples that are not completely in the file.
  private func check(_ track: Track) throws(EditError) {
    let end = movie.source.size ?? .max
    do throws(SourceError) {
      let samples = try track.samples()
      try samples.forEachUniform(in: 0..<samples.count) { (samples) throws(SourceError) in
        guard samples.first.size > 0, samples.range.upperBound > end else { return }
        let whole = end < samples.first.offset ? 0 : (end - samples.first.offset) / UInt64(samples.first.size)
        let sample = samples[min(samples.count - 1, Int(clamping: whole))]
        throw SourceError(
          .other("sample \(sample.index + 1) of track \(track.id) ends after the end of the file"),
          offset: sample.offset,
          advice: "The file may be cut off: see what is missing\(.check).")
      }
    } catch { throw EditError(.unreadable, error) }
  }

  /// The durations of a track whose edits also apply with tables; `nil` if they do not, because the media begin
  /// later than 0, or an edit lasts as long as the media.
  private func keptEdits(
    of track: Track, timescale: UInt32
  ) throws(EditError) -> Durations? {
    let samples = try reading(track.samples())
    guard samples.startTime == 0, movie.movieTimescale == timescale else { return nil }
    var durations = Durations(
      media: UInt64(clamping: samples.endTime),
      shown: UInt64(
        clamping: try TrackCut.presentationEnd(of: track, in: movie, timescale: timescale)))
    guard track.box?["edts/elst"] != nil else { return durations }
    guard let list = track.editListBox else {
      throw EditError(.damaged, "the edit list of track \(track.id) cannot be read")
    }
    guard list.entries.allSatisfy({ $0.editDuration > 0 }) else { return nil }
    durations.shown = list.entries.reduce(0) { $0.addingReportingOverflow($1.editDuration).partialValue }
    return durations
  }
}

/// The durations of a track.
private struct Durations: Sendable {
  /// The duration of the media, in the timescale of the track.
  var media: UInt64
  /// The duration of the presentation, in the timescale of the movie.
  var shown: UInt64
}

extension Box {
  /// Sets the durations in the headers of a track.
  fileprivate mutating func setDurations(_ durations: Durations) throws(ParseError) {
    try editAll(TrackHeaderBox.self) { $0.setDuration(durations.shown) }
    try editAll(MediaHeaderBox.self, in: "mdia") { $0.setDuration(durations.media) }
  }
}
