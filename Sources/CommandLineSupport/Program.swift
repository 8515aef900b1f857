// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FieldOutput
import FileAccess

/// A program of several commands: all that parsing, help, completions and the manual page are derived from.
package struct Program: Sendable {
  /// What people type.
  package let name: String
  /// The version that `--version` answers.
  package let version: String
  /// What it is for, in half a line, without a full stop.
  package let purpose: String
  /// What it does, for the manual page: a sentence or two.
  package let description: String
  /// Its commands, in the order in which help lists them.
  package let commands: [any Command.Type]
  /// The command that runs if none is named; `nil` if one must be.
  package let standard: (any Command.Type)?
  /// What each exit status means.
  package let exitStatus: [(code: ExitCode, meaning: String)]
  /// Command lines that show what it is for.
  package let examples: [Example]
  /// The program for what this one does not do, with the names of its commands.
  package let neighbour: (name: String, commands: [String])?
  /// The environment variables that every program looks at.
  package let environment = [
    (name: "NO_COLOR", meaning: "Disables colour if set and not empty"),
    (name: "TERM", meaning: "Disables colour if set to dumb"),
  ]

  package init(
    name: String, version: String, purpose: String, description: String, commands: [any Command.Type],
    standard: (any Command.Type)?, exitStatus: [(code: ExitCode, meaning: String)], examples: [Example],
    neighbour: (name: String, commands: [String])? = nil
  ) {
    self.name = name
    self.version = version
    self.purpose = purpose
    self.description = description
    self.commands = commands
    self.standard = standard
    self.exitStatus = exitStatus
    self.examples = examples
    self.neighbour = neighbour
  }

  /// The command of that name.
  package func command(named name: String) -> (any Command.Type)? { commands.first { $0.name == name } }

  /// Says something on standard error, in one line, after what was written so far.
  package func report(_ message: String, in surroundings: Surroundings) {
    surroundings.report(name + ": " + message)
  }
}

extension Program {
  /// Runs in this process, and ends it.
  package func main() -> Never {
    occupyStandardDescriptors()
    ignoreSignalsOfWrites()
    let surroundings = Surroundings.process()
    var code = run(processArguments(), in: surroundings)
    surroundings.output.buffer.flush()
    if let failure = surroundings.output.failure {
      report("standard output: \(failure)", in: surroundings)
      code = max(code, .unreadable)
    }
    surroundings.errors.buffer.flush()
    endProcess(code.rawValue)
  }

  /// Does what the arguments ask for, unless one of them is not UTF-8: repaired, it could name another file, which would then be
  /// read or even written.
  private func run(_ arguments: [SystemName], in surroundings: Surroundings) -> ExitCode {
    var texts: [String] = []
    for argument in arguments {
      guard let text = argument.text else {
        // What follows an option may be its value.
        let isValue = texts.last?.hasPrefix("--") == true || argument.shown.hasPrefix("-")
        report(
          "the argument '\(ValueText.printable(argument.shown))' is not UTF-8. "
            + (isValue
              ? "Give values in UTF-8; rename a file, or send it through a pipe."
              : "Rename the file, or send it through a pipe."),
          in: surroundings)
        return .unreadable
      }
      texts.append(text)
    }
    return run(texts, in: surroundings)
  }

  /// Does what `arguments` ask for; they come without the name of the tool.
  package func run(_ arguments: [String], in surroundings: Surroundings) -> ExitCode {
    guard let first = arguments.first else {
      report(
        standard == nil
          ? "no command given. Try: \(name) --help"
          : "no file given. Try: \(name) FILE, or \(name) --help",
        in: surroundings)
      return .usage
    }
    switch first {
    case "--version":
      surroundings.output.buffer.append("\(name) \(version)\n")
      return .success
    case "-h", "--help":
      HelpText(self, surroundings).writeOverview()
      return .success
    case "--man":
      ManPage(self).write(to: surroundings.output.buffer)
      return .success
    case "help":
      return help(Array(arguments.dropFirst()), surroundings)
    default: break
    }
    if let command = command(named: first) {
      return run(command, Array(arguments.dropFirst()), surroundings)
    }
    if let slip = commandSlip(first) {
      report(slip, in: surroundings)
      return .usage
    }
    guard let standard else {
      report(
        "unknown command '\(ValueText.printable(first))'; \(name) --help lists the commands", in: surroundings
      )
      return .usage
    }
    return run(standard, arguments, surroundings)
  }

  private func help(_ arguments: [String], _ surroundings: Surroundings) -> ExitCode {
    guard let topic = arguments.first, !topic.hasPrefix("-"), topic != "help" else {
      HelpText(self, surroundings).writeOverview()
      return .success
    }
    guard let command = command(named: topic) else {
      report(
        "unknown command '\(ValueText.printable(topic))'"
          + didYouMean(topic, among: commands.map { $0.name }, orList: true), in: surroundings)
      return .usage
    }
    HelpText(self, surroundings).write(command)
    return .success
  }

  /// The names of commands in other programs.
  private static let synonyms = [
    "cut": "trim", "concat": "join", "convert": "encode", "transcode": "encode", "demux": "extract",
  ]

  /// A word that names neither a command nor a file.
  private func commandSlip(_ word: String) -> String? {
    let looksLikeAWord = word.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) }
    guard looksLikeAWord, standard == nil || pathKind(word) == nil else { return nil }
    if let neighbour, neighbour.commands.contains(word) {
      return "no command '\(word)'; that is \(neighbour.name) \(word)"
    }
    if let other = Self.synonyms[word], command(named: other) != nil {
      return "no command '\(word)'; that is \(name) \(other)"
    }
    if let other = Self.synonyms[word], let neighbour, neighbour.commands.contains(other) {
      return "no command '\(word)'; that is \(neighbour.name) \(other)"
    }
    let known = nearest(word, among: commands.map { $0.name } + ["help"])
    let advice =
      known.isEmpty
      ? "\(name) --help lists the commands"
      : "did you mean \(listed(known.map { "'\(name) \($0)'" }, "or"))?"
    return (standard == nil ? "unknown command" : "no command or file") + " '\(word)'; " + advice
  }

  private func run(
    _ command: any Command.Type, _ arguments: [String], _ surroundings: Surroundings
  ) -> ExitCode {
    let scanner = ArgumentScanner(
      command: command.name, options: command.allOptions, operands: command.operands)
    do {
      var parsed = try scanner.scan(arguments)
      if parsed.has(CommonOptions.help) {
        HelpText(self, surroundings, parsed).write(command)
        return .success
      }
      if let list = parsed.text(CommonOptions.filesFrom) {
        do throws(InputError) { try parsed.addFiles(listedIn: list, surroundings) } catch {
          report("\(list == "-" ? "standard input" : list): \(error.message)", in: surroundings)
          return .unreadable
        }
      }
      try scanner.checkOperands(parsed)
      try CommonOptions.checkFormat(parsed)
      return try command.run(Invocation(self, command, parsed, surroundings))
    } catch {
      report(
        "\(command.name): \(ValueText.printable(error.message)) (see: \(name) \(command.name) --help)",
        in: surroundings)
      return .usage
    }
  }
}
