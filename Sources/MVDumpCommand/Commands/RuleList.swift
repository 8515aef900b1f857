// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import Multiview

/// The rules, for people, for programs and for the documentation.
enum RuleList {
  static func write(_ invocation: Invocation) {
    if invocation.arguments.has(CheckCommand.markdown) {
      writeMarkdown(invocation.out)
    } else if invocation.isJSON {
      invocation.jsonWriter().write(
        ["schema": "mvdump.check.rules/2", "rules": JSONList(Rule.all, \.json)])
    } else if invocation.isCSV {
      invocation.out.append("rule,severity,targets,title\n")
      for rule in Rule.all {
        let fields = [rule.id.rawValue, "\(rule.severity)", targets(rule), rule.title]
        invocation.out.append(fields.map(csvField).joined(separator: ",") + "\n")
      }
    } else {
      var columns = Columns(["rule", "severity", "affects", "what is wrong"])
      for rule in Rule.all {
        columns.add([rule.id.rawValue, "\(rule.severity)", targets(rule), rule.title])
      }
      invocation.out.append(columns.text(indentation: 0, invocation.style))
    }
  }

  private static func targets(_ rule: Rule) -> String {
    rule.targets.map(CheckWords.name).joined(separator: " ")
  }

  private static func writeMarkdown(_ out: OutputBuffer) {
    out.append(
      "| rule | severity | affects | what is wrong | mvedit | source | confidence |\n|---|---|---|---|---|---|---|\n"
    )
    for rule in Rule.all {
      out.append(
        "| \(rule.id) | \(rule.severity) | \(targets(rule)) | \(rule.title) | \(commands(rule)) "
          + "| \(rule.source) | \(rule.confidence.rawValue) |\n")
    }
  }

  /// The commands of `mvedit` that fix findings of a rule.
  static func commands(_ rule: Rule) -> String {
    rule.cures.map { "`\($0.typed)`" }.joined(separator: ", ")
  }
}
