// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
public import Multiview

/// Joins movies one after the other, without re-encoding.
///
/// ```swift
/// let joiner = try MovieJoiner([first, second, third])
/// try joiner.write(to: "all.mov")
/// ```
///
/// Each movie lasts as long as its longest track, in all tracks, so that sound and picture begin the next movie
/// together. If its pictures end earlier, the last one stays. Metadata, dates and other properties of the whole
/// movie come from the first one.
public struct MovieJoiner: MovieConversion {
  /// The movies, in their order. A movie may be listed several times.
  public let movies: [MovieFile]
  /// Whether to refuse movies that differ in stereo and spatial tags, layers, size or orientation.
  public var requiresSameSpatialTags = false
  /// Whether to join movies in which one layer shows different eyes. Each sample entry then has the eyes of its own
  /// samples; players that read the tags only once swap the eyes of the other movies. By default, such movies are
  /// refused.
  public var allowsMixedEyes = false

  /// Makes a joiner of movies.
  ///
  /// - Throws: ``EditError`` if there are fewer than two movies, or one of them cannot be joined.
  public init(_ movies: [MovieFile]) throws(EditError) {
    guard movies.count > 1 else {
      throw EditError(.nothingToDo, "there is nothing to join: two or more movies are needed")
    }
    for (index, movie) in movies.enumerated() {
      do throws(EditError) { try movie.checkComposable() } catch {
        throw error.about(movie.source.name ?? "movie \(index + 1)")
      }
    }
    self.movies = movies
  }

  /// Plans the new movie, with boxes in the order of the first one.
  public func plan() throws(EditError) -> ConversionPlan<CutReport> {
    let scale = try timescale()
    var composition = Composition()
    var report = CutReport(range: .zero..<MediaTime(value: 1, timescale: 1))
    var start: Int64 = 0
    for (index, movie) in movies.enumerated() {
      composition.open.use(movie)
      let length = try movie.presentationEnd(timescale: scale)
      guard length > 0 else { throw EditError(.nothingToDo, "\(name(index)) presents nothing") }
      guard length.magnitude < TrackCut.bound, start.magnitude < TrackCut.bound else {
        throw EditError(.exceedsLimit, "\(name(index)) and those before it are too long to be joined")
      }
      report.parts.append(MediaTime(value: start, timescale: scale))
      do throws(EditError) {
        try composition.insertTimeRange(
          .zero..<MediaTime(value: length, timescale: scale), of: movie,
          at: MediaTime(value: start, timescale: scale), holdsPictures: index < movies.count - 1)
      } catch {
        throw error.about(name(index))
      }
      start += length
    }
    let plan = try composition.planned()
    report.range = MediaTime(value: 0, timescale: scale)..<MediaTime(value: start, timescale: scale)
    if requiresSameSpatialTags, let first = plan.differences.spatial.first {
      throw .refused(
        first, advice: "Join movies with the same tags, or do not require that\(.requireSameTags).")
    }
    if !allowsMixedEyes, let first = plan.differences.eyes.first {
      throw EditError(.mixedEyes, first, advice: "Join only movies in which each layer shows the same eye.")
    }
    report.notices += plan.report.notices + plan.differences.notices
    var editor = plan.editor
    report.leaveOutContentIdentifier(of: &editor, reason: "it pairs one of the movies with a photo")
    report.tracks = plan.report.tracks
    report.addHiddenPictures()
    return ConversionPlan(editor, report, of: movies, like: movies.first, written: \.written)
  }

  private func name(_ index: Int) -> String { movies[index].source.name ?? "movie \(index + 1)" }

  /// The timescale in which the edits of all movies, and the ends of their video, are integers.
  private func timescale() throws(EditError) -> UInt32 {
    var scales = movies.map(\.movieTimescale)
    scales += movies.compactMap { $0.mainVideoTrack?.timescale }
    guard let scale = commonTimescale(scales) else {
      throw EditError(
        .exceedsLimit, "no timescale can express the times of all movies as whole numbers",
        advice: "Their timescales are \(Set(scales).sorted().map(String.init).joined(separator: ", ")).")
    }
    return scale
  }
}
