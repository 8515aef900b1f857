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
    let paths = takesSeveral ? arguments.operands : [try WritingOptions.input(arguments)]
    let destination = try OutputDestination(arguments, self)
    let hasPlace = ["%n", "%f"].contains { destination.path?.contains($0) == true }
    let isPattern = takesSeveral && (paths.count > 1 || hasPlace)
    var code = ExitCode.success
    for (path, output) in zip(paths, isPattern ? try destination.each(of: paths) : [destination]) {
      code = max(code, convert(path, to: output, make, report))
    }
    return code
  }

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
