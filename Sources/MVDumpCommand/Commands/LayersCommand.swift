// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import Multiview

/// `mvdump layers`: what each layer costs.
package enum LayersCommand: Command {
  package static let name = "layers"
  package static let summary = "per layer: pictures, bytes, bit rate, share"
  package static let discussion = [
    "Every sample is looked at, but of its NAL units only the headers are read where sizes allow to skip the rest."
  ]
  package static let operands = Operands.files
  package static let options = [RowOptions.track, RowOptions.csv] + CommonOptions.input
  package static let examples = [Example("mvdump layers movie.mov", "What the second eye costs")]

  /// What is counted of one layer.
  struct Count {
    var pictures = 0
    var bytes = 0
    var randomAccessPictures = 0
    var samples = 0
    var curve = Curve()
    /// The last sample that has a slice of the layer.
    var lastSample = -1

    mutating func add(_ unit: NALUnitPlace, at sample: Int) {
      bytes += unit.range.count
      curve.add(unit.range.count, at: sample)
      guard unit.header.type.isSliceSegment else { return }
      if unit.startsPicture {
        pictures += 1
        if unit.header.type.isRandomAccessPoint { randomAccessPictures += 1 }
      }
      if lastSample != sample { samples += 1 }
      lastSample = sample
    }
  }

  /// Bytes over time, in at most 64 parts.
  struct Curve {
    private(set) var parts: [Int] = []
    private var width = 1
    mutating func add(_ bytes: Int, at index: Int) {
      while index / width >= 64 {
        parts = stride(from: 0, to: parts.count, by: 2).map {
          parts[$0] + ($0 + 1 < parts.count ? parts[$0 + 1] : 0)
        }
        width *= 2
      }
      while parts.count <= index / width { parts.append(0) }
      parts[index / width] += bytes
    }

    /// A picture of it in eighths of a line.
    var sparkline: String {
      guard let highest = parts.max(), highest > 0, parts.count > 1 else { return "" }
      let marks = Array("▁▂▃▄▅▆▇█")
      return String(parts.map { marks[min(7, $0 * 8 / (highest + 1))] })
    }
  }

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let isCSV = invocation.arguments.has(RowOptions.csv)
    if isCSV {
      invocation.out.append(
        "file,track,layerID,eye,pictures,randomAccessPictures,bytes,bitsPerSecond,share,missing\n")
    }
    return Batch.ofMovies(invocation).forEach { input throws(InputError) in
      let movie = try input.movie()
      let tracks = try RowOptions.tracks(movie, invocation.arguments) { $0.isHEVC }
      if tracks.isEmpty { throw InputError("has no HEVC track, so no layers") }
      let json = invocation.isJSON ? invocation.jsonWriter() : nil
      json?.beginObject()
      json?.key("schema")
      json?.value("mvdump.layers/1")
      json?.key("file")
      json?.value(input.name)
      json?.key("tracks")
      json?.beginArray()
      for track in tracks {
        let (counts, samples) = try count(track, input, invocation)
        if let json {
          write(track, counts, samples, json)
        } else if isCSV {
          writeCSV(track, counts, samples, input, invocation)
        } else {
          writeText(track, counts, samples, invocation)
        }
      }
      if let json {
        json.endArray()
        json.endObject()
        json.endDocument()
      }
      return .success
    }
  }

  private static func count(
    _ track: Track, _ input: Input, _ invocation: Invocation
  ) throws(InputError) -> (counts: [UInt8: Count], samples: Int) {
    guard track.formatDescriptions.first?.isProtected != true else {
      throw InputError("track \(track.id) is encrypted: its layers cannot be told apart")
    }
    var layers = [Count](repeating: Count(), count: 64)
    var samples = 0
    do throws(SourceError) {
      try track.forEachAccessUnit { places, _ in
        samples += 1
        for unit in places.units { layers[Int(unit.header.layerID & 63)].add(unit, at: places.index) }
        if let error = places.error { invocation.report(input.name, "sample \(places.index): \(error)") }
        return true
      }
    } catch { throw InputError(error) }
    var counts: [UInt8: Count] = [:]
    for (layer, count) in layers.enumerated() where count.bytes > 0 { counts[UInt8(layer)] = count }
    return (counts, samples)
  }

  private static func bitRate(_ bytes: Int, _ track: Track, _ samples: Int) -> Double? {
    if let duration = track.duration, duration.value > 0 { return Double(bytes) * 8 / duration.seconds }
    guard let rate = track.nominalFrameRate, samples > 0 else { return nil }
    return Double(bytes) * 8 * rate / Double(samples)
  }

  private static func share(_ bytes: Int, _ counts: [UInt8: Count]) -> Double {
    Double(bytes) / Double(max(1, counts.values.reduce(0) { $0 + $1.bytes }))
  }

  private static func writeText(
    _ track: Track, _ counts: [UInt8: Count], _ samples: Int, _ invocation: Invocation
  ) {
    let style = invocation.style
    let unit = track.isRawStream ? "access unit" : "sample"
    invocation.out.append(style.name("track \(track.id)") + "  " + Quantity.count(samples, unit) + "\n")
    var table = Columns(
      ["layer", "shows", "pictures", "key", "bytes", "bit rate", "share", "missing in", "over time"],
      right: [0, 2, 3, 4, 5, 6, 7])
    for layer in counts.keys.sorted() {
      guard let count = counts[layer] else { continue }
      let known = track.layers.first { $0.layerID == layer }
      let shows = known.map { $0.eye.map { "\($0) eye" } ?? ($0.role == "view" ? "" : $0.role) } ?? "unknown"
      table.add([
        "\(layer)", shows, "\(count.pictures)", "\(count.randomAccessPictures)", Quantity.bytes(count.bytes),
        bitRate(count.bytes, track, samples).map(Quantity.bitRate) ?? "",
        Quantity.decimal(share(count.bytes, counts) * 100, 1) + " %",
        count.samples < samples ? Quantity.count(samples - count.samples, unit) : "",
        invocation.surroundings.output.isTerminal ? count.curve.sparkline : "",
      ])
    }
    invocation.out.append(table.text(indentation: 2, style))
  }

  private static func writeCSV(
    _ track: Track, _ counts: [UInt8: Count], _ samples: Int, _ input: Input, _ invocation: Invocation
  ) {
    for layer in counts.keys.sorted() {
      guard let count = counts[layer] else { continue }
      let eye = track.eyes.eyes[layer]?.rawValue ?? ""
      let rate = bitRate(count.bytes, track, samples).map { Quantity.decimal($0, 0) } ?? ""
      invocation.out.append(
        "\(csvField(input.name)),\(track.id),\(layer),\(eye),\(count.pictures),\(count.randomAccessPictures),"
          + "\(count.bytes),\(rate),\(Quantity.decimal(share(count.bytes, counts), 4)),\(samples - count.samples)\n"
      )
    }
  }

  private static func write(_ track: Track, _ counts: [UInt8: Count], _ samples: Int, _ json: JSONWriter) {
    json.beginObject()
    json.key("id")
    json.value(track.id)
    json.key("samples")
    json.value(samples)
    json.key("layers")
    json.beginArray()
    for layer in counts.keys.sorted() {
      guard let count = counts[layer] else { continue }
      json.beginObject(inline: true)
      json.key("layerID")
      json.value(layer)
      json.key("eye")
      json.value(track.eyes.eyes[layer]?.rawValue)
      json.key("pictures")
      json.value(count.pictures)
      json.key("randomAccessPictures")
      json.value(count.randomAccessPictures)
      json.key("bytes")
      json.value(count.bytes)
      json.key("bitsPerSecond")
      if let rate = bitRate(count.bytes, track, samples) { json.value(rate.rounded()) } else { json.null() }
      json.key("share")
      json.value((share(count.bytes, counts) * 10_000).rounded() / 10_000)
      json.key("missingInSamples")
      json.value(samples - count.samples)
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }
}
