// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import MovieEditing
import Multiview

/// What `mvedit strip` did, or would do.
struct StripCommandReport: CommandReport {
  let file: String
  let destination: OutputDestination
  let report: StripReport

  /// On a dry run the report is the answer; otherwise it goes to standard error.
  func write(_ invocation: Invocation) {
    let eye = report.eye.map { "the \($0) eye" } ?? "the base layer"
    var lines = ["keeps \(eye), \(Quantity.count(report.samples, "sample"))"]
    if let written = report.written { lines[0] += ", \(Quantity.bytes(written.bytesWritten)) written" }
    for (layer, count) in report.unitsLeftOut.sorted(by: { $0.key < $1.key }) {
      lines.append(
        layer == 0
          ? "\(Quantity.count(count, "NAL unit")) of layer 0 left out, which belonged to pictures of other layers"
          : "\(Quantity.count(count, "NAL unit")) of layer \(layer) left out")
    }
    if report.unitsLeftOut.isEmpty { lines.append("there is one layer: nothing needed to change") }
    for change in report.changes { lines.append("key " + change.name + " removed") }
    destination.say(lines, invocation)
  }

  func writeJSON(_ json: JSONWriter) {
    json.beginObject()
    json.member("schema", "mvedit.strip/1")
    json.member("file", file)
    destination.write(report.written, json)
    json.key("track")
    json.value(report.trackID)
    json.key("eye")
    json.value(report.eye?.rawValue)
    json.key("samples")
    json.value(report.samples)
    json.key("unitsLeftOut")
    json.beginArray()
    for (layer, count) in report.unitsLeftOut.sorted(by: { $0.key < $1.key }) {
      json.beginObject(inline: true)
      json.key("layer")
      json.value(Int(layer))
      json.key("count")
      json.value(count)
      json.endObject()
    }
    json.endArray()
    json.changes(report.changes)
    json.endObject()
    json.endDocument()
  }
}
