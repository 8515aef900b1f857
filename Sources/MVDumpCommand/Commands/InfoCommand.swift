// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FieldOutput
import Multiview

/// `mvdump info`: a movie at a glance.
package enum InfoCommand: Command {
  package static let name = "info"
  package static let summary = "what is in it: tracks, layers, eyes, stereo tags"
  package static let discussion = [
    "This is what mvdump does when no command is named. Which eye a layer shows is reported only where something in the "
      + "file says so; mvdump eyes shows the evidence."
  ]
  package static let operands = Operands.files
  package static let options = CommonOptions.input
  package static let examples = [
    Example("mvdump info movie.mov", "The movie at a glance"),
    Example("mvdump info --json movie.mov | jq .classification", "What kind of video it is, by a script"),
    Example("mvdump info --json-lines -r library/", "A line of JSON for every movie of a library"),
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    var isFirst = true
    return Batch.ofMovies(invocation).forEach { input throws(InputError) in
      let movie = try input.movie()
      if invocation.isJSON {
        invocation.jsonWriter().write(movie.json(input))
      } else {
        if !isFirst { invocation.out.append("\n") }
        MovieText(movie, input, invocation).write()
      }
      isFirst = false
      return .success
    }
  }
}
