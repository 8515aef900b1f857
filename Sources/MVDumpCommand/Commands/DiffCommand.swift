// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FieldOutput
import FileAccess
import Multiview

/// `mvdump diff`: what is different between two movies.
package enum DiffCommand: Command {
  static let level = Option(
    "level", .choice("LEVEL", MovieComparison.Level.allCases.map(\.rawValue)),
    "Look at this only; may be given several times. All but bytes, if none is given", isRepeatable: true)

  package static let name = "diff"
  package static let summary = "what a tool lost or changed: layers, tags, samples, times, metadata"
  package static let discussion = [
    "Compares the original with what was made of it. What matters most to a viewer comes first: layers and eyes, tags, parameter "
      + "sets, the coded samples, when they are presented, tracks, metadata, and boxes that none of these is about. How "
      + "samples lie in the file and how tables say it makes no difference.",
    "The levels are: tags (with layers, parameter sets, tracks and metadata), samples, presentation, boxes, bytes. A raw HEVC "
      + "stream can be compared with a movie. Where the second movie breaks rules of mvdump check that the first keeps, "
      + "they are named, with the command that fixes them if there is one.",
    "The exit status is 0 where there is no difference, 1 where there is one.",
  ]
  package static let operands = Operands.twoFiles("ORIGINAL", "COPY")
  package static let options = [level, CommonOptions.json, CommonOptions.jsonLines]
  package static let examples = [
    Example("mvdump diff original.mov remuxed.mp4", "What the remuxing lost"),
    Example("mvdump diff --level samples a.mov b.mov", "Whether the coded pictures and sound are the same"),
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let operands = invocation.arguments.operands
    let chosen = invocation.arguments.texts(level).compactMap { MovieComparison.Level(rawValue: $0) }
    let levels = chosen.isEmpty ? MovieComparison.usualLevels : Set(chosen)
    var inputs: [(input: Input, movie: MovieFile)] = []
    for operand in operands {
      do throws(InputError) {
        let input = try Input.open(operand, invocation, keeping: .everything)
        try input.check(isOneOf: [.boxes, .hevcStream])
        inputs.append((input, try input.movie()))
      } catch {
        invocation.report(operand == "-" ? "standard input" : operand, error.message)
        return .unreadable
      }
    }
    let report: DiffReport
    do throws(SourceError) {
      report = try DiffReport(inputs[0].input, inputs[0].movie, inputs[1].input, inputs[1].movie, levels)
    } catch {
      invocation.report("\(operands[0]), \(operands[1])", InputError(error).message)
      return .unreadable
    }
    if invocation.isJSON { report.write(to: invocation.jsonWriter()) } else { report.writeText(invocation) }
    return report.comparison.isSame ? .success : .no
  }
}

/// A comparison with what follows from it.
private struct DiffReport {
  let first: Input
  let second: Input
  let comparison: MovieComparison
  let classes: (first: Classification, second: Classification)
  /// What check says of the second movie.
  private let report: CheckReport?
  /// What it says of that one, and not of the first.
  let findings: [Finding]

  init(
    _ first: Input, _ old: MovieFile, _ second: Input, _ new: MovieFile, _ levels: Set<MovieComparison.Level>
  ) throws(SourceError) {
    self.first = first
    self.second = second
    comparison = try MovieComparison(old, new, levels: levels)
    classes = (old.classification, new.classification)
    guard !comparison.isSame else {
      (report, findings) = (nil, [])
      return
    }
    let known = Set(old.check().findings.map(\.rule.id)), report = new.check()
    var named: Set<RuleID> = []
    findings = report.findings.filter { !known.contains($0.rule.id) && named.insert($0.rule.id).inserted }
    self.report = report
  }

  private func command(for finding: Finding) -> String? {
    report.flatMap { finding.command(for: second, in: $0) }
  }

