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
    if report.unitsLeftOut.isEmpty { lines.append("the movie has only one layer: nothing needed to change") }
    lines += report.leftOut
    for change in report.changes { lines.append("key " + change.name + " removed") }
    destination.say(lines, invocation)
  }

  var json: JSONObject {
    ["schema": "mvedit.strip/1", "file": file] + destination.json(report.written) + [
      "track": report.trackID, "eye": report.eye?.rawValue, "samples": report.samples,
      "unitsLeftOut": JSONList(rows: report.unitsLeftOut.sorted { $0.key < $1.key }) {
        ["layer": $0.key, "count": $0.value]
      },
      "leftOut": report.leftOut, "changes": report.changes.json,
    ]
  }
}
