// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import FileAccess
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
public struct MovieJoiner: Sendable {
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

  /// What would be in the new movie, without writing it.
  public func plannedReport() throws(EditError) -> CutReport { try planned().report }

  /// The movie as it would be, without writing it.
  public func plannedMovie() throws(EditError) -> MovieFile { try planned().editor.plannedMovie() }

  /// Writes the movies to a new file, which appears when it is complete and was verified, or not at all.
  @discardableResult
  public func write(
    to path: String, options: MovieWriteOptions = MovieWriteOptions()
  ) throws(EditError) -> CutReport {
    try write(to: try options.output(at: path, inputs: movies.map(\.source)), options)
  }

  /// Writes the movies to an output that was begun.
  package func write(
    to output: SafeOutput, _ options: MovieWriteOptions = MovieWriteOptions()
  ) throws(EditError) -> CutReport {
    var (editor, report) = try planned()
    report.written = try editor.write(to: output, like: movies[0], options)
    return report
  }

  // MARK: The plan

  private func planned() throws(EditError) -> (editor: MovieEditor, report: CutReport) {
    let scale = try timescale()
    var parts: [MoviePart] = []
    var report = CutReport(range: .zero..<MediaTime(value: 1, timescale: 1))
    var start: Int64 = 0
    for (index, movie) in movies.enumerated() {
      let (length, lost) = try length(of: movie, isLast: index == movies.count - 1, scale)
      guard length > 0 else { throw .refused("\(name(index)) presents nothing") }
      report.notices += lost
      report.parts.append(MediaTime(value: start, timescale: scale))
      parts.append(MoviePart(movie: movie, range: 0..<length))
      start += length
    }
    report.range = MediaTime(value: 0, timescale: scale)..<MediaTime(value: start, timescale: scale)
    var composer = MovieComposer(parts: parts, timescale: scale)
    var plan = JoinPlan(count: parts.count)
    for (index, part) in parts.enumerated() {
      do throws(EditError) {
        for track in part.movie.tracks {
          if track.mediaType == .hint {
            plan.notices.append(
              .trackLeftOut(
                trackID: track.id, mediaType: track.mediaType, reason: "it names samples by their old numbers"
              ))
            continue
          }
          guard track.sampleCount > 0 else { continue }
          try ComposedTrack.check(track, of: part.movie)
          let cut = try TrackCut(track, of: part.movie, part.range, timescale: scale)
          guard !cut.isEmpty else { continue }
          try plan.add(cut, of: part.movie, part: index, name: name(index))
        }
      } catch {
        throw EditError(error.kind, "\(name(index)): \(error.reason)", advice: error.advice)
      }
    }
    if requiresSameSpatialTags, let first = plan.differences.first {
      throw .refused(first, advice: "Join movies of one kind, or leave out --same-spatial.")
    }
    composer.tracks = try plan.tracks()
    report.notices += plan.notices
    report.notices += plan.differences.map { .spatialDifference($0) }
    let draft = try composer.draft()
    var editor = try MovieEditor(draft: draft, of: movies)
    if editor.metadata[.contentIdentifier] != nil {
      editor.metadata[.contentIdentifier] = nil
      report.notices.append(
        .keyLeftOut(MetadataKey.contentIdentifier.rawValue, reason: "it pairs one of the movies with a photo")
      )
    }
    try report.add(editor.movie)
    return (editor, report)
  }

  private func name(_ index: Int) -> String { movies[index].source.name ?? "movie \(index + 1)" }