  /// The lines that bring back what the second movie lacks: parameter sets, and tags.
  var restoringCommands: [String] {
    guard first.name != "-" else { return [] }
    let donor = FixingCommand.word(first.name)
    let lacksSets = comparison.differences.contains { $0.kind == .parameterSets && $0.change == .lost }
    let lacksTags = comparison.differences.contains { $0.kind == .tags && $0.first != nil }
    return [
      lacksSets ? FixingCommand.line("repair --from \(donor)", second.name) : nil,
      lacksTags ? FixingCommand.line("tag --copy-from \(donor)", second.name) : nil,
    ].compactMap { $0 }
  }

  // MARK: Text

  func writeText(_ invocation: Invocation) {
    let out = invocation.out, style = invocation.style
    func line(_ text: String) { out.append(text + "\n") }
    func heading(_ sign: String, _ input: Input, _ classification: Classification) {
      line(
        "\(sign) \(style.strong(ValueText.printable(input.name)))  \(style.faint(classification.rawValue))")
    }
    heading("-", first, classes.first)
    heading("+", second, classes.second)
    var kind: MovieDifference.Kind?
    for difference in comparison.differences {
      if difference.kind != kind {
        line("\n" + style.name(Self.title(of: difference.kind)))
        kind = difference.kind
      }
      let track = difference.trackID.map { style.faint("track \($0) ") } ?? ""
      line("  \(track)\(ValueText.printable(difference.subject))")
      if let text = difference.first { line("    \(style.problem("-")) \(ValueText.printable(text))") }
      if let text = difference.second { line("    \(style.good("+")) \(ValueText.printable(text))") }
      if difference.change == .lost { line("    \(style.good("+")) \(style.problem("nothing"))") }
    }
    if comparison.isSame { line(style.good("no difference")) }
    if !comparison.notes.isEmpty { line("") }
    for note in comparison.notes { line(style.faint("note: ") + ValueText.printable(note)) }
    if !findings.isEmpty {
      line("\n" + style.name("what mvdump check says of the second, and not of the first"))
    }
    for finding in findings {
      line("  \(finding.severity) \(finding.rule.id.rawValue)  \(finding.rule.title)")
      if let command = command(for: finding) {
        line("    " + style.faint("run ") + ValueText.printable(command))
      }
    }
    if !restoringCommands.isEmpty { line("\n" + style.name("to bring back what is lost")) }
    for command in restoringCommands { line("  " + ValueText.printable(command)) }
  }

  private static func title(of kind: MovieDifference.Kind) -> String {
    kind == .parameterSets ? "parameter sets" : kind.rawValue
  }

  // MARK: JSON

  /// docs/schema/diff.json
  func write(to json: JSONWriter) {
    json.beginObject()
    json.member("schema", "mvdump.diff/1")
    json.member("first", first.name)
    json.member("second", second.name)
    json.member("same", comparison.isSame)
    json.key("classifications")
    json.beginObject(inline: true)
    json.member("first", classes.first.rawValue)
    json.member("second", classes.second.rawValue)
    json.endObject()
    json.key("differences")
    json.beginArray()
    for difference in comparison.differences {
      json.beginObject(inline: true)
      json.member("kind", difference.kind.rawValue)
      json.member("change", difference.change.rawValue)
      json.member("subject", difference.subject)
      json.member("track", difference.trackID)
      json.member("sample", difference.sample)
      json.member("first", difference.first)
      json.member("second", difference.second)
      json.endObject()
    }
    json.endArray()
    json.key("notes")
    json.beginArray()
    for note in comparison.notes { json.value(note) }
    json.endArray()
    json.key("findings")
    json.beginArray()
    for finding in findings {
      json.beginObject(inline: true)
      json.member("rule", finding.rule.id.rawValue)
      json.member("severity", "\(finding.severity)")
      json.member("title", finding.rule.title)
      json.member("command", command(for: finding))
      json.endObject()
    }
    json.endArray()
    json.key("commands")
    json.beginArray()
    for command in restoringCommands { json.value(command) }
    json.endArray()
    json.endObject()
    json.endDocument()
  }
}
