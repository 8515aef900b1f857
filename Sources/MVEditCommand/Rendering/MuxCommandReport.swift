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
  /// The removals that match nothing.
  let unmatched: [String]

  var exitCode: ExitCode { unmatched.isEmpty ? .success : .no }

  /// On a dry run, the report is the output; otherwise it is written to standard error.
  func write(_ invocation: Invocation) {
    for message in unmatched { invocation.report(file == "-" ? "standard input" : file, message) }
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
    let rate = report.frameRate.map { "\($0) pictures a second" } ?? "no frame rate"
    let entries = report.descriptions > 1 ? ", \(report.descriptions) sample entries" : ""
    return Quantity.count(report.samples, "sample") + (layers.count == 1 ? " of layer " : " of layers ")
      + listed(layers, "and") + ", " + rate + entries
  }

  var json: JSONObject {
    ["schema": "mvedit.mux/1", "file": file] + destination.json(report.written) + [
      "samples": report.samples, "syncSamples": report.syncSamples, "layers": report.layers.inline,
      "sampleEntries": report.descriptions, "frameRate": report.frameRate.map { "\($0)" },
      "frameRateSource": report.rateSource?.rawValue,
      "unitsLeftOut": JSONObject(report.unitsLeftOut.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }),
      "notices": JSONList(rows: report.notices) {
        [
          "kind": $0.kind.rawValue, "count": $0.count, "firstOffset": $0.firstOffset, "message": $0.message,
        ]
      },
      "changes": report.changes.json, "unmatched": unmatched,
    ]
  }
}
