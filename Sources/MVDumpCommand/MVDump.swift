// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// The command line tool.
package enum MVDump {
  /// The version of the package.
  package static let version = "0.1.0"

  /// Runs in this process, and ends it.
  package static func main() -> Never {
    occupyStandardDescriptors()
    ignoreSignalsOfWrites()
    let surroundings = Surroundings.process()
    var code = run(processArguments(), in: surroundings)
    surroundings.output.buffer.flush()
    if let failure = surroundings.output.failure {
      surroundings.report("standard output: \(failure)")
      code = max(code, .unreadable)
    }
    surroundings.errors.buffer.flush()
    endProcess(code.rawValue)
  }

  /// Does what the arguments ask for, unless one of them is no text: repaired it would name another file, which is then
  /// read or even written.
  private static func run(_ arguments: [SystemName], in surroundings: Surroundings) -> ExitCode {
    var texts: [String] = []
    for argument in arguments {
      guard let text = argument.text else {
        surroundings.report(
          "the argument '\(ValueText.printable(argument.shown))' is no UTF-8. "
            + "Give the file another name, or send it through a pipe.")
        return .unreadable
      }
      texts.append(text)
    }
    return run(texts, in: surroundings)
  }

  /// Does what `arguments` ask for; they come without the name of the tool.
  package static func run(_ arguments: [String], in surroundings: Surroundings) -> ExitCode {
    guard let first = arguments.first else {
      surroundings.report("no file is named. Try: mvdump FILE, or mvdump --help")
      return .usage
    }
    switch first {
    case "--version":
      surroundings.output.buffer.append("mvdump \(version)\n")
      return .success
    case "-h", "--help":
      HelpText(surroundings).writeOverview()
      return .success
    case "--man":
      ManPage.write(to: surroundings.output.buffer)
      return .success
    case "help":
      return help(Array(arguments.dropFirst()), surroundings)
    default: break
    }
    if let command = CommandList.named(first) {
      return run(command, Array(arguments.dropFirst()), surroundings)
    }
    if let slip = commandSlip(first) {
      surroundings.report(slip)
      return .usage
    }
    return run(CommandList.standard, arguments, surroundings)
  }

  private static func help(_ arguments: [String], _ surroundings: Surroundings) -> ExitCode {
    guard let name = arguments.first, !name.hasPrefix("-"), name != "help" else {
      HelpText(surroundings).writeOverview()
      return .success
    }
    guard let command = CommandList.named(name) else {
      surroundings.report(
        "no command '\(ValueText.printable(name))'"
          + didYouMean(name, among: CommandList.all.map { $0.name }, orList: true))
      return .usage
    }
    HelpText(surroundings).write(command)
    return .success
  }

  /// A word that names neither a command nor a file.
  private static func commandSlip(_ word: String) -> String? {
    let looksLikeAWord = word.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) }
    guard looksLikeAWord, pathKind(word) == nil else { return nil }
    let known = nearest(word, among: CommandList.all.map { $0.name } + ["help"])
    let advice =
      known.isEmpty
      ? "mvdump --help lists the commands"
      : "did you mean \(listed(known.map { "'mvdump \($0)'" }, "or"))?"
    return "no command and no file '\(word)'; " + advice
  }

  private static func run(
    _ command: any Command.Type, _ arguments: [String], _ surroundings: Surroundings
  ) -> ExitCode {
    let scanner = ArgumentScanner(
      command: command.name, options: command.allOptions, operands: command.operands)
    do {
      let parsed = try scanner.scan(arguments)
      if parsed.has(CommonOptions.help) {
        HelpText(surroundings, parsed).write(command)
        return .success
      }
      try scanner.checkOperands(parsed)
      try RowOptions.checkFormat(parsed)
      return try command.run(Invocation(parsed, surroundings))
    } catch {
      surroundings.report(
        "\(command.name): \(ValueText.printable(error.message)) (see: mvdump \(command.name) --help)")
      return .usage
    }
  }
}
