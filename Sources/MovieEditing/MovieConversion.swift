// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import FileAccess
public import Multiview

/// Makes a movie from others: the common interface of ``MovieTrimmer``, ``MovieJoiner``, ``MovieStripper``,
/// ``Composition`` and similar types.
///
/// No sample is read or written before one of these methods is called. Use ``plan()`` to get both the report
/// and the movie: each of the other methods makes a plan of its own.
public protocol MovieConversion: Sendable {
  /// The report on the new movie.
  associatedtype Report: Sendable

  /// The movies that the new one is made from.
  var movies: [MovieFile] { get }

  /// Plans the new movie, without writing it.
  ///
  /// - Throws: ``EditError`` if the movies do not allow the conversion, with the reason.
  func plan() throws(EditError) -> ConversionPlan<Report>
}

extension MovieConversion {
  /// Returns the report on the new movie, without writing it.
  ///
  /// - Throws: ``EditError`` if the movies do not allow the conversion, with the reason.
  public func plannedReport() throws(EditError) -> Report {
    let plan = try plan()
    // What would be refused when it is written is refused now.
    _ = try plan.movie()
    return plan.report
  }

  /// Returns the movie as it would be, without writing it.
  public func plannedMovie() throws(EditError) -> MovieFile { try plan().movie() }

  /// Writes the new movie to a file, which appears when it is complete and verified, or not at all.
  ///
  /// - Parameters:
  ///   - path: where the file is written.
  ///   - options: how it is written.
  ///   - progress: called now and then while bytes are written, and before they are read again.
  @discardableResult
  public func write(
    to path: String, options: MovieWriteOptions = MovieWriteOptions(),
    progress: ((WritingProgress) -> Void)? = nil
  ) throws(EditError) -> Report {
    try write(
      to: try options.output(at: path, inputs: movies.map(\.source), progress: progress), options)
  }

  /// Writes the new movie to an open output.
  package func write(
    to output: SafeOutput, _ options: MovieWriteOptions = MovieWriteOptions()
  ) throws(EditError) -> Report {
    try plan().write(to: output, options)
  }
}

/// The plan of a movie that is made from others.
public struct ConversionPlan<Report: Sendable>: Sendable {
  /// The report on the new movie.
  public let report: Report
  private let editor: MovieEditor
  /// The movie that decides whether `moov` comes first in the new one; `nil` to leave the boxes in their order.
  private let model: MovieFile?
  private let inputs: [MovieFile]
  private let written: any WritableKeyPath<Report, MovieWriteReport?> & Sendable

  /// - Parameters:
  ///   - model: the movie that decides whether `moov` comes first in the new one.
  ///   - written: the property of the report that says what was written.
  init(
    _ editor: MovieEditor, _ report: Report, of inputs: [MovieFile], like model: MovieFile? = nil,
    written: any WritableKeyPath<Report, MovieWriteReport?> & Sendable
  ) {
    (self.editor, self.report, self.inputs, self.model) = (editor, report, inputs, model)
    self.written = written
  }

  /// Returns the movie as it would be, without writing it.
  public func movie() throws(EditError) -> MovieFile { try editor.plannedMovie() }

  /// Writes the movie to a file, which appears when it is complete and verified, or not at all.
  ///
  /// - Parameters:
  ///   - path: where the file is written.
  ///   - options: how it is written.
  ///   - progress: called now and then while bytes are written, and before they are read again.
  @discardableResult
  public func write(
    to path: String, options: MovieWriteOptions = MovieWriteOptions(),
    progress: ((WritingProgress) -> Void)? = nil
  ) throws(EditError) -> Report {
    try write(
      to: try options.output(at: path, inputs: inputs.map(\.source), progress: progress), options)
  }

  /// Writes the movie to an open output.
  package func write(
    to output: SafeOutput, _ options: MovieWriteOptions
  ) throws(EditError) -> Report {
    var options = options
    if model?.hasMovieFirst == true { options.putsMovieFirst = true }
    var report = report
    report[keyPath: written] = try editor.write(to: output, options)
    return report
  }
}
