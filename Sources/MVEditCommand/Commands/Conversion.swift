// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import MovieEditing
import Multiview

extension Invocation {
  /// Makes another movie of the one that the command line names, or says what would be made.
  ///
  /// - Parameters:
  ///   - make: how it is made.
  ///   - report: makes the report on it: of which file, where it went, and what is in it.
  func convert<Conversion: MovieConversion>(
    _ make: (MovieFile) throws(EditError) -> Conversion,
    report: (String, OutputDestination, Conversion.Report) -> some CommandReport
  ) throws(UsageError) -> ExitCode {
    let path = try WritingOptions.input(arguments)
    let destination = try OutputDestination(arguments, self)
    return run { () throws(CommandFailure) in
      let movie = try openMovie(path)
      do throws(EditError) {
        let conversion = try make(movie)
        let options = WritingOptions.options(arguments)
        guard let output = try destination.output(options, of: [movie]) else {
          return report(path, destination, try conversion.plannedReport())
        }
        return report(path, destination, try conversion.write(to: output, options))
      } catch { throw CommandFailure(path, error) }
    }
  }
}
