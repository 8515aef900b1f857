// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import MovieEditing

/// What `mvedit mux` did, or would do.
struct MuxCommandReport: CommandReport {
  let file: String
  let destination: OutputDestination
  let report: MuxReport

  /// On a dry run, the report is the output; otherwise it is written to standard error.
  func write(_ invocation: Invocation) {
    let isDry = destination == .nowhere
    var lines = [words]
    for notice in report.notices {
      var line = "\(notice.count) " + notice.message
      if let offset = notice.firstOffset { line += ", first at \(offset)" }
      lines.append(line)
    }
    if isDry {
      for change in report.changes { lines.append("tag " + change.name + ": " + (change.new ?? "absent")) }
    }
    if let written = report.written { lines[0] += ", \(Quantity.bytes(written.bytesWritten)) written" }
    destination.say(lines, invocation)
  }

  private var words: String {
    let layers = report.layers.map(String.init)
    let rate = report.frameRate.map { "\($0) pictures a second" } ?? "no rate"
    let entries = report.descriptions > 1 ? ", \(report.descriptions) sample entries" : ""
    return Quantity.count(report.samples, "sample") + (layers.count == 1 ? " of layer " : " of layers ")
      + listed(layers, "and") + ", " + rate + entries
  }

  func writeJSON(_ json: JSONWriter) {
    json.beginObject()
    json.member("schema", "mvedit.mux/1")
    json.member("file", file)
    destination.write(report.written, json)
    json.key("samples")
    json.value(report.samples)
    json.key("syncSamples")
    json.value(report.syncSamples)
    json.key("layers")
    json.beginArray(inline: true)
    for layer in report.layers { json.value(Int(layer)) }
    json.endArray()
    json.key("sampleEntries")
    json.value(report.descriptions)
    json.key("frameRate")
    if let rate = report.frameRate { json.value("\(rate)") } else { json.null() }
    json.key("frameRateSource")
    if let source = report.rateSource { json.value(source.rawValue) } else { json.null() }
    json.key("unitsLeftOut")
    json.beginObject()
    for (name, count) in report.unitsLeftOut.sorted(by: { $0.key < $1.key }) {
      json.key(name)
      json.value(count)
    }
    json.endObject()
    json.key("notices")
    json.beginArray()
    for notice in report.notices {
      json.beginObject(inline: true)
      json.member("kind", notice.kind.rawValue)
      json.key("count")
      json.value(notice.count)
      json.key("firstOffset")
      json.value(notice.firstOffset)
      json.member("message", notice.message)
      json.endObject()
    }
    json.endArray()
    json.changes(report.changes)
    json.endObject()
    json.endDocument()
  }
}
