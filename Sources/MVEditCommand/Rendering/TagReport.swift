// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import MovieEditing

/// What `mvedit tag` did, or would do.
struct TagReport: CommandReport {
  let file: String
  let destination: TagDestination
  var changes: [TagChange] = []
  var written: MovieWriteReport?

  /// On a dry run the changes are the answer; otherwise they go to standard error.
  func write(_ invocation: Invocation) {
    if destination == .nowhere {
      if changes.isEmpty { invocation.out.append("nothing would change\n") }
      for change in changes { invocation.out.append(words(change) + "\n") }
      return
    }
    guard let written else { return }
    var name = file
    if case .file(let path) = destination { name = path }
    if destination == .standardOutput { name = "standard output" }
    let what: String
    switch destination {
    case .undo: what = "the former tags are back"
    case _ where changes.isEmpty: what = "nothing needed to change"
    default: what = Quantity.count(changes.count, "change")
    }
    invocation.report(name, "\(what), \(Quantity.bytes(written.bytesWritten)) written")
  }

  private func words(_ change: TagChange) -> String {
    var text = change.trackID.map { "track \($0) " } ?? "movie "
    if let entry = change.entry, entry > 1 { text += "entry \(entry) " }
    text += change.name + ": "
    return text + ValueText.printable(change.old ?? "absent") + " → "
      + ValueText.printable(change.new ?? "absent")
  }

  func writeJSON(_ json: JSONWriter) {
    json.beginObject()
    json.member("schema", "mvedit.tag/1")
    json.member("file", file)
    json.key("output")
    if case .file(let path) = destination { json.value(path) } else { json.null() }
    json.member("inPlace", destination == .inPlace || destination == .undo)
    json.member("written", written != nil)
    json.key("size")
    json.value(written?.size)
    json.key("bytesWritten")
    json.value(written?.bytesWritten)
    json.changes(changes)
    json.endObject()
    json.endDocument()
  }
}

extension JSONWriter {
  /// The changes of tags and metadata, as every command reports them.
  func changes(_ changes: [TagChange]) {
    key("changes")
    beginArray()
    for change in changes {
      beginObject(inline: true)
      key("track")
      value(change.trackID)
      key("entry")
      value(change.entry)
      member("name", change.name)
      key("old")
      value(change.old)
      key("new")
      value(change.new)
      endObject()
    }
    endArray()
  }
}
