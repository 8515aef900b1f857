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
  ///   - report: makes the report of the command: of which file, and where the movie went.
  func convert<Conversion: MovieConversion>(
    takesSeveral: Bool = false,
    _ make: (MovieFile) throws(EditError) -> Conversion,
    report: (Conversion.Report, String, OutputDestination) -> NewMovieReport
  ) throws(UsageError) -> ExitCode {
    let paths = takesSeveral ? arguments.operands : [try WritingOptions.input(arguments)]
    let destination = try OutputDestination(arguments, self)
    let hasPlace = ["%n", "%f"].contains { destination.path?.contains($0) == true }
    let isPattern = takesSeveral && (paths.count > 1 || hasPlace)
    var code = ExitCode.success
    for (path, output) in zip(paths, isPattern ? try destination.each(of: paths) : [destination]) {
      let done = run { () throws(CommandFailure) in
        let movie = try openMovie(path)
        do throws(EditError) {
          return report(try carryOut(try make(movie), to: output), path, output)
        } catch { throw CommandFailure(path, error) }
      }
      code = max(code, done)
    }
    return code
  }

  /// Writes the movie that a conversion makes; on a dry run, only plans it.
  func carryOut<Conversion: MovieConversion>(
    _ conversion: Conversion, to destination: OutputDestination
  ) throws(EditError) -> Conversion.Report {
    let options = WritingOptions.options(arguments)
    let meter = WritingMeter(self)
    defer { meter.clear() }
    guard let output = try destination.output(options, of: conversion.movies, meter) else {
      return try conversion.plannedReport()
    }
    return try conversion.write(to: output, options)
  }
}
