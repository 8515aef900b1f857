// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import MovieEditing
import Multiview

/// What `mvedit tag` did, or would do.
struct TagReport: CommandReport {
  let file: String
  let destination: TagDestination
  var changes: [TagChange] = []
  var written: MovieWriteReport?
  /// The removals that match nothing.
  var unmatched: [String] = []
  /// The personal data that stay in samples.
  var left: [PersonalDatum] = []
  /// The forms of dates that a new date of creation does not replace.
  var otherDates: [String] = []
  /// Whether a change in place leaves nothing of what it replaces.
  var erasesFormerBoxes = false

  var exitCode: ExitCode { unmatched.isEmpty ? .success : .no }

  /// Where a new movie goes; `nil` if the movie itself is changed.
  private var new: OutputDestination? { if case .new(let new) = destination { new } else { nil } }

  /// What else there is to know.
  private var notes: [String] {
    var notes = unmatched
    for datum in left {
      let track = datum.trackID.map { "track \($0)" } ?? "a track"
      // Only the kinds that are asked for go.
      let kind = datum.kind == .location ? "" : ",\(PersonalDataName(datum.kind).rawValue)"
      notes.append(
        "\(track) still has personal data in its samples (\(datum.form)): --remove timed-location\(kind) "
          + "removes them")
    }
    if !otherDates.isEmpty {
      notes.append(
        "other dates are kept (\(listed(otherDates, "and"))): --remove dates in the same command removes them"
      )
    }
    if destination == .inPlace, !erasesFormerBoxes, changes.contains(where: { $0.old != nil }) {
      notes.append("the replaced boxes stay in the file for --undo, until a new file is written")
    }
    return notes
  }

  /// On a dry run the changes are the answer; otherwise they go to standard error.
  func write(_ invocation: Invocation) {
    if destination == .new(.nowhere) {
      if changes.isEmpty { invocation.out.append("nothing would change\n") }
      for change in changes { invocation.out.append(words(change) + "\n") }
      for note in notes { invocation.report(file, note) }
      return
    }
    for note in notes { invocation.report(file, note) }
    guard let written else { return }
    let what: String
    switch destination {
    case .undo: what = "the former tags are restored"
    case _ where changes.isEmpty: what = "nothing needed to change"
    default: what = Quantity.count(changes.count, "change")
    }
    invocation.report(new?.name ?? file, "\(what), \(Quantity.bytes(written.bytesWritten)) written")
  }

  private func words(_ change: TagChange) -> String {
    var text = change.trackID.map { "track \($0) " } ?? "movie "
    if let entry = change.entry, entry > 1 { text += "entry \(entry) " }
    text += change.name + ": "
    return text + ValueText.printable(change.old ?? "absent") + " → "
      + ValueText.printable(change.new ?? "absent")
  }

  var json: JSONObject {
    [
      "schema": "mvedit.tag/1", "file": file, "output": new?.path,
      "inPlace": new == nil, "written": written != nil,
      "size": written?.size, "bytesWritten": written?.bytesWritten, "changes": changes.json,
      "unmatched": unmatched, "left": JSONList(rows: left, \.json),
    ]
  }
}

extension [TagChange] {
  /// The changes of tags and metadata, as every command reports them.
  var json: some JSONValue {
    JSONList(rows: self) {
      ["track": $0.trackID, "entry": $0.entry, "name": $0.name, "old": $0.old, "new": $0.new]
    }
  }
}

extension TagChange {
  /// The change in a line of the report on a new movie.
  var line: String { "tag " + name + ": " + (new ?? "absent") }
}
