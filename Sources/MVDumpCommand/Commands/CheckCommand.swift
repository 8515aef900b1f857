// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FieldOutput
import FileAccess
import Multiview

/// `mvdump check`: why a movie is, or is not, spatial, and how to fix it.
package enum CheckCommand: Command {
  static let rule = Option(
    "rule", .text("ID", hint: .nothing), "Check only this rule, such as MV012",
    isRepeatable: true)
  static let notRule = Option(
    "not-rule", .text("ID", hint: .nothing), "Skip this rule",
    isRepeatable: true)
  static let strict = Option("strict", "Also count warnings in the exit status")
  static let samples = Option(
    "samples", .numberOrWord("COUNT", 1...Int(Int32.max), words: ["all"]),
    "Samples to examine per track: a number, or all (default 3000)")
  static let list = Option("list", "List the rules, without checking anything").standingAlone()
  static let markdown = Option(
    "markdown", "With --list: as a table for the documentation", isHidden: true)

  package static let name = "check"
  package static let summary =
    "is it spatial, stereo or 180 for Apple platforms? If not, why, and how to fix it"
  package static let discussion = [
    "A verdict for each target (spatial, stereo and immersive video on Apple platforms, HLS, the ISO "
      + "standards), then every rule that is broken: where, which value, why it matters, how to fix it. "
      + "Verdicts are predictions from the file alone; if a file is too damaged to judge, they are "
      + "unknown. mvdump explain describes each rule.",
    "For an HLS playlist, everything that it lists is checked, if it is in the folder of the playlist: "
      + "media playlists, init segments and every segment. Addresses that lead elsewhere are reported and "
      + "not followed.",
    "With -r, there is one line per file, written a thousand at a time, with the titles again where the "
      + "columns become wider. The exit status is 0 if no rule of severity error is broken, and 1 if one "
      + "is, or if a file is too damaged to judge; with --strict, warnings also count.",
  ]
  package static let operands = Operands.files
  package static let options =
    [rule, notRule, strict, samples, CommonOptions.csv, list, markdown] + CommonOptions.input
  package static let examples = [
    Example("mvdump check movie.mov", "The verdicts on a movie, and what is wrong with it"),
    Example("mvdump check -r library/", "One line for every movie in a library"),
    Example("mvdump check --csv -r library/ > findings.csv", "Every finding in a library, for a spreadsheet"),
    Example("mvdump check --rule MV012 --json movie.mov", "The findings of one rule, for a script"),
    Example("mvdump check stream/master.m3u8", "The playlists and all segments of a stream"),
    Example("mvdump check --list", "All rules"),
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    if invocation.arguments.has(list) {
      RuleList.write(invocation)
      return .success
    }
    let options = try checkOptions(invocation.arguments)
    let isStrict = invocation.arguments.has(strict)
    let batch = Batch(invocation, accepting: [.boxes, .hevcStream, .playlist])
    var table = CheckTable(invocation)
    var isFirst = true
    let isTable = invocation.arguments.has(CommonOptions.recursive)
    let isCSV = invocation.isCSV
    if isCSV { CheckCSV.writeTitles(invocation.out) }
    let code = batch.forEach(threads: batch.threads) { input throws(InputError) in
      (input, try report(on: input, options))
    } _: { input, report in
      if invocation.isJSON {
        invocation.jsonWriter().write(report.json(input))
      } else if isCSV {
        CheckCSV.write(report, input, invocation.out)
      } else if isTable {
        table.add(report, input.name)
      } else {
        if !isFirst { invocation.out.append("\n") }
        CheckText(invocation).write(report, input)
      }
      isFirst = false
      return report.isClean(strictly: isStrict) ? .success : .no
    }
    if !invocation.isJSON, !isCSV, isTable { table.finish() }
    return code
  }

  private static func report(
    on input: Input, _ options: CheckOptions
  ) throws(InputError) -> CheckReport {
    guard input.kind == .playlist else {
      let report = try input.movie().check(options)
      // A verdict on a part of the movie could be wrong.
      try input.checkWasRead()
      return report
    }
    guard input.name != "-" else {
      throw InputError("is an HLS playlist whose folder is not known. Name the file instead.")
    }
    do { return try MovieFile.check(playlistAt: input.name, options) } catch {
      let part = error.path.flatMap { $0 == input.name ? nil : ValueText.printable($0) + ": " } ?? ""
      throw InputError(part + InputError(error).message)
    }
  }

  private static func checkOptions(_ arguments: ParsedArguments) throws(UsageError) -> CheckOptions {
    var options = CheckOptions()
    let wanted = try arguments.texts(rule).map { text throws(UsageError) in try known(text) }
    if !wanted.isEmpty { options.rules = Set(wanted) }
    options.excludedRules = Set(
      try arguments.texts(notRule).map { text throws(UsageError) in try known(text) })
    if let count = arguments.number(samples) {
      options.maximumSamples = count
    } else if arguments.text(samples) == "all" {
      options.maximumSamples = .max
    }
    return options
  }

  private static func known(_ text: String) throws(UsageError) -> RuleID {
    let id = RuleID(rawValue: text.uppercased())
    guard Rule.named(id) != nil else {
      throw UsageError("unknown rule '\(text)'; mvdump check --list shows all rules")
    }
    return id
  }
}

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
