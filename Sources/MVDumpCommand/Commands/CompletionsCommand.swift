// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// `mvdump completions`: scripts by which a shell completes command lines.
package enum CompletionsCommand: Command {
  package static let name = "completions"
  package static let summary = "a script by which your shell completes commands, options and files"
  package static let operands = Operands.words(
    "SHELL", minimum: 1, maximum: 1, allowed: CompletionScript.shells)
  package static let options: [Option] = []
  package static let examples = [
    Example("source <(mvdump completions bash)", "In ~/.bashrc"),
    Example("mvdump completions zsh > \"${fpath[1]}/_mvdump\"", "Once, for zsh"),
    Example("mvdump completions fish > ~/.config/fish/completions/mvdump.fish", "Once, for fish"),
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    guard let shell = invocation.arguments.operands.first, let text = CompletionScript.text(for: shell) else {
      return .usage
    }
    invocation.out.append(text)
    return .success
  }
}
