// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import Multiview

/// The checks of several movies, a line each.
struct CheckTable {
  private var names: [String] = []
  /// What is said of each movie, as a position among ``results``: of a hundred thousand movies, most have the result of another one.
  private var places: [Int32] = []
  private var results: [[String]] = []
  private var known: [[String]: Int32] = [:]
  private var clean = 0

  mutating func add(_ report: CheckReport, _ name: String) {
    if report.isClean() { clean += 1 }
    let verdicts = report.verdicts.map { CheckWords.word(for: $0.outcome) }
    let result = [report.classification.rawValue] + verdicts + [Self.rules(report)]
    let place = known[result] ?? Int32(results.count)
    if known.updateValue(place, forKey: result) == nil { results.append(result) }
    names.append(ValueText.printable(name))
    places.append(place)
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

  func write(_ invocation: Invocation) {
    guard !names.isEmpty else { return }
    let columns = Columns(
      ["file", "class"] + CheckTarget.allCases.map(CheckWords.name) + ["errors (warnings)"])
    let rows = names.indices.lazy.map { [names[$0]] + results[Int(places[$0])] }
    var isFirst = true
    columns.forEachLine(of: rows, indentation: 0) { line in
      invocation.out.append((isFirst ? invocation.style.faint(line) : line) + "\n")
      isFirst = false
    }
    invocation.out.append("\(names.count) files, \(clean) without errors\n")
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
