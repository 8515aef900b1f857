// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import FileAccess
import Multiview

/// A comparison with what follows from it.
struct DiffReport {
  let first: Input
  let second: Input
  let comparison: MovieComparison
  let classes: (first: Classification, second: Classification)
  /// The names and values of both movies.
  private let items: (first: [MetadataItem], second: [MetadataItem])
  /// The report of `check` on the second movie.
  private let report: CheckReport?
  /// The findings on the second movie that the first does not have.
  let findings: [Finding]
  /// The lines that bring back what the second movie lacks: parameter sets, tags, metadata.
  private(set) var restoringCommands: [String] = []

  init(
    _ first: Input, _ old: MovieFile, _ second: Input, _ new: MovieFile, _ levels: Set<MovieComparison.Level>
  ) throws(SourceError) {
    self.first = first
    self.second = second
    comparison = try MovieComparison(old, new, levels: levels)
    classes = (old.classification, new.classification)
    items = (old.metadata.items, new.metadata.items)
    guard !comparison.isSame else {
      (report, findings) = (nil, [])
      return
    }
    let report = new.check()
    self.report = report
    // The first movie is checked only for rules that the second one breaks.
    var options = CheckOptions()
    options.rules = Set(report.findings.map(\.rule.id))
    let known = report.findings.isEmpty ? [] : Set(old.check(options).findings.map(\.rule.id))
    var named: Set<RuleID> = []
    findings = report.findings.filter { !known.contains($0.rule.id) && named.insert($0.rule.id).inserted }
    restoringCommands = commands(
      hasTags: new.tracks.contains { $0.stereo.hasVideoExtendedUsage })
  }

  // MARK: Commands

  /// The line that fixes a finding; `nil` if none does, or those that bring back what is lost do as well.
  private func command(for finding: Finding) -> String? {
    guard let line = report.flatMap({ finding.command(for: second, in: $0) }) else { return nil }
    let isCovered = line.hasPrefix("mvedit tag") || line.hasPrefix("mvedit repair")
    return isCovered && !restoringCommands.isEmpty ? nil : line
  }

  /// - Parameter hasTags: whether the second movie has stereo tags of its own.
  private func commands(hasTags: Bool) -> [String] {
    guard first.name != "-", second.name != "-", second.kind == .boxes else { return [] }
    let donor = ShellWord.quoted(file: ShellWord.path(first.name))
    let lost = comparison.differences.filter { $0.first != nil }
    // Tags, and what belongs to the configuration of a layer, are of no use where its pictures are gone.
    let lacksPictures = lost.contains {
      $0.kind == .samples && $0.change == .lost && $0.subject.hasPrefix("pictures of layer ")
    }
    let lacksSets = !lacksPictures && lost.contains { $0.kind == .parameterSets && $0.change == .lost }
    // Those of further layers are copied with the tags; where more is wrong, only a repair does.
    let needsRepair =
      findings.contains { $0.rule.traits.contains(.losesContent) }
      || lacksSets
        && lost.contains {
          $0.kind == .parameterSets && $0.change == .lost && $0.subject.hasSuffix("layer 0")
        }
      || hasSamePictures && lost.contains { isRestored($0) }
    let lacksTags =
      !lacksPictures && lost.contains { $0.kind == .tags && Self.copiedTags.contains($0.subject) }
    var lines: [String] = []
    var name = ShellWord.path(second.name)
    if needsRepair, let line = FixingCommand.line("repair --from \(donor)", name) {
      lines.append(line)
      name = FixingCommand.fixedName(name)
    }
    var options: [String] = []
    // A repair takes tags if there are none.
    let copiesTags = needsRepair ? lacksTags && hasTags : lacksTags || lacksSets
    if copiesTags { options.append("--copy-from \(donor)") }
    options += lostKeys(areCopied: copiesTags || needsRepair || lacksPictures)
    guard !options.isEmpty else { return lines }
    let words = "tag " + options.joined(separator: " ")
    if needsRepair {
      lines.append("mvedit \(words) --in-place \(ShellWord.quoted(file: name))")
    } else if let line = FixingCommand.line(words, name) {
      lines.append(line)
    }
    return lines
  }

  /// Tags that are copied from another movie.
  private static let copiedTags = Set(["signalled eyes"] + StereoTag.all.compactMap(\.label))

  /// Options that write the names, and the date, that are lost.
  private func lostKeys(areCopied: Bool) -> [String] {
    comparison.differences.compactMap { difference in
      guard difference.kind == .metadata, difference.trackID == nil, let value = difference.first else {
        return nil
      }
      if difference.subject == "date of creation in the header" {
        return difference.change == .lost ? "--creation-date \(value)" : nil
      }
      guard let typed = typed(difference) else { return nil }
      // Those of spatial video come with the tags.
      if areCopied, typed.hasPrefix("com.apple.quicktime.spatial.") { return nil }
      return "--key \(ShellWord.quoted(typed))"
    }
  }

  /// The name and the value as `--key` takes them; `nil` for what it would not write as it was: several values, numbers of
  /// most kinds, bytes, and texts with control characters.
  private func typed(_ difference: MovieDifference) -> String? {
    guard let item = onlyItem(difference), let text = item.stringValue else { return nil }
    switch item.value {
    case .text: break
    // The key has a whole number already, or is known to take one.
    case .integer where item.key == .spatialAggressorsSeen || item.key == .spatialLowMotion: break
    case .integer:
      guard case .integer = items.second.first(where: { $0.identifier == item.identifier })?.value else {
        return nil
      }
    default: return nil
    }
    let key = item.key.rawValue, typed = key + "=" + text
    guard !key.isEmpty, !key.utf8.contains(UInt8(ascii: "=")), ValueText.printable(typed) == typed else {
      return nil
    }
    return typed
  }

