// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import TestSupport
import Testing

@Suite struct ShellWordTests {
  private static let words = [
    "clip.mov", "", "it's here.mov", "a b", "100%.mov", "$HOME", "two\nlines.mov", "a\tb\\'c", "\u{1B}[31m7",
    "\u{202E}vom", "Größe 日本.mov", "--key=-v", "~/x", "*", "'\u{301} a",
  ]

  @Test func wordsAreQuotedOnlyWhereTheyMustBe() {
    #expect(ShellWord.quoted("/clips/a-b_1.mov") == "/clips/a-b_1.mov")
    #expect(ShellWord.quoted("") == "''")
    #expect(ShellWord.quoted("it's") == "'it'\\''s'")
    #expect(ShellWord.quoted("a\nb'\u{1B}7") == "$'a\\nb\\'\\0337'")
    #expect(ShellWord.quoted("-x") == "-x" && ShellWord.quoted(file: "-x") == "./-x")
  }

  @Test(arguments: words) func aShellReadsTheWordAgain(word: String) throws {
    guard try shell("command -v bash").status == 0 else { return print("skipped: no bash on this machine") }
    let folder = try TemporaryFolder()
    let script = try folder.write("script", Array("printf '%s|' \(ShellWord.quoted(word)) end".utf8))
    #expect(try shell("bash \(script)").output == word + "|end|")
  }
}
