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
  package static let summary = "splits a track with several layers in two: the base layer, and the rest"
  package static let discussion = [
    "The first track (hvc1) has the base layer, which any player shows; the second one (lhv1, with lhvC) has "
      + "all other layers and refers to the first (sbas). Nothing is encoded, and every byte is kept: mvedit "
      + "merge restores the samples as they were. Stereo and spatial tags stay with the first track.",
    "With --extractors, the second track (hvc2) refers to the base layer's bytes in the first one (scal), "
      + "and a reader that follows extractors gets all layers from the second track.",
    "Apple platforms show a movie in stereo only if both layers are in one track: split is for players that "
      + "fail on the second layer, and for tools that need each layer separately.",
  ]
  package static let operands = Operands.file
  package static let options = [WritingOptions.output, extractors] + WritingOptions.all
  package static let examples = [
    Example("mvedit split -o two-tracks.mp4 spatial.mov", "Give each layer a track of its own"),
    Example(
      "mvedit split --extractors -o two-tracks.mp4 spatial.mov",
      "Let the second track refer to the bytes of the first"),
    Example("mvedit split --dry-run spatial.mov", "Show which tracks would be made"),
  ]

  static let extractors = Option(
    "extractors", "Let the second track (hvc2) take the base layer from the first by extractors")

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let usesExtractors = invocation.arguments.has(extractors)
    return try invocation.convert { movie throws(EditError) in
      var splitter = try MovieSplitter(movie)
      splitter.usesExtractors = usesExtractors
      return splitter
    } report: {
      $0.ofCommand(name, on: $1, $2)
    }
  }
}

extension LayerTracksReport {
  /// The report of `mvedit split` or `mvedit merge`.
  func ofCommand(_ command: String, on file: String, _ destination: OutputDestination) -> NewMovieReport {
    var lines = tracks.map { track in
      let layers = track.layers.map(String.init).joined(separator: " and ")
      var line = "track \(track.id): layer\(track.layers.count == 1 ? "" : "s") \(layers)"
      if track.layers.first == 0, let eye { line += " (the \(eye) eye)" }
      if let other = track.extractsFrom { line += ", and extractors that refer to track \(other)" }
      return line + ", \(Quantity.count(track.samples, "sample"))"
    }
    if command == MergeCommand.name, let first = tracks.first {
      lines.append("these become track \(first.id)")
    }
    if written != nil { lines[lines.count - 1] += written.ending }
    return NewMovieReport(
      command, of: ["file": file], destination, written, lines + leftOut + damage,
      [
        "eye": eye?.rawValue,
        "tracks": JSONList(rows: tracks) { track in
          let object: JSONObject = [
            "track": track.id, "layers": track.layers.inline, "samples": track.samples,
          ]
          return track.extractsFrom.map { object + ["extractsFrom": $0] } ?? object
        },
        "leftOut": leftOut, "damage": damage,
      ])
  }
}

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
