// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import MovieEditing
import Multiview

extension Invocation {
  /// Makes another movie of the one that the command line names, or of each of several, or says what would be made.
  ///
  /// - Parameters:
  ///   - takesSeveral: whether several movies are taken, whose outputs have names by a pattern.
  ///   - make: how it is made.
  ///   - report: makes the report on it: of which file, where it went, and what is in it.
  func convert<Conversion: MovieConversion>(
    takesSeveral: Bool = false,
    _ make: (MovieFile) throws(EditError) -> Conversion,
    report: (String, OutputDestination, Conversion.Report) -> some CommandReport
  ) throws(UsageError) -> ExitCode {
    guard takesSeveral, let pattern = arguments.text(WritingOptions.output) ?? severalWithoutOutput,
      arguments.operands.count > 1 || OutputNames.isPattern(pattern)
    else {
      let path = try WritingOptions.input(arguments)
      return convert(path, to: try OutputDestination(arguments, self), make, report)
    }
    let isDry = arguments.has(WritingOptions.dryRun)
    if !isDry { _ = try OutputDestination(arguments, self) }
    let names = isDry ? [] : try OutputNames.names(pattern, for: arguments.operands)
    var code = ExitCode.success
    for (index, path) in arguments.operands.enumerated() {
      code = max(code, convert(path, to: isDry ? .nowhere : .file(names[index]), make, report))
    }
    return code
  }

  /// A pattern for several movies for which nothing is written; `nil` for one.
  private var severalWithoutOutput: String? { arguments.operands.count > 1 ? "" : nil }

  private func convert<Conversion: MovieConversion>(
    _ path: String, to destination: OutputDestination,
    _ make: (MovieFile) throws(EditError) -> Conversion,
    _ report: (String, OutputDestination, Conversion.Report) -> some CommandReport
  ) -> ExitCode {
    run { () throws(CommandFailure) in
      let movie = try openMovie(path)
      do throws(EditError) {
        let conversion = try make(movie)
        let options = WritingOptions.options(arguments)
        let meter = WritingMeter(self)
        defer { meter.clear() }
        guard let output = try destination.output(options, of: [movie], meter) else {
          return report(path, destination, try conversion.plannedReport())
        }
        return report(path, destination, try conversion.write(to: output, options))
      } catch { throw CommandFailure(path, error) }
    }
  }
}
