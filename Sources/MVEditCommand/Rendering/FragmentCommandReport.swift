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
      line = "\(count) of up to \(report.longest.words), \(samples)"
    } else if report.fragments > 0 {
      line = "\(samples) from \(count)"
    } else {
      line = "the movie has no fragments: nothing needed to change"
    }
    if let written = report.written { line += ", \(Quantity.bytes(written.bytesWritten)) written" }
    destination.say([line] + report.notices.map(\.message), invocation)
  }

  var json: JSONObject {
    let tracks = JSONList(rows: report.tracks) {
      ["track": $0.id, "mediaType": "\($0.mediaType)", "samples": $0.samples]
    }
    let head: JSONObject = ["schema": "mvedit.\(isFragmented ? "fragment" : "flatten")/1", "file": file]
    let all = head + destination.json(report.written) + ["fragments": report.fragments]
    guard isFragmented else { return all + ["tracks": tracks] }
    return all + [
      "longest": report.longest.json, "tracks": tracks,
      "notices": JSONList(rows: report.notices) { ["kind": $0.kind, "message": $0.message] },
    ]
  }
}
