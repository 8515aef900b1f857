// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import MovieEditing

/// Options of every command that writes a movie, so that they read the same everywhere.
enum WritingOptions {
  static let output = Option(
    "output", short: "o", .text("FILE", hint: .file), "Where to write; - is standard output")
  static let force = Option("force", short: "f", "Replace the file if it exists")
  static let keepDates = Option("keep-dates", "Give the new file the file dates and permissions of the movie")
  static let keepFree = Option(
    "keep-free",
    "Keep the bytes of free space, which may hold former boxes; otherwise they are set to zero")
  static let faststart = Option("faststart", "Move the boxes that describe the movie before the media data")
  static let dryRun = Option("dry-run", short: "n", "Show what would change, and write nothing")
  static let inPlace = Option(
    "in-place", "Change the file itself: new boxes are appended, and the old ones are marked free")

  /// The options of commands that make another movie.
  static let all = [
    dryRun, force, keepDates, keepFree, faststart, CommonOptions.json, CommonOptions.jsonLines,
  ]

  /// The single movie of the command line.
  static func input(_ arguments: ParsedArguments) throws(UsageError) -> String {
    guard arguments.operands.count == 1, let path = arguments.operands.first else {
      throw UsageError("takes one movie")
    }
    return path
  }

  static func options(_ arguments: ParsedArguments) -> MovieWriteOptions {
    var options = MovieWriteOptions()
    options.isOverwriting = arguments.has(force)
    options.keepsDates = arguments.has(keepDates)
    options.putsMovieFirst = arguments.has(faststart)
    options.keepsFreeSpace = arguments.has(keepFree)
    return options
  }
}
