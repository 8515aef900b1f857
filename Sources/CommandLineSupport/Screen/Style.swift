// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding
package import FieldOutput

/// How text looks: coloured on a terminal, plain everywhere else.
package struct Style: Sendable {
  /// Whether there is colour.
  package let isColored: Bool

  package static let plain = Style(isColored: false)

  package init(isColored: Bool) { self.isColored = isColored }

  /// What `--color` says; with `auto`, colour on a terminal that can show it, unless `NO_COLOR` is set.
  package static func chosen(
    _ choice: String?, for output: OutputChannel, _ environment: (String) -> String?
  ) -> Style {
    switch choice {
    case "always": return Style(isColored: true)
    case "never": return .plain
    default:
      let isRefused = environment("NO_COLOR").map { !$0.isEmpty } ?? false
      let isDumb = environment("TERM") == "dumb"
      return Style(isColored: output.isTerminal && !isRefused && !isDumb)
    }
  }

  private func wrap(_ text: String, _ code: String) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  /// What matters most.
  package func strong(_ text: String) -> String { wrap(text, "1") }
  /// What is less important.
  package func faint(_ text: String) -> String { wrap(text, "2") }
  /// What precedes and follows less important text that is written piece by piece.
  package var beforeFaint: StaticString { isColored ? "\u{1B}[2m" : "" }
  package var afterFaint: StaticString { isColored ? "\u{1B}[0m" : "" }
  /// What precedes and follows a name that is not text yet.
  package var beforeName: StaticString { isColored ? "\u{1B}[1;36m" : "" }
  package var afterName: StaticString { afterFaint }
  /// The names of things: box types, commands.
  package func name(_ text: String) -> String { wrap(text, "1;36") }
  /// What is wrong.
  package func problem(_ text: String) -> String { wrap(text, "1;31") }
  /// What may be wrong.
  package func warning(_ text: String) -> String { wrap(text, "33") }
  /// How bad something is.
  package func word(_ severity: Diagnostic.Severity) -> String {
    switch severity {
    case .error: problem("error")
    case .warning: warning("warning")
    case .note: faint("note")
    }
  }
  /// What is right.
  package func good(_ text: String) -> String { wrap(text, "32") }

  /// The same for fields.
  package var fields: TextStyle { isColored ? .colored : .plain }
}
