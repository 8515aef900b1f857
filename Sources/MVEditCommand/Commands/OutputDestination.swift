// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import FileAccess
import MovieEditing
import Multiview

/// Where a command writes a new movie.
enum OutputDestination: Equatable {
  case nowhere, standardOutput
  case file(String)

  /// - Parameter isStream: whether a raw stream is written instead of a movie.
  init(
    _ arguments: ParsedArguments, _ invocation: Invocation, isStream: Bool = false
  ) throws(UsageError) {
    if arguments.has(WritingOptions.dryRun) {
      self = .nowhere
      return
    }
    guard let path = arguments.text(WritingOptions.output) else {
      let isDryRunPossible = invocation.command.options.contains { $0.name == WritingOptions.dryRun.name }
      throw UsageError(
        "say where to write: -o FILE" + (isDryRunPossible ? ", " : " or ") + "-o - for standard output"
          + (isDryRunPossible ? ", or --dry-run" : ""))
    }
    guard path == "-" else {
      try Self.checkName(path, isStream: isStream)
      self = .file(path)
      return
    }
    self = .standardOutput
    try invocation.checkStandardOutput()
  }

  /// The ends of names by which other programs would take a movie for another kind of file.
  private static let otherKinds: Set<String> = [
    "mkv", "webm", "avi", "ts", "m2ts", "mts", "mpg", "m3u8", "mpd", "hevc", "h265", "265", "bit", "y4m",
    "yuv",
    "png", "jpg", "jpeg", "gif", "wav", "mp3", "json",
  ]

  private static let movieKinds: Set<String> = ["mov", "qt", "mp4", "m4v"]

  private static func checkName(_ path: String, isStream: Bool) throws(UsageError) {
    guard let dot = path.lastIndex(of: ".") else { return }
    let end = path[dot...]
    let wrong = isStream ? movieKinds : otherKinds
    guard wrong.contains(end.dropFirst().lowercased()) else { return }
    throw UsageError(
      "the output is a \(isStream ? "raw stream" : "MOV or MP4 movie"), so its name cannot end in \(end)")
  }

  /// Refuses standard output for a movie whose beginning is only known at its end.
  func checkSeeking(_ arguments: ParsedArguments) throws(UsageError) {
    if self == .standardOutput, !arguments.has(WritingOptions.faststart), !arguments.has(MuxOption.fragment) {
      throw UsageError(
        "standard output is not seekable: add --faststart or --fragment, or name a file with -o")
    }
  }

  /// Where the outputs of movies go: the name of a file is a pattern.
  func each(of movies: [String]) throws(UsageError) -> [OutputDestination] {
    if self == .standardOutput, movies.count > 1 {
      throw UsageError("several movies cannot go to standard output: name files with %n in -o")
    }
    guard let path else { return movies.map { _ in self } }
    let pattern = try NamePattern(path)
    guard movies.count == 1 || pattern.has("n", "f") else {
      throw UsageError(
        "several movies need a name each: use %n for the name of the movie, as in -o 'parts/%n.mov'"
      )
    }
    // An output that is the movie itself is refused when that is opened.
    let inputs = Dictionary(
      movies.compactMap { path in FileIdentity(input: path).map { ($0.stateless, path) } },
      uniquingKeysWith: { first, _ in first })
    var taken: [String: String] = [:]
    var outputs: [OutputDestination] = []
    for movie in movies {
      let name = pattern.name(for: movie)
      if let other = FileIdentity(path: name).flatMap({ inputs[$0.stateless] }), other != movie {
        throw UsageError("\(movie) would be written over \(other), which is an input, too")
      }
      if let other = taken.updateValue(movie, forKey: name) {
        throw UsageError("\(other) and \(movie) would both be written to \(name)")
      }
      outputs.append(.file(name))
    }
    return outputs
  }

  /// The name of the output in messages; `nil` if nothing is written.
  var name: String? {
    switch self {
    case .nowhere: nil
    case .standardOutput: "standard output"
    case .file(let path): path
    }
  }

  /// Says what was done: on standard error where something was written, otherwise as the answer.
  func say(_ lines: [String], _ invocation: Invocation) {
    for line in lines {
      if let name {
        invocation.report(name, line)
      } else {
        invocation.out.append(ValueText.printable(line) + "\n")
      }
    }
  }

  /// The path of a file; `nil` if none is written.
  var path: String? { if case .file(let path) = self { path } else { nil } }

  /// The members of a report on what was written.
  func json(_ written: MovieWriteReport?) -> JSONObject {
    ["output": path, "written": written != nil, "size": written?.size]
  }

  /// Begins the output; `nil` if nothing is written.
  func output(
    _ options: MovieWriteOptions, of movies: [MovieFile], _ meter: WritingMeter
  ) throws(EditError) -> SafeOutput? {
    let inputs = movies.map(\.source)
    switch self {
    case .nowhere: return nil
    case .file(let path): return try options.output(at: path, inputs: inputs, progress: meter.show)
    case .standardOutput:
      let output = try SafeOutput.standardOutput(inputs: inputs)
      output.progress = meter.show
      return output
    }
  }
}

extension SafeOutput {
  /// Standard output, which must not be one of the inputs.
  static func standardOutput(inputs: [any ByteSource]) throws(EditError) -> SafeOutput {
    do { return try SafeOutput(descriptor: 1, name: "standard output", inputs: inputs) } catch {
      throw EditError(.failed, "standard output " + InputError(error).message)
    }
  }
}
