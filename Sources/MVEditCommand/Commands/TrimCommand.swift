// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FieldOutput
import FileAccess
import MovieEditing
import Multiview

/// `mvedit trim`: keeps parts of a movie.
package enum TrimCommand: Command {
  package static let name = "trim"
  package static let summary = "keeps one or more parts of a movie"
  package static let discussion: [String] = [
    "Keeps what is presented from --from up to --to: all tracks, with both eyes, sound, timecode, chapters "
      + "and timed metadata, cut to the same length. Nothing is encoded. A time is in seconds (4.25), minutes "
      + "and seconds (1:04.25), or hours, minutes and seconds (1:00:04); #N is the N-th picture that is "
      + "presented, counted from 0. What begins at --to is not kept. --keep lists several parts, in the order "
      + "in which they are presented: 0-1,5-7, #10-#20 or 1:30-.",
    "Decoding can begin only at a sync sample. If the part begins later, the pictures from the preceding "
      + "sync sample on stay in the file, and the edit list hides them from players. --snap extends the part "
      + "to sync samples instead.",
    "Several movies are cut in the same way, into files named by a pattern in -o: %n is the name of the "
      + "movie without its extension, %f the name with it.",
    "Fragmented movies become ordinary ones. Encrypted tracks, and tables whose values cannot be assigned to "
      + "samples, are refused with the reason.",
  ]
  package static let operands = Operands.files
  package static let options =
    [WritingOptions.output, from, to, keep, snap, keepIdentifier] + WritingOptions.all
  package static let examples = [
    Example("mvedit trim --from 1.5 --to 4.25 -o part.mov movie.mov", "Keep what is shown between two times"),
    Example("mvedit trim --to '#100' -o part.mov movie.mov", "Keep the first hundred pictures"),
    Example("mvedit trim --keep 0-1,5-7 -o parts.mov movie.mov", "Leave out what is between two parts"),
    Example("mvedit trim --to 3 -o 'short/%n.mov' *.mov", "Cut every movie of a folder"),
    Example(
      "mvedit trim --from 1:10 --snap -o part.mov movie.mov",
      "Begin at the preceding sync sample, so that nothing is hidden"),
  ]

  static let from = Option(
    "from", .text("TIME", hint: .nothing), "Where the part begins; the beginning of the movie by default"
  )
  .called("start", "begin", "ss")
  static let to = Option(
    "to", .text("TIME", hint: .nothing),
    "Where the part ends: what begins there is not kept; the end of the movie by default"
  )
  .called("end", "stop")
  static let keep = Option(
    "keep", .text("PARTS", hint: .nothing), "Several parts, in the order in which they are shown: 0-1,5-7")
  static let snap = Option(
    "snap", "Extend the part to sync samples, so that the file has no hidden pictures")
  static let keepIdentifier = Option(
    "keep-identifier", "Keep the key that links a photo to its movie (content.identifier)")

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let arguments = invocation.arguments
    let parts = try parts(arguments)
    let advice = arguments.has(snap) ? "" : "; --snap extends the part to sync samples instead"
    return try invocation.convert(takesSeveral: true) { movie throws(EditError) in
      var trimmer = try MovieTrimmer(movie)
      trimmer.parts = parts
      trimmer.snapsToSyncSamples = arguments.has(snap)
      trimmer.keepsContentIdentifier = arguments.has(keepIdentifier)
      return trimmer
    } report: { report, file, destination in
      let kept = report.ranges.isEmpty ? [report.range] : report.ranges
      let words = kept.map { "\($0.lowerBound.words) to \($0.upperBound.words)" }.joined(separator: ", ")
      var lines = ["keeps \(words): \(report.trackWords)" + report.written.ending]
      lines += report.noticeLines(advice)
      // Of several movies, each line says which one it is about.
      if destination == .nowhere, arguments.operands.count > 1 { lines = lines.map { "\(file): \($0)" } }
      return NewMovieReport(
        name, of: ["file": file], destination, report.written, lines,
        [
          "from": report.range.lowerBound.json, "to": report.range.upperBound.json,
          "parts": JSONList(kept) { ["from": $0.lowerBound.json, "to": $0.upperBound.json] },
        ] + report.json)
    }
  }

  private static func parts(_ arguments: ParsedArguments) throws(UsageError) -> [MovieTrimmer.Part] {
    let (start, end) = (try position(from, arguments), try position(to, arguments))
    guard let text = arguments.text(keep) else {
      guard start != nil || end != nil else {
        throw UsageError("say what to keep: --from TIME, --to TIME, or both; or --keep 0-1,5-7")
      }
      return [MovieTrimmer.Part(from: start, to: end)]
    }
    guard start == nil, end == nil else {
      throw UsageError("--keep names all parts: leave out --from and --to")
    }
    var parts: [MovieTrimmer.Part] = []
    for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let part = MovieTrimmer.Part(piece.filter { $0 != " " }) else {
        throw UsageError("--keep needs parts such as 0-1,5-7, #10-#20 or 1:30-, not '\(piece)'")
      }
      parts.append(part)
    }
    return parts
  }

  private static func position(
    _ option: Option, _ arguments: ParsedArguments
  ) throws(UsageError) -> MoviePosition? {
    guard let text = arguments.text(option) else { return nil }
    guard let position = MoviePosition(text) else {
      throw UsageError("--\(option.name) needs a time such as 4.25, 1:04.25 or #100, not '\(text)'")
    }
    return position
  }
}
