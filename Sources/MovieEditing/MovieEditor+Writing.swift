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
    let output = try options.output(at: path, inputs: [unpatched.source] + donors, progress: progress)
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
      try output.finish { written throws(SourceError) in try checked.compare(with: written) }
    } catch { throw EditError(.failed, error) }
    return MovieWriteReport(size: output.position, bytesWritten: output.position)
  }

  /// Plans the edited movie, and refuses what the movie does not allow: what follows can only fail as any writing can.
  func checkedPlan(_ options: MovieWriteOptions = MovieWriteOptions()) throws(EditError) -> CheckedPlan {
    let planned = try plan(options)
    try check(planned.movie)
    return planned
  }

  /// Plans the movie of which an output has everything before `moov`, and checks it. The output itself compares the bytes that
  /// pass through it.
  func checkedPlan(_ moov: ByteView, after media: any MediaOutput) throws(EditError) -> CheckedPlan {
    let plan: WritePlan
    do {
      let soFar = try media.soFar().patched(patches.filter { $0.offset < media.position })
      plan = try WritePlan(pieces: [.range(0..<media.position, of: soFar), .bytes(moov)])
    } catch { throw EditError(error, source: .failed, other: .failed) }
    let planned = CheckedPlan(plan: plan, movie: try opened(plan))
    try check(planned.movie)
    return planned
  }

  /// Refuses what the movie does not allow, and compares the planned movie with the request, and its samples with those of
  /// the original. Once it is written, none of that is asked again: its bytes are compared with the plan.
  func check(_ planned: MovieFile) throws(EditError) {
    try checkRequest(planned)
    let difference: String?
    do throws(SourceError) {
      try verifyTags(planned)
      difference = try sampleDifference(planned)
    } catch { throw EditError(.failed, error) }
    planned.releaseSamples()
    guard let difference else { return }
    // Tables that were made for this movie have the offsets of its samples.
    if hasOwnTables { throw EditError(.failed, Self.fault(difference)) }
    throw .refused("its tables refer to bytes that cannot be kept as they are: \(difference)")
  }

  /// Opens a planned movie.
  func opened(_ source: some ByteSource) throws(EditError) -> MovieFile {
    do { return try MovieFile(source: source, limits: movie.limits) } catch {
      throw EditError(.unreadable, because: error, of: "the edited movie cannot be read")
    }
  }

  /// Whether a plan has all bytes of the movie, and no others.
  func hasBytesOfMovie(_ plan: any ByteSource) -> Bool {
    guard let size = movie.source.size, plan.size == size,
      let origins = ByteOrigins(of: 0..<size, in: plan)
    else { return false }
    return origins == ByteOrigins(of: 0..<size, in: movie.source)
  }

  private static func fault(_ what: String) -> SourceError {
    SourceError(
      .other("the planned movie differs: " + what), advice: "This is a bug in the library: report it.")
  }

  /// Compares the tags and keys of a planned movie with the request.
  private func verifyTags(_ planned: MovieFile) throws(SourceError) {
    let gone = removedTrackIDs
    guard planned.tracks.count == movie.tracks.count(where: { !gone.contains($0.id) }) else {
      throw Self.fault("the number of tracks")
    }
    var rest = planned.tree
    guard rest?.removeFragments(ofTracks: gone) != true else {
      throw Self.fault("fragments of removed tracks")
    }
    for (index, track) in tracks.filter({ !gone.contains($0.id) }).enumerated() {
      let found = EditedTrack(planned.tracks[index]).entries.map(\.original.completed)
      guard found == track.entries.map(\.stereo.completed) else {
        throw Self.fault("the tags of track \(track.id)")
      }
    }
    if let key = metadata.firstDifference(in: planned) { throw Self.fault("the key \(key)") }
    try verifyRemoval(planned)
  }

  /// Returns how the samples differ; `nil` if only their offsets do.
  private func sampleDifference(_ planned: MovieFile) throws(SourceError) -> String? {
    // A movie of the same bytes has the same samples.
    if hasBytesOfMovie(planned.source) { return nil }
    var digests: (old: [SampleDigest], new: [SampleDigest])?
    let gone = removedTrackIDs
    let media = MediaPlaces(of: movie, in: planned.source)
    let kept = movie.tracks.enumerated().filter { !gone.contains($0.element.id) }
    for (index, (place, old)) in kept.enumerated() {
      if let tables = TableComparison(of: old, in: movie, and: planned.tracks[index], in: planned, media) {
        switch try tables.outcome() {
        case .same: continue
        case .different(let what): return "\(what) of track \(old.id)"
        case .unknown: break
        }
      }
      let both: (old: [SampleDigest], new: [SampleDigest])
      if let digests { both = digests } else { both = try bothDigests(planned) }
      digests = both
      let (here, there) = (both.new[index], both.old[place])
      // Samples in another file, or beyond the end, were so before; and a table may refer to boxes that do change.
      let difference = try here.difference(from: there, planned.source, movie.source) { isMedia($0) }
      if let difference { return "\(difference) of track \(old.id)" }
    }
    return nil
  }

  /// Digests of the tracks of both movies, in turn, so that the tables of both are not in memory at the same time.
  private func bothDigests(
    _ planned: MovieFile
  ) throws(SourceError) -> (old: [SampleDigest], new: [SampleDigest]) {
    let old = try SampleDigest.tracks(of: movie)
    movie.releaseSamples()
    let new = try SampleDigest.tracks(of: planned)
    planned.releaseSamples()
    return (old, new)
  }

  /// Returns whether the bytes of a sample are in the file, and not in `moov`.
  private func isMedia(_ range: Range<UInt64>) -> Bool {
    guard let size = movie.source.size, range.upperBound <= size, let moov = movie.tree?.first("moov") else {
      return false
    }
    return range.upperBound <= UInt64(moov.offset) || range.lowerBound >= UInt64(moov.fileRange.upperBound)
  }
}
