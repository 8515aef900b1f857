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
    var donor: MovieFile?
    if let path = request.donor { donor = try invocation.openMovie(path) }
    let movie = try invocation.openMovie(path)
    do throws(EditError) {
      var editor = try MovieEditor(movie, allowsImages: request.removesPersonalData)
      report.unmatched = try request.apply(to: &editor, copyingFrom: donor)
      report.changes = editor.changes
      report.left = editor.personalDataLeft
      report.erasesFormerBoxes = editor.erasesFormerBoxes
      let options = WritingOptions.options(invocation.arguments)
      // A removal of what is not there is no reason for a copy.
      if !report.unmatched.isEmpty, report.changes.isEmpty, !options.putsMovieFirst { return report }
      let meter = WritingMeter(invocation)
      defer { meter.clear() }
      switch destination {
      case .nowhere:
        if invocation.arguments.has(WritingOptions.inPlace) {
          try editor.checkInPlace()
        } else {
          _ = try editor.plannedMovie()
        }
      case .file(let path):
        report.written = try editor.write(to: path, options: options, progress: meter.show)
      case .inPlace: report.written = try editor.writeInPlace()
      case .standardOutput:
        let output = SafeOutput(
          descriptor: 1, name: "standard output", inputs: [movie, donor].compactMap { $0?.source })
        output.progress = meter.show
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
      if arguments.operands == ["-"] {
        throw UsageError("--\(place.name) changes a file: for standard input, use -o")
      }
    }
    let asks = TagOptions.changes.contains(where: arguments.has)
    if arguments.has(TagOptions.undo) {
      guard !asks else {
        throw UsageError("--undo restores the former tags, and cannot be used with other changes")
      }
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

extension TagDestination {
  /// Where each of several movies goes: the name of a file may be a pattern.
  func outputs(of paths: [String]) throws(UsageError) -> [TagDestination] {
    guard case .file(let pattern) = self else {
      if self == .standardOutput, paths.count > 1 {
        throw UsageError("only one movie can go to standard output")
      }
      return paths.map { _ in self }
    }
    guard paths.count > 1 || pattern.contains("%") else { return [self] }
    var names: [String] = []
    for path in paths { names.append(try Self.name(pattern, for: path)) }
    if let double = names.indices.first(where: { names[..<$0].contains(names[$0]) }) {
      throw UsageError(
        names.count > 1 && !pattern.contains("%n") && !pattern.contains("%f")
          ? "several movies need a name each: -o 'FOLDER/%f', or %n for the name without its extension"
          : "two of the movies would be written to '\(names[double])'")
    }
    return names.map { .file($0) }
  }

  private static func name(_ pattern: String, for path: String) throws(UsageError) -> String {
    let file = path == "-" ? "standard-input" : path.split(separator: "/").last.map(String.init) ?? path
    var stem = file
    if let point = file.lastIndex(of: "."), point > file.startIndex { stem = String(file[..<point]) }
    var name = ""
    var rest = pattern[...]
    while let character = rest.popFirst() {
      guard character == "%" else {
        name.append(character)
        continue
      }
      switch rest.popFirst() {
      case "%": name.append("%")
      case "n": name += stem
      case "f": name += file
      case let other:
        throw UsageError(
          "'%\(other.map(String.init) ?? "")' in the name of the output is not %n or %f; write %% for a %")
      }
    }
    return name
  }
}
