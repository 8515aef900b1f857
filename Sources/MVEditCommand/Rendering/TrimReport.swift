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
      "\($0.lowerBound.words) to \($0.upperBound.words)"
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

  var json: JSONObject {
    ["schema": "mvedit.trim/1", "file": file] + destination.json(report.written) + [
      "from": report.range.lowerBound.json, "to": report.range.upperBound.json,
      "parts": JSONList(report.ranges.isEmpty ? [report.range] : report.ranges) {
        ["from": $0.lowerBound.json, "to": $0.upperBound.json]
      },
    ] + report.json
  }
}

extension MediaTime {
  /// A time of the movie, exact and in seconds.
  var json: JSONObject { .inline(["value": value, "timescale": timescale, "seconds": seconds]) }
}

extension CutReport {
  /// The tracks of a movie that was cut, and what is remarkable about it.
  var json: JSONObject {
    [
      "tracks": JSONList(rows: tracks) {
        [
          "track": $0.id, "mediaType": "\($0.mediaType)", "samples": $0.samples,
          "hiddenSamples": $0.hiddenSamples,
        ]
      },
      "notices": JSONList(rows: notices) {
        ["kind": $0.kind, "track": $0.trackID, "message": $0.message]
      },
    ]
  }
}
