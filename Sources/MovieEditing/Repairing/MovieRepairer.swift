// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
public import FileAccess
import ISOBMFF
public import Multiview

/// Repairs what `check` finds wrong with a movie, if it can be fixed without re-encoding: boxes that are
/// damaged, misplaced or contradict the bitstream, samples with single layers, parameter sets that are missing
/// from the sample entry or are in the wrong record, pictures in decoding order instead of presentation order.
///
/// ```swift
/// let repairer = try MovieRepairer(MovieFile(path: "remuxed.mp4"))
/// for step in try repairer.plannedReport().steps { print(step.name, step.new) }
/// try repairer.write(to: "repaired.mp4")
/// ```
///
/// Values that the movie has in the wrong place are moved. Missing values are taken from ``donor``, if it
/// matches. A movie without these faults is not changed.
public struct MovieRepairer {
  /// The original movie.
  public let movie: MovieFile
  /// A movie or a stream of the same kind, which parameter sets and tags are taken from; `nil` for none. If it
  /// is the original that the movie was made from, with the same pictures, dates, metadata and edits are
  /// restored, too.
  public var donor: MovieFile?
  /// The number of pictures per second, if samples must be merged or timed and the stream does not specify it;
  /// `nil` if not known.
  public var frameRate: FrameRate?
  /// The IDs of the tracks to repair; `nil` for all tracks and the movie itself.
  public var trackIDs: Set<UInt32>?

  /// Makes a repairer of an open movie.
  public init(_ movie: MovieFile) throws(EditError) {
    guard let tree = movie.tree else {
      throw EditError(.notAMovie, "is a raw HEVC stream", advice: "Make a movie of it first\(.makeMovie).")
    }
    guard tree.first("moov") != nil else { throw .lacksMovie }
    guard movie.tracks.contains(where: { $0.mediaType == .video }) else { throw .lacksVideo }
    self.movie = movie
  }

  /// Returns the report on the repair, without writing anything.
  public func plannedReport() throws(EditError) -> RepairReport {
    let plan = try self.plan()
    guard !plan.isEmpty else {
      // A movie that cannot be copied is refused now, and not only when it is written.
      _ = try MovieEditor(movie)
      return plan.emptyReport
    }
    var drafts: [DraftOutput] = []
    let (made, steps) = try plan.carriedOut { () throws(EditError) in
      let draft = DraftOutput()
      drafts.append(draft)
      return draft
    }
    let editor = try plan.editor(of: made)
    // The draft of a long movie lacks media data, so that it cannot be examined.
    let examined = drafts.allSatisfy(\.isComplete) ? try plan.examined(try editor.plannedMovie()) : nil
    return plan.report(editor, steps, examined: examined)
  }

  /// Returns the movie as it would be, except that it is not fragmented, with the beginning of its media data
  /// in memory, and verified: for tests and fuzzing.
  package func draftMovie() throws(EditError) -> (movie: MovieFile, report: RepairReport) {
    let plan = try self.plan()
    guard !plan.isEmpty else { return (movie, plan.emptyReport) }
    let (made, steps) = try plan.carriedOut { () throws(EditError) in DraftOutput() }
    let editor = try plan.editor(of: made)
    let planned = try editor.plannedMovie()
    return (planned, plan.report(editor, steps, examined: try plan.examined(planned)))
  }

