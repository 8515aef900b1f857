// swift-multiview · SPDX-License-Identifier: Apache-2.0

import FieldOutput
import FileAccess

/// Words as they are typed into a shell.
package enum ShellWord {
  /// A word that every shell reads as it is. What would disturb a terminal or a line is escaped, in the form that bash, ksh and zsh
  /// read: `$'two\nlines'`.
  package static func quoted(_ word: String) -> String {
    if ValueText.printable(word) != word { return escaped(word) }
    let isPlain = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "/._-+,:@%".utf8.contains(byte) || byte >= 0x80
      }
    }
    if isPlain, !word.isEmpty { return word }
    // By scalars: a combining mark may follow.
    return "'" + word.unicodeScalars.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
  }

  /// The path of a file that may be named by a URL, which other programs do not take.
  package static func path(_ name: String) -> String { (try? filePath(ofPathOrURL: name)) ?? name }

  /// The name of a file, which no command takes for an option.
  package static func quoted(file name: String) -> String {
    quoted(name.utf8.first == UInt8(ascii: "-") ? "./" + name : name)
  }

  private static func escaped(_ word: String) -> String {
    var text = "$'"
    for scalar in word.unicodeScalars {
      let character = String(scalar)
      switch scalar {
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "'", "\\": text += "\\" + character
      case _ where ValueText.printable(character) != character:
        for byte in character.utf8 { text += "\\" + String(Int(byte) + 512, radix: 8).dropFirst() }
      default: text += character
      }
    }
    return text + "'"
  }
}
