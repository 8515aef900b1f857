// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FieldOutput
import FileAccess
import MovieEditing
import Multiview

/// `mvedit merge`: one track of several that have the layers of one stream.
package enum MergeCommand: Command {
  package static let name = "merge"
  package static let summary = "makes one track of several that have the layers of one stream"
  package static let discussion = [
    "Finds the tracks by their references (sbas, scal), and puts into each sample the picture of the base layer and then those of "
      + "the others, which is how Apple platforms want it: hvc1 with hvcC and lhvC. Nothing is encoded; times, sync samples, tags, "
      + "other tracks and metadata stay. Extractors go: what they stand for is in the samples.",
    "Where the tracks had no stereo and spatial tags, the merged one has none either: mvedit tag adds them.",
  ]
  package static let operands = Operands.files
  package static let options = SplitCommand.options
  package static let examples = [
    Example("mvedit merge -o spatial.mov two-tracks.mp4", "Put both layers into one track"),
    Example("mvedit merge --dry-run two-tracks.mp4", "Say which tracks would become one"),
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let arguments = invocation.arguments
    let path = try WritingOptions.input(arguments)
    let destination = try OutputDestination(arguments, invocation)
    return invocation.run { () throws(CommandFailure) in
      let movie = try invocation.openMovie(path)
      do throws(EditError) {
        let merger = try MovieMerger(movie)
        let options = WritingOptions.options(arguments)
        let report =
          if let output = try destination.output(options, of: [movie]) {
            try merger.write(to: output, options)
          } else {
            try merger.plannedReport()
          }
        return LayerTracksCommandReport(command: name, file: path, destination: destination, report: report)
      } catch { throw CommandFailure(path, error) }
    }
  }
}
