// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import MovieEditing
import Multiview

/// What `mvedit repair` did, or would do.
struct RepairCommandReport: CommandReport {
  let file: String
  /// The new file; `nil` on a dry run.
  let output: String?
  let report: RepairReport

  /// On a dry run, the report is the output; otherwise it is written to standard error.
  func write(_ invocation: Invocation) {
    var lines = report.steps.map { step in
      let rule = step.rule.map { "\($0.id) " } ?? ""
      return rule + step.name + ": " + step.old + " → " + step.new + " (" + step.place + ")"
    }
    for change in report.changes { lines.append("tag " + change.name + ": " + (change.new ?? "absent")) }
    if lines.isEmpty {
      lines.append(report.left.isEmpty ? "nothing needs to be repaired" : "nothing can be repaired")
    }
    for finding in report.left {
      let place = finding.path.isEmpty ? "" : " (\(finding.path))"
      lines.append("left: \(finding.rule.id) \(finding.message)" + place)
    }
    guard let output else {
      for line in lines { invocation.out.append(ValueText.printable(line) + "\n") }
      return
    }
    for line in lines { invocation.report(output, line) }
    if let written = report.written {
      invocation.report(output, "\(Quantity.bytes(written.bytesWritten)) written")
    }
  }

  func writeJSON(_ json: JSONWriter) {
    json.beginObject()
    json.member("schema", "mvedit.repair/1")
    json.member("file", file)
    json.key("output")
    json.value(output)
    json.member("written", report.written != nil)
    json.key("size")
    json.value(report.written?.size)
    json.key("steps")
    json.beginArray()
    for step in report.steps {
      json.beginObject(inline: true)
      json.key("rule")
      json.value(step.rule?.id.rawValue)
      json.key("track")
      json.value(step.trackID)
      json.member("place", step.place)
      json.member("name", step.name)
      json.member("old", step.old)
      json.member("new", step.new)
      json.endObject()
    }
    json.endArray()
    json.changes(report.changes)
    json.key("left")
    json.beginArray()
    for finding in report.left {
      json.beginObject(inline: true)
      json.member("rule", "\(finding.rule.id)")
      json.key("track")
      json.value(finding.trackID)
      json.member("place", finding.path)
      json.member("message", finding.message)
      json.endObject()
    }
    json.endArray()
    json.endObject()
    json.endDocument()
  }
}
