// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import Multiview

/// Lines of `mvedit` as they are typed into a shell.
enum FixingCommand {
  /// The line of a command that writes a better movie of this one; `nil` for standard input, which has no name.
  static func line(_ command: String, _ name: String) -> String? {
    guard name != "-" else { return nil }
    return "mvedit \(command) -o \(word(fixedName(name))) \(word(name))"
  }

  /// `clip-fixed.mov` for `clip.mov`, in the folder of the file.
  static func fixedName(_ name: String) -> String {
    let file = name.lastIndex(of: "/").map { name.index(after: $0) } ?? name.startIndex
    guard let dot = name[file...].lastIndex(of: "."), dot > file else { return name + "-fixed" }
    return name[..<dot] + "-fixed" + name[dot...]
  }

  /// A word that every shell reads as it is.
  static func word(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "/._-+,:@%".utf8.contains(byte) || byte >= 0x80
      }
    }
    if isPlain, word.first != "-" { return word }
    let path = word.first == "-" ? "./" + word : word
    return "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}

extension Finding {
  /// The command that fixes it; `nil` if there is none, or if it needs values that only the maker of the movie knows.
  func command(for input: Input, in report: CheckReport) -> String? {
    switch cure(for: input, in: report) {
    case .tag(let options): FixingCommand.line("tag \(options)\(trackOption)", input.name)
    case .repair: FixingCommand.line("repair", input.name)
    case .merge: FixingCommand.line("merge", input.name)
    case .fragment: FixingCommand.line("fragment", input.name)
    case .strip: FixingCommand.line("strip", input.name)
    case .tagValue, .restore, nil: nil
    }
  }

  /// The command that fixes it, with words in capitals for values that only the maker of the movie knows.
  func commandTemplate(for input: Input, in report: CheckReport) -> String? {
    switch cure(for: input, in: report) {
    case .tagValue(let options): FixingCommand.line("tag \(options)\(trackOption)", input.name)
    case .restore: FixingCommand.line("repair --from ORIGINAL", input.name)
    case .tag, .repair, .merge, .fragment, .strip, nil: nil
    }
  }

  private var trackOption: String { trackID.map { " --track \($0)" } ?? "" }

  private func cure(for input: Input, in report: CheckReport) -> Cure? {
    // Commands for movies are not told of streams, nor of the files that a playlist lists.
    input.kind == .playlist || input.kind == .hevcStream ? nil : report.cure(of: self)
  }
}
