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
          + "\(rendition.averageBandwidth) bits a second, at most \(rendition.bandwidth), \(attributes)")
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
    return notice.message + ": to leave it out, mvedit tag --remove \(name) first"
  }

  func writeJSON(_ json: JSONWriter) {
    json.beginObject()
    json.member("schema", "mvedit.package/1")
    json.key("files")
    json.beginArray()
    for file in files { json.value(file) }
    json.endArray()
    destination.write(report.written, json)
    json.key("renditions")
    json.beginArray()
    for rendition in report.renditions { write(rendition, json) }
    json.endArray()
    json.key("notices")
    json.beginArray()
    for notice in report.notices {
      json.beginObject(inline: true)
      json.member("kind", notice.kind)
      json.member("message", notice.message)
      json.endObject()
    }
    json.endArray()
    json.endObject()
    json.endDocument()
  }

  private func write(_ rendition: PackageReport.Rendition, _ json: JSONWriter) {
    json.beginObject()
    json.member("name", rendition.name)
    json.key("track")
    json.value(rendition.trackID)
    json.member("mediaType", "\(rendition.mediaType)")
    json.key("segments")
    json.value(rendition.segments)
    json.key("targetDuration")
    json.value(rendition.targetDuration)
    json.key("bandwidth")
    json.value(rendition.bandwidth)
    json.key("averageBandwidth")
    json.value(rendition.averageBandwidth)
    json.key("attributes")
    json.beginObject()
    for (key, value) in rendition.attributes.entries {
      // In JSON the quotation marks of the playlist are in the way.
      json.key(key)
      json.value(value.hasPrefix("\"") ? String(value.dropFirst().dropLast()) : value)
    }
    json.endObject()
    json.endObject()
  }
}
