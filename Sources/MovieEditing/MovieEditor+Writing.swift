// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
public import FileAccess
import ISOBMFF
public import Multiview

/// How an edited movie is written.
public struct MovieWriteOptions: Hashable, Sendable {
  /// Whether an existing file with the same name is replaced.
  public var isOverwriting = false
  /// Whether the file gets the dates and the permissions of the movie that was edited.
  public var keepsDates = false
  /// Whether `moov` is moved before the media data, so that playback can begin before the whole file is received.
  public var putsMovieFirst = false
  /// The folder in which the file is made until it is complete; `nil` for the folder of the file.
  ///
  /// It must be on the same disk. A program in a sandbox that writes to a file from a panel needs one, because it
  /// may write that file and nothing beside it: `FileManager` has `.itemReplacementDirectory` for that.
  public var temporaryFolder: String?
  /// Whether free space (`free`, `skip`) keeps its bytes, among which may be what other boxes were before they were
  /// changed in place. Otherwise, a new file has zeros there.
  public var keepsFreeSpace = false

  /// Makes options for a new file with the layout of the movie.
  public init() {}

  /// Options for a file that replaces an existing one.
  public static var replacing: MovieWriteOptions {
    var options = MovieWriteOptions()
    options.isOverwriting = true
    return options
  }
}

extension MovieWriteOptions {
  /// Opens a file that is made from others, the first of which gives the dates.
  package func output(
    at path: String, inputs: [any ByteSource], progress: ((WritingProgress) -> Void)? = nil
  ) throws(EditError) -> SafeOutput {
    var options = SafeOutput.Options()
    options.isOverwriting = isOverwriting
    if keepsDates { options.datesAndPermissions = inputs.first?.files.first?.identity }
    options.temporaryFolder = temporaryFolder
    do {
      let output = try SafeOutput(path: path, inputs: inputs, options: options)
      output.progress = progress
      return output
    } catch { throw EditError(.failed, error) }
  }
}

/// The report on a written movie.
public struct MovieWriteReport: Hashable, Sendable {
  /// The size of the movie in bytes.
  public var size: UInt64
  /// The number of bytes that were written, or are in blocks that the file shares with the original; in place,
  /// far fewer than the size.
  public var bytesWritten: UInt64
}

extension MovieEditor {
  /// Returns the movie as it would be, without writing it, for example for `check()`.
  ///
  /// - Throws: ``EditError`` if the movie does not allow the changes, with the reason.
  public func plannedMovie() throws(EditError) -> MovieFile { try checkedPlan().movie }

  /// Writes the edited movie to a new file, which appears when it is complete and verified, or not at all.
  ///
  /// - Parameters:
  ///   - path: where the file is written.
  ///   - options: how it is written.
  ///   - progress: called now and then while bytes are written, and before they are read again.
  @discardableResult
  public func write(
    to path: String, options: MovieWriteOptions = MovieWriteOptions(),
    progress: ((WritingProgress) -> Void)? = nil
  ) throws(EditError) -> MovieWriteReport {
    let output = try options.output(at: path, inputs: [movie.source] + donors, progress: progress)
    return try write(to: output, options)
  }

  /// Writes the edited movie to an open output.
  @discardableResult
  package func write(
    to output: SafeOutput, _ options: MovieWriteOptions = MovieWriteOptions()
  ) throws(EditError) -> MovieWriteReport {
    try write(try checkedPlan(options), to: output)
  }

  /// Writes what was planned to an open output.
  func write(_ checked: CheckedPlan, to output: SafeOutput) throws(EditError) -> MovieWriteReport {
    output.expectedSize = checked.plan.byteCount
    do throws(SourceError) {
      var sink = output
      try checked.plan.write(to: &sink)
      try output.finish { source throws(SourceError) in try verify(source) }
    } catch { throw EditError(.failed, error) }
    return MovieWriteReport(size: output.position, bytesWritten: output.position)
  }

  /// The edited movie, of which nothing is written yet, and which everything that can be refused was asked.
  struct CheckedPlan {
    let plan: WritePlan
    let movie: MovieFile
  }

  /// Plans the edited movie, and refuses what the movie does not allow: what follows can only fail as any writing can.
  func checkedPlan(_ options: MovieWriteOptions = MovieWriteOptions()) throws(EditError) -> CheckedPlan {
    let plan = try plan(options)
    let planned = try opened(plan)
    try checkRequest(planned)
    // Tables that were made for this movie have the offsets of its samples.
    if !hasOwnTables { try checkSamples(plan) }
    return CheckedPlan(plan: plan, movie: planned)
  }

