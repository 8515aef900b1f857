// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FieldOutput
import MovieEditing
import Multiview

/// `mvedit tag`: sets, copies or removes stereo and spatial tags, and metadata keys.
package enum TagCommand: Command {
  package static let name = "tag"
  package static let summary = "sets, copies or removes stereo and spatial tags, and metadata keys"
  package static let discussion: [String] = [
    "Tags are written to the tracks with two layers; if no track has two, to tracks that already have tags; "
      + "otherwise to all video tracks. --track and --entry narrow the choice. Only the requested tags are "
      + "written, with one exception: the hero eye, the baseline and the disparity are inside the box of the "
      + "eyes, which is added if it is missing, for both eyes unless --eyes specifies otherwise.",
    "Values that contradict each other or the bitstream are refused with the reason, and nothing is written.",
    "With --in-place the new boxes are appended and flushed before the old ones are marked free: at every "
      + "moment the file is a complete movie, with the old tags or the new.",
    "--remove location removes the recording location everywhere in the file: metadata keys, user data of "
      + "the movie and its tracks, Exif, XMP, cover art, maker notes, and boxes that earlier changes in place "
      + "marked free. --remove timed-location also removes the positions in timed metadata tracks. personal "
      + "means names, and devices with their serial numbers; names, devices and dates can also be removed "
      + "separately. In place, the old bytes are overwritten, and --undo cannot restore them. This also works "
      + "with photos (HEIC).",
    "Several movies are changed one after the other, in place or into files named by a pattern in -o: %n is "
      + "the name of the movie without its extension, %f the name with it, %% a %. A movie that cannot be "
      + "changed is reported, and the others are still changed.",
    "A removal that matches nothing is reported, and the exit status is 1; if nothing else changes, nothing "
      + "is written.",
  ]
  package static let operands = Operands.files
  package static let options =
    [WritingOptions.output] + TagOptions.all
    + [
      WritingOptions.inPlace, TagOptions.undo, WritingOptions.dryRun, WritingOptions.force,
      WritingOptions.keepDates, WritingOptions.keepFree,
      WritingOptions.faststart, CommonOptions.json, CommonOptions.jsonLines, CommonOptions.filesFrom,
    ]
  package static let examples = [
    Example(
      "mvedit tag --baseline 63 --field-of-view 63.4 --disparity 0.02 -o spatial.mov movie.mov",
      "Make a two-layer movie spatial"),
    Example(
      "mvedit tag --set vexu:cameraBaseline=63,vexu:horizontalFieldOfView=63.4 -o spatial.mov movie.mov",
      "Use the names and units of the spatial tool"),
    Example(
      "mvedit tag --copy-from original.mov -o fixed.mov remuxed.mp4", "Restore tags that another tool lost"),
    Example(
      "mvedit tag --packing side --eyes left,right -o tagged.mov sbs.mov", "Tag side-by-side pictures"),
    Example(
      "mvedit tag --remove all --in-place movie.mov", "Remove all stereo tags without copying the movie"),
    Example("mvedit tag --undo movie.mov", "Restore them"),
    Example(
      "mvedit tag --field-of-view 63.4 -o 'tagged/%f' *.mov", "Tag many movies"),
    Example(
      "mvedit tag --remove location -o shared.mov movie.mov", "Remove the recording location in all its forms"
    ),
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let arguments = invocation.arguments
    let request = try TagRequest(arguments)
    let destination = try TagDestination(arguments, invocation)
    let paths = arguments.operands
    let outputs = try destination.outputs(of: paths)
    var worst = ExitCode.success
    for (path, output) in zip(paths, outputs) {
      worst = max(
        worst,
        invocation.run { () throws(CommandFailure) in try edit(path, request, output, invocation) })
    }
    return worst
  }

  private static func edit(
    _ path: String, _ request: TagRequest, _ destination: TagDestination, _ invocation: Invocation
  ) throws(CommandFailure) -> TagReport {
    var report = TagReport(file: path, destination: destination)
    if case .undo = destination {
      do { report.written = try MovieEditor.undo(path: path) } catch {
        throw CommandFailure(path, error)
      }
      return report
    }
    let donor = try invocation.openMovie(request.donor)
    let movie = try invocation.openMovie(path)
    do throws(EditError) {
      var editor = try MovieEditor(movie, allowsImages: request.removesPersonalData)
      report.unmatched = try request.apply(to: &editor, copyingFrom: donor)
      report.changes = editor.changes
      report.left = editor.personalDataLeft
      report.otherDates = request.otherDates(in: movie)
      report.erasesFormerBoxes = editor.erasesFormerBoxes
      let options = WritingOptions.options(invocation.arguments)
      // A removal of what is not there is no reason for a copy.
      if !report.unmatched.isEmpty, report.changes.isEmpty, !options.putsMovieFirst { return report }
      let meter = WritingMeter(invocation)
      defer { meter.clear() }
      switch destination {
      case .new(let new):
        let movies = [movie, donor].compactMap { $0 }
        if let output = try new.output(options, of: movies, meter) {
          report.written = try editor.write(to: output, options)
        } else if invocation.arguments.has(WritingOptions.inPlace) {
          try editor.checkInPlace()
        } else {
          _ = try editor.plannedMovie()
        }
      case .inPlace: report.written = try editor.writeInPlace()
      case .undo: break
      }
    } catch { throw CommandFailure(path, error) }
    return report
  }
}

