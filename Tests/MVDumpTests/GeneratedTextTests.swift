// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import MVDumpCommand
import TestSupport
import Testing

@Suite struct GeneratedTextTests {
  @Test func manualPageIsTrue() {
    let run = mvdump("--man")
    #expect(run.code == .success)
    #expect(Golden.difference(run.output, file: PackageFolder.root + "/docs/mvdump.1") == nil)
    #expect(run.lines.allSatisfy { !$0.hasPrefix("'") })
  }

  @Test(arguments: CompletionScript.shells) func completionsNameEverything(shell: String) throws {
    let run = mvdump("completions", shell)
    #expect(run.code == .success && run.errors.isEmpty)
    for command in CommandList.all {
      #expect(run.output.contains(command.name))
      for option in command.allOptions where !option.isHidden { #expect(run.output.contains(option.name)) }
    }
    #expect(!run.output.contains("markdown"))
  }

  @Test func bashUnderstandsItsScript() throws {
    guard try self.shell("command -v bash") == 0 else { return print("skipped: no bash on this machine") }
    let folder = try TemporaryFolder()
    let script = try folder.write("mvdump.bash", Array(mvdump("completions", "bash").output.utf8))
    for name in ["movie.mov", "a movie.mov", "a*.mov"] { try folder.write(name, []) }
    func complete(_ words: String...) throws -> [String] { try complete(words) }
    func complete(_ words: [String]) throws -> [String] {
      let line = words.map { "'\($0)'" }.joined(separator: " ")
      let result = try TestSupport.shell(
        "cd \(folder.path) && bash -c 'source \(script); COMP_WORDS=(\(line.split(separator: "'").joined(separator: "")));"
          + " COMP_CWORD=$((${#COMP_WORDS[@]}-1)); [[ \"\(words.last ?? "")\" == \"\" ]] && COMP_WORDS+=(\"\") && COMP_CWORD=$((COMP_CWORD+1));"
          + " _mvdump; printf \"%s\\n\" \"${COMPREPLY[@]}\"'")
      return result.output.split(separator: "\n").map(String.init)
    }
    #expect(try complete("mvdump", "tr") == ["tree"])
    #expect(try complete("mvdump", "mo") == ["movie.mov"])
    #expect(try complete("mvdump", "tree", "--js") == ["--json", "--json-lines"])
    #expect(try complete("mvdump", "tree", "--color", "a") == ["auto", "always"])
    #expect(try complete("mvdump", "completions", "z") == ["zsh"])
    #expect(try complete("mvdump", "tree", "mo") == ["movie.mov"])
    for line in [["tree"], ["extract", "-o"], []] {
      let found = try complete(["mvdump"] + line + ["a"])
      #expect(found.sorted() == ["a movie.mov", "a*.mov"], "\(line)")
    }
  }

  @Test(arguments: ["zsh", "fish"]) func otherShellsParseTheirScripts(name: String) throws {
    guard try shell("command -v \(name)") == 0 else { return print("skipped: no \(name) on this machine") }
    let folder = try TemporaryFolder()
    let script = try folder.write("script", Array(mvdump("completions", name).output.utf8))
    #expect(try shell("\(name) -n \(script)") == 0)
  }

  private func shell(_ command: String) throws -> Int32 { try TestSupport.shell(command).status }
}
