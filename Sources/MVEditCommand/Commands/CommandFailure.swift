// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import MovieEditing
import Multiview

/// Why a command ends early: one line for a person, and the exit status.
struct CommandFailure: Error {
  let file: String
  let message: String
  let code: ExitCode

  init(_ file: String, _ message: String) {
    self.file = file == "-" ? "standard input" : file
    self.message = message
    code = .unreadable
  }

  /// - Parameter file: the input; what goes wrong with the output names it already.
  init(_ file: String, _ error: EditError) {
    self.file = error.kind == .failed ? "" : file == "-" ? "standard input" : file
    message = error.typed.description
    code = error.isRefusal ? .no : .unreadable
  }
}

/// A report of what a command did, or would do.
protocol CommandReport {
  /// Says it to a person.
  func write(_ invocation: Invocation)
  /// The report as JSON, for programs.
  var json: JSONObject { get }
  /// The exit status.
  var exitCode: ExitCode { get }
}

extension CommandReport {
  var exitCode: ExitCode { .success }
}

/// The report of a command on the movie that it makes.
struct NewMovieReport: CommandReport {
  private let destination: OutputDestination
  private let lines: [String]
  private(set) var json: JSONObject
  /// The removals that match nothing, and of what; they are said first.
  private var unmatched: [String] = []
  private var file = ""
  /// Whether not all of what was asked for could be done.
  private var isIncomplete = false

  /// - Parameters:
  ///   - subject: the member that names what the movie was made from.
  ///   - lines: the report for a person.
  ///   - members: further members of the report for programs.
  init(
    _ command: String, of subject: JSONObject, _ destination: OutputDestination,
    _ written: MovieWriteReport?, _ lines: [String], _ members: JSONObject
  ) {
    (self.destination, self.lines) = (destination, lines)
    let head: JSONObject = ["schema": "mvedit.\(command)/1"]
    json = head + subject + destination.json(written) + members
  }

  /// The same with removals that match nothing in a file.
  func with(unmatched: [String], of file: String) -> NewMovieReport {
    var report = self
    (report.unmatched, report.file) = (unmatched, file == "-" ? "standard input" : file)
    report.json = json + ["unmatched": unmatched]
    return report
  }

  /// The same for a movie of which not all could be done.
  func with(isIncomplete: Bool) -> NewMovieReport {
    var report = self
    report.isIncomplete = isIncomplete
    return report
  }

  var exitCode: ExitCode { unmatched.isEmpty && !isIncomplete ? .success : .no }

  /// On a dry run the lines are the answer; otherwise they go to standard error.
  func write(_ invocation: Invocation) {
    for message in unmatched { invocation.report(file, message) }
    destination.say(lines, invocation)
  }
}

extension MovieWriteReport? {
  /// How the line ends that says what was made: `, 1.2 MB written`, or nothing on a dry run.
  var ending: String { map { ", \(Quantity.bytes($0.bytesWritten)) written" } ?? "" }
}

extension Invocation {
  /// Does what a command does, and says what came of it.
  func run(_ body: () throws(CommandFailure) -> some CommandReport) -> ExitCode {
    do throws(CommandFailure) {
      defer { _ = opened.takeReadFailure() }
      let done = try body()
      // Something may have been taken as missing that is only unreadable.
      if let unread = opened.takeReadFailure() {
        throw CommandFailure(unread.path ?? "", InputError(unread).message)
      }
      if isJSON { jsonWriter().write(done.json) } else { done.write(self) }
      return done.exitCode
    } catch {
      if error.file.isEmpty { report(error.message) } else { report(error.file, error.message) }
      return error.code
    }
  }

  /// Opens a movie, or a stream, and keeps everything that was read of it.
  func openMovie(_ path: String) throws(CommandFailure) -> MovieFile {
    try openMovie(path, orSay: { _ in nil })
  }

  /// Opens a movie.
  ///
  /// - Parameter whyUnusable: says why a file of another kind is not used, if there is more to say than what it is.
  func openMovie(
    _ path: String, orSay whyUnusable: (InputKind) -> String?
  ) throws(CommandFailure) -> MovieFile {
    do throws(InputError) {
      let input = try Input.open(path, self, keeping: .everything)
      if let reason = whyUnusable(input.kind) { throw InputError(reason) }
      try input.check(isOneOf: [.boxes, .hevcStream])
      opened.add(input.source)
      return try input.movie()
    } catch { throw CommandFailure(path, error.message) }
  }

  /// Opens the movie that an option names, if it does.
  func openMovie(_ path: String?) throws(CommandFailure) -> MovieFile? {
    guard let path else { return nil }
    return try openMovie(path)
  }

  /// Refuses to write a movie to a terminal, or to where JSON is written.
  func checkStandardOutput() throws(UsageError) {
    if surroundings.output.isTerminal {
      throw UsageError("standard output is a terminal: name a file with -o")
    }
    if isJSON { throw UsageError("the movie and JSON cannot both go to standard output") }
  }
}

extension EditError {
  /// The same, with what to type in its advice.
  var typed: EditError {
    var error = self
    error.advice = Advice(advice.typed)
    return error
  }
}
