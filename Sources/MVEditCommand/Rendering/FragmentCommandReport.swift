// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import MovieEditing
import Multiview

/// What `mvedit fragment` or `mvedit flatten` did, or would do.
struct FragmentCommandReport: CommandReport {
  let file: String
  let destination: OutputDestination
  let report: FragmentReport
  /// Whether the new movie has fragments.
  let isFragmented: Bool

  /// On a dry run the report is the answer; otherwise it goes to standard error.
  func write(_ invocation: Invocation) {
    let count = Quantity.count(report.fragments, "fragment")
    let samples =
      Quantity.count(report.tracks.reduce(0) { $0 + $1.samples }, "sample") + " in "
      + Quantity.count(report.tracks.count, "track")
    var line: String
    if isFragmented {
      line = "\(count) of at most \(TrimReport.seconds(report.longest)), \(samples)"
    } else if report.fragments > 0 {
      line = "\(samples) from \(count)"
    } else {
      line = "there are no fragments: nothing needed to change"
    }
    if let written = report.written { line += ", \(Quantity.bytes(written.bytesWritten)) written" }
    destination.say([line] + report.notices.map(\.message), invocation)
  }

  func writeJSON(_ json: JSONWriter) {
    json.beginObject()
    json.member("schema", isFragmented ? "mvedit.fragment/1" : "mvedit.flatten/1")
    json.member("file", file)
    destination.write(report.written, json)
    json.key("fragments")
    json.value(report.fragments)
    if isFragmented { json.time("longest", report.longest) }
    json.key("tracks")
    json.beginArray()
    for track in report.tracks {
      json.beginObject(inline: true)
      json.key("track")
      json.value(track.id)
      json.member("mediaType", "\(track.mediaType)")
      json.key("samples")
      json.value(track.samples)
      json.endObject()
    }
    json.endArray()
    if isFragmented {
      json.key("notices")
      json.beginArray()
      for notice in report.notices {
        json.beginObject(inline: true)
        json.member("kind", notice.kind)
        json.member("message", notice.message)
        json.endObject()
      }
      json.endArray()
    }
    json.endObject()
    json.endDocument()
  }
}
