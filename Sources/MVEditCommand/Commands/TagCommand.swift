// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FieldOutput
import FileAccess
import MovieEditing
import Multiview

/// `mvedit tag`: sets, copies or removes stereo and spatial tags, and metadata keys.
package enum TagCommand: Command {
  package static let name = "tag"
  package static let summary = "sets, copies or removes stereo and spatial tags, and metadata keys"
  package static let discussion = [
    "Tags are written to the tracks with two layers; where no track has two, to those that have tags already, otherwise to all "
      + "video. --track and --entry narrow that. What is not asked for is not written, with one exception: the hero eye, the "
      + "baseline and the disparity are in the box of the eyes, which is added where it is missing: for both eyes, unless --eyes says "
      + "otherwise.",
    "Values that contradict each other or the bitstream are refused with the reason, and nothing is written.",
    "With --in-place the new boxes are appended and flushed before the old ones are marked free: at every moment the file is "
      + "a complete movie, with the old tags or the new.",
  ]
  package static let operands = Operands.files
  package static let options =
    [WritingOptions.output] + TagOptions.all
    + [
      WritingOptions.inPlace, TagOptions.undo, WritingOptions.dryRun, WritingOptions.force,
      WritingOptions.keepDates,
      WritingOptions.faststart, CommonOptions.json, CommonOptions.jsonLines,
    ]
  package static let examples = [
    Example(
      "mvedit tag --baseline 63 --field-of-view 63.4 --disparity 0.02 -o spatial.mov movie.mov",
      "Make a movie of two layers spatial"),
    Example(
      "mvedit tag --set vexu:cameraBaseline=63,vexu:horizontalFieldOfView=63.4 -o spatial.mov movie.mov",
      "The same names and units as the tool spatial"),
    Example(
      "mvedit tag --copy-from original.mov -o fixed.mov remuxed.mp4", "Bring back the tags that a tool lost"),
    Example(
      "mvedit tag --packing side --eyes left,right -o tagged.mov sbs.mov", "Tag pictures that hold two views"),
    Example(
      "mvedit tag --remove all --in-place movie.mov", "Remove all stereo tags without copying the movie"),
    Example("mvedit tag --undo movie.mov", "Bring them back"),
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let arguments = invocation.arguments
    let path = try WritingOptions.input(arguments)
    let request = try TagRequest(arguments)
    let destination = try TagDestination(arguments, invocation)
    return invocation.run { () throws(CommandFailure) in
      try edit(path, request, destination, invocation)
    }
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
    var donor: MovieFile?
    if let path = request.donor { donor = try invocation.openMovie(path) }
    let movie = try invocation.openMovie(path)
    do throws(EditError) {
      var editor = try MovieEditor(movie)
      try request.apply(to: &editor, copyingFrom: donor)
      report.changes = editor.changes
      let options = WritingOptions.options(invocation.arguments)
      switch destination {
      case .nowhere:
        if invocation.arguments.has(WritingOptions.inPlace) { try editor.checkInPlace() }
        _ = try editor.plannedMovie()
      case .file(let path): report.written = try editor.write(to: path, options: options)
      case .inPlace: report.written = try editor.writeInPlace()
      case .standardOutput:
        let output = SafeOutput(
          descriptor: 1, name: "standard output", inputs: [movie, donor].compactMap { $0?.source })
        report.written = try editor.write(to: output, options)
      case .undo: break
      }
    } catch { throw CommandFailure(path, error) }
    return report
  }
}

/// Where an edited movie goes.
enum TagDestination: Equatable {
  case nowhere, inPlace, undo, standardOutput
  case file(String)

  init(_ arguments: ParsedArguments, _ invocation: Invocation) throws(UsageError) {
    let choices = [WritingOptions.output, WritingOptions.inPlace, WritingOptions.dryRun, TagOptions.undo]
      .filter(arguments.has)
    // A dry run may say where it would write.
    guard
      choices.count <= 1
        || (choices.count == 2 && arguments.has(WritingOptions.dryRun) && !arguments.has(TagOptions.undo))
    else {
      throw UsageError("\(listed(choices.map { "--" + $0.name }, "and")) cannot be asked for together")
    }
    // What is changed where it is has no other place for its boxes, and no other dates than those of the change.
    for place in [WritingOptions.inPlace, TagOptions.undo] where arguments.has(place) {
      let others =
        [WritingOptions.faststart, WritingOptions.keepDates]
        + (place.name == TagOptions.undo.name ? [TagOptions.track, TagOptions.entry] : [])
      if let other = others.first(where: arguments.has) {
        throw UsageError("--\(other.name) means nothing with --\(place.name)")
      }
      if arguments.operands == ["-"] {
        throw UsageError("--\(place.name) changes a file; standard input goes with -o")
      }
    }
    let asks = TagOptions.changes.contains(where: arguments.has)
    if arguments.has(TagOptions.undo) {
      guard !asks else { throw UsageError("--undo brings back what was there, and changes nothing else") }
      self = .undo
    } else if arguments.has(WritingOptions.dryRun) {
      self = .nowhere
    } else if arguments.has(WritingOptions.inPlace) {
      self = .inPlace
    } else {
      guard let path = arguments.text(WritingOptions.output) else {
        throw UsageError("say where to write: -o FILE, -o - for standard output, or --in-place")
      }
      self = path == "-" ? .standardOutput : .file(path)
    }
    if self != .undo, !asks, !arguments.has(WritingOptions.faststart) {
      throw UsageError("say what to change: --baseline, --copy-from, --remove, …")
    }
    if self == .standardOutput { try invocation.checkStandardOutput() }
  }
}
