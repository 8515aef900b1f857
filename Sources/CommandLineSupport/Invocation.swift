// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding
package import FieldOutput
package import FileAccess

/// One run of a command: what was asked, and where to answer.
package struct Invocation {
  /// The program that was run.
  package let program: Program
  /// The command that was named.
  package let command: any Command.Type
  /// The parsed command line.
  package let arguments: ParsedArguments
  /// Where to answer.
  package let surroundings: Surroundings
  /// How text looks on standard output.
  package let style: Style
  /// The inputs that a writing command has opened.
  package let opened = OpenedSources()

  package init(
    _ program: Program, _ command: any Command.Type, _ arguments: ParsedArguments,
    _ surroundings: Surroundings
  ) {
    self.program = program
    self.command = command
    self.arguments = arguments
    self.surroundings = surroundings
    style = Style.chosen(
      arguments.text(CommonOptions.color), for: surroundings.output, surroundings.environment)
  }

  /// Standard output.
  package var out: OutputBuffer { surroundings.output.buffer }

  /// Whether the reader of standard output has gone.
  package var isOutputClosed: Bool { surroundings.output.isClosed }

  /// How many columns text may take.
  package var columns: Int { min(max(surroundings.output.columns ?? 100, 60), 160) }

  /// Whether JSON is wanted.
  package var isJSON: Bool {
    arguments.has(CommonOptions.json) || arguments.has(CommonOptions.jsonLines)
  }

  /// Whether comma-separated values are wanted.
  package var isCSV: Bool { arguments.has(CommonOptions.csv) }

  /// A writer of JSON to standard output: over several lines, or on one.
  package func jsonWriter() -> JSONWriter {
    JSONWriter(out, pretty: !arguments.has(CommonOptions.jsonLines))
  }

  /// Says something on standard error, in one line.
  package func report(_ message: String) { program.report(message, in: surroundings) }

  /// Says what is the matter with a file, in one line.
  package func report(_ file: String, _ message: String) {
    report(file + ": " + message)
  }
}

/// What was opened since the last check.
package final class OpenedSources {
  private var sources: [any ByteSource] = []

  /// Adds a source.
  package func add(_ source: any ByteSource) { sources.append(source) }

  /// Forgets the sources, and returns why bytes of one of them could not be read; `nil` if all could.
  package func takeReadFailure() -> SourceError? {
    defer { sources = [] }
    return sources.lazy.compactMap { $0.readFailure }.first
  }
}

extension Surroundings {
  /// Says something on standard error, in one line, after what was written so far.
  func report(_ message: String) {
    output.buffer.flush()
    errors.buffer.append(ValueText.printable(message) + "\n")
    errors.buffer.flush()
  }
}
