// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import CommandLineSupport
import FieldOutput
import FileAccess
import HEVC
import Multiview

/// `mvdump nal`: one row a NAL unit.
package enum NALCommand: Command {
  static let layer = Option("layer", short: "l", .number("ID", 0...63), "Only the units of this layer")
  static let type = Option(
    "type", .text("TYPE", hint: .nothing), "Only units of this type, by number or name: 39, PREFIX_SEI_NUT")

  package static let name = "nal"
  package static let summary =
    "one row per NAL unit: sample, offset, size, type, layer, slice type, order count"
  package static let discussion = [
    "For a raw stream, 'sample' is the access unit. Sizes exclude length fields and start codes. Slice "
      + "type and picture order count (POC) come from the slice header; they are empty if it cannot be "
      + "read: in encrypted samples, or if a parameter set is missing."
  ]
  package static let operands = Operands.files
  package static let options =
    [layer, type, RowOptions.samples, RowOptions.track, CommonOptions.csv] + CommonOptions.input
  package static let examples = [
    Example("mvdump nal --samples 0 movie.mov", "The NAL units of the first sample"),
    Example("mvdump nal --layer 1 --csv movie.mov", "Every unit of the second eye, as a table"),
    Example(
      "mvdump nal --json stream.hevc | jq '.tracks[].nalUnits[].poc'",
      "The picture order counts, for a script"),
  ]

  package static func run(_ invocation: Invocation) throws(UsageError) -> ExitCode {
    let arguments = invocation.arguments
    let range = try RowOptions.range(arguments)
    let type = try arguments.text(type).map { text throws(UsageError) in try nalType(text) }
    let layer = arguments.number(layer)
    return Batch.ofMovies(invocation).forEachStreaming("nal", NALRow.csvTitles, invocation) {
      input, rows throws(InputError) in
      let movie = try input.movie()
      let tracks = try RowOptions.tracks(movie, arguments) { $0.isHEVC }
      if tracks.isEmpty { throw InputError("has no HEVC track, so no NAL units to show") }
      try RowOptions.check(range, in: tracks)
      var isAnyFound = false
      for track in tracks {
        try rows.table(of: track, list: "nalUnits", titles: NALRow.textTitles) { () throws(SourceError) in
          try forEachUnit(of: track, range, noting: { rows.note($1, sample: $0) }) { row in
            let isOfLayer = layer.map { $0 == Int(row.unit.header.layerID) } ?? true
            let isOfType = type.map { $0 == row.unit.header.type } ?? true
            if isOfLayer, isOfType {
              isAnyFound = true
              rows.write(row)
            }
            return !invocation.isOutputClosed
          }
        }
      }
      if !isAnyFound, layer != nil || type != nil, !invocation.isOutputClosed {
        throw InputError(
          "has no NAL unit of the wanted \(type == nil ? "layer" : layer == nil ? "type" : "type and layer")")
      }
    }
  }

  private static func nalType(_ text: String) throws(UsageError) -> NALUnitType {
    if let number = UInt8(text), number < 64 { return NALUnitType(rawValue: number) }
    let types = (0..<64).map { NALUnitType(rawValue: UInt8($0)) }
    if let type = types.first(where: { $0.name == text.uppercased() }) { return type }
    throw UsageError(
      "'\(text)' is not a NAL unit type: 0 to 63, or a name such as VPS_NUT"
        + didYouMean(text.uppercased(), among: types.map(\.name)))
  }

  /// Hands over the units of samples in `range`. Samples before may be read, too: order counts go from picture to
  /// picture.
  private static func forEachUnit(
    of track: Track, _ range: Range<Int>, noting damage: (_ sample: Int, ParseError) -> Void,
    _ body: (NALRow) -> Bool
  ) throws(SourceError) {
    let isEncrypted = track.isProtected
    var reader = isEncrypted ? nil : PictureReader(track)
    let start = isEncrypted ? range.lowerBound : try track.orderCountStart(before: range.lowerBound)
    try track.forEachAccessUnit(start..<range.upperBound) { places, walker throws(SourceError) in
      let isWanted = range.contains(places.index)
      reader?.begin(places)
      for unit in places.units {
        let slice = try reader?.read(unit, walker)
        if isWanted, !body(NALRow(sample: places.index, unit: unit, slice: slice)) { return false }
      }
      if isWanted, let error = places.error { damage(places.index, error) }
      return true
    }
  }
}

/// A NAL unit in a table.
private struct NALRow: Row {
  static let columns: [Column<NALRow>] = [
    Column("sample") { .number($0.sample) }.right("sample", 8),
    Column("offset") { .unsigned($0.unit.range.lowerBound) }.right("offset", 15),
    Column("size") { .number($0.unit.range.count) }.right("size", 10),
    Column("type") { .number(Int64($0.type.rawValue)) },
    Column("name") { .text($0.type.name) },
    Column { .text("\($0.type.rawValue) \($0.type.name)") }.left("type", 26),
    Column("layerID") { .number(Int64($0.unit.header.layerID)) }.right("layer", 5),
    Column("temporalID") { .number(Int64($0.unit.header.temporalID)) }.right("temporal", 10),
    Column("sliceType") { .text($0.slice?.type.description) }.right("slice", 7),
    Column("poc") { .number($0.slice?.orderCount) }.right("POC", 8),
  ]

  var sample: Int
  var unit: NALUnitPlace
  var slice: PictureReader.Slice?

  private var type: NALUnitType { unit.header.type }
}
