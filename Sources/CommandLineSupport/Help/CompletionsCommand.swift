// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// `completions`: scripts by which a shell completes the command lines of a program. A program adds it by a type that
/// conforms and names the program.
package protocol CompletionsOfProgram: Command {
  /// The name of the program.
  static var programName: String { get }
}

extension CompletionsOfProgram {
  package static var name: String { "completions" }
  package static var summary: String { "a script that lets your shell complete commands, options and files" }
  package static var operands: Operands {
    .words("SHELL", minimum: 1, maximum: 1, allowed: CompletionScript.shells)
  }
  package static var options: [Option] { [] }
  package static var examples: [Example] {
    let tool = programName
    return [
      Example("source <(\(tool) completions bash)", "In ~/.bashrc"),
      Example("\(tool) completions zsh > \"${fpath[1]}/_\(tool)\"", "Once, for zsh"),
      Example("\(tool) completions fish > ~/.config/fish/completions/\(tool).fish", "Once, for fish"),
    ]
  }

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    guard let shell = invocation.arguments.operands.first,
      let text = CompletionScript(invocation.program).text(for: shell)
    else { return .usage }
    invocation.out.append(text)
    return .success
  }
}
