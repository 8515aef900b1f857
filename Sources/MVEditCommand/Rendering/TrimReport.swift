// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import MovieEditing
import Multiview

/// What `mvedit trim` did, or would do.
struct TrimReport: CommandReport {
  let file: String
  let destination: OutputDestination
  let report: CutReport

  /// On a dry run, the report is the output; otherwise it is written to standard error.
  func write(_ invocation: Invocation) {
    let parts = (report.ranges.isEmpty ? [report.range] : report.ranges).map {
      "\(Self.seconds($0.lowerBound)) to \(Self.seconds($0.upperBound))"
    }
    var lines = ["keeps \(parts.joined(separator: ", ")): \(Self.tracks(report))"]
    lines += Self.notices(
      report,
      invocation.arguments.has(TrimCommand.snap) ? "" : "; --snap extends the part to sync samples instead")
    if let written = report.written { lines[0] += ", \(Quantity.bytes(written.bytesWritten)) written" }
    // Of several movies, each line says which one it is about.
    if destination.name == nil, invocation.arguments.operands.count > 1 {
      lines = lines.map { "\(file): \($0)" }
    }
    destination.say(lines, invocation)
  }

  static func seconds(_ time: MediaTime) -> String {
    ValueText.quotient(time.converted(to: 1_000_000).value, 1_000_000) + " s"
  }

  /// What the new movie has, as a viewer would say it.
  static func tracks(_ report: CutReport) -> String {
    var texts: [String] = []
    let pictures = report.tracks.filter(\.mediaType.isVisual)
    if !pictures.isEmpty {
      let shown = pictures.reduce(0) { $0 + $1.samples - $1.hiddenSamples }
      texts.append(Quantity.count(shown, "picture"))
    }
    var others: [(words: String, count: Int)] = []
    for track in report.tracks where !track.mediaType.isVisual {
      let words = track.mediaType == .audio ? "sound" : track.mediaType.words
      if let index = others.firstIndex(where: { $0.words == words }) {
        others[index].count += 1
      } else {
        others.append((words, 1))
      }
    }
    texts += others.map { $0.count == 1 ? $0.words : "\($0.words) (\($0.count) tracks)" }
    return texts.joined(separator: ", ")
  }

  /// The notices, with one line on everything that is in the file and not presented.
  static func notices(_ report: CutReport, _ advice: String = "") -> [String] {
    var lines: [String] = []
    if let hidden = report.hiddenSamplesText {
      let hasPictures = report.tracks.contains { $0.mediaType.isVisual && $0.hiddenSamples > 0 }
      lines.append(hidden + (hasPictures ? advice : ""))
    }
    return report.notices.compactMap { notice in
      switch notice {
      case .hiddenPictures, .hiddenSound: nil
      default: notice.message
      }
    } + lines
  }

  func writeJSON(_ json: JSONWriter) {
    json.beginObject()
    json.member("schema", "mvedit.trim/1")
    json.member("file", file)
    destination.write(report.written, json)
    json.time("from", report.range.lowerBound)
    json.time("to", report.range.upperBound)
    json.key("parts")
    json.beginArray()
    for part in report.ranges.isEmpty ? [report.range] : report.ranges {
      json.beginObject()
      json.time("from", part.lowerBound)
      json.time("to", part.upperBound)
      json.endObject()
    }
    json.endArray()
    json.tracks(report.tracks)
    json.notices(report.notices)
    json.endObject()
    json.endDocument()
  }
}

extension JSONWriter {
  /// A time of the movie, exact and in seconds.
  func time(_ name: String, _ time: MediaTime) {
    key(name)
    beginObject(inline: true)
    key("value")
    value(Int(clamping: time.value))
    key("timescale")
    value(time.timescale)
    key("seconds")
    value(time.seconds)
    endObject()
  }

  /// The tracks of a movie that was cut.
  func tracks(_ tracks: [CutReport.CutTrack]) {
    key("tracks")
    beginArray()
    for track in tracks {
      beginObject(inline: true)
      key("track")
      value(track.id)
      member("mediaType", "\(track.mediaType)")
      key("samples")
      value(track.samples)
      key("hiddenSamples")
      value(track.hiddenSamples)
      endObject()
    }
    endArray()
  }

  /// What is remarkable about a movie that was cut.
  func notices(_ notices: [CutReport.Notice]) {
    key("notices")
    beginArray()
    for notice in notices {
      beginObject(inline: true)
      member("kind", notice.kind)
      key("track")
      value(notice.trackID)
      member("message", notice.message)
      endObject()
    }
    endArray()
  }
}
