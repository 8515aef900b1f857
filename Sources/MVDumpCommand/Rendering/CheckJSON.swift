// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import Multiview

extension CheckReport {
  /// The document of `mvdump check`: docs/schema/check.json.
  func json(_ input: Input) -> JSONObject {
    [
      "schema": "mvdump.check/2", "file": input.name, "classification": classification.rawValue,
      "verdicts": JSONObject(verdicts.map { ($0.target.rawValue, $0.outcome.rawValue) }).inline,
      "predictions": JSONList(verdicts) {
        [
          "target": $0.target.rawValue, "verdict": $0.outcome.rawValue, "words": $0.words,
          "confidence": $0.confidence.rawValue, "reasons": $0.reasons.inline,
        ]
      },
      "readings": JSONObject.inline([
        "strict": strict.map { $0.isSpatial ? "pass" : "fail" },
        "loose": loose.map { $0.isSpatial ? "pass" : "fail" },
      ]),
      "unreadable": unreadable.inline,
      "findings": JSONList(findings) { $0.json(input, self) },
      "omittedFindings": omittedFindings,
      "samples": samples.map { JSONObject.inline(["lookedAt": $0.lookedAt, "total": $0.total]) },
      "playlist": playlist?.json.inline,
    ]
  }
}

extension Finding {
  fileprivate func json(_ input: Input, _ report: CheckReport) -> JSONObject {
    [
      "rule": rule.id.rawValue, "severity": "\(severity)", "targets": targets.map(\.rawValue).inline,
      "track": trackID, "sample": sample, "path": path, "offset": offset, "message": message,
      "found": found, "wanted": wanted, "why": rule.why, "fix": rule.fix.typed,
      "command": command(for: input, in: report), "commandTemplate": commandTemplate(for: input, in: report),
    ]
  }
}

extension Rule {
  /// A rule of `--list`.
  var json: JSONObject {
    [
      "id": id.rawValue, "severity": "\(severity)", "title": title, "targets": targets.map(\.rawValue).inline,
      "source": source, "confidence": confidence.rawValue, "why": why, "fix": fix.typed,
    ]
  }
}
