// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import FieldOutput
import MovieEditing
import MovieEncoding

/// What `mvedit encode` did.
struct EncodeReport: CommandReport {
  let file: String
  let destination: OutputDestination
  let layout: SourceLayout
  let report: SpatialMovieReport
  let isChecked: Bool
  let seconds: Double

  func write(_ invocation: Invocation) {
    var line = Quantity.count(report.encoding.pictures, "picture")
    if layout.eyes > 1 { line += " of each eye" }
    line += ", " + EncodingMeter.rate(report.encoding.pictures, seconds)
    for (layer, bytes) in report.encoding.layerBytes.enumerated() {
      line += ", " + Quantity.bytes(UInt64(clamping: bytes))
      line += layout.eyes > 1 ? " in layer \(layer)" : " of pictures"
    }
    if isChecked { line += ", all decoded and equal" }
    destination.say([line + ", \(Quantity.bytes(report.size)) written"], invocation)
  }

  func writeJSON(_ json: JSONWriter) {
    json.beginObject()
    json.member("schema", "mvedit.encode/1")
    json.member("file", file)
    json.key("output")
    if case .file(let path) = destination { json.value(path) } else { json.null() }
    json.key("size")
    json.value(report.size)
    json.member("layout", layout.rawValue)
    json.key("pictures")
    json.value(report.encoding.pictures)
    json.key("layerBytes")
    json.beginArray(inline: true)
    for bytes in report.encoding.layerBytes { json.value(bytes) }
    json.endArray()
    json.member("checked", isChecked)
    json.changes(report.movie?.changes ?? [])
    json.endObject()
    json.endDocument()
  }
}
