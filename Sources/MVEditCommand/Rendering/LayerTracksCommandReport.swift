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
      if let other = track.extractsFrom { line += ", and extractors of track \(other)" }
      return line + ", \(Quantity.count(track.samples, "sample"))"
    }
    if command == MergeCommand.name, let first = report.tracks.first {
      lines.append("these become track \(first.id)")
    }
    if let written = report.written {
      lines[lines.count - 1] += ", \(Quantity.bytes(written.bytesWritten)) written"
    }
    destination.say(lines + report.damage, invocation)
  }

  func writeJSON(_ json: JSONWriter) {
    json.beginObject()
    json.member("schema", "mvedit.\(command)/1")
    json.member("file", file)
    destination.write(report.written, json)
    json.key("eye")
    json.value(report.eye?.rawValue)
    json.key("tracks")
    json.beginArray()
    for track in report.tracks {
      json.beginObject(inline: true)
      json.key("track")
      json.value(track.id)
      json.key("layers")
      json.beginArray(inline: true)
      for layer in track.layers { json.value(Int(layer)) }
      json.endArray()
      json.key("samples")
      json.value(track.samples)
      if let other = track.extractsFrom {
        json.key("extractsFrom")
        json.value(other)
      }
      json.endObject()
    }
    json.endArray()
    json.key("damage")
    json.beginArray()
    for message in report.damage { json.value(message) }
    json.endArray()
    json.endObject()
    json.endDocument()
  }
}
