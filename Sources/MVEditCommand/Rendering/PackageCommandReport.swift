// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import MovieEditing
import Multiview

/// What `mvedit package` did, or would do.
struct PackageCommandReport: CommandReport {
  let files: [String]
  let destination: OutputDestination
  let report: PackageReport

  /// On a dry run the report is the answer; otherwise it goes to standard error.
  func write(_ invocation: Invocation) {
    var lines: [String] = []
    for rendition in report.renditions {
      let attributes = rendition.attributes.entries.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
      lines.append(
        "\(rendition.name): track \(rendition.trackID), \(Quantity.count(rendition.segments, "segment")), "
          + "\(rendition.averageBandwidth) bits a second, up to \(rendition.bandwidth), \(attributes)")
    }
    if let written = report.written { lines.append("\(Quantity.bytes(written.bytesWritten)) written") }
    destination.say(lines + report.notices.map(words), invocation)
  }

  private func words(_ notice: PackageReport.Notice) -> String {
    guard case .publishes(let kind, _) = notice else { return notice.message }
    let name =
      switch kind {
      case .location: "location"
      case .name: "names"
      case .device: "devices"
      case .date: "dates"
      }
    return notice.message + ": to leave it out, use mvedit tag --remove \(name) first"
  }

  var json: JSONObject {
    ["schema": "mvedit.package/1", "files": files] + destination.json(report.written) + [
      "renditions": JSONList(report.renditions) { rendition in
        [
          "name": rendition.name, "track": rendition.trackID, "mediaType": "\(rendition.mediaType)",
          "segments": rendition.segments, "targetDuration": rendition.targetDuration,
          "bandwidth": rendition.bandwidth, "averageBandwidth": rendition.averageBandwidth,
          "attributes": rendition.attributes.json,
        ]
      },
      "notices": JSONList(rows: report.notices) { ["kind": $0.kind, "message": $0.message] },
    ]
  }
}
