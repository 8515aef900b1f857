// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FieldOutput
import Multiview

/// `mvdump info`: a movie at a glance.
package enum InfoCommand: Command {
  package static let name = "info"
  package static let summary = "summary of a file: tracks, layers, eyes, stereo tags"
  package static let discussion = [
    "This is the default command. The eye of a layer is shown only if the file signals it; mvdump eyes "
      + "shows the evidence."
  ]
  package static let operands = Operands.files
  package static let options = CommonOptions.input
  package static let examples = [
    Example("mvdump info movie.mov", "The movie at a glance"),
    Example("mvdump info --json movie.mov | jq .classification", "The kind of video, for a script"),
    Example("mvdump info --json-lines -r library/", "One line of JSON for every movie in a library"),
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    var isFirst = true
    return Batch.ofMovies(invocation).forEach { input throws(InputError) in
      let movie = try input.partlyReadMovie()
      if !movie.isReadable { try input.checkWasRead() }
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
