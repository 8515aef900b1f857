// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import MVDumpCommand
import TestSupport

/// What a person sees who types `lines`, one after the other: what came out, messages after `!`, and the exit status
/// where it is not 0. Words are parted by spaces; of `fixtures/…` the tool is given the whole path.
func transcript(_ lines: [String], columns: Int? = nil, environment: [String: String] = [:]) -> String {
  var text = ""
  for line in lines {
    let words = splitWords(line).map { word in
      word.hasPrefix("fixtures/") ? PackageFolder.root + "/" + word : word
    }
    let run = mvdump(Array(words.dropFirst()), columns: columns, environment: environment)
    text += "$ \(line)\n"
    text += run.output
    for message in run.errorLines { text += "! \(message)\n" }
    if run.code != .success { text += "[exit status \(run.code.rawValue)]\n" }
    text += "\n"
  }
  return text.replacing(PackageFolder.root + "/", with: "")
}

/// Words as a shell sees them, with single quotation marks.
func splitWords(_ line: some StringProtocol) -> [String] {
  var words: [String] = [], word = "", isQuoted = false
  for character in line {
    switch character {
    case "'": isQuoted.toggle()
    case " " where !isQuoted:
      if !word.isEmpty { words.append(word) }
      word = ""
    default: word.append(character)
    }
  }
  return word.isEmpty ? words : words + [word]
}