/// Where an edited movie goes.
enum TagDestination: Equatable {
  case inPlace, undo
  case new(OutputDestination)

  init(_ arguments: ParsedArguments, _ invocation: Invocation) throws(UsageError) {
    let choices = [WritingOptions.output, WritingOptions.inPlace, WritingOptions.dryRun, TagOptions.undo]
      .filter(arguments.has)
    // A dry run may say where it would write.
    guard
      choices.count <= 1
        || (choices.count == 2 && arguments.has(WritingOptions.dryRun) && !arguments.has(TagOptions.undo))
    else {
      throw UsageError("\(listed(choices.map { "--" + $0.name }, "and")) cannot be used together")
    }
    // What is changed where it is has no other place for its boxes, and no other dates than those of the change.
    for place in [WritingOptions.inPlace, TagOptions.undo] where arguments.has(place) {
      let others =
        [WritingOptions.faststart, WritingOptions.keepDates, WritingOptions.keepFree]
        + (place.name == TagOptions.undo.name ? [TagOptions.track, TagOptions.entry] : [])
      if let other = others.first(where: arguments.has) {
        throw UsageError("--\(other.name) cannot be used with --\(place.name)")
      }
      if arguments.operands.contains("-") {
        throw UsageError("--\(place.name) changes a file: for standard input, use -o")
      }
    }
    let asks = TagOptions.changes.contains(where: arguments.has)
    if arguments.has(TagOptions.undo) {
      guard !asks else {
        throw UsageError("--undo restores the former tags, and cannot be used with other changes")
      }
      self = .undo
      return
    }
    let isDry = arguments.has(WritingOptions.dryRun), isInPlace = arguments.has(WritingOptions.inPlace)
    guard isDry || isInPlace || arguments.has(WritingOptions.output) else {
      throw UsageError("say where to write: -o FILE, -o - for standard output, or --in-place")
    }
    guard asks || arguments.has(WritingOptions.faststart) else {
      throw UsageError("say what to change: --baseline, --copy-from, --remove, …")
    }
    self = isInPlace && !isDry ? .inPlace : .new(try OutputDestination(arguments, invocation))
  }

  /// Where each movie goes: a name with a % is a pattern.
  func outputs(of paths: [String]) throws(UsageError) -> [TagDestination] {
    guard case .new(let new) = self, paths.count > 1 || new.path?.contains("%") == true else {
      return paths.map { _ in self }
    }
    return try new.each(of: paths).map { .new($0) }
  }
}