  /// The ticks in which all edits of all movies are whole, and the ends of their pictures.
  private func timescale() throws(EditError) -> UInt32 {
    var scales = movies.map(\.movieTimescale)
    scales += movies.compactMap { $0.mainVideoTrack?.timescale }
    guard let scale = commonTimescale(scales) else {
      throw .refused(
        "there is no timescale in which the times of all movies are whole",
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

/// Which tracks of several movies become one.
private struct JoinPlan {
  fileprivate struct Joined {
    let model: Track
    let movie: MovieFile
    var cuts: [TrackCut?]
    var descriptions: [[UInt32]]
    var entries: [Box]
    var timescale: UInt32
  }

  private let count: Int
  private var joined: [Joined] = []
  var notices: [CutReport.Notice] = []
  /// What of stereo and spatial tags, size and orientation is not the same.
  var differences: [String] = []

  init(count: Int) { self.count = count }

  /// Adds a track to the one that it continues, or as a new one.
  mutating func add(_ cut: TrackCut, of movie: MovieFile, part: Int, name: String) throws(EditError) {
    let track = cut.track
    let free = joined.indices.filter { joined[$0].cuts[part] == nil && joined[$0].continues(track) }
    let match = free.first { joined[$0].model.language == track.language } ?? free.first
    let index: Int
    if let match {
      index = match
    } else {
      if part > 0, track.mediaType == .video,
        let other = joined.first(where: { $0.model.mediaType == .video && $0.cuts[part] == nil })
      {
        throw .refused(
          "its pictures are \(track.codec?.description ?? "of an unknown codec"), those before are "
            + "\(other.model.codec?.description ?? "of another")",
          advice: "Only an encoder can make one track of both.")
      }
      index = joined.count
      joined.append(
        Joined(
          model: track, movie: movie, cuts: Array(repeating: nil, count: count),
          descriptions: Array(repeating: [], count: count),
          entries: track.formatDescriptions.map(\.box), timescale: track.timescale))
    }
    guard let scale = commonTimescale([joined[index].timescale, track.timescale]) else {
      throw .refused("the times of track \(track.id) are not whole in any timescale of the track before")
    }
    joined[index].timescale = scale
    joined[index].cuts[part] = cut
    var numbers: [UInt32] = []
    for description in track.formatDescriptions {
      let own = Self.comparable(description.box)
      if let known = joined[index].entries.firstIndex(where: { Self.comparable($0) == own }) {
        numbers.append(UInt32(known + 1))
      } else {
        joined[index].entries.append(description.box)
        numbers.append(UInt32(joined[index].entries.count))
      }
    }
    joined[index].descriptions[part] = numbers
    if track.mediaType == .video, match != nil { compare(track, joined[index].model, name) }
  }

  /// Notes how the pictures differ from those of the first movie.
  private mutating func compare(_ track: Track, _ model: Track, _ name: String) {
    func differs(_ what: String) { differences.append("\(name): \(what)") }
    if let size = track.header, let other = model.header {
      if size.width != other.width || size.height != other.height {
        differs("the size of the pictures is another")
      }
      if size.matrix != other.matrix { differs("the orientation of the pictures is another") }
    }
    let tags = track.formatDescriptions.first.map { StereoTags($0.stereo) }
    let others = model.formatDescriptions.first.map { StereoTags($0.stereo) }
    if tags != others { differs("the stereo and spatial tags are others") }
    if (track.formatDescriptions.first?.box.first("lhvC") == nil)
      != (model.formatDescriptions.first?.box.first("lhvC") == nil)
    {
      differs("the number of layers is another")
    }
  }

  /// A sample entry without what says nothing about how samples are read.
  private static func comparable(_ entry: Box) -> [UInt8] {
    var entry = entry
    entry.children.removeAll { $0.type == "btrt" }
    do {
      if entry.payload(VisualSampleEntry.self) != nil {
        try entry.edit(VisualSampleEntry.self) {
          $0.compressorNameField = VisualSampleEntry().compressorNameField
        }
      }
      return try entry.encoded()
    } catch { return entry.bytes.array }
  }

  /// The tracks, those of the first movie with their IDs.
  func tracks() throws(EditError) -> [ComposedTrack] {
    var ids = Set(joined.filter { $0.cuts[0] != nil }.map(\.model.id))
    var tracks: [ComposedTrack] = []
    for join in joined {
      var id = join.model.id
      if join.cuts[0] == nil {
        id = (ids.max() ?? 0) &+ 1
        ids.insert(id)
      }
      var track = ComposedTrack(
        model: join.model, movie: join.movie, cuts: join.cuts,
        composer: TrackComposer(timescale: join.timescale), id: id)
      track.descriptions = join.descriptions
      track.addedEntries = Array(join.entries.dropFirst(join.model.formatDescriptions.count))
      tracks.append(track)
    }
    return tracks
  }
}

extension JoinPlan.Joined {
  /// Whether a track of another movie can be the same track.
  fileprivate func continues(_ track: Track) -> Bool {
    model.mediaType == track.mediaType && model.codec == track.codec
      && (model.language == track.language || model.language == nil || track.language == nil)
  }
}
