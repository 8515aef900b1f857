// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import FieldOutput
import HEVCEncoding
import MovieEditing
import MovieEncoding
import Multiview

/// What `mvedit encode` did.
struct EncodeReport: CommandReport {
  let file: String
  let destination: OutputDestination
  let layout: SourceLayout
  let isBaseLeft: Bool
  let report: SpatialMovieReport
  let isChecked: Bool
  let seconds: Double

  /// What became of one layer.
  private struct Layer {
    let eye: String?
    let bytes: Int
    /// Bits in a second; `nil` if it is not known how long a picture is shown.
    let bitRate: Double?
    /// The peak signal-to-noise ratio of each plane; `nil` for one that is equal to that of the source.
    let ratios: [Double?]
  }

  private var layers: [Layer] {
    let encoding = report.encoding
    let shown = report.duration?.seconds
    return encoding.layerBytes.indices.map { layer in
      let bytes = encoding.layerBytes[layer]
      return Layer(
        eye: layout.eyes > 1 ? ((layer == 0) == isBaseLeft ? "left" : "right") : nil, bytes: bytes,
        bitRate: shown.flatMap { $0 > 0 ? Double(bytes) * 8 / $0 : nil },
        ratios: encoding.squaredErrors[layer].enumerated().map { plane, errors in
          report.format.signalToNoiseRatio(squaredErrors: errors, plane: plane, pictures: encoding.pictures)
        })
    }
  }

  /// What a movie of two eyes has to say of its cameras to be spatial video, and does not.
  private var missing: [StereoTag] {
    guard let tags = report.tags, layout.eyes > 1 else { return [] }
    let lacking = SpatialVerdict.lacking(tags)
    // Another projection is another kind of video, which needs none of this.
    return lacking.contains(.rectilinear)
      ? [] : lacking.compactMap { name in StereoTag.all.first { $0.box.last?.description == name.rawValue } }
  }

  func write(_ invocation: Invocation) {
    var line = Quantity.count(report.encoding.pictures, "picture")
    if layout.eyes > 1 { line += " of each eye" }
    line += ", " + EncodingMeter.rate(report.encoding.pictures, seconds)
    if isChecked { line += ", all decoded and equal" }
    var lines = [line + ", \(Quantity.bytes(report.size)) written"]
    for (index, layer) in layers.enumerated() {
      var parts = [Quantity.bytes(UInt64(clamping: layer.bytes))]
      if let rate = layer.bitRate { parts.append(Quantity.bitRate(rate)) }
      parts.append(layer.ratios[0].map { "PSNR \(Quantity.decimal($0, 2)) dB" } ?? "equal to the source")
      lines.append((layer.eye.map { "layer \(index), \($0) eye: " } ?? "") + parts.joined(separator: ", "))
    }
    if !missing.isEmpty {
      let options = listed(missing.map { "--" + $0.name }, "and")
      lines.append("shown as 3D, not as spatial video: for that, describe the cameras with \(options)")
    }
    destination.say(lines, invocation)
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
    json.key("layers")
    json.beginArray()
    for layer in layers { write(layer, json) }
    json.endArray()
    json.member("checked", isChecked)
    json.key("missingForSpatial")
    json.beginArray(inline: true)
    for tag in missing { json.value(tag.name) }
    json.endArray()
    json.changes(report.movie?.changes ?? [])
    json.endObject()
    json.endDocument()
  }

  /// Writes a number, rounded to a part of 1; `null` for none.
  private static func write(_ value: Double?, to parts: Double, _ json: JSONWriter) {
    if let value { json.value((value * parts).rounded() / parts) } else { json.null() }
  }

  private func write(_ layer: Layer, _ json: JSONWriter) {
    json.beginObject(inline: true)
    json.key("eye")
    json.value(layer.eye)
    json.key("bytes")
    json.value(layer.bytes)
    json.key("bitsPerSecond")
    Self.write(layer.bitRate, to: 1, json)
    json.key("psnr")
    json.beginObject(inline: true)
    for (name, ratio) in zip(["y", "cb", "cr"], layer.ratios) {
      json.key(name)
      Self.write(ratio, to: 1_000, json)
    }
    json.endObject()
    json.endObject()
  }
}