  /// Refuses tables that point where nothing can be kept in its place: into boxes that change, or across several.
  private func checkSamples(_ plan: WritePlan) throws(EditError) {
    let difference: String?
    do throws(SourceError) {
      let planned = try reopened(plan)
      try verifyTags(planned)
      difference = try sampleDifference(planned, plan)
    } catch { throw EditError(.failed, error) }
    if let difference {
      throw .refused("its tables point at bytes that cannot be kept as they are: \(difference)")
    }
  }

  /// Opens a planned or written movie.
  private func opened(_ source: any ByteSource) throws(EditError) -> MovieFile {
    do { return try MovieFile(source: source, limits: movie.limits) } catch {
      throw EditError(.unreadable, "the edited movie cannot be read: \(error)")
    }
  }

  /// Compares a written movie with the request, and its samples with those of the original.
  package func verify(_ source: any ByteSource) throws(SourceError) {
    let written = try reopened(source)
    try verifyTags(written)
    if let difference = try sampleDifference(written, source) { throw Self.fault(difference) }
  }

  private static func fault(_ what: String) -> SourceError {
    SourceError(
      .other("what was written differs: " + what), advice: "This is a fault of the library: report it.")
  }

  /// Compares the tags and keys of a written movie with the request.
  private func verifyTags(_ written: MovieFile) throws(SourceError) {
    let gone = removedTrackIDs
    guard written.tracks.count == movie.tracks.count(where: { !gone.contains($0.id) }) else {
      throw Self.fault("the number of tracks")
    }
    for (index, track) in tracks.filter({ !gone.contains($0.id) }).enumerated() {
      let found = EditedTrack(written.tracks[index]).entries.map(\.original.completed)
      guard found == track.entries.map(\.stereo.completed) else {
        throw Self.fault("the tags of track \(track.id)")
      }
    }
    let keys = EditedMetadata(written)
    for edit in metadata.edits where keys[edit.key] != edit.value { throw Self.fault("the key \(edit.key)") }
    try verifyRemoval(written)
  }

  /// Returns how the samples differ; `nil` if only their offsets do.
  private func sampleDifference(
    _ written: MovieFile, _ source: any ByteSource
  ) throws(SourceError) -> String? {
    var digests: (old: [SampleDigest], new: [SampleDigest])?
    let gone = removedTrackIDs
    let media = MediaPlaces(of: movie, in: source)
    let kept = movie.tracks.enumerated().filter { !gone.contains($0.element.id) }
    for (index, (place, old)) in kept.enumerated() {
      if let tables = TableComparison(of: old, in: movie, and: written.tracks[index], in: written, media) {
        switch try tables.outcome() {
        case .same: continue
        case .different(let what): return "\(what) of track \(old.id)"
        case .unknown: break
        }
      }
      // In turn, so that the tables of both are not in memory at the same time.
      let both: (old: [SampleDigest], new: [SampleDigest])
      if let digests {
        both = digests
      } else {
        both = (
          try SampleDigest.tracks(of: reopened(movie.source)), try SampleDigest.tracks(of: reopened(source))
        )
      }
      digests = both
      guard both.new[index].hasSameSamples(as: both.old[place]) else {
        return "the samples of track \(old.id)"
      }
      // Samples in another file, or beyond the end, were so before; and a table may refer to boxes that do change.
      for (here, there) in zip(both.new[index].probes, both.old[place].probes) where isMedia(there.range) {
        guard try SampleDigest.hasSameBytes(here, of: source, as: there, of: movie.source) else {
          return "the bytes of sample \(there.index) of track \(old.id)"
        }
      }
    }
    return nil
  }

  /// Opens a movie again, so that what is read for a comparison is not cached.
  func reopened(_ source: any ByteSource) throws(SourceError) -> MovieFile {
    do { return try MovieFile(source: source, limits: movie.limits) } catch {
      throw SourceError(.other("what was written cannot be read: \(error)"))
    }
  }

  /// Returns whether the bytes of a sample are in the file, and not in `moov`.
  private func isMedia(_ range: Range<UInt64>) -> Bool {
    guard let size = movie.source.size, range.upperBound <= size, let moov = movie.tree?.first("moov") else {
      return false
    }
    return range.upperBound <= UInt64(moov.offset) || range.lowerBound >= UInt64(moov.fileRange.upperBound)
  }
}
