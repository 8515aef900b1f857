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
    switch cure {
    case .tag, .askForTag:
      let place = (trackID.map { " --track \($0)" } ?? "") + (entry.map { " --entry \($0)" } ?? "")
      return FixingCommand.line(cure.typed + place, input.name)
    default: return FixingCommand.line(cure.typed, input.name)
    }
  }
}
