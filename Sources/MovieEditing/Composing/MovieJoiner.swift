// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
public import Multiview

/// Puts movies one after the other without encoding anything.
///
/// ```swift
/// let joiner = try MovieJoiner([first, second, third])
/// try joiner.write(to: "all.mov")
/// ```
///
/// All tracks are equally long in each movie, so that sound and picture begin each movie together. Metadata, dates and
/// everything else that holds for the whole movie come from the first.
public struct MovieJoiner: MovieConversion {
  /// The movies, in their order. One may come several times.
  public let movies: [MovieFile]
  /// Whether movies whose stereo and spatial tags, size or orientation differ are refused.
  public var requiresSameSpatialTags = false

  /// A joiner of movies that are not joined yet.
  public init(_ movies: [MovieFile]) throws(EditError) {
    guard movies.count > 1 else { throw .refused("there is nothing to join: give two movies or more") }
    for (index, movie) in movies.enumerated() {
      do throws(EditError) { try movie.checkComposable() } catch {
        let name = movie.source.name ?? "movie \(index + 1)"
        throw EditError(error.kind, "\(name): \(error.reason)", advice: error.advice)
      }
    }
    self.movies = movies
  }

  /// The movie as it would be. The first one says where its boxes are.
  public func plan() throws(EditError) -> ConversionPlan<CutReport> {
    let scale = try timescale()
    var composition = Composition()
    var report = CutReport(range: .zero..<MediaTime(value: 1, timescale: 1))
    var start: Int64 = 0
    for (index, movie) in movies.enumerated() {
      composition.open.use(movie)
      let (length, lost) = try length(of: movie, isLast: index == movies.count - 1, scale)
      guard length > 0 else { throw .refused("\(name(index)) presents nothing") }
      guard length.magnitude < TrackCut.bound, start.magnitude < TrackCut.bound else {
        throw .refused("\(name(index)) and those before it last longer than can be joined")
      }
      report.notices += lost
      report.parts.append(MediaTime(value: start, timescale: scale))
      do throws(EditError) {
        try composition.insertTimeRange(
          .zero..<MediaTime(value: length, timescale: scale), of: movie,
          at: MediaTime(value: start, timescale: scale))
      } catch {
        throw EditError(error.kind, "\(name(index)): \(error.reason)", advice: error.advice)
      }
      start += length
    }
    let plan = try composition.planned()
    report.range = MediaTime(value: 0, timescale: scale)..<MediaTime(value: start, timescale: scale)
    if requiresSameSpatialTags, let first = plan.differences.spatial.first {
      throw .refused(first, advice: "Join movies of one kind, or leave out --same-spatial.")
    }
    report.notices += plan.report.notices + plan.differences.notices
    var editor = plan.editor
    if editor.metadata[.contentIdentifier] != nil {
      editor.metadata[.contentIdentifier] = nil
      report.notices.append(
        .keyLeftOut(MetadataKey.contentIdentifier.rawValue, reason: "it pairs one of the movies with a photo")
      )
    }
    report.tracks = plan.report.tracks
    report.addHiddenPictures()
    return ConversionPlan(editor, report, of: movies, like: movies.first, written: \.written)
  }

  private func name(_ index: Int) -> String { movies[index].source.name ?? "movie \(index + 1)" }

  /// The ticks in which all edits of all movies are whole, and the ends of their pictures.
  private func timescale() throws(EditError) -> UInt32 {
    var scales = movies.map(\.movieTimescale)
    scales += movies.compactMap { $0.mainVideoTrack?.timescale }
    guard let scale = commonTimescale(scales) else {
      throw .refused(
        "the times of the movies are not whole in any common timescale",
        advice: "Their timescales are \(Set(scales).sorted().map(String.init).joined(separator: ", ")).")
    }
    return scale
  }

  /// How long a movie is among the others: as long as its pictures, the last one as long as all of it.
  private func length(
    of movie: MovieFile, isLast: Bool, _ scale: UInt32
  ) throws(EditError) -> (ticks: Int64, lost: [CutReport.Notice]) {
    var longest: Int64 = 0
    var ends: [(track: Track, end: Int64)] = []
    for track in movie.tracks where track.mediaType != .hint && track.sampleCount > 0 {
      let end = try TrackCut.presentationEnd(of: track, in: movie, timescale: scale)
      ends.append((track, end))
      longest = max(longest, end)
    }
    guard !isLast, let main = movie.mainVideoTrack,
      let end = ends.first(where: { $0.track.id == main.id })?.end,
      end > 0
    else { return (longest, []) }
    var lost: [CutReport.Notice] = []
    for other in ends {
      let beyond = MediaTime(value: other.end - end, timescale: scale)
      // What is shorter than a tenth of a second is the rest of a packet of sound.
      if beyond.seconds > 0.1 {
        lost.append(
          .endLeftOut(file: movie.source.name ?? "a movie", trackID: other.track.id, seconds: beyond.seconds))
      }
    }
    return (end, lost)
  }
}
