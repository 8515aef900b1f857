// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// Writes help from the declarations of the commands.
package struct HelpText {
  private let program: Program
  private let out: OutputBuffer
  private let style: Style
  private let columns: Int

  /// Writes to standard output.
  package init(
    _ program: Program, _ surroundings: Surroundings, _ arguments: ParsedArguments = ParsedArguments()
  ) {
    self.program = program
    out = surroundings.output.buffer
    style = Style.chosen(
      arguments.text(CommonOptions.color), for: surroundings.output, surroundings.environment)
    columns = min(max(surroundings.output.columns ?? 100, 60), 100)
  }

  // MARK: Pages

  /// The page of the tool as a whole.
  package func writeOverview() {
    heading(program.name, program.purpose)
    section("Usage")
    line("  \(program.name) \(program.standard == nil ? "COMMAND" : "[COMMAND]") [options] FILE…")
    if let standard = program.standard {
      let other = program.commands.first { $0.name != standard.name } ?? standard
      line("")
      paragraph(
        "Without a command, \(program.name) runs \(standard.name). "
          + "If a file has the name of a command, write ./\(other.name).", 2)
    }
    section("Commands")
    table(program.commands.map { ($0.name, $0.summary) }, isName: true)
    section("Options")
    table(
      [
        ("-h, --help", "Show this help; after a command, the help of that command"),
        ("    --version", "Show the version"),
      ])
    section("Examples")
    list(program.examples)
    section("Exit status")
    table(program.exitStatus.map { (String($0.code.rawValue), $0.meaning) })
    line("")
    line("For more about a command: \(program.name) COMMAND --help")
  }

  /// The page of one command.
  package func write(_ command: any Command.Type) {
    heading(program.name + " " + command.name, command.summary)
    section("Usage")
    line("  \(program.name) \(command.name) [options]\(command.operands.usage)")
    for text in command.discussion {
      line("")
      paragraph(text, 2)
    }
    section("Options")
    table(
      command.allOptions.filter { !$0.isHidden }
        .map { ($0.usage, $0.fullHelp + ($0.isRepeatable ? " (may be repeated)" : "")) })
    section("Examples")
    list(command.examples)
  }

  // MARK: Pieces

  private func line(_ text: String) { out.append(text + "\n") }

  private func heading(_ name: String, _ text: String) { line(style.strong(name) + " – " + text) }

  private func section(_ name: String) {
    line("")
    line(style.strong(name + ":"))
  }

  private func paragraph(_ text: String, _ indentation: Int) {
    for piece in wrapped(text, columns - indentation) {
      line(.spaces(indentation) + piece)
    }
  }

  private func table(_ rows: [(String, String)], isName: Bool = false) {
    let width = rows.map { $0.0.count }.max() ?? 0
    for (left, right) in rows {
      let padding = String.spaces(width - left.count)
      for (index, piece) in wrapped(right, columns - width - 4).enumerated() {
        line(
          index == 0
            ? "  " + (isName ? style.name(left) : left) + padding + "  " + piece
            : .spaces(width + 4) + piece)
      }
    }
  }

  private func list(_ examples: [Example]) {
    for example in examples {
      line("  " + example.line)
      for piece in wrapped(example.meaning, columns - 6) { line("      " + style.faint(piece)) }
    }
  }
}

/// Returns the text in lines with a largest number of columns, broken at spaces.
package func wrapped(_ text: String, _ columns: Int) -> [String] {
  var lines: [String] = []
  var current = ""
  for word in text.split(separator: " ") {
    if !current.isEmpty, current.columnCount + 1 + String(word).columnCount > columns {
      lines.append(current)
      current = ""
    }
    current += (current.isEmpty ? "" : " ") + word
  }
  if !current.isEmpty || lines.isEmpty { lines.append(current) }
  return lines
}
