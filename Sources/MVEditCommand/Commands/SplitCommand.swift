// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FieldOutput
import FileAccess
import MovieEditing
import Multiview

/// `mvedit split`: two tracks of one that has several layers.
package enum SplitCommand: Command {
  package static let name = "split"
  package static let summary = "makes two tracks of one with two layers: a flat one, and one with the rest"
  package static let discussion = [
    "The first track (hvc1) has the base layer, which any player shows; the second one (lhv1, with lhvC) has all other layers and "
      + "refers to the first (sbas). Nothing is encoded, and every byte stays: mvedit merge gives the samples back as they were. "
      + "Stereo and spatial tags stay with the first track.",
    "Apple platforms show the eyes of a movie only where both layers are in one track: split is for players that stumble over the "
      + "second layer, and for tools that want each layer by itself.",
  ]
  package static let operands = Operands.files
  package static let options = [
    WritingOptions.output, WritingOptions.dryRun, WritingOptions.force, WritingOptions.keepDates,
    WritingOptions.faststart, CommonOptions.json, CommonOptions.jsonLines,
  ]
  package static let examples = [
    Example("mvedit split -o two-tracks.mp4 spatial.mov", "Give each layer a track of its own"),
    Example("mvedit split --dry-run spatial.mov", "Say which tracks there would be"),
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let arguments = invocation.arguments
    let path = try WritingOptions.input(arguments)
    let destination = try OutputDestination(arguments, invocation)
    return invocation.run { () throws(CommandFailure) in
      let movie = try invocation.openMovie(path)
      do throws(EditError) {
        let splitter = try MovieSplitter(movie)
        let options = WritingOptions.options(arguments)
        let report =
          if let output = try destination.output(options, of: [movie]) {
            try splitter.write(to: output, options)
          } else {
            try splitter.plannedReport()
          }
        return LayerTracksCommandReport(command: name, file: path, destination: destination, report: report)
      } catch { throw CommandFailure(path, error) }
    }
  }
}
