// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FieldOutput
import FileAccess
import MovieEditing
import Multiview

/// `mvedit join`: puts movies one after the other.
package enum JoinCommand: Command {
  package static let name = "join"
  package static let summary = "puts movies one after the other"
  package static let discussion: [String] = [
    "Nothing is encoded, and everything that is presented is kept. Tracks are matched by their kind of "
      + "media, codec and language. Each movie lasts as long as its longest track, so that sound and picture "
      + "begin the next movie together: if the sound is longer, the last picture stays; if a movie lacks a "
      + "track, nothing is presented in that track meanwhile.",
    "Equal sample entries become one; others are added, and each sample refers to its own. Metadata keys, "
      + "dates and everything that applies to the whole movie come from the first movie. A movie may be named "
      + "more than once.",
    "Pictures that differ in size, orientation, layers or tags are joined and reported; --same-spatial "
      + "refuses them. Pictures of different codecs cannot share a track, and are refused. Movies are also "
      + "refused if a layer shows the left eye in one and the right eye in another: layers cannot be swapped "
      + "without encoding. --mixed-eyes joins them, and each movie keeps its eyes in a sample entry of its "
      + "own.",
  ]
  package static let operands = Operands.files
  package static let options = [WritingOptions.output, sameSpatial, mixedEyes] + WritingOptions.all
  package static let examples = [
    Example("mvedit join -o all.mov a.mov b.mov c.mov", "Join three movies"),
    Example("mvedit join --same-spatial -o all.mov a.mov b.mov", "Join them only if both have the same tags"),
    Example("mvedit join --dry-run --json a.mov b.mov", "Show where each movie would begin"),
  ]

  static let sameSpatial = Option(
    "same-spatial",
    "Refuse movies whose pictures differ in size, orientation, layers or stereo and spatial tags")

  static let mixedEyes = Option(
    "mixed-eyes", "Join movies even if a layer shows the left eye in one and the right eye in another")

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let arguments = invocation.arguments
    let paths = arguments.operands
    guard paths.count > 1 else {
      throw UsageError("takes two or more movies, in the order in which they are joined")
    }
    let destination = try OutputDestination(arguments, invocation)
    return invocation.run { () throws(CommandFailure) in
      let movies = try paths.map { path throws(CommandFailure) in try invocation.openMovie(path) as MovieFile
      }
      do throws(EditError) {
        var joiner = try MovieJoiner(movies)
        joiner.requiresSameSpatialTags = arguments.has(sameSpatial)
        joiner.allowsMixedEyes = arguments.has(mixedEyes)
        let report = try invocation.carryOut(joiner, to: destination)
        var lines = zip(paths, report.parts).map { "\($0) begins at \($1.words)" }
        lines.append("\(report.range.upperBound.words) in all: \(report.trackWords)" + report.written.ending)
        return NewMovieReport(
          name, of: [:], destination, report.written, lines + report.noticeLines(),
          [
            "parts": JSONList(rows: zip(paths, report.parts)) { ["file": $0, "start": $1.json] },
            "duration": report.range.upperBound.json,
          ] + report.json)
      } catch {
        var error = error
        if error.kind == .mixedEyes {
          error.advice += " Or keep the eyes of each movie in a sample entry of its own\(.keepEyesOfEach)."
        }
        // If the reason is about one movie, it names the movie.
        throw CommandFailure("", error)
      }
    }
  }
}
