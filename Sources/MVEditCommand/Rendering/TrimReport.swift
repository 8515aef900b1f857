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
    var lines = [
      "keeps \(Self.seconds(report.range.lowerBound)) to \(Self.seconds(report.range.upperBound)), \(Self.tracks(report))"
    ]
    let isSnapped = invocation.arguments.has(TrimCommand.snap)
    lines += report.notices.map { notice in
      if case .hiddenPictures = notice, !isSnapped {
        return notice.message + "; --snap extends the part to sync samples instead"
      }
      return notice.message
    }
    if let written = report.written { lines[0] += ", \(Quantity.bytes(written.bytesWritten)) written" }
    destination.say(lines, invocation)
  }

  static func seconds(_ time: MediaTime) -> String {
    ValueText.quotient(time.converted(to: 1_000_000).value, 1_000_000) + " s"
  }

  static func tracks(_ report: CutReport) -> String {
    let count = report.tracks.reduce(0) { $0 + $1.samples }
    return Quantity.count(count, "sample") + " in " + Quantity.count(report.tracks.count, "track")
  }

  func writeJSON(_ json: JSONWriter) {
    json.beginObject()
    json.member("schema", "mvedit.trim/1")
    json.member("file", file)
    destination.write(report.written, json)
    json.time("from", report.range.lowerBound)
    json.time("to", report.range.upperBound)
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
