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
    "With --extractors the second track (hvc2) names the base layer's bytes in the first one (scal), so that a reader that follows "
      + "extractors gets all layers from it.",
    "Apple platforms show the eyes of a movie only where both layers are in one track: split is for players that stumble over the "
      + "second layer, and for tools that want each layer by itself.",
  ]
  package static let operands = Operands.file
  package static let options = [
    WritingOptions.output, extractors, WritingOptions.dryRun, WritingOptions.force, WritingOptions.keepDates,
    WritingOptions.keepFree,
    WritingOptions.faststart, CommonOptions.json, CommonOptions.jsonLines,
  ]
  package static let examples = [
    Example("mvedit split -o two-tracks.mp4 spatial.mov", "Give each layer a track of its own"),
    Example(
      "mvedit split --extractors -o two-tracks.mp4 spatial.mov",
      "Have the second track name the first one's bytes"),
    Example("mvedit split --dry-run spatial.mov", "Say which tracks there would be"),
  ]

  static let extractors = Option(
    "extractors", "Have the second track (hvc2) take the base layer from the first by extractors")

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let usesExtractors = invocation.arguments.has(extractors)
    return try invocation.convert { movie throws(EditError) in
      var splitter = try MovieSplitter(movie)
      splitter.usesExtractors = usesExtractors
      return splitter
    } report: {
      LayerTracksCommandReport(command: name, file: $0, destination: $1, report: $2)
    }
  }
}
