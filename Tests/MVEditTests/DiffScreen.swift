// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Reads what `mvdump diff` prints.
enum DiffScreen {
  /// The lines of a screen: what differs, and the commands.
  static func lines(_ output: String) -> (screen: [String], commands: [String]) {
    var screen: [String] = [], commands: [String] = []
    for line in output.split(separator: "\n").dropFirst(2) {
      let words = line.split(separator: " ").map(String.init)
      if words.first == "mvedit" {
        commands.append(words.joined(separator: " "))
      } else if words.first == "run" || words.joined(separator: " ") == "to restore what was lost" {
        continue
      } else if ["error", "warning", "note"].contains(words.first), words.count > 1 {
        screen.append(words.prefix(2).joined(separator: " "))
      } else {
        screen.append(words.joined(separator: " "))
      }
    }
    return (screen, commands)
  }

  /// The words of a line as a shell reads them that has nothing but single quotes.
  static func shellWords(_ line: String) -> [String] {
    var words: [String] = [], word = ""
    var isQuoted = false
    for character in line {
      if character == "'" {
        isQuoted.toggle()
      } else if character == " ", !isQuoted {
        words.append(word)
        word = ""
      } else {
        word.append(character)
      }
    }
    return words + [word]
  }
}
