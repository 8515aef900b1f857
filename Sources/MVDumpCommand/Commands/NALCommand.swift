// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import Multiview

/// `mvdump nal`: one row a NAL unit.
package enum NALCommand: Command {
  static let layer = Option("layer", short: "l", .number("ID", 0...63), "Only the units of this layer")
  static let type = Option(
    "type", .text("TYPE", hint: .nothing), "Only units of this type, by number or name: 39, PREFIX_SEI_NUT")

  package static let name = "nal"
  package static let summary = "one row a NAL unit: sample, place, size, type, layer"
  package static let discussion = [
    "Of a raw stream, sample is the access unit. Sizes are without lengths and start codes."
  ]
  package static let operands = Operands.files
  package static let options =
    [layer, type, RowOptions.samples, RowOptions.track, RowOptions.csv] + CommonOptions.input
  package static let examples = [
    Example("mvdump nal --samples 0 movie.mov", "What the first sample consists of"),
    Example("mvdump nal --layer 1 --csv movie.mov", "Every unit of the second eye, as a table"),
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let arguments = invocation.arguments
    let range = try RowOptions.range(arguments)
    let type = try arguments.text(type).map { text throws(UsageError) in try nalType(text) }
    let layer = arguments.number(layer)
    let isCSV = arguments.has(RowOptions.csv)
    if isCSV { invocation.out.append("file,track,sample,offset,size,type,name,layerID,temporalID\n") }
    return Batch.ofMovies(invocation).forEach { input throws(InputError) in
      let movie = try input.movie()
      let tracks = try RowOptions.tracks(movie, arguments) { $0.isHEVC }
      if tracks.isEmpty { throw InputError("has no HEVC track, so no NAL units to show") }
      let json = invocation.isJSON ? invocation.jsonWriter() : nil
      if let json { begin(json, input) }
      for track in tracks {
        json?.beginObject()
        json?.key("id")
        json?.value(track.id)
        json?.key("nalUnits")
        json?.beginArray()
        if json == nil, !isCSV { writeTitle(track, invocation) }
        let prefix = csvField(input.name) + ",\(track.id),"
        do throws(SourceError) {
          try track.forEachAccessUnit(range) { places, _ in
            for unit in places.units {
              if let layer, Int(unit.header.layerID) != layer { continue }
              if let type, unit.header.type != type { continue }
              if let json {
                write(unit, places.index, json)
              } else if isCSV {
                writeCSV(unit, places.index, prefix, invocation.out)
              } else {
                writeText(unit, places.index, invocation.out)
              }
            }
            if let error = places.error { invocation.report(input.name, "sample \(places.index): \(error)") }
            return !invocation.isOutputClosed
          }
        } catch { throw InputError(error) }
        json?.endArray()
        json?.endObject()
      }
      if let json {
        json.endArray()
        json.endObject()
        json.endDocument()
      }
      return .success
    }
  }

  private static func nalType(_ text: String) throws(UsageError) -> NALUnitType {
    if let number = UInt8(text), number < 64 { return NALUnitType(rawValue: number) }
    for number in 0..<64 where NALUnitType(rawValue: UInt8(number)).name == text.uppercased() {
      return NALUnitType(rawValue: UInt8(number))
    }
    throw UsageError("'\(text)' is no NAL unit type: 0 to 63, or a name such as VPS_NUT")
  }

  private static func begin(_ json: JSONWriter, _ input: Input) {
    json.beginObject()
    json.key("schema")
    json.value("mvdump.nal/1")
    json.key("file")
    json.value(input.name)
    json.key("tracks")
    json.beginArray()
  }

  private static func write(_ unit: NALUnitPlace, _ sample: Int, _ json: JSONWriter) {
    json.beginObject(inline: true)
    json.key("sample")
    json.value(sample)
    json.key("offset")
    json.value(unit.range.lowerBound)
    json.key("size")
    json.value(unit.range.count)
    json.key("type")
    json.value(unit.header.type.rawValue)
    json.key("name")
    json.value(unit.header.type.name)
    json.key("layerID")
    json.value(unit.header.layerID)
    json.key("temporalID")
    json.value(unit.header.temporalID)
    json.endObject()
  }

  private static func writeTitle(_ track: Track, _ invocation: Invocation) {
    invocation.out.append(invocation.style.name("track \(track.id)") + "\n")
    invocation.out.append(
      invocation.style.faint("  sample         offset      size  type                      layer  temporal")
        + "\n")
  }

  private static func writeText(_ unit: NALUnitPlace, _ sample: Int, _ out: OutputBuffer) {
    let type = "\(unit.header.type.rawValue) \(unit.header.type.name)"
    out.append(
      padded("\(sample)", 8) + padded("\(unit.range.lowerBound)", 15) + padded("\(unit.range.count)", 10))
    out.append("  " + type + String(repeating: " ", count: max(1, 24 - type.count)))
    out.append(padded("\(unit.header.layerID)", 7) + padded("\(unit.header.temporalID)", 10) + "\n")
  }

  private static func writeCSV(_ unit: NALUnitPlace, _ sample: Int, _ prefix: String, _ out: OutputBuffer) {
    out.append(prefix)
    out.append(Int64(sample))
    out.append(",\(unit.range.lowerBound),\(unit.range.count),\(unit.header.type.rawValue),")
    out.append("\(unit.header.type.name),\(unit.header.layerID),\(unit.header.temporalID)\n")
  }
}
