// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FieldOutput
import FileAccess
import MovieEditing
import Multiview

/// `mvedit strip`: keeps the base layer alone.
package enum StripCommand: Command {
  package static let name = "strip"
  package static let summary = "makes a flat movie with only the base layer"
  package static let discussion = [
    "Keeps the base layer byte for byte, with its times and sync samples, and all other tracks. The other "
      + "layers are removed, with their configuration (lhvC), the stereo tags (vexu, hfov), the messages about "
      + "the eyes, the groups of layers and the metadata keys of spatial movies; the video parameter set in "
      + "the sample entry no longer signals other layers. Units of the base layer that belong to pictures of "
      + "other layers are also removed, and are counted.",
    "If the picture has a projection (180°, 360°, wide, immersive), the projection, lenses and field of view are kept, "
      + "and only the tags of the eyes and their packing are removed: one eye is still shown by the projection.",
    "Which eye is kept depends on the camera: iPhones code the right eye first. The report names it. The other eye is "
      + "predicted from it, and cannot be kept without encoding: --eye refuses it.",
  ]
  package static let operands = Operands.file
  package static let options = [WritingOptions.output, eye, keepTags] + WritingOptions.all
  package static let examples = [
    Example("mvedit strip -o flat.mov spatial.mov", "Keep one eye, whichever is coded first"),
    Example("mvedit strip --dry-run spatial.mov", "Show which eye that is"),
    Example("mvedit strip --eye left -o left.mov spatial.mov", "Keep it only if it is the left eye"),
  ]

  static let eye = Option(
    "eye", .choice("EYE", ["left", "right"]), "Refuse the movie if another eye would be kept")
  static let keepTags = Option(
    "keep-tags",
    "Keep tags that also apply to flat movies: field of view, lens, and the metadata keys")

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let arguments = invocation.arguments
    return try invocation.convert { movie throws(EditError) in
      var stripper = try MovieStripper(movie)
      stripper.keepsCameraTags = arguments.has(keepTags)
      if let text = arguments.text(eye), let wanted = StereoEye(rawValue: text) {
        try stripper.require(wanted)
      }
      return stripper
    } report: {
      $0.ofCommand(on: $1, $2)
    }
  }
}

extension StripReport {
  fileprivate func ofCommand(on file: String, _ destination: OutputDestination) -> NewMovieReport {
    let kept = eye.map { "the \($0) eye" } ?? "the base layer"
    let units = unitsLeftOut.sorted { $0.key < $1.key }
    var lines = ["keeps \(kept), \(Quantity.count(samples, "sample"))" + written.ending]
    for (layer, count) in units {
      lines.append(
        "\(Quantity.count(count, "NAL unit")) of layer \(layer) left out"
          + (layer == 0 ? ", which belonged to pictures of other layers" : ""))
    }
    if units.isEmpty { lines.append("the movie has only one layer: nothing needed to change") }
    lines += leftOut + changes.map { "key \($0.name) removed" }
    return NewMovieReport(
      "strip", of: ["file": file], destination, written, lines,
      [
        "track": trackID, "eye": eye?.rawValue, "samples": samples,
        "unitsLeftOut": JSONList(rows: units) { ["layer": $0.key, "count": $0.value] },
        "leftOut": leftOut, "changes": changes.json,
      ])
  }
}
