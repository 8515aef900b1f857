// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import FileAccess
import Multiview

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
    /// Whether the list of tracks is still to be closed.
    var isInTracks = false
  }

  private let damage = SampleDamage()

  fileprivate init(_ invocation: Invocation, _ input: Input) {
    self.invocation = invocation
    self.input = input
    json = invocation.isJSON ? invocation.jsonWriter() : nil
    isCSV = invocation.isCSV
  }

  /// Writes the beginning of a document, what `body` does, and the end.
  fileprivate func document(_ command: String, _ body: () throws(InputError) -> Void) throws(InputError) {
    guard let json else { return try body() }
    json.beginObject()
    json.member("schema", "mvdump.\(command)/1")
    json.member("file", input.name)
    json.key("tracks")
    json.beginArray()
    progress.isInTracks = true
    // What was written stays well formed when reading fails half-way.
    defer {
      if progress.isInTracks { json.endArray() }
      json.endObject()
      json.endDocument()
    }
    try body()
  }

  /// Writes a table of a track: its beginning, the rows that `body` writes, and its end.
  ///
  /// - Parameters:
  ///   - list: what the rows are called in JSON.
  ///   - titles: the titles of the columns in text; `nil` for rows that name their track.
  ///   - fact: further properties of the track for JSON.
  ///   - words: further properties of the track for text.
  func table(
    of track: Track, list: String, titles: String?, fact: (name: String, value: UInt32)? = nil,
    words: String = "", _ body: () throws(SourceError) -> Void
  ) throws(InputError) {
    progress.prefix = csvField(input.name) + ",\(track.id),"
    if let json {
      json.beginObject()
      json.member("id", track.id)
      if let fact {
        json.key(fact.name)
        json.value(fact.value)
      }
      json.key(list)
      json.beginArray()
    } else if !isCSV, let titles {
      let title = invocation.style.name("track \(track.id)") + (words.isEmpty ? "" : "  " + words)
      invocation.out.append(title + "\n" + invocation.style.faint(titles) + "\n")
    }
    defer {
      json?.endArray()
      json?.endObject()
    }
    do { try body() } catch { throw InputError(error) }
    try noteLosses(of: track)
  }

  /// Writes a table of the images of a file, after all tracks: the rows that `body` writes.
  ///
  /// - Parameters:
  ///   - titles: the titles of the columns in text.
  ///   - body: writes the rows.
  func images(titles: String, _ body: () throws(SourceError) -> Void) throws(InputError) {
    progress.prefix = csvField(input.name) + ",,"
    if let json {
      json.endArray()
      progress.isInTracks = false
      json.key("images")
      json.beginArray()
    } else if !isCSV, !titles.isEmpty {
      invocation.out.append(invocation.style.name("images") + "\n" + invocation.style.faint(titles) + "\n")
    }
    defer { json?.endArray() }
    do { try body() } catch { throw InputError(error) }
  }

  /// Records that samples of a track are missing.
  func noteLosses(of track: Track) throws(InputError) {
    do { for loss in try track.sampleLosses() { damage.note(loss) } } catch { throw InputError(error) }
  }

  /// Records that an image cannot be read whole.
  func note(_ error: some CustomStringConvertible, item: UInt32) { damage.note(item: item, error) }

  /// Records that a sample cannot be read whole. Of many, one line says so at the end.
  func note(_ error: some CustomStringConvertible, sample: Int) { damage.note(sample, error) }

  /// Says what was recorded.
  fileprivate func finish() -> ExitCode { damage.report(of: input, invocation) }

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

/// Samples that could not be read whole, and what keeps samples from being found. Of many, one line says so.
final class SampleDamage {
  private var first: String?
  private var count = 0
  private var firstLoss: String?
  private var losses = 0

  /// Records what is wrong with a sample.
  func note(_ sample: Int, _ error: some CustomStringConvertible) {
    if first == nil { first = "sample \(sample): \(error)" }
    count += 1
  }

  /// Records what is wrong with an image.
  func note(item: UInt32, _ error: some CustomStringConvertible) {
    if first == nil { first = "item \(item): \(error)" }
    count += 1
  }

  /// Records why samples are missing.
  func note(_ loss: Diagnostic) {
    if firstLoss == nil { firstLoss = Self.words(loss) }
    losses += 1
  }

  /// What a diagnostic says, and where that is.
  static func words(_ loss: Diagnostic) -> String {
    loss.place + (loss.place.isEmpty ? "" : ": ") + loss.message
  }

  /// Why samples are missing; `nil` if none are.
  var lossWords: String? {
    guard let firstLoss else { return nil }
    let more = losses > 1 ? " (and \(Quantity.count(losses - 1, "more error", "more errors")))" : ""
    return "not all samples were found: " + firstLoss + more
  }

  /// Says what was recorded.
  func report(of input: Input, _ invocation: Invocation) -> ExitCode {
    if let lossWords { invocation.report(input.name, lossWords) }
    guard let first else { return firstLoss == nil ? .success : .unreadable }
    let more = count > 1 ? " (and \(Quantity.count(count - 1, "more sample", "more samples")))" : ""
    invocation.report(input.name, first + more)
    return .unreadable
  }
}

extension Batch {
  /// Calls `body` with each input and a writer of rows.
  func forEachStreaming(
    _ command: String, _ csvTitles: String, _ invocation: Invocation,
    _ body: (Input, RowWriter) throws(InputError) -> Void
  ) -> ExitCode {
    if invocation.isCSV { invocation.out.append("file,track,\(csvTitles)\n") }
    return forEach { input throws(InputError) in
      if hasSeveral, !invocation.isJSON, !invocation.isCSV {
        invocation.out.append(invocation.style.strong(ValueText.printable(input.name)) + "\n")
      }
      let rows = RowWriter(invocation, input)
      try rows.document(command) { () throws(InputError) in try body(input, rows) }
      return rows.finish()
    }
  }
}
