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
  /// The removals that match nothing.
  let unmatched: [String]

  var exitCode: ExitCode { unmatched.isEmpty ? .success : .no }

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

  /// The camera tags that a movie for two eyes lacks to be spatial video.
  private var missing: [StereoTag] {
    guard let tags = report.tags, layout.eyes > 1 else { return [] }
    let lacking = SpatialVerdict.lacking(tags)
    // Another projection is another kind of video, which needs none of this.
    return lacking.contains(.rectilinear) ? [] : lacking.compactMap(\.tag)
  }

  func write(_ invocation: Invocation) {
    for message in unmatched { invocation.report(file == "-" ? "standard input" : file, message) }
    var line = Quantity.count(report.encoding.pictures, "picture")
    if layout.eyes > 1 { line += " of each eye" }
    line += ", " + EncodingMeter.rate(report.encoding.pictures, seconds)
    if isChecked { line += ", all decoded and verified" }
    var lines = [line + ", \(Quantity.bytes(report.size)) written"]
    for (index, layer) in layers.enumerated() {
      var parts = [Quantity.bytes(UInt64(clamping: layer.bytes))]
      if let rate = layer.bitRate { parts.append(Quantity.bitRate(rate)) }
      parts.append(layer.ratios[0].map { "PSNR \(Quantity.decimal($0, 2)) dB" } ?? "identical to the source")
      lines.append((layer.eye.map { "layer \(index), \($0) eye: " } ?? "") + parts.joined(separator: ", "))
    }
    lines += report.notices.map { notice in
      guard case .eyesMayBeSqueezed(_, let layout) = notice else { return notice.message }
      return notice.message + " (with FFmpeg: -vf setsar=\(layout == .overUnder ? "1/2" : "2"))"
    }
    if !missing.isEmpty {
      let options = listed(missing.map { "--" + $0.name }, "and")
      lines.append("shown as 3D, not as spatial video: to change that, describe the cameras with \(options)")
    }
    destination.say(lines, invocation)
  }

  var json: JSONObject {
    [
      "schema": "mvedit.encode/1", "file": file, "output": destination.path, "size": report.size,
      "layout": layout.rawValue, "pictures": report.encoding.pictures,
      "layerBytes": report.encoding.layerBytes.inline,
      "layers": JSONList(rows: layers) { layer in
        [
          "eye": layer.eye, "bytes": layer.bytes, "bitsPerSecond": layer.bitRate?.rounded(),
          "psnr": JSONObject(
            zip(["y", "cb", "cr"], layer.ratios.map { $0?.rounded(toParts: 1_000) })),
        ]
      },
      "checked": isChecked, "missingForSpatial": missing.map(\.name).inline,
      "changes": (report.movie?.changes ?? []).json, "unmatched": unmatched,
      "notices": JSONList(rows: report.notices) { ["kind": $0.kind, "message": $0.message] },
    ]
  }
}
