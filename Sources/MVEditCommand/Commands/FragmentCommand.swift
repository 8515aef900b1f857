// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FieldOutput
import FileAccess
import MovieEditing
import Multiview

/// `mvedit fragment`: puts the samples of a movie into fragments.
package enum FragmentCommand: Command {
  package static let name = "fragment"
  package static let summary = "puts the samples of a movie into fragments, for streaming"
  package static let discussion: [String] = [
    "Each fragment begins with a sync sample of the main track, lasts at least --duration, and can be "
      + "decoded by itself: it has its decoding time (tfdt), signed composition offsets, and data offsets "
      + "relative to the fragment. Sample entries with their layers and tags, edit lists, sample groups, "
      + "dependencies and metadata are kept. A fragmented movie gets new fragments.",
    "Media data are copied unchanged. The descriptions of all fragments are held in memory, about as much "
      + "as the sample tables of the movie; the media data never are.",
    "Some players, including those with FFmpeg's demuxer, show pictures late if composition offsets in "
      + "fragments are signed. --reorder edit writes unsigned offsets, and an edit that begins later by the "
      + "same time.",
    "Encrypted tracks, and tables with values that fragments cannot express, are refused with the reason. "
      + "mvedit flatten is the reverse.",
  ]
  package static let operands = Operands.file
  package static let options = [
    WritingOptions.output, duration, index, segmentTypes, reorder, WritingOptions.dryRun,
    WritingOptions.force, WritingOptions.keepDates, WritingOptions.keepFree,
    CommonOptions.json, CommonOptions.jsonLines,
  ]
  package static let examples = [
    Example("mvedit fragment -o fragmented.mp4 movie.mp4", "Fragments of at least two seconds"),
    Example(
      "mvedit fragment --duration 6 --sidx -o fragmented.mp4 movie.mp4",
      "Fragments of at least six seconds, with an index"),
    Example("mvedit fragment -o - movie.mp4 | player -", "Write into a pipe"),
  ]

  static let duration = Option(
    "duration", .text("SECONDS", hint: .nothing),
    "The minimum duration of a fragment (2); it ends before the next sync sample")
  static let index = Option("sidx", "Write an index of all fragments before them (sidx)")
  static let segmentTypes = Option(
    "styp", "Begin each fragment with its brands (styp), as in separate segment files")

  static let reorder = Option(
    "reorder", .choice("FORM", ["ctts1", "edit"]),
    "How the presentation order is written: by signed offsets (ctts1), or by an edit")

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let arguments = invocation.arguments
    let length = try seconds(duration, arguments)
    return try invocation.convert { movie throws(EditError) in
      var fragmenter = try MovieFragmenter(movie)
      if let length { fragmenter.duration = length }
      fragmenter.writesIndex = arguments.has(index)
      fragmenter.writesSegmentTypes = arguments.has(segmentTypes)
      fragmenter.writesEditsForOffsets = arguments.text(reorder) == "edit"
      return fragmenter
    } report: {
      $0.ofCommand(name, on: $1, $2)
    }
  }

  /// A duration that is longer than 0.
  static func seconds(_ option: Option, _ arguments: ParsedArguments) throws(UsageError) -> MediaTime? {
    guard let text = arguments.text(option) else { return nil }
    guard case .time(let time)? = MoviePosition(text), time.value > 0 else {
      throw UsageError("--\(option.name) needs seconds such as 2 or 4.004, not '\(text)'")
    }
    return time
  }
}

/// `mvedit flatten`: makes an ordinary movie of a fragmented one.
package enum FlattenCommand: Command {
  package static let name = "flatten"
  package static let summary = "makes an ordinary movie from a fragmented one"
  package static let discussion: [String] = [
    "Moves the descriptions of samples from the fragments into tables: times, sync samples, dependencies, "
      + "groups. Indexes of fragments (sidx, mfra) and brands that promise fragments are removed. Everything "
      + "else is kept, including the bytes of all samples.",
    "A movie that is not fragmented is copied, with free space set to zero. An init segment alone has no samples: append its "
      + "media segments first.",
  ]
  package static let operands = Operands.file
  package static let options = [
    WritingOptions.output, WritingOptions.dryRun, WritingOptions.force, WritingOptions.keepDates,
    WritingOptions.keepFree, WritingOptions.faststart, CommonOptions.json, CommonOptions.jsonLines,
  ]
  package static let examples = [
    Example(
      "mvedit flatten -o movie.mp4 fragmented.mp4", "One movie box with tables, and one piece of media data"),
    Example(
      "cat init.mp4 $(ls segment*.m4s | sort -V) | mvedit flatten -o movie.mp4 -",
      "A downloaded stream; the segments in the order of their numbers"),
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    try invocation.convert { movie throws(EditError) in
      try MovieFlattener(movie)
    } report: {
      $0.ofCommand(name, on: $1, $2)
    }
  }
}

extension FragmentReport {
  /// The report of `mvedit fragment` or `mvedit flatten`.
  fileprivate func ofCommand(
    _ command: String, on file: String, _ destination: OutputDestination
  ) -> NewMovieReport {
    let isFragmented = command == FragmentCommand.name
    let count = Quantity.count(fragments, "fragment")
    let samples =
      Quantity.count(tracks.reduce(0) { $0 + $1.samples }, "sample") + " in "
      + Quantity.count(tracks.count, "track")
    let line =
      if isFragmented {
        "\(count) of up to \(longest.words), \(samples)"
      } else if fragments > 0 {
        "\(samples) from \(count)"
      } else {
        "the movie has no fragments: nothing needed to change"
      }
    let rows = JSONList(rows: tracks) {
      ["track": $0.id, "mediaType": "\($0.mediaType)", "samples": $0.samples]
    }
    var all: JSONObject = ["fragments": fragments]
    if isFragmented { all = all + ["longest": longest.json] }
    return NewMovieReport(
      command, of: ["file": file], destination, written, [line + written.ending] + notices.map(\.message),
      all + [
        "tracks": rows, "notices": JSONList(rows: notices) { ["kind": $0.kind, "message": $0.message] },
      ])
  }
}
