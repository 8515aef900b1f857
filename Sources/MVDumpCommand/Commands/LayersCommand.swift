// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FieldOutput
import FileAccess
import Multiview

/// `mvdump layers`: what each layer costs.
package enum LayersCommand: Command {
  package static let name = "layers"
  package static let summary = "per layer: pictures by type, bytes, bit rate, share, use of other layers"
  package static let discussion = [
    "Every sample is examined, but only the headers of its NAL units are read. I, P and B count pictures "
      + "by the most general prediction that their slices may use; 'from layers' counts those that may be "
      + "predicted from the picture of another layer at the same time; ? means that slice headers cannot "
      + "be read. On a terminal, a curve shows the bytes over time."
  ]
  package static let operands = Operands.files
  package static let options = [RowOptions.track, CommonOptions.csv] + CommonOptions.input
  package static let examples = [
    Example("mvdump layers movie.mov", "How many bytes the second eye takes"),
    Example(
      "mvdump layers --csv -r library/ > layers.csv", "The same for a whole library, for a spreadsheet"),
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let arguments = invocation.arguments
    return Batch.ofMovies(invocation).forEachStreaming("layers", LayerRow.csvTitles, invocation) {
      input, rows throws(InputError) in
      let tracks = try RowOptions.tracks(try input.movie(), arguments) { $0.isHEVC }
      if tracks.isEmpty { throw InputError("has no HEVC track, so no layers") }
      for track in tracks where track.isProtected {
        throw InputError("track \(track.id) is encrypted: its layers cannot be told apart")
      }
      for track in tracks {
        let statistics: LayerStatistics
        do throws(SourceError) {
          statistics = try track.layerStatistics { sample, error in rows.note(error, sample: sample) }
        } catch { throw InputError(error) }
        let hasCurve = invocation.surroundings.output.isTerminal
        let text = columns(track, statistics, hasCurve: hasCurve).lines(indentation: 2)
        try rows.table(
          of: track, list: "layers", titles: text.titles,
          fact: ("samples", UInt32(clamping: statistics.sampleCount)), words: summary(track, statistics)
        ) { () throws(SourceError) in
          for (layer, line) in zip(statistics.layers, text.rows) {
            rows.write(LayerRow(layer, statistics, track, text: line))
          }
        }
      }
    }
  }

  private static func unitName(_ track: Track) -> String { track.isRawStream ? "access unit" : "sample" }

  private static func summary(_ track: Track, _ statistics: LayerStatistics) -> String {
    var facts = [Quantity.count(statistics.sampleCount, unitName(track)), Quantity.bytes(statistics.bytes)]
    if let seconds = statistics.seconds, seconds > 0 {
      facts.append(Quantity.bitRate(Double(statistics.bytes) * 8 / seconds))
    }
    return facts.joined(separator: ", ")
  }

  private static func columns(_ track: Track, _ statistics: LayerStatistics, hasCurve: Bool) -> Columns {
    var table = Columns(
      [
        "layer", "shows", "pictures", "key", "I", "P", "B", "from layers", "bytes", "bit rate", "share",
        "missing in", "over time",
      ], right: Set(2...11).union([0]))
    for layer in statistics.layers {
      let missing = statistics.sampleCount - layer.samples
      // Where no slice header could be read, nothing is known of kinds.
      let known = layer.intraPictures + layer.predictedPictures + layer.bipredictedPictures
      func kind(_ count: Int) -> String { known == 0 && layer.pictures > 0 ? "?" : "\(count)" }
      table.add([
        "\(layer.layerID)", track.showsInAllSamples(layer.layerID), "\(layer.pictures)",
        "\(layer.randomAccessPictures)",
        kind(layer.intraPictures), kind(layer.predictedPictures), kind(layer.bipredictedPictures),
        kind(layer.interLayerPictures), Quantity.bytes(layer.bytes),
        statistics.bitsPerSecond(of: layer).map(Quantity.bitRate) ?? "",
        Quantity.decimal(statistics.share(of: layer) * 100, 1) + " %",
        missing > 0 ? Quantity.count(missing, unitName(track)) : "",
        hasCurve ? Sparkline.of(layer.curve.parts) : "",
      ])
    }
    return table
  }
}

/// A layer in a table; its columns in text are as wide as those of the other layers need.
private struct LayerRow: Row {
  static let columns: [Column<LayerRow>] = [
    Column("layerID") { .number(Int64($0.layer.layerID)) },
    Column("eye") { .text($0.eye) },
    Column("pictures") { .number($0.layer.pictures) },
    Column("randomAccessPictures") { .number($0.layer.randomAccessPictures) },
    Column("intraPictures") { .number($0.layer.intraPictures) },
    Column("predictedPictures") { .number($0.layer.predictedPictures) },
    Column("bipredictedPictures") { .number($0.layer.bipredictedPictures) },
    Column("interLayerPictures") { .number($0.layer.interLayerPictures) },
    Column("bytes") { .number($0.layer.bytes) },
    Column("bitsPerSecond") { $0.bitsPerSecond.map { .decimal($0, digits: 0) } ?? .missing },
    Column("share") { .decimal($0.share, digits: 4) },
    Column(json: "missingInSamples", csv: "missing") { .number($0.missing) },
  ]

  private let layer: LayerStatistics.Layer
  private let eye: String?
  private let bitsPerSecond: Double?
  private let share: Double
  private let missing: Int
  private let text: String

  init(_ layer: LayerStatistics.Layer, _ statistics: LayerStatistics, _ track: Track, text: String) {
    self.text = text
    self.layer = layer
    eye = track.eyeInAllSamples(ofLayer: layer.layerID)?.rawValue
    bitsPerSecond = statistics.bitsPerSecond(of: layer)
    share = statistics.share(of: layer)
    missing = statistics.sampleCount - layer.samples
  }

  func writeText(to out: OutputBuffer) { out.append(text) }
}

/// A curve in a line of text.
enum Sparkline {
  /// Values in eighths of a line; nothing for fewer than two.
  static func of(_ values: [Int]) -> String {
    guard let highest = values.max(), highest > 0, values.count > 1 else { return "" }
    let marks = Array("▁▂▃▄▅▆▇█")
    return String(values.map { marks[min(7, max(0, Int(Double($0) / Double(highest) * 8)))] })
  }
}
