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
    var lines = zip(files, report.parts).map { "\($0) begins at \(TrimReport.seconds($1))" }
    lines.append("\(TrimReport.seconds(report.range.upperBound)) in all: \(TrimReport.tracks(report))")
    if let written = report.written {
      lines[lines.count - 1] += ", \(Quantity.bytes(written.bytesWritten)) written"
    }
    lines += TrimReport.notices(report)
    destination.say(lines, invocation)
  }

  func writeJSON(_ json: JSONWriter) {
    json.beginObject()
    json.member("schema", "mvedit.join/1")
    destination.write(report.written, json)
    json.key("parts")
    json.beginArray()
    for (file, start) in zip(files, report.parts) {
      json.beginObject(inline: true)
      json.member("file", file)
      json.time("start", start)
      json.endObject()
    }
    json.endArray()
    json.time("duration", report.range.upperBound)
    json.tracks(report.tracks)
    json.notices(report.notices)
    json.endObject()
    json.endDocument()
  }
}