  /// Whether something lost cannot be typed, and a repair with the first movie brings it back.
  private func isRestored(_ difference: MovieDifference) -> Bool {
    guard difference.change == .lost, let item = onlyItem(difference), item.isLoaded,
      item.place.path.hasPrefix("moov/meta")
    else { return false }
    if case .numbers = item.value { return false }
    return typed(difference) == nil
  }

  /// The item of the first movie that a difference is about; `nil` if it is not about a key, or if the key has several values.
  private func onlyItem(_ difference: MovieDifference) -> MetadataItem? {
    guard difference.kind == .metadata, difference.trackID == nil else { return nil }
    let found = items.first.filter {
      $0.keySpace == .quickTimeMetadata && $0.identifier == difference.subject
    }
    return found.count == 1 ? found.first : nil
  }

  /// Whether no difference between samples was found: metadata are only taken from a movie with the same pictures.
  private var hasSamePictures: Bool { !comparison.differences.contains { $0.kind == .samples } }

  // MARK: Text

  /// How long a line with both values may be.
  private static let columns = 110

  func writeText(_ invocation: Invocation) {
    let out = invocation.out, style = invocation.style
    func line(_ text: String) { out.append(text + "\n") }
    func heading(_ sign: String, _ input: Input, _ classification: Classification) {
      line(
        "\(sign) \(style.strong(ValueText.printable(input.name)))  \(style.faint(classification.rawValue))")
    }
    heading("-", first, classes.first)
    heading("+", second, classes.second)
    for group in groups {
      line("\n" + style.name(group.title))
      write(group.differences, style, out)
    }
    if comparison.isSame {
      line(style.good("no difference"))
    } else if comparison.differences.isEmpty {
      line("no difference in what was compared")
    }
    if !comparison.notes.isEmpty { line("") }
    for note in comparison.notes { line(style.faint("note: ") + ValueText.printable(note)) }
    if !findings.isEmpty {
      line("\n" + style.name("rules of mvdump check that only the second movie breaks"))
    }
    for finding in findings {
      line("  \(finding.severity) \(finding.rule.id.rawValue)  \(finding.rule.title)")
      if let command = command(for: finding) {
        line("    " + style.faint("run ") + command)
      }
    }
    if !restoringCommands.isEmpty { line("\n" + style.name("to restore what was lost")) }
    for command in restoringCommands { line("  " + command) }
  }

  /// Differences of one kind and track, as they are below one title.
  private var groups: [(title: String, differences: [MovieDifference])] {
    var groups: [(title: String, differences: [MovieDifference])] = []
    for difference in comparison.differences {
      let title = Self.title(of: difference)
      if groups.last?.title == title {
        groups[groups.count - 1].differences.append(difference)
      } else {
        groups.append((title, [difference]))
      }
    }
    return groups
  }

  private func write(_ differences: [MovieDifference], _ style: Style, _ out: OutputBuffer) {
    let nothing = "nothing"
    let rows = differences.map { difference in
      (
        subject: ValueText.printable(difference.subject),
        first: difference.first.map { ValueText.printable($0) },
        second: difference.second.map { ValueText.printable($0) }
      )
    }
    func isShort(_ row: (subject: String, first: String?, second: String?)) -> Bool {
      row.subject.columnCount + (row.first ?? nothing).columnCount + (row.second ?? nothing).columnCount + 8
        <= Self.columns
    }
    let width =
      rows.filter { isShort($0) && $0.subject.columnCount <= 56 }.map(\.subject.columnCount).max() ?? 0
    for row in rows {
      let (old, new) = (row.first ?? style.faint(nothing), row.second ?? style.problem(nothing))
      out.append("  \(row.subject)")
      if isShort(row) {
        out.append(.spaces(width - row.subject.columnCount) + "  ")
        out.append("\(old) \(style.faint("→")) \(row.first == nil ? style.good(new) : new)\n")
      } else {
        out.append("\n    \(style.problem("-")) \(old)\n    \(style.good("+")) \(new)\n")
      }
    }
  }

  /// `tags of track 1`, `track 1`, `metadata`
  private static func title(of difference: MovieDifference) -> String {
    let kind = difference.kind == .parameterSets ? "parameter sets" : difference.kind.rawValue
    guard let id = difference.trackID else { return kind }
    return difference.kind == .tracks ? "track \(id)" : "\(kind) of track \(id)"
  }

  // MARK: JSON

  /// docs/schema/diff.json
  var json: JSONObject {
    [
      "schema": "mvdump.diff/1", "first": first.name, "second": second.name, "same": comparison.isSame,
      "classifications": JSONObject.inline([
        "first": classes.first.rawValue, "second": classes.second.rawValue,
      ]),
      "differences": JSONList(rows: comparison.differences) {
        [
          "kind": $0.kind.rawValue, "change": $0.change.rawValue, "subject": $0.subject,
          "track": $0.trackID, "sample": $0.sample, "first": $0.first, "second": $0.second,
        ]
      },
      "notes": comparison.notes,
      "findings": JSONList(rows: findings) {
        [
          "rule": $0.rule.id.rawValue, "severity": "\($0.severity)", "title": $0.rule.title,
          "command": command(for: $0),
        ]
      },
      "commands": restoringCommands,
    ]
  }
}
