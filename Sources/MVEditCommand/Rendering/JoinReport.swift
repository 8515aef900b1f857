// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import MovieEditing
import Multiview

/// What `mvedit join` did, or would do.
struct JoinReport: CommandReport {
  let files: [String]
  let destination: OutputDestination
  let report: CutReport

  /// On a dry run the report is the answer; otherwise it goes to standard error.
  func write(_ invocation: Invocation) {
    var lines = zip(files, report.parts).map { "\($0) begins at \($1.words)" }
    lines.append("\(report.range.upperBound.words) in all: \(TrimReport.tracks(report))")
    if let written = report.written {
      lines[lines.count - 1] += ", \(Quantity.bytes(written.bytesWritten)) written"
    }
    lines += TrimReport.notices(report)
    destination.say(lines, invocation)
  }

  var json: JSONObject {
    ["schema": "mvedit.join/1"] + destination.json(report.written) + [
      "parts": JSONList(rows: zip(files, report.parts)) { ["file": $0, "start": $1.json] },
      "duration": report.range.upperBound.json,
    ] + report.json
  }
}
