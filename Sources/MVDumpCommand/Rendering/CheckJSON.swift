// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import Multiview

/// A check as JSON: docs/schema/check.json.
struct CheckJSON {
  let json: JSONWriter

  func write(_ report: CheckReport, _ input: Input) {
    json.beginObject()
    text("schema", "mvdump.check/2")
    text("file", input.name)
    text("classification", report.classification.rawValue)
    json.key("verdicts")
    json.beginObject(inline: true)
    for verdict in report.verdicts { text(verdict.target.rawValue, verdict.outcome.rawValue) }
    json.endObject()
    json.key("predictions")
    json.beginArray()
    for verdict in report.verdicts { write(verdict) }
    json.endArray()
    json.key("readings")
    json.beginObject(inline: true)
    text("strict", report.strict.map { $0.isSpatial ? "pass" : "fail" })
    text("loose", report.loose.map { $0.isSpatial ? "pass" : "fail" })
    json.endObject()
    texts("unreadable", report.unreadable)
    json.key("findings")
    json.beginArray()
    for finding in report.findings { write(finding, input, report) }
    json.endArray()
    json.key("omittedFindings")
    json.value(report.omittedFindings)
    json.key("samples")
    if let samples = report.samples {
      json.beginObject(inline: true)
      json.key("lookedAt")
      json.value(samples.lookedAt)
      json.key("total")
      json.value(samples.total)
      json.endObject()
    } else {
      json.null()
    }
    json.key("playlist")
    if let playlist = report.playlist { write(playlist) } else { json.null() }
    json.endObject()
    json.endDocument()
  }

  private func write(_ verdict: TargetVerdict) {
    json.beginObject()
    text("target", verdict.target.rawValue)
    text("verdict", verdict.outcome.rawValue)
    text("words", verdict.words)
    text("confidence", verdict.confidence.rawValue)
    texts("reasons", verdict.reasons)
    json.endObject()
  }

  private func write(_ finding: Finding, _ input: Input, _ report: CheckReport) {
    let rule = finding.rule
    json.beginObject()
    text("rule", rule.id.rawValue)
    text("severity", "\(finding.severity)")
    texts("targets", finding.targets.map(\.rawValue))
    json.key("track")
    json.value(finding.trackID)
    json.key("sample")
    json.value(finding.sample)
    text("path", finding.path)
    json.key("offset")
    json.value(finding.offset)
    text("message", finding.message)
    text("found", finding.found)
    text("wanted", finding.wanted)
    text("why", rule.why)
    text("fix", rule.fix.typed)
    text("command", finding.command(for: input, in: report))
    text("commandTemplate", finding.commandTemplate(for: input, in: report))
    json.endObject()
  }

  private func write(_ playlist: PlaylistAttributes) {
    json.beginObject(inline: true)
    for (key, value) in playlist.entries {
      // In JSON the quotation marks of the playlist are in the way.
      text(key, value.hasPrefix("\"") ? String(value.dropFirst().dropLast()) : value)
    }
    json.endObject()
  }

  /// A rule of `--list`.
  func write(_ rule: Rule) {
    json.beginObject()
    text("id", rule.id.rawValue)
    text("severity", "\(rule.severity)")
    text("title", rule.title)
    texts("targets", rule.targets.map(\.rawValue))
    text("source", rule.source)
    text("confidence", rule.confidence.rawValue)
    text("why", rule.why)
    text("fix", rule.fix.typed)
    json.endObject()
  }

  private func text(_ key: String, _ value: String?) {
    json.key(key)
    json.value(value)
  }

  private func texts(_ key: String, _ values: [String]) {
    json.key(key)
    json.beginArray(inline: true)
    for value in values { json.value(value) }
    json.endArray()
  }
}
