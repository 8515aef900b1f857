// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FieldOutput
import FileAccess
import ISOBMFF
import Multiview

/// `mvdump tree`: every box of a file with its fields.
package enum TreeCommand: Command {
  static let path = Option(
    "path", short: "p", .text("PATH", hint: .nothing), "Only the boxes at this path, with their contents",
    isRepeatable: true)
  static let depth = Option("depth", short: "d", .number("N", 1...Int.max), "Only this many levels of boxes")
  static let rows = Option(
    "rows", .numberOrWord("N", 0...Int.max, words: ["all"]),
    "Rows to show of each table: a number, or all (default 8)")
  static let noFields = Option("no-fields", "Only the boxes, without their fields")
  static let unknown = Option(
    "unknown", "List the kinds of unknown boxes instead, with the number of each")

  package static let name = "tree"
  package static let summary = "every box: type, offset, size and all fields"
  package static let discussion = [
    "Each step of a path is the type of a box; [N] selects the Nth box of that type, counted from 0; * "
      + "matches any box, and ** any number of nested boxes: 'moov/trak[1]/**/vexu'. If no box matches, "
      + "the exit status is 1.",
    "Numbers are shown as stored in the file, with their meaning in parentheses. Damaged boxes are marked, "
      + "and the boxes around them are still shown.",
  ]
  package static let operands = Operands.files
  package static let options = [path, depth, rows, noFields, unknown] + CommonOptions.input
  package static let examples = [
    Example("mvdump tree movie.mov", "Every box, with its fields"),
    Example("mvdump tree --no-fields --depth 3 movie.mov", "Only the top three levels of boxes"),
    Example("mvdump tree --path '**/vexu' movie.mov", "The stereo tags of Apple's spatial video"),
    Example("mvdump tree --path '**/stsz' --rows all movie.mov", "The size of every sample"),
    Example("mvdump tree --json movie.mov | jq '.. | .timescale? // empty'", "Every timescale, for a script"),
    Example("mvdump tree --unknown -r library/", "Which boxes in a library are unknown"),
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let arguments = invocation.arguments
    var detail = TreeDetail()
    detail.depth = arguments.number(depth) ?? .max
    detail.rows = arguments.text(rows) == "all" ? .max : arguments.number(rows) ?? 8
    detail.hasFields = !arguments.has(noFields)
    var paths: [BoxPath] = []
    for text in arguments.texts(path) {
      guard let path = BoxPath(text) else {
        throw UsageError(
          "'\(text)' is not a path: its steps are four-character types, * or **, separated by /")
      }
      paths.append(path)
    }
    let batch = Batch(invocation, accepting: [.boxes])
    if arguments.has(unknown) { return UnknownBoxes.list(batch, invocation) }
    var isFirst = true
    return batch.forEach { input throws(InputError) in
      let tree = try input.boxTree()
      if !invocation.isJSON, batch.hasSeveral {
        invocation.out.append(
          (isFirst ? "" : "\n") + invocation.style.strong(ValueText.printable(input.name)) + "\n")
      }
      isFirst = false
      reportDamage(tree, input, invocation)
      let found =
        invocation.isJSON
        ? writeJSON(tree, paths, detail, input, invocation) : writeText(tree, paths, detail, invocation)
      // It may be where nothing could be read.
      if !found, tree.readFailure == nil {
        reportNothingFound(tree, arguments.texts(path), input, invocation)
      }
      return found ? .success : .no
    }
  }

  // MARK: Text

  private static func writeText(
    _ tree: BoxTree, _ paths: [BoxPath], _ detail: TreeDetail, _ invocation: Invocation
  ) -> Bool {
    let text = TreeText(tree, detail, isWhole: paths.isEmpty, invocation)
    text.writeTitles()
    guard !paths.isEmpty else {
      text.write(tree.boxes)
      text.writeEnd()
      return true
    }
    var found = false
    for path in paths {
      var last = LastMatch()
      path.forEachMatch(in: tree.boxes) { match in
        found = true
        if match.path.contains("/") { invocation.out.append(invocation.style.faint(match.path) + "\n") }
        text.write(match.box, level: 0, isShownAbove: last.holds(match.box, detail))
      }
    }
    return found
  }

  // MARK: JSON

  private static func writeJSON(
    _ tree: BoxTree, _ paths: [BoxPath], _ detail: TreeDetail, _ input: Input, _ invocation: Invocation
  ) -> Bool {
    let writer = invocation.jsonWriter()
    var json = TreeJSON(tree, detail, writer, invocation)
    writer.beginObject()
    writer.member("schema", "mvdump.tree/1")
    writer.member("file", input.name)
    writer.key("size")
    writer.value(input.size)
    writer.key("boxes")
    writer.beginArray()
    var found = paths.isEmpty
    if paths.isEmpty {
      json.write(tree.boxes, path: "", level: 0)
    } else {
      for path in paths {
        var last = LastMatch()
        path.forEachMatch(in: tree.boxes) { match in
          found = true
          json.write(match.box, path: match.path, level: 0, isShownAbove: last.holds(match.box, detail))
        }
      }
    }
    writer.endArray()
    if !tree.trailingRange.isEmpty {
      writer.key("trailing")
      let range: JSONObject = ["offset": tree.trailingRange.lowerBound, "size": tree.trailingRange.count]
      range.inline.write(to: writer)
    }
    json.diagnostics.json.writeMembers(to: writer)
    writer.endObject()
    writer.endDocument()
    return found
  }

  // MARK: Messages

  /// Damage is part of the answer; a line on standard error says that there is some, for those who do not see the answer.
  private static func reportDamage(_ tree: BoxTree, _ input: Input, _ invocation: Invocation) {
    let seesAnswer = invocation.surroundings.output.isTerminal && !invocation.isJSON
    if seesAnswer, invocation.surroundings.errors.isTerminal { return }
    // What could not be read is reported at the end.
    let errors = tree.diagnostics.filter { $0.severity == .error && $0.code != "read-failed" }
    guard let first = errors.first else { return }
    var text = first.path.isEmpty ? "" : first.path + " "
    if let offset = first.offset { text += "at \(offset): " }
    text += first.message
    if errors.count > 1 { text += " (and \(errors.count - 1) more)" }
    invocation.report(input.name, text)
  }

  private static func reportNothingFound(
    _ tree: BoxTree, _ paths: [String], _ input: Input, _ invocation: Invocation
  ) {
    var text = "no box at " + listed(paths.map { "'\(ValueText.printable($0))'" }, "or")
    if let last = paths.last?.split(separator: "/").last, last != "*", last != "**",
      let anywhere = BoxPath("**/" + last)
    {
      let elsewhere = anywhere.matches(in: tree.boxes, limit: 2).map { $0.path }
      if let first = elsewhere.first {
        text += ", but at \(first)\(elsewhere.count > 1 ? " and elsewhere" : ""): use '**/\(last)'"
      }
    }
    invocation.report(input.name, text)
  }
}

/// The last box that was shown with all its content. A box in it is not shown in full again: `**/*` would show a box once
/// for each that it is in.
private struct LastMatch {
  private var range = 0..<0

  mutating func holds(_ box: Box, _ detail: TreeDetail) -> Bool {
    if range.contains(box.offset) { return true }
    // Of limited depth is what each shows by itself.
    if detail.depth == .max { range = box.fileRange }
    return false
  }
}

extension Input {
  /// The boxes of the file.
  func boxTree() throws(InputError) -> BoxTree {
    do throws(SourceError) {
      return try opened { () throws(SourceError) in try BoxTree(source, registry: boxRegistry) }
    } catch { throw InputError(error) }
  }
}

/// All kinds of boxes that the tool knows.
var boxRegistry: BoxRegistry { .standard }
