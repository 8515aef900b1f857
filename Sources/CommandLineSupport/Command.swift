// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// One subcommand: what it is called, what it takes, and what it does.
///
/// A new command is one file with a type that conforms, and one line in the list of its ``Program``. Help, completions and
/// the manual page follow from the declarations.
package protocol Command: SendableMetatype {
  /// What people type.
  static var name: String { get }
  /// What it answers, in half a line, without a full stop.
  static var summary: String { get }
  /// What else there is to know, a paragraph each.
  static var discussion: [String] { get }
  /// What the command line has besides options.
  static var operands: Operands { get }
  /// Its options; every command also has `--help` and `--color`.
  static var options: [Option] { get }
  /// Command lines that show what it is for.
  static var examples: [Example] { get }
  /// Runs the command.
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
    "When to use colour: always, never or auto (the default: on a terminal only)"
  )
  .replaceable()
  package static let json = Option("json", short: "j", "Write JSON, one document per file")
  package static let jsonLines = Option("json-lines", "Write JSON, one line per file")
  package static let recursive = Option(
    "recursive", short: "r", "Read the movies in folders and their subfolders")
  package static let csv = Option("csv", "Write comma-separated values, with a header line")

  package static let filesFrom = Option(
    "files-from", .text("LIST", hint: .file),
    "Also read the files named in LIST, one per line or zero-terminated; - is standard input"
  )
  .standingAlone()

  /// The options of a command that reads files.
  package static let input = [json, jsonLines, recursive, filesFrom]

  /// One document cannot be a table and JSON.
  static func checkFormat(_ arguments: ParsedArguments) throws(UsageError) {
    for other in [json, jsonLines] where arguments.has(csv) && arguments.has(other) {
      throw UsageError("--csv and --\(other.name) cannot be used together")
    }
  }
}
