// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Multiview

/// One line of a long table, in each of the forms in which it can be asked for.
protocol Row {
  /// Writes the columns for people, without the line break.
  func writeText(to out: OutputBuffer)
  /// Writes the values for spreadsheets, without the line break.
  func writeCSV(to out: OutputBuffer)
  /// Writes the members of an object.
  func writeMembers(to json: JSONWriter)
}

/// Writes rows as they come, in the form that the command line asks for: nothing is kept, and the first row is out before
/// the second is made.
struct RowWriter {
  private let invocation: Invocation
  private let input: Input
  private let json: JSONWriter?
  private let isCSV: Bool
  private let progress = State()

  private final class State {
    var prefix = ""
    var isFlushed = false
    var damage: (first: String, count: Int)?
  }

  fileprivate init(_ invocation: Invocation, _ input: Input) {
    self.invocation = invocation
    self.input = input
    json = invocation.isJSON ? invocation.jsonWriter() : nil
    isCSV = RowOptions.isCSV(invocation.arguments)
  }

  /// Writes the beginning of a document, what `body` does, and the end.
  fileprivate func document(_ command: String, _ body: () throws(InputError) -> Void) throws(InputError) {
    guard let json else { return try body() }
    json.beginObject()
    json.member("schema", "mvdump.\(command)/1")
    json.member("file", input.name)
    json.key("tracks")
    json.beginArray()
    // What was written stays well formed when reading fails half-way.
    defer {
      json.endArray()
      json.endObject()
      json.endDocument()
    }
    try body()
  }

  /// Writes a table of a track: its beginning, the rows that `body` writes, and its end.
  ///
  /// - Parameters:
  ///   - list: what the rows are called in JSON.
  ///   - titles: the titles of the columns in text.
  ///   - fact: what else JSON says of the track.
  ///   - words: what else text says of it.
  func table(
    of track: Track, list: String, titles: String, fact: (name: String, value: UInt32)? = nil,
    words: String = "", _ body: () throws(SourceError) -> Void
  ) throws(InputError) {
    progress.prefix = csvField(input.name) + ",\(track.id),"
    if let json {
      json.beginObject()
      json.member("id", track.id)
      if let fact { json.member(fact.name, fact.value) }
      json.key(list)
      json.beginArray()
    } else if !isCSV {
      let title = invocation.style.name("track \(track.id)") + (words.isEmpty ? "" : "  " + words)
      invocation.out.append(title + "\n" + invocation.style.faint(titles) + "\n")
    }
    defer {
      json?.endArray()
      json?.endObject()
    }
    do { try body() } catch { throw InputError(error) }
  }

  /// Notes that a sample cannot be read whole. Of many, one line tells at the end.
  func note(_ error: ParseError, sample: Int) {
    progress.damage = (
      progress.damage?.first ?? "sample \(sample): \(error)", (progress.damage?.count ?? 0) + 1
    )
  }

  /// Says what was noted.
  fileprivate func finish() -> ExitCode {
    guard let damage = progress.damage else { return .success }
    let more =
      damage.count > 1 ? " (and \(Quantity.count(damage.count - 1, "more sample", "more samples")))" : ""
    invocation.report(input.name, damage.first + more)
    return .unreadable
  }

  /// Writes a row.
  func write(_ row: some Row) {
    if let json {
      json.beginObject(inline: true)
      row.writeMembers(to: json)
      json.endObject()
    } else {
      if isCSV {
        invocation.out.append(progress.prefix)
        row.writeCSV(to: invocation.out)
      } else {
        row.writeText(to: invocation.out)
      }
      invocation.out.append(byte: 0x0A)
    }
    guard !progress.isFlushed else { return }
    progress.isFlushed = true
    invocation.out.flush()
  }
}

extension Batch {
  /// Calls `body` with each input and a writer of rows.
  func forEachStreaming(
    _ command: String, _ csvTitles: String, _ invocation: Invocation,
    _ body: (Input, RowWriter) throws(InputError) -> Void
  ) -> ExitCode {
    if RowOptions.isCSV(invocation.arguments) { invocation.out.append("file,track,\(csvTitles)\n") }
    return forEach { input throws(InputError) in
      if hasSeveral, !invocation.isJSON, !RowOptions.isCSV(invocation.arguments) {
        invocation.out.append(invocation.style.strong(ValueText.printable(input.name)) + "\n")
      }
      let rows = RowWriter(invocation, input)
      try rows.document(command) { () throws(InputError) in try body(input, rows) }
      return rows.finish()
    }
  }
}

extension JSONWriter {
  /// A name and a text.
  func member(_ name: String, _ text: String?) {
    key(name)
    value(text)
  }

  /// A name and a number.
  func member<T: BinaryInteger>(_ name: String, _ number: T?) {
    key(name)
    value(number)
  }

  /// A name and yes or no.
  func member(_ name: String, _ flag: Bool?) {
    key(name)
    if let flag { value(flag) } else { null() }
  }
}

/// `text` to the right in so many columns, behind at least one space.
func padded(_ text: String, _ width: Int) -> String {
  String(repeating: " ", count: max(1, width - text.utf8.count)) + text
}

/// A field of comma-separated values, quoted where it has to be. RFC 4180
func csvField(_ text: String) -> String {
  guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
  return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
}
