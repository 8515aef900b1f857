// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import FileAccess
import ISOBMFF
public import Multiview

/// How an edited movie is written.
public struct MovieWriteOptions: Hashable, Sendable {
  /// Whether a file that has the name already is replaced.
  public var isOverwriting = false
  /// Whether the file gets the dates and the permissions of the movie that was edited.
  public var keepsDates = false
  /// Whether the `moov` is moved before the media data, so that playing can begin before all of the file has come.
  public var putsMovieFirst = false

  /// A new file with the layout of the movie.
  public init() {}
}

extension MovieWriteOptions {
  /// Begins a file that is made of others, the first of which gives the dates.
  package func output(at path: String, inputs: [any ByteSource]) throws(EditError) -> SafeOutput {
    var options = SafeOutput.Options()
    options.isOverwriting = isOverwriting
    if keepsDates { options.datesAndPermissions = inputs.first?.files.first?.identity }
    do { return try SafeOutput(path: path, inputs: inputs, options: options) } catch {
      throw EditError(.failed, error)
    }
  }
}

/// What was written.
public struct MovieWriteReport: Hashable, Sendable {
  /// How many bytes the movie has now.
  public var size: UInt64
  /// How many bytes were written, or are in blocks that the file shares with the movie; in place far fewer than the movie has.
  public var bytesWritten: UInt64
}

extension MovieEditor {
  /// The movie as it would be, without writing it: for questions to it, such as `check()`.
  ///
  /// Throws where the movie does not allow what is asked, with the reason.
  public func plannedMovie() throws(EditError) -> MovieFile {
    let planned = try opened(try plan(MovieWriteOptions()))
    try checkRequest(planned)
    return planned
  }

  /// Writes the edited movie to a new file, which appears when it is complete and was verified, or not at all.
  @discardableResult
  public func write(
    to path: String, options: MovieWriteOptions = MovieWriteOptions()
  ) throws(EditError) -> MovieWriteReport {
    let output = try options.output(at: path, inputs: [movie.source] + donors)
    return try write(to: output, options)
  }

  /// Writes the edited movie to an output that was begun.
  @discardableResult
  package func write(
    to output: SafeOutput, _ options: MovieWriteOptions = MovieWriteOptions()
  ) throws(EditError) -> MovieWriteReport {
    let plan = try plan(options)
    try checkRequest(try opened(plan))
    // Tables that were made for this movie point where its samples are.
    do { if !hasOwnTables { try verify(plan, saying: "") } } catch {
      // Tables that point where nothing can be kept in its place: what lies in boxes that change, or across several.
      throw .refused("its tables point at bytes that cannot be kept as they are: \(error.reason)")
    }
    do throws(SourceError) {
      var sink = output
      try plan.write(to: &sink)
      try output.finish { source throws(SourceError) in try verify(source) }
    } catch { throw EditError(.failed, error) }
    return MovieWriteReport(size: output.position, bytesWritten: output.position)
  }

  /// Opens what is planned or written.
  private func opened(_ source: any ByteSource) throws(EditError) -> MovieFile {
    do { return try MovieFile(source: source, limits: movie.limits) } catch {
      throw EditError(.unreadable, "the edited movie cannot be read: \(error)")
    }
  }

  /// Compares what is on the disk with what was asked, and its samples with those of the movie that was edited.
  package func verify(
    _ source: any ByteSource, saying words: String = "what was written differs: "
  ) throws(SourceError) {
    let written = try reopened(source)
    func fail(_ what: String) -> SourceError {
      SourceError(
        .other(words + what), advice: "This is a fault of the library: report it.")
    }
    guard written.tracks.count == movie.tracks.count else { throw fail("the number of tracks") }
    for (index, track) in tracks.enumerated() {
      let found = EditedTrack(written.tracks[index]).entries.map(\.original.completed)
      guard found == track.entries.map(\.stereo.completed) else {
        throw fail("the tags of track \(track.id)")
      }
    }
    let keys = EditedMetadata(written)
    for edit in metadata.edits where keys[edit.key] != edit.value { throw fail("the key \(edit.key)") }
    if let difference = try sampleDifference(written, source) { throw fail(difference) }
  }

  /// What is different of the samples; `nil` where nothing is but their places.
  private func sampleDifference(
    _ written: MovieFile, _ source: any ByteSource
  ) throws(SourceError) -> String? {
    var digests: (old: [SampleDigest], new: [SampleDigest])?
    for (index, old) in movie.tracks.enumerated() {
      if let tables = TableComparison(of: old, in: movie, and: written.tracks[index], in: written) {
        switch try tables.outcome() {
        case .same: continue
        case .different(let what): return "\(what) of track \(old.id)"
        case .unknown: break
        }
      }
      // One after the other: the tables of both are not in memory at a time.
      let both: (old: [SampleDigest], new: [SampleDigest])
      if let digests {
        both = digests
      } else {
        both = (
          try SampleDigest.tracks(of: reopened(movie.source)), try SampleDigest.tracks(of: reopened(source))
        )
      }
      digests = both
      guard both.new[index].hasSameSamples(as: both.old[index]) else {
        return "the samples of track \(old.id)"
      }
      // What is in another file, or nowhere, was so before; and a table may point at boxes that do change.
      for (here, there) in zip(both.new[index].probes, both.old[index].probes) where isMedia(there.range) {
        guard try SampleDigest.hasSameBytes(here, of: source, as: there, of: movie.source) else {
          return "the bytes of sample \(there.index) of track \(old.id)"
        }
      }
    }
    return nil
  }

  /// Opens a movie anew: what is read for a comparison is not kept.
  func reopened(_ source: any ByteSource) throws(SourceError) -> MovieFile {
    do { return try MovieFile(source: source, limits: movie.limits) } catch {
      throw SourceError(.other("what was written cannot be read: \(error)"))
    }
  }

  /// Whether the bytes of a sample are in the file, and not in the box of the movie.
  private func isMedia(_ range: Range<UInt64>) -> Bool {
    guard let size = movie.source.size, range.upperBound <= size, let moov = movie.tree?.first("moov") else {
      return false
    }
    return range.upperBound <= UInt64(moov.offset) || range.lowerBound >= UInt64(moov.fileRange.upperBound)
  }
}
