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
  /// What new fragments put right.
  private static let fixedByFragments: Set<RuleID> = ["MV066", "MV069", "MV070", "MV071", "MV072"]

  /// The line that fixes it; `nil` where no command does.
  func command(for input: Input, in report: CheckReport) -> String? {
    // A playlist lists files that commands for movies are not told of.
    guard input.kind != .playlist else { return nil }
    if Self.fixedByFragments.contains(rule.id) { return FixingCommand.line("fragment", input.name) }
    if report.canBeRepaired(self) { return FixingCommand.line("repair", input.name) }
    if rule.id == "MV020" { return FixingCommand.line("merge", input.name) }
    guard let tagOptions else { return nil }
    let track = trackID.map { " --track \($0)" } ?? ""
    return FixingCommand.line("tag \(tagOptions)\(track)", input.name)
  }
}

extension CheckReport {
  /// What a repair puts right from the movie itself.
  private static let repaired: Set<RuleID> = ["MV007", "MV013", "MV054"]
  /// What may be gone, so that a repair needs another movie to take it from; and what it does not write anew.
  private static let beyondRepair: Set<RuleID> = [
    "MV006", "MV014", "MV015", "MV094", "MV101", "MV065", "MV069", "MV070",
  ]

  /// Whether `mvedit repair` fixes a finding without anything else.
  fileprivate func canBeRepaired(_ finding: Finding) -> Bool {
    guard finding.severity == .error, Self.repaired.contains(finding.rule.id),
      !findings.contains(where: { Self.beyondRepair.contains($0.rule.id) })
    else { return false }
    // Samples that lack the base layer are halves of access units where others lack the second one.
    guard finding.rule.id == "MV013" else { return true }
    return Set(findings.filter { $0.rule.id == "MV013" && $0.trackID == finding.trackID }.map(\.found)).count
      > 1
  }
}
