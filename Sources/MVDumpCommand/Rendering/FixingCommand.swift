// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import Multiview

/// Lines of `mvedit` as they are typed into a shell.
enum FixingCommand {
  /// The line of a command that writes a better movie of this one; `nil` for standard input, which has no name.
  static func line(_ command: String, _ name: String) -> String? {
    guard name != "-" else { return nil }
    let path = ShellWord.path(name)
    var output = fixedName(path)
    // In the outputs of this command, a % begins a place.
    if command.hasPrefix("tag ") { output = NamePattern.literal(output) }
    return "mvedit \(command) -o \(ShellWord.quoted(file: output)) \(ShellWord.quoted(file: path))"
  }

  /// `clip-fixed.mov` for `clip.mov`, in the folder of the file.
  static func fixedName(_ name: String) -> String {
    let file = name.lastIndex(of: "/").map { name.index(after: $0) } ?? name.startIndex
    guard let dot = name[file...].lastIndex(of: "."), dot > file else { return name + "-fixed" }
    return name[..<dot] + "-fixed" + name[dot...]
  }
}

extension Cure {
  /// What to type after `mvedit`, without the files. Words in capitals stand for what only the maker of the movie knows.
  var typed: String {
    switch self {
    case .tag(let changes): (["tag"] + changes.map(\.typed)).joined(separator: " ")
    case .askForTag(let tag): "tag --\(tag.name) \(tag.placeholder)"
    case .repair: "repair"
    case .restore: "repair --from ORIGINAL"
    case .merge: "merge"
    case .fragment: "fragment"
    case .strip: "strip"
    }
  }

  /// Whether it takes what only the maker of the movie has.
  fileprivate var needsMaker: Bool {
    switch self {
    case .askForTag, .restore: true
    case .tag, .repair, .merge, .fragment, .strip: false
    }
  }
}

extension StereoTag.Change {
  fileprivate var typed: String {
    value.map { "--\(tag.name) \($0)" } ?? "--remove \(tag.name)"
  }
}

extension Finding {
  /// The command that fixes it; `nil` if there is none, or if it needs values that only the maker of the movie knows.
  func command(for input: Input, in report: CheckReport) -> String? {
    line(for: input, in: report, needingMaker: false)
  }

  /// The command that fixes it, with words in capitals for values that only the maker of the movie knows.
  func commandTemplate(for input: Input, in report: CheckReport) -> String? {
    line(for: input, in: report, needingMaker: true)
  }

  private func line(for input: Input, in report: CheckReport, needingMaker: Bool) -> String? {
    // Commands for movies are not told of streams, nor of the files that a playlist lists.
    guard input.kind != .playlist, input.kind != .hevcStream, let cure = report.cure(of: self),
      cure.needsMaker == needingMaker
    else { return nil }
    return FixingCommand.line(typed(cure), input.name)
  }

  /// The command that changes the tags of the movie that an earlier line wrote; `nil` for commands that are not of tags.
  fileprivate func commandInPlace(for input: Input, in report: CheckReport) -> String? {
    guard input.name != "-", let cure = report.cure(of: self), cure.order == Cure.orderOfTags else {
      return nil
    }
    let fixed = FixingCommand.fixedName(ShellWord.path(input.name))
    return "mvedit \(typed(cure)) --in-place \(ShellWord.quoted(file: fixed))"
  }

  private func typed(_ cure: Cure) -> String {
    guard cure.order == Cure.orderOfTags else { return cure.typed }
    return cure.typed + (trackID.map { " --track \($0)" } ?? "") + (entry.map { " --entry \($0)" } ?? "")
  }
}

/// What a check prints to fix its findings: lines that can be run one after another.
struct FixingLines {
  /// A line of a finding.
  struct Line: Equatable {
    /// `run`, or `with` for a line with words in capitals.
    var label: String
    /// What to type or, for a finding that an earlier line may fix, what to do.
    var text: String
  }

  /// The line of each finding; `nil` for one that no command fixes.
  private(set) var lines: [Line?] = []

  /// Orders the commands: what makes a movie whole comes before its tags. Only commands of the first kind have lines, because
  /// what follows depends on what they write; all commands of tags have, and continue on what the first one wrote.
  init(_ report: CheckReport, _ input: Input) {
    let kinds = report.findings.map { finding in
      finding.command(for: input, in: report) == nil && finding.commandTemplate(for: input, in: report) == nil
        ? nil : report.cure(of: finding).map(\.order)
    }
    let first = kinds.compactMap { $0 }.min()
    let leader = zip(report.findings, kinds).first { $0.1 == first }?.0
    var earlier: [String: Rule] = [:]
    for (finding, kind) in zip(report.findings, kinds) {
      guard let kind, let leader else {
        lines.append(nil)
        continue
      }
      let command = finding.command(for: input, in: report)
      guard let text = command ?? finding.commandTemplate(for: input, in: report) else {
        lines.append(nil)
        continue
      }
      let label = command == nil ? "with" : "run"
      if let other = earlier[text] {
        lines.append(Line(label: label, text: "the same line as for \(other.id)"))
      } else if kind == first, earlier.isEmpty {
        lines.append(Line(label: label, text: text))
        earlier[text] = finding.rule
      } else if kind == first, kind == Cure.orderOfTags,
        let next = finding.commandInPlace(for: input, in: report)
      {
        lines.append(Line(label: label, text: next))
        earlier[text] = finding.rule
      } else {
        lines.append(
          Line(label: "run", text: "the line for \(leader.rule.id) first, then check the new file"))
      }
    }
  }
}

extension Cure {
  fileprivate static let orderOfTags = 2
  /// Which comes first.
  fileprivate var order: Int {
    switch self {
    case .restore, .repair: 0
    case .merge: 1
    case .tag, .askForTag: Self.orderOfTags
    case .strip: 3
    case .fragment: 4
    }
  }
}
