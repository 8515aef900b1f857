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
  package static let options = [
    WritingOptions.output, sameSpatial, mixedEyes, WritingOptions.dryRun, WritingOptions.force,
    WritingOptions.keepDates, WritingOptions.keepFree,
    WritingOptions.faststart, CommonOptions.json, CommonOptions.jsonLines,
  ]
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
      var movies: [MovieFile] = []
      for path in paths { movies.append(try invocation.openMovie(path)) }
      do throws(EditError) {
        var joiner = try MovieJoiner(movies)
        joiner.requiresSameSpatialTags = arguments.has(sameSpatial)
        joiner.allowsMixedEyes = arguments.has(mixedEyes)
        let options = WritingOptions.options(arguments)
        let meter = WritingMeter(invocation)
        defer { meter.clear() }
        let report =
          if let output = try destination.output(options, of: movies, meter) {
            try joiner.write(to: output, options)
          } else {
            try joiner.plannedReport()
          }
        return JoinReport(files: paths, destination: destination, report: report)
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
