// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// One subcommand: what it is called, what it takes, and what it does.
///
/// A new command is one file in `Commands/` with a type that conforms, and one line in ``CommandList``. Help,
/// completions and the man page follow from the declarations.
package protocol Command: SendableMetatype {
  /// What people type.
  static var name: String { get }
  /// What it answers, in half a line, without a full stop.
  static var summary: String { get }
  /// What else there is to know, a paragraph each.
  static var discussion: [String] { get }
  /// What stands on the command line besides options.
  static var operands: Operands { get }
  /// Its options; `--help` and `--color` are everybody's.
  static var options: [Option] { get }
  /// Command lines that show what it is for.
  static var examples: [Example] { get }
  /// Does it.
  static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode
}

extension Command {
  package static var discussion: [String] { [] }

  /// The options with those that every command has.
  package static var allOptions: [Option] { options + [CommonOptions.color, CommonOptions.help] }
}

/// A command line, and what it does.
package struct Example: Sendable {
  package var line: String
  package var meaning: String

  package init(_ line: String, _ meaning: String) {
    self.line = line
    self.meaning = meaning
  }
}

/// Options that several commands have, so that they read the same everywhere.
package enum CommonOptions {
  package static let help = Option("help", short: "h", "Show this help")
  package static let color = Option(
    "color", .choice("WHEN", ["auto", "always", "never"]),
    "Use colour: auto (the default) is on a terminal only")
  package static let json = Option("json", short: "j", "Write JSON, one document a file")
  package static let jsonLines = Option("json-lines", "Write JSON, one line a file")
  package static let recursive = Option(
    "recursive", short: "r", "Read the movies in folders, and in the folders in them")

  /// Those of a command that reads files.
  package static let input = [json, jsonLines, recursive]
}

/// All commands, in the order in which help lists them.
package enum CommandList {
  package static let all: [any Command.Type] = [
    InfoCommand.self, TreeCommand.self, ParamsCommand.self, NALCommand.self, SamplesCommand.self,
    LayersCommand.self,
    EyesCommand.self, CheckCommand.self, ProbeCommand.self, ExtractCommand.self, ExplainCommand.self,
    CompletionsCommand.self,
  ]

  /// What `mvdump FILE` does.
  package static let standard: any Command.Type = InfoCommand.self

  /// The command of that name.
  package static func named(_ name: String) -> (any Command.Type)? { all.first { $0.name == name } }
}
