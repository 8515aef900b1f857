// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import MovieEditing
import Multiview

/// What `mvedit split` or `mvedit merge` did, or would do.
struct LayerTracksCommandReport: CommandReport {
  let command: String
  let file: String
  let destination: OutputDestination
  let report: LayerTracksReport

  /// On a dry run the report is the answer; otherwise it goes to standard error.
  func write(_ invocation: Invocation) {
    var lines = report.tracks.map { track in
      let layers = track.layers.map(String.init).joined(separator: " and ")
      var line = "track \(track.id): layer\(track.layers.count == 1 ? "" : "s") \(layers)"
      if track.layers.first == 0, let eye = report.eye { line += " (the \(eye) eye)" }
      if let other = track.extractsFrom { line += ", and extractors that refer to track \(other)" }
      return line + ", \(Quantity.count(track.samples, "sample"))"
    }
    if command == MergeCommand.name, let first = report.tracks.first {
      lines.append("these become track \(first.id)")
    }
    if let written = report.written {
      lines[lines.count - 1] += ", \(Quantity.bytes(written.bytesWritten)) written"
    }
    destination.say(lines + report.leftOut + report.damage, invocation)
  }

  var json: JSONObject {
    ["schema": "mvedit.\(command)/1", "file": file] + destination.json(report.written) + [
      "eye": report.eye?.rawValue,
      "tracks": JSONList(rows: report.tracks) { track in
        let object: JSONObject = ["track": track.id, "layers": track.layers.inline, "samples": track.samples]
        return track.extractsFrom.map { object + ["extractsFrom": $0] } ?? object
      },
      "leftOut": report.leftOut, "damage": report.damage,
    ]
  }
}
