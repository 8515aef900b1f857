// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import Multiview

/// A check, for people.
struct CheckText {
  private let out: OutputBuffer
  private let style: Style
  private let columns: Int

  init(_ invocation: Invocation) {
    out = invocation.out
    style = invocation.style
    columns = min(invocation.columns, 110)
  }

  private func line(_ text: String = "") { out.append(text + "\n") }

  func write(_ report: CheckReport, _ input: Input) {
    line(style.strong(ValueText.printable(input.name)))
    for verdict in report.verdicts { write(verdict) }
    if let samples = report.samples, samples.lookedAt < samples.total {
      line(style.faint("  the first \(samples.lookedAt) of \(samples.total) samples were examined"))
    }
    let lines = FixingLines(report, input).lines
    for (finding, command) in zip(report.findings, lines) { write(finding, command) }
    if report.omittedFindings > 0 {
      line("\n\(report.omittedFindings) more of the same are not shown")
    }
    write(report.playlist)
  }

  private func write(_ verdict: TargetVerdict) {
    let label = CheckWords.name(of: verdict.target)
    let word = CheckWords.word(for: verdict.outcome)
    let colored: String =
      switch verdict.outcome {
      case .pass: style.good(word)
      case .fail: style.problem(word)
      case .unknown: style.warning(word)
      case .notApplicable: style.faint(word)
      }
    let isPrediction = verdict.target != .iso && (verdict.outcome == .pass || verdict.outcome == .fail)
    let text = verdict.words + (isPrediction ? " [\(verdict.confidence.rawValue)]" : "")
    let start = "  \(label.padded(to: 10)) \(colored)" + .spaces(8 - word.count)
    for (index, piece) in wrapped(text, columns - 22).enumerated() {
      line((index == 0 ? start : .spaces(21)) + piece)
    }
  }

  private func write(_ finding: Finding, _ command: FixingLines.Line?) {
    let rule = finding.rule
    line()
    let word = style.word(finding.severity)
    let targets = finding.targets.map(CheckWords.name).joined(separator: ", ")
    line(
      "\(word) \(style.name(rule.id.rawValue))  \(style.strong(rule.title))  \(style.faint("(\(targets))"))")
    entry("where", CheckWords.place(of: finding))
    entry("what", finding.message)
    if let values = CheckWords.values(of: finding) { entry("value", values) }
    entry("why", rule.why)
    entry("fix", rule.fix.typed)
    // Not wrapped: it is there to be copied.
    if let command { line("  " + style.faint(command.label.padded(to: 7)) + command.text) }
  }

  private func entry(_ label: String, _ text: String) {
    guard !text.isEmpty else { return }
    for (index, piece) in wrapped(ValueText.printable(text), columns - 9).enumerated() {
      line("  " + style.faint((index == 0 ? label : "").padded(to: 7)) + piece)
    }
  }

  private func write(_ playlist: PlaylistAttributes?) {
    guard let playlist, !playlist.entries.isEmpty else { return }
    line()
    line(style.name("attributes for an HLS playlist"))
    for (key, value) in playlist.entries { line("  \(key)=\(ValueText.printable(value))") }
  }
}

/// Words that all renderings of a check share.
enum CheckWords {
  static func name(of target: CheckTarget) -> String {
    switch target {
    case .spatial, .stereo, .immersive: target.rawValue
    case .hls: "HLS"
    case .iso: "ISO"
    }
  }

  static func word(for outcome: TargetVerdict.Outcome) -> String {
    switch outcome {
    case .pass: "pass"
    case .fail: "fail"
    case .unknown: "unknown"
    case .notApplicable: "-"
    }
  }

  /// `moov/trak/…/lhvC at 1264, sample 3`
  static func place(of finding: Finding) -> String {
    var text = finding.path.isEmpty ? "the file" : finding.path
    if let offset = finding.offset { text += " at \(offset)" }
    if let sample = finding.sample { text += ", sample \(sample)" }
    return text
  }

  /// `2, should be 4`; `nil` if the message says it all.
  static func values(of finding: Finding) -> String? {
    switch (finding.found, finding.wanted) {
    case (let found?, let wanted?): "\(found), should be \(wanted)"
    case (nil, let wanted?): "should be \(wanted)"
    default: nil
    }
  }
}
