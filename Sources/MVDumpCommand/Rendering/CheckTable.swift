// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import Multiview

/// The checks of several movies, a line each. They are written a thousand at a time: the memory does not grow with a library, and
/// one sees what was found so far.
struct CheckTable {
  private static let part = 1_000
  private let invocation: Invocation
  private var columns = Columns(
    ["file", "class"] + CheckTarget.allCases.map(CheckWords.name) + ["errors (warnings)"])
  private var rows: [[String]] = []
  private var (count, clean) = (0, 0)

  init(_ invocation: Invocation) { self.invocation = invocation }

  mutating func add(_ report: CheckReport, _ name: String) {
    let verdicts = report.verdicts.map { CheckWords.word(for: $0.outcome) }
    rows.append(
      [ValueText.printable(name), report.classification.rawValue] + verdicts + [Self.rules(report)])
    count += 1
    if report.isClean() { clean += 1 }
    if rows.count == Self.part { writeRows() }
  }

  private mutating func writeRows() {
    columns.writePart(rows, indentation: 0) { line, isTitles in
      invocation.out.append((isTitles ? invocation.style.faint(line) : line) + "\n")
    }
    // Now, and not with the next ones: these may take seconds.
    invocation.out.flush()
    rows.removeAll(keepingCapacity: true)
  }

  /// The broken rules of a report: errors first, warnings in parentheses; notes are left out.
  static func rules(_ report: CheckReport) -> String {
    let errors = identifiers(report, .error), warnings = identifiers(report, .warning)
    var parts: [String] = []
    if !errors.isEmpty { parts.append(errors.joined(separator: " ")) }
    if !warnings.isEmpty { parts.append("(\(warnings.joined(separator: " ")))") }
    return parts.joined(separator: " ")
  }

  private static func identifiers(_ report: CheckReport, _ severity: Diagnostic.Severity) -> [String] {
    Set(report.findings.filter { $0.severity == severity }.map(\.rule.id)).sorted().map(\.rawValue)
  }

  /// Writes what is left, and the sum.
  mutating func finish() {
    guard count > 0 else { return }
    if !rows.isEmpty { writeRows() }
    invocation.out.append("\(count) files, \(clean) without errors\n")
  }
}

/// Findings as comma-separated values, a line each; a movie without one has a line of its verdicts.
enum CheckCSV {
  static func writeTitles(_ out: OutputBuffer) {
    let targets = CheckTarget.allCases.map(\.rawValue).joined(separator: ",")
    out.append("file,class,\(targets),rule,severity,track,sample,path,offset,found,wanted,message\n")
  }

  static func write(_ report: CheckReport, _ input: Input, _ out: OutputBuffer) {
    let start =
      [input.name, report.classification.rawValue] + report.verdicts.map(\.outcome.rawValue)
    if report.findings.isEmpty { writeLine(start + Array(repeating: "", count: 9), out) }
    for finding in report.findings {
      writeLine(
        start + [
          finding.rule.id.rawValue, "\(finding.severity)", finding.trackID.map { "\($0)" } ?? "",
          finding.sample.map { "\($0)" } ?? "", finding.path, finding.offset.map { "\($0)" } ?? "",
          finding.found ?? "", finding.wanted ?? "", finding.message,
        ], out)
    }
  }

  private static func writeLine(_ fields: [String], _ out: OutputBuffer) {
    out.append(fields.map(csvField).joined(separator: ",") + "\n")
  }
}
