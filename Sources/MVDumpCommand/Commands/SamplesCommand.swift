// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import Multiview

/// `mvdump samples`: one row a sample.
package enum SamplesCommand: Command {
  package static let name = "samples"
  package static let summary = "one row a sample: times, place, size, sync, bytes of each layer"
  package static let discussion = [
    "Times are in units of the track's timescale. dts and cts are those of the media; pts is the time in the movie, "
      + "through the edit list, and empty for samples that it leaves out. The bytes of layers are counted for tracks "
      + "with more than one."
  ]
  package static let operands = Operands.files
  package static let options =
    [RowOptions.csv, RowOptions.track, RowOptions.samples] + CommonOptions.input
  package static let examples = [
    Example("mvdump samples --samples 0-9 movie.mov", "The first ten samples of every track"),
    Example("mvdump samples --csv --track 1 movie.mov > samples.csv", "A table for a spreadsheet"),
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let range = try RowOptions.range(invocation.arguments)
    let isCSV = invocation.arguments.has(RowOptions.csv)
    if isCSV {
      invocation.out.append(
        "file,track,index,dts,cts,pts,duration,offset,size,sync,dependsOn,isDependedOn,layers\n")
    }
    return Batch(invocation, accepting: [.boxes]).forEach { input throws(InputError) in
      let movie = try input.movie()
      let tracks = try RowOptions.tracks(movie, invocation.arguments)
      do throws(SourceError) {
        if invocation.isJSON {
          try writeJSON(tracks, range, input, invocation)
        } else {
          for track in tracks { try writeRows(track, range, input, isCSV, invocation) }
        }
      } catch { throw InputError(error) }
      return .success
    }
  }

  /// Calls `body` with each sample, when it is presented, and the bytes of its layers where there are several.
  private static func forEach(
    _ track: Track, _ range: Range<Int>, _ invocation: Invocation,
    _ body: (Sample, Int64?, [UInt8: Int]?) -> Void
  ) throws(SourceError) {
    let samples = try track.samples()
    guard track.layers.count > 1, track.formatDescriptions.first?.isProtected != true else {
      var iterator = samples.makeIterator(at: range.lowerBound)
      while let sample = iterator.next(), sample.index < range.upperBound, !invocation.isOutputClosed {
        body(sample, samples.presentationTime(of: sample), nil)
      }
      return
    }
    try track.forEachAccessUnit(range) { places, _ in
      if let sample = places.sample {
        body(sample, samples.presentationTime(of: sample), places.bytesByLayer)
      }
      return !invocation.isOutputClosed
    }
  }

  private static func writeRows(
    _ track: Track, _ range: Range<Int>, _ input: Input, _ isCSV: Bool, _ invocation: Invocation
  ) throws(SourceError) {
    let out = invocation.out
    if !isCSV {
      let title = "track \(track.id)  \(track.mediaType.words), \(track.timescale) units a second"
      out.append(invocation.style.name(title) + "\n")
      out.append(
        invocation.style.faint(
          "   index         dts         cts         pts  dur         offset      size  sync  layers")
          + "\n")
    }
    let prefix = csvField(input.name) + ",\(track.id),"
    try forEach(track, range, invocation) { sample, presentation, layers in
      if isCSV {
        out.append(prefix)
        out.append(Int64(sample.index))
        comma(out, sample.decodeTime)
        comma(out, sample.compositionTime)
        if let presentation { comma(out, presentation) } else { out.append(byte: 0x2C) }
        comma(out, sample.duration)
        out.append(byte: 0x2C)
        out.append(sample.offset)
        comma(out, Int64(sample.size))
        comma(out, sample.isSync ? 1 : 0)
        comma(out, Int64(sample.flags.dependsOn))
        comma(out, Int64(sample.flags.isDependedOn))
        out.append(byte: 0x2C)
        if let layers { out.append(text(layers)) }
        out.append(byte: 0x0A)
      } else {
        out.append(padded("\(sample.index)", 8) + padded("\(sample.decodeTime)", 12))
        out.append(padded("\(sample.compositionTime)", 12) + padded(presentation.map { "\($0)" } ?? "-", 12))
        out.append(
          padded("\(sample.duration)", 5) + padded("\(sample.offset)", 15) + padded("\(sample.size)", 10))
        out.append(sample.isSync ? "  sync" : "      ")
        if let layers { out.append("  " + text(layers)) }
        out.append(byte: 0x0A)
      }
    }
  }

  private static func comma(_ out: OutputBuffer, _ value: Int64) {
    out.append(byte: 0x2C)
    out.append(value)
  }

  private static func text(_ layers: [UInt8: Int]) -> String {
    layers.keys.sorted().map { "\($0):\(layers[$0] ?? 0)" }.joined(separator: " ")
  }

  private static func writeJSON(
    _ tracks: [Track], _ range: Range<Int>, _ input: Input, _ invocation: Invocation
  ) throws(SourceError) {
    let json = invocation.jsonWriter()
    json.beginObject()
    json.key("schema")
    json.value("mvdump.samples/1")
    json.key("file")
    json.value(input.name)
    json.key("tracks")
    json.beginArray()
    for track in tracks {
      json.beginObject()
      json.key("id")
      json.value(track.id)
      json.key("timescale")
      json.value(track.timescale)
      json.key("samples")
      json.beginArray()
      try forEach(track, range, invocation) { sample, presentation, layers in
        json.beginObject(inline: true)
        json.key("index")
        json.value(sample.index)
        json.key("dts")
        json.value(sample.decodeTime)
        json.key("cts")
        json.value(sample.compositionTime)
        json.key("pts")
        json.value(presentation)
        json.key("duration")
        json.value(sample.duration)
        json.key("offset")
        json.value(sample.offset)
        json.key("size")
        json.value(sample.size)
        json.key("sync")
        json.value(sample.isSync)
        json.key("dependsOn")
        json.value(sample.flags.dependsOn)
        json.key("isDependedOn")
        json.value(sample.flags.isDependedOn)
        json.key("layers")
        json.beginObject(inline: true)
        for layer in (layers ?? [:]).keys.sorted() {
          json.key("\(layer)")
          json.value(layers?[layer])
        }
        json.endObject()
        json.endObject()
      }
      json.endArray()
      json.endObject()
    }
    json.endArray()
    json.endObject()
    json.endDocument()
  }
}

/// `text` to the right in so many columns.
func padded(_ text: String, _ width: Int) -> String {
  String(repeating: " ", count: max(1, width - text.utf8.count)) + text
}

/// A field of comma-separated values, quoted where it has to be. RFC 4180
func csvField(_ text: String) -> String {
  guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
  return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
}
