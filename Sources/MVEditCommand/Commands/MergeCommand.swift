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
  package static let summary = "merges tracks that have the layers of one stream into one track"
  package static let discussion = [
    "Finds the tracks by their references (sbas, scal), and puts the picture of the base layer into each "
      + "sample, followed by those of the other layers, as Apple platforms expect it: hvc1 with hvcC and lhvC. "
      + "Nothing is encoded; times, sync samples, tags, other tracks and metadata are kept. Extractors are "
      + "replaced by the bytes that they refer to.",
    "If the tracks have no stereo and spatial tags, the merged track has none either: mvedit tag adds them.",
  ]
  package static let operands = Operands.file
  package static let options = [WritingOptions.output] + WritingOptions.all
  package static let examples = [
    Example("mvedit merge -o spatial.mov two-tracks.mp4", "Put both layers into one track"),
    Example("mvedit merge --dry-run two-tracks.mp4", "Show which tracks would be merged"),
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    try invocation.convert { movie throws(EditError) in
      try MovieMerger(movie)
    } report: {
      $0.ofCommand(name, on: $1, $2)
    }
  }
}