  /// Writes the repaired movie to a new file, which appears when it is complete and verified, or not at all. A
  /// movie that needs no repair is copied.
  ///
  /// - Parameters:
  ///   - path: where the file is written.
  ///   - options: how it is written.
  ///   - progress: called now and then while bytes are written, and before they are read again.
  @discardableResult
  public func write(
    to path: String, options: MovieWriteOptions = MovieWriteOptions(),
    progress: ((WritingProgress) -> Void)? = nil
  ) throws(EditError) -> RepairReport {
    let inputs = [movie.source] + [donor?.source].compactMap { $0 }
    let plan = try self.plan()
    let output = try options.output(at: path, inputs: inputs, progress: progress)
    guard !plan.isEmpty else {
      var report = plan.emptyReport
      report.written = try MovieEditor(movie).write(to: output, options)
      return report
    }
    // A movie that can be written in one pass need not be copied again.
    if let last = plan.onlyRebuilding, !movie.hasMovieFirst, !options.putsMovieFirst {
      return try write(last, plan, to: output, options)
    }
    var scratchOptions = options
    scratchOptions.isOverwriting = true
    var scratches: [SafeOutput] = []
    defer { for scratch in scratches { scratch.cancel() } }
    let (made, steps) = try plan.carriedOut { () throws(EditError) in
      let scratch = try scratchOptions.output(
        at: path + ".media\(scratches.count)", inputs: inputs, progress: progress)
      scratches.append(scratch)
      return scratch
    }
    let editor = try plan.editor(of: made)
    var editorOptions = options
    if movie.hasMovieFirst { editorOptions.putsMovieFirst = true }
    let checked = try editor.checkedPlan(editorOptions)
    var report = plan.report(editor, steps, examined: try plan.examined(checked.movie))
    if let fragmenter = try plan.fragmenter(checked.movie) {
      report.written = try fragmenter.write(to: output, options).written
    } else {
      report.written = try editor.write(checked, to: output)
    }
    return report
  }

  /// Rewrites samples to the output, followed by `moov`.
  private func write(
    _ rebuilding: RebuiltMovie, _ plan: RepairPlan, to output: SafeOutput, _ options: MovieWriteOptions
  ) throws(EditError) -> RepairReport {
    let moov = try rebuilding.write(to: output)
    let (made, steps) = try plan.repairedRecords(of: try rebuilding.movie(in: output, moov))
    let editor = try plan.editor(of: made)
    guard let edited = try editor.editedTree().first("moov") else { throw .lacksMovie }
    let end: ByteView
    do throws(ParseError) {
      end = ByteView(try options.keepsFreeSpace ? edited.encoded() : edited.encodedWithoutFreeContents())
    } catch { throw EditError(.failed, because: error) }
    let checked = try editor.checkedPlan(end, after: output)
    var report = plan.report(editor, steps, examined: try plan.examined(checked.movie))
    do throws(SourceError) {
      try output.write(end)
      try output.finish()
    } catch { throw EditError(.failed, error) }
    report.written = MovieWriteReport(size: output.position, bytesWritten: output.position)
    return report
  }

  private func plan() throws(EditError) -> RepairPlan {
    try RepairPlan(movie, donor: donor, frameRate: frameRate, trackIDs: trackIDs)
  }
}

/// A single change of a repair.
public struct RepairStep: Hashable, Sendable {
  /// The rule of `check` that the change satisfies; `nil` if there is none.
  public var rule: Rule?
  /// The ID of the track; `nil` for a change of the whole movie.
  public var trackID: UInt32?
  /// The path to the box that is changed.
  public var place: String
  /// What is changed, in words.
  public var name: String
  /// The value before the change, in words.
  public var old: String
  /// The value after the change, in words.
  public var new: String

  init(
    _ place: String, _ name: String, old: String, new: String, rule: Rule? = nil, track: UInt32? = nil
  ) {
    self.rule = rule
    trackID = track
    (self.place, self.name, self.old, self.new) = (place, name, old, new)
  }
}

/// The report on a repair.
public struct RepairReport: Sendable {
  /// The changes; empty if the movie needs no repair.
  public internal(set) var steps: [RepairStep] = []
  /// The tags that were set or copied.
  public internal(set) var changes: [TagChange] = []
  /// The errors that remain, because a repair cannot fix them.
  public internal(set) var left: [Finding] = []
  /// What was written; `nil` if nothing was.
  public internal(set) var written: MovieWriteReport?
}

extension RepairReport {
  /// Adds faults that appear because the repaired movie can be read.
  mutating func add(revealed: [Finding]) {
    for finding in revealed where !left.contains(finding) { left.append(finding) }
  }
}
