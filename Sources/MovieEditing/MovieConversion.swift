// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import FileAccess
public import Multiview

/// Makes a movie of others: what ``MovieTrimmer``, ``MovieJoiner``, ``MovieStripper``, ``Composition`` and the others of their kind
/// have in common.
///
/// Nothing is read or written before one of these methods is called. ``plan()`` serves whoever wants the report and the movie:
/// each of the others makes a plan of its own.
public protocol MovieConversion: Sendable {
  /// What is said of the new movie.
  associatedtype Report: Sendable

  /// The movies that the new one is made of.
  var movies: [MovieFile] { get }

  /// What the new movie would be, without reading or writing its samples.
  ///
  /// Throws where the movies do not allow what is asked, with the reason.
  func plan() throws(EditError) -> ConversionPlan<Report>
}

extension MovieConversion {
  /// What would be in the new movie, without writing it.
  public func plannedReport() throws(EditError) -> Report { try plan().report }

  /// The movie as it would be, without writing it.
  public func plannedMovie() throws(EditError) -> MovieFile { try plan().movie() }

  /// Writes the new movie to a file, which appears when it is complete and was verified, or not at all.
  @discardableResult
  public func write(
    to path: String, options: MovieWriteOptions = MovieWriteOptions()
  ) throws(EditError) -> Report {
    try write(to: try options.output(at: path, inputs: movies.map(\.source)), options)
  }

  /// Writes the new movie to an output that was begun.
  package func write(
    to output: SafeOutput, _ options: MovieWriteOptions = MovieWriteOptions()
  ) throws(EditError) -> Report {
    try plan().write(to: output, options)
  }
}

/// A movie that is going to be made of others.
public struct ConversionPlan<Report: Sendable>: Sendable {
  /// What will be in it.
  public let report: Report
  private let editor: MovieEditor
  /// The movie whose boxes have their places in the new one, too; `nil` where all is in its place.
  private let model: MovieFile?
  private let inputs: [MovieFile]
  private let written: any WritableKeyPath<Report, MovieWriteReport?> & Sendable

  /// - Parameters:
  ///   - model: the movie whose boxes have their places in the new one, too.
  ///   - written: where the report says what was written.
  init(
    _ editor: MovieEditor, _ report: Report, of inputs: [MovieFile], like model: MovieFile? = nil,
    written: any WritableKeyPath<Report, MovieWriteReport?> & Sendable
  ) {
    (self.editor, self.report, self.inputs, self.model) = (editor, report, inputs, model)
    self.written = written
  }

  /// The movie as it would be, without writing it.
  public func movie() throws(EditError) -> MovieFile { try editor.plannedMovie() }

  /// Writes the movie to a file, which appears when it is complete and was verified, or not at all.
  @discardableResult
  public func write(
    to path: String, options: MovieWriteOptions = MovieWriteOptions()
  ) throws(EditError) -> Report {
    try write(to: try options.output(at: path, inputs: inputs.map(\.source)), options)
  }

  /// Writes the movie to an output that was begun.
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
