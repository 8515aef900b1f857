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
      lines.append("not repaired: \(finding.rule.id) \(finding.message)" + place)
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

  var json: JSONObject {
    [
      "schema": "mvedit.repair/1", "file": file, "output": output, "written": report.written != nil,
      "size": report.written?.size,
      "steps": JSONList(rows: report.steps) {
        [
          "rule": $0.rule?.id.rawValue, "track": $0.trackID, "place": $0.place, "name": $0.name,
          "old": $0.old, "new": $0.new,
        ]
      },
      "changes": report.changes.json,
      "left": JSONList(rows: report.left) {
        [
          "rule": "\($0.rule.id)", "track": $0.trackID, "place": $0.path, "message": $0.message,
        ]
      },
    ]
  }
}
